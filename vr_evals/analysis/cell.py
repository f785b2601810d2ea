"""One cell: a model on a benchmark, asked in one way; and what tells cells apart."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from vr_evals.analysis.columns import SETTING_COLUMNS
from vr_evals.errors import InputError
from vr_evals.terminal import printable

__all__ = [
    "CELL",
    "KEYS",
    "Cell",
    "Refusal",
    "read_settings",
    "settings_as_text",
    "settings_that_differ",
    "variant_name",
    "variant_of",
]

KEYS = ("model", "benchmark", "level", "thinking", "condition")
"""What makes a cell, where the settings are the same throughout."""

CELL = (*KEYS, "variant")
"""The key columns of a frame with a row for each cell."""

_DATA = "settings"
_WORDS = "variant"
_SETTINGS = (*SETTING_COLUMNS, "option_order")
_UNSET = "unset"
_DEFAULT = "default"
_PLAIN = re.compile(r"[\w./:@+-]+")
"""Texts that need no quotes: they contain nothing that separates settings."""


@dataclass(frozen=True)
class Cell:
    """Samples of one model on one benchmark, asked in one way: they may be averaged.

    Attributes:
        model: As in the tidy table, like the next four.
        benchmark: The benchmark.
        level: The level, or None outside the ladder.
        thinking: The thinking condition, or None if the log does not say.
        condition: The authority condition, or None outside that paradigm.
        settings: Its settings as text, by name; `unset` where missing. Those of the table's column
            `settings` are there by their own names, where they are not the default. Different
            values have different texts.
        mixed: Names of those settings that other cells of the same keys have differently.
    """

    model: str
    benchmark: str
    level: int | None
    thinking: bool | None
    condition: str | None
    settings: Mapping[str, str]
    mixed: tuple[str, ...] = ()

    @property
    def variant(self) -> str:
        """What tells it from other cells of the same keys, e.g. `second_pass=standalone`."""
        return variant_name({name: self.setting(name) for name in self.mixed})

    def setting(self, name: str) -> str:
        """A setting as text; `default` for one of the others that the run left alone."""
        return self.settings.get(name, _DEFAULT)

    def value(self, name: str) -> Any:
        """Its value of a key, or its setting of that name as text."""
        return getattr(self, name) if name in KEYS else self.setting(name)

    @property
    def keys(self) -> dict[str, Any]:
        """Its entries in the key columns of a frame."""
        return {name: getattr(self, name) for name in CELL}

    def __str__(self) -> str:
        """In words, as notes name it."""
        thinking = {True: "thinking on", False: "thinking off", None: ""}[self.thinking]
        level = "" if self.level is None else f"level {self.level}"
        parts = (self.model, self.benchmark, level, thinking, self.condition, self.variant)
        return ", ".join(part for part in parts if part)

    @property
    def place(self) -> tuple[Any, ...]:
        """Sorts cells: by their keys, missing ones first."""
        values = (getattr(self, name) for name in CELL)
        return tuple((value is not None, value) for value in values)


@dataclass(frozen=True)
class Refusal:
    """Why two cells are not compared.

    Attributes:
        cell: The one cell, in words.
        versus: In which key the other one differs, in words.
        settings: The settings in the way: name, value of the one cell, value of the other.
    """

    cell: str
    versus: str
    settings: tuple[tuple[str, str, str], ...]

    @classmethod
    def of(cls, cell: Cell, other: Cell, versus: str, names: Iterable[str]) -> Refusal:
        """Return the refusal of two cells by the names of the settings in the way."""
        settings = ((name, cell.setting(name), other.setting(name)) for name in names)
        return cls(str(cell), versus, tuple(settings))

    def __str__(self) -> str:
        """Return the sentence that notes have."""
        settings = (f"{name} ({mine} and {other})" for name, mine, other in self.settings)
        return (
            f"{self.cell}: not compared with {self.versus}, because settings differ: "
            f"{', '.join(settings)}."
        )


def settings_that_differ(settings: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """Names of the settings that are not the same in all of them."""
    others = sorted({name for each in settings for name in each} - {*_SETTINGS})
    return tuple(
        name
        for name in (*_SETTINGS, *others)
        if len({each.get(name, _DEFAULT) for each in settings}) > 1
    )


def variant_name(settings: Mapping[str, str]) -> str:
    """Settings by name and value, but for those left alone.

    Args:
        settings: Texts by name, in which what could be misread is in quotes.
    """
    return ", ".join(
        value if name == _WORDS else f"{name}={value}"
        for name, value in settings.items()
        if value != _DEFAULT
    )


def variant_of(settings: Mapping[str, Any]) -> str | None:
    """Settings in words that no other settings have.

    Args:
        settings: Values by name.
    """
    texts = {name: _value_text(value) for name, value in sorted(settings.items())}
    return variant_name(texts) or None


def settings_as_text(settings: Mapping[str, Any]) -> dict[str, str]:
    """Settings as text, by their own names.

    Args:
        settings: Values of the table's columns `SETTINGS`, and `option_order`. A table that was not
            made of logs may have words in `variant` alone, which then count as one setting.
    """
    found = {name: _text(settings[name]) for name in _SETTINGS}
    if not pd.isna(settings[_DATA]):
        others = read_settings(settings[_DATA])
        found |= {name: _value_text(others[name]) for name in others if name not in _SETTINGS}
    elif not pd.isna(settings[_WORDS]):
        found[_WORDS] = str(settings[_WORDS])
    return found


def read_settings(text: str) -> dict[str, Any]:
    """The settings of a row, by name.

    Args:
        text: What the column `settings` has.

    Raises:
        InputError: It is not a JSON object.
    """
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise InputError(f"column settings: expected a JSON object, found {text!r}")
    return found


def _text(value: Any) -> str:
    """A value of a column, whose kind is known."""
    if pd.isna(value):
        return _UNSET
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    if isinstance(value, float | np.floating):
        return repr(float(value)).removesuffix(".0")
    return _quoted(str(value))


def _value_text(value: Any) -> str:
    """A value of any kind: JSON, but for plain texts, which need no quotes."""
    if isinstance(value, str):
        return json.dumps(value) if _is_json(value) else _quoted(value)
    if isinstance(value, float):
        return _text(value)
    return printable(json.dumps(value, ensure_ascii=False, sort_keys=True, default=str))


def _is_json(text: str) -> bool:
    """Whether a text looks like a value that is none, e.g. `0.5` or `true`."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _quoted(text: str) -> str:
    """A text in quotes, unless nothing in it could be misread."""
    if _PLAIN.fullmatch(text) and text.isprintable() and text not in (_UNSET, _DEFAULT):
        return text
    return printable(json.dumps(text, ensure_ascii=False))
