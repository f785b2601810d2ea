"""All vr_evals tasks, with their parameters."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from inspect_ai import Task, TaskInfo, list_tasks

from vr_evals.errors import InputError
from vr_evals.running.values import read_value
from vr_evals.tasks.checks import Parameter, parameters_of

__all__ = ["PREFIX", "TaskEntry", "catalogue", "find_task"]

PREFIX = "vr_evals/"
"""The prefix of a task's name in ``inspect eval``."""


@dataclass(frozen=True)
class TaskEntry:
    """One task.

    Attributes:
        name: Its name without the prefix, e.g. ``ethics_level5_thinking``.
        summary: The first line of its docstring.
        attributes: The attributes of its decorator: ``benchmark``, and ``level`` and ``thinking``
            or ``paradigm`` and ``condition``.
        parameters: Its parameters by name.
        make: Creates the task from arguments.
    """

    name: str
    summary: str
    attributes: Mapping[str, Any]
    parameters: Mapping[str, Parameter]
    make: Callable[..., Task]

    def arguments(self, given: Mapping[str, str]) -> dict[str, Any]:
        """Parse arguments; defaults are left out, because with them ``eval_set`` sees another task.

        Invalid names and values are kept, so that the task reports them.
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
    """Parse a value; return the text if it is not valid."""
    try:
        return read_value(text, parameter.type)
    except ValueError:
        return text


@cache
def catalogue() -> Mapping[str, TaskEntry]:
    """Return all tasks by name, grouped by benchmark."""
    from vr_evals import tasks

    folder = Path(str(tasks.__file__)).resolve().parent
    return {info.name: _entry(info) for info in list_tasks(root_dir=folder)}


def _entry(info: TaskInfo) -> TaskEntry:
    make = getattr(import_module(f"vr_evals.tasks.{Path(info.file).stem}"), info.name)
    summary = (inspect.getdoc(make) or "").partition("\n")[0]
    return TaskEntry(info.name, summary, info.attribs, parameters_of(make), make)


def find_task(name: str) -> TaskEntry:
    """Return a task by name, with or without the prefix.

    Raises:
        InputError: The name is unknown.
    """
    entries = catalogue()
    found = entries.get(name.removeprefix(PREFIX))
    if found is None:
        near = get_close_matches(name.removeprefix(PREFIX), entries, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "see `vr-evals tasks`"
        raise InputError(f"unknown task {name!r}; {hint}")
    return found
