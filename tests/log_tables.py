"""The ways of reading a log, compared."""

from pathlib import Path
from tempfile import TemporaryDirectory

from inspect_ai.log import read_eval_log_sample_summaries

from vr_evals.analysis.files import LogFile
from vr_evals.analysis.log_cache import Entry, LogCache
from vr_evals.analysis.log_table import LogTable, log_table, read_log_table
from vr_evals.analysis.run import Run

__all__ = ["read_in_all_ways"]

_COMPARED: dict[str, tuple[int, int]] = {}
"""When each file that was compared was written, and its size; many are read again and again."""


def read_in_all_ways(run: Run) -> LogTable:
    """Read a log as the package does, by Inspect, and through the cache; all must be equal.

    A file is compared once, until it changes.
    """
    found = read_log_table(run)
    path = Path(run.log)
    if path.is_file():
        state = (path.stat().st_mtime_ns, path.stat().st_size)
        if _COMPARED.get(run.log) == state:
            return found
        _COMPARED[run.log] = state
    by_inspect = log_table(run, read_eval_log_sample_summaries(run.log), from_json=False)
    assert found.rows.equals(by_inspect.rows)
    assert found.twice == by_inspect.twice
    assert found.without_item == by_inspect.without_item
    assert found.without_error == by_inspect.without_error
    file, entry = LogFile(run.log, run.changed), Entry(run, found)
    with TemporaryDirectory() as folder:
        LogCache(Path(folder)).put(file, [1], entry)
        assert LogCache(Path(folder)).get(file, [1], with_table=True) == entry
    return found
