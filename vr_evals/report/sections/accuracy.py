"""Section 2: accuracy by level, thinking and model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from vr_evals.report.blocks import Section
from vr_evals.report.charts import by_place
from vr_evals.report.figures import as_percent, panels_of, places_of, series_of
from vr_evals.report.results import Results
from vr_evals.report.tables import cell_words, frame_table, on_ladder
from vr_evals.report.text import count, interval, isolated, percent, plural

__all__ = ["accuracy_section"]


def accuracy_section(results: Results) -> Section:
    """Accuracy by level, thinking and model, with intervals."""
    frame = on_ladder(results["accuracy"])
    right = frame[(frame["metric"] == "accuracy") & (frame["n_items"] > 0)]
    if right.empty:
        return Section(
            "accuracy",
            "Accuracy",
            findings=(
                "No item outside the authority paradigm has a right answer to compare with.",
            ),
        )
    chance = _chance(results.rows)
    drawn, series = series_of(as_percent(right[right["level"].notna()]))
    drawn = drawn.assign(place=drawn["level"]).sort_values(["benchmark", "model", "variant"])
    places = places_of(drawn)

    def draw(rows: pd.DataFrame) -> Any:
        by_guess = chance.get(rows["benchmark"].iloc[0])
        return by_place(
            rows,
            series,
            x_title="level",
            y_title="right, in %",
            domain=(0, 100),
            places=places,
            reference=None if by_guess is None else 100 * by_guess,
        )

    others = _others(frame)
    table = frame_table(
        "Accuracy by cell",
        right,
        {
            "accuracy [95%]": interval,
            "of those read": lambda row: percent(others["accuracy_read"].get(_key(row))),
            "could be read": lambda row: percent(others["read_rate"].get(_key(row))),
            "items": lambda row: count(row.n_items),
            "samples": lambda row: count(row.n_samples),
        },
    )
    figures = panels_of(
        "accuracy-figure",
        "Accuracy by level",
        "Marks are the share of right answers, bars its 95% interval over items. The dashed line "
        "across is chance. Levels: 0 the answer alone, 1 a plain question, 2 step by step, "
        "3 structured, 4 the other side first, 5 a second pass.",
        drawn,
        ("benchmark", "model", "variant"),
        draw,
        table,
        series=series,
    )
    return Section(
        "accuracy",
        "Accuracy by level, thinking and model",
        findings=tuple(_findings(right, chance)),
        figures=figures,
        tables=() if figures else (table,),
    )


def _findings(right: pd.DataFrame, chance: dict[str, float]) -> Iterator[str]:
    for benchmark, cells in right.groupby("benchmark"):
        cells = cells.sort_values("estimate")
        low, high = cells.iloc[0], cells.iloc[-1]
        where = ("model", "level", "thinking")
        if len(cells) == 1:
            found = f"accuracy is {interval(low)} ({cell_words(low, *where)})"
        else:
            found = (
                f"accuracy goes from {interval(low)} ({cell_words(low, *where)}) to "
                f"{interval(high)} ({cell_words(high, *where)})"
            )
        sentence = f"On {isolated(benchmark)}, {found}."
        by_guess = chance.get(str(benchmark))
        if by_guess is not None:
            like_chance = int(((cells["low"] <= by_guess) & (cells["high"] >= by_guess)).sum())
            sentence += f" Chance is {percent(by_guess, 0)}; "
            sentence += (
                f"{plural(like_chance, 'cell')} of {len(cells)} cannot be told from it."
                if like_chance
                else "the intervals of all cells are clear of it."
            )
        yield sentence


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
    return tuple(
        str(getattr(row, name)) for name in ("model", "benchmark", "level", "thinking", "variant")
    )
