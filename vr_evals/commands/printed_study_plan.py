"""The plan of a study, for the terminal and as JSON."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from vr_evals.terminal import WIDTH, wrapped

if TYPE_CHECKING:
    import pandas as pd

    from vr_evals.analysis.plan import StudyPlan
    from vr_evals.running.plan import Plan

__all__ = ["as_json_text", "as_tables", "short_form"]

_NAME = 12
"""Characters of a name that are always shown."""


def as_json_text(plan: "StudyPlan") -> str:
    """Return a plan as JSON: its frames as lists of objects, and its notes."""
    import json

    from vr_evals.commands.printed_frames import frame_records

    frames = {
        name: frame_records(frame) for name, frame in plan._asdict().items() if name != "notes"
    }
    return json.dumps(frames | {"notes": list(plan.notes)}, indent=2)


def as_tables(plan: "StudyPlan", detect: float | None = None) -> Iterator[str]:
    """Yield the lines of a plan for a terminal of 80 columns.

    Args:
        plan: The plan.
        detect: The difference of interest in points, if `items_needed` was asked for.
    """
    names = ["samples", "calls", "input_tokens", "output_tokens", "cost", "hours"]
    by_task = plan.tasks.groupby("task", sort=False)[names].agg("sum", skipna=False)
    yield from _table(by_task.reset_index(), {"task": "task"} | _SPENDING)
    yield ""
    yield from _table(plan.models, {"model": "model"} | _SPENDING)
    if plan.models["hours"].isna().any():
        yield "hours: unknown without --rate or --from"
    yield from map(wrapped, plan.notes)
    yield ""
    yield from _table(plan.questions, _seen(detect))
    yield from map(wrapped, _explained(plan))


def short_form(plan: "Plan", options: dict[str, Any]) -> str:
    """Return what a grid would take, in one line.

    Args:
        plan: The grid.
        options: The arguments of ``eval_set``.
    """
    from vr_evals.analysis.plan import by_model, spending
    from vr_evals.commands.counted_tasks import counted_tasks, spending_options
    from vr_evals.errors import InputError

    try:
        found = spending_options(options)
    except InputError:  # Inspect reads the file of prices too, also from a URL, and judges it
        found = spending_options(options | {"model_cost_config": None})
    tasks, _ = spending(counted_tasks(plan), **found)
    total = by_model(tasks).iloc[-1]
    parts = [f"about {_short(total.input_tokens)} tokens in, {_short(total.output_tokens)} out"]
    parts.append(f"cost {_dollars(total.cost)}")
    if total.hours == total.hours:
        parts.append(f"{_hours(total.hours)} hours")
    return "; ".join(parts) + " (vr-evals plan has more)"


def _short(value: float) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= 0.9995 * size:
            scaled = value / size
            return f"{scaled:.{0 if scaled >= 99.5 else 1}f}{letter}"
    return f"{value:.0f}"


def _dollars(value: float) -> str:
    if value != value:
        return "unknown"
    return f"${value:,.2f}" if value < 1000 else f"${value:,.0f}"


def _hours(value: float) -> str:
    return "–" if value != value else f"{value:,.1f}" if value >= 0.095 else f"{value:.2f}"


def _points(value: float) -> str:
    return "–" if value != value else f"{100 * value:.1f}"


def _count(value: Any) -> str:
    import pandas as pd

    return "–" if pd.isna(value) else f"{int(value):,}"


_Form = Callable[[Any], str]

_FORMS: Mapping[str, _Form] = {
    "samples": _count,
    "calls": _count,
    "input_tokens": _short,
    "output_tokens": _short,
    "cost": _dollars,
    "hours": _hours,
    "items": _count,
    "epochs": _count,
    "half_width": _points,
    "detectable": _points,
    "tests": _count,
    "detectable_in_family": _points,
    "items_needed": _count,
    "items_needed_in_family": _count,
}
"""How the values of a column are written; those of the others are words."""

_SPENDING = {
    "samples": "samples",
    "calls": "calls",
    "input_tokens": "input",
    "output_tokens": "output",
    "cost": "cost",
    "hours": "hours",
}


def _seen(detect: float | None) -> dict[str, str]:
    columns = {
        "question": "points",
        "benchmark": "benchmark",
        "items": "items",
        "epochs": "epochs",
        "half_width": "±95%",
        "detectable": "found",
        "tests": "tests",
        "detectable_in_family": "in all",
    }
    if detect is not None:
        columns |= {
            "items_needed": f"for {detect:g}",
            "items_needed_in_family": "in all",
        }
        del columns["epochs"]
    return columns


def _table(frame: "pd.DataFrame", headings: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a frame: words to the left, numbers to the right."""
    import pandas as pd

    columns: list[list[str]] = []
    for name, heading in list(headings.items())[::-1]:  # the first gets the room that is left
        form, values = _FORMS.get(name), list(frame[name])
        room = WIDTH - sum(len(column[0]) + 2 for column in columns)
        texts = [
            form(value) if form else "all" if pd.isna(value) else _cut(value, max(room, _NAME))
            for value in values
        ]
        width = max(map(len, [heading, *texts]))
        align = str.ljust if form is None else str.rjust
        columns.append([align(text, width) for text in (heading, *texts)])
    for row in zip(*reversed(columns), strict=True):
        yield "  ".join(row).rstrip()


def _cut(name: object, room: int) -> str:
    """Return a foreign name, its end cut."""
    from vr_evals.terminal import printable

    text = printable(str(name))
    return text if len(text) <= room else f"{text[: room - 1]}…"


def _explained(plan: "StudyPlan") -> Iterator[str]:
    """Yield sentences on the last table."""
    yield (
        "±95%: half the 95 % interval. found: the smallest difference found in 80 % of studies at "
        "5 %; in all: at 5 % divided by the tests of its family. "
        "all: the average over the grid's cells."
    )
    by_design: dict[str, list[str]] = {}
    for each in plan.design.to_dict("records"):
        by_design.setdefault(_design(each), []).append(str(each["question"]))
    for design, questions in by_design.items():
        yield f"design ({', '.join(questions)}), {design}"
    if len(plan.epochs):
        yield from _of_epochs(plan.epochs)


def _design(each: Mapping[Any, Any]) -> str:
    where = f"measured on {each['items']} items" if each["source"] == "measured" else "assumed"
    return (
        f"{where}: accuracy {100 * each['rate']:.0f} %, discordance "
        f"{100 * each['discordance']:.0f} %, within-item correlation "
        f"{each['within_item_correlation']:.3f}, unread {100 * each['unread']:.1f} % (if not at "
        f"random, a bias of at most {100 * each['unread']:.1f} points)"
    )


def _of_epochs(frame: "pd.DataFrame") -> Iterator[str]:
    """Yield what epochs buy."""
    same, more = _divisions(frame[frame["is_same_calls"]]), frame[~frame["is_same_calls"]]
    calls = frame.loc[frame["is_planned"], "calls_a_side"].iloc[0]
    words = (
        "the smallest difference found, in points, by items×epochs, "
        f"with {calls:,} answers a side: {', '.join(same)}"
    )
    if len(more):
        words += f"; with {more['calls_a_side'].max():,}: {', '.join(_divisions(more))}"
    yield words


def _divisions(frame: "pd.DataFrame") -> list[str]:
    return [
        f"{_points(row['detectable'])} as {row['items']:,}×{row['epochs']}"
        for row in frame.to_dict("records")
    ]
