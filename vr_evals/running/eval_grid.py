"""A grid of tasks checked, counted and handed to ``inspect_ai.eval_set``."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from inspect_ai import eval_set
from inspect_ai.log import EvalLog

from vr_evals.running.captured import CapturedTask, capture, driven_mode, selection
from vr_evals.running.folder import check_folder, check_writable, exclusive_lock
from vr_evals.running.grid import Cell
from vr_evals.running.plan import Plan, Selection, check_thinking, plan_grid

__all__ = ["PreparedGrid", "eval_grid", "prepare_grid"]


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

    def capture(self) -> tuple[CapturedTask, ...]:
        """Return the grid's tasks, one per log, without running or writing anything."""
        return capture(self._eval_set)

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
    allow_dirty = bool(options.get("log_dir_allow_dirty"))
    finished = check_folder(plan, log_dir, options.get("model_args", {}), allow_dirty)
    return replace(prepared, finished=finished)


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
