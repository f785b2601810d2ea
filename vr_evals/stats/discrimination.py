"""Does confidence tell right answers from wrong ones? The area under the ROC curve."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from vr_evals.stats.clusters import Clusters, cluster_codes
from vr_evals.stats.intervals import Interval, z_value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = ["FEWEST", "auroc", "auroc_interval", "auroc_of_counts"]

FEWEST = 5
"""Clusters with an observation of a class, below which `auroc_interval` says nothing."""

_EDGE = 0.1
"""Part of a cluster of each class that is put at either end; see `auroc_interval`."""


def auroc(scores: ArrayLike, positive: ArrayLike) -> float:
    """Area under the ROC curve, as the Mann–Whitney statistic.

    The probability that a positive scores higher than a negative, ties counting a half. 0.5 is no
    better than chance, 1 perfect, below 0.5 the wrong way round.

    Source: Hanley & McNeil (1982), Radiology 143, 29–36.

    Args:
        scores: Any numbers, e.g. confidences.
        positive: 1 for the class that should score higher (the right answers, say), else 0.

    Returns:
        A rate, 0–1; NaN if either class is empty.

    Raises:
        ValueError: A value is missing, `positive` is not 0 or 1, or lengths differ.
    """
    import numpy as np

    x, y = np.asarray(scores, dtype=float), np.asarray(positive, dtype=float)
    if x.ndim != 1 or x.shape != y.shape:
        raise ValueError(f"{x.size} scores but {y.size} classes")
    if np.isnan(x).any() or not ((y == 0) | (y == 1)).all():
        raise ValueError("scores must be numbers and classes 0 or 1, and none may be missing")
    distinct, place = np.unique(x, return_inverse=True)
    counts = [np.bincount(place[y == value], minlength=len(distinct)) for value in (1, 0)]
    return auroc_of_counts(*counts)


def auroc_of_counts(positives: NDArray[np.intp], negatives: NDArray[np.intp]) -> float:
    """`auroc` from how often each score has either class.

    Args:
        positives: For each score, from the lowest to the highest: how often it has the class that
            should score higher.
        negatives: How often it has the other.

    Returns:
        A rate, 0–1; NaN if either class is empty.
    """
    import numpy as np

    below = np.cumsum(negatives) - negatives
    pairs = float(positives.sum()) * float(negatives.sum())
    return float((positives * (below + negatives / 2)).sum() / pairs) if pairs else math.nan


def auroc_interval(
    scores: ArrayLike, positive: ArrayLike, clusters: Clusters, *, level: float = 0.95
) -> Interval:
    """Score interval of `auroc` for observations in clusters.

    All θ with ``|θ̂ − θ| ≤ z·√(φ·V(θ))``, V being the variance of Hanley and McNeil as Newcombe has
    it (his method 5), ``θ(1 − θ)/(mn) · (1 + ((m + n)/2 − 1)·((1 − θ)/(2 − θ) + θ/(1 + θ)))`` for m
    positives and n negatives. φ is the cluster-robust variance of θ̂ (Obuchowski's, of placement
    values; it knows of ties as well) over V(θ̂), at most the size of a cluster. Both have a tenth of
    a cluster of each class at either end, so that it is of some length also where the classes are
    quite apart.

    Source: Newcombe (2006), Statistics in Medicine 25, 559–573; Obuchowski (1997), Biometrics 53,
    567–578; Hanley & McNeil (1982), Radiology 143, 29–36.

    Args:
        scores: Any numbers, e.g. confidences.
        positive: 1 for the class that should score higher, else 0.
        clusters: The cluster of each observation.
        level: Coverage wanted, between 0 and 1.

    Returns:
        Bounds, 0–1; NaN if either class is in fewer than `FEWEST` clusters.

    Raises:
        ValueError: As for `auroc`, or a cluster is missing.
    """
    import numpy as np

    x, y = np.asarray(scores, dtype=float), np.asarray(positive, dtype=float)
    theta = auroc(x, y)
    codes, n_clusters = cluster_codes(clusters)
    classes = [codes[y == 1], codes[y == 0]]
    if min(len(np.unique(each)) for each in classes) < FEWEST:
        return Interval(math.nan, math.nan)
    ends = [_Placements(*each, n_clusters) for each in zip(_placements(x, y), classes, strict=True)]
    a, b = ends
    variance = a.variance + b.variance + 2 * float(a.sums @ b.sums)
    rarer = min(ends, key=lambda end: end.n)
    sizes = np.bincount(codes)
    factor = max(variance, 0) / _newcombe(rarer.centre, a.n, b.n)
    factor = min(factor, float(sizes @ sizes) / len(x))
    reach = z_value(level) ** 2 * factor
    m, n = len(classes[0]), len(classes[1])

    def bound(outer: float) -> float:
        within, beyond = theta, outer
        for _ in range(50):
            middle = (within + beyond) / 2
            if (theta - middle) ** 2 <= reach * _newcombe(middle, m, n):
                within = middle
            else:
                beyond = middle
        return within

    return Interval(bound(0.0), bound(1.0))


class _Placements:
    """Placement values of one class, with a part of a cluster at 0 and at 1.

    Attributes:
        n: How many there are.
        centre: Their mean.
        sums: Each cluster's sum of deviations, over n.
        variance: Of the mean, by cluster.
    """

    def __init__(
        self, values: NDArray[np.float64], codes: NDArray[np.intp], n_clusters: int
    ) -> None:
        import numpy as np

        sizes = np.bincount(codes, minlength=n_clusters)
        size = _EDGE * float(sizes @ sizes) / len(values)
        self.n = len(values) + 2 * size
        self.centre = float(values.sum() + size) / self.n
        self.sums = np.bincount(codes, values - self.centre, n_clusters) / self.n
        ends = (size / self.n) ** 2 * (self.centre**2 + (1 - self.centre) ** 2) / _EDGE
        own = int((sizes > 0).sum())
        self.variance = own / (own - 1) * (float(self.sums @ self.sums) + ends)


def _placements(
    x: NDArray[np.float64], y: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The share of negatives below each positive, and of positives above each negative."""
    import numpy as np

    positives, negatives = np.sort(x[y == 1]), np.sort(x[y == 0])

    def below(values: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
        either = (np.searchsorted(others, values, side) for side in ("left", "right"))
        return np.asarray(sum(either) / (2 * len(others)))

    return below(x[y == 1], negatives), 1 - below(x[y == 0], positives)


def _newcombe(theta: float, m: float, n: float) -> float:
    """Variance of an area theta, of m and n independent observations."""
    shape = (1 - theta) / (2 - theta) + theta / (1 + theta)
    return theta * (1 - theta) / (m * n) * (1 + ((m + n) / 2 - 1) * shape)
