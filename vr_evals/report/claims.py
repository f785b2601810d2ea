"""Which differences a sentence may call significant, and how they are worded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from vr_evals.analysis.cell import KEYS
from vr_evals.formatting import MISSING, interval, isolated, p_is, percent, plural, points, some_of
from vr_evals.report.results import Results
from vr_evals.report.tables import cell_words, largest
from vr_evals.stats.paired import holm

__all__ = [
    "ALPHA",
    "FILLED_MARKS",
    "claimed",
    "detectable",
    "largest_of",
    "overturned",
    "range_of",
    "summary_of_tests",
    "tests_of_levels",
    "tests_of_reask",
    "tests_of_reflection",
    "tests_of_thinking",
    "unread_columns",
]

_COMPARED = ("comparison",)

_BESIDE_MODEL = ("benchmark", "level", "thinking", "condition", "variant")

ALPHA = 0.05
"""Adjusted p-value below which a difference is significant."""

FILLED_MARKS = (
    "Filled marks are significant (p < 0.05 after Holm's correction over the tests of the model; "
    "sentences correct for the tests of all models, so they can claim less)."
)
"""How to read the marks of a chart whose frame has `p_adjusted`."""


def claimed(rows: pd.DataFrame, *beside: pd.DataFrame) -> pd.Series[Any]:
    """Return which rows are significant if all tests of a question on the page are one family.

    A frame's `p_adjusted` is over the tests of one model. A sentence on all models adjusts over all
    of theirs, so that at most one page in twenty claims an effect if there is none.

    Args:
        rows: The rows of which something is claimed.
        beside: Rows of other tests of the same question.
    """
    others = [frame["p"] for frame in beside if len(frame)]
    p = np.concatenate([rows["p"].to_numpy(float), *(each.to_numpy(float) for each in others)])
    return pd.Series(holm(p)[: len(rows)] < ALPHA, index=rows.index)


def tests_of_levels(results: Results) -> dict[str, pd.DataFrame]:
    """Return all tests of what a level changes, by metric: one family on the page."""
    return _tests(
        results, "change_from_level0", "level_effect", {"level0", "first_pass", "initial"}
    )


def tests_of_reask(results: Results) -> dict[str, pd.DataFrame]:
    """Return all tests of what being asked twice changes, by metric: one family on the page."""
    flips = results["flips"]
    flips = flips[flips["comparison"] == "reask"] if len(flips) else flips
    return {name: _tested(flips, name) for name in ("excess_flip", "net_flip")}


def tests_of_reflection(results: Results) -> dict[str, pd.DataFrame]:
    """Return all tests of what reflection adds to being asked twice, by metric: one family."""
    return {name: _tested(results["flips"], name) for name in ("added_flip", "added_net_flip")}


def tests_of_thinking(results: Results) -> dict[str, pd.DataFrame]:
    """Return all tests of what thinking changes, by metric: one family on the page."""
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
    return {metric: _matched(_tested(frame, metric)) for metric, frame in found.items()}


def _matched(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows without those of another temperature than their baseline's, of cells that have both."""
    if "is_same_temperature" not in rows or rows.empty:
        return rows
    same = rows["is_same_temperature"].fillna(True).astype(bool)
    keys = [rows[name].astype("string").fillna("") for name in (*KEYS, *_COMPARED) if name in rows]
    return rows[same | ~same.groupby(keys).transform("any")]


def _tested(frame: pd.DataFrame, metric: str) -> pd.DataFrame:
    """The rows of a metric that have a test."""
    return frame[(frame["metric"] == metric) & frame["p"].notna()] if len(frame) else frame


def summary_of_tests(rows: pd.DataFrame, one: str, *beside: pd.DataFrame) -> str:
    """Return how many differences are significant, the largest, and the smallest detectable one.

    Args:
        rows: Tested rows of a frame, differences of rates.
        one: What one of them is called, its first word in the singular.
        beside: Rows of other tests of the same question, which are in the same family.
    """
    rows = rows[rows["p"].notna()]
    if rows.empty:
        return f"There is no {one} to test."
    significant = rows[claimed(rows, *beside)]
    n, found = len(rows), len(significant)
    first, _, others = one.partition(" ")
    tests = some_of(found, n, one, f"{first}s {others}")
    tests = tests[0].upper() + tests[1:]
    if not found:
        return f"{tests} is significant after Holm's correction; {detectable(rows)}."
    sentence = (
        f"{tests} {'is' if found == 1 else 'are'} significant after Holm's correction. "
        f"Largest: {largest_of(rows, among=significant)}."
    )
    if found < n:
        sentence += f" Among the other {n - found}, {detectable(rows)}."
    return sentence + overturned(significant)


