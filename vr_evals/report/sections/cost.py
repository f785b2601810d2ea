"""Section 10: tokens and seconds."""

from __future__ import annotations

from typing import Any

import pandas as pd

from vr_evals.analysis.cell import CELL
from vr_evals.report.blocks import Column, Section, Table
from vr_evals.report.charts import by_place
from vr_evals.report.cost import COSTS
from vr_evals.report.figures import panels_of, places_of, series_of
from vr_evals.report.results import Results
from vr_evals.report.tables import TABLE_LIMIT, frame_table, not_drawn, on_ladder
from vr_evals.report.text import count, isolated, listed, number, plural, shown

__all__ = ["cost_section"]

_KEYS = list(CELL)


def cost_section(results: Results) -> Section:
    """What the answers took, by model and by cell."""
    title = "Cost"
    frame = results["cost"]
    known = frame[frame["n_samples"] > 0]
    if known.empty:
        return Section("cost", title, findings=("The logs do not say what the answers took.",))
    by_model = known.pivot_table(
        index="model", columns="metric", values="total", aggfunc="sum", observed=True
    )
    each = _each(known)
    table = frame_table(
        "Tokens and seconds of a sample, on average",
        each,
        {
            "input tokens": lambda row: number(row.input_tokens, 0),
            "output tokens": lambda row: number(row.output_tokens, 0),
            "of these reasoning": lambda row: number(row.reasoning_tokens, 0),
            "seconds": lambda row: number(row.seconds, 2),
        },
    )
    drawn = on_ladder(known[(known["metric"] == "output_tokens") & known["level"].notna()])
    drawn, series = series_of(drawn)
    drawn = drawn.assign(place=drawn["level"], low=drawn["estimate"], high=drawn["estimate"])
    drawn = drawn.sort_values(["benchmark", "model", "variant", "level"])
    top = max(1.0, 1.05 * float(drawn["estimate"].max())) if len(drawn) else 1.0
    places = places_of(drawn)

    def draw(rows: pd.DataFrame) -> Any:
        return by_place(
            rows,
            series,
            x_title="level",
            y_title="output tokens a sample",
            domain=(0, top),
            places=places,
        )

    figures = panels_of(
        "cost-figure",
        "Output tokens of a sample, on average",
        "Level 5 makes two calls. Reasoning is part of it where the provider counts it so."
        + not_drawn(each),
        drawn,
        ("benchmark", "model", "variant"),
        draw,
        table,
        series=series,
    )
    totals = _totals(by_model)
    return Section(
        "cost",
        title,
        findings=(_finding(by_model),),
        figures=figures,
        tables=(totals,),
    )


def _each(known: pd.DataFrame) -> pd.DataFrame:
    """A row for each cell, with the mean of each cost."""
    cells = known[_KEYS].drop_duplicates()
    for metric in COSTS:
        part = known.loc[known["metric"] == metric, [*_KEYS, "estimate"]]
        cells = cells.merge(part.rename(columns={"estimate": metric}), on=_KEYS, how="left")
    return cells


def _finding(by_model: pd.DataFrame) -> str:
    tokens = by_model.get("output_tokens", pd.Series(dtype="float64")).dropna()
    if tokens.empty:
        return "The logs do not say how many tokens the answers took."
    said = listed(
        f"{isolated(model)} {plural(round(total), 'output token')}"
        for model, total in tokens.items()
    )
    unknown = len(by_model) - len(tokens)
    return (
        f"All in all: {said}" + f"; not known of {plural(unknown, 'model')}" * bool(unknown) + "."
    )


def _totals(by_model: pd.DataFrame) -> Table:
    rows = tuple(
        (
            shown(model),
            count(row.get("input_tokens")),
            count(row.get("output_tokens")),
            count(row.get("reasoning_tokens")),
            count(row.get("seconds")),
        )
        for model, row in by_model.head(TABLE_LIMIT).iterrows()
    )
    columns = (
        Column("model"),
        *(
            Column(name, True)
            for name in ("input tokens", "output tokens", "of these reasoning", "seconds")
        ),
    )
    return Table("Totals by model", columns, rows, max(0, len(by_model) - TABLE_LIMIT))
