"""How stated confidences are distributed over the categories of the prompts' source document."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pandas as pd

from vr_evals.analysis.cells import CELL, cells, tidy_frame
from vr_evals.analysis.estimates import ESTIMATE, rate_row
from vr_evals.confidences import Category

__all__ = ["confidence_category"]


def confidence_category(table: pd.DataFrame) -> pd.DataFrame:
    """How often confidences of each category are stated, by cell.

    The categories are `very_low` (0–20), `low` (to 40), `moderate` (to 60), `high` (to 80) and
    `very_high` (to 100). Shares are of the stated confidences, whether or not the answer was read:
    the mean over items of the share among epochs, with the interval of `wilson_clustered`. The
    five shares of a cell add up to 1.

    Args:
        table: The tidy table.

    Returns:
        A row, with metric `share`, for each cell with a stated confidence and each `category`.

    Raises:
        InputError: The table does not have the columns of a tidy table.
    """
    grouped = cells(table, ("confidence_category",))
    stated = grouped.rows["confidence_category"].fillna("").to_numpy(dtype=object)
    of_category = {name: stated == name for name in get_args(Category)}
    records = []
    for cell, in_cell in zip(grouped.cells, grouped.row_slices, strict=True):
        samples = in_cell.start + np.flatnonzero(stated[in_cell] != "")
        if len(samples):
            records += [
                cell.keys | {"category": name} | rate_row("share", grouped, chosen, samples)
                for name, chosen in of_category.items()
            ]
    return tidy_frame(records, (*CELL, "category", *ESTIMATE), grouped.notes)
