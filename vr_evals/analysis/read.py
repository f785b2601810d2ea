"""``read_logs``: from Inspect logs to the tidy table."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import pandas as pd
from inspect_ai.log import EvalSampleSummary, read_eval_log_sample_summaries

from vr_evals.analysis.columns import COLUMNS, SETTING_COLUMNS
from vr_evals.analysis.files import LogPath, log_files
from vr_evals.analysis.model_names import model_names
from vr_evals.analysis.moved import moved_column
from vr_evals.analysis.notes import (
    notes_on_items,
    notes_on_rows,
    notes_on_runs,
    notes_on_samples,
)
from vr_evals.analysis.rows import is_finished, run_cells, sample_cells
from vr_evals.analysis.run import Run
from vr_evals.analysis.selection import (
    Candidate,
    Skipped,
    choose,
    read_headers,
    repeat_reason,
    unreadable_reason,
)
from vr_evals.conditions import SUFFIXES

__all__ = ["Progress", "read_logs"]

Progress = Callable[[int, int], None]
"""Called with the steps that are done and those there are."""


def read_logs(
    *paths: LogPath,
    unfinished: bool = False,
    alias: Mapping[str, str] | None = None,
    progress: Progress | None = None,
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

    Returns:
        The table, ordered by cell, log, sample and epoch. Plain values in its ``attrs`` say where
        it comes from: ``logs`` describes the logs used, ``skipped`` names the others with the
        ``reason``, ``notes`` are sentences on what to know before the figures are believed, and
        ``left_out`` those of them on samples, rows and items that were left out or joined.

    Raises:
        InputError: There is no log under a path, or an alias names no model or one of another.
    """
    files = log_files(paths)
    steps = _Steps(2 * len(files), progress)
    runs, skipped = read_headers(files, unfinished, steps.one)
    names = model_names([run for run in runs if run.finished or unfinished], alias or {})
    selection = choose(runs, unfinished, names)
    skipped += selection.skipped
    steps.done += len(files) - len(selection.candidates)

    parts: list[dict[str, pd.Series]] = []
    logs: list[dict[str, Any]] = []
    for _, candidates in groupby(selection.candidates, key=lambda one: one.cell):
        read = _read_cell(candidates, unfinished, skipped, steps)
        joined_logs = [one.run.log for one in read if one.kept]
        for one in read:
            if not one.kept:
                skipped.append(one.as_skipped())
                continue
            model = names[one.run.model_key]
            parts.append(_columns(one.kept, one.run, model))
            others = [log for log in joined_logs if log != one.run.log]
            logs.append(_described(one, model, others))

    table = _joined(parts)
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
    return table


@dataclass
class _ReadLog:
    """What was read of a log.

    Attributes:
        candidate: The run, and whether another has all of its samples.
        samples: Its samples, each once, in an order that does not depend on the run.
        twice: Names of those that are in it more than once.
        kept: Those that the table has.
        elsewhere: Those that it has of a better log of the same cell.
        winner: A run that the table has such a sample of.
    """

    candidate: Candidate
    samples: list[EvalSampleSummary]
    twice: list[str]
    kept: list[EvalSampleSummary] = field(default_factory=list)
    elsewhere: list[EvalSampleSummary] = field(default_factory=list)
    winner: Run | None = None

    @property
    def run(self) -> Run:
        """The run."""
        return self.candidate.run

    def as_skipped(self) -> Skipped:
        """Why the table has none of its samples."""
        if self.winner is not None:
            reason = self.candidate.reason or repeat_reason(self.run, self.winner)
            return Skipped(self.run.log, reason, repeated=True)
        if not self.samples:
            return Skipped(self.run.log, "it contains no samples")
        failed = sum(sample.error is not None for sample in self.samples)
        return Skipped(
            self.run.log,
            f"none of its {len(self.samples)} samples was finished and scored"
            + (f" ({failed} ended in an error)" if failed else ""),
        )


