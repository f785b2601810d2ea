import itertools
import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.scorer import Metric, SampleScore, Score, Value, ci, ci_wilson, stderr
from scipy.stats import binom
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from tests.breadth import some_quick
from vr_evals.stats.intervals import (
    clustered_mean,
    correlation_of_means,
    difference_from_rate,
    mover,
    score_mean,
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


def test_with_many_clusters_clustered_wilson_is_the_one_inspect_reports() -> None:
    values, clusters = study(np.random.default_rng(3), 400, 5, 0.7)
    names = [str(cluster) for cluster in clusters]
    bounds = by_inspect(ci_wilson(cluster="cluster"), [float(x) for x in values], names)
    assert wilson_clustered(values, names) == pytest.approx(
        (bounds["lower"], bounds["upper"]), abs=1e-3
    )


@given(data=clustered_bits, weight=st.floats(0.1, 10))
def test_clustered_wilson_holds_the_rate_and_is_never_of_length_nought(
    data: tuple[list[float], list[str]], weight: float
) -> None:
    values, clusters = data
    low, high = wilson_clustered(values, clusters)
    if len(set(clusters)) < 2:
        assert math.isnan(low)
        return
    assert 0 <= low <= np.mean(values) + 1e-12
    assert np.mean(values) - 1e-12 <= high <= 1
    assert high - low >= np.diff(wilson(sum(values), len(values)))[0] - 1e-12
    mirrored = wilson_clustered([1 - value for value in values], clusters)
    assert mirrored == pytest.approx((1 - high, 1 - low))
    weighted = wilson_clustered(values, clusters, weights=[weight] * len(values))
    assert weighted == pytest.approx((low, high))


def test_weights_make_it_the_interval_of_a_mean_over_items() -> None:
    """An item that was asked ten times counts as one that was asked twice."""
    values, clusters = [1] * 10 + [0, 0] * 20, ["often"] * 10 + list("abcdefghijklmnopqrst") * 2
    low, high = wilson_clustered(values, clusters, weights=[0.1] * 10 + [0.5] * 40)
    assert low < 1 / 21 < high < 10 / 50 + 0.05
    assert high == pytest.approx(wilson(1, 21).high, abs=0.02)


@pytest.mark.parametrize("successes", [0, 1, 7, 20])
def test_clusters_of_one_are_no_clusters(successes: int) -> None:
    values = [1] * successes + [0] * (20 - successes)
    assert wilson_clustered(values, range(20)) == wilson(successes, 20)


@pytest.mark.parametrize("value", [0, 1])
def test_epochs_that_all_agree_count_as_one(value: int) -> None:
    items = [f"item{i}" for i in range(20)] * 5
    low, high = wilson_clustered([value] * 100, items)
    assert (low, high) == pytest.approx(wilson(20 * value, 20))


@pytest.mark.parametrize(
    ("values", "clusters"), [([], []), ([1, 0], "aa")], ids=["nothing", "one cluster"]
)
def test_clustered_wilson_undefined(values: list[int], clusters: list[str]) -> None:
    assert all(map(math.isnan, wilson_clustered(values, clusters)))


def test_epochs_of_unlike_answers_all_count() -> None:
    assert wilson_clustered([0, 1] * 10, [i // 2 for i in range(20)]) == wilson(10, 20)


@pytest.mark.parametrize(
    ("rate", "copies", "epochs"),
    some_quick(
        itertools.product((0.2, 0.8, 0.98), (0.0, 0.5, 1.0), (2, 5)),
        {(0.8, 0.5, 2), (0.98, 0.0, 5)}.__contains__,
    ),
)
@pytest.mark.parametrize("items", [20, 100])
def test_single_epochs_make_clustered_wilson_cover(
    items: int, rate: float, copies: float, epochs: int
) -> None:
    """600 studies in which an epoch repeats its item's own answer in a share `copies`.

    Item means in place of epochs cover too, but with independent epochs at more than the length.
    """
    generator = np.random.default_rng(11)
    own = generator.random((600, items, 1)) < rate
    kept = generator.random((600, items, epochs)) < copies
    answers = np.where(kept, own, generator.random((600, items, epochs)) < rate)
    clusters = np.repeat(np.arange(items), epochs).tolist()
    bounds = np.array([wilson_clustered(study.ravel(), clusters) for study in answers])
    covered = np.mean((bounds[:, 0] <= rate) & (rate <= bounds[:, 1]))
    assert covered > 0.915
    if 0.1 < rate < 0.9:
        assert covered < 0.985
    if not copies and rate == 0.8 and items == 100:
        of_means = wilson_clustered(answers[0].mean(axis=1), range(items))
        length = np.diff(bounds, axis=1).mean()
        assert np.diff(of_means)[0] > (1.3 if epochs == 2 else 1.9) * length


rates = st.integers(0, 20).map(lambda n: n / 20)


@given(first=rates, second=rates)
def test_mover_of_wilson_intervals_is_newcombe(first: float, second: float) -> None:
    expected = confint_proportions_2indep(
        round(20 * first), 20, round(20 * second), 20, method="newcomb", compare="diff"
    )
    found = mover(first, wilson(20 * first, 20), second, wilson(20 * second, 20))
    assert found == pytest.approx(expected, abs=1e-9)


@given(first=rates, second=rates, correlation=st.floats(-1, 1))
def test_mover_holds_the_difference(first: float, second: float, correlation: float) -> None:
    intervals = wilson(20 * first, 20), wilson(20 * second, 20)
    low, high = mover(first, intervals[0], second, intervals[1], correlation=correlation)
    assert low <= first - second <= high
    swapped = mover(second, intervals[1], first, intervals[0], correlation=correlation)
    assert swapped == pytest.approx((-high, -low))


def test_mover_of_nothing_is_undefined() -> None:
    nothing = wilson(0, 0)
    assert all(map(math.isnan, mover(math.nan, nothing, 0.5, wilson(10, 20))))


def test_correlation_of_means_is_that_of_paired_values() -> None:
    generator = np.random.default_rng(5)
    first = generator.random(50)
    second = first + generator.random(50)
    names = [str(i) for i in range(50)]
    shuffled = generator.permutation(50)
    found = correlation_of_means(first, names, second[shuffled], [names[i] for i in shuffled])
    assert found == pytest.approx(np.corrcoef(first, second)[0, 1])
    assert correlation_of_means(first, names, [1.0] * 50, names) == 0
    assert correlation_of_means(first, names, [], []) == 0


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


@pytest.mark.parametrize("right", [0, 3, 12, 18, 20])
@pytest.mark.parametrize("value", [0.3, 0.9, 0.95])
def test_a_difference_from_a_rate_is_tested_as_its_interval_says(right: int, value: float) -> None:
    values = [value + 0.01 * (i % 3) for i in range(20)]
    successes, items = [int(i < right) for i in range(20)], [f"item {i}" for i in range(20)]
    found = difference_from_rate(values, successes, items)
    assert found.estimate == pytest.approx(np.mean(values) - right / 20)
    assert found.low < found.estimate < found.high
    assert (found.low > 0 or found.high < 0) == (found.p < 0.05)
    at_zero = difference_from_rate(values, successes, items, level=1 - found.p)
    assert min(abs(at_zero.low), abs(at_zero.high)) < 1e-6 or found.p < 1e-12


def test_all_right_at_95_is_no_certain_underconfidence() -> None:
    found = difference_from_rate([0.95] * 20, [1] * 20, range(20))
    assert found.estimate == pytest.approx(-0.05)
    assert found.low < -0.05 < 0 < found.high
    assert found.p > 0.05
    assert math.isnan(difference_from_rate([0.95] * 2, [1, 0], ["a", "a"]).p)


@pytest.mark.parametrize(("share", "items"), [(0.95, 20), (0.99, 40), (0.7, 20)])
def test_score_mean_covers_where_values_crowd_at_a_bound(share: float, items: int) -> None:
    """400 studies of values that are 1, or seldom 0.4; mean ± t·se covers 0.8 or less of these."""
    generator = np.random.default_rng(9)
    values = np.where(generator.random((400, items)) < share, 1.0, 0.4)
    truth = share + (1 - share) * 0.4
    found = [score_mean(row, range(items)) for row in values]
    assert np.mean([each.low <= truth <= each.high for each in found]) > 0.91
    assert all(each.low < each.high for each in found)


@pytest.mark.parametrize(
    ("estimate", "message"),
    [
        (lambda: score_mean([0.5, 7.5], "ab", (1, 7)), "values must be within 1 and 7"),
        (
            lambda: wilson_clustered([0, 1], "ab", weights=[1, 0]),
            "each value needs a weight above 0",
        ),
        (lambda: wilson_clustered([0, 1], "ab", weights=[1]), "each value needs a weight above 0"),
        (
            lambda: correlation_of_means([0, 1], "a", [0, 1], "ab"),
            "2 values but 1 clusters and 2 weights",
        ),
        (
            lambda: correlation_of_means([0, 1], "ab", [0, 1], "ab", second_weights=[1]),
            "2 values but 2 clusters and 1 weights",
        ),
    ],
)
def test_values_and_weights_that_do_not_fit_are_refused(
    estimate: Callable[[], object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        estimate()
