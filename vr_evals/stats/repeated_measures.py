"""Tests of several conditions at once, under each of which the same items are answered."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

from vr_evals.stats.chunks import chunks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = ["CochranQ", "Trend", "any_difference", "cochran_q", "trend"]

_ORDERED_UP_TO = 6
"""Conditions up to which all orders of a row are listed: 720 at most."""


@dataclass(frozen=True)
class CochranQ:
    """Cochran's Q, its degrees of freedom (conditions − 1) and its p-value."""

    statistic: float
    df: int
    p: float


def cochran_q(table: ArrayLike) -> CochranQ:
    """Cochran's Q: is the rate the same under all k conditions?

    With column totals G_j, row totals L_i and N their sum:
    ``Q = (k − 1)(k·Σ G_j² − N²) / (k·N − Σ L_i²)``, about χ² with k − 1 degrees of freedom where a
    good number of items differ between conditions. For two conditions it is McNemar's χ².

    Source: Cochran (1950), Biometrika 37, 256–266.

    Args:
        table: 0 or 1, one row an item, one column a condition.

    Returns:
        The test; Q = 0 and p = 1 where no item differs, NaN without items or a second condition.

    Raises:
        ValueError: The table has other values, or is not a table.
    """
    import numpy as np

    x = _table(table)
    if not np.isin(x, (0, 1)).all():
        raise ValueError("Cochran's Q takes a table of 0 and 1")
    n, k = x.shape
    if n == 0 or k < 2:
        return CochranQ(math.nan, max(k - 1, 0), math.nan)
    by_condition, by_item, total = x.sum(axis=0), x.sum(axis=1), x.sum()
    spread = float(k * total - by_item @ by_item)
    if spread == 0:
        return CochranQ(0.0, k - 1, 1.0)
    from scipy.special import chdtrc

    q = (k - 1) * float(k * by_condition @ by_condition - total**2) / spread
    return CochranQ(q, k - 1, float(chdtrc(k - 1, q)))


def any_difference(
    table: ArrayLike, *, resamples: int = 9999, at_most: int = 99_999, seed: int = 0
) -> float:
    """Permutation test of k conditions at once: does the mean depend on the condition at all?

    If it does not, each cluster's values can stand in any order. p is the share of random orders
    in which the column totals G_j are spread at least as far, by ``Σ_j (G_j − Ḡ)²``, as
    (hits + 1) / (resamples + 1). For a table of 0 and 1 it is Cochran's Q, whose statistic is that
    sum but for a factor, without the χ² approximation; it also takes clusters of several answers.
    If none of the first orders is a hit, more are drawn, as for ``stats.paired.sign_flip``.

    Source: Cochran (1950), Biometrika 37, 256–266; Pesarin & Salmaso (2010), Permutation tests for
    complex data, ch. 2, for the test within blocks.

    Args:
        table: One row a cluster, one column a condition: the cluster's mean under it.
        resamples: How many random orders.
        at_most: How many in all if none of those is a hit.
        seed: Of the generator.

    Returns:
        The p-value; 1 where no cluster differs between conditions, NaN without clusters or a second
        condition.

    Raises:
        ValueError: Values are not finite, or not a table.
    """
    import numpy as np

    x = _table(table)
    if not np.isfinite(x).all():
        raise ValueError("values must be finite: leave out clusters that miss a condition")
    n, k = x.shape
    if n == 0 or k < 2:
        return math.nan
    x = x[np.ptp(x, axis=1) > 0]
    if not len(x):
        return 1.0
    seen = float(x.sum(axis=0).var())
    seen -= 1e-9 * (seen + float(np.ptp(x)) ** 2)  # equal spreads may differ by rounding
    alike, others = _alike(x)
    generator, hits, drawn = np.random.default_rng(seed), 0, 0
    for total in (resamples, max(resamples, at_most)):
        for rows in chunks(total - drawn, others.size + k):
            wide = np.broadcast_to(others, (rows, *others.shape))
            totals = generator.permuted(wide, axis=2).sum(1)
            for orders, count in alike:
                even = [1 / len(orders)] * len(orders)
                totals += generator.multinomial(count, even, size=rows) @ orders
            hits += int(np.sum(totals.var(axis=1) >= seen))
        drawn = total
        if hits:
            break
    return (hits + 1) / (drawn + 1)


