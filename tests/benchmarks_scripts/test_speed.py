"""The scripts that measure reading and large studies run, and measure the rows they should."""

import re
import sys
from pathlib import Path

import pytest

from tests.processes import completed

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.slow
def test_a_growing_study_has_an_exponent_for_each_step(tmp_path: Path) -> None:
    words = ["--models", "2", "--rows", "120", "240", "--folder"]
    steps = ["--steps", "cold table", "warm table"]
    command = [sys.executable, str(BENCHMARKS / "million_rows.py"), *words, str(tmp_path), *steps]
    done = completed(command)
    assert done.stdout.count("24 logs") == 2, done.stderr
    for rows in (120, 240):
        for step in ("cold table", "warm table"):
            assert f" {rows} rows, {step}: " in done.stdout
    assert re.findall(r"^ *(\w+ table): exponent -?[\d.]+$", done.stdout, flags=re.M) == [
        "cold table",
        "warm table",
    ]


@pytest.mark.slow
def test_each_way_of_reading_has_its_rows_and_its_ratio() -> None:
    words = ["--reading", "--logs", "4", "--items", "10", "--rounds", "1"]
    done = completed([sys.executable, str(BENCHMARKS / "analysis_speed.py"), *words])
    assert done.returncode == 0, done.stderr
    ways = re.findall(r"^([\w, ]+): 40 rows; .* ratio [\d.]+$", done.stdout, flags=re.M)
    assert {"cold, one process", "warm", "samples_df"} <= set(ways), done.stdout
