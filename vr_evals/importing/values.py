"""The values of a row: numbers, words, flags, conditions."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import NoReturn

from vr_evals.benchmarks import Benchmark, RowError, find
from vr_evals.conditions import CONDITIONS
from vr_evals.errors import InputError
from vr_evals.importing.replies import Effort
from vr_evals.levels import Level

__all__ = [
    "benchmark_named",
    "benchmark_names",
    "choice",
    "condition",
    "flag",
    "level",
    "number",
    "reply",
    "text",
    "thinking",
    "whole_number",
]

_FLAGS = {"true": True, "yes": True, "on": True, "1": True}
_FLAGS |= {"false": False, "no": False, "off": False, "0": False}

_OFF = frozenset({"off", "false", "no", "none", "disabled", "0"})
_ON = frozenset({"on", "true", "yes", "enabled"})
_EFFORTS: Mapping[str, bool] = {
    "minimal": False,
    "low": True,
    "medium": True,
    "high": True,
    "xhigh": True,
    "max": True,
}
"""Efforts, and whether thinking counts as on: the least one is what such models have for off."""


def benchmark_names() -> list[str]:
    """Return the names of the benchmarks that have tasks."""
    from importlib import import_module
    from pkgutil import iter_modules

    from vr_evals import tasks

    modules = [module.name for module in iter_modules(tasks.__path__)]
    names = [name.removesuffix("_authority") for name in modules if name.endswith("_authority")]
    names = [name for name in names if name != "build"]
    for name in names:
        import_module(f"vr_evals.benchmarks.{name}")  # registers it
    return names


def benchmark_named(name: str) -> Benchmark:
    """Return a benchmark.

    Raises:
        InputError: There is none of that name.
    """
    names = benchmark_names()
    if name not in names:
        raise InputError(f"invalid benchmark '{name}': expected one of {', '.join(sorted(names))}")
    return find(name)


def text(value: object) -> str | None:
    """Return a value as text, or None if it is missing or blank."""
    if value is None or isinstance(value, dict | list):
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    found = str(value)
    return found if found.strip() else None


def reply(value: object) -> str:
    """Return a reply, which is empty if it is missing.

    Raises:
        RowError: It is not a text.
    """
    if isinstance(value, dict | list):
        raise RowError("invalid reply: expected a text, found a list or an object")
    return text(value) or ""


def choice(value: object, name: str, options: Collection[str]) -> str | None:
    """Return one of some words, or None if the value is missing."""
    found = text(value)
    if found is not None and found.strip().lower() not in options:
        _wrong(name, found, f"one of {', '.join(options)}")
    return found and found.strip().lower()


def flag(value: object, name: str) -> bool | None:
    """Return a truth value, or None if it is missing."""
    found = text(value)
    if found is not None and found.strip().lower() not in _FLAGS:
        _wrong(name, found, "true or false")
    return None if found is None else _FLAGS[found.strip().lower()]


def number(value: object, name: str) -> float | None:
    """Return a finite number that is not negative, or None if the value is missing."""
    found = text(value)
    if found is None:
        return None
    try:
        parsed = float(found)
    except ValueError:
        parsed = math.nan
    if not (math.isfinite(parsed) and parsed >= 0):
        _wrong(name, found, "a number of at least 0")
    return parsed


def whole_number(value: object, name: str, least: int = 0) -> int | None:
    """Return a whole number, or None if the value is missing."""
    found = number(value, name)
    if found is not None and not (found.is_integer() and least <= found < 2**31):
        _wrong(name, text(value), f"a whole number of at least {least}")
    return None if found is None else int(found)


def level(value: object) -> int | None:
    """Return a level, or None if the value is missing."""
    found = whole_number(value, "level")
    if found is not None and found not in list(Level):
        _wrong("level", found, f"{min(Level):d} to {max(Level):d}")
    return found


def thinking(value: object) -> tuple[bool, Effort | None, int | None]:
    """Return whether thinking was on, its effort, and its budget in tokens; missing is off.

    Args:
        value: ``off`` or ``on``, a truth value, an effort, or a budget.
    """
    found = (text(value) or "off").strip().lower()
    if found in _OFF:
        return False, None, None
    if found in _ON:
        return True, None, None
    if found in _EFFORTS:
        return _EFFORTS[found], found, None
    if not found.isdecimal():
        _wrong("thinking", found, f"off, on, {', '.join(_EFFORTS)} or a number of tokens")
    return True, None, whole_number(found, "thinking")


def condition(value: object) -> str | None:
    """Return an authority condition, or None if the value is missing."""
    return choice(value, "condition", CONDITIONS)


def _wrong(name: str, found: object, expected: str) -> NoReturn:
    raise RowError(f"invalid {name} {found!r}: expected {expected}")
