"""``read_logs``: from Inspect logs to the tidy table."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from vr_evals.analysis.columns import SETTING_COLUMNS
from vr_evals.analysis.files import LogFile, LogPath, check_paths, log_files
from vr_evals.analysis.log_reader import LogReader, unreadable_reason
from vr_evals.analysis.log_table import LogTable, join_tables
from vr_evals.analysis.model_names import model_names
from vr_evals.analysis.moved import moved_column
from vr_evals.analysis.notes import (
    notes_on_items,
    notes_on_rows,
    notes_on_runs,
    notes_on_samples,
)
from vr_evals.analysis.run import Run
from vr_evals.analysis.selection import Candidate, Skipped, choose, repeat_reason

__all__ = ["Progress", "read_logs"]

Progress = Callable[[int, int], None]
"""Called with the steps that are done and those there are."""


def read_logs(
    *paths: LogPath,
    unfinished: bool = False,
    alias: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    cache: bool = True,
    processes: int | None = None,
) -> pd.DataFrame:
    """Read Inspect logs into one tidy table: a row for each item × epoch × task × model.

    The columns are those of ``vr_evals.analysis.COLUMNS``. If a cell was run several times, its
    logs are read together: each sample, by id and epoch, once. A sample that several logs have is
    read from the log with more samples, among equals from the newest; of a run and its retries from
    the last one, of a damaged and an intact copy from the intact one. Runs that differ in a setting
    are different cells. Samples are read from the logs' summaries.

    Args:
        paths: Log files, folders (with all below them), and URLs of either.
        unfinished: Read the others too, as ``complete`` false: samples that ended in an error, and
            those of unfinished runs that no finished run has.
        alias: New names of models. Models that get the same new name are read as one.
        progress: Called as reading goes on.
        cache: Keep what is read of each log in the user's cache folder, and read a log that has
            not changed since from there. The table is the same.
        processes: How many read logs at the same time; by default as many as there are CPUs, but
            1 for few logs, and 1 where processes cannot be forked (macOS, Windows): there, a script
            that asks for more needs ``if __name__ == "__main__":``. The table is the same.

    Returns:
        The table, ordered by cell, log, sample and epoch. Plain values in its ``attrs`` say where
        it comes from: ``logs`` describes the logs used, ``skipped`` names the others with the
        ``reason``, ``notes`` are sentences on what to know before the figures are believed,
        ``left_out`` those of them on samples, rows and items that were left out or joined, and
        ``read`` counts the logs by how their samples were read: from the cache, as JSON, or by
        Inspect.

    Warns:
        CacheWarning: The cache folder cannot be written to.

    Raises:
        InputError: There is no log under a path, paths are not given one by one, or an alias names
            no model or one of another.
    """
    check_paths("read_logs", paths)
    files = log_files(paths)
    with LogReader(files, cache, processes) as reader:
        unread = reader.worth_reading_ahead()
        steps = _Steps(2 * len(files) + len(unread), progress)
        reader.read_ahead(unread, steps.one)
        steps.done = len(unread)  # also if a process died
        read, logs, skipped = _read_all(reader, files, unfinished, alias or {}, steps)
        ways = reader.ways()
    table = join_tables([(one.kept_rows(), one.run, one.model) for one in read])
    table["moved"] = moved_column(table)
    # before the table has attrs, which each step of pandas copies
    on_items, on_rows = notes_on_items(table), notes_on_rows(table)
    left_out = [*notes_on_samples(logs), *on_items]
    table.attrs["logs"] = logs
    table.attrs["skipped"] = [
        {"log": one.log, "reason": one.reason, "repeated": one.repeated} for one in skipped
    ]
    table.attrs["left_out"] = left_out
    table.attrs["notes"] = [*notes_on_runs(logs, skipped), *left_out, *on_rows]
    table.attrs["read"] = ways
    return table


@dataclass
class _ReadLog:
    """What was read of a log.

    Attributes:
        candidate: The run, and whether another has all of its samples.
        model: What its model is called.
        table: Its samples.
        kept: Which of them the tidy table has.
        elsewhere: Which of them it has of a better log of the same cell.
        winner: A run that the table has such a sample of.
    """

    candidate: Candidate
    model: str
    table: LogTable
    kept: np.ndarray = field(init=False)
    elsewhere: np.ndarray = field(init=False)
    winner: Run | None = None

    @property
    def run(self) -> Run:
        """The run."""
        return self.candidate.run

    @property
    def finished(self) -> np.ndarray:
        """Which samples ended and were scored."""
        return self.values("is_finished").astype(bool)

    def values(self, column: str) -> np.ndarray:
        """A column of the samples."""
        found: np.ndarray = self.table.rows.column(column).to_numpy()
        return found

    def kept_rows(self) -> pa.Table:
        """The samples that the tidy table has."""
        rows = self.table.rows
        return rows if self.kept.all() else rows.filter(pa.array(self.kept))

    def as_skipped(self) -> Skipped:
        """Why the table has none of its samples."""
        if self.winner is not None:
            reason = self.candidate.reason or repeat_reason(self.run, self.winner)
            return Skipped(self.run.log, reason, repeated=True)
        count = len(self.table.rows)
        if not count and (left_out := len(self.table.without_item)):
            return Skipped(self.run.log, f"none of its {left_out} samples names its item")
        if not count:
            return Skipped(self.run.log, "it contains no samples")
        failed = count - self.table.rows.column("error").null_count
        return Skipped(
            self.run.log,
            f"none of its {count} samples was finished and scored"
            + (f" ({failed} ended in an error)" if failed else ""),
        )


def _read_all(
    reader: LogReader,
    files: Sequence[LogFile],
    unfinished: bool,
    alias: Mapping[str, str],
    steps: "_Steps",
) -> tuple[list[_ReadLog], list[dict[str, Any]], list[Skipped]]:
    """The logs that the table has rows of, what a report says of them, and the others."""
    runs: list[Run] = []
    skipped: list[Skipped] = []
    for file in files:
        found = reader.read_run(file, counted=unfinished)
        if isinstance(found, Run):
            runs.append(found)
        else:
            skipped.append(found)
        steps.one()
    names = model_names([run for run in runs if run.finished or unfinished], alias)
    selection = choose(runs, unfinished, names)
    skipped += selection.skipped
    steps.done += len(files) - len(selection.candidates)

    used: list[_ReadLog] = []
    logs: list[dict[str, Any]] = []
    for _, candidates in groupby(selection.candidates, key=lambda one: one.cell):
        read = _read_cell(reader, candidates, names, unfinished, skipped, steps)
        skipped += [one.as_skipped() for one in read if not one.kept.any()]
        kept = [one for one in read if one.kept.any()]
        used += kept
        logs += [
            _described(one, [other.run.log for other in kept if other is not one]) for one in kept
        ]
    return used, logs, skipped


def _read_cell(
    reader: LogReader,
    candidates: Iterable[Candidate],
    names: Mapping[str, str],
    unfinished: bool,
    skipped: list[Skipped],
    steps: "_Steps",
) -> list[_ReadLog]:
    """Read the logs of one cell, the best first, and settle which one each sample is read from."""
    read: list[_ReadLog] = []
    whole: set[str] = set()
    for candidate in candidates:
        run, better = candidate.run, candidate.better
        steps.one()
        if better is not None and better.log in whole:
            whole.add(run.log)
            skipped.append(Skipped(run.log, candidate.reason, repeated=True))
            continue
        try:
            table = reader.read_table(run)
        except Exception as error:  # whatever Inspect's readers make of a broken file
            skipped.append(Skipped(run.log, unreadable_reason(error)))
            continue
        read.append(_ReadLog(candidate, names[run.model_key], table))
        if table.without_error >= run.samples:
            whole.add(run.log)
    _settle(read, unfinished)
    return read


def _settle(read: Sequence[_ReadLog], unfinished: bool) -> None:
    """Settle which log each sample is read from: the first that finished it, else the first."""
    for one in read:
        one.kept = one.finished | unfinished
        one.elsewhere = np.zeros(len(one.kept), dtype=bool)
    if len(read) < 2:
        return
    samples = pd.concat(
        [
            pd.DataFrame(
                {name: one.values(name) for name in _IDENTITY} | {"finished": one.finished}
            )
            for one in read
        ],
        keys=range(len(read)),
        names=["place", None],
    ).reset_index("place")
    # a log that a sample may be read from comes before the others, and finished ones before all
    eligible = samples[samples["finished"] | unfinished]
    first = eligible.sort_values("finished", ascending=False, kind="stable")
    winners = first.drop_duplicates(_IDENTITY)[[*_IDENTITY, "place"]]
    found = samples.merge(winners, "left", on=_IDENTITY, suffixes=("", "_won"))
    for place, one in enumerate(read):
        won = found.loc[found["place"] == place, "place_won"].to_numpy()
        one.kept &= won == place
        one.elsewhere = ~np.isnan(won.astype(float)) & (won != place)
        if one.elsewhere.any():
            one.winner = read[int(won[one.elsewhere][0])].run


_IDENTITY = ["condition_asked", "sample_asked", "epoch"]
"""What tells the samples of a cell apart."""


class _Steps:
    """Counts the steps of reading."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self.done = 0
        self._total = total
        self._progress = progress

    def one(self) -> None:
        """Count one, and tell."""
        self.done += 1
        if self._progress:
            self._progress(self.done, self._total)


