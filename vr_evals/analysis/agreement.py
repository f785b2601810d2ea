"""How alike are the answers of an item's epochs?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vr_evals.analysis.cells import CELL, Cells, cells, tidy_frame
from vr_evals.stats import agreement as formulas
from vr_evals.stats.intervals import bounded_mean, wilson_clustered

__all__ = ["agreement"]

_COLUMNS = (*CELL, "metric", "epoch", "estimate", "low", "high", "n_items", "n_samples")


def agreement(table: pd.DataFrame) -> pd.DataFrame:
    """How alike the epochs of an item are answered, and how much accuracy moves between epochs.

    - `agreement`: share of pairs of epochs with the same choice, averaged over items;
    - `entropy`: of an item's choices, in bits, averaged over items;
    - `accuracy_of_epoch`: accuracy of each epoch by itself (column `epoch`);
    - `accuracy_sd_over_epochs`: the standard deviation of these (n − 1 in the denominator), a rate.
      It has no interval: a handful of epochs says too little of it.

    For the first two an answer that could not be read is a choice of its own; for the last two it
    is not right, and only items with a target are used that were asked in every epoch of the cell.
    Intervals are by cluster: `bounded_mean`, and `wilson_clustered` for accuracy.

    Args:
        table: The tidy table.

    Returns:
        Rows for each cell. Where no item has two epochs, the first two and the last are NaN, with
        counts of 0.

    Raises:
        InputError: The table has not the columns of a tidy table.
    """
    grouped = cells(table, ("epoch", "choice", "correct"))
    values = _by_unit(grouped)
    records: list[dict[str, Any]] = []
    for cell, units, rows in zip(
        grouped.cells, grouped.unit_slices, grouped.row_slices, strict=True
    ):
        for metric, (by_unit, greatest) in values.items():
            used = units.start + np.flatnonzero(~np.isnan(by_unit[units]))
            found = bounded_mean(
                by_unit[used], grouped.units.cluster[used].tolist(), (0.0, greatest)
            )
            records.append(
                cell.keys
                | {
                    "metric": metric,
                    "estimate": found.mean,
                    "low": found.low,
                    "high": found.high,
                    "n_items": grouped.units.n_items(used),
                    "n_samples": int(np.isin(grouped.unit[rows], used).sum()),
                }
            )
        records += [cell.keys | row for row in _over_epochs(grouped, rows)]
    return tidy_frame(records, _COLUMNS, grouped.notes)


def _by_unit(grouped: Cells) -> dict[str, tuple[NDArray[np.float64], float]]:
    """Agreement and entropy of each unit, NaN with one epoch; and the greatest value possible."""
    choice = pd.factorize(grouped.rows["choice"], use_na_sentinel=False)[0]
    n = np.bincount(grouped.unit, minlength=len(grouped.units.cell))
    stops = np.cumsum(n)
    values = {name: np.full(len(n), np.nan) for name in ("agreement", "entropy")}
    for unit in np.flatnonzero(n > 1):
        choices = choice[stops[unit] - n[unit] : stops[unit]].tolist()
        values["agreement"][unit] = formulas.agreement(choices)
        values["entropy"][unit] = formulas.entropy(choices)
    most = float(np.log2(max(n, default=1))) + 1e-9
    return {"agreement": (values["agreement"], 1.0), "entropy": (values["entropy"], most)}


def _over_epochs(grouped: Cells, in_cell: slice) -> Iterator[dict[str, Any]]:
    """Accuracy by epoch, and its spread, over units that have every epoch of the cell."""
    rows = grouped.rows.iloc[in_cell].assign(unit=grouped.unit[in_cell])
    rows = rows[rows["correct"].notna() & rows["epoch"].notna()]
    rows = rows.astype({"correct": "float64", "epoch": "int64"})
    right = rows.pivot_table(index="unit", columns="epoch", values="correct").dropna()
    units = right.index.to_numpy(dtype=np.intp)
    n_items = grouped.units.n_items(units)
    for epoch, values in right.items() if n_items else ():
        low, high = wilson_clustered(values.to_numpy(), grouped.units.cluster[units].tolist())
        yield {
            "metric": "accuracy_of_epoch",
            "epoch": epoch,
            "estimate": values.mean(),
            "low": low,
            "high": high,
            "n_items": n_items,
            "n_samples": len(units),
        }
    several = right.shape[1] > 1
    yield {
        "metric": "accuracy_sd_over_epochs",
        "estimate": right.mean().std(ddof=1) if several else np.nan,
        "n_items": n_items if several else 0,
        "n_samples": right.size if several else 0,
    }
