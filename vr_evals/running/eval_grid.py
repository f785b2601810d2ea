"""A grid of tasks checked, counted and handed to ``inspect_ai.eval_set``."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from inspect_ai import eval_set
from inspect_ai.log import EvalLog

from vr_evals.running.captured import (
    CapturedTask,
    capture,
    driven_mode,
    selection,
    selection_document,
)
from vr_evals.running.cell_logs import CellLog, cell_logs
from vr_evals.running.folder import GridLog, check_writable, eval_set_id_of, grid_logs
from vr_evals.running.grid import Cell
from vr_evals.running.locks import exclusive_lock, shared_lock
from vr_evals.running.plan import Plan, Selection, check_thinking, plan_grid
from vr_evals.running.shards import Shard

__all__ = ["PreparedGrid", "eval_grid", "prepare_grid"]

_ATTEMPTS = 10
_MAX_TASKS = 10
"""What ``eval_set`` does without `retry_attempts` and `max_tasks`, if it does not run a share."""


@dataclass(frozen=True)
class PreparedGrid:
    """A grid that can be run.

    Attributes:
        plan: Its tasks, models and counts.
        finished: How many of its logs are already finished.
        log_dir: The folder or URL.
        options: Further arguments of ``eval_set``.
    """

    plan: Plan
    finished: int
    log_dir: str
    options: Mapping[str, Any]

    @property
    def attempts(self) -> int:
        """How often a task is tried at most, as ``eval_set`` does."""
        return self.options.get("retry_attempts") or _ATTEMPTS

    def run(self) -> tuple[bool, list[EvalLog]]:
        """Run what is not finished; return whether all logs succeeded, and their headers.

        If an external runner drives this process, only the tasks of its selection are run and
        judged, and the folder is not locked: it is the runner's.

        Raises:
            InputError: The folder is not writable, or another process runs a grid in it.
            SystemExit: An external runner captures the grid; nothing is run.
        """
        if driven_mode():
            return self._eval_set()
        check_writable(self.log_dir)
        with exclusive_lock(self.log_dir):
            succeeded, headers = self._eval_set()
        # after Ctrl-C, eval_set reports success for the logs that it returns, perhaps none
        return succeeded and len(headers) == self.plan.logs, headers

    def run_shard(self, shard: Shard) -> tuple[bool, list[EvalLog]]:
        """Run what is not finished of one share; return as `run` does, for this share.

        Other shares may run at the same time. The folder's metadata is written by `finish`.

        Raises:
            InputError: As `run` does, or a log in the folder has other settings.
        """
        check_writable(self.log_dir)
        with shared_lock(self.log_dir, shard.index, shard.count):
            tasks = self.capture()
            eval_set_id = self._eval_set_id(tasks)
            max_tasks = self.options.get("max_tasks") or max(len(self.plan.models), _MAX_TASKS)
            states = self.cell_logs(shard.of(tasks))
            for _ in range(self.attempts):
                rest = [state for state in states if not state.finished]
                if not rest:
                    break
                resume = {s.task.identifier: s.log.location for s in rest if s.log is not None}
                chosen = [state.task for state in rest]
                self.run_selection(
                    selection_document(chosen, eval_set_id, resume=resume, max_tasks=max_tasks)
                )
                states = self.cell_logs([state.task for state in states])
        headers = [state.log for state in states if state.log is not None]
        return all(state.finished for state in states), headers

    def finish(self) -> tuple[bool, list[EvalLog]]:
        """Write the folder's metadata, if all logs are finished; otherwise run and write nothing.

        Returns:
            Whether all logs are finished, and their headers; without those of unfinished ones.

        Raises:
            InputError: As `run_shard` does.
        """
        check_writable(self.log_dir)
        with exclusive_lock(self.log_dir):
            tasks = self.capture()
            states = self.cell_logs(tasks)
            if not all(state.finished for state in states):
                return False, [state.log for state in states if state.log and state.finished]
            options = {**self.options, "eval_set_id": self._eval_set_id(tasks)}
            return replace(self, options=options)._eval_set()

    def capture(self) -> tuple[CapturedTask, ...]:
        """Return the grid's tasks, one per log, without running or writing anything."""
        return capture(self._eval_set)

    def cell_logs(self, tasks: Sequence[CapturedTask]) -> list[CellLog]:
        """Return the state of tasks of the grid, by the logs that are in the folder now.

        Raises:
            InputError: A log cannot be read, or has other samples or settings.
        """
        return cell_logs(tasks, self._logs(), self.options)

    def run_selection(self, document: Mapping[str, Any]) -> tuple[bool, list[EvalLog]]:
        """Run some of the grid's tasks, without a look at the others or a lock of the folder.

        Args:
            document: From ``selection_document``.

        Returns:
            Whether these tasks succeeded, and the headers of their logs. Inspect counts a log
            whose samples failed as a success here, because it is for the runner to judge.
        """
        with selection(document):
            return self._eval_set()

    def _logs(self) -> list[GridLog]:
        allow_dirty = bool(self.options.get("log_dir_allow_dirty"))
        return grid_logs(self.plan, self.log_dir, self.options.get("model_args", {}), allow_dirty)

    def _eval_set_id(self, tasks: Sequence[CapturedTask]) -> str:
        """Return the id of the grid: given, the folder's, or the same for each share."""
        digest = sha256("\n".join(sorted(task.identifier for task in tasks)).encode()).hexdigest()
        return self.options.get("eval_set_id") or eval_set_id_of(self.log_dir) or digest[:22]

    def _eval_set(self) -> tuple[bool, list[EvalLog]]:
        return eval_set(
            [planned.task for planned in self.plan.tasks],
            log_dir=self.log_dir,
            model=list(self.plan.models),
            **self.options,
        )


