"""Checks of a log folder before a grid runs in it: no existing log is lost or mixed up."""

import errno
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog, EvalLogInfo, list_eval_logs, read_eval_log

from vr_evals.errors import InputError
from vr_evals.running.plan import Plan, PlannedTask
from vr_evals.terminal import printable

__all__ = ["exclusive_lock", "check_folder", "check_writable"]

logger = logging.getLogger(__name__)

_LOCK = ".vr-evals-run.lock"
_NO_LOCKS = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL})
"""Error numbers of a file system without locks."""


def check_writable(log_dir: str) -> None:
    """Check that a local folder, or its nearest existing parent, is writable.

    Args:
        log_dir: The folder, or a URL, which is not checked.

    Raises:
        InputError: It is not writable.
    """
    folder = _nearest(log_dir)
    if folder is not None and not os.access(folder, os.W_OK):
        raise InputError(f"{log_dir}: cannot write logs: {folder} is read-only")


@contextmanager
def exclusive_lock(log_dir: str) -> Iterator[None]:
    """Lock a local folder for one grid, because two would both pay for the same samples.

    The system releases the lock when the process ends, also after a crash.

    Args:
        log_dir: The folder, created if missing, or a URL, which is not locked.

    Raises:
        InputError: Another process holds the lock.
    """
    if "://" in log_dir:
        yield
        return
    from filelock import FileLock, Timeout

    Path(log_dir).mkdir(parents=True, exist_ok=True)
    lock = FileLock(Path(log_dir) / _LOCK, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise InputError(
            f"{log_dir}: log directory is locked by another vr-evals run (it would pay for the "
            "same samples twice); wait until it ends, or use another --log-dir"
        ) from None
    except (NotImplementedError, OSError) as error:
        if isinstance(error, OSError) and error.errno not in _NO_LOCKS:
            raise InputError(f"{log_dir}: cannot lock {_LOCK}: {error.strerror or error}") from None
        logger.warning(
            "%s: file locks not supported: a second run at the same time is not detected", log_dir
        )
    try:
        yield
    finally:
        lock.release()


def _nearest(log_dir: str) -> Path | None:
    """Return a local folder or its nearest existing parent; None for a URL."""
    if "://" in log_dir:
        return None
    folder = Path(log_dir).absolute()
    return next(path for path in (folder, *folder.parents) if path.exists())


def _check_readable(log_dir: str) -> None:
    if not log_dir.strip():
        raise InputError("--log-dir: no folder given")
    folder = _nearest(log_dir)
    if folder is None:
        return
    if not folder.is_dir():
        raise InputError(f"{log_dir}: expected a folder, but {folder} is a file")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise InputError(f"{log_dir}: cannot read {folder}: permission denied")


def check_folder(
    plan: Plan, log_dir: str, model_args: Mapping[str, Any], allow_dirty: bool = False
) -> int:
    """Check that a grid can run in a folder without loss, and count its finished logs.

    ``eval_set`` deletes logs with more epochs than requested, and reuses logs with other or more
    samples as if they were the requested ones.

    Args:
        plan: The grid.
        log_dir: The folder or URL.
        model_args: Arguments of the models.
        allow_dirty: Whether the folder may contain logs of other grids or task versions.

    Returns:
        How many of the grid's logs are in the folder and complete.

    Raises:
        InputError: The folder or a log in it cannot be read, or a log has samples that the grid
            does not request or another task version.
    """
    _check_readable(log_dir)
    finished = set()
    for log, planned in _logs_of(plan, log_dir, model_args):
        version = planned.task.version
        if log.eval.task_version != version:
            if allow_dirty:
                continue
            raise InputError(
                f"{_describe(log_dir, log)} with task version {log.eval.task_version}, not "
                f"comparable with the current version {version}; use another --log-dir, or "
                "--log-dir-allow-dirty to run it again beside the old log"
            )
        if _has_all(log_dir, log, planned) and log.status == "success":
            finished.add((log.eval.task_id, log.eval.model))
    return len(finished)


def _has_all(log_dir: str, log: EvalLog, planned: PlannedTask) -> bool:
    """Return whether a log has all requested samples; refuse one that has others or more."""
    epochs = log.eval.config.epochs or 1
    ids = {str(id) for id in log.eval.dataset.sample_ids or ()}
    advice = "Inspect would delete or reuse it; request at least as much, or use another --log-dir"
    if epochs > planned.epochs or len(ids) > planned.samples:
        raise InputError(
            f"{_describe(log_dir, log)} with {len(ids)} samples × {epochs} epochs, but "
            f"{planned.samples} × {planned.epochs} are requested: {advice}"
        )
    shuffle = log.eval.config.sample_shuffle
    if (shuffle or None) != (planned.shuffle or None) and len(ids) < len(planned.task.dataset):
        raise InputError(
            f"{_describe(log_dir, log)} with sample shuffle {shuffle}, but {planned.shuffle} is "
            "requested, which selects other samples; use another --log-dir"
        )
    others = len(ids - planned.ids)
    if others:
        raise InputError(
            f"{_describe(log_dir, log)} with {len(ids)} samples, {others} of which are not among "
            f"the {planned.samples} requested: {advice}"
        )
    return (len(ids), epochs) == (planned.samples, planned.epochs)


def _describe(log_dir: str, log: EvalLog) -> str:
    names = f"{log.eval.task} on {log.eval.model}"
    return f"{printable(log_dir)} contains a log of {printable(names)}"


def _logs_of(
    plan: Plan, log_dir: str, model_args: Mapping[str, Any]
) -> Iterator[tuple[EvalLog, PlannedTask]]:
    """Yield the logs of a folder that belong to a grid, each with its task."""
    for info in list_eval_logs(log_dir):
        log = _header(info)
        if log.eval.model in plan.models and log.eval.model_args == model_args:
            for planned in plan.tasks:
                same = planned.cell.arguments == log.eval.task_args_passed
                if planned.task.name == log.eval.task and same:
                    yield log, planned


def _header(info: EvalLogInfo) -> EvalLog:
    try:
        return read_eval_log(info, header_only=True)
    except Exception as error:  # Inspect's readers raise various errors for a damaged file
        from vr_evals.analysis.log_reader import unreadable_reason

        raise InputError(
            f"{info.name.removeprefix('file://')}: {unreadable_reason(error)}; move it out of the "
            "folder to run its samples again"
        ) from None
