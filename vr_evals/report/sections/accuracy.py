"""Section on accuracy by level, thinking and model, kinds of errors, and level checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from vr_evals.analysis.cell import CELL
from vr_evals.analysis.main_table import sort_by_condition
from vr_evals.formatting import count, interval, isolated, percent, some_of
from vr_evals.levels import Level
from vr_evals.report.blocks import Section, Table
from vr_evals.report.charts import (
    CONDITION_PANELS,
    as_percent,
    by_model,
    chart_by_condition,
    chart_by_level,
)
from vr_evals.report.claims import range_of
from vr_evals.report.results import Results
from vr_evals.report.sections.error_kind import error_kind_charts, error_kind_findings
from vr_evals.report.sections.level_check import level_check_charts, level_check_findings
from vr_evals.report.tables import frame_table, on_ladder, under_condition

__all__ = ["accuracy_section"]

_HOW_TO_READ = (
    "Marks are the share of right answers, bars the 95% interval over items. The dashed line is "
    "chance"
)
_LEVELS = ", ".join(f"{level.value} {level.title}" for level in Level)


def accuracy_section(results: Results) -> Section:
    """Show accuracy by level, thinking and model, and by condition, with intervals."""
    title = "Accuracy by level, thinking and model"
    frame = results["accuracy"]
    right = frame[(frame["metric"] == "accuracy") & (frame["n_items"] > 0)]
    if right.empty:
        return Section(
            "accuracy",
            title,
            findings=("No accuracy: no item has a right answer.", *level_check_findings(results)),
            charts=level_check_charts(results),
        )
    chance = _chance(results.rows)
    ladder = on_ladder(right)
    conditions = sort_by_condition(under_condition(right), *CONDITION_PANELS)

    def reference(benchmark: str) -> float | None:
        return 100 * chance[benchmark] if benchmark in chance else None

    drawn, models = by_model(as_percent(ladder))
    by_level = chart_by_level(
        "accuracy-level",
        "Accuracy by level",
        f"{_HOW_TO_READ}; the table also has the accuracy of a constant answer. Levels: {_LEVELS}.",
        drawn,
        _table("Accuracy by cell", ladder, frame),
        y_title="right answers, %",
        domain=(0, 100),
        by=("benchmark", "thinking", "variant", "group"),
        series=models,
        reference=reference,
    )
    by_condition = chart_by_condition(
        "accuracy-conditions",
        "Accuracy by condition",
        f"{_HOW_TO_READ}. A cue that endorses a wrong option (harm) can reduce accuracy below it.",
        as_percent(conditions),
        _table("Accuracy by cell and condition", conditions, frame),
        x_title="right answers, %",
        domain=(0, 100),
        reference=reference,
    )
    return Section(
        "accuracy",
        title,
        findings=(
            *_findings(ladder, frame, chance, "On"),
            *_findings(conditions, frame, chance, "By condition, on"),
            *error_kind_findings(results),
            *level_check_findings(results),
        ),
        charts=(
            *by_level,
            *by_condition,
            *error_kind_charts(results),
            *level_check_charts(results),
        ),
    )


def _table(caption: str, right: pd.DataFrame, frame: pd.DataFrame) -> Table:
    read, could_be_read = _by_cell(frame, "accuracy_read"), _by_cell(frame, "read_rate")
    balanced, majority = _by_cell(frame, "balanced_accuracy"), _by_cell(frame, "majority_rate")
    return frame_table(
        caption,
        right,
        {
            "accuracy [95%]": interval,
            "balanced [95%]": lambda row: interval(balanced[_key(row)]),
            "constant answer": lambda row: percent(majority[_key(row)].estimate),
            "of read answers": lambda row: percent(read[_key(row)].estimate),
            "answers read": lambda row: percent(could_be_read[_key(row)].estimate),
            "items": lambda row: count(row.n_items),
            "samples": lambda row: count(row.n_samples),
        },
    )


def _findings(
    right: pd.DataFrame, frame: pd.DataFrame, chance: Mapping[str, float], begin: str
) -> Iterator[str]:
    majority = _by_cell(frame, "majority_rate")
    for benchmark, cells in right.groupby("benchmark"):
        accuracy = range_of(cells, "model", "level", "thinking", "condition")
        sentence = f"{begin} {isolated(benchmark)}, accuracy is {accuracy}."
        by_guess = chance.get(str(benchmark))
        constant = pd.Series(
            [majority[_key(row)].estimate for row in cells.itertuples()], index=cells.index
        )
        yield sentence if by_guess is None else f"{sentence} {_beyond(by_guess, constant, cells)}"


def _beyond(chance: float, constant: pd.Series[float], cells: pd.DataFrame) -> str:
    """How many cells are better than guesses and than a constant answer, neither of them skill."""
    reference = constant.clip(lower=chance)
    below = int((cells["high"] < chance).sum())
    above = int((cells["low"] > reference).sum())
    least, most = percent(constant.min()), percent(constant.max())
    same = most if least == most else f"{least} to {most}"
    return (
        f"Chance is {percent(chance, 0)}; a constant answer is right in {same}. By 95% intervals, "
        f"{some_of(above, len(cells), 'cell')} {'is' if above < 2 else 'are'} above both, and "
        f"{below or 'none'} below chance."
    )


def _chance(rows: pd.DataFrame) -> dict[str, float]:
    """The share that guesses get right, by benchmark: if known, for items with a target."""
    rows = rows[["benchmark", "correct", "n_options"]]
    scored = rows[rows["correct"].notna() & rows["n_options"].gt(0).fillna(False)]
    by_guess = 1 / scored["n_options"].astype(float)
    means = by_guess.groupby(scored["benchmark"]).mean()
    return dict(zip(map(str, means.index), means.tolist(), strict=True))


def _by_cell(frame: pd.DataFrame, metric: str) -> dict[tuple[str, ...], Any]:
    """The rows of a metric, by cell."""
    return {_key(row): row for row in frame[frame["metric"] == metric].itertuples()}


def _key(row: Any) -> tuple[str, ...]:
    return tuple(str(getattr(row, name)) for name in CELL)
