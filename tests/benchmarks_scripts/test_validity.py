"""The command behind docs/validity.md runs, and the page has a row for every figure."""

from __future__ import annotations

import argparse
import io
import multiprocessing.dummy
import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.processes import completed

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"
SCRIPT = BENCHMARKS / "validity.py"
PAGE = ROOT / "docs" / "validity.md"

TRY = ["--studies", "2", "--large", "60", "--jobs", "1", "--designs", "^100 × 5, 0.7, mixture$"]
SMALL = [*TRY, "--only", "^(cell|passes)"]

Row = list[str]


@pytest.fixture(scope="module")
def scripts() -> Iterator[dict[str, ModuleType]]:
    """The modules of the benchmark, which stand in no package."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        wanted = ("studied_figures", "studied_logs", "validity", "validity_reasons")
        yield {name: import_module(name) for name in wanted}
    finally:
        sys.path.remove(str(BENCHMARKS))


def rows(page: str) -> dict[str, list[Row]]:
    """By function, the cells of its table's rows."""
    found = {}
    for section in page.split("\n## `")[1:]:
        lines = [line for line in section.splitlines() if line.startswith("| `")]
        cells = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in lines]
        found[section.partition("`")[0]] = cells
    return found


def names(page: str) -> set[tuple[str, str]]:
    """Function and metric of each row; k and the condition are no part of the metric."""
    return {
        (function, row[0].split(" ")[0]) for function, cells in rows(page).items() for row in cells
    }


@pytest.fixture(scope="module")
def shown(scripts: dict[str, ModuleType]) -> set[tuple[str, str]]:
    """Function and metric of everything that frames and logs can show, from the code."""
    import numpy as np

    figures, logs = scripts["studied_figures"], scripts["studied_logs"]
    design = figures.Design(12, 3, 0.7, unread=0.1)
    found = set()
    for family in figures.FAMILIES.values():
        for effect in family.effects:
            table = family.build(design, effect, np.random.default_rng(0), 2)
            for function, make in family.functions.items():
                frame = figures.figures(function, make, table, few=True)
                found |= {(function, metric) for metric in frame["metric"]}
    for kind in logs.KINDS:
        frame = logs.figures(kind, figures.Design(12, 3, 0.7), np.random.default_rng(0), 2)
        found |= set(zip(frame["function"], frame["metric"], strict=True))
    return found


@pytest.mark.slow
def test_every_figure_that_can_be_shown_has_rows(shown: set[tuple[str, str]]) -> None:
    assert ("accuracy", "accuracy") in shown
    assert ("log: answer", "accuracy") in shown
    studied = names(PAGE.read_text(encoding="utf-8"))
    # the main table shows changes as `changes` has them
    joined = {("main_table", metric) for function, metric in studied if function == "changes"}
    missing = shown - studied - joined
    assert not missing, sorted(missing)


def test_every_public_comparison_is_studied(scripts: dict[str, ModuleType]) -> None:
    from vr_evals import analysis

    studied = {name for f in scripts["studied_figures"].FAMILIES.values() for name in f.functions}
    # these estimate nothing, or arrange what others estimate
    others = {"COLUMNS", "authority_table", "read_logs", "read_scores", "read_trials"}
    others |= {"CountedTask", "StudyPlan"}
    assert set(analysis.__all__) - others <= studied


def test_every_frame_of_the_report_is_studied(scripts: dict[str, ModuleType]) -> None:
    from vr_evals.report.results import FRAMES

    studied = {name for f in scripts["studied_figures"].FAMILIES.values() for name in f.functions}
    same = {
        "models": "compare_models",
        "model_agreement": "agreement_between_models",
        "read_rates": "read_rate_changes",
        "main": "main_table",
        "quality": "main_table",
        "pooled_reliability": "reliability",
    }
    assert {same.get(name, name) for name in FRAMES} <= studied


@pytest.fixture(scope="module")
def study(
    scripts: dict[str, ModuleType], tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, str]:
    """The page, and what was printed, of a run with few studies, in this process."""
    page = tmp_path_factory.mktemp("page") / "validity.md"
    words = [str(SCRIPT), *SMALL, "--seed", "3", "--output", str(page)]
    with pytest.MonkeyPatch.context() as patched, redirect_stdout(io.StringIO()) as printed:
        patched.setattr(sys, "argv", words)
        threads = SimpleNamespace(get_context=lambda method: multiprocessing.dummy)
        patched.setattr(scripts["validity"], "multiprocessing", threads)
        with pytest.raises(SystemExit) as end:
            scripts["validity"].main()
    assert end.value.code in (0, 1)
    return page.read_text(encoding="utf-8"), printed.getvalue()


