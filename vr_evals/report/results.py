"""Every comparison that a report shows, made once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from vr_evals.analysis.accuracy import accuracy, labels
from vr_evals.analysis.agreement import agreement, agreement_between_models
from vr_evals.analysis.authority import authority
from vr_evals.analysis.calibration import ambiguity, calibration, reliability
from vr_evals.analysis.changes import changes
from vr_evals.analysis.columns import COLUMNS
from vr_evals.analysis.compare_models import compare_models
from vr_evals.analysis.flips import flips
from vr_evals.analysis.ladder import ladder, noise_floor
from vr_evals.analysis.preference import preference
from vr_evals.analysis.read_rates import read_rate_changes
from vr_evals.characters import replace_lone_surrogates
from vr_evals.errors import InputError
from vr_evals.report.cost import cost
from vr_evals.report.items import items
from vr_evals.report.main_table import joined, what_happened
from vr_evals.report.text import plural, shown

__all__ = ["Progress", "Results", "check_rows", "compute"]

Progress = Callable[[str, int, int], None]
"""Called with what comes next, the steps that are done, and those there are."""


@dataclass(frozen=True)
class Results:
    """The tidy table, where it is from, and the frames made of it.

    Attributes:
        rows: The tidy table; its ``attrs`` are empty, since each step of pandas would copy them.
        logs: The logs that it is from.
        skipped: Those that were not read, with the reason.
        notes: Sentences on the logs.
        frames: By name: `accuracy`, `labels`, `changes`, `read_rates`, `ladder`, `noise_floor`,
            `flips`, `agreement`, `model_agreement`, `preference`, `calibration`, `ambiguity`,
            `reliability`, `pooled_reliability`, `authority`, `models`, `cost`, `happened`, `main`,
            `items`.
        refused: Why a frame could not be made, by its name.
    """

    rows: pd.DataFrame
    logs: list[dict[str, Any]]
    skipped: list[dict[str, Any]]
    notes: list[str]
    frames: dict[str, pd.DataFrame]
    refused: dict[str, str]

    def __getitem__(self, name: str) -> pd.DataFrame:
        """A frame; empty and without columns if it could not be made."""
        return self.frames.get(name, pd.DataFrame())


_FRAMES: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "accuracy": accuracy,
    "labels": labels,
    "changes": changes,
    "read_rates": read_rate_changes,
    "ladder": ladder,
    "noise_floor": noise_floor,
    "flips": flips,
    "agreement": agreement,
    "model_agreement": agreement_between_models,
    "preference": preference,
    "calibration": calibration,
    "ambiguity": ambiguity,
    "reliability": reliability,
    "pooled_reliability": lambda rows: reliability(_without_levels(rows)),
    "authority": authority,
    "models": compare_models,
    "cost": cost,
    "happened": what_happened,
    "items": items,
}


def compute(rows: pd.DataFrame, progress: Progress | None = None) -> Results:
    """Make every frame of a report.

    Args:
        rows: The tidy table.
        progress: Called before each step.

    Raises:
        InputError: The table has not the columns of a tidy table, or no rows.
    """
    missing = [column.name for column in COLUMNS if column.name not in rows.columns]
    if missing:
        raise InputError(
            f"the table has no column {', '.join(missing)}; wanted is a table from read_logs"
        )
    check_rows(rows)
    attrs, rows = rows.attrs, rows.copy(deep=False)
    rows.attrs = {}
    rows = _with_whole_texts(rows)
    frames: dict[str, pd.DataFrame] = {}
    refused: dict[str, str] = {}
    for done, (name, make) in enumerate(_FRAMES.items()):
        if progress:
            progress(name.replace("_", " "), done, len(_FRAMES))
        try:
            frames[name] = make(rows)
        except InputError as error:
            refused[name] = error.message
    frames["main"] = joined(frames["accuracy"], frames["changes"], frames["happened"])
    return Results(
        rows,
        list(attrs.get("logs", [])),
        list(attrs.get("skipped", [])),
        list(attrs.get("notes", [])),
        frames,
        refused,
    )


def _with_whole_texts(rows: pd.DataFrame) -> pd.DataFrame:
    """A table made elsewhere may hold halves of surrogate pairs, which no column of text can."""
    for column in COLUMNS:
        values = rows[column.name]
        if column.dtype == "string" and values.dtype != pd.StringDtype("pyarrow"):
            texts = values.map(
                lambda value: replace_lone_surrogates(str(value)), na_action="ignore"
            )
            rows[column.name] = texts.astype("string")
    return rows


def check_rows(rows: pd.DataFrame) -> None:
    """Check that a tidy table has an answer.

    Args:
        rows: What `vr_evals.analysis.read_logs` returns.

    Raises:
        InputError: It has none; the line says why.
    """
    if not rows["error"].notna().all():
        return
    skipped = rows.attrs.get("skipped", [])
    if len(rows):
        raise InputError(f"there is nothing to show: all {len(rows)} samples ended in an error")
    if not skipped:
        raise InputError("there is nothing to show: no sample of the logs has ended")
    first, others = skipped[0], len(skipped) - 1
    more = f", and {plural(others, 'more log')} skipped" if others else ""
    raise InputError(
        f"there is nothing to show: {shown(first['log'], 300)} is skipped since "
        f"{shown(first['reason'], 300)}{more}"
    )


def _without_levels(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of the ladder, as if all levels were one."""
    ladder = rows[rows["condition"].isna() & rows["level"].notna()]
    return ladder.assign(
        level=pd.array([pd.NA] * len(ladder), dtype="Int64"),
        second_pass=pd.array([pd.NA] * len(ladder), dtype="string"),
    )
