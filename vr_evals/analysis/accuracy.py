"""How often is the answer right, and how often can it be read?"""

from __future__ import annotations

import numpy as np
import pandas as pd

from vr_evals.analysis.cells import CELL, cells, tidy_frame
from vr_evals.stats.agreement import mean_defined
from vr_evals.stats.intervals import wilson_clustered

__all__ = ["accuracy"]

_COLUMNS = (*CELL, "metric", "estimate", "low", "high", "n_items", "n_samples")


def accuracy(table: pd.DataFrame) -> pd.DataFrame:
    """Accuracy and the share of answers read, by cell.

    - `accuracy`: over items with a target (dilemmas of high ambiguity have none); an answer that
      could not be read is not right;
    - `accuracy_read`: the same over the answers that were read;
    - `read_rate`: the share of all answers that could be read, with or without a target.

    Each is the mean over items (and orders of their options) of the share among the epochs, as the
    `accuracy` of a log is; the interval is `wilson_clustered`.

    Args:
        table: The tidy table.

    Returns:
        A row for each cell and metric. `n_items` and `n_samples` count what the row is over; where
        they are 0, the figure is NaN.

    Raises:
        InputError: The table has not the columns of a tidy table.
    """
    grouped = cells(table, ("label", "correct"))
    read = grouped.rows["label"].notna().to_numpy()
    has_target = grouped.rows["correct"].notna().to_numpy()
    right = grouped.rows["correct"].fillna(False).to_numpy(dtype=bool)
    figures = {
        "accuracy": grouped.mean(right, has_target),
        "accuracy_read": grouped.mean(right, has_target & read),
        "read_rate": grouped.mean(read, np.ones(len(read))),
    }
    records = []
    for cell, units in zip(grouped.cells, grouped.unit_slices, strict=True):
        for metric, figure in figures.items():
            used = units.start + np.flatnonzero(figure.count[units])
            means = figure.mean[used]
            low, high = wilson_clustered(means, grouped.units.cluster[used].tolist())
            records.append(
                {
                    **cell.keys,
                    "metric": metric,
                    "estimate": mean_defined(means),
                    "low": low,
                    "high": high,
                    "n_items": grouped.units.n_items(used),
                    "n_samples": figure.count[used].sum(),
                }
            )
    return tidy_frame(records, _COLUMNS, grouped.notes)
