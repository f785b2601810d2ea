"""The Brier score of stated confidences, and what it is made of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vr_evals.stats.confidence import bin_index, probabilities

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["BrierParts", "brier", "brier_parts"]


@dataclass(frozen=True)
class BrierParts:
    """The Brier score in parts: ``reliability − resolution + uncertainty + within_bins``.

    Attributes:
        reliability: Mean squared gap between a bin's mean confidence and its accuracy; 0 is best.
        resolution: Variance of the bins' accuracies; the more, the better confidence sorts answers.
        uncertainty: a(1 − a) for the accuracy a: not the respondent's doing.
        within_bins: Variance of confidence within bins less twice its covariance with correctness;
            0 where each bin holds one value.
    """

    reliability: float
    resolution: float
    uncertainty: float
    within_bins: float


def brier(confidence: ArrayLike, correct: ArrayLike) -> float:
    """Mean squared error of confidence as the probability of being right: ``mean((c/100 − y)²)``.

    Binary, also with five options: it scores the answer given, not the options left. 0 is best;
    always saying 50 gives 0.25.

    Source: Brier (1950), Monthly Weather Review 78, 1–3 (half of his sum over both classes).

    Args:
        confidence: Stated confidences, 0–100.
        correct: 1 where the answer was right, else 0.

    Returns:
        A score, 0–1; NaN without data.

    Raises:
        ValueError: A value is missing or out of range, or lengths differ.
    """
    p, y = probabilities(confidence, correct)
    return float(((p - y) ** 2).mean()) if p.size else math.nan


def brier_parts(confidence: ArrayLike, correct: ArrayLike, *, bins: int = 10) -> BrierParts:
    """Murphy's decomposition over the bins of `ece`, with the terms within bins: adds up exactly.

    With mean confidence f_b and accuracy a_b in bin b, and accuracy a:

    - reliability ``Σ_b n_b(f_b − a_b)² / n``,
    - resolution ``Σ_b n_b(a_b − a)² / n``,
    - uncertainty ``a(1 − a)``,
    - within bins ``Σ_i ((f_i − f_b)² − 2(f_i − f_b)(y_i − a_b)) / n``.

    Bins rather than distinct confidences: with many of these, each would be its own bin and look
    unreliable by chance.

    Source: Murphy (1973), J. Applied Meteorology 12, 595–600; Stephenson, Coelho & Jolliffe (2008),
    Weather and Forecasting 23, 752–757, for the terms within bins.

    Args:
        confidence: Stated confidences, 0–100.
        correct: 1 where the answer was right, else 0.
        bins: Number of bins, as for `ece`.

    Returns:
        The parts, whose sum is `brier`; NaN without data.

    Raises:
        ValueError: A value is missing or out of range, or lengths differ.
    """
    import numpy as np

    p, y = probabilities(confidence, correct)
    if not p.size:
        return BrierParts(math.nan, math.nan, math.nan, math.nan)
    _, index, counts = np.unique(bin_index(p, bins), return_inverse=True, return_counts=True)
    forecast = (np.bincount(index, p) / counts)[index]
    observed = (np.bincount(index, y) / counts)[index]
    accuracy = y.mean()
    inner = p - forecast
    return BrierParts(
        reliability=float(((forecast - observed) ** 2).mean()),
        resolution=float(((observed - accuracy) ** 2).mean()),
        uncertainty=float(accuracy * (1 - accuracy)),
        within_bins=float((inner**2 - 2 * inner * (y - observed)).mean()),
    )
