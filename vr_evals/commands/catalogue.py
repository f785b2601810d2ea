"""Every task of vr_evals: what it asks, and the parameters it takes."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from inspect_ai import Task, TaskInfo, list_tasks

from vr_evals.commands.arguments import read_value
from vr_evals.errors import InputError
from vr_evals.tasks.checks import Parameter, parameters_of

__all__ = ["PREFIX", "TaskEntry", "catalogue", "find_task"]

PREFIX = "vr_evals/"
"""What stands before a task's name after ``inspect eval``."""


@dataclass(frozen=True)
class TaskEntry:
    """One task.

    Attributes:
        name: Its name without the prefix, such as ``ethics_level5_thinking``.
        summary: What it asks, in a line.
        attributes: What its decorator says of it: ``benchmark``, and ``level`` and ``thinking`` or
            ``paradigm`` and ``condition``.
        parameters: Its parameters by name.
        make: Makes the task of its parameters.
    """

    name: str
    summary: str
    attributes: Mapping[str, Any]
    parameters: Mapping[str, Parameter]
    make: Callable[..., Task]

    def arguments(self, given: Mapping[str, str]) -> dict[str, Any]:
        """The arguments that texts stand for; those that are the default are left out.

        A default that is passed makes another task for ``eval_set``. A name or a value that the
        task does not take is kept for the task to refuse.
        """
        read = {
            name: _read(self.parameters[name], text) if name in self.parameters else text
            for name, text in given.items()
        }
        return {
            name: value
            for name, value in read.items()
            if name not in self.parameters or value != self.parameters[name].default
        }


def _read(parameter: Parameter, text: str) -> Any:
    """The value that a text means, or the text itself if the parameter has no such value."""
    try:
        return read_value(text, parameter.type)
    except ValueError:
        return text


@cache
def catalogue() -> Mapping[str, TaskEntry]:
    """Every task by name, those of a benchmark together."""
    from vr_evals import tasks

    folder = Path(str(tasks.__file__)).resolve().parent
    return {info.name: _entry(info) for info in list_tasks(root_dir=folder)}


def _entry(info: TaskInfo) -> TaskEntry:
    make = getattr(import_module(f"vr_evals.tasks.{Path(info.file).stem}"), info.name)
    summary = (inspect.getdoc(make) or "").partition("\n")[0]
    return TaskEntry(info.name, summary, info.attribs, parameters_of(make), make)


def find_task(name: str) -> TaskEntry:
    """The task of a name, with its prefix or without.

    Raises:
        InputError: There is none.
    """
    entries = catalogue()
    found = entries.get(name.removeprefix(PREFIX))
    if found is None:
        near = get_close_matches(name.removeprefix(PREFIX), entries, n=3)
        meant = f"did you mean {' or '.join(near)}?" if near else "`vr-evals tasks` lists them"
        raise InputError(f"there is no task {name!r}; {meant}")
    return found
