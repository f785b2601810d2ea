"""Figures for a paper: the page's charts in one picture, in each format."""

from __future__ import annotations

import re
import struct
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas as pd
import pytest

from tests.analysis.frames import answer, table
from tests.breadth import some_quick
from tests.commands.running import typed
from tests.report.studies import (
    HOSTILE,
    authority_study,
    hostile_study,
    ladder_study,
    leave_undrawn,
)
from vr_evals.commands.figure import only
from vr_evals.errors import InputError
from vr_evals.report.figures import FIGURES, figure_charts, figure_svg, write_figure

SVG = "{http://www.w3.org/2000/svg}"


def kinds() -> pd.DataFrame:
    """Wrong answers to items whose options have kinds."""
    return ladder_study(items=4, epochs=1).assign(choice_kind="partial_story")


STUDIES: dict[str, Callable[[], pd.DataFrame]] = {
    "effects": ladder_study,
    "accuracy": ladder_study,
    "flips": ladder_study,
    "calibration": ladder_study,
    "authority": authority_study,
    "errors": kinds,
}


def texts(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("of", some_quick(STUDIES, {"effects", "authority", "errors"}.__contains__))
def test_each_figure_has_its_panels(of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    leave_undrawn(monkeypatch)
    charts = figure_charts(STUDIES[of](), of)
    assert {each.anchor for each in charts} <= set(FIGURES[of].anchors)
    found = " ".join(texts(figure_svg(charts)))
    for chart in charts:
        assert all(key.label in found for key in chart.legend)
        assert chart.panels


@pytest.mark.parametrize("of", STUDIES)
def test_a_figure_without_data_is_one_line(of: str) -> None:
    nothing = table(answer(item, "A", None) for item in ("i1", "i2"))
    with pytest.raises(InputError, match=f"no {of} to draw: the logs need ") as caught:
        figure_charts(nothing, of)
    assert "\n" not in caught.value.message


@pytest.fixture(scope="module")
def svg() -> str:
    return figure_svg(figure_charts(ladder_study(items=4, epochs=1), "accuracy"))


def test_a_figure_is_vector_graphics_with_text(svg: str, tmp_path: Path) -> None:
    assert {"right answers, %", "level", "m/one"} <= set(texts(svg))
    assert "<image" not in svg
    write_figure(svg, tmp_path / "x.svg")
    assert (tmp_path / "x.svg").read_text(encoding="utf-8") == svg
    write_figure(svg, tmp_path / "x.pdf")
    content = (tmp_path / "x.pdf").read_bytes()
    assert content.startswith(b"%PDF")
    assert b"/BaseFont" in content, "text is text in an embedded font"
    assert b"/Subtype/Image" not in content.replace(b" ", b"")


@pytest.mark.parametrize(("width", "dpi"), [(120.0, 300), (85.0, 100)])
def test_a_figure_has_the_size_asked_for(width: float, dpi: int, tmp_path: Path) -> None:
    charts = figure_charts(ladder_study(items=3, epochs=1, levels=(0, 1)), "accuracy")
    found = figure_svg(charts, width=width)
    root = ElementTree.fromstring(found)
    assert float(root.attrib["width"].removesuffix("in")) == pytest.approx(width / 25.4, rel=1e-3)
    write_figure(found, tmp_path / "x.png", dpi=dpi)
    content = (tmp_path / "x.png").read_bytes()
    pixels = struct.unpack(">I", content[16:20])[0]
    assert pixels == pytest.approx(width / 25.4 * dpi, abs=1.5)
    place = content.index(b"pHYs") + 4
    assert struct.unpack(">I", content[place : place + 4])[0] == pytest.approx(dpi / 0.0254, abs=1)
    write_figure(found, tmp_path / "x.pdf")
    box = re.search(rb"/MediaBox ?\[0 0 ([\d.]+)", (tmp_path / "x.pdf").read_bytes())
    assert box
    assert float(box[1]) == pytest.approx(width / 25.4 * 72, rel=0.005)


def test_panels_are_in_columns(svg: str) -> None:
    charts = figure_charts(ladder_study(items=4, epochs=1), "accuracy")
    one, two = (ElementTree.fromstring(figure_svg(charts, columns=n)) for n in (1, 2))
    width, height = (
        [float(each.attrib["viewBox"].split()[place]) for each in (one, two)] for place in (2, 3)
    )
    assert width[0] < width[1]
    assert height[0] > height[1]


def test_hostile_names_are_text() -> None:
    found = figure_svg(figure_charts(hostile_study(), "accuracy"))
    root = ElementTree.fromstring(found)
    assert not list(root.iter(f"{SVG}script"))
    assert not list(root.iter(f"{SVG}img"))
    assert any("<script>" in text for text in texts(found))
    assert "\u202e" not in found


def test_only_models_that_are_in_the_logs() -> None:
    study = ladder_study(models=("m/one", "m/two", "a,b"))
    assert set(only(study, "model", ["m/one,m/two"])["model"]) == {"m/one", "m/two"}
    assert set(only(study, "model", ["a,b", "m/one"])["model"]) == {"a,b", "m/one"}
    assert only(study, "model", []) is study
    for column, name in (("model", "m/three"), ("benchmark", HOSTILE["control"])):
        with pytest.raises(InputError, match=f"invalid {column} '.*': not in the logs") as caught:
            only(study, column, [name])
        assert caught.value.message.isprintable()


def read_instead(monkeypatch: pytest.MonkeyPatch, study: pd.DataFrame) -> None:
    """Let the command read a study, whatever logs it is given."""
    monkeypatch.setattr("vr_evals.commands.log_rows.read_rows", lambda *words: study)


@pytest.mark.parametrize(
    ("given", "code", "found"),
    [
        (["--of", "accuracy", "-o", "x.gif"], 2, "expected .svg or .pdf or .png"),
        (["--of", "nothing", "-o", "x.svg"], 2, "'nothing' is not one of"),
        (["--of", "accuracy", "-o", "x.svg", "--dpi", "300"], 2, "--dpi needs a .png file"),
        (["--of", "accuracy", "-o", "x.svg", "--primary", __file__], 2, "--primary needs --of"),
        (["--of", "errors", "-o", "x.svg"], 1, "no errors to draw: the logs need"),
        (["--of", "accuracy", "-o", "x.svg", "--models", "x"], 1, "'x': not in the logs"),
    ],
)
def test_what_cannot_be_drawn_is_one_line(
    given: list[str], code: int, found: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    read_instead(monkeypatch, ladder_study())
    result = typed("figure", ".", *given)
    assert result.exit_code == code
    assert found in result.stderr.splitlines()[-1]
    assert not list(tmp_path.iterdir())


def test_the_command_writes_a_figure_and_prints_a_caption(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    leave_undrawn(monkeypatch)
    read_instead(monkeypatch, ladder_study())
    path = tmp_path / "x.svg"
    result = typed("figure", ".", "--of", "accuracy", "-o", path, "--models", "m/one")
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{path}\n"
    assert "95% interval" in result.stderr
    assert "m/two" not in path.read_text(encoding="utf-8")


def test_a_missing_extra_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    result = typed("figure", ".", "--of", "accuracy", "-o", "x.svg")
    assert result.exit_code == 1
    assert "a figure needs vl_convert, which is not installed" in result.stderr


def test_a_figure_that_is_none_or_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for call, message in (
        (
            lambda: figure_charts(ladder_study(), "nothing"),
            "invalid figure 'nothing': expected one of effects",
        ),
        (lambda: write_figure("<svg/>", "x.gif"), "invalid format of 'x.gif': expected .svg"),
        (lambda: write_figure("<svg/>", tmp_path / "file/x.svg"), "x.svg cannot be written: Not a"),
    ):
        with pytest.raises(InputError, match=message):
            call()


def test_panels_that_were_not_drawn_are_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    leave_undrawn(monkeypatch)
    read_instead(monkeypatch, ladder_study())
    drawn = figure_charts

    def some(*given: Any, **named: Any) -> Any:
        return tuple(replace(chart, left_out=3) for chart in drawn(*given, **named))

    monkeypatch.setattr("vr_evals.report.figures.figure_charts", some)
    result = typed("figure", ".", "--of", "accuracy", "-o", tmp_path / "x.svg")
    assert "3 more panels not drawn; choose with --models and --benchmarks" in result.stderr
