"""Section 4: flips between levels, with thinking, and between passes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from vr_evals.analysis.cell import CELL
from vr_evals.report.blocks import Figure, Section
from vr_evals.report.charts import by_place, by_row
from vr_evals.report.figures import as_percent, axis_end, panels_of, places_of
from vr_evals.report.results import Results
from vr_evals.report.tables import (
    cell_words,
    frame_table,
    in_words,
    not_drawn,
    on_ladder,
    under_condition,
)
from vr_evals.report.text import count, interval, percent, plural, thinking_word

__all__ = ["flips_section"]

_KINDS = {
    "good_flip": "good: to the right answer",
    "bad_flip": "bad: away from the right answer",
    "other_flip": "other: wrong to wrong, or no right answer",
}
_COMPARISONS = {
    "level0": "from level 0",
    "thinking_off": "from thinking off to on",
    "first_pass": "from the first to the second pass",
}
_PANELS = ("benchmark", "model", "variant")


def flips_section(results: Results) -> Section:
    """Which answers change, and whether to the better."""
    title = "Flips between levels, and between passes"
    frame = results["flips"]
    frame = frame[frame["n_items"] > 0] if len(frame) else frame
    if frame.empty:
        why = "No two levels, thinking conditions or passes were answered on the same items."
        return Section("flips", title, findings=(why,))
    return Section(
        "flips",
        title,
        findings=(
            *_findings(on_ladder(frame), ""),
            *_findings(under_condition(frame), "Under a condition, "),
        ),
        figures=tuple(figure for name in _COMPARISONS for figure in _figure(name, frame)),
    )


def _findings(frame: pd.DataFrame, where: str) -> Iterator[str]:
    for comparison, words in _COMPARISONS.items():
        rows = frame[frame["comparison"] == comparison]
        flips = rows[rows["metric"] == "flip"].sort_values("estimate")
        if flips.empty:
            continue
        most = flips.iloc[-1]
        begin = where + words
        share = (
            f"between {percent(flips['estimate'].iloc[0])} and {percent(most['estimate'])} of "
            f"answers change (most: {cell_words(most)})"
            if len(flips) > 1
            else f"{percent(most['estimate'])} of answers change ({cell_words(most)})"
        )
        yield f"{begin[0].upper()}{begin[1:]}, {share}. {_balance(rows)}"


def _balance(rows: pd.DataFrame) -> str:
    """In how many cells good flips are more than bad ones."""
    good, bad = (
        rows[rows["metric"] == name].set_index(list(CELL))["estimate"]
        for name in ("good_flip", "bad_flip")
    )
    gain = good - bad.reindex(good.index)
    return (
        f"Good flips are more than bad ones in {int((gain > 0).sum())} of "
        f"{plural(len(gain), 'cell')} and fewer in {int((gain < 0).sum())}."
    )


def _figure(comparison: str, frame: pd.DataFrame) -> tuple[Figure, ...]:
    words = _COMPARISONS[comparison]
    of_comparison = frame[frame["comparison"] == comparison]
    table = frame_table(
        f"Flips {words}",
        of_comparison,
        {
            "kind": lambda row: row.metric.replace("_", " "),
            "share [95%]": interval,
            "items": lambda row: count(row.n_items),
            "answers": lambda row: count(row.n_samples),
            "left out": lambda row: count(row.n_left_out),
        },
        texts=("kind",),
    )
    drawn = on_ladder(of_comparison)
    drawn = drawn[drawn["metric"].isin(_KINDS) & drawn["level"].notna()]
    drawn = as_percent(drawn).sort_values([*_PANELS, "thinking", "level"])
    drawn = drawn.assign(
        series=in_words(drawn["metric"], lambda metric: _KINDS[metric]),
        place=drawn["level"],
        row=in_words(drawn["thinking"], lambda value: f"thinking {thinking_word(value)}"),
        clear=True,
    )
    series = tuple(_KINDS.values())
    top = axis_end(drawn["high"])
    places = places_of(drawn)

    def draw(panel: pd.DataFrame) -> Any:
        words = "of all answers, in %"
        if comparison == "first_pass":
            return by_row(panel, series, x_title=words, domain=(0, top))
        return by_place(
            panel, series, x_title="level", y_title=words, domain=(0, top), places=places
        )

    return panels_of(
        f"flips-{comparison.replace('_', '-')}",
        f"Flips {words}",
        "Marks are shares of all answers, bars their 95% intervals over items. Where every item "
        "has a right answer, good flips less bad ones is the change in accuracy among what was "
        "read on both sides; where both are equal, answers moved for nothing."
        f"{not_drawn(of_comparison)}",
        drawn,
        (*_PANELS, "thinking") if comparison == "level0" else _PANELS,
        draw,
        table,
        series=series,
    )
