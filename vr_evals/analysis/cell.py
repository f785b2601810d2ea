"""One cell: a model on a benchmark, asked in one way; and what tells cells apart."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from vr_evals.analysis.columns import SETTINGS

__all__ = ["CELL", "KEYS", "Cell", "settings_as_text", "settings_that_differ", "variant_name"]

KEYS = ("model", "benchmark", "level", "thinking", "condition")
"""What makes a cell, where the settings are the same throughout."""

CELL = (*KEYS, "variant")
"""The key columns of a frame with a row for each cell."""

_OTHERS = "variant"
_SETTINGS = (*(name for name in SETTINGS if name != _OTHERS), "option_order")
_UNSET = "unset"
_DEFAULT = "default"


@dataclass(frozen=True)
class Cell:
    """Samples of one model on one benchmark, asked in one way: they may be averaged.

    Attributes:
        model: As in the tidy table, like the next four.
        benchmark: The benchmark.
        level: The level, or None outside the ladder.
        thinking: The thinking condition, or None where the log does not say.
        condition: The authority condition, or None outside that paradigm.
        settings: Its settings as text, by name; `unset` where missing. Those that the table's
            column `variant` has are there by their own names, where they are not the default.
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
        """What tells it from other cells of the same keys, such as `second_pass=standalone`."""
        return variant_name({name: self.setting(name) for name in self.mixed})

    def setting(self, name: str) -> str:
        """A setting as text; `default` for one of the others that the run left alone."""
        return self.settings.get(name, _DEFAULT)

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


def settings_that_differ(settings: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """Names of the settings that are not the same in all of them."""
    others = sorted({name for each in settings for name in each} - {*_SETTINGS})
    return tuple(
        name
        for name in (*_SETTINGS, *others)
        if len({each.get(name, _DEFAULT) for each in settings}) > 1
    )


def variant_name(settings: Mapping[str, str]) -> str:
    """Settings by name and value, but for those left alone."""
    return ", ".join(f"{name}={value}" for name, value in settings.items() if value != _DEFAULT)


def settings_as_text(settings: Mapping[str, Any]) -> dict[str, str]:
    """Settings as text; the others, one text in the table, by their own names."""
    others = "" if pd.isna(settings[_OTHERS]) else settings[_OTHERS]
    pairs = [part.partition("=") for part in re.split(r", (?=\w+=)", others) if part]
    return {name: _text(settings[name]) for name in _SETTINGS} | {
        name: value for name, _, value in pairs
    }


def _text(value: Any) -> str:
    if pd.isna(value):
        return _UNSET
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
