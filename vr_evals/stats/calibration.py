"""Do stated confidences come true? Expected calibration error, and the part that is chance."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from vr_evals.stats.bootstrap import bootstrap_sums, ratio
from vr_evals.stats.chunks import chunks
from vr_evals.stats.confidence import bin_index, probabilities
from vr_evals.stats.discrimination import weighted_auroc
from vr_evals.stats.intervals import Interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "FIGURES",
    "NoiseFloor",
    "Reliability",
    "adaptive_ece",
    "calibration_figures",
    "ece",
    "ece_floor",
    "ece_interval",
    "reliability",
]

FIGURES = ("brier", "auroc", "mean_confidence", "overconfidence")
"""What `calibration_figures` returns, in order."""


class NoiseFloor(NamedTuple):
    """Mean and quantiles of a figure (0–1) that chance alone produces."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Reliability:
    """What a reliability diagram shows: one entry a bin, NaN for the means of an empty bin.

    `low` and `high` are the bin's bounds (0–100; right-closed, the first holds 0 too), `count` its
    answers, `confidence` their mean confidence (0–100), `accuracy` the share that was right (0–1).
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    count: NDArray[np.int_]
    confidence: NDArray[np.float64]
    accuracy: NDArray[np.float64]


def reliability(confidence: ArrayLike, correct: ArrayLike, *, bins: int = 10) -> Reliability:
    """Mean confidence and accuracy in bins of equal width.

    Args:
        confidence: Stated confidences, 0–100.
        correct: 1 where the answer was right, else 0.
        bins: Number of bins, right-closed; the first holds 0 and the last 100.

    Returns:
        The bins, also the empty ones.

    Raises:
        ValueError: A value is missing or out of range, or lengths differ.
    """
    import numpy as np

    p, y = probabilities(confidence, correct)
    index = bin_index(p, bins)
    count = np.bincount(index, minlength=bins)
    means = [
        ratio(np.stack([np.bincount(index, values, minlength=bins), count], axis=-1))
        for values in (100 * p, y)
    ]
    edges = np.linspace(0, 100, bins + 1)
    return Reliability(edges[:-1], edges[1:], count, *means)


def ece(confidence: ArrayLike, correct: ArrayLike, *, bins: int = 10) -> float:
    """Expected calibration error over bins of equal width.

    ``Σ_b (n_b / n)·|accuracy_b − confidence_b|``: every bin counts, by its size. 0 is best, 1
    worst. Chance alone keeps it above 0: read it beside `ece_floor`.

    Source: Naeini, Cooper & Hauskrecht (2015), AAAI; Guo, Pleiss, Sun & Weinberger (2017), ICML.

    Args:
        confidence: Stated confidences, 0–100.
        correct: 1 where the answer was right, else 0.
        bins: Number of bins, right-closed; the first holds 0 and the last 100.

    Returns:
        A rate, 0–1.

    Raises:
        ValueError: A value is missing or out of range, or lengths differ.
    """
    p, y = probabilities(confidence, correct)
    return _binned_error(p, y, bin_index(p, bins))


def adaptive_ece(confidence: ArrayLike, correct: ArrayLike, *, bins: int = 10) -> float:
    """Calibration error over bins that hold about the same number of answers each.

    As `ece`, with the bins' bounds at the quantiles of the confidences. Equal confidences share a
    bin, so there are fewer and unequal bins where many are equal, and order does not matter.

    Source: Nguyen & O'Connor (2015), EMNLP; Nixon et al. (2019), CVPR workshops.

    Args:
        confidence: Stated confidences, 0–100.
        correct: 1 where the answer was right, else 0.
        bins: Number of bins at most.

    Returns:
        A rate, 0–1.

    Raises:
        ValueError: A value is missing or out of range, or lengths differ.
    """
    import numpy as np

    p, y = probabilities(confidence, correct)
    if not p.size:
        return math.nan
    last = -(-p.size * np.arange(1, bins) // bins) - 1  # ranks of the bins' highest answers
    index = np.searchsorted(np.unique(np.sort(p)[last]), p, side="left")
    return _binned_error(p, y, index)


def ece_floor(
    confidence: ArrayLike,
    *,
    bins: int = 10,
    simulations: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> NoiseFloor:
    """The `ece` that a perfectly calibrated respondent would show with these confidences.

    Each simulation lets every answer be right with the probability that was stated for it,
    independently, and bins as `ece` does. An `ece` within the quantiles is what perfect calibration
    looks like at this n. Where the same item is asked again and again, answers are not independent
    and the true floor is higher.

    Source: Bröcker & Smith (2007), Weather and Forecasting 22, 651–661 (consistency resampling).

    Args:
        confidence: Stated confidences, 0–100.
        bins: As for `ece`.
        simulations: How many respondents are simulated.
        level: Share of the simulated values between `low` and `high`.
        seed: Of the generator.

    Returns:
        Mean and quantiles, rates 0–1.

    Raises:
        ValueError: A confidence is missing or out of range.
    """
    import numpy as np

    p, _ = probabilities(confidence, np.zeros(np.shape(confidence)))
    if not p.size:
        return NoiseFloor(math.nan, math.nan, math.nan)
    members = np.eye(bins)[bin_index(p, bins)]
    generator = np.random.default_rng(seed)
    gaps = [
        ((generator.random((rows, p.size)) < p) - p) @ members
        for rows in chunks(simulations, p.size)
    ]
    values = np.abs(np.concatenate(gaps)).sum(axis=1) / p.size
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return NoiseFloor(float(values.mean()), float(low), float(high))


def ece_interval(
    confidence: ArrayLike,
    correct: ArrayLike,
    clusters: Sequence[Hashable],
    *,
    bins: int = 10,
    resamples: int = 2000,
    level: float = 0.95,
    seed: int = 0,
    bootstrap: Callable[..., NDArray[np.float64]] = bootstrap_sums,
) -> Interval:
    """Interval of the `ece` of the respondent behind these answers, by bootstrap over clusters.

    Resampling adds noise to noise, so where calibration is good all resamples lie above the truth
    (and often above the estimate): a percentile interval then covers next to never. Its upper bound
    is kept here. The lower bound is ``max(0, ece − q)``, where q is the (1 + level) / 2 quantile of
    ``Σ_b |g*_b − g_b|`` over the resamples, g_b being a bin's ``(n_b / n)(accuracy_b −
    confidence_b)``: errors in the gaps can't move the sum of their sizes further than that. It
    covers at least `level`, and nearer to 1 where some bins are calibrated and others are not.

    Args:
        confidence: Stated confidences, 0–100.
        correct: 1 where the answer was right, else 0.
        clusters: The cluster of each answer.
        bins: As for `ece`.
        resamples: How many resamples.
        level: Coverage wanted, between 0 and 1.
        seed: Of the generator.
        bootstrap: How to resample: `bootstrap_sums`, or `bootstrap_alike` where speed counts.

    Returns:
        Bounds as rates 0–1; NaN with fewer than two clusters.

    Raises:
        ValueError: A value or a cluster is missing or out of range, or lengths differ.
    """
    import numpy as np

    p, y = probabilities(confidence, correct)
    members = np.eye(bins)[bin_index(p, bins)]
    terms = np.column_stack([members * (y - p)[:, None], np.ones(len(p))])
    gaps = _shares(terms.sum(axis=0))

    def error_and_deviation(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        resampled = _shares(sums)
        return np.stack([_size(resampled), _size(resampled - gaps)], axis=-1)

    _, high = bootstrap(
        terms, error_and_deviation, clusters, resamples=resamples, level=level, seed=seed
    )
    return Interval(float(np.maximum(_size(gaps) - high[1], 0)), float(high[0]))


def calibration_figures(
    confidence: ArrayLike, correct: ArrayLike, weights: ArrayLike
) -> NDArray[np.float64]:
    """All of `FIGURES` for many sets of weights at once, as `bootstrap_weights` wants them.

    Args:
        confidence: Stated confidences, 0–100.
        correct: 1 where the answer was right, else 0.
        weights: How much each answer counts, shape (…, n).

    Returns:
        Shape (…, 4), in the units of the functions: `mean_confidence` 0–100, the others rates.

    Raises:
        ValueError: A value is missing or out of range, or lengths differ.
    """
    import numpy as np

    p, y = probabilities(confidence, correct)
    w = np.asarray(weights, dtype=float)
    sums = w @ np.column_stack([(p - y) ** 2, 100 * p, p - y, np.ones(len(p))])
    squared, confidences, over = np.moveaxis(_shares(sums), -1, 0)
    return np.stack([squared, weighted_auroc(p, y, w), confidences, over], axis=-1)


def _binned_error(p: NDArray[np.float64], y: NDArray[np.float64], index: NDArray[np.intp]) -> float:
    """``Σ_b |Σ_{i in b} (y_i − p_i)| / n``: n_b times the gap of means is the gap of sums."""
    import numpy as np

    return float(np.abs(np.bincount(index, y - p)).sum() / p.size) if p.size else math.nan


def _shares(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """All entries of the last axis but the last, over the last."""
    import numpy as np

    parts, totals = np.broadcast_arrays(sums[..., :-1], sums[..., -1:])
    return ratio(np.stack([parts, totals], axis=-1))


def _size(gaps: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    return np.asarray(np.abs(gaps).sum(axis=-1))
