"""Whether a table is a tidy table with anything to show."""

from __future__ import annotations

import pandas as pd

from vr_evals.analysis.columns import COLUMNS
from vr_evals.errors import InputError
from vr_evals.formatting import plural, shown

__all__ = ["check_columns", "check_rows"]


def check_columns(rows: pd.DataFrame) -> None:
    """Check that a table has every column of a tidy table.

    Args:
        rows: Any table.

    Raises:
        InputError: A column is missing; the line names it.
    """
    missing = [column.name for column in COLUMNS if column.name not in rows.columns]
    if missing:
        raise InputError(f"missing column {', '.join(missing)}: expected a table from read_logs")


def check_rows(rows: pd.DataFrame) -> None:
    """Check that a tidy table contains an answer.

    Args:
        rows: What `vr_evals.analysis.read_logs` returns.

    Raises:
        InputError: It contains none; the line gives the reason.
    """
    if not rows["error"].notna().all():
        return
    skipped = rows.attrs.get("skipped", [])
    if len(rows):
        raise InputError(
            f"nothing to show: {len(rows):,} of {plural(len(rows), 'sample')} ended in an error"
        )
    if not skipped:
        raise InputError("nothing to show: no sample of the logs has ended")
    first, others = skipped[0], len(skipped) - 1
    more = f" (and {plural(others, 'more log')})" if others else ""
    raise InputError(
        f"nothing to show: skipped {shown(first['log'], 300)}{more}: {shown(first['reason'], 300)}"
    )
