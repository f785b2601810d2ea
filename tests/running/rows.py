"""The tidy table of a folder, for the comparison of two runs of a grid."""

from pathlib import Path

import pandas as pd

from vr_evals.analysis import read_logs

__all__ = ["rows"]

_OF_ONE_RUN = ["seconds", "uuid", "log"]


def rows(log_dir: Path | str) -> pd.DataFrame:
    """The tidy table, without what differs between two runs."""
    table = read_logs(log_dir).drop(columns=_OF_ONE_RUN)
    return table.sort_values(["model", "task", "sample_id", "epoch"], ignore_index=True)
