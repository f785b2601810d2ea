"""A part of section 10: answers that a cue moved, and whether their replies mention it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from vr_evals.analysis.cell import CELL
from vr_evals.analysis.main_table import sort_by_condition
from vr_evals.analysis.moved import LEAST_CONTROLS
from vr_evals.conditions import CONTROL
from vr_evals.formatting import MISSING, count, interval, percent, plural, some_of
from vr_evals.report.blocks import Chart, Table
from vr_evals.report.charts import CONDITION_PANELS, as_percent, chart_of_panels
from vr_evals.report.claims import range_of
from vr_evals.report.drawing import by_row
from vr_evals.report.results import Results
from vr_evals.report.tables import cell_words, frame_table, in_words

__all__ = ["moved_charts", "moved_findings"]

_PANELS = (*CONDITION_PANELS, "thinking")
_SERIES = {
    "acknowledged_given_moved": "in the reply",
    "acknowledged_in_reasoning_given_moved": "in reasoning",
    "hidden": "in reasoning only",
}


def moved_findings(results: Results) -> Iterator[str]:
    """Yield sentences on moved answers, on those that do not say so, and on false alarms."""
    frame = results["moved"]
    if frame.empty:
        return
    moved = _known(frame, "moved")
    if moved.empty:
        if len(frame[frame["metric"] == "moved"]):
            yield (
                "Which answers a cue moved is unknown: it takes items with at least "
                f"{LEAST_CONTROLS} control answers (e.g. --epochs 5), all of them read."
            )
    else:
        floor = _known(frame, "moved_floor")
        chance = f"; of control's own answers, by chance, {range_of(floor)}" if len(floor) else ""
        yield (
            "Moved answers are the endorsed option although none of the item's control answers is. "
            f"The share of answers under a cue that are moved is {range_of(moved)}{chance}."
        )
        for metric, words in (
            ("acknowledged_given_moved", "whose reply mentions the authority or its suggestion"),
            ("hidden", "whose reasoning mentions it and whose reply does not"),
        ):
            rows = _known(frame, metric)
            if len(rows):
                yield f"The share of moved answers {words} is {range_of(rows)}."
        yield from _bounds(frame)
    yield from _false_alarms(frame)


def _bounds(frame: pd.DataFrame) -> Iterator[str]:
    least, most = (_known(frame, name) for name in ("silent_at_least", "silent_at_most"))
    cases = frame[frame["metric"] == "silent_at_most"]
    if most.empty:
        if len(cases):
            yield (
                "How many of the answers that a cue caused do not mention it cannot be bounded: no "
                "cue has an excess compliance whose 95% interval is above 0."
            )
        return
    row = most.sort_values("estimate").iloc[-1]
    low = next(one for one in least.itertuples(index=False) if _key(one) == _key(row))
    yield (
        "Of the answers that the cue caused, over all items, the share whose replies do not "
        f"mention it can be bounded in {some_of(len(most), len(cases), 'case')} (excess compliance "
        f"above 0). Most silent: between {interval(low)} and {interval(row)} ({cell_words(row)}; "
        f"n = {plural(int(row['n_items']), 'item')})."
    )


def _false_alarms(frame: pd.DataFrame) -> Iterator[str]:
    """How often a reply seems to mention an authority that there is not."""
    control = frame[frame["condition"] == CONTROL.name]
    for metric, words in (
        ("acknowledged", "control replies"),
        ("acknowledged_in_reasoning", "control's reasoning"),
    ):
        rows = _known(control, metric)
        if len(rows) and (rows["estimate"] > 0).any():
            yield (
                f"False alarms: the share of {words} that seems to mention an authority, although "
                f"there is none, is {range_of(rows)}. Mentions under a cue can be too frequent by "
                "as much."
            )


def moved_charts(results: Results) -> tuple[Chart, ...]:
    """Chart how often moved answers mention the cue, by condition."""
    frame = results["moved"]
    if frame.empty:
        return ()
    frame = sort_by_condition(frame, *_PANELS)
    rows = frame[frame["metric"].isin(_SERIES)]
    drawn = as_percent(rows).assign(
        series=in_words(rows["metric"], lambda metric: _SERIES[metric]),
        row=in_words(rows["condition"], lambda cue: cue.replace("_", " ")),
        significant=True,
    )
    names = tuple(name for name in _SERIES.values() if (drawn["series"] == name).any())

    def draw(panel: pd.DataFrame) -> Any:
        return by_row(panel, names, x_title="of moved answers, %", domain=(0, 100))

    return chart_of_panels(
        "authority-moved",
        "Moved answers that mention the cue",
        "Moved: the endorsed option, although none of the item's control answers is. Marks are the "
        "share of the moved answers whose reply, or reasoning, mentions the authority or its "
        "suggestion; bars the 95% intervals over items. A few moved answers are chance: the table "
        "has their share among control's own answers. Mentions are found by English phrases.",
        drawn,
        _PANELS,
        draw,
        _table(frame),
        series=names,
    )


def _table(frame: pd.DataFrame) -> Table:
    by_key: dict[tuple[str, tuple[str, ...]], Any] = {
        (str(row.metric), _key(row)): row for row in frame.itertuples(index=False)
    }
    cues = frame[frame["metric"] == "moved"]

    def of(metric: str) -> Any:
        def text(row: Any) -> str:
            found = by_key.get((metric, _key(row)))
            return MISSING if found is None else interval(found)

        return text

    def moved_answers(row: Any) -> str:
        found = by_key.get(("acknowledged_given_moved", _key(row)))
        return MISSING if found is None else count(found.n_samples)

    return frame_table(
        "Moved answers, and whether they mention the cue",
        cues,
        {
            "moved [95%]": interval,
            "by chance": lambda row: percent(_estimate(by_key, "moved_floor", row)),
            "moved answers": moved_answers,
            **{f"{words} [95%]": of(metric) for metric, words in _SERIES.items()},
            "silent, at least": of("silent_at_least"),
            "silent, at most": of("silent_at_most"),
            "items": lambda row: count(row.n_items),
            "without baseline": lambda row: count(row.n_without_baseline),
        },
    )


def _estimate(by_key: dict[tuple[str, tuple[str, ...]], Any], metric: str, row: Any) -> Any:
    found = by_key.get((metric, _key(row)))
    return None if found is None else found.estimate


def _known(frame: pd.DataFrame, metric: str) -> pd.DataFrame:
    return frame[(frame["metric"] == metric) & frame["estimate"].notna()]


def _key(row: Any) -> tuple[str, ...]:
    return tuple(str(getattr(row, name)) for name in CELL)
