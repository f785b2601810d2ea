"""Tests on paired data, the same items answered under two conditions, and of many such tests."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from vr_evals.stats.chunks import chunks
from vr_evals.stats.repeated_measures import CochranQ, Trend, any_difference, cochran_q, trend

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


def sign_flip(
    differences: ArrayLike, *, resamples: int = 9999, at_most: int = 99_999, seed: int = 0
) -> float:
    """Paired permutation test: is the mean difference further from 0 than chance would put it?

    If the two conditions are exchangeable within a cluster, the sign of each cluster's difference
    is a coin toss. p is the share of sign patterns whose sum is at least as far from 0 as the one
    seen: all 2ⁿ patterns with up to 12 differences other than 0 (those of 0 have no say), else
    random patterns with (hits + 1) / (patterns + 1), so that p is never 0. Where none of the first
    patterns is a hit, more are drawn, or no p-value could be small enough for some hundreds of
    tests: that p is below α only if the p-value of the first patterns is too, or that of all
    patterns, each of which alone keeps the level. With differences of −1, 0 and 1 it is McNemar's
    exact test.

    Source: Fisher (1935), The design of experiments, section 21; Phipson & Smyth (2010), Stat.
    Appl. Genet. Mol. Biol. 9, 39, for the + 1; Besag & Clifford (1991), Biometrika 78, 301–304, for
    as many patterns as it takes.

    Args:
        differences: One difference a cluster, of the cluster's means under the two conditions.
        resamples: How many random sign patterns where they are not enumerated.
        at_most: How many in all where none of those is a hit.
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
    generator, hits, drawn = np.random.default_rng(seed), 0, 0
    for total in (resamples, max(resamples, at_most)):
        for rows in chunks(total - drawn, sizes.size):
            # n coins of the same size: their sum needs only the number of heads
            heads = generator.binomial(counts, 0.5, size=(rows, sizes.size))
            hits += int(np.sum(np.abs((2 * heads - counts) @ sizes) >= seen))
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

    p = np.asarray(p_values, dtype=float)
    tested = np.flatnonzero(~np.isnan(p))
    if not ((p[tested] >= 0) & (p[tested] <= 1)).all():
        raise ValueError("p-values must be within 0 and 1")
    order = tested[np.argsort(p[tested], kind="stable")]
    adjusted = p.copy()
    adjusted[order] = np.minimum(1, np.maximum.accumulate(np.arange(len(order), 0, -1) * p[order]))
    return adjusted
