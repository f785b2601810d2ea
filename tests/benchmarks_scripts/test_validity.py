"""The command behind docs/validity.md runs, and the page has every estimator and test."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "benchmarks" / "validity.py"
PAGE = ROOT / "docs" / "validity.md"

INTERVALS = {
    "accuracy, wilson_clustered",
    "accuracy, clustered_mean",
    "accuracy of read answers, bootstrap ratio",
    "ece, ece_interval",
    "ece, plain percentile bootstrap (not used)",
    "ece_floor",
    "brier",
    "auroc",
    "overconfidence",
    "mean confidence, clustered_mean",
    "flip rate",
    "good_flip_of_wrong",
    "bad_flip_of_right",
    "flip_floor",
    "excess_flip",
    "excess_compliance",
    "relative_excess_compliance",
    "compliance@1",
    "compliance@3",
    "agreement",
}
TESTS = {"mcnemar", "sign_flip", "cochran_q", "trend", "holm"}


def rows(page: str, heading: str) -> list[list[str]]:
    """The cells of the table below a heading, without its own two rows."""
    section = page.split(f"## {heading}\n")[1].split("\n## ")[0]
    table = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in table[2:]]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The page, and what was printed, of a run with few studies."""
    page = tmp_path_factory.mktemp("validity") / "validity.md"
    words = ["--studies", "8", "--seed", "3", "--output", str(page)]
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return page.read_text(encoding="utf-8"), done.stdout


@pytest.mark.parametrize("which", ["new", "shipped"])
def test_the_tables_have_every_estimator_and_test(which: str, study: tuple[str, str]) -> None:
    page = study[0] if which == "new" else PAGE.read_text(encoding="utf-8")
    assert {row[0] for row in rows(page, "Estimates and intervals")} == INTERVALS
    assert {row[0] for row in rows(page, "Tests")} == TESTS


def test_the_page_has_the_printed_figures_and_the_command(study: tuple[str, str]) -> None:
    page, printed = study
    tables = [line for line in page.splitlines() if re.match(r"\| .* × ", line)]
    tables = [line for line in tables if "items × epochs" not in line]
    assert sorted(tables) == sorted(line for line in printed.splitlines() if line.startswith("| "))
    assert "python benchmarks/validity.py --studies 8 --seed 3" in page


def test_the_shipped_page_has_enough_studies_and_says_where_coverage_is_off() -> None:
    page = PAGE.read_text(encoding="utf-8")
    studies: dict[str, int] = {}
    off = 0
    for row in [*rows(page, "Estimates and intervals"), *rows(page, "Tests")]:
        studies[row[0]] = studies.get(row[0], 0) + int(row[-1].replace(",", ""))
    for row in rows(page, "Estimates and intervals"):
        off += not 93 <= float(row[-2].rstrip("%")) <= 97
    assert min(studies.values()) >= 4000
    section = page.split("## Where coverage is not within")[1].split("\n## ")[0]
    assert len(re.findall(r"^  - ", section, flags=re.M)) == off
    assert "Not explained" not in section
