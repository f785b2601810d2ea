"""Frames as tables of texts, and their rows in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from vr_evals.conditions import AUTHORITY_CONDITIONS
from vr_evals.report.blocks import Column, Table
from vr_evals.report.text import MISSING, isolated, shown, thinking_word

__all__ = [
    "TABLE_LIMIT",
    "by_condition",
    "cell_words",
    "frame_table",
    "in_words",
    "largest",
    "not_drawn",
    "on_ladder",
    "panel_name",
    "under_condition",
]

TABLE_LIMIT = 200
"""Rows of a table that a page shows."""

_VARIANT_LIMIT = 120
_ORDER = {condition.name: place for place, condition in enumerate(AUTHORITY_CONDITIONS)}

Form = Callable[[Any], str]
"""Writes one cell of a table, of a frame's row."""

_KEYS: Mapping[str, tuple[str, Form]] = {
    "model": ("model", lambda row: shown(row.model)),
    "versus": ("less that of", lambda row: shown(row.versus)),
    "benchmark": ("benchmark", lambda row: shown(row.benchmark)),
    "level": ("level", lambda row: MISSING if pd.isna(row.level) else f"{row.level}"),
    "thinking": ("thinking", lambda row: thinking_word(row.thinking)),
    "condition": ("condition", lambda row: shown(row.condition).replace("_", " ")),
    "variant": ("settings", lambda row: shown(row.variant or None, _VARIANT_LIMIT)),
}


def frame_table(
    caption: str,
    frame: pd.DataFrame,
    columns: Mapping[str, Form],
    *,
    texts: tuple[str, ...] = (),
    limit: int = TABLE_LIMIT,
) -> Table:
    """A table of a frame's rows: its key columns, as far as they say something, and others.

    Args:
        caption: What the table shows.
        frame: The frame.
        columns: For each further heading, what makes a text of a row.
        texts: Headings of those that hold words; the others hold numbers.
        limit: Rows to show.
    """
    keys = {
        heading: form
        for name, (heading, form) in _KEYS.items()
        if name in frame and (name in ("model", "benchmark") or _says_something(frame[name]))
    }
    forms = {**keys, **columns}
    listed = tuple(Column(name, name not in keys and name not in texts) for name in forms)
    rows = tuple(
        tuple(form(row) for form in forms.values())
        for row in frame.head(limit).itertuples(index=False)
    )
    return Table(caption, listed, rows, left_out=max(0, len(frame) - limit))


def on_ladder(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows that were asked under no condition, such as those of the authority paradigm."""
    return frame[frame["condition"].isna()] if len(frame) else frame


def under_condition(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows that were asked under a condition; `on_ladder` gives the others."""
    return frame[frame["condition"].notna()] if len(frame) else frame


def not_drawn(frame: pd.DataFrame) -> str:
    """Which rows a figure by level leaves to its table: a sentence, or nothing.

    Args:
        frame: The rows of the table.
    """
    under = frame["condition"].notna()
    kinds = (
        "under a condition" * bool(under.any()),
        "without a level" * bool((frame["level"].isna() & ~under).any()),
    )
    which = " or ".join(filter(None, kinds))
    return f" Cells {which} are in the table alone." if which else ""


def by_condition(frame: pd.DataFrame, *names: str) -> pd.DataFrame:
    """A frame by some columns, and then by condition: control, help and harm, others by name.

    Args:
        frame: Has the column `condition`.
        names: The columns before it.
    """
    place = frame["condition"].map(_ORDER).astype("Float64")  # others are missing, so the last
    ordered = frame.assign(place=place).sort_values([*names, "place", "condition"], kind="stable")
    return ordered.drop(columns="place")


def cell_words(row: Any, *names: str) -> str:
    """Which cell a frame's row is of, within a sentence.

    Args:
        row: Has the key columns.
        names: Those to name; all but the settings if none are given.
    """
    words = []
    for name in names or ("model", "benchmark", "level", "thinking", "condition"):
        value = getattr(row, name, None)
        if pd.isna(value) or value == "":
            continue
        words.append(_key_words(name, value))
    return ", ".join(words)


def _key_words(name: str, value: Any) -> str:
    """A value of a key column, in words."""
    if name == "level":
        return f"level {value}"
    if name == "thinking":
        return f"thinking {thinking_word(value)}"
    if name == "condition":
        value = str(value).replace("_", " ")
    return isolated(value, _VARIANT_LIMIT)


def in_words(column: pd.Series[Any], form: Form) -> pd.Series[Any]:
    """A column of texts made of another, which may be empty."""
    return pd.Series([form(value) for value in column], index=column.index, dtype="object")


def largest(frame: pd.DataFrame, *, signed: bool = False) -> Any:
    """The row whose estimate is the largest; the furthest from 0 unless `signed`."""
    values = frame["estimate"] if signed else frame["estimate"].abs()
    return frame.iloc[int(values.to_numpy(dtype=float).argmax())]


def panel_name(values: Mapping[str, Any]) -> str:
    """The title of a panel: what tells it from others."""
    words: list[str] = []
    for name, value in values.items():
        if pd.isna(value) or value == "":
            continue
        if name == "versus":
            words[-1] += f" less {isolated(value, _VARIANT_LIMIT)}"
        else:
            words.append(_key_words(name, value))
    return " · ".join(words)


def _says_something(values: pd.Series[Any]) -> bool:
    return bool((values.notna() & (values.astype("string").fillna("") != "")).any())
