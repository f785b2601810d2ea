"""Section 1: what was run, and warnings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from vr_evals.analysis.files import file_name
from vr_evals.formatting import MISSING, count, listed, plural, shown, thinking_word
from vr_evals.report import warnings_on_design, warnings_on_samples
from vr_evals.report.blocks import Column, PageWarning, Section, Severity, Table
from vr_evals.report.results import Results
from vr_evals.report.tables import TABLE_LIMIT

__all__ = ["overview", "page_warnings"]

_NOTE_LIMIT = 50
_SEVERITIES: tuple[Severity, ...] = ("serious", "caution", "note")


def overview(results: Results) -> Section:
    """Describe what was run, and list the warnings."""
    found = page_warnings(results)
    counts = [
        plural(n, word)
        for severity, word in (("serious", "serious warning"), ("caution", "caution"))
        if (n := sum(warning.severity == severity for warning in found))
    ]
    finding = (
        f"Read first: {' and '.join(counts)} about the results below."
        if counts
        else "The checks of this page found no serious warning and no caution."
    )
    return Section(
        "run",
        "What was run, and warnings",
        findings=(_scope(results), finding),
        facts=tuple(_facts(results)),
        warnings=found,
        tables=_log_table(results.logs),
        notes=tuple(shown(note, 400) for note in results.notes[:_NOTE_LIMIT])
        + _left_out(len(results.notes) - _NOTE_LIMIT),
    )


def page_warnings(results: Results) -> tuple[PageWarning, ...]:
    """Return the warnings about the results, the most serious first."""
    checks = (*warnings_on_samples.CHECKS, *warnings_on_design.CHECKS)
    found = [warning for check in checks for warning in check(results)]
    return tuple(sorted(found, key=lambda warning: _SEVERITIES.index(warning.severity)))


def _scope(results: Results) -> str:
    rows = results.rows
    logs = f" from {plural(len(results.logs), 'log')}" if results.logs else ""
    return (
        f"{plural(rows['model'].nunique(), 'model')} on "
        f"{plural(rows['benchmark'].nunique(), 'benchmark')}: {plural(len(rows), 'sample')}{logs}, "
        f"in {plural(len(results['main']), 'cell')}. A cell is one model on one benchmark, with "
        "one combination of level, thinking, condition and settings."
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
    yield "Dataset", _values(rows["dataset"])
    yield "Subset", _values(rows["subset"])
    yield "Option order", _values(rows["option_order"])
    yield "Temperature", _values(rows["temperature"].astype("string").fillna("not set"))
    yield "Task version", _values(rows["version"])
    dates = sorted(shown(str(log["created"])[:10]) for log in logs if log.get("created"))
    if dates:
        yield "Date", dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}"
    for name, key in (
        ("vr_evals", "vr_evals"),
        ("Inspect", "inspect_ai"),
        ("Data revision", "revision"),
    ):
        versions = {str(log[key]) for log in logs if log.get(key)}
        if versions:
            yield name, listed(shown(each) for each in sorted(versions))
    others = {f"{k} {v}" for log in logs for k, v in (log.get("packages") or {}).items()}
    if others:
        yield "Task packages", listed(shown(each) for each in sorted(others))
    if results.skipped:
        yield "Logs skipped", count(len(results.skipped))


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
        "Logs read",
        tuple(Column(name, name in numbers) for name in columns),
        rows,
        max(0, len(logs) - TABLE_LIMIT),
    )
    return (table,)


def _left_out(n: int) -> tuple[str, ...]:
    return (f"{plural(n, 'more note')}.",) if n > 0 else ()