@dataclass(frozen=True)
class Trend:
    """A linear trend: `slope` is the change of the mean by one step of the levels."""

    slope: float
    p: float


def trend(
    table: ArrayLike,
    levels: Sequence[float] | None = None,
    *,
    resamples: int = 9999,
    seed: int = 0,
) -> Trend:
    """Linear trend over ordered levels, tested by permuting the levels within clusters.

    ``slope = Σ_i Σ_j (l_j − l̄)·x_ij / (n·Σ_j (l_j − l̄)²)``, the least-squares slope of the level
    means. If levels don't matter, each cluster's values can stand in any order. p is the share of
    random orders whose slope is at least as far from 0, as (hits + 1) / (resamples + 1).

    Page's L (1963) is the same contrast on ranks. Raw values are used here since answers are 0, 1,
    or means of a few of them: ranks would be ties almost throughout, and the slope would have no
    unit. The permutation test holds its level for any number of clusters; for many of them it
    agrees with the Mantel test of correlation, stratified by cluster.

    Source: Page (1963), JASA 58, 216–230; Mantel (1963), JASA 58, 690–700.

    Args:
        table: One row a cluster, one column a level: the cluster's mean at that level.
        levels: The levels' places on the line; left out, 0, 1, 2, …
        resamples: How many random orders.
        seed: Of the generator.

    Returns:
        Slope and two-sided p-value; p = 1 where no cluster differs between levels, NaN without
        clusters or a second level.

    Raises:
        ValueError: Values are not finite, not a table, or `levels` doesn't fit its columns.
    """
    import numpy as np

    x = _table(table)
    n, k = x.shape
    places = np.arange(k, dtype=float) if levels is None else np.asarray(levels, dtype=float)
    if len(places) != k:
        raise ValueError(f"{len(places)} levels but {k} columns")
    if not np.isfinite(x).all():
        raise ValueError("values must be finite: leave out clusters that miss a level")
    contrast = places - places.mean() if k else places
    spread = float(contrast @ contrast)
    if n == 0 or spread == 0:
        return Trend(math.nan, math.nan)
    slope = float((x @ contrast).sum()) / (n * spread)
    x = x[np.ptp(x, axis=1) > 0]  # the others have the same contrast in any order: 0
    if not len(x):
        return Trend(slope, 1.0)
    x = x - x.mean(axis=1, keepdims=True)
    seen = abs(float((x @ contrast).sum()))
    seen -= 1e-9 * float((np.abs(x) @ np.abs(contrast)).sum())  # equal sums may differ by rounding
    generator, hits = np.random.default_rng(seed), 0
    for rows in chunks(resamples, x.size):
        orders = generator.permuted(np.broadcast_to(x, (rows, *x.shape)), axis=2)
        hits += int(np.sum(np.abs((orders @ contrast).sum(axis=1)) >= seen))
    return Trend(slope, (hits + 1) / (resamples + 1))


def _table(values: ArrayLike) -> NDArray[np.float64]:
    import numpy as np

    x = np.asarray(values, dtype=float)
    if x.size == 0:
        return x.reshape(x.shape if x.ndim == 2 else (0, 0))
    if x.ndim != 2:
        raise ValueError(f"a table has two axes, items and conditions; got {x.ndim}")
    return x


def _alike(
    x: NDArray[np.float64],
) -> tuple[list[tuple[NDArray[np.float64], int]], NDArray[np.float64]]:
    """Rows of the same values, whose totals need only how often each order comes up.

    Returns:
        For each kind with at least as many rows as orders: its orders, and how many rows it has;
        and the rows of the other kinds.
    """
    import numpy as np

    if x.shape[1] > _ORDERED_UP_TO:
        return [], x
    kinds, kind, counts = np.unique(
        np.sort(x, axis=1), axis=0, return_inverse=True, return_counts=True
    )
    alike, other = [], np.ones(len(x), dtype=bool)
    for i in np.flatnonzero(counts >= x.shape[1]):
        orders = np.array(sorted(set(permutations(kinds[i].tolist()))))
        if len(orders) <= counts[i]:
            alike.append((orders, int(counts[i])))
            other &= kind != i
    return alike, x[other]
