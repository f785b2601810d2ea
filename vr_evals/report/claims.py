"""Which differences a sentence may claim, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from vr_evals.report.results import Results
from vr_evals.report.tables import largest
from vr_evals.report.text import MISSING, interval, points
from vr_evals.stats.paired import holm

__all__ = [
    "CLEAR",
    "claimed",
    "largest_of",
    "overturned",
    "reach",
    "tests_of_levels",
    "tests_of_thinking",
    "unread_columns",
]

CLEAR = 0.05
"""Adjusted p-value below which a difference is significant."""


def claimed(rows: pd.DataFrame, *beside: pd.DataFrame) -> pd.Series[Any]:
    """Which rows are significant, all tests of a question on the page being one family.

    A frame's `p_adjusted` is over the tests of one model. A sentence on all models adjusts over all
    of theirs, so that no more than one page in twenty claims an effect where there is none.

    Args:
        rows: The rows of which something is claimed.
        beside: Rows of other tests of the same question.
    """
    others = [frame["p"] for frame in beside if len(frame)]
    p = np.concatenate([rows["p"].to_numpy(float), *(each.to_numpy(float) for each in others)])
    return pd.Series(holm(p)[: len(rows)] < CLEAR, index=rows.index)


def tests_of_levels(results: Results) -> dict[str, pd.DataFrame]:
    """All tests of what a level changes, by metric: one family on the page."""
    return _tests(results, "change_from_level0", "level_effect", {"level0", "first_pass"})


def tests_of_thinking(results: Results) -> dict[str, pd.DataFrame]:
    """All tests of what thinking changes, by metric: one family on the page."""
    return _tests(results, "change_from_thinking_off", "thinking_by_level", {"thinking_off"})


def _tests(
    results: Results, change: str, ladder: str, comparisons: set[str]
) -> dict[str, pd.DataFrame]:
    flips = results["flips"]
    if len(flips):
        flips = flips[flips["comparison"].isin(comparisons)]
    found = {
        change: results["changes"],
        ladder: results["ladder"],
        "excess_flip": flips,
        "net_flip": flips,
    }
    return {
        metric: frame[(frame["metric"] == metric) & frame["p"].notna()] if len(frame) else frame
        for metric, frame in found.items()
    }


def largest_of(
    rows: pd.DataFrame, form: Callable[[Any], str] = points, *, among: pd.DataFrame | None = None
) -> tuple[Any, str]:
    """The row that is furthest from 0, and words for its estimate.

    The interval is for all rows together: the largest of many is larger by chance.

    Args:
        rows: The rows.
        form: How the estimate is written.
        among: Those of which the largest is named; all if left out.
    """
    known = rows[rows["estimate"].notna()]
    most = largest(known if among is None else among)
    if len(known) == 1:
        return most, interval(most, form)
    row = most.copy()
    row["low"], row["high"] = most.low_simultaneous, most.high_simultaneous
    return most, f"{interval(row, form)} (largest of {len(known)}, 95% interval for all of them)"


def overturned(rows: pd.DataFrame) -> str:
    """A sentence, if unread answers could turn over what is claimed of these rows.

    Args:
        rows: Rows that are significant.
    """
    sign = np.sign(rows["estimate"].to_numpy(float))
    worst = np.where(sign > 0, rows["bound_low"], rows["bound_high"]) * sign
    n = int((worst <= 0).sum())
    if not n:
        return ""
    which = "this" if len(rows) == 1 else f"{n} of these {len(rows)}"
    return (
        f" Unread answers could turn {which} over: if each of them could have been any option, "
        "the bounds include 0."
    )


def reach(rows: pd.DataFrame) -> str:
    """How small a difference could have been seen.

    Args:
        rows: Tested rows, differences of rates.
    """
    half = 50 * (rows["high"] - rows["low"]).median()
    return f"effects under about {half:.1f} points would go undetected"


def unread_columns(form: Callable[[Any], str] = points) -> dict[str, Callable[[Any], str]]:
    """Columns of a table: the estimate among answers read, and worst-case bounds.

    Args:
        form: How an estimate is written.
    """
    return {
        "read on both sides": lambda row: form(row.estimate_read),
        "worst case": lambda row: (
            MISSING
            if pd.isna(row.bound_low)
            else f"{form(row.bound_low)} to {form(row.bound_high)}"
        ),
    }
