"""Inspect's protocol for external runners: which tasks an eval set has, and running some of them.

Two environment variables name a JSON file each. With ``INSPECT_EVAL_SET_CAPTURE``, ``eval_set``
writes its tasks to the file and exits. With ``INSPECT_EVAL_SET_SELECTION``, it runs the tasks that
the file names into the log folder, without a look at the folder's other logs or at its metadata:
these are the runner's. The format is described in ``inspect_ai._eval.eval_set_selection``.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from vr_evals.errors import InputError

__all__ = [
    "CAPTURE_VARIABLE",
    "SELECTION_VARIABLE",
    "CapturedTask",
    "DrivenMode",
    "capture",
    "driven_mode",
    "read_capture",
    "selection",
    "selection_document",
]

CAPTURE_VARIABLE = "INSPECT_EVAL_SET_CAPTURE"
"""Names the file that ``eval_set`` writes its tasks to."""

SELECTION_VARIABLE = "INSPECT_EVAL_SET_SELECTION"
"""Names the file with the tasks that ``eval_set`` runs."""

_SELECTION_VERSION = 6
"""The lowest version of the format that has all that a selection here may contain."""

_CAPTURE_VERSIONS = frozenset({1, 2, 3})
"""Versions of the capture format whose tasks have the fields that are read here."""

DrivenMode = Literal["capture", "selection"]
"""What an external runner asks of ``eval_set``: to list its tasks, or to run some of them."""


@dataclass(frozen=True)
class CapturedTask:
    """One task of an eval set: a task with its arguments on one model, with one log.

    Attributes:
        identifier: Inspect's identifier: of task, arguments, model and settings. It is the same
            in each process, and does not change when other tasks are added or finish.
        name: The task's name, as in its log.
        model: The model's name, as in its log.
        arguments: The task's arguments, without defaults.
        samples: The number of samples that are run.
        epochs: Epochs of each sample.
        registry_name: The task's name in Inspect's registry; None if it is not registered.
        args_hash: Inspect's hash of the arguments. With `registry_name`, a worker does not create
            the tasks that it does not run, nor load their items.
    """

    identifier: str
    name: str
    model: str
    arguments: Mapping[str, Any] = field(hash=False)
    samples: int
    epochs: int
    registry_name: str | None = None
    args_hash: str | None = None


def driven_mode() -> DrivenMode | None:
    """Return what an external runner asks of this process, by its environment; None without one."""
    modes: dict[str, DrivenMode] = {CAPTURE_VARIABLE: "capture", SELECTION_VARIABLE: "selection"}
    found = [mode for name, mode in modes.items() if os.environ.get(name, "").strip()]
    return found[0] if found else None


def read_capture(path: str | Path) -> tuple[CapturedTask, ...]:
    """Read the tasks that ``eval_set`` wrote.

    Args:
        path: The file that ``INSPECT_EVAL_SET_CAPTURE`` named.

    Raises:
        InputError: The file cannot be read, or has a format that is not supported.
    """
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        if document["version"] not in _CAPTURE_VERSIONS:
            raise InputError(
                f"{path}: capture format {document['version']!r} not supported: expected one of "
                f"{', '.join(map(str, sorted(_CAPTURE_VERSIONS)))}"
            )
        return tuple(
            CapturedTask(
                identifier=task["identifier"],
                name=task["name"],
                model=task["model"],
                arguments=task["args"],
                samples=task["samples"],
                epochs=task["epochs"],
                registry_name=task.get("registry_name"),
                args_hash=task.get("args_hash"),
            )
            for task in document["tasks"]
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: invalid capture of an eval set: {error!r}") from None


def selection_document(
    tasks: Sequence[CapturedTask],
    eval_set_id: str,
    *,
    resume: Mapping[str, str] | None = None,
    **overrides: Any,
) -> dict[str, Any]:
    """Return the JSON that ``INSPECT_EVAL_SET_SELECTION`` names for a worker.

    Args:
        tasks: The tasks that the worker runs.
        eval_set_id: The id that its logs get; the same for all workers of a grid.
        resume: The log whose samples are not run again, by a task's identifier.
        **overrides: Arguments of ``eval_set`` that differ for this worker and are not part of a
            task's identity, e.g. ``log_dir``, ``max_tasks``, ``max_samples``.
    """
    return {
        "version": _SELECTION_VERSION,
        "eval_set_id": eval_set_id,
        "tasks": [
            {
                "identifier": task.identifier,
                "resume": (resume or {}).get(task.identifier),
                "registry_name": task.registry_name,
                "args_hash": task.args_hash,
            }
            for task in tasks
        ],
        "overrides": overrides or None,
    }


def capture(call_eval_set: Callable[[], object]) -> tuple[CapturedTask, ...]:
    """Return the tasks of an eval set, without running or writing anything.

    Args:
        call_eval_set: Calls ``eval_set``, in this process.

    Raises:
        InputError: As ``read_capture`` does.
    """
    with _file_of(CAPTURE_VARIABLE) as path:
        with suppress(SystemExit):  # which eval_set raises at the end of a capture
            call_eval_set()
        return read_capture(path)


@contextmanager
def selection(document: Mapping[str, Any]) -> Iterator[None]:
    """Make ``eval_set``, in this process, run a selection in the body of a ``with``.

    Args:
        document: From ``selection_document``.
    """
    with _file_of(SELECTION_VARIABLE) as path:
        path.write_text(json.dumps(document), encoding="utf-8")
        yield


@contextmanager
def _file_of(variable: str) -> Iterator[Path]:
    """Set a variable to a temporary file in the body of a ``with``."""
    before = os.environ.get(variable)
    with TemporaryDirectory(prefix="vr-evals-") as folder:
        path = Path(folder) / "eval-set.json"
        os.environ[variable] = str(path)
        try:
            yield path
        finally:
            if before is None:
                del os.environ[variable]
            else:
                os.environ[variable] = before
