"""Section 1: what was run, and what to distrust."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from vr_evals.analysis.files import file_name
from vr_evals.report.blocks import Column, Section, Table
from vr_evals.report.distrust import doubts
from vr_evals.report.results import Results
from vr_evals.report.tables import TABLE_LIMIT
from vr_evals.report.text import MISSING, count, listed, plural, shown, thinking_word

__all__ = ["overview"]

_NOTE_LIMIT = 50


def overview(results: Results) -> Section:
    """What was run, and what to distrust."""
    found = doubts(results)
    serious = sum(doubt.severity == "serious" for doubt in found)
    cautions = sum(doubt.severity == "caution" for doubt in found)
    reasons = " and ".join(
        plural(n, reason)
        for n, reason in ((serious, "serious reason"), (cautions, "further reason"))
        if n
    )
    finding = (
        f"There {'is' if (serious or cautions) == 1 else 'are'} {reasons} to distrust figures "
        "below; read them first."
        if reasons
        else "The checks of this page found no reason to distrust the figures below."
    )
    return Section(
        "run",
        "What was run, and what to distrust",
        findings=(_in_a_sentence(results), finding),
        facts=tuple(_facts(results)),
        doubts=found,
        tables=_log_table(results.logs),
        notes=tuple(shown(note, 400) for note in results.notes[:_NOTE_LIMIT])
        + _left_out(len(results.notes) - _NOTE_LIMIT),
    )


def _in_a_sentence(results: Results) -> str:
    rows = results.rows
    logs = f" of {plural(len(results.logs), 'log')}" if results.logs else ""
    return (
        f"{plural(rows['model'].nunique(), 'model')} on "
        f"{plural(rows['benchmark'].nunique(), 'benchmark')}: {plural(len(rows), 'sample')}{logs}, "
        f"in {plural(len(results['main']), 'cell')} (a cell is one model on one benchmark, at one "
        "level, in one condition, with one choice of settings)."
    )


def _facts(results: Results) -> Iterable[tuple[str, str]]:
    rows, logs = results.rows, results.logs
    by_benchmark = rows.groupby("benchmark")["item"].nunique()
    yield "Models", _values(rows["model"], 20)
    yield (
        "Benchmarks",
        listed(f"{shown(name)} ({plural(n, 'item')})" for name, n in by_benchmark.items()),
    )
    if rows["level"].notna().any():
        yield "Levels", _values(rows["level"])
    yield "Thinking", listed(sorted({thinking_word(value) for value in rows["thinking"].unique()}))
    if rows["condition"].notna().any():
        yield "Conditions", _values(rows["condition"].str.replace("_", " "))
    yield "Epochs", _epochs(rows["epoch"])
    yield "Items from", _values(rows["dataset"])
    yield "Subsets", _values(rows["subset"])
    yield "Order of options", _values(rows["option_order"])
    yield "Temperature", _values(rows["temperature"].astype("string").fillna("not set"))
    yield "Task version", _values(rows["version"])
    dates = sorted(shown(str(log["created"])[:10]) for log in logs if log.get("created"))
    if dates:
        yield "Run", dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}"
    for name, key in (("vr_evals", "vr_evals"), ("Inspect", "inspect_ai"), ("Data", "revision")):
        versions = {str(log[key]) for log in logs if log.get(key)}
        if versions:
            yield name, listed(shown(each) for each in sorted(versions))
    others = {f"{k} {v}" for log in logs for k, v in (log.get("packages") or {}).items()}
    if others:
        yield "Tasks of", listed(shown(each) for each in sorted(others))
    if results.skipped:
        yield "Logs not read", count(len(results.skipped))


def _epochs(epochs: pd.Series[Any]) -> str:
    if not epochs.notna().any():
        return MISSING
    most = int(epochs.max())
    return "1" if most == 1 else f"up to {most}"


def _values(column: pd.Series[Any], limit: int = 8) -> str:
    return listed((shown(value) for value in sorted(column.dropna().unique())), limit) or MISSING


def _log_table(logs: list[dict[str, Any]]) -> tuple[Table, ...]:
    if not logs:
        return ()
    columns = ("model", "task", "samples", "epochs", "errors", "log")
    numbers = ("samples", "epochs", "errors")
    rows = tuple(
        (
            shown(log.get("model")),
            shown(log.get("task")),
            count(log.get("samples")),
            count(log.get("epochs")),
            count(log.get("errors")),
            shown(file_name(str(log.get("log"))), 120),
        )
        for log in logs[:TABLE_LIMIT]
    )
    table = Table(
        "The logs that were read",
        tuple(Column(name, name in numbers) for name in columns),
        rows,
        max(0, len(logs) - TABLE_LIMIT),
    )
    return (table,)


def _left_out(n: int) -> tuple[str, ...]:
    return (f"{plural(n, 'more note')}.",) if n > 0 else ()
