"""The pictures of a report: each a function of a small frame, in Vega-Lite, without a network.

A frame has a row per mark: `estimate`, `low` and `high` in the unit of the axis, `series`, and the
position of the mark. Series differ by shape and dash as well as by colour, so that they can be
distinguished in black and white. Foreign text is drawn only as `formatting.shown` returns it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import count, cycle
from typing import Any
from unicodedata import east_asian_width

import numpy as np
import pandas as pd

from vr_evals.report.blocks import Key

__all__ = [
    "SERIES_LIMIT",
    "Picture",
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
_CHARACTER = 7.5
"""Pixels of a character of a label in the widest font that a browser may draw it in."""
_INK = "#333333"
_FAINT = "#dddddd"
_BAND = {"strokeWidth": 8, "color": _FAINT, "opacity": 1}
_CONFIG = {
    "aria": False,
    "background": "transparent",
    "font": "sans-serif",
    "view": {"continuousWidth": 300, "continuousHeight": 300, "stroke": None},
    "axis": {
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelColor": _INK,
        "titleColor": _INK,
        "gridColor": _FAINT,
        "domainColor": _INK,
        "tickColor": _INK,
    },
}
"""What all pictures look like."""

Picture = dict[str, Any]
"""A picture, or a part of one, in Vega-Lite, whose builders would take longer than drawing it."""


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
) -> Picture:
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
    y = _axis_of("estimate", y_title, {"domain": domain}, {"tickCount": 5})
    shared = {
        "x": _ordinal(x_title, places),
        "xOffset": _series(series, _offsets(series)),
        "color": _color(series),
    }
    layers = [
        _mark("line", shared | {"y": y, "strokeDash": _dash(series)}, strokeWidth=1.6),
        _mark("rule", shared | _range("y", y_title), strokeWidth=1.6),
        _mark(
            "point",
            shared | {"y": y, "shape": _shape(series)},
            filled=True,
            size=60,
            opacity=1,
        ),
    ]
    if band is not None:
        bars = {"x": shared["x"], "xOffset": shared["xOffset"], **_range("y", y_title)}
        layers.insert(0, _mark("rule", bars, band, "place", **_BAND))
    if reference is not None:
        layers.insert(0, _reference(reference, "y"))
    return _picture(_records(frame, "place"), layers, _WIDTH, 180)


def by_row(
    frame: pd.DataFrame,
    series: Sequence[str],
    *,
    x_title: str,
    domain: tuple[float, float] | None = None,
    reference: float | None = None,
    band: pd.DataFrame | None = None,
) -> Picture:
    """Draw points with intervals, a row per label.

    Args:
        frame: Its `row` is a label of one line or more, which is cut in the middle if it is too
            long; rows keep the frame's order. Marks are hollow if `significant` is false.
        series: Names of all series, in order.
        x_title: What is shown, with its unit.
        domain: Ends of the axis.
        reference: Position of a dashed line, e.g. 0.
        band: Grey bars behind the marks: `row`, `series`, `low` and `high`.
    """
    bands: list[str] = [] if band is None else band["row"].tolist()
    short = _fitting(dict.fromkeys([*frame["row"], *bands]))
    frame = frame.assign(row=frame["row"].map(short))
    if band is not None:
        band = band.assign(row=band["row"].map(short))
    labels = list(dict.fromkeys(frame["row"]))
    # fonts differ: leave room for the widest, not for the one measured here
    lines = [label.split("\n") for label in labels]
    longest = max(_width(line) for each in lines for line in each)
    extent = min(_LABEL_LIMIT, _CHARACTER * longest + 12)
    room = {
        "ticks": False,
        "labelLimit": _LABEL_LIMIT,
        "labelPadding": 10,
        "minExtent": extent,
        "labelExpr": r"split(datum.label, '\n')",
    }
    scale = {"domain": domain} if domain else {"zero": True}
    axis = {"tickCount": 5, "labelFlush": False}
    y = {"field": "row", "type": "nominal", "sort": labels, "title": None, "axis": room}
    places = {"y": y, "yOffset": _series(series, _offsets(series))}
    shared = places | {"color": _color(series)}
    interval = _range("x", x_title, scale=scale, axis=axis)
    filled = {"condition": {"test": "datum.significant", **_color(series)}, "value": "#fffffe"}
    layers = [
        _mark("rule", shared | interval, strokeWidth=1.6),
        _mark(
            "point",
            shared
            | {
                "x": _axis_of("estimate", x_title, scale, axis),
                "shape": _shape(series),
                "fill": filled,
            },
            size=55,
            opacity=1,
            strokeWidth=1.8,
        ),
    ]
    if band is not None:
        layers.insert(0, _mark("rule", places | interval, band, "row", **_BAND))
    if reference is not None:
        layers.insert(0, _reference(reference, "x"))
    step = max(14 * max(1, len(series)) + 8, 16 * max(map(len, lines)) + 4)
    width = min(_WIDTH - 60, _WIDTH + 55 - extent)  # long labels leave less room on a phone
    return _picture(_records(frame, "row"), layers, width, max(60, step * len(labels)))


def _fitting(labels: Iterable[str]) -> dict[str, str]:
    """Each label with lines that no browser cuts off; different labels stay different."""
    most = int((_LABEL_LIMIT - 12) / _CHARACTER)
    found: dict[str, str] = {}
    for label in labels:
        *lines, last = label.split("\n")
        for number in count(1):
            mark = f" ({number})" if number > 1 else ""
            cut = [*(_cut(line, most) for line in lines), _cut(last, most - len(mark)) + mark]
            short = "\n".join(cut)
            if short not in found.values():
                break
        found[label] = short
    return found


def _cut(line: str, most: int) -> str:
    """A line of so many characters at most, cut in the middle."""
    if _width(line) <= most:
        return line
    head, tail = line, line
    while _width(head) > (most - 1) // 2:
        head = head[:-1]
    while _width(tail) > most - 1 - _width(head):
        tail = tail[1:]
    return f"{head}…{tail}"


def _width(text: str) -> int:
    """The characters of a text, those of double width counted twice."""
    return sum(1 + (east_asian_width(each) in "WF") for each in text)


def stacked_by_place(
    frame: pd.DataFrame,
    series: Sequence[str],
    *,
    x_title: str,
    y_title: str,
    places: Sequence[int],
) -> Picture:
    """Draw shares that add up to 100 as stacked bars over an ordered axis, the first at the bottom.

    Args:
        frame: Its `place` is a number on the axis; intervals are not drawn.
        series: Names of all series, in order.
        x_title: What the axis is.
        y_title: What is shown, with its unit.
        places: All places of the horizontal axis, in order.
    """
    y = _axis_of("estimate", y_title, {"domain": (0, 100)}, {"tickCount": 5}) | {"stack": "zero"}
    ranked = frame.assign(rank=frame["series"].map({name: n for n, name in enumerate(series)}))
    encoding = {
        "x": _ordinal(x_title, places),
        "y": y,
        "color": _color(series),
        "order": {"field": "rank", "type": "quantitative"},
    }
    bars = _mark("bar", encoding, stroke="white", strokeWidth=1.2)
    return _picture(_records(ranked, "place", "rank"), [bars], _WIDTH, 180)


def reliability_diagram(bins: pd.DataFrame, band: pd.DataFrame) -> Picture:
    """Draw accuracy against stated confidence, and where perfect calibration would lie.

    Args:
        bins: A row per bin of confidence: its mean `confidence` (0–100), `estimate`, `low`, `high`
            (0–100), and `n_samples`, which sets the size of the mark.
        band: Per bin `confidence`, and `low` and `high` under perfect calibration.
    """
    title = "right answers, %"
    scale = {"domain": (0, 100)}
    axis = {"values": [0, 20, 40, 60, 80, 100], "grid": False}
    x = _axis_of("confidence", "stated confidence", scale, axis)
    right = _axis_of("estimate", title, scale, axis)
    ends = pd.DataFrame({"confidence": [0, 100], "estimate": [0, 100]})
    shared = {"x": x, "color": {"value": _STYLES[0][0]}}
    size = {"legend": None, "scale": {"range": [25, 220], "zero": True}}
    of_answers = {"field": "n_samples", "type": "quantitative", **size}
    plain = {"field": "estimate", "type": "quantitative"}
    layers = [
        _mark(
            "bar",
            {"x": x, **_range("y", title)},
            band,
            "confidence",
            color=_FAINT,
            opacity=1,
            width=14,
        ),
        _mark(
            "line",
            {"x": x, "y": right},
            ends,
            "confidence",
            strokeDash=[4, 4],
            color=_INK,
            strokeWidth=1,
        ),
        _mark("rule", shared | _range("y", title), strokeWidth=1.6),
        _mark("point", shared | {"y": plain, "size": of_answers}, filled=True, opacity=1),
    ]
    return _picture(_records(bins, "confidence", "n_samples"), layers, 220, 220)


def to_svg(picture: Picture) -> str:
    """Render a picture as SVG."""
    import vl_convert

    return str(vl_convert.vegalite_to_svg({**picture, "config": _CONFIG}))


def _picture(data: Picture, layers: Sequence[Picture], width: float, height: float) -> Picture:
    drawn = {"layer": list(layers)} if len(layers) > 1 else layers[0]
    return {"data": data, **drawn, "width": width, "height": height}


def _mark(
    kind: str,
    encoding: Picture,
    frame: pd.DataFrame | None = None,
    *columns: str,
    **style: Any,
) -> Picture:
    """A layer; of data of its own, whose columns are named, if there is a frame."""
    found = {"mark": {"type": kind, **style}, "encoding": encoding}
    return found if frame is None else {"data": _records(frame, *columns), **found}


def _records(frame: pd.DataFrame, *columns: str) -> Picture:
    """The columns of a frame that a picture uses, as Vega-Lite has them."""
    used = (*columns, "series", "estimate", "low", "high", "significant")
    records = frame[[name for name in used if name in frame]].astype(object).to_dict("records")
    return {"values": [{k: _plain(value) for k, value in each.items()} for each in records]}


def _plain(value: Any) -> Any:
    """A value that JSON has; None if it is missing or infinite."""
    if pd.isna(value) or (isinstance(value, float) and math.isinf(value)):
        return None
    return value.item() if isinstance(value, np.generic) else value


def _axis_of(field: str, title: str, scale: Picture, axis: Picture) -> Picture:
    """A number along an axis."""
    return {
        "field": field,
        "type": "quantitative",
        "title": title,
        "scale": scale,
        "axis": axis,
    }


def _range(channel: str, title: str, **more: Any) -> Picture:
    """From `low` to `high` along an axis."""
    low = {"field": "low", "type": "quantitative", "title": title, **more}
    return {channel: low, f"{channel}2": {"field": "high"}}


def _ordinal(title: str, places: Sequence[int]) -> Picture:
    """An ordered axis with these places."""
    scale = {"domain": [int(place) for place in places]}
    axis = {"labelAngle": 0}
    return {"field": "place", "type": "ordinal", "title": title, "axis": axis, "scale": scale}


def _series(series: Sequence[str], scale: Picture) -> Picture:
    return {"field": "series", "type": "nominal", "scale": {"domain": list(series), **scale}}


def _color(series: Sequence[str]) -> Picture:
    colors = [color for color, _, _ in _STYLES[: len(series)]]
    return _series(series, {"range": colors}) | {"legend": None}


def _shape(series: Sequence[str]) -> Picture:
    shapes = [shape for _, _, shape in _STYLES[: len(series)]]
    return _series(series, {"range": shapes}) | {"legend": None}


def _dash(series: Sequence[str]) -> Picture:
    dashes = [list(dash) or [1, 0] for _, dash, _ in _STYLES[: len(series)]]
    return _series(series, {"range": dashes}) | {"legend": None}


def _offsets(series: Sequence[str]) -> Picture:
    """Marks of one place side by side, in the order of the series."""
    return {"paddingOuter": 1 if len(series) < 3 else 0.6}


def _reference(value: float, axis: str) -> Picture:
    """A dashed line across the chart."""
    frame = pd.DataFrame({"reference": [value]})
    encoding = {axis: {"field": "reference", "type": "quantitative"}}
    style = {"strokeDash": [3, 3], "color": _INK, "strokeWidth": 1}
    return _mark("rule", encoding, frame, "reference", **style)
