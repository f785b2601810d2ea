"""A part of section 9: confidence in the document's words, and shares in its expected bands."""

from __future__ import annotations

from typing import Any

import pandas as pd

from vr_evals.formatting import count, interval, shown
from vr_evals.report.blocks import Chart
from vr_evals.report.charts import PANELS, as_percent, chart_by_level, chart_of_panels, places
from vr_evals.report.drawing import stacked_by_place
from vr_evals.report.results import Results
from vr_evals.report.tables import frame_table, in_words, on_ladder

__all__ = ["category_charts", "in_band_charts"]

_CATEGORIES = {
    "very_low": "very low (0–20)",
    "low": "low (to 40)",
    "moderate": "moderate (to 60)",
    "high": "high (to 80)",
    "very_high": "very high (to 100)",
}
_BANDS = {
    "in_band_low_ambiguity": "low ambiguity, 70–100",
    "in_band_high_ambiguity": "high ambiguity, 20–60",
}


def category_charts(results: Results) -> tuple[Chart, ...]:
    """Chart the categories of stated confidences by level; nothing if none was stated."""
    frame = results["confidence_category"]
    if frame.empty:
        return ()
    series = tuple(_CATEGORIES.values())
    drawn = as_percent(on_ladder(frame))
    drawn = drawn.assign(
        series=in_words(drawn["category"], lambda name: _CATEGORIES[name]), place=drawn["level"]
    ).sort_values([*PANELS, "thinking", "level"], kind="stable")
    levels = places(drawn)

    def draw(panel: pd.DataFrame) -> Any:
        return stacked_by_place(
            panel, series, x_title="level", y_title="of stated confidences, %", places=levels
        )

    return chart_of_panels(
        "confidence-category",
        "Categories of stated confidence by level",
        "Bars are shares of the stated confidences, very low at the bottom; intervals over items "
        "are in the table. The categories are those of the prompts' source document.",
        drawn,
        (*PANELS, "thinking"),
        draw,
        frame_table(
            "Categories of stated confidence by cell",
            frame,
            {
                "category": lambda row: shown(_CATEGORIES.get(row.category, row.category)),
                "share [95%]": interval,
                "items": lambda row: count(row.n_items),
                "confidences": lambda row: count(row.n_samples),
            },
            texts=("category",),
        ),
        series=series,
    )


def in_band_charts(results: Results) -> tuple[Chart, ...]:
    """Chart the shares of confidences in the expected band, by level; nothing without dilemmas."""
    frame = results["ambiguity"]
    if frame.empty:
        return ()
    frame = frame[frame["metric"].isin(_BANDS) & (frame["n_samples"] > 0)]
    drawn = as_percent(on_ladder(frame))
    drawn = drawn.assign(series=in_words(drawn["metric"], lambda metric: _BANDS[metric]))
    if drawn.empty:
        return ()
    return chart_by_level(
        "in-band-level",
        "Confidences in the expected band by level",
        "Marks are shares of the stated confidences that are in the band that the source document "
        "of the prompts expects at that ambiguity, bars the 95% intervals over items.",
        drawn,
        frame_table(
            "Shares in the expected band by cell",
            frame,
            {
                "band": lambda row: _BANDS[row.metric],
                "share [95%]": interval,
                "items": lambda row: count(row.n_items),
                "confidences": lambda row: count(row.n_samples),
            },
            texts=("band",),
        ),
        y_title="of confidences, %",
        domain=(0, 100),
        by=(*PANELS, "thinking"),
        series=tuple(_BANDS.values()),
    )
