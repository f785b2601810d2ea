"""Figures with a row for each condition, such as those of the authority paradigm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from vr_evals.conditions import AUTHORITY_CONDITIONS
from vr_evals.report.blocks import Figure, Table
from vr_evals.report.charts import by_row
from vr_evals.report.figures import as_percent, panels_of, series_of
from vr_evals.report.tables import by_condition, in_words
from vr_evals.report.text import shown

__all__ = ["CUES", "figure_by_condition", "in_order"]

CUES = tuple(condition.name for condition in AUTHORITY_CONDITIONS if condition.strength)
"""Conditions under which an authority endorses an option."""

_PANELS = ("benchmark", "model", "level", "variant")
_NAME_LIMIT = 24


def figure_by_condition(
    anchor: str,
    title: str,
    reading: str,
    frame: pd.DataFrame,
    table: Table,
    *,
    x_title: str,
    domain: tuple[float, float],
    reference: Callable[[str], float | None] | None = None,
    band: tuple[str, str] | None = None,
    folded: bool = False,
) -> tuple[Figure, ...]:
    """A figure with a panel for each benchmark and model, and in it a row for each condition.

    Args:
        anchor: Its address within the page.
        title: What it shows.
        reading: How to read it.
        frame: Rows under a condition, whose figures are rates.
        table: The numbers behind it.
        x_title: What is shown, with its unit.
        domain: Ends of the axis, in per cent.
        reference: Where a dashed line lies, by benchmark.
        band: The metric whose intervals are grey bars behind the marks, and what they are.
        folded: Whether a reader has to open it.
    """
    drawn, series = series_of(as_percent(in_order(frame)))
    drawn = drawn.assign(
        row=in_words(drawn["condition"], lambda name: shown(name, _NAME_LIMIT).replace("_", " ")),
        clear=True,
    )

    def draw(panel: pd.DataFrame) -> Any:
        is_band = panel["metric"] == band[0] if band else pd.Series(False, index=panel.index)
        return by_row(
            panel[~is_band],
            series,
            x_title=x_title,
            domain=domain,
            reference=reference(str(panel["benchmark"].iloc[0])) if reference else None,
            band=panel[is_band] if band else None,
        )

    words = band[1] if band else None
    return panels_of(
        anchor,
        title,
        reading,
        drawn,
        _PANELS,
        draw,
        table,
        series=series,
        band=words,
        folded=folded,
    )


def in_order(frame: pd.DataFrame) -> pd.DataFrame:
    """A frame by panel and then by condition: control, help and harm of each strength, others."""
    return by_condition(frame, *_PANELS)
