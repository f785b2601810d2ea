"""Frames with a row per cell as tables in the terminal."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vr_evals.analysis.main_table import sort_by_condition
from vr_evals.formatting import points, shown, signed, thinking_word

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console

__all__ = ["CELL_FORMS", "Form", "change", "number", "print_tables", "rate"]

_ALPHA = 0.05
_NARROW = 75
"""Width of a terminal below which columns are closer, with headings in two lines."""


@dataclass(frozen=True)
class Form:
    """How a column is printed.

    Attributes:
        column: The frame's column.
        text: Makes the text of a row.
        always: Whether it is shown even if the frame's column has no value.
        words: Whether it contains words, which are aligned to the left.
    """

    column: str
    text: Callable[[Any], str]
    always: bool = False
    words: bool = False


def number(value: float, form: str) -> str:
    """Format a number; a dash if it is missing."""
    return "–" if value != value else form.format(value)


def rate(name: str, low: str, high: str) -> Callable[[Any], str]:
    """Return what formats a rate in per cent with its interval, from three columns."""
    return lambda row: (
        number(100 * getattr(row, name), "{:.1f}%")
        + _interval(getattr(row, low), getattr(row, high), "{:.0f}".format)
    )


def change(name: str, *, interval: bool = False) -> Callable[[Any], str]:
    """Return what formats a difference in percentage points, with a star if significant."""

    def text(row: Any) -> str:
        ends = (getattr(row, f"{name}_low"), getattr(row, f"{name}_high"))
        star = "*" if getattr(row, f"{name}_p_adjusted") < _ALPHA else ""
        return points(getattr(row, name)) + (_interval(*ends, _rounded) if interval else "") + star

    return text


def _interval(low: float, high: float, form: Callable[[float], str]) -> str:
    """The ends of an interval of rates in per cent; empty if missing."""
    return "" if low != low else f" [{form(100 * low)}, {form(100 * high)}]"


def _rounded(difference: float) -> str:
    return signed(difference, 0)


def _level(row: Any) -> str:
    import pandas as pd

    return "–" if pd.isna(row.level) else str(row.level)


CELL_FORMS: Mapping[str, Form] = {
    "level": Form("level", _level, words=True),
    "thinking": Form("thinking", lambda row: thinking_word(row.thinking), words=True),
    "condition": Form("condition", lambda row: shown(row.condition).replace("_", " "), words=True),
}
"""Columns that name a cell, besides its benchmark, model and settings."""


def print_tables(
    console: "Console", frame: "pd.DataFrame", forms: Mapping[str, Form], title: str = ""
) -> None:
    """Print a frame, a part per benchmark, model and settings; no value is cut off.

    Args:
        console: The console.
        frame: The frame, with the key columns of a cell.
        forms: Its columns by their headings.
        title: Added to the heading of each part.
    """
    from rich.table import Column, Table
    from rich.text import Text

    narrow = console.width < _NARROW
    unlimited = console.options.update(max_width=1000)
    for values, rows in frame.groupby(["benchmark", "model", "variant"], dropna=False, sort=False):
        names = [shown(value, 60) for value in (*values, title) if value]
        console.print(Text("  ".join(names), "bold"))
        used = {
            heading: form
            for heading, form in forms.items()
            if form.always or rows[form.column].notna().any()
        }
        columns = [
            Column(
                heading.replace(" ", "\n") if narrow else heading,
                justify="left" if form.words else "right",
                no_wrap=True,
            )
            for heading, form in used.items()
        ]
        part = Table(*columns, box=None, padding=(0, 1 if narrow else 2, 0, 0), pad_edge=False)
        for row in sort_by_condition(rows, "level", "thinking").itertuples():
            part.add_row(*(Text(form.text(row)) for form in used.values()))
        # better a line that the terminal wraps than a number without its last digits
        console.width = max(console.width, console.measure(part, options=unlimited).maximum)
        console.print(part, "")
