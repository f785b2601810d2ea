"""Every comparison that a report shows, computed once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from vr_evals.analysis.accuracy import accuracy, labels
from vr_evals.analysis.agreement import agreement, agreement_between_models
from vr_evals.analysis.authority import authority
from vr_evals.analysis.calibration import ambiguity, calibration, reliability
from vr_evals.analysis.cells import grouped_once
from vr_evals.analysis.changes import changes
from vr_evals.analysis.checks import check_columns, check_rows
from vr_evals.analysis.columns import COLUMNS
from vr_evals.analysis.compare_models import compare_models
from vr_evals.analysis.confidence_category import confidence_category
from vr_evals.analysis.cost import cost
from vr_evals.analysis.effects import effects
from vr_evals.analysis.error_kind import error_kind
from vr_evals.analysis.flips import flips
from vr_evals.analysis.items import items
from vr_evals.analysis.ladder import ladder, noise_floor
from vr_evals.analysis.level_check import level_check
from vr_evals.analysis.main_table import join_main_table, run_quality
from vr_evals.analysis.moved import moved
from vr_evals.analysis.preference import preference
from vr_evals.analysis.read_rates import read_rate_changes
from vr_evals.characters import replace_lone_surrogates
from vr_evals.errors import InputError

__all__ = ["Progress", "Results", "compute"]

Progress = Callable[[str, int, int], None]
"""Called with the name of the next step, the number of steps done, and the total."""


@dataclass(frozen=True)
class Results:
    """The tidy table, its logs, and the frames computed from it.

    Attributes:
        rows: The tidy table; its ``attrs`` are empty, because each step of pandas would copy them.
        logs: The logs that were read.
        skipped: The logs that were not, each with the reason.
        notes: Sentences on the logs.
        frames: By name, those of `FRAMES` and `main`.
        refused: Why a frame could not be computed, by its name.
    """

    rows: pd.DataFrame
    logs: list[dict[str, Any]]
    skipped: list[dict[str, Any]]
    notes: list[str]
    frames: dict[str, pd.DataFrame]
    refused: dict[str, str]

    @cached_property
    def effects(self) -> pd.DataFrame:
        """Effects over the whole study, computed when first asked for; empty if there are none."""
        return effects(self.rows)

    def __getitem__(self, name: str) -> pd.DataFrame:
        """Return a frame; an empty one without columns if it could not be computed.

        Raises:
            KeyError: No frame has this name.
        """
        if name in self.refused:
            return pd.DataFrame()
        if name not in self.frames:
            raise KeyError(f"invalid frame '{name}': expected one of {', '.join(self.frames)}")
        return self.frames[name]


FRAMES: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "accuracy": accuracy,
    "labels": labels,
    "error_kind": error_kind,
    "level_check": level_check,
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
    "confidence_category": confidence_category,
    "reliability": reliability,
    "pooled_reliability": lambda rows: reliability(_without_levels(rows)),
    "authority": authority,
    "moved": moved,
    "models": compare_models,
    "cost": cost,
    "quality": run_quality,
    "items": items,
}
"""What is computed of the tidy table, by the frame's name."""


def compute(rows: pd.DataFrame, progress: Progress | None = None) -> Results:
    """Compute every frame of a report.

    Args:
        rows: The tidy table.
        progress: Called before each step.

    Raises:
        InputError: The table lacks a column of a tidy table, or contains no answer.
    """
    check_columns(rows)
    check_rows(rows)
    attrs, rows = rows.attrs, rows.copy(deep=False)
    rows.attrs = {}
    rows = _replace_surrogates(rows)
    frames: dict[str, pd.DataFrame] = {}
    refused: dict[str, str] = {}
    with grouped_once():
        for done, (name, make) in enumerate(FRAMES.items()):
            if progress:
                progress(name.replace("_", " "), done, len(FRAMES))
            try:
                frames[name] = make(rows)
            except InputError as error:
                refused[name] = error.message
    frames["main"] = join_main_table(frames["accuracy"], frames["changes"], frames["quality"])
    return Results(
        rows,
        list(attrs.get("logs", [])),
        list(attrs.get("skipped", [])),
        list(attrs.get("notes", [])),
        frames,
        refused,
    )


def _replace_surrogates(rows: pd.DataFrame) -> pd.DataFrame:
    """A table made elsewhere may contain lone surrogates, which no column of text can."""
    for column in COLUMNS:
        values = rows[column.name]
        if column.dtype == "string" and values.dtype != pd.StringDtype("pyarrow"):
            texts = values.map(
                lambda value: replace_lone_surrogates(str(value)), na_action="ignore"
            )
            rows[column.name] = texts.astype("string")
    return rows


def _without_levels(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of the ladder, as if all levels were one."""
    ladder = rows[rows["condition"].isna() & rows["level"].notna()]
    return ladder.assign(
        level=pd.array([pd.NA] * len(ladder), dtype="Int64"),
        second_pass=pd.array([pd.NA] * len(ladder), dtype="string"),
    )
