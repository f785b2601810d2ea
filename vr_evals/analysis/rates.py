"""A rate of a cell: the mean over items of the share among their epochs, with its interval."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from vr_evals.analysis.cells import Cells, Integers
from vr_evals.stats.intervals import wilson_clustered

__all__ = ["rate_of_samples"]


def rate_of_samples(grouped: Cells, values: ArrayLike, samples: Integers) -> dict[str, Any]:
    """The rate of some samples, each item in each order counting alike.

    The interval is `wilson_clustered` of the samples one by one, with the item's cluster.

    Args:
        grouped: The table in cells.
        values: 0 or 1 for each sample of the table.
        samples: Numbers of the samples that count, of one cell.

    Returns:
        `estimate`, `low`, `high`, `n_items` and `n_samples`, as in a frame's row; NaN without
        samples.
    """
    units, place, counts = np.unique(grouped.unit[samples], return_inverse=True, return_counts=True)
    weights = 1 / counts[place]
    x = np.asarray(values)[samples].astype(float)
    low, high = wilson_clustered(x, grouped.units.cluster_code[units[place]], weights=weights)
    return {
        "estimate": float(weights @ x / len(units)) if len(units) else np.nan,
        "low": low,
        "high": high,
        "n_items": grouped.units.n_items(units),
        "n_samples": len(samples),
    }
