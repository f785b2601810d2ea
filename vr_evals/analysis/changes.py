"""What a level, or thinking, does to accuracy."""

from __future__ import annotations

from typing import Any

import pandas as pd

from vr_evals.analysis.cells import CELL, Cells, UnitMeans, cells, tidy_frame
from vr_evals.analysis.pairing import (
    COUNTS,
    adjust_p,
    comparisons,
    contrast,
    left_out,
    matched_units,
)

__all__ = ["accuracy_by_unit", "changes", "is_level0", "is_thinking_off"]

_COLUMNS = (
    *CELL,
    "metric",
    "estimate",
    "low",
    "high",
    *COUNTS,
    "p",
    "p_adjusted",
    "test",
)


def changes(table: pd.DataFrame) -> pd.DataFrame:
    """Change of accuracy from level 0, and from thinking off to on, on the same items.

    - `change_from_level0`: accuracy at the row's level less accuracy at level 0, all else equal;
    - `change_from_thinking_off`: accuracy with thinking less accuracy without, all else equal.

    Items with a target that both sides have are paired, each in the same order of its options. An
    answer that could not be read is there, and not right. Epochs are averaged first. The test is
    McNemar's exact one (`test` is `mcnemar`) where every cluster has one answer a side, else the
    sign-flip permutation test on the means of clusters (`sign_flip`).

    Cells whose settings differ otherwise than by design are not compared: `attrs["notes"]` has a
    sentence for each, and one for each comparison that leaves out items of either side.

    Args:
        table: The tidy table.

    Returns:
        A row for each comparison. `n_items` and `n_samples` (both sides') are those paired,
        `n_unpaired` counts items that only one side has. `p_adjusted` is Holm's, over the rows of
        the same metric in this frame.

    Raises:
        InputError: The table has not the columns of a tidy table.
    """
    grouped = cells(table, ("correct",))
    figure = accuracy_by_unit(grouped)
    records: list[dict[str, Any]] = []
    notes = list(grouped.notes)
    for metric, vary, is_reference in (
        ("change_from_level0", "level", is_level0),
        ("change_from_thinking_off", "thinking", is_thinking_off),
    ):
        found, refused = comparisons(grouped.cells, vary, is_reference)
        notes += refused
        for pair in found:
            matched = matched_units(grouped, (pair.side, pair.reference), figure.count > 0)
            side, reference = grouped.cells[pair.side], grouped.cells[pair.reference]
            notes += left_out(side, reference, matched)
            keys = side.keys | {"variant": pair.variant, "metric": metric}
            records.append(keys | contrast(grouped, figure, matched, (1, -1)))
    return adjust_p(tidy_frame(records, _COLUMNS, notes))


def accuracy_by_unit(grouped: Cells) -> UnitMeans:
    """The share of right answers of each unit with a target; one unread is not right."""
    correct = grouped.rows["correct"]
    return grouped.mean(correct.fillna(False), correct.notna())


def is_level0(level: int | None, reference: int | None) -> bool:
    """Whether a level is compared with another: those from 1 on with level 0."""
    return reference == 0 and level not in (None, 0)


def is_thinking_off(thinking: bool | None, reference: bool | None) -> bool:
    """Whether a thinking condition is compared with another: on with off."""
    return thinking is True and reference is False
