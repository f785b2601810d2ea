"""Sections on what to distrust, and on what was run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

import pandas as pd

from vr_evals.analysis.files import file_name
from vr_evals.analysis.outcomes import Question
from vr_evals.formatting import MISSING, count, listed, plural, shown, thinking_word
from vr_evals.report import warnings_on_design, warnings_on_samples
from vr_evals.report.blocks import EVERY_ANSWER, Column, PageWarning, Section, Severity, Table
from vr_evals.report.results import Results
from vr_evals.report.tables import TABLE_LIMIT, imported_from

__all__ = ["distrust_section", "overview", "page_warnings"]

_NOTE_LIMIT = 50
_QUESTIONS = get_args(Question)
_SEVERITIES: tuple[Severity, ...] = ("serious", "caution", "note")


def distrust_section(results: Results) -> Section:
    """List the warnings, those of most weight first, each with what it touches."""
    found = page_warnings(results)
    counts = [
        plural(n, word)
        for severity, word in (("serious", "serious warning"), ("caution", "caution"))
        if (n := sum(warning.severity == severity for warning in found))
    ]
    finding = (
        f"{' and '.join(counts)} about the results, in order of weight."
        if counts
        else "The checks of this page found no serious warning and no caution."
    )
    return Section(
        "distrust", "What to distrust", findings=(finding,), warnings=found, folded=False
    )


def overview(results: Results) -> Section:
    """Describe what was run."""
    return Section(
        "run",
        "What was run",
        findings=(_scope(results),),
        facts=tuple(_facts(results)),
        tables=_log_table(results.logs),
        notes=tuple(shown(note, 400) for note in results.notes[:_NOTE_LIMIT])
        + _left_out(len(results.notes) - _NOTE_LIMIT),
    )


def page_warnings(results: Results) -> tuple[PageWarning, ...]:
    """Return the warnings about the results: the most serious first, then what touches most."""
    checks = (*warnings_on_samples.CHECKS, *warnings_on_design.CHECKS)
    found = [warning for check in checks for warning in check(results)]
    return tuple(sorted(found, key=_weight))


def _weight(warning: PageWarning) -> tuple[int, int]:
    """The place of a warning: by its severity, then by how much it touches."""
    n_touched = len(_QUESTIONS) if warning.touches == EVERY_ANSWER else len(warning.touches)
    return _SEVERITIES.index(warning.severity), -n_touched


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
    imported = {imported_from(log["imported"]) for log in logs if log.get("imported")}
    if imported:
        yield "Imported from", listed(sorted(imported), 8)
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
