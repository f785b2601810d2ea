"""Frames as tables of texts, and rows in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from vr_evals.formatting import MISSING, isolated, listed, shown, thinking_word
from vr_evals.report.blocks import Column, Table

__all__ = [
    "TABLE_LIMIT",
    "cell_words",
    "frame_table",
    "imported_from",
    "in_words",
    "largest",
    "on_ladder",
    "panel_name",
    "under_condition",
]

TABLE_LIMIT = 200
"""Rows of a table that a page shows."""

_VARIANT_LIMIT = 120

Form = Callable[[Any], str]
"""Makes the text of a table's value from a frame's row."""

_KEYS: Mapping[str, tuple[str, Form]] = {
    "model": ("model", lambda row: shown(row.model)),
    "versus": ("versus", lambda row: shown(row.versus)),
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
    """Make a table of a frame's rows: its key columns, unless they are empty, and others.

    Args:
        caption: What the table shows.
        frame: The frame.
        columns: By heading, what makes a text of a row.
        texts: Headings of columns that contain words; the others contain numbers.
        limit: Rows to show.
    """
    keys = {
        heading: form
        for name, (heading, form) in _KEYS.items()
        if name in frame and (name in ("model", "benchmark") or _has_value(frame[name]))
    }
    forms = {**keys, **columns}
    listed = tuple(Column(name, name not in keys and name not in texts) for name in forms)
    rows = tuple(
        tuple(form(row) for form in forms.values())
        for row in frame.head(limit).itertuples(index=False)
    )
    return Table(caption, listed, rows, left_out=max(0, len(frame) - limit))


def on_ladder(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows asked under no condition, i.e. outside the authority paradigm."""
    return frame[frame["condition"].isna()] if len(frame) else frame


def under_condition(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows asked under a condition; `on_ladder` returns the others."""
    return frame[frame["condition"].notna()] if len(frame) else frame


def imported_from(imported: Mapping[str, Any]) -> str:
    """Name the files that a log was made of, and their format.

    Args:
        imported: What the log's description says of them.
    """
    return f"{listed(map(shown, imported['files']))} ({shown(imported['format'])})"


def cell_words(row: Any, *names: str) -> str:
    """Name the cell of a frame's row, within a sentence.

    Args:
        row: Has the key columns.
        names: The columns to name; all if none are given.
    """
    words = []
    for name in names or ("model", "benchmark", "level", "thinking", "condition", "variant"):
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
    """Return a column of texts made from another column, which may be empty."""
    return pd.Series([form(value) for value in column], index=column.index, dtype="object")


def largest(frame: pd.DataFrame) -> Any:
    """Return the row whose estimate is the furthest from 0."""
    return frame.iloc[int(frame["estimate"].abs().to_numpy(dtype=float).argmax())]


def panel_name(values: Mapping[str, Any]) -> str:
    """Return the title of a panel: the values that distinguish it."""
    words: list[str] = []
    for name, value in values.items():
        if pd.isna(value) or value == "":
            continue
        if name == "versus":
            words[-1] += f" minus {isolated(value, _VARIANT_LIMIT)}"
        else:
            words.append(_key_words(name, value))
    return " · ".join(words)


def _has_value(values: pd.Series[Any]) -> bool:
    return bool((values.notna() & (values.astype("string").fillna("") != "")).any())
