"""Section 12: tokens and seconds."""

from __future__ import annotations

import pandas as pd

from vr_evals.analysis.cell import CELL
from vr_evals.analysis.cost import COSTS
from vr_evals.formatting import count, isolated, listed, number, plural, shown
from vr_evals.report.blocks import Column, Section, Table
from vr_evals.report.charts import chart_by_level
from vr_evals.report.results import Results
from vr_evals.report.tables import TABLE_LIMIT, frame_table, on_ladder

__all__ = ["cost_section"]

_HEADINGS = {
    "input_tokens": "input tokens",
    "output_tokens": "output tokens",
    "reasoning_tokens": "of these reasoning",
    "seconds": "seconds",
}


def cost_section(results: Results) -> Section:
    """Show tokens and seconds, by model and by cell."""
    title = "Cost"
    frame = results["cost"]
    known = frame[frame["n_samples"] > 0]
    if known.empty:
        return Section("cost", title, findings=("Cost is unknown: the logs do not contain it.",))
    by_model = known.pivot_table(
        index="model", columns="metric", values="total", aggfunc="sum", observed=True
    )
    each = _mean_costs(known)
    tokens = each.assign(**dict.fromkeys(("estimate", "low", "high"), each["output_tokens"]))
    drawn = on_ladder(tokens[tokens["level"].notna()])["estimate"]
    charts = chart_by_level(
        "cost-level",
        "Mean output tokens per sample",
        "Level 5 makes two calls. Reasoning is included if the provider counts it as output.",
        tokens,
        frame_table(
            "Mean tokens and seconds per sample",
            each,
            {
                "input tokens": lambda row: number(row.input_tokens, 0),
                "output tokens": lambda row: number(row.output_tokens, 0),
                "of these reasoning": lambda row: number(row.reasoning_tokens, 0),
                "seconds": lambda row: number(row.seconds, 2),
            },
        ),
        y_title="output tokens per sample",
        domain=(0, max(1.0, 1.05 * float(drawn.max())) if drawn.notna().any() else 1.0),
    )
    return Section(
        "cost", title, findings=(_finding(by_model),), charts=charts, tables=(_totals(by_model),)
    )


def _mean_costs(known: pd.DataFrame) -> pd.DataFrame:
    """A row per cell, with the mean of each cost."""
    keys = list(CELL)
    cells = known[keys].drop_duplicates()
    for metric in COSTS:
        part = known.loc[known["metric"] == metric, [*keys, "estimate"]]
        cells = cells.merge(part.rename(columns={"estimate": metric}), on=keys, how="left")
    return cells


def _finding(by_model: pd.DataFrame) -> str:
    tokens = by_model.get("output_tokens", pd.Series(dtype="float64")).dropna()
    if tokens.empty:
        return "Tokens are unknown: the logs do not contain them."
    totals = listed(
        f"{isolated(model)} {plural(round(total), 'output token')}"
        for model, total in tokens.items()
    )
    unknown = len(by_model) - len(tokens)
    return f"Total: {totals}" + f"; unknown for {plural(unknown, 'model')}" * bool(unknown) + "."


def _totals(by_model: pd.DataFrame) -> Table:
    rows = tuple(
        (shown(model), *(count(row.get(metric)) for metric in COSTS))
        for model, row in by_model.head(TABLE_LIMIT).iterrows()
    )
    columns = (Column("model"), *(Column(_HEADINGS[metric], True) for metric in COSTS))
    return Table("Totals by model", columns, rows, max(0, len(by_model) - TABLE_LIMIT))
