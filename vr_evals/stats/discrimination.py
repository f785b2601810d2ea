"""Does confidence tell right answers from wrong ones? The area under the ROC curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vr_evals.stats.bootstrap import ratio

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = ["auroc", "weighted_auroc"]


def auroc(scores: ArrayLike, positive: ArrayLike) -> float:
    """Area under the ROC curve, as the Mann–Whitney statistic.

    The probability that a positive scores higher than a negative, ties counting a half. 0.5 is no
    better than chance, 1 perfect, below 0.5 the wrong way round.

    Source: Hanley & McNeil (1982), Radiology 143, 29–36.

    Args:
        scores: Any numbers, such as confidences.
        positive: 1 for the class that should score higher (the right answers, say), else 0.

    Returns:
        A rate, 0–1; NaN where either class is empty.

    Raises:
        ValueError: A value is missing, `positive` is not 0 or 1, or lengths differ.
    """
    import numpy as np

    x, y = np.asarray(scores, dtype=float), np.asarray(positive, dtype=float)
    if x.ndim != 1 or x.shape != y.shape:
        raise ValueError(f"{x.size} scores but {y.size} classes")
    if np.isnan(x).any() or not ((y == 0) | (y == 1)).all():
        raise ValueError("scores must be numbers and classes 0 or 1, and none may be missing")
    return float(weighted_auroc(x, y, np.ones(len(x))))


def weighted_auroc(
    scores: NDArray[np.float64], positive: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """`auroc` for many sets of weights at once, as the bootstrap wants it.

    Args:
        scores: Shape (n,).
        positive: 0.0 or 1.0, shape (n,).
        weights: How much each observation counts, shape (…, n).

    Returns:
        Shape (…); NaN where either class weighs nothing.
    """
    import numpy as np

    if not scores.size:
        return np.full(weights.shape[:-1], np.nan)
    order = np.argsort(scores, kind="stable")
    starts = np.flatnonzero(np.diff(scores[order], prepend=-np.inf))
    y, w = positive[order], weights[..., order]
    positives = np.add.reduceat(w * y, starts, axis=-1)  # one entry a distinct score
    negatives = np.add.reduceat(w * (1 - y), starts, axis=-1)
    below = np.cumsum(negatives, axis=-1) - negatives
    wins = (positives * (below + negatives / 2)).sum(axis=-1)
    pairs = positives.sum(axis=-1) * negatives.sum(axis=-1)
    return ratio(np.stack([wins, pairs], axis=-1))