def _read_cell(
    candidates: Iterable[Candidate], unfinished: bool, skipped: list[Skipped], steps: "_Steps"
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
            samples = read_eval_log_sample_summaries(run.log)
        except Exception as error:  # whatever Inspect's readers make of a broken file
            skipped.append(Skipped(run.log, unreadable_reason(error)))
            continue
        read.append(_ReadLog(candidate, *_once_each(samples)))
        if sum(sample.error is None for sample in samples) >= run.samples:
            whole.add(run.log)
    _settle(read, unfinished)
    return read


def _once_each(
    samples: Iterable[EvalSampleSummary],
) -> tuple[list[EvalSampleSummary], list[str]]:
    """The samples of a log by id and epoch, and the names of those that are there more than once.

    Of these the last that was finished is taken.
    """
    found: dict[tuple[str, int], EvalSampleSummary] = {}
    twice: dict[str, None] = {}
    for sample in samples:
        key = (str(sample.id), sample.epoch)
        if key in found:
            twice[f"{sample.id}, epoch {sample.epoch}"] = None
        found[key] = max(found.get(key, sample), sample, key=_last_finished)
    return [found[key] for key in sorted(found)], list(twice)


def _last_finished(sample: EvalSampleSummary) -> tuple[bool, str, str]:
    return (is_finished(sample), sample.completed_at or "", sample.uuid or "")


def _settle(read: Sequence[_ReadLog], unfinished: bool) -> None:
    """Settle which log each sample is read from: the first that finished it, else the first."""
    winners: dict[tuple[Any, ...], _ReadLog] = {}
    for finished in (True, False) if unfinished else (True,):
        for one in read:
            for sample in one.samples:
                if is_finished(sample) or not finished:
                    winners.setdefault(_asked_as(sample, one.run), one)
    for one in read:
        for sample in one.samples:
            winner = winners.get(_asked_as(sample, one.run))
            if winner is one and (unfinished or is_finished(sample)):
                one.kept.append(sample)
            elif winner is not None and winner is not one:
                one.elsewhere.append(sample)
                one.winner = one.winner or winner.run


def _asked_as(sample: EvalSampleSummary, run: Run) -> tuple[Any, ...]:
    """Tells samples of a cell apart, whether conditions were run alone or together."""
    if run.conditions == (None,):
        return (None, str(sample.id), sample.epoch)
    condition, name = str(sample.metadata.get("condition")), str(sample.id)
    for suffix in (condition, SUFFIXES.get(condition, condition)):  # logs before 0.2 have the name
        name = name.removesuffix(f"@{suffix}")
    return (condition, name, sample.epoch)


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


def _columns(samples: Sequence[EvalSampleSummary], run: Run, model: str) -> dict[str, pd.Series]:
    """The columns of one log's samples."""
    shared = {**run_cells(run), "model": model}
    cells = [sample_cells(sample, run) for sample in samples]
    return {
        column.name: pd.Series(
            [shared[column.name]] * len(cells)
            if column.name in shared
            else [cell[column.name] for cell in cells],
            dtype=column.dtype,
        )
        for column in COLUMNS
    }


def _joined(parts: Sequence[dict[str, pd.Series]]) -> pd.DataFrame:
    """One table; parts give up a column as soon as it is joined, so that no two copies are held."""
    joined = {}
    for column in COLUMNS:
        pieces = [part.pop(column.name) for part in parts]
        joined[column.name] = (
            pd.concat(pieces, ignore_index=True) if pieces else pd.Series([], dtype=column.dtype)
        )
    return pd.DataFrame(joined, copy=False)


def _described(read: _ReadLog, model: str, others: Sequence[str]) -> dict[str, Any]:
    """What a report says of a log, in plain values."""
    run, kept = read.run, read.kept
    used = {sample.metadata.get("condition") for sample in kept}
    elsewhere = {sample.metadata.get("condition") for sample in read.elsewhere} - used
    conditions = [c for c in run.conditions if c is not None]
    finished = sum(map(is_finished, read.samples))
    made_up_for = sum(not is_finished(sample) for sample in read.elsewhere)
    return {
        "log": run.log,
        "model": model,
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
        "samples": len(kept),
        "items": len({(sample.metadata or {}).get("item", sample.id) for sample in kept}),
        "joined_with": list(others),
        "samples_elsewhere": len(read.elsewhere),
        "samples_twice": list(read.twice),
        "finished_samples": finished + made_up_for,
        "expected_samples": run.expected,
        "errors": sum(sample.error is not None for sample in read.samples) - made_up_for,
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
