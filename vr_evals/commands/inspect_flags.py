"""Parse the flags of ``inspect eval-set`` for ``eval_set``.

The flags are the parameters of ``eval_set`` and ``GenerateConfig``, by name and type:
``--max-connections 20`` is ``max_connections=20``, ``--no-score`` is ``score=False``, and
``--fail-on-error`` alone is ``fail_on_error=True``.
"""

import json
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache, reduce
from operator import or_
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import click
from inspect_ai import eval_set
from inspect_ai.model import GenerateConfigArgs
from inspect_ai.solver import SolverSpec
from pydantic import TypeAdapter

from vr_evals.commands.arguments import assignments
from vr_evals.running.values import read_value

__all__ = ["inspect_flags"]

_NOT_FLAGS = {"tasks", "task_args", "model", "model_args", "log_dir", "limit", "epochs"}
"""Arguments that the grid sets itself."""

_ALIASES = {"id": "eval_set_id"}
"""Flags with another name than the parameter."""

_SCALARS = {bool: "true or false", int: "an integer", float: "a number", str: "text"}


@cache
def _types() -> Mapping[str, tuple[Any, ...]]:
    """Return the types of each parameter that can be typed, for those with at least one."""
    hints = get_type_hints(eval_set) | get_type_hints(GenerateConfigArgs)
    typed = {
        name: tuple(member for member in _members(hint) if _can_be_typed(member))
        for name, hint in hints.items()
        if name not in _NOT_FLAGS
    }
    return {name: members for name, members in typed.items() if members}


def _members(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _can_be_typed(member: Any) -> bool:
    if get_origin(member) in (list, dict):
        return all(part in _SCALARS or part is Any for part in get_args(member))
    return member in (*_SCALARS, SolverSpec) or get_origin(member) is Literal


def inspect_flags(words: Sequence[str]) -> dict[str, Any]:
    """Parse Inspect's flags into keyword arguments of ``eval_set``.

    Args:
        words: Flags and their values, as typed.

    Raises:
        click.UsageError: A flag is unknown, or its value is missing or invalid.
    """
    found: dict[str, Any] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        flag, equals, text = word.partition("=")
        if not flag.startswith("-"):
            raise click.UsageError(f"Got unexpected extra argument ({word})")
        name, negated = _parameter(flag)
        value = text if equals else None
        if not equals and not negated and rest and not rest[0].startswith("--"):
            value = rest.pop(0)
        if negated or value is None:
            found[name] = _on_or_off(flag, name, value, negated)
        else:
            read = _value(flag, name, value)
            found[name] = found.get(name, {}) | read if isinstance(read, dict) else read
    return found


def _parameter(flag: str) -> tuple[str, bool]:
    """Return the parameter that a flag sets, and whether the flag turns it off."""
    name = flag.removeprefix("--").replace("-", "_")
    name = _ALIASES.get(name, name)
    if name in _types():
        return name, False
    positive = name.removeprefix("no_")
    if bool in _types().get(positive, ()):
        return positive, True
    known = [f"--{known.replace('_', '-')}" for known in _types()]
    raise click.NoSuchOption(flag, possibilities=get_close_matches(flag, known))


def _on_or_off(flag: str, name: str, text: str | None, negated: bool) -> bool:
    """Return the value of a flag that is given without one."""
    if text is not None:
        raise click.BadOptionUsage(flag, f"Option '{flag}' does not take a value.")
    if bool not in _types()[name]:
        raise click.BadOptionUsage(flag, f"Option '{flag}' requires an argument.")
    return not negated


def _value(flag: str, name: str, text: str) -> Any:
    members = _types()[name]
    kinds = {get_origin(member) for member in members}
    if SolverSpec in members:
        return SolverSpec(text)
    hint = reduce(or_, members)
    try:
        if dict in kinds:
            pairs = json.loads(text) if text.startswith("{") else assignments(flag, [text])
            return TypeAdapter(hint).validate_python(pairs)
        if list in kinds:
            return [part.strip() for part in text.split(",")]
        return read_value(text, hint)
    except ValueError:
        takes = " or ".join(
            _SCALARS.get(member) or ", ".join(map(str, get_args(member))) for member in members
        )
        raise click.BadParameter(
            f"invalid value {text!r}: expected {takes}", param_hint=flag
        ) from None
