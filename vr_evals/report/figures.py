"""Charts of the page as figures for a paper: one picture as SVG, PDF or PNG."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any
from xml.etree import ElementTree

import pandas as pd

from vr_evals.analysis.plans import Plan
from vr_evals.errors import InputError
from vr_evals.replacing import replacing
from vr_evals.report.blocks import Chart, Key, Panel
from vr_evals.report.results import Results, compute
from vr_evals.report.sections.accuracy import accuracy_section
from vr_evals.report.sections.answers import answers_section
from vr_evals.report.sections.authority import authority_section
from vr_evals.report.sections.calibration import calibration_section
from vr_evals.report.sections.error_kind import error_kind_charts
from vr_evals.report.sections.flips import flips_section

__all__ = ["FIGURES", "SUFFIXES", "figure_charts", "figure_svg", "write_figure"]

SUFFIXES = (".svg", ".pdf", ".png")
"""The formats of figures."""

_SVG = "http://www.w3.org/2000/svg"
_INK = "#333333"
_FONT = "sans-serif"
_CHARACTER = 6.7
"""Width of a character of `_SIZE` in px, on average; long ones are wrapped by it."""

_SIZE = 12
_LINE = 16
_GAP = 18
_KEY_WIDTH = 46
"""Room of a legend's mark, in px."""

_PX_PER_INCH = 96
_POINTS_PER_INCH = 72
_MM_PER_INCH = 25.4
_ISOLATES = re.compile("[\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}]")


@dataclass(frozen=True)
class Figure:
    """Which charts of the page a figure has.

    Attributes:
        charts: Makes charts, these among others.
        anchors: The anchors of its charts.
        needs: What the logs need to have for it.
    """

    charts: Callable[[Results], Sequence[Chart]]
    anchors: tuple[str, ...]
    needs: str


FIGURES: Mapping[str, Figure] = {
    "effects": Figure(
        lambda results: answers_section(results).charts,
        ("answers-effects",),
        "two levels, models or conditions, or thinking on and off, for the same items",
    ),
    "accuracy": Figure(
        lambda results: accuracy_section(results).charts,
        ("accuracy-level", "accuracy-conditions"),
        "items with a right answer",
    ),
    "flips": Figure(
        lambda results: flips_section(results).charts,
        ("flips-level0", "flips-thinking-off", "flips-first-pass"),
        "answers to the same items at two levels, with thinking on and off, or in two passes",
    ),
    "calibration": Figure(
        lambda results: calibration_section(results).charts,
        ("reliability-stated", "ece-stated", "ece-conditions-stated"),
        "stated confidences (-T include_confidence=true)",
    ),
    "authority": Figure(
        lambda results: authority_section(results).charts,
        ("authority-excess",),
        "an authority task (vr_evals/…_authority) with control",
    ),
    "errors": Figure(
        error_kind_charts,
        ("error-kind-level",),
        "wrong answers to items whose options have kinds (column choice_kind)",
    ),
}
"""The figures by name."""


def figure_charts(
    rows: pd.DataFrame,
    of: str,
    *,
    primary: Plan | None = None,
) -> tuple[Chart, ...]:
    """Return the charts of a figure that have a panel.

    Args:
        rows: What `vr_evals.analysis.read_logs` returns.
        of: The name of the figure.
        primary: The primary effects of the study, as for `vr_evals.analysis.effects`.

    Raises:
        InputError: There is no such figure, or nothing to draw.
    """
    if of not in FIGURES:
        raise InputError(f"invalid figure '{of}': expected one of {', '.join(FIGURES)}")
    figure = FIGURES[of]
    made = {each.anchor: each for each in figure.charts(compute(rows, primary=primary, only=()))}
    found = tuple(made[name] for name in figure.anchors if name in made and made[name].panels)
    if not found:
        raise InputError(f"no {of} to draw: the logs need {figure.needs}")
    return found


def figure_svg(charts: Sequence[Chart], *, columns: int = 2, width: float | None = None) -> str:
    """Return charts below each other as one SVG.

    Text stays text, in a sans-serif font.

    Args:
        charts: The charts.
        columns: Panels beside each other.
        width: Width in mm, with the height in proportion; left out, marks and text have the size
            that they have on the page (text of 9 pt).
    """
    ElementTree.register_namespace("", _SVG)
    root = ElementTree.Element(f"{{{_SVG}}}svg")
    background = _add(root, "rect", fill="white")
    y = right = 0.0
    for chart in charts:
        below, end = _draw_chart(root, chart, y, columns, titled=len(charts) > 1)
        y, right = below + _GAP, max(right, end)
    height = max(y - _GAP, 1.0)
    inches = width / _MM_PER_INCH if width else right / _PX_PER_INCH
    for element, unit in ((root, "in"), (background, "")):
        size = (inches, inches * height / right) if unit else (right, height)
        for name, value in zip(("width", "height"), size, strict=True):
            element.set(name, f"{value:.5g}{unit}")
    root.set("viewBox", f"0 0 {right:.5g} {height:.5g}")
    return ElementTree.tostring(root, encoding="unicode")


