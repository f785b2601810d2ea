"""Percentile intervals by bootstrap over clusters."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TYPE_CHECKING

from vr_evals.stats.chunks import chunks
from vr_evals.stats.clusters import cluster_codes, cluster_sums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = ["bootstrap_alike", "bootstrap_sums", "bootstrap_weights", "ratio"]


def bootstrap_weights(
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    clusters: Sequence[Hashable],
    *,
    resamples: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Percentile interval of any statistic that can weigh its observations.

    Clusters are drawn with replacement, as many as there are, and each observation weighs as often
    as its cluster was drawn: all that belongs to an item (epochs, orders, conditions) stays
    together. Draws follow the order of the clusters' names, so the rows may come in any order.
    Resamples in which the statistic is NaN are left out. Percentile intervals are short with fewer
    than about 30 clusters, and much too short for rates near 0 or 1: prefer `wilson_clustered` for
    plain rates.

    Source: Efron & Tibshirani (1993), An introduction to the bootstrap, ch. 13; Field & Welsh
    (2007), JRSS B 69, 369–390, for clusters.

    Args:
        statistic: Turns weights of shape (r, n) into r values, or (r, …) for several figures at
            once. It must be defined (NaN is fine) for any r, and for n = 0.
        clusters: The cluster of each of the n observations.
        resamples: How many resamples.
        level: Coverage wanted, between 0 and 1.
        seed: Of the generator: the same seed gives the same interval.

    Returns:
        Low and high bounds, shape (2, …), in the unit of the statistic; NaN with fewer than two
        clusters.
    """
    codes, n_clusters = cluster_codes(clusters)
    return _percentiles(
        lambda weights: statistic(weights[:, codes]),
        n_clusters,
        width=len(codes),
        resamples=resamples,
        level=level,
        seed=seed,
    )


def bootstrap_sums(
    terms: ArrayLike,
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    clusters: Sequence[Hashable],
    *,
    resamples: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Percentile interval of a statistic of sums, such as a ratio or a difference of ratios.

    The same as `bootstrap_weights` (same seed, same resamples), but quicker: it sums within
    clusters first.

    Args:
        terms: One row for each observation, of any trailing shape, such as (numerator,
            denominator).
        statistic: Turns resampled sums of shape (r, …) into r values, or (r, …) values; `ratio`
            for plain ratios.
        clusters: The cluster of each row.
        resamples: How many resamples.
        level: Coverage wanted, between 0 and 1.
        seed: Of the generator.

    Returns:
        Low and high bounds, shape (2, …); NaN with fewer than two clusters.
    """
    import numpy as np

    codes, n_clusters = cluster_codes(clusters)
    sums = cluster_sums(terms, codes, n_clusters)
    return _percentiles(
        lambda weights: statistic(np.tensordot(weights, sums, axes=1)),
        n_clusters,
        width=n_clusters,
        resamples=resamples,
        level=level,
        seed=seed,
    )


def bootstrap_alike(
    terms: ArrayLike,
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    clusters: Sequence[Hashable],
    *,
    resamples: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> NDArray[np.float64]:
    """`bootstrap_sums`, much quicker where many clusters have the same sums.

    How often clusters of the same sums are drawn together is multinomial: the resamples have the
    distribution of those of `bootstrap_sums`, but at the same seed they are others.

    Args:
        terms: As for `bootstrap_sums`.
        statistic: As for `bootstrap_sums`.
        clusters: The cluster of each row.
        resamples: How many resamples.
        level: Coverage wanted, between 0 and 1.
        seed: Of the generator.

    Returns:
        Low and high bounds, shape (2, …); NaN with fewer than two clusters.
    """
    import numpy as np

    codes, n_clusters = cluster_codes(clusters)
    sums = cluster_sums(terms, codes, n_clusters)
    shape = sums.shape[1:]
    flat = sums.reshape(n_clusters, math.prod(shape))
    kinds, sizes = np.unique(flat, axis=0, return_counts=True)
    return _percentiles(
        lambda weights: statistic((weights @ kinds).reshape(len(weights), *shape)),
        n_clusters,
        width=len(kinds),
        resamples=resamples,
        level=level,
        seed=seed,
        sizes=sizes,
    )


def ratio(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Numerator over denominator, the two of them on the last axis; NaN over 0."""
    import numpy as np

    numerator, denominator = sums[..., 0], sums[..., 1]
    quotient = np.full(np.shape(numerator), np.nan)
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient


def _percentiles(
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    n_clusters: int,
    *,
    width: int,
    resamples: int,
    level: float,
    seed: int,
    sizes: NDArray[np.int_] | None = None,
) -> NDArray[np.float64]:
    """`sizes` counts the clusters of each kind, where kinds are drawn instead of clusters."""
    import numpy as np

    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, got {level}")
    if n_clusters < 2:
        return np.full((2, *statistic(np.ones((1, n_clusters))).shape[1:]), np.nan)
    draws = (
        _draws(n_clusters, width, resamples, seed)
        if sizes is None
        else _draws_of_kinds(sizes, resamples, seed)
    )
    values = np.concatenate([statistic(weights) for weights in draws])
    bounds = [_quantiles(column, level) for column in values.reshape(resamples, -1).T]
    return np.array(bounds).T.reshape(2, *values.shape[1:])


def _draws(n_clusters: int, width: int, resamples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """How often each cluster is drawn, in chunks of resamples: multinomial counts."""
    import numpy as np

    generator = np.random.default_rng(seed)
    for rows in chunks(resamples, width):
        drawn = generator.integers(n_clusters, size=(rows, n_clusters))
        drawn += n_clusters * np.arange(rows)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=rows * n_clusters)
        yield counts.reshape(rows, n_clusters).astype(float)


def _draws_of_kinds(
    sizes: NDArray[np.int_], resamples: int, seed: int
) -> Iterator[NDArray[np.float64]]:
    """How often clusters of each kind are drawn, in chunks of resamples."""
    import numpy as np

    generator = np.random.default_rng(seed)
    for rows in chunks(resamples, len(sizes)):
        yield generator.multinomial(sizes.sum(), sizes / sizes.sum(), size=rows).astype(float)


def _quantiles(values: NDArray[np.float64], level: float) -> NDArray[np.float64]:
    import numpy as np

    defined = values[~np.isnan(values)]
    tail = (1 - level) / 2
    return np.quantile(defined, [tail, 1 - tail]) if defined.size else np.full(2, np.nan)
