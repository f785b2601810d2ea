"""The pictures of a report: each a function of a small frame, drawn by altair, without a network.

A frame has a row per mark: `estimate`, `low` and `high` in the unit of the axis, `series`, and the
position of the mark. Series differ by shape and dash as well as by colour, so that they can be
distinguished in black and white. Foreign text is drawn only as `formatting.shown` returns it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import cycle
from typing import Any

import pandas as pd

from vr_evals.report.blocks import Key

__all__ = [
    "SERIES_LIMIT",
    "by_place",
    "by_row",
    "legend",
    "reliability_diagram",
    "stacked_by_place",
    "to_svg",
]

_STYLES = (
    ("#0072b2", (), "circle"),
    ("#d55e00", (6, 3), "diamond"),
    ("#009e73", (2, 2), "triangle-up"),
    ("#aa4499", (8, 3, 2, 3), "square"),
    ("#8a6d00", (4, 2, 1, 2), "cross"),
)
"""Colour (after Okabe and Ito, darkened where too light), dash and shape of each series."""

SERIES_LIMIT = len(_STYLES)
"""Series that a picture can tell apart."""

_SHAPES = {
    "circle": "M5,0A5,5,0,1,1,-5,0A5,5,0,1,1,5,0Z",
    "diamond": "M0,-6.5L5.5,0L0,6.5L-5.5,0Z",
    "triangle-up": "M0,-6L6,5L-6,5Z",
    "square": "M-4.5,-4.5H4.5V4.5H-4.5Z",
    "cross": "M-6,-2H-2V-6H2V-2H6V2H2V6H-2V2H-6Z",
}

_WIDTH = 300
_LABEL_LIMIT = 200
_INK = "#333333"
_FAINT = "#dddddd"


def legend(series: Sequence[str], band: str | None = None) -> tuple[Key, ...]:
    """Return what the marks of each series look like, in their order.

    Args:
        series: Their names. Those beyond `SERIES_LIMIT` look like the first, in other panels.
        band: The label of the grey bars behind them, if there are any.
    """
    keys = tuple(
        Key(name, color, dash, _SHAPES[shape])
        for name, (color, dash, shape) in zip(series, cycle(_STYLES), strict=False)
    )
    return keys if band is None else (*keys, Key(band, _FAINT, (), "M-9,-5H9V5H-9Z"))


def by_place(
    frame: pd.DataFrame,
    series: Sequence[str],
    *,
    x_title: str,
    y_title: str,
    domain: tuple[float, float],
    places: Sequence[int],
    reference: float | None = None,
    band: pd.DataFrame | None = None,
) -> Any:
    """Draw lines over an ordered axis, e.g. levels.

    Args:
        frame: Its `place` is a number on the axis.
        series: Names of all series, in order, including those without a mark in this picture.
        x_title: What the axis is.
        y_title: What is shown, with its unit.
        domain: Ends of the vertical axis.
        places: All places of the horizontal axis, in order.
        reference: Position of a dashed line, e.g. chance.
        band: Grey bars behind the marks: `place`, `series`, `low` and `high`.
    """
    import altair as alt

    frame, band = _only(frame, "place"), None if band is None else _only(band, "place")
    x = alt.X(
        "place:O",
        title=x_title,
        axis=alt.Axis(labelAngle=0),
        scale=alt.Scale(domain=[int(place) for place in places]),
    )
    offset = alt.XOffset("series:N", scale=_offsets(series))
    base = alt.Chart(frame).encode(x=x, xOffset=offset, color=_color(series))
    y = alt.Y("estimate:Q", title=y_title, scale=alt.Scale(domain=domain), axis=_axis())
    line = base.mark_line(strokeWidth=1.6).encode(y=y, strokeDash=_dash(series))
    interval = base.mark_rule(strokeWidth=1.6).encode(y=alt.Y("low:Q", title=y_title), y2="high:Q")
    mark = base.mark_point(filled=True, size=60, opacity=1).encode(y=y, shape=_shape(series))
    layers = [line, interval, mark]
    if band is not None:
        bars = alt.Chart(band).mark_rule(strokeWidth=8, color=_FAINT, opacity=1)
        low = alt.Y("low:Q", title=y_title)
        layers.insert(0, bars.encode(x=x, xOffset=offset, y=low, y2="high:Q"))
    if reference is not None:
        layers.insert(0, _reference(reference, "y"))
    return alt.layer(*layers).properties(width=_WIDTH, height=180)


def by_row(
    frame: pd.DataFrame,
    series: Sequence[str],
    *,
    x_title: str,
    domain: tuple[float, float] | None = None,
    reference: float | None = None,
    band: pd.DataFrame | None = None,
) -> Any:
    """Draw points with intervals, a row per label.

    Args:
        frame: Its `row` is a label of one line or more; rows keep the frame's order. Marks are
            hollow if `significant` is false.
        series: Names of all series, in order.
        x_title: What is shown, with its unit.
        domain: Ends of the axis.
        reference: Position of a dashed line, e.g. 0.
        band: Grey bars behind the marks: `row`, `series`, `low` and `high`.
    """
    import altair as alt

    frame, band = _only(frame, "row"), None if band is None else _only(band, "row")
    labels = list(dict.fromkeys(frame["row"]))
    # fonts differ: leave room for the widest, not for the one measured here
    lines = [label.split("\n") for label in labels]
    extent = min(_LABEL_LIMIT, 7.5 * max(len(line) for each in lines for line in each) + 12)
    room = alt.Axis(
        ticks=False,
        labelLimit=_LABEL_LIMIT,
        labelPadding=10,
        minExtent=extent,
        labelExpr=r"split(datum.label, '\n')",
    )
    scale = alt.Scale(domain=domain) if domain else alt.Scale(zero=True)
    axis = alt.Axis(tickCount=5, labelFlush=False)
    y = alt.Y("row:N", sort=labels, title=None, axis=room)
    offset = alt.YOffset("series:N", scale=_offsets(series))
    base = alt.Chart(frame).encode(y=y, yOffset=offset, color=_color(series))
    x = alt.X("estimate:Q", title=x_title, scale=scale, axis=axis)
    low = alt.X("low:Q", title=x_title, scale=scale, axis=axis)
    layers = [
        base.mark_rule(strokeWidth=1.6).encode(x=low, x2="high:Q"),
        base.mark_point(size=55, opacity=1, strokeWidth=1.8).encode(
            x=x,
            shape=_shape(series),
            fill=alt.condition("datum.significant", _color(series), alt.value("#fffffe")),
        ),
    ]
    if band is not None:
        bars = alt.Chart(band).mark_rule(strokeWidth=8, color=_FAINT, opacity=1)
        layers.insert(0, bars.encode(y=y, yOffset=offset, x=low, x2="high:Q"))
    if reference is not None:
        layers.insert(0, _reference(reference, "x"))
    step = max(14 * max(1, len(series)) + 8, 16 * max(map(len, lines)) + 4)
    width = min(_WIDTH - 60, _WIDTH + 55 - extent)  # long labels leave less room on a phone
    return alt.layer(*layers).properties(width=width, height=max(60, step * len(labels)))


def stacked_by_place(
    frame: pd.DataFrame,
    series: Sequence[str],
    *,
    x_title: str,
    y_title: str,
    places: Sequence[int],
) -> Any:
    """Draw shares that add up to 100 as stacked bars over an ordered axis, the first at the bottom.

    Args:
        frame: Its `place` is a number on the axis; intervals are not drawn.
        series: Names of all series, in order.
        x_title: What the axis is.
        y_title: What is shown, with its unit.
        places: All places of the horizontal axis, in order.
    """
    import altair as alt

    x = alt.X(
        "place:O",
        title=x_title,
        axis=alt.Axis(labelAngle=0),
        scale=alt.Scale(domain=[int(place) for place in places]),
    )
    y = alt.Y(
        "estimate:Q",
        title=y_title,
        stack="zero",
        scale=alt.Scale(domain=(0, 100)),
        axis=_axis(),
    )
    ranked = frame.assign(rank=frame["series"].map({name: n for n, name in enumerate(series)}))
    bars = alt.Chart(ranked).mark_bar(stroke="white", strokeWidth=1.2)
    return bars.encode(x=x, y=y, color=_color(series), order=alt.Order("rank:Q")).properties(
        width=_WIDTH, height=180
    )


def reliability_diagram(bins: pd.DataFrame, band: pd.DataFrame) -> Any:
    """Draw accuracy against stated confidence, and where perfect calibration would lie.

    Args:
        bins: A row per bin of confidence: its mean `confidence` (0–100), `estimate`, `low`, `high`
            (0–100), and `n_samples`, which sets the size of the mark.
        band: Per bin `confidence`, and `low` and `high` under perfect calibration.
    """
    import altair as alt

    bins = bins[["confidence", "estimate", "low", "high", "n_samples"]]
    band = band[["confidence", "low", "high"]]
    scale = alt.Scale(domain=(0, 100))
    axis = alt.Axis(values=[0, 20, 40, 60, 80, 100], grid=False)
    x = alt.X("confidence:Q", title="stated confidence", scale=scale, axis=axis)
    diagonal = (
        alt.Chart(pd.DataFrame({"confidence": [0, 100], "estimate": [0, 100]}))
        .mark_line(strokeDash=[4, 4], color=_INK, strokeWidth=1)
        .encode(x=x, y=alt.Y("estimate:Q", title="right answers, %", scale=scale, axis=axis))
    )
    noise = (
        alt.Chart(band)
        .mark_bar(color=_FAINT, opacity=1, width=14)
        .encode(x=x, y=alt.Y("low:Q", title="right answers, %"), y2="high:Q")
    )
    base = alt.Chart(bins).encode(x=x, color=alt.value(_STYLES[0][0]))
    interval = base.mark_rule(strokeWidth=1.6).encode(
        y=alt.Y("low:Q", title="right answers, %"), y2="high:Q"
    )
    mark = base.mark_point(filled=True, opacity=1).encode(
        y="estimate:Q",
        size=alt.Size("n_samples:Q", legend=None, scale=alt.Scale(range=[25, 220], zero=True)),
    )
    return alt.layer(noise, diagonal, interval, mark).properties(width=220, height=220)


def to_svg(chart: Any) -> str:
    """Render a chart of altair as SVG."""
    import vl_convert

    # configured as a dict, because altair would copy the whole chart for each setting
    spec = chart.to_dict(validate=False) | {"config": _config()}
    return str(vl_convert.vegalite_to_svg(spec))


@cache
def _config() -> dict[str, Any]:
    """What all charts look like, as Vega-Lite has it."""
    import altair as alt

    text = {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"}
    colors = {"labelColor": _INK, "titleColor": _INK, "gridColor": _FAINT, "domainColor": _INK}
    chart = alt.Chart(pd.DataFrame()).mark_point()
    chart = chart.configure(aria=False, background="transparent", font="sans-serif")
    chart = chart.configure_axis(**text, **colors, tickColor=_INK).configure_view(stroke=None)
    found: dict[str, Any] = chart.to_dict(validate=False)["config"]
    return found


def _only(frame: pd.DataFrame, position: str) -> pd.DataFrame:
    """The columns of a frame that a picture uses: altair copies all several times."""
    used = (position, "series", "estimate", "low", "high", "significant")
    return frame[[name for name in used if name in frame]]


def _color(series: Sequence[str]) -> Any:
    import altair as alt

    colors = [color for color, _, _ in _STYLES[: len(series)]]
    scale = alt.Scale(domain=list(series), range=colors)
    return alt.Color("series:N", legend=None, scale=scale)


def _shape(series: Sequence[str]) -> Any:
    import altair as alt

    shapes = [shape for _, _, shape in _STYLES[: len(series)]]
    return alt.Shape("series:N", legend=None, scale=alt.Scale(domain=list(series), range=shapes))


def _dash(series: Sequence[str]) -> Any:
    import altair as alt

    dashes = [list(dash) or [1, 0] for _, dash, _ in _STYLES[: len(series)]]
    scale = alt.Scale(domain=list(series), range=dashes)
    return alt.StrokeDash("series:N", legend=None, scale=scale)


def _offsets(series: Sequence[str]) -> Any:
    """Marks of one place side by side, in the order of the series."""
    import altair as alt

    return alt.Scale(domain=list(series), paddingOuter=1 if len(series) < 3 else 0.6)


def _axis() -> Any:
    import altair as alt

    return alt.Axis(tickCount=5)


def _reference(value: float, axis: str) -> Any:
    """A dashed line across the chart."""
    import altair as alt

    frame = pd.DataFrame({"reference": [value]})
    rule = alt.Chart(frame).mark_rule(strokeDash=[3, 3], color=_INK, strokeWidth=1)
    return rule.encode(**{axis: "reference:Q"})
