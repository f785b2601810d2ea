"""Section 3: changes from level 0 and from thinking off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from vr_evals.report.blocks import Figure, Section, Table
from vr_evals.report.charts import by_row
from vr_evals.report.figures import as_percent, panels_of, series_of, symmetric_domain
from vr_evals.report.results import Results
from vr_evals.report.tables import (
    cell_words,
    frame_table,
    in_words,
    largest,
    not_drawn,
    on_ladder,
)
from vr_evals.report.text import (
    count,
    interval,
    isolated,
    p_is,
    p_value,
    percent,
    plural,
    points,
    shown,
)

__all__ = ["CLEAR", "changes_section", "what_was_shown"]

CLEAR = 0.05
"""Adjusted p-value below which a difference is said to be shown."""

_PANELS = ("benchmark", "model", "variant")
_READING = (
    "Marks are the change of accuracy in percentage points on the items that both sides answered, "
    "bars its 95% interval. A filled mark is a change that is shown (p < 0.05 after Holm's "
    "correction); for a hollow one none could be shown."
)


def changes_section(results: Results) -> Section:
    """Changes of accuracy from level 0 and from thinking off, and the whole ladder."""
    title = "Changes from level 0, and from thinking off"
    frame, steps = results["changes"], results["ladder"]
    if frame.empty:
        why = (
            "Nothing can be compared: there is no other level beside a level 0, and no pair of "
            "thinking off and on, with the same settings and items with a right answer."
        )
        return Section("changes", title, findings=(why,))
    findings: list[str] = []
    figures: tuple[Figure, ...] = ()
    for metric, words in (
        ("change_from_level0", "change from level 0"),
        ("change_from_thinking_off", "change from thinking off"),
    ):
        rows = frame[(frame["metric"] == metric) & (frame["n_items"] > 0)]
        findings.append(what_was_shown(rows, words))
        figures += _figure(metric.replace("_", "-"), words.capitalize(), rows)
    findings += _of_ladder(steps)
    findings += _noise(results["noise_floor"])
    return Section(
        "changes", title, findings=tuple(findings), figures=figures, tables=_tables(steps)
    )


def what_was_shown(rows: pd.DataFrame, one: str) -> str:
    """What tests of differences showed, and how small a difference could have been seen.

    Args:
        rows: Tested rows of a frame, differences of rates.
        one: What one of them is called.
    """
    rows = rows[rows["p"].notna()]
    if rows.empty:
        return f"There is no {one} to test."
    clear = rows[rows["p_adjusted"] < CLEAR]
    half = 50 * (rows["high"] - rows["low"]).median()
    n, found = len(rows), len(clear)
    first, _, others = one.partition(" ")
    many = f"{first}s {others}"
    reach = f"(half the width of their 95% intervals is {half:.1f} points in the middle)"
    if not found:
        return (
            f"None of {plural(n, one, many)} could be shown to differ from 0 after Holm's "
            f"correction {reach}. That is not to say that there is none: smaller ones than that "
            "could not be seen."
        )
    most = largest(clear)
    versus = f" less {isolated(most.versus)}" if "versus" in most else ""
    sentence = (
        f"Of {plural(n, one, many)}, {found} {'is' if found == 1 else 'are'} shown to differ from "
        f"0 after Holm's correction. The largest: {interval(most, points)} points "
        f"({cell_words(most, 'model')}{versus}, "
        f"{cell_words(most, 'benchmark', 'level', 'thinking', 'condition')}; "
        f"{p_is(most.p_adjusted)})."
    )
    if found < n:
        sentence += f" For the other {n - found} no difference could be shown {reach}."
    return sentence


def _figure(anchor: str, title: str, rows: pd.DataFrame) -> tuple[Figure, ...]:
    table = frame_table(
        title,
        rows,
        {
            "points [95%]": lambda row: interval(row, points),
            "p": lambda row: p_value(row.p),
            "p (Holm)": lambda row: p_value(row.p_adjusted),
            "items": lambda row: count(row.n_items),
            "unpaired": lambda row: count(row.n_unpaired),
            "test": lambda row: shown(row.test).replace("_", " "),
        },
        texts=("test",),
    )
    drawn = on_ladder(rows)
    drawn, series = series_of(as_percent(drawn[drawn["level"].notna()]))
    if title.endswith("thinking off"):
        drawn, series = drawn.assign(series="thinking on"), ("thinking on",)
    drawn = drawn.assign(
        row=in_words(drawn["level"], lambda level: f"level {level}"), clear=_clear(drawn)
    )
    drawn = drawn.sort_values([*_PANELS, "level"])
    domain = symmetric_domain(drawn)

    def draw(panel: pd.DataFrame) -> Any:
        return by_row(panel, series, x_title="points", domain=domain, reference=0)

    reading = _READING + not_drawn(rows)
    return panels_of(anchor, title, reading, drawn, _PANELS, draw, table, series=series)


def _clear(frame: pd.DataFrame) -> pd.Series[Any]:
    return (frame["p_adjusted"] < CLEAR).fillna(False).astype(bool)


def _of_ladder(frame: pd.DataFrame) -> Iterator[str]:
    if frame.empty:
        return
    whole = frame[(frame["metric"] == "level_effect") & frame["p"].notna()]
    if len(whole):
        found = whole[whole["p_adjusted"] < CLEAR]
        yield (
            "Taking all levels at once, accuracy is shown to depend on the level in "
            f"{len(found) or 'none'} of {plural(len(whole), 'ladder')} (a ladder is one model on "
            "one benchmark, with thinking off or on)."
        )
    crossed = frame[frame["metric"] == "thinking_by_level"]
    if len(crossed):
        yield "Does a level do another thing with thinking than without? " + what_was_shown(
            crossed, "difference between the two changes"
        )


def _noise(frame: pd.DataFrame) -> Iterator[str]:
    """What two levels with the same prompt differ by."""
    if frame.empty:
        return
    changed = frame[(frame["metric"] == "change_from_level0") & (frame["n_items"] > 0)]
    flipped = frame[(frame["metric"] == "flip") & (frame["n_items"] > 0)]
    if changed.empty:
        return
    most = largest(changed)
    flips = (
        f", and between {percent(flipped['estimate'].min())} and "
        f"{percent(flipped['estimate'].max())} of answers flip"
        if len(flipped)
        else ""
    )
    yield (
        "The noise floor: levels 0 and 1 of morables send the same prompt, word for word. Between "
        f"them accuracy moves by up to {interval(most, points)} points "
        f"({cell_words(most, 'model', 'thinking')}){flips}. A change between other levels that is "
        "no larger may be no more than that."
    )


def _tables(frame: pd.DataFrame) -> tuple[Table, ...]:
    tables = []
    for metric, caption in (
        (
            "level_effect",
            "The whole ladder: best level less worst, and whether levels differ at all",
        ),
        ("thinking_by_level", "Thinking × level: the change with thinking less that without"),
    ):
        rows = frame[(frame["metric"] == metric) & (frame["n_items"] > 0)] if len(frame) else frame
        if len(rows):
            tables.append(
                frame_table(
                    caption,
                    rows,
                    {
                        "levels": lambda row: shown(row.levels),
                        "points [95%]": lambda row: interval(row, points),
                        "p": lambda row: p_value(row.p),
                        "p (Holm)": lambda row: p_value(row.p_adjusted),
                        "items": lambda row: count(row.n_items),
                    },
                    texts=("levels",),
                )
            )
    return tuple(tables)
