"""What a level, or thinking, does to accuracy."""

from __future__ import annotations

from typing import Any

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
    same_temperature,
)

__all__ = ["changes", "is_level0", "is_thinking_off"]

_COLUMNS = (*CELL, *DIFFERENCE, "is_same_temperature")


def changes(table: pd.DataFrame) -> pd.DataFrame:
    """Change of accuracy from level 0, and from thinking off to on, on the same items.

    - `change_from_level0`: accuracy at the row's level minus accuracy at level 0, all else equal;
    - `change_from_thinking_off`: accuracy with thinking minus accuracy without, all else equal.

    Items with a target that both sides have are paired, each in the same order of its options. An
    unread answer counts as not right. Interval and test are one method: Tango's score interval and
    test (`test` is `score`) if every cluster has one answer a side, else the same with the
    effective number of pairs (`clustered_score`): `vr_evals.stats.score`.

    Cells whose settings differ otherwise than by design are not compared: `attrs["notes"]` has a
    sentence for each, and one for each comparison that leaves out items of either side.

    Args:
        table: The tidy table.

    Returns:
        A row for each comparison. `n_items` and `n_samples` (both sides') are those paired,
        `n_unpaired` counts items that only one side has. `p_adjusted` is Holm's, over the rows of
        the same metric and model; `low_simultaneous` and `high_simultaneous` are for all rows of
        the metric. `estimate_read` is among answers read on both sides; `bound_low` and
        `bound_high` are what it could be if each unread answer could have been any option.
        `is_same_temperature` says whether both sides were asked at one temperature, unset counting
        as 1: if thinking off was asked at that of thinking on too, that is the matched comparison.

    Raises:
        InputError: The table does not have the columns of a tidy table.
    """
    grouped = cells(table, ("label", "correct"))
    accuracy = accuracies(grouped)
    present = accuracy.counted.count > 0
    records: list[dict[str, Any]] = []
    notes: list[str | Refusal] = [*grouped.notes]
    for metric, vary, is_reference in (
        ("change_from_level0", "level", is_level0),
        ("change_from_thinking_off", "thinking", is_thinking_off),
    ):
        found, refused = comparisons(grouped.cells, vary, is_reference)
        notes += refused
        for pair in found:
            matched = matched_units(grouped, (pair.side, pair.reference), present)
            side, reference = grouped.cells[pair.side], grouped.cells[pair.reference]
            notes += left_out(side, reference, matched)
            keys = side.keys | {"variant": pair.variant, "metric": metric}
            keys["is_same_temperature"] = same_temperature(side, reference)
            records.append(keys | contrast(grouped, accuracy, matched, (1, -1)))
    return finished(records, _COLUMNS, notes)


def is_level0(level: int | None, reference: int | None) -> bool:
    """Whether a level is compared with another: those from 1 on with level 0."""
    return reference == 0 and level not in (None, 0)


def is_thinking_off(thinking: bool | None, reference: bool | None) -> bool:
    """Whether a thinking condition is compared with another: on with off."""
    return thinking is True and reference is False
