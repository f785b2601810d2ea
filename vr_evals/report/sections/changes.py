"""Section 3: changes from level 0 and from thinking off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from vr_evals.report.blocks import Figure, Section, Table
from vr_evals.report.charts import by_row
from vr_evals.report.claims import (
    CLEAR,
    claimed,
    largest_of,
    overturned,
    reach,
    tests_of_levels,
    tests_of_thinking,
    unread_columns,
)
from vr_evals.report.figures import as_percent, panels_of, series_of, symmetric_domain
from vr_evals.report.results import Results
from vr_evals.report.tables import (
    cell_words,
    frame_table,
    in_words,
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

__all__ = ["changes_section", "what_was_shown"]

_PANELS = ("benchmark", "model", "variant")
_READING = (
    "Marks are the change of accuracy in percentage points on the items that both sides answered, "
    "bars its 95% interval. A filled mark is a significant change (p < 0.05 after Holm's "
    "correction over the tests of its model)."
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
    for tests, words in (
        (tests_of_levels(results), "change from level 0"),
        (tests_of_thinking(results), "change from thinking off"),
    ):
        (metric, change), (_, of_ladder), *flips = tests.items()
        of_flips = [rows for _, rows in flips]
        rows = frame[(frame["metric"] == metric) & (frame["n_items"] > 0)]
        findings.append(what_was_shown(change, words, of_ladder, *of_flips))
        findings += _of_ladder(of_ladder, change, *of_flips)
        figures += _figure(metric.replace("_", "-"), words.capitalize(), rows)
    findings += _noise(results["noise_floor"])
    return Section(
        "changes", title, findings=tuple(findings), figures=figures, tables=_tables(steps)
    )


def what_was_shown(rows: pd.DataFrame, one: str, *beside: pd.DataFrame) -> str:
    """What tests of differences showed, and how small a difference could have been seen.

    Args:
        rows: Tested rows of a frame, differences of rates.
        one: What one of them is called.
        beside: Rows of other tests of the same question, which are in the same family.
    """
    rows = rows[rows["p"].notna()]
    if rows.empty:
        return f"There is no {one} to test."
    clear = rows[claimed(rows, *beside)]
    n, found = len(rows), len(clear)
    first, _, others = one.partition(" ")
    tests = plural(n, one, f"{first}s {others}")
    if not found:
        return f"None of {tests} is significant after Holm's correction; {reach(rows)}."
    most, estimate = largest_of(rows, among=clear)
    versus = f" less {isolated(most.versus)}" if "versus" in most else ""
    sentence = (
        f"{found} of {tests} {'is' if found == 1 else 'are'} significant after Holm's correction. "
        f"The largest: {estimate} points ({cell_words(most, 'model')}{versus}, "
        f"{cell_words(most, 'benchmark', 'level', 'thinking', 'condition')}; "
        f"{p_is(most.p_adjusted)})."
    )
    if found < n:
        sentence += f" Among the other {n - found}, {reach(rows)}."
    return sentence + overturned(clear)


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
            **unread_columns(),
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


def _of_ladder(rows: pd.DataFrame, *beside: pd.DataFrame) -> Iterator[str]:
    """What the tests over whole ladders showed, in one family with the others of the question."""
    if rows.empty:
        return
    if (rows["metric"] == "level_effect").all():
        found = int(claimed(rows, *beside).sum())
        yield (
            "Over all levels at once, accuracy depends on the level in "
            f"{found or 'none'} of {plural(len(rows), 'ladder')} (a ladder is one model on one "
            "benchmark, with thinking off or on; one test each, p < 0.05 after Holm's correction)."
        )
    else:
        yield "Does thinking alter what a level changes? " + what_was_shown(
            rows, "difference between the two changes", *beside
        )


def _noise(frame: pd.DataFrame) -> Iterator[str]:
    """What two levels with the same prompt differ by."""
    if frame.empty:
        return
    changed = frame[(frame["metric"] == "change_from_level0") & (frame["n_items"] > 0)]
    flipped = frame[(frame["metric"] == "flip") & (frame["n_items"] > 0)]
    if changed.empty:
        return
    most, estimate = largest_of(changed)
    flips = (
        f", and between {percent(flipped['estimate'].min())} and "
        f"{percent(flipped['estimate'].max())} of answers flip"
        if len(flipped)
        else ""
    )
    yield (
        "The noise floor: levels 0 and 1 of morables send the same prompt, word for word. Between "
        f"them accuracy differs by {estimate} points "
        f"({cell_words(most, 'model', 'thinking')}){flips}. A change between other levels that is "
        "no larger may be noise."
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
