"""Accuracy when the classes of right answers count alike."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from vr_evals.stats.clusters import Clusters, cluster_codes
from vr_evals.stats.intervals import wilson, wilson_clustered

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["BalancedAccuracy", "balanced_accuracy"]


class BalancedAccuracy(NamedTuple):
    """A mean of recalls, 0–1, with its interval."""

    estimate: float
    low: float
    high: float


def balanced_accuracy(
    correct: ArrayLike,
    target: ArrayLike,
    clusters: Clusters,
    *,
    weights: ArrayLike | None = None,
    level: float = 0.95,
) -> BalancedAccuracy:
    """Mean over the classes of the share of their answers that are right.

    Always the same answer gives 1 / (number of classes), however many items have that answer. The
    interval is MOVER's of the classes' recalls r_k with their `wilson_clustered` intervals:
    ``mean − √(Σ_jk ρ_jk (r_j − l_j)(r_k − l_k)) / m`` for m classes, likewise above, ρ being the
    cluster-robust correlation of two recalls, which share clusters if an item's right answer
    differs from one order of its options to the other.

    Source: Brodersen et al. (2010), ICPR, 3121–3124; Zou, Huang & Zhang (2009), Computational
    Statistics & Data Analysis 53, 1080–1085, for sums.

    Args:
        correct: 1 if the answer was right, else 0.
        target: The right answer of each.
        clusters: The cluster of each.
        weights: How much each answer counts within its class; left out, all count alike.
        level: Coverage wanted, between 0 and 1.

    Returns:
        Rates 0–1; NaN with fewer than two classes.

    Raises:
        ValueError: As for `wilson_clustered`.
    """
    import numpy as np

    y = np.asarray(correct, dtype=float)
    names, classes = np.unique(np.asarray(target), return_inverse=True)
    codes, n_clusters = cluster_codes(clusters)
    w = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
    m = len(names)
    if m < 2:
        return BalancedAccuracy(math.nan, math.nan, math.nan)
    totals = np.bincount(classes, w)
    recall = np.minimum(np.bincount(classes, w * y) / totals, 1)
    bounds = np.array(
        [
            wilson_clustered(y[own], codes[own], weights=w[own], level=level)
            if np.ptp(codes[own])
            else wilson(recall[k], 1, level=level)  # of one item's epochs, as if they were one
            for k, own in enumerate(classes == k for k in range(m))
        ]
    )
    sums = np.zeros((n_clusters, m))
    np.add.at(sums, (codes, classes), w * (y - recall[classes]))
    products = sums.T @ sums
    scale = np.sqrt(np.diag(products))
    correlation = np.divide(
        products, np.outer(scale, scale), out=np.zeros((m, m)), where=np.outer(scale, scale) > 1e-12
    )
    np.fill_diagonal(correlation, 1)
    below, above = recall - bounds[:, 0], bounds[:, 1] - recall
    low, high = (math.sqrt(max(each @ correlation @ each, 0)) / m for each in (below, above))
    estimate = float(recall.mean())
    return BalancedAccuracy(estimate, max(estimate - low, 0.0), min(estimate + high, 1.0))
