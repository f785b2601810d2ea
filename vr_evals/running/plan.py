"""The plan of a grid: its logs, samples and calls, counted before anything runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from inspect_ai import Task

from vr_evals.errors import InputError
from vr_evals.levels import Level
from vr_evals.running.grid import Cell
from vr_evals.solvers.thinking import resolve
from vr_evals.terminal import printable

__all__ = ["Plan", "PlannedTask", "Selection", "check_thinking", "plan_grid"]


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
