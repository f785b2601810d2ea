"""Are two models equally accurate?"""

from __future__ import annotations

import pandas as pd

from vr_evals.analysis.cell import Refusal
from vr_evals.analysis.cells import CELL, cells
from vr_evals.analysis.pairing import (
    DIFFERENCE,
    accuracies,
    comparisons,
    contrast,
    finished,
    left_out,
    matched_units,
)

__all__ = ["compare_models"]

_COLUMNS = ("model", "versus", *CELL[1:], *DIFFERENCE)


def compare_models(table: pd.DataFrame) -> pd.DataFrame:
    """Differences of accuracy between models, two at a time, on the same items.

    `accuracy_difference` is the accuracy of `model` minus that of `versus`, at the same level, in
    the same conditions and settings; items, tests, counts and bounds are as in `changes`. Each two
    models are compared once, in alphabetical order.

    Args:
        table: The tidy table.

    Returns:
        A row for each comparison; `p_adjusted` is Holm's, over all rows of this frame.
        `attrs["notes"]` names the cells that were not compared since their settings differ, and
        says how many items of either side a comparison leaves out.

    Raises:
        InputError: The table does not have the columns of a tidy table.
    """
    grouped = cells(table, ("label", "correct"))
    accuracy = accuracies(grouped)
    present = accuracy.counted.count > 0
    found, refused = comparisons(grouped.cells, "model", lambda a, b: a < b, symmetric=True)
    notes: list[str | Refusal] = [*grouped.notes, *refused]
    records = []
    for pair in found:
        side, versus = grouped.cells[pair.side], grouped.cells[pair.reference]
        matched = matched_units(grouped, (pair.side, pair.reference), present)
        notes += left_out(side, versus, matched)
        records.append(
            side.keys
            | {"versus": versus.model, "variant": pair.variant, "metric": "accuracy_difference"}
            | contrast(grouped, accuracy, matched, (1, -1))
        )
    return finished(records, _COLUMNS, notes, family=())
