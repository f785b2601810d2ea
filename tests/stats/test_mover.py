import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from vr_evals.stats.mover import Contrast, Quotient, correlation
from vr_evals.stats.score import difference, rate


@dataclass(frozen=True)
class Normal:
    """An estimate with a standard error."""

    estimate: float
    stderr: float

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        half = norm.isf((1 - level) / 2) * self.stderr
        return self.estimate - half, self.estimate + half


@pytest.mark.parametrize("r", [-0.5, 0, 0.8])
def test_of_symmetric_intervals_it_is_the_usual_one(r: float) -> None:
    found = Contrast(Normal(3, 0.4), Normal(2, 0.3), r)
    stderr = math.sqrt(0.4**2 + 0.3**2 - 2 * r * 0.4 * 0.3)
    half = norm.isf(0.025) * stderr
    assert found.interval() == pytest.approx((1 - half, 1 + half))
    assert found.p == pytest.approx(2 * norm.sf(1 / stderr))


@given(st.floats(-2, 2), st.floats(0.05, 2), st.floats(-2, 2), st.floats(0.05, 2))
def test_a_contrast_excludes_0_if_and_only_if_p_is_below_5_percent(
    a: float, stderr_a: float, b: float, stderr_b: float
) -> None:
    found = Contrast(Normal(a, stderr_a), Normal(b, stderr_b), 0.3)
    low, high = found.interval()
    assert (found.p < 0.05) == (low > 0 or high < 0)


def test_a_contrast_that_is_known_exactly_or_not_at_all() -> None:
    assert Contrast(Normal(1, 0), Normal(1, 0), 0).p == 1
    assert Contrast(Normal(2, 0), Normal(1, 0), 0).p == 0
    assert math.isnan(Contrast(Normal(2, math.nan), Normal(1, 1), 0).p)


def quotient(x: list[float], y: list[float]) -> Quotient:
    after, before = np.array(x), np.array(y)
    n, codes = len(after), np.arange(len(after))
    ones = np.ones(n)
    above = difference(after * (1 - before), (1 - after) * before, ones, codes, n)
    below = rate(1 - before, ones, codes, n)
    together = correlation(after - before - above.estimate, 1 - before - below.estimate, codes)
    return Quotient(above, below, together)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=2, max_size=40))
def test_a_quotient_excludes_0_if_and_only_if_its_numerator_does(
    said: list[tuple[int, int]],
) -> None:
    found = quotient([float(x) for x, _ in said], [float(y) for _, y in said])
    if all(y for _, y in said):
        assert math.isnan(found.estimate)
        assert np.isnan(found.interval()).all()
        return
    low, high = found.interval()
    above = found.numerator.interval()
    assert low <= found.estimate <= high
    assert (low > 0 or high < 0) == (above[0] > 0 or above[1] < 0)
    assert high - low > 1e-3
    assert (found.p, found.test) == (found.numerator.p, "score")


def test_a_quotient_covers_its_truth() -> None:
    """Those who can move do so in 40 of 100 cases."""
    generator, covered = np.random.default_rng(3), 0
    for _ in range(200):
        before = generator.random(80) < 0.3
        after = before | (generator.random(80) < 0.4)
        low, high = quotient(after.astype(float).tolist(), before.astype(float).tolist()).interval()
        covered += low <= 0.4 <= high
    assert covered >= 182


def test_correlation_is_by_cluster() -> None:
    first, second = np.array([1.0, -1, 2, -2]), np.array([1.0, -1, -2, 2])
    assert correlation(first, first, np.arange(4)) == pytest.approx(1)
    assert correlation(first, second, np.arange(4)) == pytest.approx(-0.6)
    assert correlation(first, second, np.array([0, 0, 1, 1])) == 0
