"""A part of section 4: which wrong options are chosen, where options have kinds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from vr_evals.analysis.cell import CELL
from vr_evals.conditions import TREATMENTS
from vr_evals.formatting import count, interval, isolated, percent, shown, some_of
from vr_evals.option_kinds import ERROR_KINDS
from vr_evals.report.blocks import Chart, Table
from vr_evals.report.charts import PANELS, as_percent, axis_end, chart_by_level
from vr_evals.report.claims import range_of
from vr_evals.report.results import Results
from vr_evals.report.tables import frame_table, in_words

__all__ = ["error_kind_charts", "error_kind_findings"]

_AT_RANDOM = 1 / len(ERROR_KINDS)


def error_kind_findings(results: Results) -> Iterator[str]:
    """Yield sentences on the kinds of wrong answers without a cue, by benchmark."""
    frame = _of_errors(results)
    for benchmark, rows in frame.groupby("benchmark") if len(frame) else ():
        rows = rows[~rows["condition"].isin(TREATMENTS).fillna(False)]
        surface = rows[rows["kind"] == "surface"]
        if surface.empty:
            continue
        reference = surface["reference"].iloc[0]
        yield (
            f"Of the wrong answers on {isolated(benchmark)}, the share of surface-level ones is "
            f"{range_of(surface, 'model', 'level', 'thinking', 'condition')}. If wrong "
            f"options were chosen at random, it would be {percent(reference, 0)}. By 95% "
            f"intervals, {_counted(surface)}. Surface-level answers share characters or their "
            "traits with the fable, but not its meaning."
        )
        kinds = rows[rows["kind"].isin(ERROR_KINDS)]
        away = (kinds["low"] > kinds["reference"]) | (kinds["high"] < kinds["reference"])
        yield (
            f"The 95% interval excludes {percent(_AT_RANDOM, 0)}, the share of each kind at "
            f"random, for {int(away.sum())} of the {len(kinds)} combinations of kind and cell (5% "
            "expected by chance)."
        )


def error_kind_charts(results: Results) -> tuple[Chart, ...]:
    """Chart the share of each kind among wrong answers, by level; nothing if there are no kinds."""
    frame = _of_errors(results)
    if frame.empty:
        return ()
    kinds = as_percent(frame[frame["kind"].isin(ERROR_KINDS)])
    kinds = kinds.assign(series=in_words(kinds["kind"], _words))
    return chart_by_level(
        "error-kind-level",
        "Kinds of wrong answers by level",
        "Marks are shares of the wrong answers, bars the 95% intervals over items. The dashed line "
        "is what choosing among the wrong options at random would give. Similar characters, based "
        "on adjectives and injected adjectives are surface-level, partial story is an incomplete "
        "reading. With few wrong answers, intervals are wide.",
        kinds,
        _table(results, frame),
        y_title="of wrong answers, %",
        domain=(0, axis_end(kinds["high"])),
        by=(*PANELS, "thinking"),
        series=tuple(map(_words, ERROR_KINDS)),
        reference=lambda benchmark: 100 * _AT_RANDOM,
    )


def _of_errors(results: Results) -> pd.DataFrame:
    """The shares of wrong answers in cells that have any."""
    frame = results["error_kind"]
    if frame.empty:
        return frame
    return frame[(frame["metric"] == "share_of_errors") & (frame["n_samples"] > 0)]


def _table(results: Results, errors: pd.DataFrame) -> Table:
    frame = results["error_kind"]
    of_read = {_key(row): row for row in frame[frame["metric"] == "share"].itertuples(index=False)}
    return frame_table(
        "Kinds of wrong answers by cell",
        errors,
        {
            "kind": lambda row: _words(row.kind),
            "of wrong answers [95%]": interval,
            "at random": lambda row: percent(row.reference, 0),
            "wrong answers": lambda row: count(row.n_samples),
            "of read answers [95%]": lambda row: interval(of_read[_key(row)]),
            "read answers": lambda row: count(of_read[_key(row)].n_samples),
            "items": lambda row: count(of_read[_key(row)].n_items),
        },
        texts=("kind",),
    )


def _key(row: Any) -> tuple[str, ...]:
    return tuple(str(getattr(row, name)) for name in (*CELL, "kind"))


def _words(kind: str) -> str:
    return shown(kind).replace("_", " ")


def _counted(rows: pd.DataFrame) -> str:
    """How many cells are above or below the reference."""
    above = int((rows["low"] > rows["reference"]).sum())
    below = int((rows["high"] < rows["reference"]).sum())
    return (
        f"{some_of(above, len(rows), 'cell')} {'is' if above < 2 else 'are'} above "
        f"it, and {below or 'none'} below"
    )
