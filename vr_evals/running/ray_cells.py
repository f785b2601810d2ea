"""What runs on the nodes of a Ray cluster: one cell of a grid, and a check of the log folder."""

import os
from collections.abc import Mapping
from contextlib import ExitStack, chdir, suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

import fsspec
from inspect_ai.log import EvalLog

from vr_evals.errors import InputError, is_prerequisite, one_line
from vr_evals.running.captured import selection_document
from vr_evals.running.catalogue import find_task
from vr_evals.running.eval_grid import PreparedGrid
from vr_evals.running.grid import Cell
from vr_evals.running.plan import Selection, plan_grid

__all__ = [
    "CellJob",
    "CellOutcome",
    "FolderToken",
    "NodeVersions",
    "check_node",
    "run_cell",
]


@dataclass(frozen=True)
class FolderToken:
    """A file that the driver writes, by which a worker recognises the log folder.

    Attributes:
        log_dir: The folder, absolute, or its URL.
        name: The file's name.
        text: Its random content.
    """

    log_dir: str
    name: str
    text: str

    def write(self) -> None:
        """Write the file.

        Raises:
            InputError: The folder cannot be written.
        """
        try:
            with fsspec.open(self._url(self.name), "w", auto_mkdir=True) as file:
                file.write(self.text)
        except Exception as error:  # file systems raise errors of their own
            raise InputError(f"{self.log_dir}: cannot write logs: {_reason(error)}") from None

    def remove(self) -> None:
        """Remove the file, and nothing if it is gone."""
        _remove(self._url(self.name))

    def problem(self, *, write: str | None = None) -> str | None:
        """Return why the driver's folder cannot be used from here, or None.

        Args:
            write: The name of a file that is written, and removed again.
        """
        try:
            with fsspec.open(self._url(self.name), "r") as file:
                found = file.read()
            if found != self.text:
                return f"{self.log_dir} is another folder here"
            if write is not None:
                with fsspec.open(self._url(write), "w") as file:
                    file.write(self.text)
                _remove(self._url(write))
        except FileNotFoundError:
            return f"{self.log_dir} is another folder here, or does not exist"
        except Exception as error:
            return f"{self.log_dir}: {_reason(error)}"
        return None

    def _url(self, name: str) -> str:
        return f"{self.log_dir.rstrip('/')}/{name}"


@dataclass(frozen=True)
class NodeVersions:
    """Versions on which results depend: those of all nodes must be the driver's."""

    vr_evals: str
    inspect_ai: str

    def __str__(self) -> str:
        return f"vr-evals {self.vr_evals} and inspect-ai {self.inspect_ai}"

    @classmethod
    def here(cls) -> "NodeVersions":
        """Return the versions of this process."""
        return cls(version("vr-evals"), version("inspect-ai"))


@dataclass(frozen=True)
class CellJob:
    """One cell of a grid, as it is sent to a node: values that any version of Python can read.

    Attributes:
        task: The task's name.
        arguments: Its arguments, without defaults.
        model: The model.
        thinking: Whether thinking is on.
        options: Further arguments of ``eval_set``.
        eval_set_id: The id that the logs of all cells get.
        resume: The cell's log of an earlier attempt, whose samples are not run again.
        token: The log folder.
        folder: The driver's working directory, for relative paths; used if the node has it.
        environment: Variables of the driver, e.g. keys; not part of the job's text.
    """

    task: str
    arguments: Mapping[str, Any]
    model: str
    thinking: bool
    options: Mapping[str, Any]
    eval_set_id: str
    resume: str | None
    token: FolderToken
    folder: str
    environment: Mapping[str, str] = field(repr=False)


@dataclass(frozen=True)
class CellOutcome:
    """What a node says of a cell that it ran.

    Attributes:
        header: The header of the log; None if none was written.
        error: Why there is none.
        is_certain: Whether another attempt would end in the same way, e.g. for want of a key.
    """

    header: EvalLog | None
    error: str | None
    is_certain: bool


def check_node(token: FolderToken, name: str) -> tuple[NodeVersions, str | None]:
    """Return the versions of this node, and why the log folder cannot be used on it, if so."""
    return NodeVersions.here(), token.problem(write=name)


def run_cell(job: CellJob) -> CellOutcome:
    """Run a cell in this process. Errors are returned, because they are the driver's to judge."""
    header, error, is_certain = None, None, False
    try:
        with ExitStack() as stack:
            os.environ.update(job.environment)
            if os.path.isdir(job.folder):
                stack.enter_context(chdir(job.folder))
            # a node may have joined after the check of all nodes
            problem = job.token.problem()
            if problem is not None:
                raise InputError(problem)
            header = _header(job)
    except Exception as caught:
        error = one_line(caught) or type(caught).__name__
        is_certain = isinstance(caught, InputError) or is_prerequisite(caught)
    return CellOutcome(header, error, is_certain)


def _header(job: CellJob) -> EvalLog:
    """Run a cell and return the header of its log.

    The cell is captured here and not by the driver, which may have no key and no GPU: Inspect
    creates models for a capture, too.
    """
    cell = Cell(find_task(job.task), job.arguments, frozenset(), job.thinking)
    plan = plan_grid([cell], [job.model], Selection())
    prepared = PreparedGrid(plan, 0, job.token.log_dir, job.options)
    [task] = prepared.capture()
    resume = {task.identifier: job.resume} if job.resume else None
    _, [header] = prepared.run_selection(selection_document([task], job.eval_set_id, resume=resume))
    return header


def _reason(error: Exception) -> str:
    message = str(getattr(error, "message", None) or error) or type(error).__name__
    return " ".join(message.split())


def _remove(url: str) -> None:
    system, path = fsspec.url_to_fs(url)
    with suppress(FileNotFoundError):
        system.rm_file(path)
