"""What stands in a log folder already: kept from being replaced, deleted or mixed up."""

import errno
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog, EvalLogInfo, list_eval_logs, read_eval_log

from vr_evals.commands.plan import Plan, PlannedTask
from vr_evals.errors import InputError
from vr_evals.terminal import printable

__all__ = ["alone_in", "check_folder", "check_writable"]

logger = logging.getLogger(__name__)

_LOCK = ".vr-evals-run.lock"
_NO_LOCKS = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL})
"""What a file system without locks answers."""


def check_writable(log_dir: str) -> None:
    """Check that a local folder, or the one that it is to be made in, can be written.

    Args:
        log_dir: The folder, or a URL of one, which is not checked.

    Raises:
        InputError: It cannot.
    """
    there = _nearest(log_dir)
    if there is not None and not os.access(there, os.W_OK):
        raise InputError(f"{log_dir}: no log can be written, for {there} is read-only to you")


@contextmanager
def alone_in(log_dir: str) -> Iterator[None]:
    """Be the only grid that runs in a local folder: two would both pay for the same samples.

    The system gives the folder free when the process ends, however it does.

    Args:
        log_dir: The folder, which is made if need be, or a URL of one, which is not guarded.

    Raises:
        InputError: Another process runs a grid in it.
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
            f"{log_dir}: another vr-evals run is at work in it, and the samples that it has not "
            "finished would be asked and paid for twice; wait for its end, or use another --log-dir"
        ) from None
    except (NotImplementedError, OSError) as error:
        if isinstance(error, OSError) and error.errno not in _NO_LOCKS:
            raise InputError(
                f"{log_dir}: {_LOCK} in it cannot be locked: {error.strerror or error}"
            ) from None
        logger.warning(
            "%s: no locks there, so another run at the same time is not noticed", log_dir
        )
    try:
        yield
    finally:
        lock.release()


def _nearest(log_dir: str) -> Path | None:
    """A local folder, or the one that it is to be made in; None of a URL."""
    if "://" in log_dir:
        return None
    folder = Path(log_dir).absolute()
    return next(path for path in (folder, *folder.parents) if path.exists())


def _check_place(log_dir: str) -> None:
    if not log_dir.strip():
        raise InputError("--log-dir: no folder is named")
    there = _nearest(log_dir)
    if there is None:
        return
    if not there.is_dir():
        raise InputError(f"{log_dir}: {there} is a file; wanted a folder for the logs")
    if not os.access(there, os.R_OK | os.X_OK):
        raise InputError(f"{log_dir}: {there} cannot be read by you")


def check_folder(
    plan: Plan, log_dir: str, model_args: Mapping[str, Any], allow_dirty: bool = False
) -> int:
    """Check that a grid can be run in a folder without loss, and count what is done already.

    ``eval_set`` replaces and deletes logs with more epochs than are asked for now, and takes logs
    with other or more samples for the ones that are asked for.

    Args:
        plan: The grid.
        log_dir: The folder, or a URL of one.
        model_args: Arguments of the models.
        allow_dirty: Whether the folder may hold logs of other grids, as older versions are.

    Returns:
        How many of the grid's logs are in the folder, and have all that is asked for.

    Raises:
        InputError: It is no folder that can be read, or a log in it cannot be read, has what the
            grid does not ask for, or is of another version of its task.
    """
    _check_place(log_dir)
    finished = set()
    for log, planned in _logs_of(plan, log_dir, model_args):
        version = planned.task.version
        if log.eval.task_version != version:
            if allow_dirty:
                continue
            raise InputError(
                f"{_named(log_dir, log)} of version {log.eval.task_version}, and its version is "
                f"{version} now: another prompt or reading, so not the same task; use another "
                "--log-dir, or --log-dir-allow-dirty runs it anew beside the old log"
            )
        if _has_all(log_dir, log, planned) and log.status == "success":
            finished.add((log.eval.task_id, log.eval.model))
    return len(finished)


def _has_all(log_dir: str, log: EvalLog, planned: PlannedTask) -> bool:
    """Whether a log was to have all that is asked for now; it may not have more."""
    epochs = log.eval.config.epochs or 1
    ids = {str(id) for id in log.eval.dataset.sample_ids or ()}
    advice = (
        "Inspect would delete it or take it for this run; ask for as much, or use another --log-dir"
    )
    if epochs > planned.epochs or len(ids) > planned.samples:
        raise InputError(
            f"{_named(log_dir, log)} with {len(ids)} samples × {epochs} epochs, and now "
            f"{planned.samples} × {planned.epochs} are asked for: {advice}"
        )
    shuffle = log.eval.config.sample_shuffle
    if (shuffle or None) != (planned.shuffle or None) and len(ids) < len(planned.task.dataset):
        raise InputError(
            f"{_named(log_dir, log)} with samples shuffled by {shuffle}, and now by "
            f"{planned.shuffle}: others would be asked; use another --log-dir"
        )
    others = len(ids - planned.ids)
    if others:
        raise InputError(
            f"{_named(log_dir, log)} with {len(ids)} samples, {others} of which are not among the "
            f"{planned.samples} that are asked for now: {advice}"
        )
    return (len(ids), epochs) == (planned.samples, planned.epochs)


def _named(log_dir: str, log: EvalLog) -> str:
    names = f"{log.eval.task} on {log.eval.model}"
    return f"{printable(log_dir)} has a log of {printable(names)}"


def _logs_of(
    plan: Plan, log_dir: str, model_args: Mapping[str, Any]
) -> Iterator[tuple[EvalLog, PlannedTask]]:
    """The logs in a folder that are of a grid, each with the task it is of."""
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
    except Exception as error:  # whatever Inspect's readers make of a broken file
        from vr_evals.analysis.selection import unreadable

        raise InputError(
            f"{info.name.removeprefix('file://')}: {unreadable(error)}; move it out of the folder, "
            "and its samples are run again"
        ) from None
