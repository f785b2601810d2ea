"""Section 2: accuracy by level, thinking and model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from vr_evals.analysis.cell import CELL
from vr_evals.report.blocks import Figure, Section, Table
from vr_evals.report.by_condition import figure_by_condition, in_order
from vr_evals.report.charts import by_place
from vr_evals.report.figures import as_percent, panels_of, places_of, series_of
from vr_evals.report.results import Results
from vr_evals.report.tables import (
    cell_words,
    frame_table,
    not_drawn,
    on_ladder,
    under_condition,
)
from vr_evals.report.text import count, interval, isolated, percent, plural

__all__ = ["accuracy_section"]


def accuracy_section(results: Results) -> Section:
    """Accuracy by level, thinking and model, and by condition, with intervals."""
    title = "Accuracy by level, thinking and model"
    frame = results["accuracy"]
    right = frame[(frame["metric"] == "accuracy") & (frame["n_items"] > 0)]
    if right.empty:
        return Section("accuracy", title, findings=("No item has a right answer to compare with.",))
    chance = _chance(results.rows)
    ladder, conditions = on_ladder(right), under_condition(right)
    return Section(
        "accuracy",
        title,
        findings=(
            *_findings(ladder, frame, chance),
            *_findings(conditions, frame, chance, "by condition, "),
        ),
        figures=(*_by_level(ladder, frame, chance), *_by_condition(conditions, frame, chance)),
    )


def _by_level(
    right: pd.DataFrame, frame: pd.DataFrame, chance: Mapping[str, float]
) -> tuple[Figure, ...]:
    drawn, series = series_of(as_percent(right[right["level"].notna()]))
    drawn = drawn.assign(place=drawn["level"]).sort_values(["benchmark", "model", "variant"])
    places = places_of(drawn)

    def draw(rows: pd.DataFrame) -> Any:
        return by_place(
            rows,
            series,
            x_title="level",
            y_title="right, in %",
            domain=(0, 100),
            places=places,
            reference=_in_percent(chance, str(rows["benchmark"].iloc[0])),
        )

    return panels_of(
        "accuracy-figure",
        "Accuracy by level",
        "Marks are the share of right answers, bars its 95% interval over items. The dashed line "
        "across is chance; the table has the accuracy of always giving one answer. Levels: 0 the "
        "answer alone, 1 a plain question, 2 step by step, "
        f"3 structured, 4 the other side first, 5 a second pass.{not_drawn(right)}",
        drawn,
        ("benchmark", "model", "variant"),
        draw,
        _table("Accuracy by cell", right, frame),
        series=series,
    )


def _by_condition(
    right: pd.DataFrame, frame: pd.DataFrame, chance: Mapping[str, float]
) -> tuple[Figure, ...]:
    return figure_by_condition(
        "accuracy-conditions",
        "Accuracy by condition",
        "Marks are the share of right answers, bars its 95% interval over items. The dashed line "
        "is chance. A cue that endorses a wrong option (harm) can pull accuracy below it.",
        right,
        _table("Accuracy by cell and condition", in_order(right), frame),
        x_title="right, in %",
        domain=(0, 100),
        reference=lambda benchmark: _in_percent(chance, benchmark),
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
            "always one answer": lambda row: percent(majority[_key(row)].estimate),
            "of those read": lambda row: percent(read[_key(row)].estimate),
            "could be read": lambda row: percent(could_be_read[_key(row)].estimate),
            "items": lambda row: count(row.n_items),
            "samples": lambda row: count(row.n_samples),
        },
    )


def _findings(
    right: pd.DataFrame, frame: pd.DataFrame, chance: Mapping[str, float], which: str = ""
) -> Iterator[str]:
    majority = _by_cell(frame, "majority_rate")
    for benchmark, cells in right.groupby("benchmark"):
        cells = cells.sort_values("estimate")
        low, high = cells.iloc[0], cells.iloc[-1]
        where = ("model", "level", "thinking", "condition")
        if len(cells) == 1:
            found = f"accuracy is {interval(low)} ({cell_words(low, *where)})"
        else:
            found = (
                f"accuracy goes from {interval(low)} ({cell_words(low, *where)}) to "
                f"{interval(high)} ({cell_words(high, *where)})"
            )
        sentence = f"On {isolated(benchmark)}, {which}{found}."
        by_guess = chance.get(str(benchmark))
        one_answer = pd.Series(
            [majority[_key(row)].estimate for row in cells.itertuples()], index=cells.index
        )
        yield (
            sentence if by_guess is None else f"{sentence} {_against(by_guess, one_answer, cells)}"
        )


def _against(chance: float, one_answer: pd.Series[float], cells: pd.DataFrame) -> str:
    """How many cells are above what needs no skill: guesses, and always the same answer."""
    reference = one_answer.clip(lower=chance)
    below = int((cells["high"] < chance).sum())
    above = int((cells["low"] > reference).sum())
    like = len(cells) - below - above
    found = [f"{plural(like, 'cell')} of {len(cells)} cannot be told from these"] if like else []
    if below:
        found.append(f"{plural(below, 'cell')} of {len(cells)} {_is_are(below)} below chance")
    every = "the intervals of all cells are" if len(cells) > 1 else "the interval is"
    least, most = percent(one_answer.min()), percent(one_answer.max())
    same = most if least == most else f"{least} to {most}"
    return (
        f"Chance is {percent(chance, 0)}, and always the same answer is right in {same}; "
        f"{' and '.join(found) or f'{every} above both'}."
    )


def _is_are(n: int) -> str:
    return "is" if n == 1 else "are"


def _in_percent(chance: Mapping[str, float], benchmark: str) -> float | None:
    return 100 * chance[benchmark] if benchmark in chance else None


def _chance(rows: pd.DataFrame) -> dict[str, float]:
    """The share that guesses get right, by benchmark: where it is known for items with a target."""
    scored = rows[rows["correct"].notna() & rows["n_options"].gt(0).fillna(False)]
    by_guess = 1 / scored["n_options"].astype(float)
    means = by_guess.groupby(scored["benchmark"]).mean()
    return dict(zip(map(str, means.index), means.tolist(), strict=True))


def _by_cell(frame: pd.DataFrame, metric: str) -> dict[tuple[str, ...], Any]:
    """The rows of a metric, by cell."""
    return {_key(row): row for row in frame[frame["metric"] == metric].itertuples()}


def _key(row: Any) -> tuple[str, ...]:
    return tuple(str(getattr(row, name)) for name in CELL)
