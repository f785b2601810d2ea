"""Figures of several panels: the same chart for each model, benchmark or pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from vr_evals.report.blocks import Figure, Panel, Table
from vr_evals.report.charts import legend, to_svg
from vr_evals.report.svg import dressed
from vr_evals.report.tables import in_words, panel_name

__all__ = [
    "PANEL_LIMIT",
    "as_percent",
    "axis_end",
    "panels_of",
    "places_of",
    "series_of",
    "symmetric_domain",
]

PANEL_LIMIT = 18
"""Panels of a figure that a page shows."""

_THINKING = {False: "thinking off", True: "thinking on", None: "thinking not known"}


def axis_end(highs: pd.Series[Any]) -> float:
    """The end of an axis of rates in per cent, the same for all panels.

    Args:
        highs: The upper ends of what is drawn, in per cent.
    """
    most = highs.max()
    return 100.0 if pd.isna(most) else min(100.0, 10 * (int(most / 10) + 1.0))


def panels_of(
    anchor: str,
    title: str,
    reading: str,
    frame: pd.DataFrame,
    by: Sequence[str],
    draw: Callable[[pd.DataFrame], Any],
    table: Table,
    *,
    series: Sequence[str] = (),
    band: str | None = None,
    folded: bool = False,
) -> tuple[Figure, ...]:
    """One figure; without panels if nothing can be drawn, and none if its table has no row.

    Args:
        anchor: Its address within the page.
        title: What it shows.
        reading: How to read it.
        frame: What is drawn: rows with `estimate`, `low` and `high`.
        by: Columns that make the panels; panels stand in the frame's order.
        draw: Makes a chart of a panel's rows.
        table: The numbers behind it.
        series: The legend, if there is more than one kind of mark.
        band: What grey bars behind the marks are.
        folded: Whether a reader has to open it.
    """
    if not table.rows:
        return ()
    drawn = frame[frame["estimate"].notna()] if len(frame) else frame
    panels = []
    groups = list(drawn.groupby(list(by), sort=False, dropna=False)) if len(drawn) else []
    for number, (values, rows) in enumerate(groups[:PANEL_LIMIT]):
        name = panel_name(dict(zip(by, values, strict=True)))
        svg = to_svg(draw(rows))
        described = (
            f"{len(rows)} estimates from {rows['estimate'].min():.1f} to "
            f"{rows['estimate'].max():.1f}. The table below the figure has the numbers."
        )
        panels.append(
            Panel(name, dressed(svg, f"{anchor}-{number}", f"{title}: {name}", described))
        )
    left_out = max(0, len(groups) - PANEL_LIMIT)
    keys = legend(series, band) if len(series) > 1 or band else ()
    return (Figure(title, reading, tuple(panels), keys, left_out, table, folded),)


def as_percent(frame: pd.DataFrame) -> pd.DataFrame:
    """A frame's rates in per cent, for an axis."""
    return frame.assign(**{name: 100 * frame[name] for name in ("estimate", "low", "high")})


def series_of(frame: pd.DataFrame) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """A frame with `series` by thinking, and the names of those that it has."""
    frame = frame.assign(
        series=in_words(
            frame["thinking"], lambda value: _THINKING[None if pd.isna(value) else value]
        )
    )
    found = set(frame["series"])
    return frame, tuple(each for each in _THINKING.values() if each in found)


def places_of(frame: pd.DataFrame) -> list[int]:
    """All places on the axis of a figure, in order."""
    return sorted(int(place) for place in frame["place"].dropna().unique())


def symmetric_domain(frame: pd.DataFrame) -> tuple[float, float]:
    """Ends of an axis of differences, the same for all panels, with 0 in the middle."""
    ends = frame[["estimate", "low", "high"]].abs().max().max()
    most = 10.0 if pd.isna(ends) else min(100.0, 10 * (int(ends / 10) + 1.0))
    return -most, most