def _described(read: _ReadLog, others: Sequence[str]) -> dict[str, Any]:
    """What a report says of a log, in plain values."""
    run, finished, asked = read.run, read.finished, read.values("condition_asked")
    elsewhere = set(asked[read.elsewhere]) - set(asked[read.kept])
    conditions = [c for c in run.conditions if c is not None]
    made_up_for = int((read.elsewhere & ~finished).sum())
    errors = len(read.table.rows) - read.table.rows.column("error").null_count
    return {
        "log": run.log,
        "model": read.model,
        "model_name": run.model,
        "model_args": dict(run.model_args),
        "task": run.task,
        "task_id": run.task_id,
        "eval_id": run.eval_id,
        "benchmark": run.benchmark,
        "level": run.level,
        "thinking": run.thinking,
        "conditions": [c for c in conditions if c not in elsewhere],
        "conditions_set_aside": [c for c in conditions if c in elsewhere],
        "status": run.status,
        "created": run.created,
        "samples": int(read.kept.sum()),
        "items": len(set(read.values("item")[read.kept])),
        "joined_with": list(others),
        "samples_elsewhere": int(read.elsewhere.sum()),
        "samples_twice": list(read.table.twice),
        "samples_without_item": list(read.table.without_item),
        "finished_samples": int(finished.sum()) + made_up_for + len(read.table.without_item),
        "expected_samples": run.expected,
        "errors": errors - made_up_for,
        "simulated": run.model.startswith("vr_sim/"),
        "variant": run.variant,
        **{name: run.settings.get(name) for name in _DESCRIBED_SETTINGS},
        **run.facts,
    }


_DESCRIBED_SETTINGS = (
    *SETTING_COLUMNS,
    "max_tokens",
    "option_order",
    "seed",
    "reasoning",
    "thinking_budget",
    "changed_data",
)
