"""Section 5: changes from level 0 and from thinking off."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pandas as pd

from vr_evals.formatting import count, interval, p_value, percent, points, shown, some_of
from vr_evals.report.blocks import Chart, Section, Table
from vr_evals.report.charts import differences_by_level
from vr_evals.report.claims import (
    FILLED_MARKS,
    claimed,
    largest_of,
    summary_of_tests,
    tests_of_levels,
    tests_of_thinking,
    unread_columns,
)
from vr_evals.report.results import Results
from vr_evals.report.tables import frame_table

__all__ = ["changes_section"]

_HOW_TO_READ = (
    "Marks are the change of accuracy in percentage points on the items that both sides answered, "
    f"bars the 95% interval. {FILLED_MARKS}"
)


@dataclass(frozen=True)
class _Question:
    """A question of the section.

    Attributes:
        metric: Of its changes.
        words: What a change is called.
        tests: Returns all tests of the question.
        series: The only series of its chart; None for one per thinking condition.
    """

    metric: str
    words: str
    tests: Callable[[Results], Mapping[str, pd.DataFrame]]
    series: str | None = None


_QUESTIONS = (
    _Question("change_from_level0", "change from level 0", tests_of_levels),
    _Question(
        "change_from_thinking_off", "change from thinking off", tests_of_thinking, "thinking on"
    ),
)


def changes_section(results: Results) -> Section:
    """Show changes of accuracy from level 0 and from thinking off, and the whole ladder."""
    title = "Changes from level 0, and from thinking off"
    frame, steps = results["changes"], results["ladder"]
    if frame.empty:
        why = (
            "No comparison: it takes level 0 and another level, or thinking off and on, with the "
            "same settings and with items that have a right answer."
        )
        return Section("changes", title, findings=(why,))
    findings: list[str] = []
    charts: tuple[Chart, ...] = ()
    for question in _QUESTIONS:
        (metric, change), (_, of_ladder), *flips = question.tests(results).items()
        of_flips = [rows for _, rows in flips]
        findings.append(summary_of_tests(change, question.words, of_ladder, *of_flips))
        findings += _of_ladder(of_ladder, change, *of_flips)
        if question.series:
            findings += _temperature(change)
        charts += _chart(question, frame[(frame["metric"] == metric) & (frame["n_items"] > 0)])
    findings += _noise(results["noise_floor"])
    return Section("changes", title, findings=tuple(findings), charts=charts, tables=_tables(steps))


def _chart(question: _Question, rows: pd.DataFrame) -> tuple[Chart, ...]:
    title = question.words.capitalize()
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
    anchor = question.metric.replace("_", "-")
    return differences_by_level(anchor, title, _HOW_TO_READ, rows, table, series=question.series)


def _temperature(rows: pd.DataFrame) -> Iterator[str]:
    """Whether thinking off was asked at the temperature of thinking on."""
    if rows.empty:
        return
    matched = int(rows["is_same_temperature"].sum())
    if matched:
        yield (
            f"Matched: in {some_of(matched, len(rows), 'comparison')} with thinking off, both "
            "sides are at the same temperature (unset counts as 1, most providers' default). The "
            "same comparison at another temperature is in the chart and its table only."
        )
    if matched < len(rows):
        yield (
            f"In {some_of(len(rows) - matched, len(rows), 'comparison')} with thinking off, the "
            "temperature differs too: thinking on leaves it unset. For a matched comparison, run "
            "thinking off at temperature 1 as well. The token limit differs in all of them."
        )


def _of_ladder(rows: pd.DataFrame, *beside: pd.DataFrame) -> Iterator[str]:
    """The result of tests over whole ladders, in one family with the others of the question."""
    if rows.empty:
        return
    if (rows["metric"] == "level_effect").all():
        found = int(claimed(rows, *beside).sum())
        yield (
            "Over all levels at once, accuracy depends significantly on the level in "
            f"{some_of(found, len(rows), 'ladder')} (one test each, p < 0.05 after "
            "Holm's correction). A ladder is all levels of one model on one benchmark, with "
            "thinking off or on."
        )
    else:
        yield "Does thinking alter the effect of a level? " + summary_of_tests(
            rows, "difference between the change with thinking and the change without", *beside
        )


def _noise(frame: pd.DataFrame) -> Iterator[str]:
    """How much two levels with the same prompt differ."""
    if frame.empty:
        return
    changed = frame[(frame["metric"] == "change_from_level0") & (frame["n_items"] > 0)]
    flipped = frame[(frame["metric"] == "flip") & (frame["n_items"] > 0)]
    if changed.empty:
        return
    flips = (
        f" {percent(flipped['estimate'].min())} to {percent(flipped['estimate'].max())} of "
        "answers flip."
        if len(flipped)
        else ""
    )
    yield (
        "Noise floor: levels 0 and 1 of morables send the same prompt, word for word. The largest "
        f"difference of accuracy between them is {largest_of(changed)}.{flips} A change between "
        "other levels that is no larger may be noise."
    )


def _tables(frame: pd.DataFrame) -> tuple[Table, ...]:
    tables = []
    for metric, caption in (
        ("level_effect", "Whole ladder: best level minus worst, and the test of any difference"),
        ("thinking_by_level", "Thinking × level: change with thinking minus change without"),
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
