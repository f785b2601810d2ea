"""Tests on paired data: the same items, answered under two or more conditions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "CochranQ",
    "Trend",
    "any_difference",
    "cochran_q",
    "holm",
    "mcnemar",
    "sign_flip",
    "trend",
]

_EXACT_UP_TO = 12
"""Differences other than 0 up to which all 2ⁿ flips are enumerated."""

_ORDERED_UP_TO = 6
"""Conditions up to which all orders of a row are listed: 720 at most."""

_CELLS = 1_000_000


def mcnemar(gained: int, lost: int) -> float:
    """McNemar's exact test: did as many items change one way as the other?

    Of the d = gained + lost items that differ, the smaller count is binomial(d, ½) if nothing
    changed: ``p = min(1, 2·P(X ≤ min(gained, lost)))``. For one answer an item and side.

    Source: McNemar (1947), Psychometrika 12, 153–157, in its exact (binomial) form.

    Args:
        gained: Items wrong before and right after.
        lost: Items right before and wrong after.

    Returns:
        The two-sided p-value; 1 where no item differs.

    Raises:
        ValueError: A count is negative.
    """
    if min(gained, lost) < 0:
        raise ValueError(f"counts must not be negative, got {gained} and {lost}")
    d, tail, term = gained + lost, 0, 1
    for i in range(min(gained, lost) + 1):
        tail += term
        term = term * (d - i) // (i + 1)
    return min(1.0, 2 * tail / (1 << d))


def sign_flip(differences: ArrayLike, *, resamples: int = 9999, seed: int = 0) -> float:
    """Paired permutation test: is the mean difference further from 0 than chance would put it?

    If the two conditions are exchangeable within a cluster, the sign of each cluster's difference
    is a coin toss. p is the share of sign patterns whose sum is at least as far from 0 as the one
    seen: all 2ⁿ patterns with up to 12 differences other than 0 (those of 0 have no say), else
    random patterns with (hits + 1) / (resamples + 1), so that p is never 0. With differences of −1,
    0 and 1 it is McNemar's exact test.

    Source: Fisher (1935), The design of experiments, section 21; Phipson & Smyth (2010), Stat.
    Appl. Genet. Mol. Biol. 9, 39, for the + 1.

    Args:
        differences: One difference a cluster, of the cluster's means under the two conditions.
        resamples: How many random sign patterns where they are not enumerated.
        seed: Of the generator.

    Returns:
        The two-sided p-value; 1 where all differences are 0, NaN where there are none.

    Raises:
        ValueError: A difference is not finite.
    """
    import numpy as np

    d = np.asarray(differences, dtype=float)
    if not np.isfinite(d).all():
        raise ValueError("differences must be finite: leave out clusters without a pair")
    if not d.size:
        return math.nan
    sizes = np.abs(d[d != 0])
    seen = abs(float(d.sum())) - 1e-9 * float(sizes.sum())  # equal sums may differ by rounding
    if sizes.size <= _EXACT_UP_TO:
        patterns = np.arange(2**sizes.size)[:, None] >> np.arange(sizes.size) & 1
        return float(np.mean(np.abs((2 * patterns - 1) @ sizes) >= seen))
    sizes, counts = np.unique(sizes, return_counts=True)
    generator, hits = np.random.default_rng(seed), 0
    for rows in _chunks(resamples, sizes.size):
        # n coins of the same size: their sum needs only the number of heads
        heads = generator.binomial(counts, 0.5, size=(rows, sizes.size))
        hits += int(np.sum(np.abs((2 * heads - counts) @ sizes) >= seen))
    return (hits + 1) / (resamples + 1)


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


def any_difference(table: ArrayLike, *, resamples: int = 9999, seed: int = 0) -> float:
    """Permutation test of k conditions at once: does the mean depend on the condition at all?

    If it does not, each cluster's values can stand in any order. p is the share of random orders
    in which the column totals G_j are spread at least as far, by ``Σ_j (G_j − Ḡ)²``, as
    (hits + 1) / (resamples + 1). For a table of 0 and 1 it is Cochran's Q, whose statistic is that
    sum but for a factor, without the χ² approximation; it also takes clusters of several answers.

    Source: Cochran (1950), Biometrika 37, 256–266; Pesarin & Salmaso (2010), Permutation tests for
    complex data, ch. 2, for the test within blocks.

    Args:
        table: One row a cluster, one column a condition: the cluster's mean under it.
        resamples: How many random orders.
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
    generator, hits = np.random.default_rng(seed), 0
    for rows in _chunks(resamples, others.size + k):
        totals = generator.permuted(np.broadcast_to(others, (rows, *others.shape)), axis=2).sum(1)
        for orders, count in alike:
            even = [1 / len(orders)] * len(orders)
            totals += generator.multinomial(count, even, size=rows) @ orders
        hits += int(np.sum(totals.var(axis=1) >= seen))
    return (hits + 1) / (resamples + 1)


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
    for rows in _chunks(resamples, x.size):
        orders = generator.permuted(np.broadcast_to(x, (rows, *x.shape)), axis=2)
        hits += int(np.sum(np.abs((orders @ contrast).sum(axis=1)) >= seen))
    return Trend(slope, (hits + 1) / (resamples + 1))


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Adjust p-values for their number, so that the chance of any false rejection stays below α.

    The i-th smallest of m becomes ``max over j ≤ i of min(1, (m − j + 1)·p_(j))``.

    Source: Holm (1979), Scandinavian Journal of Statistics 6, 65–70.

    Args:
        p_values: The p-values of one family of tests; NaN (no test) stays NaN and does not count.

    Returns:
        Adjusted p-values, in the same order.

    Raises:
        ValueError: A p-value is not within 0–1.
    """
    import numpy as np

    p = np.asarray(p_values, dtype=float)
    tested = np.flatnonzero(~np.isnan(p))
    if not ((p[tested] >= 0) & (p[tested] <= 1)).all():
        raise ValueError("p-values must be within 0 and 1")
    order = tested[np.argsort(p[tested], kind="stable")]
    adjusted = p.copy()
    adjusted[order] = np.minimum(1, np.maximum.accumulate(np.arange(len(order), 0, -1) * p[order]))
    return adjusted


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


def _chunks(total: int, width: int) -> list[int]:
    """Split `total` rows of that width so that a chunk stays small in memory."""
    size = max(1, _CELLS // width)
    return [min(size, total - start) for start in range(0, total, size)]
