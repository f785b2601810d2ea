"""A test of paired data, the same items under several conditions; adjustments of p-values."""

from __future__ import annotations

import math
from itertools import permutations
from typing import TYPE_CHECKING

from vr_evals.stats.chunks import chunks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = ["any_difference", "benjamini_hochberg", "holm"]

_ORDERED_UP_TO = 6
"""Conditions up to which all orders of a row are listed: 720 at most."""

_NEVER = 1e-9
"""A chance that is taken for none."""


def any_difference(
    table: ArrayLike, *, resamples: int = 9999, at_most: int = 99_999, seed: int = 0
) -> float:
    """Permutation test of k conditions at once: does the mean depend on the condition at all?

    If it does not, each cluster's values can stand in any order. p is the share of random orders
    in which the column totals G_j are spread at least as far, by ``Σ_j (G_j − Ḡ)²``, as
    (hits + 1) / (resamples + 1). For a table of 0 and 1 it is Cochran's Q, whose statistic is that
    sum but for a factor, without the χ² approximation; it also takes clusters of several answers.
    If none of the first orders is a hit, more are drawn, or no p-value could be small enough
    for some hundreds of tests (Besag & Clifford 1991, Biometrika 78, 301–304). None is drawn where
    the chance that any of them would be a hit is below 1e-9 (`_chance_of_hit`).

    Source: Cochran (1950), Biometrika 37, 256–266; Pesarin & Salmaso (2010), Permutation tests for
    complex data, ch. 2, for the test within blocks.

    Args:
        table: One row a cluster, one column a condition: the cluster's mean under it.
        resamples: How many random orders.
        at_most: How many in all if none of those is a hit.
        seed: Of the generator.

    Returns:
        The p-value; 1 if no cluster differs between conditions, NaN without clusters or a second
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
    most = max(resamples, at_most)
    if most * _chance_of_hit(x, seen) < _NEVER:
        return 1 / (most + 1)
    alike, others = _alike(x)
    generator, hits, drawn = np.random.default_rng(seed), 0, 0
    for total in (resamples, most):
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

    p, order = _in_order(p_values)
    adjusted = p.copy()
    adjusted[order] = np.minimum(1, np.maximum.accumulate(np.arange(len(order), 0, -1) * p[order]))
    return adjusted


def benjamini_hochberg(p_values: ArrayLike) -> NDArray[np.float64]:
    """Adjust p-values such that the expected share of false ones among the rejected is below α.

    The i-th smallest of m becomes ``min over j ≥ i of min(1, m·p_(j)/j)``.

    Source: Benjamini & Hochberg (1995), JRSS B 57, 289–300.

    Args:
        p_values: The p-values of one family of tests; NaN (no test) stays NaN and does not count.

    Returns:
        Adjusted p-values, in the same order.

    Raises:
        ValueError: A p-value is not within 0–1.
    """
    import numpy as np

    p, order = _in_order(p_values)
    m = len(order)
    adjusted = p.copy()
    ratios = m * p[order] / np.arange(1, m + 1)
    adjusted[order] = np.minimum(1, np.minimum.accumulate(ratios[::-1])[::-1])
    return adjusted


def _in_order(p_values: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """P-values, and the places of those that are known, the smallest first."""
    import numpy as np

    p = np.asarray(p_values, dtype=float)
    tested = np.flatnonzero(~np.isnan(p))
    if not ((p[tested] >= 0) & (p[tested] <= 1)).all():
        raise ValueError("p-values must be within 0 and 1")
    return p, tested[np.argsort(p[tested], kind="stable")]


def _table(values: ArrayLike) -> NDArray[np.float64]:
    import numpy as np

    x = np.asarray(values, dtype=float)
    if x.size == 0:
        return x.reshape(x.shape if x.ndim == 2 else (0, 0))
    if x.ndim != 2:
        raise ValueError(f"a table has two axes, items and conditions; got {x.ndim}")
    return x


def _chance_of_hit(x: NDArray[np.float64], seen: float) -> float:
    """An upper bound of the chance that a random order is spread as far as seen.

    Each row has deviations from its mean of one and the same length in whatever order, so that
    ``P(‖Σ_i d_i‖ ≥ r) ≤ 2·exp(−r² / (2·Σ_i ‖d_i‖²))``.

    Source: Pinelis (1994), Annals of Probability 22, 1679–1706, theorem 3.5.
    """
    squares = float((x.var(axis=1) * x.shape[1]).sum())
    return 2 * math.exp(-seen * x.shape[1] / (2 * squares))


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
