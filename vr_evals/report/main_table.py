"""The main table: a row for each cell, with what one looks at first."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from vr_evals.analysis.accuracy import accuracy
from vr_evals.analysis.cells import CELL, KEYS, Cells, cells
from vr_evals.analysis.changes import changes

__all__ = ["joined", "main_table", "what_happened"]

_CHANGES = ("change_from_level0", "change_from_thinking_off")


def main_table(table: pd.DataFrame) -> pd.DataFrame:
    """Accuracy by model × benchmark × level × thinking, its changes, and whether to believe it.

    Args:
        table: The tidy table.

    Returns:
        A row for each cell: the key columns; `accuracy` with `low` and `high`, NaN where no item
        has a target, and `n_scored`, the number of those that have one; `n_items` and `n_samples`,
        of all that were answered; `n_clusters`, the clusters that the items with a target are of,
        or else all items; `read_rate`, the share of answers that could be read; `cut_off`, the
        share of replies that the token limit ended; `as_asked`, the share of samples that thought,
        or did not, as the condition wants, NaN where that is not known; and the changes
        `change_from_level0` and `change_from_thinking_off`, each with `…_low`, `…_high` and
        `…_p_adjusted`. `attrs["notes"]` is that of `changes`.

    Raises:
        InputError: The table has not the columns of a tidy table.
    """
    return joined(accuracy(table), changes(table), what_happened(table))


def joined(accuracies: pd.DataFrame, changed: pd.DataFrame, happened: pd.DataFrame) -> pd.DataFrame:
    """Make the main table of frames that are there already.

    Args:
        accuracies: What `accuracy` returns.
        changed: What `changes` returns.
        happened: What `what_happened` returns.
    """
    keys = list(CELL)
    right = accuracies.loc[
        accuracies["metric"] == "accuracy", [*keys, "estimate", "low", "high", "n_items"]
    ]
    counts = [*keys, "estimate", "n_items", "n_samples"]
    read = accuracies.loc[accuracies["metric"] == "read_rate", counts]
    found = right.rename(columns={"estimate": "accuracy", "n_items": "n_scored"}).merge(
        read.rename(columns={"estimate": "read_rate"}), on=keys, how="outer"
    )
    found = found.merge(happened, on=keys, how="left")
    for metric in _CHANGES:
        part = changed[changed["metric"] == metric]
        columns = {"estimate": metric} | {
            name: f"{metric}_{name}" for name in ("low", "high", "p_adjusted")
        }
        part = _named_as_cells(part[[*keys, *columns]], found).rename(columns=columns)
        found = found.merge(part.drop_duplicates(keys), on=keys, how="left")
    found.attrs["notes"] = list(changed.attrs.get("notes", ()))
    return found


def _named_as_cells(changed: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """Changes with their cell's own variant, which may be that of the other side alone."""
    keys = list(KEYS)
    plain = found.loc[~found.duplicated(keys, keep=False), [*keys, "variant"]]
    plain = plain.rename(columns={"variant": "of_cell"})
    named = changed.merge(plain, on=keys, how="left")
    of_cell = named["of_cell"].mask(named.duplicated(keys, keep=False))
    return named.assign(variant=of_cell.fillna(named["variant"])).drop(columns="of_cell")


def what_happened(table: pd.DataFrame) -> pd.DataFrame:
    """By cell, its clusters, how often a reply was cut off, and how often thinking was as asked.

    Args:
        table: The tidy table.

    Returns:
        The key columns, `n_clusters`, and `cut_off` and `as_asked`, which are rates; NaN where it
        is not known. The clusters are of items with a right answer, if the cell has any: accuracy
        rests on these.
    """
    grouped = cells(table, ("correct", "cut_off", "thought", "thinking"))
    records: list[dict[str, Any]] = [
        cell.keys
        | {
            "n_clusters": _n_clusters(grouped, rows),
            "cut_off": _rate(grouped, rows, "cut_off"),
            "as_asked": _as_asked(grouped, rows),
        }
        for cell, rows in zip(grouped.cells, grouped.row_slices, strict=True)
    ]
    columns: dict[str, Any] = {"n_clusters": "Int64", "cut_off": "float64", "as_asked": "float64"}
    frame = pd.DataFrame.from_records(records, columns=[*CELL, *columns])
    types = {name: table[name].dtype for name in CELL if name != "variant"}
    return frame.astype(types | {"variant": "string"} | columns)


def _n_clusters(grouped: Cells, rows: slice) -> int:
    units = grouped.unit[rows]
    has_target = grouped.rows["correct"].iloc[rows].notna().to_numpy()
    return len(set(grouped.units.cluster[units[has_target] if has_target.any() else units]))


def _rate(grouped: Cells, rows: slice, column: str) -> float:
    values = grouped.rows[column].iloc[rows].dropna()
    return float(values.astype(float).mean()) if len(values) else np.nan


def _as_asked(grouped: Cells, rows: slice) -> float:
    part = grouped.rows.iloc[rows]
    as_asked = (part["thought"] == part["thinking"]).dropna()
    return float(as_asked.astype(float).mean()) if len(as_asked) else np.nan
