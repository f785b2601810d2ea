"""``read_logs``: from Inspect logs to the tidy table."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd
from inspect_ai.log import EvalSampleSummary, read_eval_log_sample_summaries

from vr_evals.analysis.columns import COLUMNS
from vr_evals.analysis.files import LogPath, log_files
from vr_evals.analysis.model_names import model_names
from vr_evals.analysis.notes import notes_on_rows, notes_on_runs
from vr_evals.analysis.rows import is_finished, run_cells, sample_cells
from vr_evals.analysis.run import Run
from vr_evals.analysis.selection import Skipped, Used, select_logs, unreadable

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

    The columns are those of ``vr_evals.analysis.COLUMNS``. A cell that was run several times is
    read once: of a run and its retries the last one, of other repeated runs the one that holds more
    samples, the newest among equals. Runs that differ in a setting are no repetitions. Logs are
    chosen by their headers, and samples read from their summaries.

    Args:
        paths: Log files, folders (with all below them), and URLs of either.
        unfinished: Read the others too, as ``complete`` false: samples that ended in an error, and
            those of unfinished runs that no finished run replaces.
        alias: New names of models.
        progress: Called as reading goes on.

    Returns:
        The table, ordered by cell, sample and epoch. Plain values in its ``attrs`` say where it
        comes from: ``logs`` describes the logs used, ``skipped`` names the others with the
        ``reason``, and ``notes`` are sentences on what to know before the figures are believed.

    Raises:
        InputError: There is no log under a path, an alias names no model, or it joins two.
    """
    files = log_files(paths)
    steps = _Steps(2 * len(files), progress)
    selection = select_logs(files, unfinished, steps.one)
    steps.done += len(files) - len(selection.used)
    names = model_names([used.run for used in selection.used], alias or {})

    parts: list[dict[str, pd.Series]] = []
    logs: list[dict[str, Any]] = []
    skipped = list(selection.skipped)
    for used in selection.used:
        try:
            samples = read_eval_log_sample_summaries(used.run.log)
        except Exception as error:  # whatever Inspect's readers make of a broken file
            skipped.append(Skipped(used.run.log, unreadable(error)))
        else:
            kept = _kept(samples, used, unfinished)
            model = names[used.run.model_key]
            parts.append(_columns(kept, used.run, model))
            logs.append(_described(used, model, samples, kept))
        steps.one()

    table = _joined(parts)
    # before the table has attrs, which each step of pandas copies
    on_rows = notes_on_rows(table)
    table.attrs["logs"] = logs
    table.attrs["skipped"] = [
        {"log": one.log, "reason": one.reason, "repeated": one.repeated} for one in skipped
    ]
    table.attrs["notes"] = [
        *notes_on_runs(logs, skipped),
        *on_rows,
    ]
    return table


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


def _kept(
    samples: Iterable[EvalSampleSummary], used: Used, unfinished: bool
) -> list[EvalSampleSummary]:
    """The samples that the table wants of a log, in an order that does not depend on the run."""
    every = used.conditions == set(used.run.conditions)
    kept = [
        sample
        for sample in samples
        if (unfinished or is_finished(sample))
        and (every or sample.metadata.get("condition") in used.conditions)
    ]
    return sorted(kept, key=lambda sample: (str(sample.id), sample.epoch))


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


def _described(
    used: Used, model: str, samples: Sequence[EvalSampleSummary], kept: Sequence[EvalSampleSummary]
) -> dict[str, Any]:
    """What a report says of a log, in plain values."""
    run = used.run
    conditions = [c for c in run.conditions if c is not None]
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
        "conditions": [c for c in conditions if c in used.conditions],
        "conditions_set_aside": [c for c in conditions if c not in used.conditions],
        "status": run.status,
        "created": run.created,
        "samples": len(kept),
        "items": len({(sample.metadata or {}).get("item", sample.id) for sample in kept}),
        "finished_samples": sum(map(is_finished, samples)),
        "expected_samples": run.expected,
        "errors": sum(sample.error is not None for sample in samples),
        "simulated": run.model.startswith("vr_sim/"),
        "variant": run.variant,
        **{name: run.settings.get(name) for name in _SETTINGS},
        **run.facts,
    }


_SETTINGS = (
    "version",
    "dataset",
    "subset",
    "temperature",
    "max_tokens",
    "include_confidence",
    "second_pass",
    "option_order",
    "seed",
    "reasoning",
    "thinking_budget",
)
