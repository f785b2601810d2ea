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
        findings=(*_findings(ladder, chance), *_findings(conditions, chance, "by condition, ")),
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
        "across is chance. Levels: 0 the answer alone, 1 a plain question, 2 step by step, "
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
    others = _others(frame)
    return frame_table(
        caption,
        right,
        {
            "accuracy [95%]": interval,
            "of those read": lambda row: percent(others["accuracy_read"].get(_key(row))),
            "could be read": lambda row: percent(others["read_rate"].get(_key(row))),
            "items": lambda row: count(row.n_items),
            "samples": lambda row: count(row.n_samples),
        },
    )


def _findings(right: pd.DataFrame, chance: Mapping[str, float], which: str = "") -> Iterator[str]:
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
        yield sentence if by_guess is None else f"{sentence} {_against(by_guess, cells)}"


def _against(chance: float, cells: pd.DataFrame) -> str:
    """How many cells have an interval that holds chance, and how many one that is below it."""
    below = int((cells["high"] < chance).sum())
    like = len(cells) - below - int((cells["low"] > chance).sum())
    found = [f"{plural(like, 'cell')} of {len(cells)} cannot be told from it"] if like else []
    if below:
        found.append(f"{plural(below, 'cell')} of {len(cells)} {_is_are(below)} below it")
    every = "the intervals of all cells are" if len(cells) > 1 else "the interval is"
    return f"Chance is {percent(chance, 0)}; {' and '.join(found) or f'{every} above it'}."


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


def _others(frame: pd.DataFrame) -> dict[str, dict[Any, float]]:
    """The other metrics, by cell."""
    found: dict[str, dict[Any, float]] = {"accuracy_read": {}, "read_rate": {}}
    row: Any
    for row in frame.itertuples():
        found.setdefault(row.metric, {})[_key(row)] = row.estimate
    return found


def _key(row: Any) -> tuple[str, ...]:
    return tuple(str(getattr(row, name)) for name in CELL)
