"""Numbers, names and foreign text as people read them."""

import math
from collections.abc import Iterable
from typing import Any

import pandas as pd

from vr_evals.characters import replace_lone_surrogates
from vr_evals.terminal import printable

__all__ = [
    "MISSING",
    "count",
    "interval",
    "isolated",
    "listed",
    "number",
    "p_is",
    "p_value",
    "percent",
    "plural",
    "points",
    "shown",
    "signed",
    "some_of",
    "thinking_word",
]

NAME_LIMIT = 80
"""Characters of a name that are shown."""

MISSING = "–"
_MINUS = "\N{MINUS SIGN}"


def shown(text: object, limit: int = NAME_LIMIT) -> str:
    r"""Return foreign text as one line: invisible characters escaped (``\x1b``), the end cut.

    Lone surrogates become U+FFFD.

    Args:
        text: A name, a note or a model's words; missing is a dash.
        limit: Characters to keep.
    """
    if text is None or text is pd.NA or (isinstance(text, float) and math.isnan(text)):
        return MISSING
    found = replace_lone_surrogates(str(text))
    kept = printable(found[:limit].replace("\n", " "))
    left_out = len(found) - limit
    return f"{kept}… ({left_out:,} more characters)" if left_out > 0 else kept


def isolated(text: object, limit: int = NAME_LIMIT) -> str:
    """Return a foreign name for use in a sentence; its writing direction affects nothing else."""
    return f"\N{FIRST STRONG ISOLATE}{shown(text, limit)}\N{POP DIRECTIONAL ISOLATE}"


def percent(rate: Any, digits: int = 1) -> str:
    """Format a rate (0–1) in per cent."""
    return MISSING if _missing(rate) else f"{100 * float(rate):.{digits}f}%"


def points(difference: Any) -> str:
    """Format a difference of rates in percentage points, with its sign."""
    return MISSING if _missing(difference) else signed(100 * float(difference))


def signed(value: Any, digits: int = 1) -> str:
    """Format a number with its sign, unless it is rounded to 0."""
    if _missing(value):
        return MISSING
    text = f"{abs(float(value)):.{digits}f}"
    if not text.strip("0."):
        return text
    return (_MINUS if value < 0 else "+") + text


def number(value: Any, digits: int = 3) -> str:
    """Format a number, with the proper minus sign."""
    return MISSING if _missing(value) else f"{float(value):.{digits}f}".replace("-", _MINUS)


def count(value: Any) -> str:
    """Format a whole number, with commas."""
    return MISSING if _missing(value) else f"{round(float(value)):,}"


def interval(row: Any, form: Any = percent) -> str:
    """Format the estimate of a frame's row with its interval, e.g. ``63.2% [55.1, 70.4]``.

    Args:
        row: Has ``estimate``, ``low`` and ``high``.
        form: How each of them is written.
    """
    if _missing(row.estimate):
        return MISSING
    if _missing(row.low) or _missing(row.high):
        return f"{form(row.estimate)}"
    low, high = (form(bound).removesuffix("%") for bound in (row.low, row.high))
    return f"{form(row.estimate)} [{low}, {high}]"


def p_value(p: Any) -> str:
    """Format a p-value, with at most three decimals."""
    if _missing(p):
        return MISSING
    if p < 0.001:
        return "<0.001"
    return f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def p_is(p: Any) -> str:
    """Format a p-value for a sentence, e.g. ``p = 0.013`` or ``p < 0.001``."""
    text = p_value(p)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"


def thinking_word(thinking: Any) -> str:
    """Return `on` or `off` for a thinking condition."""
    return MISSING if _missing(thinking) else "on" if thinking else "off"


def plural(n: int, one: str, many: str | None = None) -> str:
    """Return a count and its noun, e.g. ``1 log`` and ``2 logs``."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def some_of(found: int, n: int, one: str, many: str | None = None) -> str:
    """Return how many of some, e.g. ``none of 5 cells``; of one ``no cell`` or ``the only cell``.

    Args:
        found: How many.
        n: Of how many.
        one: What one of them is called.
        many: What several are called; by default with an s.
    """
    if n == 1:
        return f"the only {one}" if found else f"no {one}"
    return f"{found or 'none'} of {plural(n, one, many)}"


def listed(parts: Iterable[str], limit: int = 8) -> str:
    """Join parts of a sentence; those beyond the limit are counted."""
    every = list(parts)
    kept = every[:limit]
    if len(every) > limit:
        kept.append(f"{len(every) - limit:,} more")
    return ", ".join(kept)


def _missing(value: Any) -> bool:
    return value is None or bool(pd.isna(value))
