"""The script that compares the numbers of two dumps."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def script() -> Iterator[ModuleType]:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        yield import_module("compare_outputs")
    finally:
        sys.path.remove(str(BENCHMARKS))


def dump(folder: Path, frame: pd.DataFrame, text: list[str], chart: list[str]) -> Path:
    folder.mkdir()
    frame.to_csv(folder / "frame.csv", index=False)
    svg = f'<svg width="1" role="img"><path d="M{" ".join(chart)}"/></svg>'
    page = f'<section id="run" x><p>{" and ".join(text)}</p><figure >{svg}</figure></section>'
    (folder / "page.html").write_text(page)
    return folder


FRAME = pd.DataFrame({"metric": ["a", "b"], "estimate": [0.5, 0.25]})


@pytest.mark.parametrize(
    ("frame", "text", "chart", "line", "differs"),
    [
        (FRAME, ["1", "2"], ["0"], "no value differs", False),
        (FRAME.rename(columns={"estimate": "value"}), ["1", "2"], ["0"], "renamed value", False),
        (FRAME.assign(metric=["a", "c"]), ["1", "2"], ["0"], "'b' is now 'c'", False),
        (FRAME.assign(estimate=[0.5, 0.26]), ["1", "2"], ["0"], "'0.25' is now '0.26'", True),
        (FRAME.drop(columns="estimate"), ["1", "2"], ["0"], "estimate dropped", True),
        (FRAME[:1], ["1", "2"], ["0"], "2 rows before, 1 after", True),
        (FRAME, ["1", "3"], ["0"], "gone: 2", True),
        (FRAME, ["1", "2"], ["1"], "chart 1", True),
    ],
)
def test_values_that_differ_are_told_from_names(
    script: ModuleType,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    frame: pd.DataFrame,
    text: list[str],
    chart: list[str],
    line: str,
    differs: bool,
) -> None:
    before = dump(tmp_path / "before", FRAME, ["1", "2"], ["0"])
    after = dump(tmp_path / "after", frame, text, chart)
    assert script.compare(before, after) is differs
    assert line in capsys.readouterr().out
