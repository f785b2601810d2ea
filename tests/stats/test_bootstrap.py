import math
import tracemalloc

import numpy as np
import pytest
from numpy.typing import NDArray

from vr_evals.stats.bootstrap import bootstrap_alike, bootstrap_sums, bootstrap_weights, ratio
from vr_evals.stats.intervals import clustered_mean

Array = NDArray[np.float64]


def clustered_values(seed: int, items: int = 50, epochs: int = 4) -> tuple[Array, list[str]]:
    generator = np.random.default_rng(seed)
    effects = generator.normal(size=items).repeat(epochs)
    clusters = [f"item{i}" for i in range(items) for _ in range(epochs)]
    return effects + generator.normal(size=items * epochs), clusters


def mean_terms(values: Array) -> Array:
    return np.stack([values, np.ones(len(values))], axis=-1)


def test_resampling_whole_clusters_agrees_with_a_loop() -> None:
    values, clusters = clustered_values(0, items=12)
    low, high = bootstrap_sums(mean_terms(values), ratio, clusters, resamples=20_000)
    generator = np.random.default_rng(99)
    items = values.reshape(12, 4)
    means = [items[generator.choice(12, 12)].mean() for _ in range(20_000)]
    assert [low, high] == pytest.approx(np.quantile(means, [0.025, 0.975]), abs=0.02)


def test_sums_and_weights_give_the_same_interval() -> None:
    values, clusters = clustered_values(1)
    by_sums = bootstrap_sums(mean_terms(values), ratio, clusters, seed=3)
    by_weights = bootstrap_weights(lambda w: w @ values / w.sum(axis=-1), clusters, seed=3)
    assert by_sums == pytest.approx(by_weights)


def test_order_of_rows_is_nothing() -> None:
    values, clusters = clustered_values(2)
    order = np.random.default_rng(0).permutation(len(values))
    shuffled = bootstrap_sums(
        mean_terms(values[order]), ratio, [clusters[i] for i in order], resamples=200
    )
    assert shuffled == pytest.approx(
        bootstrap_sums(mean_terms(values), ratio, clusters, resamples=200)
    )


def test_the_seed_decides() -> None:
    values, clusters = clustered_values(3)
    runs = [bootstrap_sums(mean_terms(values), ratio, clusters, seed=s) for s in (1, 1, 2)]
    assert (runs[0] == runs[1]).all()
    assert (runs[0] != runs[2]).any()


def test_agrees_with_the_cluster_robust_interval() -> None:
    values, clusters = clustered_values(4, items=400)
    estimate = clustered_mean(values, clusters)
    low, high = bootstrap_sums(mean_terms(values), ratio, clusters)
    assert [low, high] == pytest.approx([estimate.low, estimate.high], abs=0.02)


def test_several_figures_share_the_resamples() -> None:
    """A difference of two figures is resampled with both, not as if they were independent."""
    values, clusters = clustered_values(5)
    terms = np.stack([mean_terms(values), mean_terms(values + 1)], axis=1)
    both = bootstrap_sums(terms, ratio, clusters)
    assert both.shape == (2, 2)
    assert both[:, 1] == pytest.approx(both[:, 0] + 1)
    paired = bootstrap_sums(terms, lambda s: np.diff(ratio(s), axis=-1)[:, 0], clusters)
    assert paired == pytest.approx([1, 1])


@pytest.mark.parametrize(("level", "tails"), [(0.5, [0.25, 0.75]), (0.9, [0.05, 0.95])])
def test_level(level: float, tails: list[float]) -> None:
    seen: list[Array] = []

    def total(weights: Array) -> Array:
        seen.append(weights[:, 0])
        return weights[:, 0]

    bounds = bootstrap_weights(total, "abcd", level=level)
    assert bounds == pytest.approx(np.quantile(np.concatenate(seen), tails))


def test_few_clusters_and_undefined_resamples() -> None:
    assert np.isnan(bootstrap_sums([[1, 2]], ratio, ["a"])).all()
    assert np.isnan(bootstrap_sums(np.zeros((0, 2)), ratio, [])).all()
    assert bootstrap_sums(np.zeros((1, 3, 2)), ratio, ["a"]).shape == (2, 3)
    assert np.isnan(bootstrap_sums([[1, 0], [1, 0]], ratio, "ab")).all()
    # half of the resamples hold only the cluster without a denominator, or none of it
    assert bootstrap_sums([[1, 2], [0, 0]], ratio, "ab").tolist() == [0.5, 0.5]


@pytest.mark.parametrize("level", [0, 1, -0.5])
def test_bad_level(level: float) -> None:
    with pytest.raises(ValueError, match="level"):
        bootstrap_sums([[1, 2], [1, 2]], ratio, "ab", level=level)


def test_ratio() -> None:
    quotients = ratio(np.array([[1.0, 2.0], [1.0, 0.0], [0.0, 0.0]]))
    assert quotients.tolist() == pytest.approx([0.5, math.nan, math.nan], nan_ok=True)


def test_memory_stays_bounded() -> None:
    """2,000 resamples of 5,000 clusters would be 80 MB a copy if held at once."""
    terms = np.ones((5000, 2))
    tracemalloc.start()
    bootstrap_sums(terms, ratio, range(5000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64e6


def test_interval_of_a_mean_covers() -> None:
    """500 studies of 40 items × 4 epochs, true mean 0: within two points and sampling error."""
    hits = 0
    for study in range(500):
        values, clusters = clustered_values(1000 + study, items=40)
        low, high = bootstrap_sums(mean_terms(values), ratio, clusters, resamples=500, seed=study)
        hits += bool(low <= 0 <= high)
    assert hits / 500 == pytest.approx(0.94, abs=0.03)


@pytest.mark.parametrize("epochs", [1, 3])
def test_drawing_like_clusters_together_gives_the_same_distribution(epochs: int) -> None:
    generator = np.random.default_rng(6)
    right = generator.integers(0, 2, size=40 * epochs).astype(float)
    clusters = [f"item{i}" for i in range(40) for _ in range(epochs)]
    one_by_one, alike = (
        bootstrap(mean_terms(right), ratio, clusters, resamples=20_000)
        for bootstrap in (bootstrap_sums, bootstrap_alike)
    )
    assert alike == pytest.approx(one_by_one, abs=0.02)


def test_drawing_like_clusters_together_is_seeded_and_blind_to_the_order_of_rows() -> None:
    values, clusters = clustered_values(2)
    found = bootstrap_alike(mean_terms(values), ratio, clusters, seed=4)
    backwards = bootstrap_alike(mean_terms(values[::-1]), ratio, clusters[::-1], seed=4)
    assert found == pytest.approx(backwards)
    assert found != pytest.approx(bootstrap_alike(mean_terms(values), ratio, clusters, seed=5))


def test_figures_of_several_kinds_are_drawn_together() -> None:
    """Two figures of shape (r, 2), which are always each other's complement."""
    right = np.array([1.0, 0.0, 1.0, 1.0, 0.0, 1.0])
    terms = np.stack([mean_terms(right), mean_terms(1 - right)], axis=1)
    low, high = bootstrap_alike(terms, ratio, list(range(6)))
    assert low == pytest.approx(1 - high[::-1])


def test_one_cluster_or_none_has_no_interval_of_kinds() -> None:
    assert np.isnan(bootstrap_alike(np.ones((3, 2)), ratio, ["a"] * 3)).all()
    assert np.isnan(bootstrap_alike(np.zeros((0, 2)), ratio, [])).all()
