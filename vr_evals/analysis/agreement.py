"""How alike are the answers of an item's epochs, and those of two models?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vr_evals.analysis.cells import CELL, Cells, Integers, cells, tidy_frame
from vr_evals.analysis.estimates import ESTIMATE, estimate_row
from vr_evals.analysis.pairing import comparisons, matched_units
from vr_evals.stats.agreement import Coefficient, alpha, kappa
from vr_evals.stats.intervals import score_mean, wilson_clustered

__all__ = ["agreement", "agreement_between_models"]


def agreement(table: pd.DataFrame) -> pd.DataFrame:
    """How alike the epochs of an item are answered, and how much accuracy moves between epochs.

    - `agreement`: share of pairs of epochs with the same choice, averaged over items;
    - `agreement_alpha`: Krippendorff's α, the agreement beyond chance: an answer that does not
      depend on the item has 0, however likely it is and however many options there are;
    - `entropy`: of an item's choices, in bits, averaged over items;
    - `accuracy_of_epoch`: accuracy of each epoch by itself (column `epoch`);
    - `accuracy_sd_over_epochs`: the standard deviation of these (n − 1 in the denominator), a rate.
      It has no interval: a handful of epochs says too little of it.

    For the first three an answer that could not be read is a choice of its own; a cell without any
    that was read has none of them. For the last two it is not right, and only items with a target
    are used that were asked in every epoch of the cell. Intervals are by cluster: `score_mean`,
    `alpha`, and `wilson_clustered` for accuracy.

    Args:
        table: The tidy table.

    Returns:
        Rows for each cell. If no item has two epochs, the first three and the last are NaN, with
        counts of 0.

    Raises:
        InputError: The table does not have the columns of a tidy table.
    """
    grouped = cells(table, ("epoch", "choice", "correct"))
    choices = pd.factorize(grouped.rows["choice"])[0]
    columns = (grouped.rows[name] for name in ("epoch", "correct"))
    epoch, correct = (each.to_numpy(dtype=float, na_value=np.nan) for each in columns)
    records: list[dict[str, Any]] = []
    for number, cell in enumerate(grouped.cells):
        here = grouped.row_slices[number]
        rows = (
            *_over_items(grouped, _counts(grouped, choices, number)[0], number),
            *_over_epochs(grouped, epoch[here], correct[here], grouped.unit[here]),
        )
        records += [cell.keys | row for row in rows]
    return tidy_frame(records, (*CELL, "metric", "epoch", *ESTIMATE[1:]), grouped.notes)


def agreement_between_models(table: pd.DataFrame) -> pd.DataFrame:
    """How alike two models answer the same items, at the same level and in the same conditions.

    - `agreement`: the chance that an answer of `model` and one of `versus` to the same item choose
      the same, averaged over items; with one epoch each, the share of items answered alike;
    - `agreement_kappa`: Cohen's κ, the agreement beyond that of answers to any two items.

    An answer that could not be read is a choice of its own; where a model has none that was read,
    both are NaN. Intervals are by cluster: `score_mean` and `kappa`.

    Args:
        table: The tidy table.

    Returns:
        Rows for each comparison, as in `compare_models`; `n_unpaired` counts items of one side
        only.

    Raises:
        InputError: The table does not have the columns of a tidy table.
    """
    grouped = cells(table, ("choice",))
    found, notes = comparisons(grouped.cells, "model", lambda a, b: a < b, symmetric=True)
    choices = pd.factorize(grouped.rows["choice"])[0]
    records = []
    for pair in found:
        numbers = (pair.side, pair.reference)
        matched = matched_units(grouped, numbers)
        places = (
            units - grouped.unit_slices[number].start
            for number, units in zip(numbers, matched.units, strict=True)
        )
        made = _counts(grouped, choices, *numbers)
        sides = [side[place] for side, place in zip(made, places, strict=True)]
        sizes = [side @ np.ones(side.shape[1]) for side in sides]
        n_samples = int(sum(size.sum() for size in sizes))
        first, second = (
            side / np.maximum(size, 1)[:, None] for side, size in zip(sides, sizes, strict=True)
        )
        clusters = grouped.units.cluster_code[matched.units[0]]
        keys = grouped.cells[pair.side].keys | {
            "versus": grouped.cells[pair.reference].model,
            "variant": pair.variant,
        }
        answered = all(side[:, 1:].any() for side in sides)
        alike = score_mean(np.einsum("ij,ij->i", first, second).clip(0, 1), clusters)
        for metric, figure in (
            ("agreement", Coefficient(alike.mean, alike.low, alike.high)),
            ("agreement_kappa", kappa(first, second, clusters)),
        ):
            estimate = figure if answered else (np.nan,) * 3
            counts = {"n_items": matched.n_items, "n_samples": n_samples}
            row = estimate_row(metric, *estimate, **counts)
            records.append(keys | row | {"n_unpaired": matched.n_unpaired})
    columns = ("model", "versus", *CELL[1:], *ESTIMATE, "n_unpaired")
    return tidy_frame(records, columns, [*grouped.notes, *notes])


def _counts(grouped: Cells, choices: Integers, *numbers: int) -> list[NDArray[np.float64]]:
    """How often each choice was made in some cells, by cell: a row a unit, unread first.

    Args:
        grouped: The table in cells.
        choices: A number for each sample's choice, -1 if unread.
        numbers: Those of the cells.
    """
    made = [choices[grouped.row_slices[number]] + 1 for number in numbers]
    used = np.bincount(np.concatenate(made)) > 0
    used[:1] = True
    column, width = np.cumsum(used) - 1, int(used.sum())
    found = []
    for number, each in zip(numbers, made, strict=True):
        units = grouped.unit_slices[number]
        place = grouped.unit[grouped.row_slices[number]] - units.start
        n_units = units.stop - units.start
        counts = np.bincount(place * width + column[each], minlength=n_units * width)
        found.append(counts.reshape(n_units, width).astype(float))
    return found


def _over_items(
    grouped: Cells, counts: NDArray[np.float64], number: int
) -> Iterator[dict[str, Any]]:
    """Agreement, its coefficient and entropy, over the units that were asked several times."""
    here = grouped.unit_slices[number]
    if not counts[:, 1:].any():
        counts = counts[:0]
    several = np.flatnonzero(counts.sum(axis=1) > 1)
    counts, clusters = counts[several], grouped.units.cluster_code[here.start + several]
    n = counts.sum(axis=1)
    alike = (counts * (counts - 1)).sum(axis=1) / (n * (n - 1))
    share = counts / n[:, None]
    bits = -(share * np.log2(np.where(share > 0, share, 1))).sum(axis=1)
    most = float(np.log2(n.max(initial=2)))
    shared, varied = score_mean(alike, clusters), score_mean(bits / most, clusters)
    for metric, figure in (
        ("agreement", Coefficient(shared.mean, shared.low, shared.high)),
        ("agreement_alpha", alpha(counts, clusters)),
        ("entropy", Coefficient(*(most * x for x in (varied.mean, varied.low, varied.high)))),
    ):
        n_items = grouped.units.n_items(here.start + several)
        yield estimate_row(metric, *figure, n_items=n_items, n_samples=int(n.sum()))


def _over_epochs(
    grouped: Cells, epoch: NDArray[np.float64], correct: NDArray[np.float64], unit: Integers
) -> Iterator[dict[str, Any]]:
    """Accuracy by epoch, and its spread, over units of a cell that have every epoch of it."""
    known = ~(np.isnan(epoch) | np.isnan(correct))
    epochs, column = np.unique(epoch[known], return_inverse=True)
    units, row = np.unique(unit[known], return_inverse=True)
    shape = len(units), len(epochs)
    place = row * len(epochs) + column
    count = np.bincount(place, minlength=math.prod(shape)).reshape(shape)
    total = np.bincount(place, correct[known], math.prod(shape)).reshape(shape)
    complete = (count > 0).all(axis=1)
    units, right = units[complete], total[complete] / count[complete]
    n_items = grouped.units.n_items(units)
    for number, values in zip(epochs, right.T, strict=True) if n_items else ():
        low, high = wilson_clustered(values, grouped.units.cluster_code[units])
        counts = {"n_items": n_items, "n_samples": len(units)}
        found = estimate_row("accuracy_of_epoch", values.mean(), low, high, **counts)
        yield found | {"epoch": int(number)}
    several = right.shape[1] > 1
    yield estimate_row(
        "accuracy_sd_over_epochs",
        right.mean(axis=0).std(ddof=1) if several and n_items else np.nan,
        n_items=n_items if several else 0,
        n_samples=right.size if several else 0,
    )
