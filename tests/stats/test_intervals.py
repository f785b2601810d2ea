import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.scorer import Metric, SampleScore, Score, Value, ci, ci_wilson, stderr
from scipy.stats import binom
from statsmodels.stats.proportion import proportion_confint

from vr_evals.stats.intervals import (
    bounded_mean,
    clustered_mean,
    wilson,
    wilson_clustered,
    z_value,
)


def by_inspect(metric: Metric, values: list[float], clusters: list[str]) -> Any:
    """The value of one of Inspect's own metrics."""
    scores = [
        SampleScore(score=Score(value=value), sample_metadata={"cluster": cluster})
        for value, cluster in zip(values, clusters, strict=True)
    ]
    return cast(Callable[[list[SampleScore]], Value], metric)(scores)


clustered_bits = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from("abcdefgh")), min_size=2, max_size=60
).map(lambda rows: ([float(x) for x, _ in rows], [c for _, c in rows]))


@given(n=st.integers(1, 5000), share=st.floats(0, 1), level=st.sampled_from([0.8, 0.95, 0.99]))
def test_wilson_agrees_with_statsmodels(n: int, share: float, level: float) -> None:
    successes = round(share * n)
    expected = proportion_confint(successes, n, alpha=1 - level, method="wilson")
    assert wilson(successes, n, level=level) == pytest.approx(expected, abs=1e-9)


def test_none_of_twenty_is_no_certainty() -> None:
    assert wilson(0, 20) == pytest.approx((0, 0.161), abs=5e-4)
    assert wilson(20, 20) == pytest.approx((0.839, 1), abs=5e-4)


@given(n=st.integers(1, 500), share=st.floats(0, 1))
def test_wilson_is_symmetric_and_holds_the_rate(n: int, share: float) -> None:
    successes = round(share * n)
    low, high = wilson(successes, n)
    assert 0 <= low <= successes / n + 1e-12
    assert successes / n - 1e-12 <= high <= 1
    assert low < high
    assert wilson(n - successes, n) == pytest.approx((1 - high, 1 - low))


def test_wilson_of_nothing_is_undefined() -> None:
    assert all(map(math.isnan, wilson(0, 0)))


@pytest.mark.parametrize(
    ("successes", "n", "level"), [(-1, 5, 0.95), (6, 5, 0.95), (1, 5, 0), (1, 5, 1), (0, 0, 2)]
)
def test_wilson_refuses_nonsense(successes: int, n: int, level: float) -> None:
    with pytest.raises(ValueError, match="must be"):
        wilson(successes, n, level=level)


@pytest.mark.parametrize("n", [10, 20, 50, 200])
def test_wilson_covers_on_average(n: int) -> None:
    """Exact coverage, averaged over true rates 0.05 … 0.95, is within two points of 95 %."""
    counts = np.arange(n + 1)
    low, high = np.array([wilson(int(c), n) for c in counts]).T
    rates = np.linspace(0.05, 0.95, 91)
    coverage = [binom.pmf(counts, n, p) @ ((low <= p) & (p <= high)) for p in rates]
    assert np.mean(coverage) == pytest.approx(0.95, abs=0.02)


def test_z_value() -> None:
    assert z_value(0.95) == pytest.approx(1.959963984540054)


@given(clustered_bits)
def test_standard_error_is_the_one_inspect_reports(
    data: tuple[list[float], list[str]],
) -> None:
    values, clusters = data
    estimate = clustered_mean(values, clusters)
    assert estimate.mean == pytest.approx(np.mean(values))
    if estimate.n_clusters < 2:
        assert math.isnan(estimate.stderr)
        return
    expected = by_inspect(stderr(cluster="cluster"), values, clusters)
    assert estimate.stderr == pytest.approx(expected, abs=1e-12)
    bounds = by_inspect(ci(cluster="cluster"), values, clusters)
    assert [estimate.low, estimate.high] == pytest.approx(
        [bounds["lower"], bounds["upper"]], abs=1e-9
    )


@given(clustered_bits)
def test_clustered_wilson_is_the_one_inspect_reports(
    data: tuple[list[float], list[str]],
) -> None:
    values, clusters = data
    n_clusters = len(set(clusters))
    if n_clusters in (1, len(values)) or np.mean(values) in (0, 1):
        return  # where it differs on purpose: the tests below
    bounds = by_inspect(ci_wilson(cluster="cluster"), values, clusters)
    assert wilson_clustered(values, clusters) == pytest.approx(
        (bounds["lower"], bounds["upper"]), abs=1e-9
    )


@pytest.mark.parametrize("successes", [0, 1, 7, 20])
def test_clusters_of_one_are_no_clusters(successes: int) -> None:
    values = [1] * successes + [0] * (20 - successes)
    assert wilson_clustered(values, range(20)) == wilson(successes, 20)


@pytest.mark.parametrize("value", [0, 1])
def test_epochs_that_all_agree_count_as_one(value: int) -> None:
    items = [f"item{i}" for i in range(20)] * 5
    assert wilson_clustered([value] * 100, items) == wilson(20 * value, 20)


@pytest.mark.parametrize(
    ("values", "clusters"), [([], []), ([1, 0], "aa")], ids=["nothing", "one cluster"]
)
def test_clustered_wilson_undefined(values: list[int], clusters: list[str]) -> None:
    assert all(map(math.isnan, wilson_clustered(values, clusters)))


