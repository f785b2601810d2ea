"""Score intervals against their definitions, and against the truth of simulated studies."""

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.stats import norm, t
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from vr_evals.stats.intervals import wilson
from vr_evals.stats.score import Difference, Rate, difference, intervals, rate


def single(gained: int, lost: int, kept: int) -> Difference:
    """One answer a side and item."""
    values = np.repeat([1.0, -1.0, 0.0], [gained, lost, kept])
    n = len(values)
    ones = np.ones(n)
    return difference(np.maximum(values, 0), np.maximum(-values, 0), ones, np.arange(n), n)


def tango(gained: int, lost: int, n: int, value: float) -> float:
    """Tango's statistic with the likelihood maximised by brute force."""

    def against(p_lost: float) -> float:
        p_gained = p_lost + value
        rest = 1 - p_gained - p_lost
        parts = ((gained, p_gained), (lost, p_lost), (n - gained - lost, rest))
        if min(p for _, p in parts) < -1e-12:
            return math.inf
        return -sum(c * math.log(max(p, 1e-300)) for c, p in parts if c)

    least, most = max(0.0, -value), (1 - value) / 2
    found = minimize_scalar(
        against, bounds=(least, most), method="bounded", options={"xatol": 1e-12}
    ).x
    variance = (2 * found + value - value**2) * n
    return float((gained - lost - n * value) / math.sqrt(variance))


@pytest.mark.parametrize(
    ("gained", "lost", "kept"), [(6, 2, 12), (0, 0, 20), (5, 0, 15), (1, 9, 30), (12, 7, 1)]
)
def test_single_answers_have_tangos_interval_and_mcnemars_test(
    gained: int, lost: int, kept: int
) -> None:
    found, n = single(gained, lost, kept), gained + lost + kept
    low, high = found.interval()
    for bound, z in ((low, norm.isf(0.025)), (high, -norm.isf(0.025))):
        if -1 < bound < 1:
            assert tango(gained, lost, n, bound) == pytest.approx(z, abs=1e-3)
    if gained + lost:
        expected = statsmodels_mcnemar([[0, gained], [lost, 0]], exact=False, correction=False)
        assert found.p == pytest.approx(expected.pvalue)
    else:
        assert found.p == 1
        assert (low, high) == pytest.approx((-0.161, 0.161), abs=1e-3)  # as Wilson's of 0 of 20
    assert found.test == "score"


@settings(deadline=None)
@given(
    st.lists(st.tuples(*[st.integers(0, 5)] * 3), min_size=1, max_size=12),
    st.sampled_from([1, 3, 5]),
)
def test_an_interval_excludes_0_if_and_only_if_p_is_below_5_percent(
    said: list[tuple[int, int, int]], epochs: int
) -> None:
    x, y = (np.array([min(row[i], epochs) / epochs for row in said]) for i in (0, 1))
    codes = np.array([row[2] for row in said])
    found = difference(x * (1 - y), (1 - x) * y, np.ones(len(said)), codes, len(said) * epochs)
    assert found.estimate == pytest.approx(float(np.mean(x - y)), abs=1e-9)
    low, high = found.interval()
    if math.isnan(low):
        assert len(set(codes)) == 1
        assert math.isnan(found.p)
        return
    assert (found.p < 0.05) == (low > 0 or high < 0)
    assert low <= found.estimate <= high
    assert high - low > 1e-6
    wider = found.interval(0.99)
    assert wider[0] <= low
    assert wider[1] >= high


def test_estimate_and_test_agree_where_clusters_are_unequal() -> None:
    """Many small clusters gain and one large one loses: the estimate is over items."""
    sizes = [1] * 14 + [40]
    codes = np.repeat(np.arange(len(sizes)), sizes)
    gained = np.where(codes == 14, 0.0, 1.0)
    found = difference(gained, (1 - gained) / 2, np.ones(len(codes)), codes, 54)
    assert found.estimate < 0
    assert found.p > 0.05
    low, high = found.interval()
    assert low < 0 < high


