import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vr_evals.stats.at_k import at_k


@pytest.mark.parametrize("n", range(1, 11))
def test_at_k_agrees_with_enumeration(n: int) -> None:
    for c, k in itertools.product(range(n + 1), range(1, n + 1)):
        epochs = [True] * c + [False] * (n - c)
        sets = list(itertools.combinations(epochs, k))
        assert at_k(n, c, k) == pytest.approx(sum(map(any, sets)) / len(sets), abs=1e-12)


@given(st.integers(1, 300), st.data())
def test_at_k_shape(n: int, data: st.DataObject) -> None:
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    value = at_k(n, c, k)
    assert 0 <= value <= 1
    assert at_k(n, c, 1) == pytest.approx(c / n)
    assert at_k(n, 0, k) == 0
    assert at_k(n, n, k) == 1
    assert at_k(n, c, n) == (c > 0)
    assert at_k(n, c, min(k + 1, n)) >= value
    product = math.prod((n - c - i) / (n - i) for i in range(k))
    assert value == pytest.approx(1 - product, abs=1e-12)


@pytest.mark.parametrize(("n", "k"), [(0, 1), (1, 3), (5, 10)])
def test_never_extrapolated(n: int, k: int) -> None:
    assert math.isnan(at_k(n, 0, k))


@pytest.mark.parametrize(
    ("n", "c", "k"), [(5, 6, 1), (5, -1, 1), (-1, 0, 1), (5, 2, 0), (5, 2, -3), (0, 1, 9)]
)
def test_nonsense_is_an_error(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError, match="must be"):
        at_k(n, c, k)


@pytest.mark.parametrize(("p", "k"), [(0.1, 3), (0.5, 2), (0.9, 5)])
def test_unbiased(p: float, k: int) -> None:
    """Averaged over binomial(n, p) events it is 1 − (1 − p)ᵏ, exactly."""
    n = 7
    mean = sum(math.comb(n, c) * p**c * (1 - p) ** (n - c) * at_k(n, c, k) for c in range(n + 1))
    assert mean == pytest.approx(1 - (1 - p) ** k, abs=1e-12)
