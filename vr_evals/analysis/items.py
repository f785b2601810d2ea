"""Which items are answered wrong most often, and which are answered inconsistently."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vr_evals.analysis.checks import tidy_columns
from vr_evals.conditions import CONTROL

__all__ = ["example", "items"]

_WHICH = ("condition", "error")
"""Columns that tell whether an answer counts."""


def items(table: pd.DataFrame) -> pd.DataFrame:
    """Return accuracy and instability per item, over all levels and models, without a cue.

    Args:
        table: The tidy table.

    Returns:
        One row per `benchmark` and `item`: `accuracy`, the share of right answers (NaN without a
        target); `instability`, the probability that two answers of one model to this item differ,
        at any levels and epochs, averaged over models (NaN if no model answered it twice; an unread
        answer counts as a choice of its own); `n_models` and `n_samples`.

    Raises:
        InputError: The table does not have the columns of a tidy table.
    """
    used = (*_WHICH, "model", "item", "benchmark", "choice", "correct")
    rows = _answered(tidy_columns(table, used))
    key = rows.groupby(["benchmark", "item"], sort=True).ngroup().to_numpy()
    if not len(rows):
        columns = ("benchmark", "item", "accuracy", "instability", "n_models", "n_samples")
        return pd.DataFrame(columns=list(columns))
    model = pd.factorize(rows["model"])[0]
    has_target = rows["correct"].notna().to_numpy()
    right = rows["correct"].fillna(False).to_numpy(dtype=bool)
    first = np.unique(key, return_index=True)[1]
    by_model, who = np.unique(key * (model.max() + 1) + model, return_inverse=True)
    item_of_model = by_model // (model.max() + 1)
    return pd.DataFrame(
        {
            "benchmark": rows["benchmark"].iloc[first].to_numpy(),
            "item": rows["item"].iloc[first].to_numpy(),
            "accuracy": _mean(right[has_target], key[has_target], len(first)),
            "instability": _differing(rows["choice"], who, item_of_model, len(first)),
            "n_models": np.bincount(item_of_model, minlength=len(first)),
            "n_samples": np.bincount(key, minlength=len(first)),
        }
    )


def example(table: pd.DataFrame, benchmark: str, item: str, *, wrong: bool) -> pd.Series[Any]:
    """Return a sample that shows why an item is listed.

    Args:
        table: The tidy table.
        benchmark: The item's benchmark.
        item: The item.
        wrong: Whether to return a wrong answer, preferably one that was read; else one that
            differs from what its model answers most often.
    """
    rows = _answered(table[(table["item"] == item) & (table["benchmark"] == benchmark)])
    if wrong:
        rows = rows[~rows["correct"].fillna(True)]
        return rows.iloc[int(rows["label"].notna().to_numpy().argmax())]
    often = rows.groupby(["model", rows["choice"].fillna("")])["item"].transform("size")
    share = often / rows.groupby("model")["item"].transform("size")
    return rows.iloc[int(share.to_numpy().argmin())]


def _answered(table: pd.DataFrame) -> pd.DataFrame:
    without_cue = table["condition"].isna() | table["condition"].eq(CONTROL.name).fillna(False)
    return table[without_cue & table["error"].isna()]


def _mean(values: NDArray[Any], group: NDArray[Any], n: int) -> NDArray[np.float64]:
    """The mean of each group; NaN of nothing."""
    count = np.bincount(group, minlength=n)
    total = np.bincount(group, values.astype(float), minlength=n)
    mean = np.full(n, np.nan)
    np.divide(total, count, out=mean, where=count > 0)
    return mean


def _differing(
    choice: pd.Series, who: NDArray[np.intp], item: NDArray[np.intp], n: int
) -> NDArray[np.float64]:
    """The share of pairs of answers that differ, of each model and then of each item.

    Args:
        choice: The choice of each answer.
        who: The number of the item and model that each answer is of.
        item: The item of each of these numbers.
        n: How many items there are.
    """
    codes, names = pd.factorize(choice, use_na_sentinel=False)  # all that is unread has one code
    answers = np.bincount(who, minlength=len(item)).astype(float)
    kinds, count = np.unique(who * len(names) + codes, return_counts=True)
    same = np.bincount(kinds // len(names), count * (count - 1.0), minlength=len(item))
    pairs = answers * (answers - 1)
    several = pairs > 0
    return _mean(1 - same[several] / pairs[several], item[several], n)
