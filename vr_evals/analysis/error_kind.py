"""Which wrong option is chosen, where options have kinds: a surface-level or an incomplete one?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from vr_evals.analysis.cells import CELL, Cells, Flags, cells, tidy_frame
from vr_evals.analysis.estimates import ESTIMATE, estimate_row, rate_row
from vr_evals.option_kinds import ERROR_KINDS, GROUND_TRUTH, INCOMPLETE, SURFACE
from vr_evals.stats.intervals import wilson_clustered

__all__ = ["GROUPS", "error_kind"]

GROUPS = {"surface": SURFACE, "incomplete": INCOMPLETE}
"""The groups of kinds."""


def error_kind(table: pd.DataFrame) -> pd.DataFrame:
    """How often wrong options of each kind are chosen, by cell.

    `kind` is one of `ERROR_KINDS`, another kind that was chosen, or a group: `surface` (characters
    or traits in common with the fable) and `incomplete` (suits only a part of it).

    - `share`: share of the answers that were read, the mean over items (and orders of their
      options) of the share among the epochs, as `accuracy_read` is;
    - `share_of_errors`: share of the wrong answers, each epoch by itself; `reference` is what
      choosing among the wrong options at random would give, if each item has one option of each
      kind: 1/4 for a kind, 3/4 for `surface`, 1/4 for `incomplete`.

    Intervals are `wilson_clustered`. Only answers to items whose options have kinds count.

    Args:
        table: The tidy table.

    Returns:
        Rows for each cell with such answers, by kind and metric; a share of errors is NaN if there
        are none. `reference` is NaN for `share`, and for another kind than those of `ERROR_KINDS`.

    Raises:
        InputError: The table does not have the columns of a tidy table.
    """
    grouped = cells(table, ("choice_kind",))
    kind = grouped.rows["choice_kind"].fillna("").to_numpy(dtype=object)
    named = dict.fromkeys((*ERROR_KINDS, *set(kind)))
    groups = {name: (name,) for name in named} | GROUPS
    chosen = {name: np.isin(kind, kinds) for name, kinds in groups.items()}
    records = [
        cell.keys | row
        for cell, in_cell in zip(grouped.cells, grouped.row_slices, strict=True)
        for row in _of_cell(grouped, kind, chosen, in_cell)
    ]
    return tidy_frame(records, (*CELL, "kind", *ESTIMATE, "reference"), grouped.notes)


def _of_cell(
    grouped: Cells,
    kind: np.ndarray[Any, np.dtype[np.object_]],
    chosen: Mapping[str, Flags],
    in_cell: slice,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of one cell; none if no answer has a kind."""
    read = in_cell.start + np.flatnonzero(kind[in_cell] != "")
    if not len(read):
        return
    wrong = read[kind[read] != GROUND_TRUTH]
    clusters = grouped.units.cluster_code[grouped.unit[wrong]]
    others = sorted(set(kind[wrong]) - set(ERROR_KINDS))
    members = {name: (name,) for name in (*ERROR_KINDS, *others)} | GROUPS
    for name, kinds in members.items():
        yield {"kind": name} | rate_row("share", grouped, chosen[name], read)
        of_errors = chosen[name][wrong]
        share = float(of_errors.mean()) if len(wrong) else np.nan
        bounds = wilson_clustered(of_errors, clusters)
        row = estimate_row("share_of_errors", share, *bounds, **grouped.counts(wrong))
        known = set(kinds) <= set(ERROR_KINDS)
        yield (
            {"kind": name} | row | {"reference": len(kinds) / len(ERROR_KINDS) if known else np.nan}
        )
