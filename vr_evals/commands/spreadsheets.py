"""Tables for spreadsheets, whose texts are neither formulas nor commands to a terminal."""

from typing import TYPE_CHECKING

from vr_evals.terminal import printable

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["spreadsheet_safe"]

_FORMULA = r"\A([=+\-@\t\r])"
_CONTROL = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
"""Control characters but tabs and line ends."""


def spreadsheet_safe(rows: "pd.DataFrame") -> "pd.DataFrame":
    """Return a table whose texts do nothing in a spreadsheet or a terminal.

    Texts that might be taken for a formula are prefixed with an apostrophe, and control characters
    are escaped. Numbers are unchanged.
    """
    from pandas.api.types import is_numeric_dtype

    safe = {
        str(name): _escape_controls(rows[name].astype("string")).str.replace(
            _FORMULA, r"'\1", regex=True
        )
        for name, dtype in rows.dtypes.items()
        if not is_numeric_dtype(dtype)
    }
    return rows.assign(**safe)


def _escape_controls(texts: "pd.Series[str]") -> "pd.Series[str]":
    r"""Texts with control characters escaped, e.g. ``\x1b``."""
    return texts.str.replace(_CONTROL, lambda found: printable(found[0]), regex=True)
