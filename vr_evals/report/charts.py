"""Charts of several panels: the same picture for each model, benchmark or pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from vr_evals.analysis.main_table import sort_by_condition
from vr_evals.analysis.outcomes import OUTCOMES
from vr_evals.formatting import listed, shown
from vr_evals.report.blocks import Chart, Panel, Table
from vr_evals.report.claims import ALPHA
from vr_evals.report.drawing import SERIES_LIMIT, by_place, by_row, legend, to_svg
from vr_evals.report.svg import sanitize_svg
from vr_evals.report.tables import in_words, on_ladder, panel_name

__all__ = [
    "CONDITION_PANELS",
    "PANELS",
    "PANEL_LIMIT",
    "as_percent",
    "axis_end",
    "by_model",
    "chart_by_condition",
    "chart_by_level",
    "chart_of_panels",
    "differences_by_level",
    "effects_chart",
    "effects_drawn",
    "effects_picture",
    "estimates_in_words",
    "places",
    "symmetric_domain",
]

PANEL_LIMIT = 18
"""Panels of a chart that a page shows."""

PANELS = ("benchmark", "model", "variant")
"""Columns that make the panels of a chart by level."""

CONDITION_PANELS = ("benchmark", "model", "level", "variant")
"""Columns that make the panels of a chart by condition."""

_THINKING = {False: "thinking off", True: "thinking on", None: "thinking unknown"}
_NAME_LIMIT = 24
_ALL = "average over models"


def chart_of_panels(
    anchor: str,
    title: str,
    how_to_read: str,
    frame: pd.DataFrame,
    by: Sequence[str],
    draw: Callable[[pd.DataFrame], Any],
    table: Table,
    *,
    series: Sequence[str] = (),
    band: str | None = None,
    folded: bool = False,
) -> tuple[Chart, ...]:
    """Make one chart; without panels if nothing can be drawn, and none if its table is empty.

    Args:
        anchor: Its address within the page.
        title: What it shows.
        how_to_read: A few sentences.
        frame: What is drawn: rows with `estimate`, `low` and `high`.
        by: Columns that make the panels, which keep the frame's order.
        draw: Draws a panel's rows.
        table: The numbers behind it.
        series: The legend, if there is more than one kind of mark.
        band: The label of the grey bars behind the marks.
        folded: Whether a reader has to open it.
    """
    if not table.rows:
        return ()
    drawn = frame[frame["estimate"].notna()] if len(frame) else frame
    panels = []
    groups = list(drawn.groupby(list(by), sort=False, dropna=False)) if len(drawn) else []
    for number, (values, rows) in enumerate(groups[:PANEL_LIMIT]):
        name = panel_name(dict(zip(by, values, strict=True)))
        described = (
            f"{estimates_in_words(rows['estimate'])}. The numbers are in the table below the chart."
        )
        svg = sanitize_svg(to_svg(draw(rows)), f"{anchor}-{number}", f"{title}: {name}", described)
        panels.append(Panel(name, svg))
    left_out = max(0, len(groups) - PANEL_LIMIT)
    keys = legend(series, band) if len(series) > 1 or band else ()
    return (Chart(title, how_to_read, tuple(panels), keys, left_out, table, folded, anchor),)


def chart_by_level(
    anchor: str,
    title: str,
    how_to_read: str,
    frame: pd.DataFrame,
    table: Table,
    *,
    y_title: str,
    domain: tuple[float, float],
    by: Sequence[str] = PANELS,
    series: Sequence[str] | None = None,
    reference: Callable[[str], float | None] = lambda benchmark: None,
    band: tuple[str, str] | None = None,
    folded: bool = False,
) -> tuple[Chart, ...]:
    """Make a chart with a panel per benchmark and model, and levels along its axis.

    Args:
        anchor: Its address within the page.
        title: What it shows.
        how_to_read: A few sentences. One on the rows that are not drawn is added.
        frame: The rows of the table, with `estimate`, `low` and `high` in the unit of the axis.
        table: The numbers behind it.
        y_title: What is shown, with its unit.
        domain: Ends of the axis.
        by: Columns that make the panels.
        series: Values of the frame's column `series`; None for a series per thinking condition. No
            panel has series of two groups of `SERIES_LIMIT`.
        reference: Returns the position of a dashed line, by benchmark.
        band: The metric whose intervals are grey bars behind the marks, and their label.
        folded: Whether a reader has to open it.
    """
    drawn = _with_level(frame)
    if series is None:
        drawn, series = _by_thinking(drawn)
    drawn = drawn.assign(place=drawn["level"]).sort_values([*by, "level"], kind="stable")
    levels = places(drawn)

    def draw(panel: pd.DataFrame) -> Any:
        marks, bars = _split_band(panel, band)
        first = series.index(marks["series"].iloc[0]) // SERIES_LIMIT * SERIES_LIMIT
        return by_place(
            marks,
            series[first : first + SERIES_LIMIT],
            x_title="level",
            y_title=y_title,
            domain=domain,
            places=levels,
            reference=reference(str(panel["benchmark"].iloc[0])),
            band=bars,
        )

    return chart_of_panels(
        anchor,
        title,
        how_to_read + _not_drawn(frame),
        drawn,
        by,
        draw,
        table,
        series=series,
        band=band[1] if band else None,
        folded=folded,
    )


def chart_by_condition(
    anchor: str,
    title: str,
    how_to_read: str,
    frame: pd.DataFrame,
    table: Table,
    *,
    x_title: str,
    domain: tuple[float, float],
    reference: Callable[[str], float | None] = lambda benchmark: None,
    band: tuple[str, str] | None = None,
    folded: bool = False,
) -> tuple[Chart, ...]:
    """Make a chart with a panel per benchmark and model, and a row per condition.

    Args:
        anchor: Its address within the page.
        title: What it shows.
        how_to_read: A few sentences.
        frame: Rows under a condition, with `estimate`, `low` and `high` in per cent.
        table: The numbers behind it.
        x_title: What is shown, with its unit.
        domain: Ends of the axis, in per cent.
        reference: Returns the position of a dashed line, by benchmark.
        band: The metric whose intervals are grey bars behind the marks, and their label.
        folded: Whether a reader has to open it.
    """
    drawn, series = _by_thinking(sort_by_condition(frame, *CONDITION_PANELS))
    drawn = drawn.assign(
        row=in_words(drawn["condition"], lambda name: shown(name, _NAME_LIMIT).replace("_", " ")),
        significant=True,
    )

    def draw(panel: pd.DataFrame) -> Any:
        marks, bars = _split_band(panel, band)
        return by_row(
            marks,
            series,
            x_title=x_title,
            domain=domain,
            reference=reference(str(panel["benchmark"].iloc[0])),
            band=bars,
        )

    return chart_of_panels(
        anchor,
        title,
        how_to_read,
        drawn,
        CONDITION_PANELS,
        draw,
        table,
        series=series,
        band=band[1] if band else None,
        folded=folded,
    )


def differences_by_level(
    anchor: str,
    title: str,
    how_to_read: str,
    frame: pd.DataFrame,
    table: Table,
    *,
    by: Sequence[str] = PANELS,
    order: str | None = None,
    series: str | None = None,
) -> tuple[Chart, ...]:
    """Make a chart of differences around 0 with a row per level, filled marks for significant ones.

    Args:
        anchor: Its address within the page.
        title: What it shows.
        how_to_read: A few sentences. One on the rows that are not drawn is added.
        frame: The rows of the table, whose estimates are differences of rates.
        table: The numbers behind it.
        by: Columns that make the panels.
        order: The column whose smallest value in a panel sorts the panels.
        series: The name of the only series; None for a series per thinking condition.
    """
    drawn, names = _by_thinking(as_percent(_with_level(frame)))
    if series:
        drawn, names = drawn.assign(series=series), (series,)
    drawn = drawn.assign(
        row=in_words(drawn["level"], lambda level: f"level {level}"),
        significant=(drawn["p_adjusted"] < ALPHA).fillna(False).astype(bool),
        first=drawn.groupby(list(by), dropna=False)[order].transform("min") if order else 0,
    ).sort_values(["first", *by, "level"], kind="stable")
    domain = symmetric_domain(drawn)

    def draw(panel: pd.DataFrame) -> Any:
        return by_row(panel, names, x_title="points", domain=domain, reference=0)

    return chart_of_panels(
        anchor, title, how_to_read + _not_drawn(frame), drawn, by, draw, table, series=names
    )


def effects_chart(
    anchor: str,
    title: str,
    how_to_read: str,
    frame: pd.DataFrame,
    table: Table,
    *,
    of_models: pd.DataFrame | None = None,
    folded: bool = False,
) -> tuple[Chart, ...]:
    """Make a forest plot of effects with a panel per outcome, and a row per contrast.

    Args:
        anchor: Its address within the page.
        title: What it shows.
        how_to_read: A few sentences.
        frame: Rows of `vr_evals.analysis.effects`.
        table: The numbers behind it.
        of_models: The same effects by model, drawn beside them if a picture can tell them apart.
        folded: Whether a reader has to open it.
    """
    drawn, series = effects_drawn(frame, of_models)

    def draw(panel: pd.DataFrame) -> Any:
        return effects_picture(panel, series)

    return chart_of_panels(
        anchor,
        title,
        how_to_read,
        drawn,
        ("panel", "condition", "variant"),
        draw,
        table,
        series=series,
        folded=folded,
    )


def effects_drawn(
    frame: pd.DataFrame, of_models: pd.DataFrame | None = None
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return effects in their unit, with `row`, `series`, `panel` and `significant`; the series.

    Args:
        frame: Rows of `vr_evals.analysis.effects`.
        of_models: The same effects by model; left out if a picture could not tell them apart.
    """
    parts, series = [frame.assign(series=_ALL)], [_ALL]
    models = [] if of_models is None else sorted(of_models["model"].dropna().unique())
    if of_models is not None and 0 < len(models) < SERIES_LIMIT:
        names = [shown(model) for model in models]
        series += names
        known = dict(zip(models, names, strict=True))
        of_models = of_models[of_models["contrast"].isin(frame["contrast"])]
        parts.append(of_models.assign(series=in_words(of_models["model"], lambda m: known[m])))
    drawn = pd.concat(parts, ignore_index=True)
    order = {name: place for place, name in enumerate(dict.fromkeys(frame["contrast"]))}
    short = _short_names([*drawn["side"], *drawn["versus"]])
    drawn = drawn.assign(
        **{name: drawn[name] * drawn["factor"] for name in ("estimate", "low", "high")},
        row=[
            _effect_label(short[side], short[versus])
            for side, versus in zip(drawn["side"], drawn["versus"], strict=True)
        ],
        panel=in_words(drawn["outcome"], lambda name: OUTCOMES[name].meaning),
        significant=(drawn["p_adjusted"] < ALPHA).fillna(False).astype(bool),
        place=drawn["contrast"].map(order),
    )
    return drawn.sort_values("place", kind="stable"), tuple(series)


