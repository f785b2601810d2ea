"""The plan of a grid, for the terminal."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rich.console import Group
from rich.table import Column, Table
from rich.text import Text

from vr_evals.running.plan import Plan, PlannedTask
from vr_evals.terminal import printable

__all__ = ["as_table", "consistency", "matched_thinking"]

_EPOCHS = 3
"""Epochs from which on a consistency is worth a look."""


def as_table(plan: Plan, given: Mapping[str, Any]) -> Group:
    """Format a plan for rich: a row per benchmark, and a total.

    Args:
        plan: The plan.
        given: The task parameters that were given, as typed.
    """
    headings = ("tasks", "each", "epochs", "models", "samples", "calls")
    columns = (Column(heading, justify="right") for heading in headings)
    first = Column("benchmark", no_wrap=True)
    table = Table(first, *columns, box=None, pad_edge=False)
    models = len(plan.models)
    by_benchmark: dict[str, list[PlannedTask]] = {}
    for planned in plan.tasks:
        by_benchmark.setdefault(planned.cell.entry.attributes["benchmark"], []).append(planned)
    for benchmark, tasks in by_benchmark.items():
        table.add_row(
            benchmark,
            str(len(tasks)),
            _range([task.samples for task in tasks]),
            _range([task.epochs for task in tasks]),
            str(models),
            *_totals(tasks, models),
        )
    table.add_row("total", str(len(plan.tasks)), "", "", str(models), *_totals(plan.tasks, models))
    lines = [Text(f"models: {', '.join(map(printable, plan.models))}")]
    for name, text in given.items():
        having = sum(name in planned.cell.taken for planned in plan.tasks)
        lines.append(Text(f"{name}={printable(str(text))}: on {having} of {len(plan.tasks)} tasks"))
    return Group(table, *lines)


def consistency(plan: Plan, temperature: float | None = None) -> Iterator[str]:
    """Yield sentences on whether consistency will be measured, and on what repetition can show.

    Args:
        plan: The plan.
        temperature: The temperature that replaces the tasks' own; None for theirs.
    """
    tasks, models = plan.tasks, len(plan.models)
    once = sum(planned.epochs == 1 for planned in tasks)
    if once:
        more = [replace(planned, epochs=_EPOCHS) for planned in tasks]
        which = "" if once == len(tasks) else f" in {once} of {len(tasks)} tasks"
        (samples, calls), (before, calls_before) = _totals(more, models), _totals(tasks, models)
        yield (
            f"consistency: not measured, because each sample is asked once{which}; "
            f"--epochs {_EPOCHS}: {samples} samples, {calls} calls (now {before} and "
            f"{calls_before})"
        )
    own = [planned.task.config.temperature for planned in tasks]
    cold = sum((each if temperature is None else temperature) == 0 for each in own)
    if cold:
        yield (
            f"temperature 0 on {cold} of {len(tasks)} tasks: epochs show whether the provider "
            "repeats an answer, not how much answers vary when sampled; for that, use e.g. "
            "--temperature 1"
        )


def matched_thinking(plan: Plan, temperature: float | None = None) -> Iterator[str]:
    """Yield a sentence if thinking off and on will be asked at different temperatures.

    Args:
        plan: The plan.
        temperature: The temperature that replaces the tasks' own; None for theirs.
    """
    by_thinking = {planned.cell.thinking: planned.task.config.temperature for planned in plan.tasks}
    differ = len(by_thinking) > 1 and by_thinking[False] not in (by_thinking[True], 1)
    if temperature is None and differ:
        yield (
            f"thinking: off is asked at temperature {by_thinking[False]:g}, on without one (mostly "
            "1); for a matched comparison, also run --thinking off --temperature 1 in another "
            "--log-dir, and report both folders together"
        )


def _totals(tasks: Sequence[PlannedTask], models: int) -> tuple[str, str]:
    samples = sum(task.samples * task.epochs for task in tasks)
    return f"{models * samples:,}", f"{models * sum(task.calls for task in tasks):,}"


def _range(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"
