"""Are the two sides of a comparison read equally often?"""

from __future__ import annotations

import numpy as np
import pandas as pd

from vr_evals.analysis.cells import CELL, cells
from vr_evals.analysis.changes import is_level0, is_thinking_off
from vr_evals.analysis.pairing import (
    COUNTS,
    comparisons,
    contrast_of_rates,
    finished,
    matched_units,
)

__all__ = ["read_rate_changes"]

_COLUMNS = (
    *CELL,
    "versus",
    "metric",
    "estimate",
    "low",
    "high",
    *COUNTS,
    "read",
    "read_versus",
    "p",
    "p_adjusted",
    "test",
)


def read_rate_changes(table: pd.DataFrame) -> pd.DataFrame:
    """Change of the share of answers read, between a treatment and its baseline.

    A level is compared with level 0, thinking on with off, and a cue with control, on the items of
    both; intervals and tests are those of `changes`, so clustered by item.

    Args:
        table: The tidy table.

    Returns:
        A row for each comparison: `versus` is `level`, `thinking` or `condition`, in which the two
        sides differ; `read` and `read_versus` are the shares of the treatment and of the baseline
        (0–1), `estimate` is their difference. `p_adjusted` is Holm's, over all rows.

    Raises:
        InputError: The table does not have the columns of a tidy table.
    """
    grouped = cells(table, ("label",))
    read = grouped.rows["label"].notna().to_numpy()
    figure = grouped.mean(read, np.ones(len(read)))
    present = figure.count > 0
    records = []
    for vary, is_reference in (
        ("level", is_level0),
        ("thinking", is_thinking_off),
        ("condition", _is_control),
    ):
        found, _ = comparisons(grouped.cells, vary, is_reference)
        for pair in found:
            matched = matched_units(grouped, (pair.side, pair.reference), present)
            if not matched.n_items:
                continue
            sides = figure.mean[matched.units].mean(axis=1)
            records.append(
                grouped.cells[pair.side].keys
                | {"variant": pair.variant, "versus": vary, "metric": "read_rate_change"}
                | contrast_of_rates(grouped, figure, matched, (1, -1))
                | {"read": sides[0], "read_versus": sides[1]}
            )
    rates = {"read": "float64", "read_versus": "float64"}
    return finished(records, _COLUMNS, family=()).astype(rates)


def _is_control(condition: str | None, reference: str | None) -> bool:
    return reference == "control" and condition not in (None, "control")
