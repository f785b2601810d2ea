import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multinomial

from vr_evals.stats.intervals import wilson
from vr_evals.stats.planning import items_for_half_width, mcnemar_power


def half_width(n: int, rate: float, level: float) -> float:
    low, high = wilson(rate * n, n, level=level)
    return (high - low) / 2


@given(
    target=st.floats(0.01, 0.3),
    rate=st.floats(0, 1),
    level=st.sampled_from([0.8, 0.9, 0.95, 0.99]),
)
def test_enough_items_and_not_one_more(target: float, rate: float, level: float) -> None:
    n = items_for_half_width(target, rate=rate, level=level)
    assert half_width(n, rate, level) <= target + 1e-9
    if n > 1:
        assert half_width(n - 1, rate, level) > target - 1e-9


@pytest.mark.parametrize(("target", "items"), [(0.05, 381), (0.1, 93), (0.03, 1064)])
def test_known_sizes(target: float, items: int) -> None:
    """A little below the textbook's 385, 97 and 1068: z²/4h² less z²."""
    assert items_for_half_width(target) == items
    assert items == math.ceil(1.959964**2 / (4 * target**2) - 1.959964**2)


@pytest.mark.parametrize(
    ("target", "rate", "level"), [(0, 0.5, 0.95), (0.5, 0.5, 0.95), (0.1, 1.5, 0.95), (0.1, 0.5, 1)]
)
def test_planning_refuses_nonsense(target: float, rate: float, level: float) -> None:
    with pytest.raises(ValueError, match="must be"):
        items_for_half_width(target, rate=rate, level=level)


def mcnemar(gained: int, lost: int) -> float:
    """McNemar's exact test, two-sided."""
    n = gained + lost
    tail: int = sum(math.comb(n, i) for i in range(min(gained, lost) + 1))
    return min(1.0, 2 * tail / 2.0**n)


def enumerated_power(n: int, gain: float, loss: float, alpha: float) -> float:
    """Over every table that n items can give."""
    return sum(
        float(multinomial.pmf([g, x, n - g - x], n, [gain, loss, 1 - gain - loss]))
        for g in range(n + 1)
        for x in range(n + 1 - g)
        if mcnemar(g, x) <= alpha
    )


@pytest.mark.parametrize(
    ("n", "gain", "loss", "alpha"),
    [
        (1, 0.5, 0.1, 0.05),
        (12, 0.6, 0.1, 0.05),
        (25, 0.3, 0.05, 0.05),
        (25, 0.3, 0.05, 0.03125),
        (30, 0.2, 0.2, 0.1),
        (20, 1, 0, 0.01),
    ],
)
def test_power_agrees_with_enumeration(n: int, gain: float, loss: float, alpha: float) -> None:
    expected = enumerated_power(n, gain, loss, alpha)
    assert mcnemar_power(n, gain, loss, alpha=alpha) == pytest.approx(expected, abs=1e-12)


def test_power_agrees_with_simulation() -> None:
    generator = np.random.default_rng(0)
    tables = generator.multinomial(300, [0.12, 0.05, 0.83], size=4000)
    found = np.mean([mcnemar(int(gained), int(lost)) <= 0.05 for gained, lost, _ in tables])
    assert mcnemar_power(300, 0.12, 0.05) == pytest.approx(found, abs=0.025)


@pytest.mark.parametrize("n", [0, 10, 100, 1000])
def test_without_a_change_the_power_is_at_most_the_level(n: int) -> None:
    assert 0 <= mcnemar_power(n, 0.1, 0.1) <= 0.05
    assert mcnemar_power(n, 0, 0) == 0


@pytest.mark.parametrize(
    ("n", "gain", "loss", "alpha"),
    [(-1, 0.1, 0.1, 0.05), (9, -0.1, 0.1, 0.05), (9, 0.6, 0.5, 0.05), (9, 0.1, 0.1, 0)],
)
def test_power_refuses_nonsense(n: int, gain: float, loss: float, alpha: float) -> None:
    with pytest.raises(ValueError, match="need n"):
        mcnemar_power(n, gain, loss, alpha=alpha)
