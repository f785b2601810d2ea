"""The plan of a grid: its logs, samples and calls, counted before anything runs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from inspect_ai import Task
from rich.console import Group
from rich.table import Column, Table
from rich.text import Text

from vr_evals.commands.grid import Cell
from vr_evals.errors import InputError
from vr_evals.levels import Level
from vr_evals.solvers.thinking import resolve
from vr_evals.terminal import printable

__all__ = [
    "Plan",
    "PlannedTask",
    "Selection",
    "as_table",
    "check_thinking",
    "consistency",
    "matched_thinking",
    "plan_grid",
]

_EPOCHS = 3
"""Epochs from which on a consistency is worth a look."""


@dataclass(frozen=True)
class Selection:
    """The samples that are run, as arguments of ``eval_set``.

    Attributes:
        epochs: Epochs of each sample; None for the task's own number.
        limit: The first samples, or a range of positions (from 0, without the last).
        sample_id: Patterns of ids.
        sample_shuffle: Whether samples are shuffled before they are limited.
    """

    epochs: int | None = None
    limit: int | tuple[int, int] | None = None
    sample_id: Sequence[str | int] | None = None
    sample_shuffle: bool | int | None = None

    def of(self, task: Task) -> list[str]:
        """Return the ids of the samples that are run, without shuffling."""
        ids = [str(sample.id) for sample in task.dataset]
        if self.sample_id is not None:
            patterns = [str(pattern).removeprefix(f"{task.name}:") for pattern in self.sample_id]
            return [id for id in ids if any(fnmatchcase(id, pattern) for pattern in patterns)]
        start, stop = self.limit if isinstance(self.limit, tuple) else (0, self.limit)
        return ids[start:stop]


@dataclass(frozen=True)
class PlannedTask:
    """One task of a plan, with one log per model.

    Attributes:
        cell: Its place in the grid.
        task: The task.
        samples: The number of its samples that are run.
        ids: The possible ids of these samples.
        epochs: Epochs of each sample.
        shuffle: Whether samples are shuffled before they are limited, or the seed.
    """

    cell: Cell
    task: Task
    samples: int
    ids: frozenset[str]
    epochs: int
    shuffle: bool | int | None = None

    @property
    def calls(self) -> int:
        """Calls per model; fewer if a first pass is empty, more with retries."""
        two_pass = (self.task.metadata or {}).get("level") == Level.TWO_PASS
        return self.samples * self.epochs * (2 if two_pass else 1)


@dataclass(frozen=True)
class Plan:
    """The tasks and models of a grid.

    Attributes:
        tasks: Its tasks.
        models: The models; each runs every task.
    """

    tasks: tuple[PlannedTask, ...]
    models: tuple[str, ...]

    @property
    def logs(self) -> int:
        """The number of logs: one per task and model."""
        return len(self.tasks) * len(self.models)


def plan_grid(cells: Sequence[Cell], models: Sequence[str], selection: Selection) -> Plan:
    """Create the tasks of a grid and count their samples.

    Raises:
        InputError: A parameter is invalid, or loading items failed.
    """
    tasks = tuple(_planned(cell, selection) for cell in cells)
    return Plan(tasks, tuple(dict.fromkeys(models)))


def _planned(cell: Cell, selection: Selection) -> PlannedTask:
    task = cell.entry.make(**cell.arguments)
    ids = selection.of(task)
    shuffled = selection.sample_shuffle is not None and selection.sample_id is None
    allowed = [str(sample.id) for sample in task.dataset] if shuffled else ids
    epochs = selection.epochs or task.epochs or 1
    shuffle = selection.sample_shuffle if shuffled else None
    return PlannedTask(cell, task, len(ids), frozenset(allowed), epochs, shuffle)


def check_thinking(plan: Plan) -> None:
    """Check that no model is known not to support the thinking condition.

    Raises:
        InputError: One is; each of its tasks would fail, and ``eval_set`` would retry each.
    """
    for model in plan.models:
        for planned in plan.tasks:
            arguments = planned.cell.arguments
            if arguments.get("allow_unhonoured") or arguments.get("reasoning") == "flags":
                continue
            resolution = resolve(model, thinking=planned.cell.thinking)
            if resolution.stops_run:
                asked, other = ("on", "off") if planned.cell.thinking else ("off", "on")
                raise InputError(
                    f"thinking {asked} is not supported by {printable(model)}: "
                    f"{printable(resolution.reasoning.note)}; use --thinking {other}, or "
                    "-T allow_unhonoured=true to run it anyway and flag it in the log"
                )


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
