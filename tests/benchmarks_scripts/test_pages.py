"""The scripts that make pages run: null pages claim nothing typed, and an effect is claimed."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from tests.processes import completed

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"
ASKED = ["levels", "thinking", "models", "authority"]
QUESTIONS = [
    *ASKED,
    "calibration",
    *(f"{question}_{kind}" for kind in ("answer", "cells", "exploratory") for question in ASKED),
]


@pytest.fixture(scope="module")
def pages() -> Iterator[ModuleType]:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        yield import_module("null_pages")
    finally:
        sys.path.remove(str(BENCHMARKS))


SHARE = re.compile(r"^(\w+): ([0-9]) of \d pages .* \[[\d.]+%, [\d.]+%\]", flags=re.M)


def test_each_question_has_its_share_with_an_interval(
    pages: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    nothing: dict[str, dict[str, int]] = {question: {} for question in QUESTIONS}
    assert pages.judged([nothing, nothing])
    assert SHARE.findall(capsys.readouterr().out) == [(question, "0") for question in QUESTIONS]
    assert not pages.judged([nothing | {"levels": {"changes": 1}}] * 9)
    assert SHARE.findall(capsys.readouterr().out)[0] == ("levels", "9")


@pytest.mark.slow
def test_the_whole_script_makes_a_page() -> None:
    words = [str(BENCHMARKS / "null_pages.py"), "--pages", "1", "--logs", "0", "--jobs", "1"]
    done = completed([sys.executable, *words])
    assert done.returncode in (0, 1), done.stderr
    assert [question for question, _ in SHARE.findall(done.stdout)] == QUESTIONS


@pytest.mark.slow
def test_what_does_differ_is_claimed_for_its_question(pages: ModuleType) -> None:
    import numpy as np

    table = pages.null_study(np.random.default_rng(0), pages.Design(30, 3, 0.6))
    ladder = table["condition"].isna()
    right = ladder & ((table["level"] == 2) | (table["model"] == pages.MODELS[1])).fillna(False)
    table.loc[right, ["label", "choice", "correct"]] = ["A", "0", True]
    harmed = table["condition"].eq("high_harm").fillna(False)
    table.loc[harmed, ["label", "choice", "correct", "complied"]] = ["B", "1", False, True]
    table["confidence"] = table["confidence"].where(ladder & ~right, 100.0)
    found = pages.claims(table)
    claimed = {question for question, counts in found.items() if counts}
    # on other outcomes, and between cells, this study differs in more than one way
    assert {name for name in claimed if not name.endswith(("_cells", "_exploratory"))} == {
        "levels",
        "models",
        "authority",
        "calibration",
        *(f"{question}_answer" for question in ("levels", "models", "authority")),
    }


@pytest.mark.slow
def test_the_cost_of_a_page_is_given_as_a_ratio(tmp_path: Path) -> None:
    if not (ROOT / ".venv" / "bin" / "vr-evals").exists():
        pytest.skip("no .venv in the checkout")
    from inspect_ai import eval as inspect_eval

    inspect_eval(
        "vr_evals/ethics_level0",
        model="vr_sim/careful",
        task_args={"dataset": "sample", "items": 2},
        log_dir=str(tmp_path),
        display="none",
    )
    words = [str(ROOT), str(ROOT), "--logs", str(tmp_path), "--rounds", "1"]
    done = completed([sys.executable, BENCHMARKS / "page_cost.py", *words])
    assert re.search(r"ratio \d\.\d{3}, \d\.\d{3} to \d\.\d{3} by round", done.stdout), done.stderr
