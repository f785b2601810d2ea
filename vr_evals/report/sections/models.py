"""Section 11: models compared, two at a time."""

from __future__ import annotations

from vr_evals.formatting import count, interval, p_value, points, shown
from vr_evals.report.blocks import Section
from vr_evals.report.charts import differences_by_level
from vr_evals.report.claims import summary_of_tests, unread_columns
from vr_evals.report.results import Results
from vr_evals.report.tables import frame_table

__all__ = ["models_section"]

_PANELS = ("benchmark", "model", "versus", "variant")


def models_section(results: Results) -> Section:
    """Show differences of accuracy between models on the same items."""
    title = "Models compared"
    frame = results["models"]
    frame = frame[frame["n_items"] > 0] if len(frame) else frame
    if frame.empty:
        why = (
            "No comparison: only one model was run."
            if results.rows["model"].nunique() < 2
            else "No comparison: no two models have answers to the same items with a right answer, "
            "under the same settings."
        )
        return Section("models", title, findings=(why,))
    rows = frame.assign(size=frame["estimate"].abs())
    rows = rows.sort_values(["p_adjusted", "p", "size"], ascending=[True, True, False])
    table = frame_table(
        "Accuracy of the model minus accuracy of “versus”, smallest p first",
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
    charts = differences_by_level(
        "models-level",
        "Difference of accuracy between two models",
        "Marks to the right of 0: the first model is more accurate; to the left: the second. Only "
        "items that both answered count; bars are the 95% intervals. Filled marks are significant "
        "(p < 0.05 after Holm's correction over all pairs and cells).",
        rows,
        table,
        by=_PANELS,
        order="p",
    )
    return Section(
        "models",
        title,
        findings=(summary_of_tests(rows, "difference between two models"),),
        charts=charts,
    )
