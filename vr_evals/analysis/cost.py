"""Tokens and time by cell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from vr_evals.analysis.cells import CELL, cells, tidy_frame

__all__ = ["COSTS", "cost"]

COSTS = ("input_tokens", "output_tokens", "reasoning_tokens", "seconds")
"""Columns of the tidy table that are summed."""


def cost(table: pd.DataFrame) -> pd.DataFrame:
    """Return tokens and seconds by cell: the total, and the mean per sample.

    Args:
        table: The tidy table.

    Returns:
        One row per cell and `metric` of `COSTS`: `total`, the mean `estimate` over the samples
        for which it is known, and their number `n_samples`. Tokens are as counted by the provider;
        seconds are working time, without waiting for retries.
    """
    grouped = cells(table, COSTS)
    records: list[dict[str, Any]] = []
    for cell, rows in zip(grouped.cells, grouped.row_slices, strict=True):
        for metric in COSTS:
            values = grouped.rows[metric].iloc[rows].to_numpy(dtype=float, na_value=np.nan)
            known = values[~np.isnan(values)]
            records.append(
                cell.keys
                | {
                    "metric": metric,
                    "total": known.sum() if len(known) else np.nan,
                    "estimate": known.mean() if len(known) else np.nan,
                    "n_samples": len(known),
                }
            )
    frame = tidy_frame(records, (*CELL, "metric", "total", "estimate", "n_samples"), grouped.notes)
    return frame.astype({"total": "float64"})
