"""What is preferred where nothing need be right, and does it depend on where an option stands?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from vr_evals.analysis.cells import CELL, Cells, cells, tidy_frame
from vr_evals.analysis.estimates import ESTIMATE, rate_row
from vr_evals.analysis.pairing import adjust_p
from vr_evals.analysis.position import position_rows

__all__ = ["preference"]

_COLUMNS = (
    *CELL,
    "ambiguity",
    "letter",
    *ESTIMATE,
    "p",
    "p_adjusted",
)
_ACTIONS = ("action1", "action2")
_BENCHMARK = "moralchoice"


def preference(table: pd.DataFrame) -> pd.DataFrame:
    """Preference between the two actions of a dilemma, and bias towards a position.

    - `p_action1`: share of answers with action 1, by `ambiguity` (missing: the items do not say),
      averaged over items and their orders; `wilson_clustered` of single epochs;
    - `position_bias`, where items of two options are asked in both orders: the share that chose the
      option shown first, averaged over an item's orders, less 0.5. Whatever the options are, it is
      0 without a bias; tested by the inversion of its score interval;
    - `position_bias` by `letter`, where orders are drawn (`seeded`): the share of answers with that
      letter minus the share of targets there (1 / number of options for an item without a target).
      Not tested: a letter that holds more targets than others loses a little by mere errors;
    - `order_consistency`, where items are asked in both orders: the chance that an answer in one
      order and one in the other choose the same; `score_mean`. Read it beside `agreement`.

    Only answers that were read count; of items in both orders, those read in both. In file order or
    its reverse alone, a position can't be told from what stands there: there is no such row.

    Args:
        table: The tidy table.

    Returns:
        Rows for each cell that has dilemmas or lettered options. `p_adjusted` is Holm's, over the
        rows of this frame that were tested.

    Raises:
        InputError: The table does not have the columns of a tidy table.
    """
    columns = ("label", "choice", "target", "ambiguity", "option_order", "n_options")
    grouped = cells(table, columns)
    by_cell: list[list[dict[str, Any]]] = [[] for _ in grouped.cells]
    for number, row in _preferences(grouped):
        by_cell[number].append(row)
    records = [
        cell.keys | row
        for number, cell in enumerate(grouped.cells)
        for row in (*by_cell[number], *position_rows(grouped, number))
    ]
    return adjust_p(tidy_frame(records, _COLUMNS, grouped.notes))


def _preferences(grouped: Cells) -> Iterator[tuple[int, dict[str, Any]]]:
    """The share of action 1, by cell and ambiguity; of a dilemma also where nothing was read."""
    choice = grouped.rows["choice"]
    action1 = choice.eq(_ACTIONS[0]).fillna(False).to_numpy(dtype=bool)
    read = choice.isin(_ACTIONS).to_numpy(dtype=bool)
    ambiguity = grouped.by_unit("ambiguity")[grouped.unit]
    for number, (cell, in_cell) in enumerate(zip(grouped.cells, grouped.row_slices, strict=True)):
        dilemma = read[in_cell] | (cell.benchmark == _BENCHMARK)
        for value in sorted(set(ambiguity[in_cell][dilemma]), key=lambda each: each or ""):
            samples = np.flatnonzero(read[in_cell] & (ambiguity[in_cell] == value))
            rate = rate_row("p_action1", grouped, action1, in_cell.start + samples)
            yield number, {"ambiguity": value} | rate