def largest_of(rows: pd.DataFrame, *, among: pd.DataFrame | None = None) -> str:
    """Return the estimate that is furthest from 0 in words, with its cell, p and n.

    The interval is for all rows together, because the largest of many is large by chance.

    Args:
        rows: The rows, differences of rates.
        among: The rows of which the largest is named; all if left out.
    """
    known = rows[rows["estimate"].notna()]
    most = largest(known if among is None else among)
    row = most.copy()
    if len(known) > 1:
        row["low"], row["high"] = most.low_simultaneous, most.high_simultaneous
    model = cell_words(most, "model")
    if "versus" in most:
        model += f" minus {isolated(most.versus)}"
    facts = [
        ", ".join(filter(None, (model, cell_words(most, *_BESIDE_MODEL)))),
        "" if pd.isna(most.p_adjusted) else p_is(most.p_adjusted),
        f"n = {plural(int(most.n_items), 'item')}",
        f"95% interval for all {len(known)} at once" if len(known) > 1 else "",
    ]
    return f"{interval(row, points)} points ({'; '.join(filter(None, facts))})"


def range_of(rows: pd.DataFrame, *names: str) -> str:
    """Return the smallest and the largest estimate in words, each with interval, cell and n.

    If all are alike, the one with the widest interval stands for them.

    Args:
        rows: One row or more with the same metric, a rate.
        names: Key columns that name a cell; all if none are given.
    """
    ordered = rows.sort_values("estimate")
    if len(rows) > 1 and len(set(map(percent, rows["estimate"]))) == 1:
        widest = rows.iloc[int(np.nan_to_num(rows["high"] - rows["low"]).argmax())]
        fewest = plural(int(rows["n_items"].min()), "item")
        return f"{interval(widest)} in each of {len(rows)} cells (n = {fewest} or more)"
    low, high = (
        f"{interval(row)} ({cell_words(row, *names)}; n = {plural(int(row['n_items']), 'item')})"
        for row in (ordered.iloc[0], ordered.iloc[-1])
    )
    return low if len(rows) == 1 else f"between {low} and {high}"


def overturned(rows: pd.DataFrame, margins: pd.Series[Any] | None = None) -> str:
    """Return a sentence if unread answers could overturn what is claimed of these rows, or "".

    Args:
        rows: Rows that are significant, or smaller than a margin.
        margins: That of each, if that is claimed.
    """
    bounds = rows[["bound_low", "bound_high"]].to_numpy(float)
    if margins is None:
        sign = np.sign(rows["estimate"].to_numpy(float))
        n, beyond = int((np.where(sign > 0, *bounds.T) * sign <= 0).sum()), "include 0"
    else:
        n = int((np.abs(bounds).max(axis=1) >= margins.to_numpy(float)).sum())
        beyond = "are not within it"
    if not n:
        return ""
    which = "this" if len(rows) == 1 else f"{n} of these {len(rows)}"
    return (
        f" Unread answers could overturn {which}: if each of them could be any option, the "
        f"worst-case bounds {beyond}."
    )


def detectable(rows: pd.DataFrame) -> str:
    """Return in words how small a difference would go undetected.

    Args:
        rows: Tested rows, differences of rates.
    """
    half = 50 * (rows["high"] - rows["low"]).median()
    return f"effects under about {half:.1f} points would go undetected"


def unread_columns(
    form: Callable[[Any], Callable[[Any], str]] = lambda row: points,
) -> dict[str, Callable[[Any], str]]:
    """Return columns of a table: the estimate among read answers, and worst-case bounds.

    Args:
        form: Returns how the estimate of a row is written.
    """
    return {
        "read on both sides": lambda row: form(row)(row.estimate_read),
        "worst case": lambda row: (
            MISSING
            if pd.isna(row.bound_low)
            else f"{form(row)(row.bound_low)} to {form(row)(row.bound_high)}"
        ),
    }