def effects_picture(panel: pd.DataFrame, series: Sequence[str]) -> Any:
    """Draw the effects on one outcome.

    Args:
        panel: Rows of one outcome that `effects_drawn` returned.
        series: Names of all series.
    """
    unit = str(panel["unit"].iloc[0])
    ends = panel[["estimate", "low", "high"]].abs().max().max()
    domain = symmetric_domain(panel) if unit == "points" else (-1.05 * ends, 1.05 * ends)
    return by_row(panel, series, x_title=unit or "difference", domain=domain, reference=0)


def _effect_label(side: str, versus: str) -> str:
    """The label of a row: in two lines if it is long."""
    if len(side) + len(versus) + 3 <= _NAME_LIMIT:
        return f"{side} − {versus}"
    return f"{shown(side, 1000)}\n− {shown(versus, 1000)}"  # cut where they are drawn


def _short_names(names: Sequence[str]) -> dict[str, str]:
    """Each name without the provider of a model, if that leaves it distinct."""
    every = set(names)
    ends = [name.rpartition("/")[2] for name in every]
    distinct = len(set(ends)) == len(every)
    return {name: name.rpartition("/")[2] if distinct else name for name in every}


def estimates_in_words(drawn: pd.Series[Any]) -> str:
    """Return how many estimates there are, and between which numbers."""
    if len(drawn) == 1:
        return f"1 estimate: {drawn.iloc[0]:.1f}"
    return f"{len(drawn)} estimates from {drawn.min():.1f} to {drawn.max():.1f}"