@given(st.integers(0, 30), st.integers(1, 30))
def test_a_rate_of_single_answers_is_wilsons(right: int, more: int) -> None:
    n = max(right, more)
    values = np.repeat([1.0, 0.0], [right, n - right])
    found = rate(values, np.ones(n), np.arange(n), n)
    assert found.estimate == pytest.approx(right / n)
    assert found.interval() == pytest.approx(wilson(right, n))


def test_epochs_that_agree_count_once_and_epochs_that_do_not_count_each() -> None:
    items, epochs = 60, 5
    generator = np.random.default_rng(0)
    once = (generator.random(items) < 0.7).astype(float)
    each = generator.binomial(epochs, 0.7, items) / epochs
    codes, ones = np.arange(items), np.ones(items)
    same, independent = (rate(v, ones, codes, items * epochs) for v in (once, each))
    assert same.n == pytest.approx(items, rel=0.05)
    assert independent.n == pytest.approx(items * epochs, rel=0.5)


def test_nothing_and_one_cluster() -> None:
    none, codes = np.zeros(0), np.zeros(0, dtype=int)
    for found in (rate(none, none, codes, 0), difference(none, none, none, codes, 0)):
        assert math.isnan(found.estimate)
        assert np.isnan(found.interval()).all()
    one = difference(np.ones(2), np.zeros(2), np.ones(2), np.zeros(2, dtype=int), 4)
    assert one.estimate == 1
    assert math.isnan(one.p)
    assert one.test is None
    with pytest.raises(ValueError, match="level"):
        single(1, 2, 3).interval(1)


def test_t_with_the_clusters_degrees_of_freedom() -> None:
    generator: Any = np.random.default_rng(4)
    x, y = (generator.binomial(5, p, 12) / 5 for p in (0.8, 0.5))
    found = difference(x * (1 - y), (1 - x) * y, np.ones(12), np.arange(12), 60)
    mean, variance = float(np.mean(x - y)), float(np.var(x - y, ddof=1)) / 12
    spread = float(np.mean(x * (1 - y) + (1 - x) * y))
    effective = min((spread - mean**2) / variance, 90)  # 1.5 times the pairs at most
    assert found.p == pytest.approx(2 * t.sf(abs(mean) * math.sqrt(effective / spread), 11))
    assert found.interval(1 - found.p)[0] == pytest.approx(0, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("items", "epochs"), list(product((20, 100), (1, 2, 5))))
@pytest.mark.parametrize("accuracy", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("effect", [0, -0.05])
def test_coverage(items: int, epochs: int, accuracy: float, effect: float) -> None:
    generator: Any = np.random.default_rng(1)
    covered, rejected, studies = 0, 0, 400
    for _ in range(studies):
        before = accuracy + generator.choice([-1, 1], items) * 0.8 * min(accuracy, 1 - accuracy)
        after = np.clip(before + effect, 0, 1)
        x, y = (generator.binomial(epochs, p) / epochs for p in (after, before))
        found = difference(
            x * (1 - y), (1 - x) * y, np.ones(items), np.arange(items), items * epochs
        )
        low, high = found.interval()
        covered += low - 1e-9 <= float(np.mean(after - before)) <= high + 1e-9
        rejected += found.p < 0.05
    assert covered / studies >= 0.92
    if effect == 0:
        assert rejected / studies <= 0.08


def test_intervals_of_many_are_those_of_each() -> None:
    rng = np.random.default_rng(0)
    shares = [rng.dirichlet([1, 1, 1]).tolist() for _ in range(40)]
    found: list[Difference | Rate] = [
        *(Difference(a, b, 40.0, math.inf) for a, b in ((0, 0), (1, 0), (0, 1), (0.5, 0.5))),
        *(Difference(a, b, 1 + 99 * c, 7, scale=2) for a, b, c in shares),
        Difference(0.1, 0.2, math.nan, math.nan),
        rate(np.array([0.0, 1.0]), np.ones(2), np.arange(2), 2),
    ]
    levels = [(0.9, 0.95, 0.999)[place % 3] for place in range(len(found))]
    each = [one.interval(level) for one, level in zip(found, levels, strict=True)]
    np.testing.assert_array_equal(intervals(found, levels), each)
    assert intervals([], []) == []
