"""Checks of a log folder before a grid runs in it: no existing log is lost or mixed up."""

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from inspect_ai.log import (
    EvalLog,
    EvalLogInfo,
    list_eval_logs,
    read_eval_log,
    read_eval_log_headers_async,
)

from vr_evals.errors import InputError
from vr_evals.running.plan import Plan, PlannedTask
from vr_evals.terminal import printable

__all__ = ["GridLog", "check_writable", "eval_set_id_of", "grid_logs"]


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


def eval_set_id_of(log_dir: str) -> str | None:
    """Return the id that ``eval_set`` gave a folder; None before its first run there."""
    from fsspec.core import url_to_fs

    files, folder = url_to_fs(log_dir)
    try:
        text = bytes(files.cat_file(f"{folder}/.eval-set-id")).decode("utf-8", "replace")
    except FileNotFoundError:
        return None
    return text.strip() or None


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


@dataclass(frozen=True)
class GridLog:
    """A log of a grid.

    Attributes:
        header: The log, without samples.
        task: Its task.
        complete: Whether it has all samples that the grid requests, and its run succeeded.
        changed: When it was last written, in milliseconds since 1970; 0 if unknown.
    """

    header: EvalLog
    task: PlannedTask
    complete: bool
    changed: float


def grid_logs(
    plan: Plan, log_dir: str, model_args: Mapping[str, Any], allow_dirty: bool = False
) -> list[GridLog]:
    """Return the logs of a grid in a folder, and check that it can run there without loss.

    ``eval_set`` deletes logs with more epochs than requested, and reuses logs with other or more
    samples as if they were the requested ones.

    Args:
        plan: The grid.
        log_dir: The folder or URL.
        model_args: Arguments of the models.
        allow_dirty: Whether the folder may contain logs of other grids or task versions.

    Raises:
        InputError: The folder or a log in it cannot be read, or a log has samples that the grid
            does not request or another task version.
    """
    _check_readable(log_dir)
    found = []
    for info, log, planned in _logs_of(plan, log_dir, model_args):
        version = planned.task.version
        if log.eval.task_version != version:
            if allow_dirty:
                continue
            raise InputError(
                f"{_describe(log_dir, log)} with task version {log.eval.task_version}, not "
                f"comparable with the current version {version}; use another --log-dir, or "
                "--log-dir-allow-dirty to run it again beside the old log"
            )
        complete = _has_all(log_dir, log, planned) and log.status == "success"
        found.append(GridLog(log, planned, complete, info.mtime or 0))
    return found


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
) -> Iterator[tuple[EvalLogInfo, EvalLog, PlannedTask]]:
    """Yield the logs of a folder that belong to a grid, each with its file and task."""
    infos = _listed(log_dir)
    for info, log in zip(infos, _headers(infos), strict=True):
        if log and log.eval.model in plan.models and log.eval.model_args == model_args:
            for planned in plan.tasks:
                same = planned.cell.arguments == log.eval.task_args_passed
                if planned.task.name == log.eval.task and same:
                    yield info, log, planned


def _listed(log_dir: str) -> list[EvalLogInfo]:
    try:
        return list_eval_logs(log_dir)
    except Exception as error:  # each file system has exceptions of its own
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"{log_dir}: failed to read: {reason}") from None


def _headers(infos: Sequence[EvalLogInfo]) -> Iterable[EvalLog | None]:
    """Read headers; those at a URL at once, because each alone would make a client of its own."""
    if any("://" in info.name and not info.name.startswith("file:") for info in infos):
        try:
            with ThreadPoolExecutor(1) as pool:  # a notebook's thread has an event loop already
                headers = partial(read_eval_log_headers_async, list(infos))
                return pool.submit(lambda: anyio.run(headers)).result()
        except Exception:  # one of them cannot be read: each alone says which
            return map(_header, infos)
    return map(_header, infos)


def _header(info: EvalLogInfo) -> EvalLog | None:
    """Read a log's header; None if the log was deleted meanwhile.

    Another process may be writing it: then a later attempt succeeds.
    """
    waits = iter((0.2, 1.0))
    while True:
        try:
            return read_eval_log(info, header_only=True)
        except FileNotFoundError:
            return None
        except Exception as error:  # Inspect's readers raise various errors for a damaged file
            if wait := next(waits, None):
                time.sleep(wait)
                continue
            from vr_evals.analysis.log_reader import unreadable_reason

            raise InputError(
                f"{info.name.removeprefix('file://')}: {unreadable_reason(error)}; move it out of "
                "the folder to run its samples again"
            ) from None
