"""How often is the answer right, and how often can it be read?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from vr_evals.analysis.cells import CELL, Cells, Flags, Integers, cells, tidy_frame
from vr_evals.analysis.rates import rate_of_samples
from vr_evals.stats.classes import balanced_accuracy

__all__ = ["accuracy", "labels"]

_COUNTS = ("metric", "estimate", "low", "high", "n_items", "n_samples")


def accuracy(table: pd.DataFrame) -> pd.DataFrame:
    """Accuracy, what to compare it with, and the share of answers read, by cell.

    - `accuracy`: over items with a target (dilemmas of high ambiguity have none); an answer that
      could not be read is not right;
    - `accuracy_read`: the same over the answers that were read;
    - `balanced_accuracy`: the mean over the targets' labels of the accuracy on items with that
      target, which is 1 / (number of labels) for who always says the same; NaN if all targets are
      alike;
    - `majority_rate`: the accuracy of always giving the most frequent target. It is a property of
      the items that were asked, so it has no interval;
    - `read_rate`: the share of all answers that could be read, with or without a target.

    Rates are means over items (and orders of their options) of the share among the epochs, as the
    `accuracy` of a log is; intervals are of single epochs by cluster, `wilson_clustered` and
    `balanced_accuracy`.

    Args:
        table: The tidy table.

    Returns:
        A row for each cell and metric. `n_items` and `n_samples` count what the row is over; where
        they are 0, the figure is NaN.

    Raises:
        InputError: The table has not the columns of a tidy table.
    """
    grouped = cells(table, ("label", "correct", "target"))
    read = grouped.rows["label"].notna().to_numpy()
    has_target = grouped.rows["correct"].notna().to_numpy()
    right = grouped.rows["correct"].fillna(False).to_numpy(dtype=bool)
    target = pd.factorize(grouped.rows["target"])[0]
    everything = np.ones(len(read), dtype=bool)
    records = []
    for cell, in_cell in zip(grouped.cells, grouped.row_slices, strict=True):
        scored = _samples(in_cell, has_target)
        for metric, row in (
            ("accuracy", rate_of_samples(grouped, right, scored)),
            (
                "accuracy_read",
                rate_of_samples(grouped, right, _samples(in_cell, has_target & read)),
            ),
            ("balanced_accuracy", _balanced(grouped, right, target, scored)),
            ("majority_rate", _majority(grouped, target, scored)),
            ("read_rate", rate_of_samples(grouped, read, _samples(in_cell, everything))),
        ):
            records.append(cell.keys | {"metric": metric} | row)
    return tidy_frame(records, (*CELL, *_COUNTS), grouped.notes)


def labels(table: pd.DataFrame) -> pd.DataFrame:
    """How often each label was given, and how often it was the target, by cell.

    - `given`: its share of the answers that were read, with or without a target, with
      `wilson_clustered`;
    - `wanted`: its share of the targets, a property of the items, so without an interval.

    Args:
        table: The tidy table.

    Returns:
        A row for each cell, label and metric; labels are as they were shown.

    Raises:
        InputError: The table has not the columns of a tidy table.
    """
    grouped = cells(table, ("label", "correct", "target"))
    label = grouped.rows["label"].fillna("").to_numpy(dtype=object)
    target = grouped.rows["target"].fillna("").to_numpy(dtype=object)
    read = grouped.rows["label"].notna().to_numpy()
    has_target = (grouped.rows["correct"].notna() & grouped.rows["target"].notna()).to_numpy()
    records: list[dict[str, Any]] = []
    for cell, in_cell in zip(grouped.cells, grouped.row_slices, strict=True):
        answered, scored = _samples(in_cell, read), _samples(in_cell, has_target)
        for name in sorted({*label[answered], *target[scored]}):
            given = rate_of_samples(grouped, label == name, answered)
            wanted = rate_of_samples(grouped, target == name, scored)
            no_interval = {"low": np.nan, "high": np.nan}
            for metric, row in (("given", given), ("wanted", wanted | no_interval)):
                records.append(cell.keys | {"label": name, "metric": metric} | row)
    return tidy_frame(records, (*CELL, "label", *_COUNTS), grouped.notes)


def _samples(in_cell: slice, counts: Flags) -> Integers:
    """Numbers of the samples of a cell that count."""
    samples: Integers = in_cell.start + np.flatnonzero(counts[in_cell])
    return samples


def _balanced(grouped: Cells, right: Flags, target: Integers, samples: Integers) -> dict[str, Any]:
    unit = grouped.unit[samples]
    units, place, counts = np.unique(unit, return_inverse=True, return_counts=True)
    estimate, low, high = balanced_accuracy(
        right[samples],
        target[samples],
        grouped.units.cluster_code[unit],
        weights=1 / counts[place],
    )
    used = not np.isnan(estimate)
    return {
        "estimate": estimate,
        "low": low,
        "high": high,
        "n_items": grouped.units.n_items(units) * used,
        "n_samples": len(samples) * used,
    }


def _majority(grouped: Cells, target: Integers, samples: Integers) -> dict[str, Any]:
    units, first = np.unique(grouped.unit[samples], return_index=True)
    shares = np.bincount(target[samples[first]] + 1) / max(len(units), 1)
    return {
        "estimate": float(shares[1:].max()) if len(units) else np.nan,
        "n_items": grouped.units.n_items(units),
        "n_samples": len(samples),
    }