def prepare_grid(
    cells: Sequence[Cell], models: Sequence[str], log_dir: str, **options: Any
) -> PreparedGrid:
    """Check a grid and count its samples, without running anything or calling a model.

    Args:
        cells: The tasks, from ``level_grid`` or ``authority_grid``.
        models: The models; each runs every task.
        log_dir: The folder of the grid, or its URL.
        **options: Further arguments of ``eval_set``, e.g. ``epochs``, ``limit``, ``model_args``.

    Raises:
        InputError: A parameter is invalid, items cannot be loaded, a model does not support the
            thinking condition, or logs in the folder would be replaced, deleted or mixed up.
    """
    if "://" not in log_dir:
        log_dir = os.path.expanduser(log_dir)  # as Inspect does, but for the logs themselves
    chosen = ("epochs", "limit", "sample_id", "sample_shuffle")
    plan = plan_grid(cells, models, Selection(**{name: options.get(name) for name in chosen}))
    check_thinking(plan)
    prepared = PreparedGrid(plan, 0, log_dir, options)
    if driven_mode():  # the runner judges the folder's logs, which other workers may be writing
        return prepared
    complete = {
        (log.header.eval.task_id, log.header.eval.model) for log in prepared._logs() if log.complete
    }
    return replace(prepared, finished=len(complete))


def eval_grid(
    cells: Sequence[Cell], models: Sequence[str], log_dir: str, **options: Any
) -> tuple[bool, list[EvalLog]]:
    """Run a grid, or the rest of it, with ``eval_set`` in a locked folder.

    Args:
        cells: The tasks, from ``level_grid`` or ``authority_grid``.
        models: The models; each runs every task.
        log_dir: The folder of the grid, or its URL.
        **options: Further arguments of ``eval_set``, e.g. ``epochs``, ``limit``, ``model_args``.

    Returns:
        Whether all logs succeeded, and their headers.

    Raises:
        InputError: As ``prepare_grid`` does.
    """
    return prepare_grid(cells, models, log_dir, **options).run()
