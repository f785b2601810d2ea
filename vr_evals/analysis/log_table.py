"""The table of one log: what its samples contribute to the tidy table, without other logs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from vr_evals.analysis.columns import COLUMNS
from vr_evals.analysis.rows import is_finished, run_cells, sample_cells
from vr_evals.analysis.run import Run
from vr_evals.analysis.summaries import Summary, read_summaries
from vr_evals.characters import replace_lone_surrogates
from vr_evals.conditions import SUFFIXES

__all__ = ["SCHEMA", "LogTable", "join_tables", "log_table", "read_log_table"]

_TYPES = {
    "string": pa.large_string(),
    "Int64": pa.int64(),
    "Float64": pa.float64(),
    "boolean": pa.bool_(),
}
"""The arrow type of each type of column."""

_OF_RUN = frozenset(
    {
        *("model", "task", "thinking", "include_confidence", "temperature", "variant", "settings"),
        *("version", "dataset", "subset", "sample_data", "log"),
    }
)
"""The columns that all samples of a run share."""

SCHEMA = pa.schema(
    [
        *(
            (column.name, _TYPES[column.dtype])
            for column in COLUMNS
            if column.name not in _OF_RUN | {"moved"}
        ),
        ("is_finished", pa.bool_()),
        ("condition_asked", pa.large_string()),
        ("sample_asked", pa.large_string()),
    ]
)
"""The columns that samples differ in, and what tells whether two logs have the same sample."""


@dataclass(frozen=True)
class LogTable:
    """The samples of one log.

    Attributes:
        rows: Each sample once, in an order that does not depend on the run; as in `SCHEMA`.
        twice: Names of those that are in the log more than once.
        without_item: Names of those that are left out because they do not say what they are of.
        without_error: How many ended without an error.
        from_json: Whether they were parsed as JSON, not by Inspect.
    """

    rows: pa.Table
    twice: tuple[str, ...]
    without_item: tuple[str, ...]
    without_error: int
    from_json: bool


def read_log_table(run: Run) -> LogTable:
    """Read the samples of a log.

    Args:
        run: The run that the log is of.

    Raises:
        Exception: Whatever Inspect's readers raise on a broken file.
    """
    return log_table(run, *read_summaries(run))


def log_table(run: Run, summaries: Sequence[Summary], from_json: bool) -> LogTable:
    """Make the table of a log of the summaries of its samples.

    Args:
        run: The run that the log is of.
        summaries: The summaries.
        from_json: Whether they were parsed as JSON, not by Inspect.
    """
    samples, twice = _once_each(summaries)
    cells = [sample_cells(sample, run) | _identity(sample, run) for sample in samples]
    without_item = tuple(
        _name(sample) for sample, cell in zip(samples, cells, strict=True) if cell["item"] is None
    )
    if without_item:
        cells = [cell for cell in cells if cell["item"] is not None]
    rows = pa.table(
        {
            column.name: pa.array([cell[column.name] for cell in cells], column.type)
            for column in SCHEMA
        },
        schema=SCHEMA,
    )
    without_error = sum(one.error is None for one in summaries)
    return LogTable(rows, twice, without_item, without_error, from_json)


def _once_each(samples: Iterable[Summary]) -> tuple[list[Summary], tuple[str, ...]]:
    """The samples of a log by id and epoch, and the names of those that are there more than once.

    Of these the last that was finished is taken.
    """
    found: dict[tuple[str, int], Summary] = {}
    twice: dict[str, None] = {}
    for sample in samples:
        key = (str(sample.id), sample.epoch)
        if key in found:
            twice[_name(sample)] = None
            sample = max(found[key], sample, key=_last_finished)
        found[key] = sample
    return [found[key] for key in sorted(found)], tuple(twice)


def _name(sample: Summary) -> str:
    return f"{sample.id}, epoch {sample.epoch}"


def _last_finished(sample: Summary) -> tuple[bool, str, str]:
    return (is_finished(sample), str(sample.completed_at or ""), sample.uuid or "")


def _identity(sample: Summary, run: Run) -> dict[str, Any]:
    """What tells samples of a cell apart, whether conditions were run alone or together."""
    name = replace_lone_surrogates(str(sample.id))
    found = {"is_finished": is_finished(sample), "condition_asked": None, "sample_asked": name}
    if run.conditions == (None,):
        return found
    condition = replace_lone_surrogates(str(sample.metadata.get("condition")))
    for suffix in (condition, SUFFIXES.get(condition, condition)):  # logs before 0.2 have the name
        name = name.removesuffix(f"@{suffix}")
    return found | {"condition_asked": condition, "sample_asked": name}


def join_tables(parts: Sequence[tuple[pa.Table, Run, str]]) -> pd.DataFrame:
    """Return the tidy table of some logs, without what only the whole of it tells.

    Args:
        parts: The rows of each log, the run, and the name of the model.
    """
    shared = [{**run_cells(run), "model": model} for _, run, model in parts]
    rows = pa.concat_tables([SCHEMA.empty_table(), *(each for each, _, _ in parts)])
    part = pa.array(np.repeat(np.arange(len(parts)), [len(each) for each, _, _ in parts]))
    joined = {}
    for column in COLUMNS:
        arrow = _TYPES[column.dtype]
        # in one piece, in which pandas finds a row without a search
        if column.name in SCHEMA.names:
            whole = rows.column(column.name).combine_chunks()
        else:
            whole = pa.array([same.get(column.name) for same in shared], arrow).take(part)
        joined[column.name] = pa.chunked_array([whole]).to_pandas(
            types_mapper=lambda _, dtype=column.dtype: pd.api.types.pandas_dtype(dtype)
        )
    return pd.DataFrame(joined, copy=False)
