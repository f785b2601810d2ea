"""A page on models compared on any Inspect task."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from vr_evals.analysis.compare_logs import (
    ScoredTask,
    check_comparable,
    compare_items,
    compare_tasks,
    measure_name,
)
from vr_evals.formatting import (
    count,
    interval,
    isolated,
    number,
    p_is,
    p_value,
    percent,
    plural,
    points,
    shown,
    signed,
    some_of,
)
from vr_evals.report.blocks import Column, PageWarning, Section, Table
from vr_evals.report.charts import as_percent, chart_of_panels, symmetric_domain
from vr_evals.report.claims import ALPHA
from vr_evals.report.drawing import by_row
from vr_evals.report.page import NEEDS, as_html, check_extra, write_page
from vr_evals.report.tables import TABLE_LIMIT

__all__ = ["render_comparison", "write_comparison"]

_TITLE = "Models compared"
_WHOLE = 1000
"""Characters of a name in a chart, which cuts it where it draws it."""

_FINDINGS = 20
"""Differences that sentences are about; tables have all."""


def write_comparison(
    tasks: Sequence[ScoredTask], path: str | Path, *, title: str | None = None, full: bool = False
) -> None:
    """Write the page on models compared to a file.

    Args:
        tasks: What `vr_evals.analysis.compare_logs.scored_tasks` returns.
        path: A path or URL. An existing file is replaced as a whole.
        title: The page's heading.
        full: Whether everything is unfolded.

    Raises:
        InputError: As for `render_comparison`, or the file cannot be written.
    """
    write_page(render_comparison(tasks, title=title, full=full), path)


def render_comparison(
    tasks: Sequence[ScoredTask], *, title: str | None = None, full: bool = False
) -> str:
    """Render the page on models compared, as `vr_evals.report.render`.

    Args:
        tasks: What `vr_evals.analysis.compare_logs.scored_tasks` returns.
        title: The page's heading.
        full: Whether everything is unfolded.

    Raises:
        InputError: There is nothing to compare, or the extra `report` is not installed.
    """
    check_extra(*NEEDS)
    frame = compare_tasks(tasks)
    check_comparable(frame)
    models, pairs = frame[frame["versus"].isna()], frame[frame["versus"].notna()]
    sections = (
        _answers(pairs),
        _left_out(frame),
        _differences(pairs),
        _estimates(models),
        _items(compare_items(tasks)),
    )
    return as_html(shown(title or _TITLE, 200), sections, full, explained="compared.html")


def _answers(pairs: pd.DataFrame) -> Section:
    """What is significant, in sentences."""
    tested = pairs[pairs["p"].notna()]
    clear = tested[tested["p_adjusted"] < ALPHA].sort_values("p_adjusted", kind="stable")
    verb = "are" if len(clear) > 1 else "is"
    total = (
        f"{some_of(len(clear), len(tested), 'difference').capitalize()} between two models "
        f"{verb} significant (p < 0.05 after Holm's correction over all of them)."
        if len(tested)
        else "No difference could be tested: no two models have enough scored samples."
    )
    sentences = [
        f"{measure_name(row, isolated)}: {isolated(row.model)} minus {isolated(row.versus)} is "
        f"{interval(row, _difference_form(row))}{' points' if row.scale == 'rate' else ''}, "
        f"{p_is(row.p_adjusted)}, over {count(row.n_items)} samples."
        for row in clear.head(_FINDINGS).itertuples()
    ]
    more = len(clear) - len(sentences)
    if more > 0:
        sentences.append(f"{plural(more, 'more significant difference')}: section 3.")
    return Section("answers", "Who is better", findings=(total, *sentences), folded=False)


def _left_out(frame: pd.DataFrame) -> Section:
    """What was not compared, and which samples do not count."""
    refusals, notes = (frame.attrs[name] for name in ("refusals", "notes"))
    warnings = (
        *(PageWarning("serious", shown(text, 1000)) for text in refusals),
        *(PageWarning("caution", shown(text, 1000)) for text in notes),
    )
    findings = () if warnings else ("Nothing was left out.",)
    return Section("left-out", "Left out", findings=findings, warnings=warnings, folded=False)


def _differences(pairs: pd.DataFrame) -> Section:
    ordered = pairs.assign(
        panel=[measure_name(row, str) for row in pairs.itertuples()],
        row=[
            f"{shown(row.model, _WHOLE)}\n− {shown(row.versus, _WHOLE)}"
            for row in pairs.itertuples()
        ],
        series="",
        significant=(pairs["p_adjusted"] < ALPHA).fillna(False).astype(bool),
    )
    table = _table(
        "Differences, model minus versus",
        ordered.sort_values(["p_adjusted", "p"], kind="stable"),
        {
            "score": lambda row: measure_name(row, shown),
            "model": lambda row: shown(row.model),
            "versus": lambda row: shown(row.versus),
        },
        {
            "difference [95%]": lambda row: interval(row, _difference_form(row)),
            "p": lambda row: p_value(row.p),
            "p (Holm)": lambda row: p_value(row.p_adjusted),
            "samples": lambda row: count(row.n_items),
            "clusters": lambda row: count(row.n_clusters),
            "better / worse / equal": lambda row: (
                f"{count(row.n_better)} / {count(row.n_worse)} / {count(row.n_equal)}"
            ),
            "only one side": lambda row: (
                f"{count(row.n_unpaired)} / {count(row.n_unpaired_versus)}"
            ),
            "detectable": lambda row: _estimate_form(row)(row.detectable),
        },
    )
    charts = chart_of_panels(
        "differences",
        "Differences between two models on the same samples",
        "Marks to the right of 0: the first model has the higher score; to the left: the second. "
        "Bars are 95% intervals; filled marks are significant (p < 0.05 after Holm's correction).",
        _in_unit(ordered),
        ("panel",),
        _draw_differences,
        table,
    )
    return Section("differences", "Differences", charts=charts, folded=False)


def _estimates(models: pd.DataFrame) -> Section:
    drawn = models.assign(
        panel=[measure_name(row, str) for row in models.itertuples()],
        row=[shown(row.model, _WHOLE) for row in models.itertuples()],
        series="",
        significant=True,
    )
    table = _table(
        "Estimates by model",
        drawn,
        {
            "score": lambda row: measure_name(row, shown),
            "model": lambda row: shown(row.model),
        },
        {
            "estimate [95%]": lambda row: interval(row, _estimate_form(row)),
            "samples": lambda row: count(row.n_items),
            "epochs": lambda row: count(row.n_samples),
            "errors": lambda row: count(row.n_errors),
            "unscored": lambda row: count(row.n_unscored),
            "missing": lambda row: count(row.n_missing),
        },
    )
    charts = chart_of_panels(
        "estimates",
        "Estimates by model",
        "Each model over all of its own scored samples, with 95% intervals. Overlapping intervals "
        "do not show that two models are equal: look at the paired differences.",
        _in_unit(drawn),
        ("panel",),
        _draw_estimates,
        table,
    )
    return Section("estimates", "Estimates", charts=charts)


def _items(items: pd.DataFrame) -> Section:
    """The samples on which two models differ, the largest differences first."""
    differ = items[items["better"].notna()]
    n = len(items)
    said = f"Two models differ on {some_of(len(differ), n, 'pair', 'pairs')} of scored samples."
    size = differ["difference"].abs()
    table = _table(
        "Samples on which two models differ",
        differ.assign(size=size).sort_values("size", ascending=False, kind="stable"),
        {
            "sample": lambda row: shown(row.item),
            "score": lambda row: measure_name(row, shown),
            "better": lambda row: shown(row.better),
            "model": lambda row: shown(row.model),
            "versus": lambda row: shown(row.versus),
        },
        {
            "value": lambda row: number(row.value),
            "value of versus": lambda row: number(row.value_versus),
        },
    )
    tables = (table,) if table.rows else ()
    return Section("items", "Sample by sample", findings=(said,), tables=tables)


def _table(
    caption: str, frame: pd.DataFrame, names: dict[str, Any], numbers: dict[str, Any]
) -> Table:
    forms = {**names, **numbers}
    return Table(
        caption,
        tuple(Column(heading, heading in numbers) for heading in forms),
        tuple(
            tuple(form(row) for form in forms.values())
            for row in frame.head(TABLE_LIMIT).itertuples()
        ),
        left_out=max(0, len(frame) - TABLE_LIMIT),
    )


def _difference_form(row: Any) -> Any:
    return points if row.scale == "rate" else _signed


def _signed(value: Any) -> str:
    return signed(value, 3)


def _estimate_form(row: Any) -> Any:
    return percent if row.scale == "rate" else number


def _in_unit(frame: pd.DataFrame) -> pd.DataFrame:
    """A frame with its rates in per cent."""
    return pd.concat(
        [as_percent(frame[frame["scale"] == "rate"]), frame[frame["scale"] != "rate"]]
    ).sort_index(kind="stable")


def _draw_differences(panel: pd.DataFrame) -> Any:
    if panel["scale"].iloc[0] == "rate":
        return by_row(panel, [""], x_title="points", domain=symmetric_domain(panel), reference=0)
    ends = 1.05 * float(panel[["estimate", "low", "high"]].abs().max().max()) or 1.0
    return by_row(panel, [""], x_title="difference", domain=(-ends, ends), reference=0)


def _draw_estimates(panel: pd.DataFrame) -> Any:
    if panel["scale"].iloc[0] == "rate":
        return by_row(panel, [""], x_title="%", domain=(0.0, 100.0))
    return by_row(panel, [""], x_title="mean")
