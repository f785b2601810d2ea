"""The state of each task of a grid, by the logs in its folder."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig

from vr_evals.analysis.settings import NO_SETTING_OF_REPLIES
from vr_evals.errors import InputError
from vr_evals.running.captured import CapturedTask
from vr_evals.running.folder import GridLog
from vr_evals.terminal import printable

__all__ = ["CellLog", "cell_logs", "failed_samples", "failures_of"]

_LIMITS = ("message_limit", "turn_limit", "time_limit", "working_limit", "cost_limit")
"""Limits that are part of a task's identity."""


@dataclass(frozen=True)
class CellLog:
    """One task of a grid and its newest log.

    Attributes:
        task: The task.
        log: The header of its newest log; None if it has none.
        finished: Whether there is nothing left to run.
    """

    task: CapturedTask
    log: EvalLog | None = None
    finished: bool = False


def cell_logs(
    tasks: Sequence[CapturedTask], logs: Sequence[GridLog], options: Mapping[str, Any]
) -> list[CellLog]:
    """Return the state of each task.

    Of several logs of a task, the newest has all samples of the others, because each run that
    resumes one starts with them.

    Args:
        tasks: Tasks of the grid.
        logs: The grid's logs in the folder.
        options: Arguments of ``eval_set``.

    Raises:
        InputError: A log was run with other settings, e.g. another temperature.
    """
    return [_state(task, [log for log in logs if _is_of(log, task)], options) for task in tasks]


def failed_samples(log: EvalLog) -> tuple[int, int]:
    """Return how many samples of a successful log failed, and of how many; each epoch counts.

    For a worker, Inspect counts a log as a success however many of its samples failed.
    """
    if log.results is None:  # of a log of which all failed
        total = len(log.eval.dataset.sample_ids or ()) * (log.eval.config.epochs or 1)
        return total, total
    return log.results.total_samples - log.results.completed_samples, log.results.total_samples


def failures_of(log: EvalLog) -> str | None:
    """Return in words how many samples of a successful log failed; None if none did."""
    failed, total = failed_samples(log)
    name = f"{log.eval.task} on {printable(log.eval.model)}"
    return f"{name}: {failed} of {total} samples failed" if failed else None


def _accepts_errors(log: EvalLog, fail_on_error: bool | float | None) -> bool:
    """Return whether a log has no more failed samples than are accepted.

    Args:
        log: The header.
        fail_on_error: As for ``eval_set``: False for any number, a share of all samples (below 1)
            or a number from which on the log counts as failed; otherwise none is accepted.
    """
    failed, total = failed_samples(log)
    if failed == 0 or fail_on_error is False:
        return log.results is not None  # eval_set runs a log without results again
    if fail_on_error is None or fail_on_error is True:
        return False
    return failed < (fail_on_error * total if fail_on_error < 1 else fail_on_error)


def _is_of(log: GridLog, task: CapturedTask) -> bool:
    found = log.header.eval
    return (found.task, found.model, found.task_args_passed) == (
        task.name,
        task.model,
        task.arguments,
    )


def _state(task: CapturedTask, logs: Sequence[GridLog], options: Mapping[str, Any]) -> CellLog:
    for log in logs:
        _check_settings(log, options)
    if not logs:
        return CellLog(task)
    newest = max(logs, key=lambda log: log.changed)
    header = newest.header
    finished = (
        newest.complete
        and not header.invalidated
        and _accepts_errors(header, options.get("fail_on_error"))
    )
    return CellLog(task, header, finished)


def _check_settings(log: GridLog, options: Mapping[str, Any]) -> None:
    """Check that a log was run with the settings of this run; ``eval_set`` compares them later."""
    given = {name: options[name] for name in GenerateConfig.model_fields if name in options}
    wanted = _replies(log.task.task.config.merge(GenerateConfig(**given)))
    found = _replies(log.header.plan.config)
    for name in _LIMITS:
        wanted[name] = _first(options.get(name), getattr(log.task.task, name))
        found[name] = getattr(log.header.eval.config, name)
    for name in sorted({*wanted, *found}):
        if wanted.get(name) != found.get(name):
            header = log.header.eval
            file = log.header.location.removeprefix("file://")
            raise InputError(
                f"{file}: log of {printable(header.task)} on {printable(header.model)} with {name} "
                f"{found.get(name)}, but {wanted.get(name)} is requested; use another --log-dir"
            )


def _replies(config: GenerateConfig) -> dict[str, Any]:
    """Return the settings that may change replies."""
    return config.model_dump(exclude=set(NO_SETTING_OF_REPLIES), exclude_none=True, mode="json")


def _first(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)
