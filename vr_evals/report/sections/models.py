"""Section 9: models compared, two at a time."""

from __future__ import annotations

from typing import Any

import pandas as pd

from vr_evals.report.blocks import Section
from vr_evals.report.charts import by_row
from vr_evals.report.claims import CLEAR, unread_columns
from vr_evals.report.figures import as_percent, panels_of, series_of, symmetric_domain
from vr_evals.report.results import Results
from vr_evals.report.sections.changes import what_was_shown
from vr_evals.report.tables import frame_table, in_words, not_drawn, on_ladder
from vr_evals.report.text import count, interval, p_value, points, shown

__all__ = ["models_section"]

_PANELS = ("benchmark", "model", "versus", "variant")


def models_section(results: Results) -> Section:
    """Differences of accuracy between models on the same items."""
    title = "Models compared"
    frame = results["models"]
    frame = frame[frame["n_items"] > 0] if len(frame) else frame
    if frame.empty:
        why = (
            "Only one model was run."
            if results.rows["model"].nunique() < 2
            else "No two models were asked the same items in the same way, with a right answer."
        )
        return Section("models", title, findings=(why,))
    rows = frame.assign(size=frame["estimate"].abs())
    rows = rows.sort_values(["p_adjusted", "p", "size"], ascending=[True, True, False])
    table = frame_table(
        "Differences of accuracy, the clearest first",
        rows,
        {
            "points [95%]": lambda row: interval(row, points),
            "p": lambda row: p_value(row.p),
            "p (Holm)": lambda row: p_value(row.p_adjusted),
            "items": lambda row: count(row.n_items),
            "unpaired": lambda row: count(row.n_unpaired),
            **unread_columns(),
            "test": lambda row: shown(row.test).replace("_", " "),
        },
        texts=("test",),
    )
    drawn, series = series_of(as_percent(on_ladder(rows[rows["level"].notna()])))
    drawn = drawn.assign(
        row=in_words(drawn["level"], lambda level: f"level {level}"),
        clear=(drawn["p_adjusted"] < CLEAR).fillna(False).astype(bool),
        best=drawn.groupby(list(_PANELS), dropna=False)["p"].transform("min"),
    ).sort_values(["best", *_PANELS, "level"])
    domain = symmetric_domain(drawn)

    def draw(panel: pd.DataFrame) -> Any:
        return by_row(panel, series, x_title="points", domain=domain, reference=0)

    figures = panels_of(
        "models-figure",
        "Difference of accuracy between two models",
        "To the right the first model is more accurate, to the left the second. Only items that "
        "both answered count; bars are 95% intervals. A filled mark is a significant difference "
        f"(p < 0.05 after Holm's correction over all pairs and cells).{not_drawn(rows)}",
        drawn,
        _PANELS,
        draw,
        table,
        series=series,
    )
    return Section(
        "models",
        title,
        findings=(what_was_shown(rows, "difference between two models"),),
        figures=figures,
    )
