from __future__ import annotations

import math
from statistics import mean, stdev

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as student

from vr_evals.stats.intervals import clustered_mean
from vr_evals.stats.pooled import (
    Equivalence,
    Mean,
    Strata,
    detectable,
    equivalence,
    influences,
    jackknife,
    pooled_difference,
    pooled_mean,
)
from vr_evals.stats.score import critical, difference


def of_values(*strata: list[float], weights: list[float] | None = None) -> Strata:
    """Strata of one block, whose i-th values are of the i-th cluster."""
    codes = np.arange(len(strata[0]))
    arrays = [np.array(each) for each in strata]
    return Strata(
        np.array([each.mean() for each in arrays]),
        np.stack([influences(each, codes, len(codes)) for each in arrays], axis=1),
        np.zeros(len(codes), dtype=np.intp),
        np.array(weights or [1 / len(strata)] * len(strata)),
    )


def test_one_stratum_is_a_mean_with_its_t_interval() -> None:
    values = [1.0, 4.0, 2.5, -3.0, 0.0]
    found, expected = pooled_mean(of_values(values)), clustered_mean(values)
    assert found.estimate == pytest.approx(expected.mean)
    assert found.stderr == pytest.approx(stdev(values) / math.sqrt(5))
    assert found.interval() == pytest.approx((expected.low, expected.high))
    assert found.p == pytest.approx(2 * student.sf(abs(found.estimate / found.stderr), 4))


def test_strata_of_one_block_are_averaged_within_clusters() -> None:
    first, second = [1.0, 0.0, 2.0, 5.0], [3.0, -1.0, 0.0, 1.0]
    found = pooled_mean(of_values(first, second, weights=[0.25, 0.75]))
    each = [0.25 * a + 0.75 * b for a, b in zip(first, second, strict=True)]
    assert found.estimate == pytest.approx(mean(each))
    assert found.stderr == pytest.approx(stdev(each) / 2)
    assert found.df == pytest.approx(3)


def test_blocks_share_nothing() -> None:
    """Welch's two samples: the variances add up, and the degrees of freedom are Satterthwaite's."""
    a, b = [1.0, 2.0, 4.0, 8.0], [0.0, 0.5, 0.25]
    influence = np.zeros((7, 2))
    influence[:4, 0] = influences(np.array(a), np.arange(4), 4)
    influence[4:, 1] = influences(np.array(b), np.arange(3), 3)
    strata = Strata(
        np.array([mean(a), mean(b)]), influence, np.array([0] * 4 + [1] * 3), np.array([0.5, 0.5])
    )
    v = [0.25 * stdev(a) ** 2 / 4, 0.25 * stdev(b) ** 2 / 3]
    variance, df = strata.variance()
    assert variance == pytest.approx(sum(v))
    assert df == pytest.approx(sum(v) ** 2 / (v[0] ** 2 / 3 + v[1] ** 2 / 2))


@pytest.mark.parametrize("values", [[0.0, 0.0, 0.0], [1.0]])
def test_what_does_not_vary_has_no_t_interval(values: list[float]) -> None:
    found = pooled_mean(of_values(values))
    assert all(math.isnan(x) for x in (found.p, *found.interval()))
    assert found.test is None


shares = st.lists(
    st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.sampled_from([0.0, 0.5, 1.0])),
    min_size=2,
    max_size=12,
)


@given(shares)
def test_one_stratum_of_shares_is_the_paired_difference(pairs: list[tuple[float, float]]) -> None:
    x, y = np.array(pairs).T
    gained, lost, codes = x * (1 - y), (1 - x) * y, np.arange(len(x))
    expected = difference(gained, lost, np.ones(len(x)), codes, 4 * len(x))
    found = pooled_difference(
        of_values(list(x - y)),
        float(gained.mean()),
        float(lost.mean()),
        4 * len(x),
        scale=1,
        single=False,
    )
    assert found.estimate == pytest.approx(expected.estimate)
    assert found.interval() == pytest.approx(expected.interval(), abs=1e-9)
    assert found.p == pytest.approx(expected.p)


@settings(deadline=None)
@given(shares, shares, st.sampled_from([0.8, 0.95, 0.99]))
def test_an_interval_excludes_0_if_and_only_if_p_is_small(
    one: list[tuple[float, float]], other: list[tuple[float, float]], level: float
) -> None:
    n = min(len(one), len(other))
    x, y = np.array([one[:n], other[:n]]).transpose(2, 0, 1)
    strata = of_values(*(list(each) for each in x - y))
    shares = float((x * (1 - y)).mean()), float(((1 - x) * y).mean())
    for found in (
        pooled_difference(strata, *shares, 0, scale=1, single=False),
        pooled_mean(strata),
    ):
        low, high = found.interval(level)
        if not math.isnan(low) and abs(found.p - (1 - level)) > 1e-9:
            assert (low > 0 or high < 0) == (found.p < 1 - level)
            assert low <= found.estimate + 1e-9
            assert found.estimate <= high + 1e-9


def test_the_jackknife_of_a_mean_is_its_influence() -> None:
    values, codes = np.array([1.0, 2.0, 4.0, 0.5, 3.0]), np.array([0, 1, 2, 3, 4])
    whole, found = jackknife(lambda kept: float(values[kept].mean()), codes, 5)
    assert whole == pytest.approx(values.mean())
    assert found == pytest.approx(influences(values, codes, 5))


def test_many_clusters_are_left_out_in_groups() -> None:
    rng = np.random.default_rng(1)
    values, codes = rng.standard_normal(2000), np.arange(1000).repeat(2)
    calls = 0

    def statistic(kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> float:
        nonlocal calls
        calls += 1
        return float(values[kept].mean())

    _, found = jackknife(statistic, codes, 1000)
    assert calls <= 101
    exact = influences(values, codes, 1000)
    assert float(found @ found) == pytest.approx(float(exact @ exact), rel=0.3)


@pytest.mark.parametrize(
    ("estimate", "stderr", "margin", "expected"),
    [
        (0.0, 0.01, 0.05, "within"),
        (0.03, 0.0121, 0.05, "within"),  # 0.03 + 1.645·0.0121 = 0.0499
        (0.03, 0.0125, 0.05, "open"),
        (-0.1, 0.01, 0.05, "beyond"),
        (0.06, 0.01, 0.05, "open"),
    ],
)
def test_equivalence(estimate: float, stderr: float, margin: float, expected: Equivalence) -> None:
    assert equivalence(Mean(estimate, stderr, math.inf).interval, margin) == expected


def test_an_effect_as_large_as_the_detectable_one_is_found_in_80_percent() -> None:
    found = detectable(-1.96, 1.96)
    assert found == pytest.approx(2.80, abs=0.01)
    z = critical(0.95, math.inf)
    rng = np.random.default_rng(0)
    assert np.mean(rng.standard_normal(100_000) + found > z) == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize(("shift", "least", "most"), [(0.0, 0.02, 0.08), (0.6, 0.9, 1.0)])
def test_homogeneity_has_its_size_and_finds_differences(
    shift: float, least: float, most: float
) -> None:
    rng, rejected, studies = np.random.default_rng(0), 0, 400
    for _ in range(studies):
        common = rng.standard_normal(40)
        strata = [list(common + rng.standard_normal(40) + shift * (s % 2)) for s in range(6)]
        rejected += of_values(*strata).homogeneity() < 0.05
    assert least <= rejected / studies <= most


def test_one_stratum_is_homogeneous_by_itself() -> None:
    assert math.isnan(of_values([1.0, 2.0]).homogeneity())
    assert math.isnan(of_values([1.0, 1.0], [2.0, 2.0]).homogeneity())
