"""Real logs, small, in a folder of the test's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import Model, get_model

__all__ = ["TASKS", "location", "run"]

TASKS = Path(__file__).parents[2] / "vr_evals" / "tasks"


def run(
    folder: Path,
    task: Any = "ethics_level2",
    model: str | Model = "vr_sim/careful",
    *,
    flags: dict[str, Any] | None = None,
    **parameters: Any,
) -> EvalLog:
    """Run a task on the shipped sample.

    Args:
        folder: Where the log goes.
        task: The task's name without the package's, or whatever Inspect takes.
        model: The model.
        flags: The user's own flags, as ``inspect_ai.eval`` takes them.
        parameters: Task parameters.
    """
    ours = isinstance(task, str) and "/" not in task
    [log] = inspect_eval(
        f"vr_evals/{task}" if ours else task,
        model=get_model(model, memoize=False) if isinstance(model, str) else model,
        task_args={"dataset": "sample", "items": 4, **parameters} if isinstance(task, str) else {},
        log_dir=str(folder),
        log_realtime=False,
        score_display=False,
        **(flags or {}),
    )
    return log


def location(log: EvalLog) -> str:
    """The log's path, as the table names it."""
    return log.location.removeprefix("file://")
