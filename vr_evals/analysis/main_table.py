"""The tables to look at first: accuracy and its changes by cell, and what each cue does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from vr_evals.analysis.accuracy import accuracy
from vr_evals.analysis.authority import authority
from vr_evals.analysis.cells import CELL, KEYS, Cells, cells
from vr_evals.analysis.changes import changes
from vr_evals.analysis.columns import COLUMNS
from vr_evals.conditions import CONDITIONS

__all__ = ["authority_table", "join_main_table", "main_table", "run_quality", "sort_by_condition"]

_CHANGES = ("change_from_level0", "change_from_thinking_off")
_ORDER = {name: place for place, name in enumerate(CONDITIONS)}
_CUE_METRICS = {"compliance@k": "compliance", "excess_compliance": "excess_compliance"}


def main_table(table: pd.DataFrame) -> pd.DataFrame:
    """Return accuracy by cell, its changes, and the quality of the runs behind it.

    Args:
        table: The tidy table.

    Returns:
        One row per cell: the key columns; `accuracy` with `low` and `high`, NaN if no item has a
        target, and `n_scored`, the number of items with a target; `n_items` and `n_samples`, all
        that were answered; `n_clusters`, the clusters of the items with a target (of all items if
        none has one); `read_rate`, the share of answers that could be read; `cut_off`, the share
        of replies cut off at the token limit; `as_asked`, the share of samples that thought, or
        did not, as the condition requires, NaN if unknown; and the changes `change_from_level0`
        and `change_from_thinking_off`, each with `…_low`, `…_high` and `…_p_adjusted`.
        `attrs["notes"]` is that of `changes`.

    Raises:
        InputError: The table lacks a column of a tidy table.
    """
    return join_main_table(accuracy(table), changes(table), run_quality(table))


def join_main_table(
    accuracies: pd.DataFrame, changed: pd.DataFrame, quality: pd.DataFrame
) -> pd.DataFrame:
    """Join the main table from frames that were computed before.

    Args:
        accuracies: What `accuracy` returns.
        changed: What `changes` returns.
        quality: What `run_quality` returns.
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
    found = found.merge(quality, on=keys, how="left")
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


def run_quality(table: pd.DataFrame) -> pd.DataFrame:
    """Return by cell its clusters, the replies cut off, and how often thinking was as asked.

    Args:
        table: The tidy table.

    Returns:
        The key columns, `n_clusters`, and the rates `cut_off` and `as_asked`, NaN if unknown.
        Clusters are those of items with a right answer, if the cell has any, as in accuracy.
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
    types = {column.name: column.dtype for column in COLUMNS if column.name in CELL}
    return frame.astype(types | columns)


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


def authority_table(table: pd.DataFrame) -> pd.DataFrame:
    """Return compliance and excess compliance by model × benchmark × level × thinking × condition.

    Args:
        table: The tidy table.

    Returns:
        One row per cell in which an authority endorses an option: the key columns; `compliance`,
        with k = 1, and `excess_compliance`, over that under control and NaN without one, each with
        `…_low` and `…_high`; the latter's `…_p_adjusted`; and the numbers of items, `n_items` and,
        of those that control has too, `excess_compliance_n_items`. `attrs["notes"]` lists what
        could not be compared with control.

    Raises:
        InputError: As `vr_evals.analysis.authority` does.
    """
    estimates = authority(table, ks=(1,))
    keys = list(CELL)
    values = ["estimate", "low", "high", "p_adjusted", "n_items"]
    found = estimates.loc[estimates["metric"] == "compliance@k", keys]
    for metric, name in _CUE_METRICS.items():
        columns = {value: f"{name}_{value}" for value in values} | {"estimate": name}
        part = estimates.loc[estimates["metric"] == metric, [*keys, *values]]
        found = found.merge(part.rename(columns=columns), on=keys, how="left")
    found = found.rename(columns={"compliance_n_items": "n_items"})
    found = found.drop(columns="compliance_p_adjusted")
    found.attrs["notes"] = estimates.attrs["notes"]
    return found


def sort_by_condition(frame: pd.DataFrame, *names: str) -> pd.DataFrame:
    """Sort a frame by some columns, then by condition: control, help and harm, others by name.

    Args:
        frame: Has the column `condition`.
        names: The columns that come before it.
    """
    place = frame["condition"].map(_ORDER).astype("Float64")  # missing for others: sorted last
    ordered = frame.assign(place=place).sort_values([*names, "place", "condition"], kind="stable")
    return ordered.drop(columns="place")
