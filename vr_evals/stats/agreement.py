"""How alike are the choices made in the epochs of one item?

A choice is any hashable value, None if no answer could be read.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from vr_evals.stats.clusters import Clusters, cluster_codes
from vr_evals.stats.intervals import z_value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Coefficient",
    "agreement",
    "agreement_between",
    "alpha",
    "kappa",
    "majority",
    "mean_defined",
]

T = TypeVar("T", bound=Hashable)


def agreement(choices: Sequence[Hashable]) -> float:
    """Share of pairs of epochs with the same choice; unread counts as a choice of its own.

    ``Σ_c m_c(m_c − 1) / (n(n − 1))`` for the m_c epochs with choice c. It does not depend on the
    number of epochs in expectation: with independent epochs it estimates Σ p_c².

    Source: Fleiss (1971), Psychological Bulletin 76, 378–382 (the agreement of one item).

    Args:
        choices: The choices of an item's epochs.

    Returns:
        A rate, 0–1; NaN with fewer than two epochs.
    """
    n = len(choices)
    if n < 2:
        return math.nan
    return sum(m * (m - 1) for m in Counter(choices).values()) / (n * (n - 1))


def agreement_between(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Share of pairs, one epoch of each side, with the same choice: ``Σ_c m_c·k_c / (n_1·n_2)``.

    With one epoch a side: 1 if they agree, else 0. With more, what `agreement` is within a side.

    Args:
        first: The choices of an item's epochs on one side, e.g. one order of its options.
        second: Those on the other.

    Returns:
        A rate, 0–1; NaN if a side has no epoch.
    """
    if not first or not second:
        return math.nan
    counts = Counter(second)
    return sum(counts[choice] for choice in first) / (len(first) * len(second))


class Coefficient(NamedTuple):
    """Agreement beyond chance, at most 1, with its interval; 0 is what chance alone gives."""

    estimate: float
    low: float
    high: float


_EDGE = 0.15
"""Part of a cluster that is added to a variance for each extreme; see `alpha`."""

_NO_COEFFICIENT = Coefficient(math.nan, math.nan, math.nan)


def alpha(counts: NDArray[np.float64], clusters: Clusters, *, level: float = 0.95) -> Coefficient:
    """Krippendorff's α for choices: the agreement of an item's epochs beyond chance.

    ``1 − D_o / D_e``: D_o is the share of pairs of an item's epochs that differ, D_e that of pairs
    of all answers. An answer that is independent of the item has 0, whatever its odds and the
    number of options, and one that is always the same for an item has 1. The interval is Fieller's
    for a ratio, with cluster-robust variances, to which a part of a cluster is added for each
    choice that is the same in all its epochs, and one whose epochs all differ: so it is of some
    length also where all agree. Coverage is 0.92–1; less, down to 0.85, with 20 items and one rare
    choice.

    Source: Krippendorff (2004), Content analysis, ch. 11; Fieller (1954), JRSS B 16, 175–185.

    Args:
        counts: How many of an item's epochs made each choice: a row for each item, a column for
            each choice, unread being one of its own. Items with one epoch are left out.
        clusters: The cluster of each item.
        level: Coverage wanted, between 0 and 1.

    Returns:
        The coefficient; NaN if no item has two epochs or all choices are alike.
    """
    several = counts.sum(axis=1) > 1
    n_uc, codes = counts[several], cluster_codes(clusters)[0][several]
    n_u = n_uc.sum(axis=1)
    total = n_u.sum()
    if not total:
        return _NO_COEFFICIENT
    shares = n_uc.sum(axis=0) / total
    differ = (n_uc * (n_u[:, None] - n_uc)).sum(axis=1) / (n_u * (n_u - 1))
    expected = (1 - float(shares @ shares)) * total / (total - 1)
    influence = -2 * (n_uc / n_u[:, None] - shares) @ shares
    alike = -2 * (shares - float(shares @ shares))[shares > 0]
    return _beyond_chance(differ, expected, influence, alike, codes, n_u, level)


