"""Did replies do what their level asks for?"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vr_evals.analysis.cells import CELL, Cells, cells, tidy_frame
from vr_evals.analysis.estimates import ESTIMATE, estimate_row, rate_row
from vr_evals.level_checks import LEVEL_CHECKS

__all__ = ["level_check"]


def level_check(table: pd.DataFrame) -> pd.DataFrame:
    """What visible replies show of the demands of the levels, by cell.

    - `answer_only` (level 0), `reasoned` (2 to 5), `named_principles` (3), `both_sides` (4): share
      of the replies of which that is determined to be true, at any level; `undetermined` is the
      share of which it is neither true nor false. So the true share is between `estimate` and
      `estimate` + `undetermined`. The mean over items of the share among epochs, with the interval
      of `wilson_clustered`;
    - `visible_words`: mean number of words, each epoch by itself, without an interval.

    Args:
        table: The tidy table.

    Returns:
        Rows for each cell with such samples. Rules: `vr_evals.level_checks`.

    Raises:
        InputError: The table does not have the columns of a tidy table.
    """
    grouped = cells(table, ("visible_words", *LEVEL_CHECKS))
    words = grouped.rows["visible_words"].to_numpy(dtype=float, na_value=np.nan)
    checks = {name: _values(grouped, name) for name in LEVEL_CHECKS}
    records = []
    for cell, in_cell in zip(grouped.cells, grouped.row_slices, strict=True):
        samples = in_cell.start + np.flatnonzero(~np.isnan(words[in_cell]))
        if not len(samples):
            continue
        for name, (true, unknown) in checks.items():
            row = rate_row(name, grouped, true, samples)
            open_share = rate_row(name, grouped, unknown, samples)["estimate"]
            records.append(cell.keys | row | {"undetermined": open_share})
        mean = estimate_row("visible_words", words[samples].mean(), **grouped.counts(samples))
        records.append(cell.keys | mean | {"undetermined": np.nan})
    return tidy_frame(records, (*CELL, *ESTIMATE, "undetermined"), grouped.notes)


def _values(grouped: Cells, name: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return where a check is true, and where it is undetermined: 1 or 0 for each sample."""
    values = grouped.rows[name]
    true: NDArray[np.float64] = values.to_numpy(dtype=float, na_value=0)
    return true, np.asarray(values.isna(), dtype=np.float64)
