"""Rows of frames: an estimate, its interval, and what it is over."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from vr_evals.analysis.cells import Cells, Integers
from vr_evals.stats.intervals import score_mean, wilson_clustered

__all__ = ["ESTIMATE", "estimate_row", "mean_row", "rate_row"]

ESTIMATE = ("metric", "estimate", "low", "high", "n_items", "n_samples")
"""The columns of an estimate."""


def estimate_row(
    metric: str,
    estimate: float,
    low: float = np.nan,
    high: float = np.nan,
    *,
    n_items: int,
    n_samples: int,
) -> dict[str, Any]:
    """Return an estimate as entries in the columns `ESTIMATE`; its bounds are NaN if unknown."""
    return dict(zip(ESTIMATE, (metric, estimate, low, high, n_items, n_samples), strict=True))


def rate_row(metric: str, grouped: Cells, values: ArrayLike, samples: Integers) -> dict[str, Any]:
    """Return the rate of some samples: the mean over items, in each order, of the epochs' share.

    The interval is `wilson_clustered` of the samples one by one, with the item's cluster.

    Args:
        metric: The name of the rate.
        grouped: The table in cells.
        values: 0 or 1 for each sample of the table.
        samples: Numbers of the samples that count, of one cell; NaN if there are none.
    """
    units, place, counts = np.unique(grouped.unit[samples], return_inverse=True, return_counts=True)
    weights = 1 / counts[place]
    x = np.asarray(values)[samples].astype(float)
    low, high = wilson_clustered(x, grouped.units.cluster_code[units[place]], weights=weights)
    # the weights of an item add up to 1 but for rounding
    rate = min(float(weights @ x / len(units)), 1.0) if len(units) else np.nan
    return estimate_row(metric, rate, low, high, **grouped.counts(samples))


def mean_row(
    metric: str,
    grouped: Cells,
    values: ArrayLike,
    samples: Integers,
    bounds: tuple[float, float],
) -> dict[str, Any]:
    """Return the mean over some samples, each epoch by itself, with the interval of `score_mean`.

    Args:
        metric: The name of the mean.
        grouped: The table in cells.
        values: A number for each sample of the table.
        samples: Numbers of the samples that count, of one cell; NaN if there are none.
        bounds: The least and the greatest value possible.
    """
    clusters = grouped.units.cluster_code[grouped.unit[samples]]
    found = score_mean(np.asarray(values)[samples], clusters, bounds)
    counts = grouped.counts(samples)
    return estimate_row(metric, found.mean, found.low, found.high, **counts)
