"""A grid of tasks: which tasks a run includes, and with which arguments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

from vr_evals.conditions import authority_task_name, level_task_name
from vr_evals.errors import InputError
from vr_evals.levels import Level
from vr_evals.running.catalogue import TaskEntry, catalogue

__all__ = ["Cell", "Paradigm", "authority_grid", "benchmarks_of", "level_grid"]

Paradigm = Literal["levels", "authority"]
"""``levels`` for the level tasks, ``authority`` for the tasks with all conditions."""

_DESIGN = {"level": "--levels, e.g. --levels 0,5", "thinking": "--thinking off, on or both"}
"""Task parameters that a grid varies, and their options."""


@dataclass(frozen=True)
class Cell:
    """One task of a grid.

    Attributes:
        entry: The task.
        arguments: Its arguments, without defaults.
        taken: The given parameters that the task has, including those given as the default.
        thinking: Whether thinking is on.
    """

    entry: TaskEntry
    arguments: Mapping[str, Any]
    taken: frozenset[str]
    thinking: bool


def benchmarks_of(paradigm: Paradigm) -> list[str]:
    """Return the benchmarks with tasks of a paradigm."""
    kind = "level" if paradigm == "levels" else "paradigm"
    found = [entry.attributes for entry in catalogue().values() if kind in entry.attributes]
    return list(dict.fromkeys(attributes["benchmark"] for attributes in found))


def level_grid(
    benchmarks: Sequence[str],
    levels: Sequence[Level] | None,
    thinking: Sequence[bool],
    given: Mapping[str, str],
) -> list[Cell]:
    """Return the level tasks of a grid.

    Args:
        benchmarks: Names of benchmarks.
        levels: Levels; None for all that each benchmark has.
        thinking: Thinking conditions.
        given: Parameters as typed; each is passed to the tasks that have it. `second_pass` may be a
            comma-separated list: then each form is a task.

    Raises:
        InputError: A benchmark does not have a level, or no task of the grid has one of the
            parameters, or the grid varies it.
    """
    cells = [
        _cell(entry, each, on)
        for benchmark, level, on in product(benchmarks, levels or Level, thinking)
        if levels or level_task_name(benchmark, level, on) in catalogue()
        for entry in [_level_entry(benchmark, level, on)]
        for each in _expanded(entry, given)
    ]
    _check_names(cells, given)
    return cells


def authority_grid(
    benchmarks: Sequence[str],
    levels: Sequence[Level],
    thinking: Sequence[bool],
    given: Mapping[str, str],
) -> list[Cell]:
    """Return the authority tasks of a grid, each with all conditions.

    Args:
        benchmarks: Names of benchmarks.
        levels: Levels that the paradigm is crossed with; empty for its own question.
        thinking: Thinking conditions.
        given: Parameters as typed; each is passed to the tasks that have it.

    Raises:
        InputError: A benchmark cannot be crossed with levels, or no task of the grid has one of the
            parameters, or the grid varies it.
    """
    crossed: Sequence[Level | None] = levels or [None]
    cells = [
        _authority_cell(entry, each, level, on)
        for benchmark, level, on in product(benchmarks, crossed, thinking)
        for entry in [catalogue()[authority_task_name(benchmark, None)]]
        for each in (_expanded(entry, given) if level is Level.TWO_PASS else [given])
    ]
    _check_names(cells, given)
    return cells


def _level_entry(benchmark: str, level: Level, thinking: bool) -> TaskEntry:
    name = level_task_name(benchmark, level, thinking)
    if name not in catalogue():
        raise InputError(f"--levels: level {level:d} is not supported by {benchmark}: no {name}")
    return catalogue()[name]


def _authority_cell(
    entry: TaskEntry, given: Mapping[str, str], level: Level | None, thinking: bool
) -> Cell:
    if level is not None and "level" not in entry.parameters:
        raise InputError(f"--levels: not supported by {entry.name}")
    # tasks reject parameters without effect
    without_effect = {"level", "thinking"}
    without_effect |= set() if thinking else {"thinking_budget"}
    without_effect |= set() if level is Level.TWO_PASS else {"second_pass"}
    used = {name: text for name, text in given.items() if name not in without_effect}
    crossing = {} if level is None else {"level": level.value}
    return _cell(entry, used, thinking, crossing | ({"thinking": True} if thinking else {}))


def _expanded(entry: TaskEntry, given: Mapping[str, str]) -> list[Mapping[str, str]]:
    """Return the parameters of each task that a list of forms of the second call makes."""
    if "second_pass" not in given or "second_pass" not in entry.parameters:
        return [given]
    forms = dict.fromkeys(form.strip() for form in given["second_pass"].split(","))
    return [{**given, "second_pass": form} for form in forms]


def _cell(
    entry: TaskEntry,
    given: Mapping[str, str],
    thinking: bool,
    design: Mapping[str, Any] | None = None,
) -> Cell:
    taken = {name: text for name, text in given.items() if name in entry.parameters}
    arguments = entry.arguments(taken) | dict(design or {})
    return Cell(entry, arguments, frozenset(taken), thinking)


def _check_names(cells: Sequence[Cell], given: Mapping[str, str]) -> None:
    for name in given:
        if name in _DESIGN:
            raise InputError(f"-T {name}: not supported in a grid; use {_DESIGN[name]}")
        if not any(name in cell.taken for cell in cells):
            known = sorted({name for cell in cells for name in cell.entry.parameters})
            raise InputError(
                f"-T {name}: not a parameter of any task in this grid (valid: {', '.join(known)})"
            )