def test_the_page_has_the_printed_figures_and_the_command(study: tuple[str, str]) -> None:
    page, printed = study
    lines = [line for line in printed.splitlines() if line.startswith("| `")]
    assert lines
    assert all(line in page for line in lines)
    assert "python benchmarks/validity.py --studies 2 --seed 3 --large 60" in page


@pytest.mark.slow
def test_figures_depend_on_the_seed_and_not_on_the_processes(study: tuple[str, str]) -> None:
    words = [word if word != "1" else "2" for word in SMALL]
    again = completed([sys.executable, SCRIPT, *words, "--seed", "3"])
    assert "Traceback" not in again.stderr
    lines = [line for line in again.stdout.splitlines() if line.startswith("| `")]
    assert lines
    assert all(line in study[1] for line in lines)


CASES = [
    ({"covered": 0.95}, False),
    ({"covered": 0.9}, True),
    ({"covered": 0.99}, True),
    ({"rejected": 0.2}, True),
    ({"rejected": 0.2, "effect": "effect"}, False),
    ({"contradicted": 1}, True),
    ({"mean": 0.1}, True),
    ({"of": "bounds", "covered": 0.99}, True),
    ({"of": "bounds", "covered": 1.0}, False),
]


@pytest.mark.parametrize(("changes", "off"), CASES)
def test_what_is_off_is_seen(
    scripts: dict[str, ModuleType], changes: dict[str, object], off: bool
) -> None:
    row = studied(scripts, changes)
    assert bool(row.faults) == off
    if off and ("contradicted" in changes or "rejected" in changes):
        assert scripts["validity_reasons"].reason(row) is None


def test_kept_rows_need_no_new_studies_and_those_off_are_studied_again(
    scripts: dict[str, ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    validity, seen = scripts["validity"], []
    off, larger = studied(scripts, {"rejected": 0.2}), studied(scripts, {"rejected": 0.06})

    def study(cells: list[Any], options: argparse.Namespace) -> Iterator[tuple[Any, list[Any]]]:
        seen.append((len(cells), options.seed, options.studies))
        for cell in cells:
            yield cell, [off if options.seed == 0 else larger]

    monkeypatch.setattr(validity, "_studied", study)
    page, kept = tmp_path / "validity.md", tmp_path / "kept.jsonl"
    words = [*TRY, "--only", "^cell", "--kept", str(kept), "--output", str(page)]
    for more, expected in (
        ([], [(1, 0, 2)]),
        ([], [(0, 0, 2)]),
        (["--again", "3"], [(0, 0, 2), (1, 1, 6)]),
        (["--again", "3"], [(0, 0, 2), (0, 1, 6)]),
        (["--large", "70"], [(1, 0, 2)]),
    ):
        seen.clear()
        monkeypatch.setattr(sys, "argv", [str(SCRIPT), *words, *more])
        with pytest.raises(SystemExit) as end:
            validity.main()
        assert seen == expected
        assert bool(end.value.code) == ("--again" not in more)


def studied(scripts: dict[str, ModuleType], changes: dict[str, object]) -> Any:
    """A row of a good estimate, but for the changes."""
    good = {
        "function": "changes",
        "metric": "change_from_level0",
        "of": "",
        "design": scripts["studied_figures"].Design(),
        "effect": "none",
        "truth": 0.0,
        "is_known": True,
        "mean": 0.0,
        "error": 0.001,
        "covered": 0.95,
        "refused": 0.0,
        "rejected": 0.05,
        "contradicted": 0,
        "studies": 4000,
        "intervals": 4000,
    }
    return scripts["validity_reasons"].Row(**good | changes)


def test_the_shipped_page_explains_what_is_off_and_excuses_no_broken_promise() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for row in (row for cells in rows(page).values() for row in cells):
        name, *_, coverage, _, _, note = row
        if name.endswith("bounds"):
            assert coverage == "100.0%", row
        elif coverage and not 93 <= float(coverage.rstrip("%")) <= 97:
            assert re.fullmatch(r"reason \d+", note), row
        assert note != "**no reason**", row
    assert "0 rows have none." in page
    assert "contradict in 0 of" in page
    [studies] = re.findall(r"With (\d+) studies", page)
    assert int(studies) >= 200