def kappa(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    clusters: Clusters,
    *,
    level: float = 0.95,
) -> Coefficient:
    """Cohen's κ for shares of epochs: the agreement of two sides on the same items beyond chance.

    ``1 − D_o / D_e``: D_o is the share of pairs, one epoch of each side of an item, that differ,
    D_e that of pairs of any two items. With one epoch a side it is Cohen's. Interval as for
    `alpha`.

    Source: Cohen (1960), Educational and Psychological Measurement 20, 37–46.

    Args:
        first: The share of an item's epochs that made each choice, on one side: a row for each
            item, a column for each choice, unread being one of its own.
        second: The same on the other side.
        clusters: The cluster of each item.
        level: Coverage wanted, between 0 and 1.

    Returns:
        The coefficient; NaN without items, or where both sides only ever make one and the same
        choice.
    """
    import numpy as np

    if not len(first):
        return _NO_COEFFICIENT
    one, other = first.mean(axis=0), second.mean(axis=0)
    expected = 1 - float(one @ other)
    influence = -((first - one) @ other + (second - other) @ one)
    differ = 1 - np.einsum("ij,ij->i", first, second)
    alike = -(one + other - 2 * float(one @ other))[one + other > 0]
    codes, weights = cluster_codes(clusters)[0], np.ones(len(first))
    return _beyond_chance(differ, expected, influence, alike, codes, weights, level)


def _beyond_chance(
    differ: NDArray[np.float64],
    expected: float,
    influence: NDArray[np.float64],
    alike: NDArray[np.float64],
    codes: NDArray[np.intp],
    weights: NDArray[np.float64],
    level: float,
) -> Coefficient:
    """``1 − mean of differ / expected``; an item moves `expected` by its weight and influence.

    `alike` is the influence of an item whose answers are all the same choice, for each choice.
    """
    import numpy as np

    if expected < 1e-12:
        return _NO_COEFFICIENT
    total = float(weights.sum())
    observed = float(weights @ differ) / total
    ratio = observed / expected
    sizes = np.bincount(codes, weights)
    n_clusters = int((sizes > 0).sum())
    if n_clusters < 2:
        return Coefficient(1 - ratio, math.nan, math.nan)
    size = float(sizes @ sizes) / total
    seen = np.bincount(codes, weights * (differ - observed))
    moved = np.bincount(codes, weights * influence)
    part = math.sqrt(_EDGE) * size
    seen = np.r_[seen, part * (0 * alike - observed), part * (1 - observed)]
    moved = np.r_[moved, part * alike, 0]
    # all ratios r with (observed − r·expected)² ≤ z²·variance of that
    scale = z_value(level) ** 2 * n_clusters / (n_clusters - 1) / total**2
    a = expected**2 - scale * float(moved @ moved)
    b = observed * expected - scale * float(seen @ moved)
    c = observed**2 - scale * float(seen @ seen)
    if a <= 0:
        return Coefficient(1 - ratio, -1.0, 1.0)
    half = math.sqrt(max(b * b - a * c, 0.0))
    return Coefficient(1 - ratio, max(1 - (b + half) / a, -1.0), min(1 - (b - half) / a, 1.0))


def majority(choices: Iterable[T | None]) -> T | None:
    """The most frequent choice that was read.

    Args:
        choices: The choices of an item's epochs.

    Returns:
        That choice; None where several are equally frequent, in whatever order, or none was read.
    """
    ranked = Counter(choice for choice in choices if choice is not None).most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def mean_defined(values: Iterable[float]) -> float:
    """Mean over the items for which a figure is defined.

    Args:
        values: One value an item, NaN if it is undefined.

    Returns:
        The mean of the others; NaN if there are none.
    """
    defined = [value for value in values if not math.isnan(value)]
    return math.fsum(defined) / len(defined) if defined else math.nan