def write_figure(svg: str, path: str | Path, *, dpi: float = 300) -> None:
    """Write a figure to a file.

    Args:
        svg: What `figure_svg` returns.
        path: A path or URL; its suffix is the format. An existing file is replaced as a whole.
        dpi: Pixels per inch of a .png file.

    Raises:
        InputError: Unknown format, or the file cannot be written.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f"invalid format of '{path}': expected {', '.join(SUFFIXES)}")
    content = _converted(svg, suffix, dpi)
    try:
        with replacing(path) as part:
            part.write_bytes(content)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from None


def _converted(svg: str, suffix: str, dpi: float) -> bytes:
    import vl_convert

    if suffix == ".svg":
        return svg.encode("utf-8")
    root = ElementTree.fromstring(svg)
    # vl_convert takes a px for 1/72 inch, and knows no other units
    for name in ("width", "height"):
        inches = float(root.attrib[name].removesuffix("in"))
        root.set(name, f"{inches * _POINTS_PER_INCH:.5g}")
    in_points = ElementTree.tostring(root, encoding="unicode")
    if suffix == ".pdf":
        return bytes(vl_convert.svg_to_pdf(in_points))
    return bytes(vl_convert.svg_to_png(in_points, ppi=dpi))


def _draw_chart(
    root: ElementTree.Element, chart: Chart, y: float, columns: int, *, titled: bool
) -> tuple[float, float]:
    """Add a chart below `y`, and return its lower and its right end."""
    panels = [(panel, ElementTree.fromstring(panel.svg)) for panel in chart.panels]
    sizes = [(float(svg.get("width", 0)), float(svg.get("height", 0))) for _, svg in panels]
    room = max(width for width, _ in sizes)
    beside = min(columns, len(panels))
    end = beside * room + (beside - 1) * _GAP
    if titled:
        y = _text(root, wrap(chart.title, int(end / _CHARACTER)), 0, y, weight="bold") + 4
    if chart.legend:
        y = _draw_legend(root, chart.legend, y, end) + 4
    for start in range(0, len(panels), beside):
        line = panels[start : start + beside]
        names = [_lines(panel, room) for panel, _ in line]
        top = y + _LINE * max(map(len, names)) + 4
        for place, ((_, svg), name) in enumerate(zip(line, names, strict=True)):
            x = place * (room + _GAP)
            _text(root, name, x, top - 4 - _LINE * len(name), weight="bold")
            svg.attrib |= {"x": f"{x:.5g}", "y": f"{top:.5g}"}
            root.append(svg)
        y = top + max(height for _, height in sizes[start : start + beside]) + _GAP
    return y - _GAP, end


def _draw_legend(root: ElementTree.Element, keys: Sequence[Key], y: float, end: float) -> float:
    """Add the keys of a legend below `y` in lines of at most `end`, and return its lower end."""
    x = 0.0
    for key in keys:
        needed = _KEY_WIDTH + _CHARACTER * len(key.label) + _GAP
        if x and x + needed > end:
            x, y = 0.0, y + _LINE + 2
        mark = _add(root, "g", transform=f"translate({x + 19:.5g},{y + _LINE / 2:.5g})")
        dash = {"stroke-dasharray": ",".join(map(str, key.dash))} if key.dash else {}
        _add(
            mark,
            "path",
            d="M-18,0H18",
            fill="none",
            stroke=key.color,
            **{"stroke-width": "1.6"} | dash,
        )
        _add(mark, "path", d=key.shape, fill=key.color)
        _text(root, [key.label], x + _KEY_WIDTH, y)
        x += needed
    return y + _LINE


def _lines(panel: Panel, room: float) -> list[str]:
    """The title of a panel in lines that have room above it."""
    return wrap(_ISOLATES.sub("", panel.title), int(room / _CHARACTER)) or [""]


def _text(
    root: ElementTree.Element, lines: Sequence[str], x: float, y: float, *, weight: str = "normal"
) -> float:
    """Add lines of text below `y`, and return their lower end."""
    for line in lines:
        y += _LINE
        attributes = {"font-family": _FONT, "font-size": f"{_SIZE}px", "font-weight": weight}
        element = _add(root, "text", x=f"{x:.5g}", y=f"{y - 4:.5g}", fill=_INK, **attributes)
        element.text = line
    return y


def _add(parent: ElementTree.Element, name: str, **attributes: Any) -> ElementTree.Element:
    return ElementTree.SubElement(parent, f"{{{_SVG}}}{name}", attributes)
