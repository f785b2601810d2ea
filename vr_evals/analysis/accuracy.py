"""How often is the answer right, and how often can it be read?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from vr_evals.analysis.cells import CELL, Cells, Flags, Integers, cells, tidy_frame
from vr_evals.analysis.estimates import ESTIMATE, estimate_row, rate_row
from vr_evals.stats.classes import balanced_accuracy

__all__ = ["accuracy", "labels"]


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
        InputError: The table does not have the columns of a tidy table.
    """
    grouped = cells(table, ("label", "correct", "target"))
    read = grouped.rows["label"].notna().to_numpy()
    has_target = grouped.rows["correct"].notna().to_numpy()
    right = grouped.rows["correct"].fillna(False).to_numpy(dtype=bool)
    target = pd.factorize(grouped.rows["target"])[0]
    everything, answered = np.ones(len(read), dtype=bool), has_target & read
    known_target = has_target & (target >= 0)
    records = []
    for cell, in_cell in zip(grouped.cells, grouped.row_slices, strict=True):
        scored, known = _samples(in_cell, has_target), _samples(in_cell, known_target)
        for row in (
            rate_row("accuracy", grouped, right, scored),
            rate_row("accuracy_read", grouped, right, _samples(in_cell, answered)),
            _balanced(grouped, right, target, known),
            _majority(grouped, target, known),
            rate_row("read_rate", grouped, read, _samples(in_cell, everything)),
        ):
            records.append(cell.keys | row)
    return tidy_frame(records, (*CELL, *ESTIMATE), grouped.notes)


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
        InputError: The table does not have the columns of a tidy table.
    """
    grouped = cells(table, ("label", "correct", "target"))
    label = grouped.rows["label"].fillna("").to_numpy(dtype=object)
    target = grouped.rows["target"].fillna("").to_numpy(dtype=object)
    read = grouped.rows["label"].notna().to_numpy()
    has_target = (grouped.rows["correct"].notna() & grouped.rows["target"].notna()).to_numpy()
    records: list[dict[str, Any]] = []
    names = {*label[read], *target[has_target]}
    given_as, wanted_as = ({name: each == name for name in names} for each in (label, target))
    for cell, in_cell in zip(grouped.cells, grouped.row_slices, strict=True):
        answered, scored = _samples(in_cell, read), _samples(in_cell, has_target)
        for name in sorted({*label[answered], *target[scored]}):
            given = rate_row("given", grouped, given_as[name], answered)
            wanted = rate_row("wanted", grouped, wanted_as[name], scored)
            for row in (given, wanted | {"low": np.nan, "high": np.nan}):
                records.append(cell.keys | {"label": name} | row)
    return tidy_frame(records, (*CELL, "label", *ESTIMATE), grouped.notes)


def _samples(in_cell: slice, counts: Flags) -> Integers:
    """Numbers of the samples of a cell that count."""
    samples: Integers = in_cell.start + np.flatnonzero(counts[in_cell])
    return samples


def _balanced(grouped: Cells, right: Flags, target: Integers, samples: Integers) -> dict[str, Any]:
    unit = grouped.unit[samples]
    _, place, epochs = np.unique(unit, return_inverse=True, return_counts=True)
    estimate, low, high = balanced_accuracy(
        right[samples],
        target[samples],
        grouped.units.cluster_code[unit],
        weights=1 / epochs[place],
    )
    counts = grouped.counts(samples if not np.isnan(estimate) else samples[:0])
    return estimate_row("balanced_accuracy", estimate, low, high, **counts)


def _majority(grouped: Cells, target: Integers, samples: Integers) -> dict[str, Any]:
    units, first = np.unique(grouped.unit[samples], return_index=True)
    shares = np.bincount(target[samples[first]] + 1) / max(len(units), 1)
    most = float(shares[1:].max()) if len(units) else np.nan
    return estimate_row("majority_rate", most, **grouped.counts(samples))
