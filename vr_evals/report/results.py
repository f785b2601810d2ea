"""Every comparison that a report shows, computed once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from vr_evals.analysis.accuracy import accuracy, labels
from vr_evals.analysis.agreement import agreement, agreement_between_models
from vr_evals.analysis.authority import authority
from vr_evals.analysis.calibration import ambiguity, calibration, reliability
from vr_evals.analysis.cells import grouped_once, needed_columns
from vr_evals.analysis.changes import changes
from vr_evals.analysis.checks import check_rows, tidy_columns
from vr_evals.analysis.compare_models import compare_models
from vr_evals.analysis.confidence_category import confidence_category
from vr_evals.analysis.contrasts import FACTORS, contrasts
from vr_evals.analysis.cost import cost
from vr_evals.analysis.effects import effects
from vr_evals.analysis.error_kind import error_kind
from vr_evals.analysis.flips import flips
from vr_evals.analysis.items import items
from vr_evals.analysis.ladder import ladder, noise_floor
from vr_evals.analysis.level_check import level_check
from vr_evals.analysis.main_table import join_main_table, run_quality
from vr_evals.analysis.moved import moved
from vr_evals.analysis.plans import Plan, as_plan
from vr_evals.analysis.preference import preference
from vr_evals.analysis.read_rates import read_rate_changes
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
        primary: The primary effects of the study; None for the usual ones.
        margin: The least effect of interest, in points.
    """

    rows: pd.DataFrame
    logs: list[dict[str, Any]]
    skipped: list[dict[str, Any]]
    notes: list[str]
    frames: dict[str, pd.DataFrame]
    refused: dict[str, str]
    primary: Plan | None = None
    margin: float | None = None

    @cached_property
    def effects(self) -> pd.DataFrame:
        """Effects over the whole study, computed when first asked for; empty if there are none."""
        return effects(self.rows, primary=self.primary, margin=self.margin)

    @cached_property
    def effects_of_models(self) -> pd.DataFrame:
        """The primary effects of each model by itself; empty if there is one model."""
        found = self.effects
        pooled = found[found["is_primary"].fillna(False) & (found["question"] != "models")]
        if pooled.empty or self.rows["model"].nunique() < 2:
            return found.head(0)
        outcomes, names = (list(pooled[name].unique()) for name in ("outcome", "contrast"))
        each = effects(self.rows, outcome=outcomes, contrast=names, by=["model"])
        keys = ["outcome", "contrast", "condition", "variant"]
        others = pd.MultiIndex.from_frame(found.loc[~found["is_primary"].fillna(False), keys])
        return each[~pd.MultiIndex.from_frame(each[keys]).isin(others)]

    @cached_property
    def main_contrasts(self) -> list[str]:
        """The names of the main effects of the study: one side against another, all else alike."""
        values = {name: sorted(self.rows[name].dropna().unique()) for name in FACTORS}
        return [each.name for each in contrasts(values) if each.main]

    def __getitem__(self, name: str) -> pd.DataFrame:
        """Return a frame; an empty one without columns if it could not be computed.

        A frame of `FRAMES` that was left out is computed when first asked for.

        Raises:
            KeyError: No frame has this name.
        """
        if name in FRAMES and name not in {*self.frames, *self.refused}:
            _add_frame(name, self.rows, self.frames, self.refused)
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


def compute(
    rows: pd.DataFrame,
    progress: Progress | None = None,
    *,
    primary: Plan | None = None,
    margin: float | None = None,
    only: Sequence[str] | None = None,
) -> Results:
    """Compute every frame of a report.

    Args:
        rows: The tidy table.
        progress: Called before each step.
        primary: The primary effects of the study, as for `vr_evals.analysis.effects`.
        margin: The least effect of interest, in points.
        only: Names of the frames to compute now; all if left out.

    Raises:
        InputError: The table lacks a column of a tidy table, or contains no answer.
    """
    columns = tidy_columns(rows)
    check_rows(rows)
    attrs, rows = rows.attrs, columns
    frames: dict[str, pd.DataFrame] = {}
    refused: dict[str, str] = {}
    names = FRAMES if only is None else only
    with grouped_once():
        for done, name in enumerate(names):
            if progress:
                progress(name.replace("_", " "), done, len(names))
            _add_frame(name, rows, frames, refused)
    if only is None:
        frames["main"] = join_main_table(frames["accuracy"], frames["changes"], frames["quality"])
    return Results(
        rows,
        list(attrs.get("logs", [])),
        list(attrs.get("skipped", [])),
        list(attrs.get("notes", [])),
        frames,
        refused,
        primary if primary is None else as_plan(primary),
        margin,
    )


def _add_frame(
    name: str, rows: pd.DataFrame, frames: dict[str, pd.DataFrame], refused: dict[str, str]
) -> None:
    """Compute a frame, or add why it cannot be computed."""
    try:
        frames[name] = FRAMES[name](rows)
    except InputError as error:
        refused[name] = error.message


def _without_levels(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of the ladder, as if all levels were one."""
    rows = rows[needed_columns("label", "correct", "confidence", "n_options")]
    ladder = rows[rows["condition"].isna() & rows["level"].notna()]
    return ladder.assign(
        level=pd.array([pd.NA] * len(ladder), dtype="Int64"),
        second_pass=pd.array([pd.NA] * len(ladder), dtype="string"),
        epoch=pd.array([pd.NA] * len(ladder), dtype="Int64"),  # the same sample at other levels
    )
