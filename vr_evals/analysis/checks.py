"""Whether a table is a tidy table with anything to show."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from vr_evals.analysis.columns import COLUMNS
from vr_evals.characters import replace_lone_surrogates
from vr_evals.errors import InputError
from vr_evals.formatting import plural, shown

__all__ = ["check_integer", "check_rows", "tidy_columns"]

_TYPES = {column.name: column.dtype for column in COLUMNS}
_BOUNDS = {"confidence": (0, 100), "first_confidence": (0, 100)}
_FLAGS = {"true": True, "1": True, "1.0": True, "false": False, "0": False, "0.0": False}
_EXPECTED = {"boolean": "true or false", "Int64": "an integer", "Float64": "a number"}


def tidy_columns(table: pd.DataFrame, names: Sequence[str] = tuple(_TYPES)) -> pd.DataFrame:
    """Return columns of a tidy table, in the types of `COLUMNS` and with a plain index.

    A table that was read from a csv file or changed in a notebook has other types, with which the
    same steps would give other numbers: `~` of a Python bool is never false.

    Args:
        table: Any table.
        names: The columns; others than those of `COLUMNS` are returned as they are.

    Raises:
        InputError: It is no table, a column is missing or there twice, or a value is of another
            kind; the line names it.
    """
    if not isinstance(table, pd.DataFrame):
        raise InputError(
            f"invalid table of type {type(table).__name__}: expected a table from read_logs"
        )
    missing = [name for name in names if name not in table.columns]
    if missing:
        raise InputError(f"missing column {', '.join(missing)}: expected a table from read_logs")
    columns = table[list(names)]
    if len(columns.columns) > len(names):
        double = columns.columns[columns.columns.duplicated()][0]
        raise InputError(f"column {double}: expected once, found several times")
    columns.index = pd.RangeIndex(len(columns))  # one may have a column's name, or repeat itself
    columns.attrs = {}  # else each step copies what the table says of its logs
    converted = {
        name: _converted(columns[name], _TYPES[name])
        for name in names
        if name in _TYPES and columns[name].dtype != _TYPES[name]
    }
    columns = columns.assign(**converted) if converted else columns
    for name in _BOUNDS.keys() & set(names):
        low, high = _BOUNDS[name]
        invalid = columns[name][~columns[name].between(low, high).fillna(True)]
        if len(invalid):
            raise InputError(f"column {name}: expected {low} to {high}, found {invalid.iloc[0]}")
    return columns


def _converted(values: pd.Series[Any], dtype: str) -> pd.Series[Any]:
    """Values in a type of the tidy table."""
    if dtype == "string" and pd.api.types.is_float_dtype(values.dtype):
        whole = values.astype("Float64")
        if (whole % 1 == 0).fillna(True).all():  # ids 1, 2, … beside a missing one
            values = whole.astype("Int64")
    convert = _CONVERT[dtype]

    def each(value: Any) -> Any:
        found = convert(value)
        if found is None:
            raise InputError(
                f"column {values.name}: expected {_EXPECTED[dtype]}, found {shown(repr(value), 60)}"
            )
        return found

    found = values.astype(object).map(each, na_action="ignore")
    known = found.where(found.notna(), None)
    typed: pd.Series[Any] = known.astype(dtype)  # type: ignore[call-overload]  # any name of a type
    return typed


def _text(value: Any) -> str:
    return replace_lone_surrogates(str(value))


def _flag(value: Any) -> bool | None:
    return _FLAGS.get(str(value).strip().lower())


def _number(value: Any) -> float | None:
    try:
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def _integer(value: Any) -> int | None:
    found = _number(value)
    return int(found) if found is not None and found.is_integer() else None


_CONVERT: dict[str, Callable[[Any], Any]] = {
    "string": _text,
    "boolean": _flag,
    "Int64": _integer,
    "Float64": _number,
}


def check_integer(name: str, value: object) -> None:
    """Check that an argument is an integer of at least 1.

    Args:
        name: The name of the argument.
        value: Its value.

    Raises:
        InputError: It is not.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise InputError(f"invalid {name} {value!r}: expected an integer of at least 1")


def check_rows(rows: pd.DataFrame) -> None:
    """Check that a tidy table contains an answer.

    Args:
        rows: What `vr_evals.analysis.read_logs` returns.

    Raises:
        InputError: It contains none; the line gives the reason.
    """
    if not rows["error"].notna().all():
        return
    skipped = rows.attrs.get("skipped", [])
    if len(rows):
        raise InputError(
            f"nothing to show: {len(rows):,} of {plural(len(rows), 'sample')} ended in an error"
        )
    if not skipped:
        raise InputError("nothing to show: no sample of the logs has ended")
    first, others = skipped[0], len(skipped) - 1
    more = f" (and {plural(others, 'more log')})" if others else ""
    raise InputError(
        f"nothing to show: skipped {shown(first['log'], 300)}{more}: {shown(first['reason'], 300)}"
    )