def test_clustered_wilson_with_equal_clusters_uses_every_observation() -> None:
    low, high = wilson_clustered([0, 1] * 10, [i // 2 for i in range(20)])
    plain = wilson(10, 20)
    assert low < plain.low  # t rather than z, for ten clusters
    assert high > plain.high


@pytest.mark.parametrize("values", [[], [3.0]])
def test_mean_of_one_has_no_error(values: list[float]) -> None:
    estimate = clustered_mean(values)
    assert np.isnan([estimate.stderr, estimate.low, estimate.high]).all()
    assert estimate.n_clusters == len(values)
    assert estimate.mean == pytest.approx(values[0] if values else math.nan, nan_ok=True)


@pytest.mark.parametrize("missing", [None, math.nan])
def test_a_missing_cluster_is_an_error(missing: object) -> None:
    with pytest.raises(ValueError, match="cluster"):
        clustered_mean([1, 0, 1], ["a", missing, missing])


@pytest.mark.parametrize("values", [[0, 1.1], [0, -0.1], [0, math.nan], [0, 1, 1]])
def test_bad_proportions_are_errors(values: list[float]) -> None:
    with pytest.raises(ValueError, match="values"):
        wilson_clustered(values, "ab")


def test_bad_means_are_errors() -> None:
    with pytest.raises(ValueError, match="finite"):
        clustered_mean([1, math.nan])


def study(
    generator: np.random.Generator, items: int, epochs: int, rate: float
) -> tuple[list[int], list[int]]:
    """Answers to items of unequal difficulty: epochs of an item are alike."""
    difficulty = generator.beta(2 * rate, 2 * (1 - rate), size=items)
    answers = generator.random((items, epochs)) < difficulty[:, None]
    return answers.ravel().astype(int).tolist(), np.repeat(np.arange(items), epochs).tolist()


@pytest.mark.parametrize("rate", [0.5, 0.8])
def test_clustered_intervals_cover(rate: float) -> None:
    """800 studies of 60 items × 5 epochs: within two points (and sampling error) of 95 %."""
    generator = np.random.default_rng(1)
    hits = np.zeros(3)
    for _ in range(800):
        values, clusters = study(generator, 60, 5, rate)
        mean, plain = clustered_mean(values, clusters), wilson(sum(values), len(values))
        score = wilson_clustered(values, clusters)
        hits += [
            mean.low <= rate <= mean.high,
            score.low <= rate <= score.high,
            plain.low <= rate <= plain.high,
        ]
    cluster_robust, clustered_wilson, naive = hits / 800
    assert cluster_robust == pytest.approx(0.95, abs=0.03)
    assert clustered_wilson == pytest.approx(0.95, abs=0.03)
    assert naive < 0.85  # what ignoring the clusters would have cost


paired_differences = st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=2, max_size=40)


@given(differences=paired_differences, clusters=st.data())
def test_bounded_mean_is_the_clustered_mean_within_its_range(
    differences: list[float], clusters: st.DataObject
) -> None:
    names = [clusters.draw(st.sampled_from("abcde")) for _ in differences]
    plain, bounded = clustered_mean(differences, names), bounded_mean(differences, names, (-1, 1))
    assert (bounded.mean, bounded.n_clusters) == (plain.mean, plain.n_clusters)
    if plain.n_clusters < 2:
        assert math.isnan(bounded.low)
        assert math.isnan(bounded.high)
    elif plain.stderr > 1e-9:
        assert bounded.low == max(plain.low, -1)
        assert bounded.high == min(plain.high, 1)


@pytest.mark.parametrize("n", [2, 5, 20, 100])
@pytest.mark.parametrize("gained", [0, 1])
def test_where_all_agree_bounded_mean_is_bonett_and_prices(n: int, gained: int) -> None:
    """Bonett & Price (2012): (f + 1) / (n + 2) for both discordant cells."""
    up, down = (gained * n + 1) / (n + 2), 1 / (n + 2)
    half = z_value(0.95) * math.sqrt((up + down - (up - down) ** 2) / (n + 2))
    found = bounded_mean([float(gained)] * n, [f"item {i}" for i in range(n)], (-1, 1))
    assert found.mean == gained
    assert found.low == pytest.approx(max(up - down - half, -1))
    assert found.high == pytest.approx(min(up - down + half, 1))


@given(
    share=st.integers(0, 10).map(lambda n: n / 10),
    n=st.integers(2, 200),
    bounds=st.sampled_from([(0.0, 1.0), (-1.0, 1.0), (-2.0, 2.0), (0.0, 100.0)]),
)
def test_bounded_mean_holds_the_mean_and_is_never_of_length_nought(
    share: float, n: int, bounds: tuple[float, float]
) -> None:
    value = bounds[0] + share * (bounds[1] - bounds[0])
    found = bounded_mean([value] * n, range(n), bounds)
    assert bounds[0] <= found.low <= value + 1e-12
    assert value - 1e-12 <= found.high <= bounds[1]
    assert found.low < found.high


@pytest.mark.parametrize("rate", [0.002, 0.01, 0.03])
def test_bounded_mean_covers_where_changes_are_rare(rate: float) -> None:
    """Of 400 studies of 40 items that seldom change, in either direction alike."""
    generator = np.random.default_rng(7)
    differences = generator.choice([-1.0, 0.0, 1.0], p=[rate, 1 - 2 * rate, rate], size=(400, 40))
    found = [bounded_mean(row, range(40), (-1, 1)) for row in differences]
    assert np.mean([estimate.low <= 0 <= estimate.high for estimate in found]) > 0.93


def test_bounded_mean_refuses_what_is_out_of_range() -> None:
    with pytest.raises(ValueError, match="within -1 and 1"):
        bounded_mean([0.0, 1.5], ["a", "b"], (-1, 1))
    assert math.isnan(bounded_mean([], [], (-1, 1)).mean)