def as_percent(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with its rates in per cent."""
    return frame.assign(**{name: 100 * frame[name] for name in ("estimate", "low", "high")})


def axis_end(highs: pd.Series[Any]) -> float:
    """Return the end of an axis of rates in per cent, the same for all panels.

    Args:
        highs: The upper ends of what is drawn, in per cent.
    """
    most = highs.max()
    return 100.0 if pd.isna(most) else min(100.0, 10 * (int(most / 10) + 1.0))


def places(frame: pd.DataFrame) -> list[int]:
    """Return all places on the axis of a chart, in order."""
    return sorted(int(place) for place in frame["place"].dropna().unique())


def symmetric_domain(frame: pd.DataFrame) -> tuple[float, float]:
    """Return the ends of an axis of differences, the same for all panels, with 0 in the middle."""
    ends = frame[["estimate", "low", "high"]].abs().max().max()
    most = 10.0 if pd.isna(ends) else min(100.0, 10 * (int(ends / 10) + 1.0))
    return -most, most


def by_model(frame: pd.DataFrame) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return a frame with a series per model, and the names of the series.

    Column `group` is empty, or else names the models that are in the same panel.

    Args:
        frame: Rows with `model`.
    """
    models = sorted(frame["model"].dropna().unique())
    names = {model: shown(model) for model in models}
    groups: dict[str, str] = {}
    for start in range(0, len(models), SERIES_LIMIT):
        group = models[start : start + SERIES_LIMIT]
        words = "" if len(models) <= SERIES_LIMIT else listed(shown(m, _NAME_LIMIT) for m in group)
        groups |= dict.fromkeys(group, words)
    drawn = frame.assign(
        series=in_words(frame["model"], lambda model: names[model]),
        group=in_words(frame["model"], lambda model: groups[model]),
    )
    return drawn, tuple(names.values())


def _with_level(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows that a chart by level draws."""
    ladder = on_ladder(frame)
    return ladder[ladder["level"].notna()]


def _not_drawn(frame: pd.DataFrame) -> str:
    """A sentence on the rows that a chart by level leaves to its table; empty if there are none."""
    under = frame["condition"].notna()
    kinds = (
        "under a condition" * bool(under.any()),
        "without a level" * bool((frame["level"].isna() & ~under).any()),
    )
    which = " or ".join(filter(None, kinds))
    return f" Cells {which} are only in the table." if which else ""


def _by_thinking(frame: pd.DataFrame) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """A frame with `series` by thinking, and the names of its series."""
    frame = frame.assign(
        series=in_words(
            frame["thinking"], lambda value: _THINKING[None if pd.isna(value) else value]
        )
    )
    found = set(frame["series"])
    return frame, tuple(each for each in _THINKING.values() if each in found)


def _split_band(
    panel: pd.DataFrame, band: tuple[str, str] | None
) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """The rows of marks and those of grey bars."""
    if band is None:
        return panel, None
    is_band = panel["metric"] == band[0]
    return panel[~is_band], panel[is_band]
