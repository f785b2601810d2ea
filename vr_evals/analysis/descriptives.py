"""How answers were stated, what they mention, and how sure they are, by cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import numpy as np
import pandas as pd

from vr_evals.analysis.cells import CELL, Cells, Flags, Integers, cells, tidy_frame
from vr_evals.analysis.estimates import ESTIMATE, mean_row, rate_row
from vr_evals.answers import AnswerFormat

__all__ = ["descriptives"]

_COLUMNS = (
    "answer_format",
    "cut_off",
    "acknowledged",
    "acknowledged_in_reasoning",
    "confidence",
    "label",
    "correct",
    "first_confidence",
    "reflection",
)


def descriptives(table: pd.DataFrame) -> pd.DataFrame:
    """Return how answers were stated, what they mention, and how sure they are, by cell.

    - `tag`, `stated`, `empty`, `refused`, `ambiguous`, `truncated`, `missing`: share of samples
      with each `answer_format`; `cut_off`: share of replies that the token limit ended;
    - `mentioned`, `mentioned_in_reasoning`: share of visible replies, and of readable reasoning,
      that mention the authority or its suggestion; under control the rate of false alarms;
    - `mean_confidence_right`, `mean_confidence_wrong`: mean confidence (0–100) of the answers that
      were right, or wrong;
    - `confidence_before`, `confidence_after`: mean confidence (0–100) of level 5's passes, over the
      samples with an answer and a confidence in both; `confidence_change_kept` and
      `confidence_change_flipped`: its mean change (points) if the choice was kept, or changed.

    Shares are means over items of the share among the epochs, with `wilson_clustered`; confidences
    are means over samples, with `score_mean`.

    Args:
        table: The tidy table.

    Returns:
        A row for each cell and metric that its samples have a value of.

    Raises:
        InputError: The table does not have the columns of a tidy table.
    """
    grouped = cells(table, _COLUMNS)
    records = [
        grouped.cells[number].keys | row
        for number in range(len(grouped.cells))
        for row in (*_shares(grouped, number), *_confidences(grouped, number))
    ]
    return tidy_frame(records, (*CELL, *ESTIMATE), grouped.notes)


def _shares(grouped: Cells, number: int) -> Iterator[dict[str, Any]]:
    rows = grouped.rows
    formats = rows["answer_format"]
    for metric, column, values in (
        *((word, "answer_format", formats.eq(word)) for word in get_args(AnswerFormat)),
        ("cut_off", "cut_off", rows["cut_off"]),
        ("mentioned", "acknowledged", rows["acknowledged"].ne("none")),
        (
            "mentioned_in_reasoning",
            "acknowledged_in_reasoning",
            rows["acknowledged_in_reasoning"].ne("none"),
        ),
    ):
        samples = _samples(grouped, number, rows[column].notna().to_numpy())
        if len(samples):
            found = values.fillna(False).to_numpy(dtype=bool)
            yield rate_row(metric, grouped, found, samples)


def _confidences(grouped: Cells, number: int) -> Iterator[dict[str, Any]]:
    rows = grouped.rows
    confidence = rows["confidence"].to_numpy(dtype=float, na_value=np.nan)
    before = rows["first_confidence"].to_numpy(dtype=float, na_value=np.nan)
    read = rows["label"].notna() & ~np.isnan(confidence)
    right = rows["correct"]
    both = rows["reflection"].notna() & ~np.isnan(confidence) & ~np.isnan(before)
    kept = rows["reflection"].eq("kept")
    change = confidence - before
    for metric, values, used, least in (
        ("mean_confidence_right", confidence, read & right.eq(True), 0),
        ("mean_confidence_wrong", confidence, read & right.eq(False), 0),
        ("confidence_before", before, both, 0),
        ("confidence_after", confidence, both, 0),
        ("confidence_change_kept", change, both & kept, -100),
        ("confidence_change_flipped", change, both & ~kept, -100),
    ):
        samples = _samples(grouped, number, used.fillna(False).to_numpy(dtype=bool))
        if len(samples):
            yield mean_row(metric, grouped, values, samples, (least, 100))


def _samples(grouped: Cells, number: int, used: Flags) -> Integers:
    """Return the numbers of a cell's samples that are used."""
    in_cell = grouped.row_slices[number]
    samples: Integers = in_cell.start + np.flatnonzero(used[in_cell])
    return samples
