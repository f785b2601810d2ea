"""Log folders on S3: run, table, report, export, shards, and what cannot be reached."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pandas as pd
import pytest

from tests.commands.running import printed, ran, run
from tests.processes import PATIENCE, started
from tests.running.rows import rows
from tests.s3 import loopback_s3, new_bucket
from vr_evals.running import locks
from vr_evals.running.locks import exclusive_lock, shared_lock

GRID = (
    "--benchmark", "ethics", "--levels", "0,5", "--dataset", "sample", "--limit", "3",
    "--model", "vr_sim/careful", "--display", "none",
)  # fmt: skip


@pytest.fixture(scope="module")
def s3() -> Iterator[Mapping[str, str]]:
    with loopback_s3() as environment:
        yield environment


@pytest.fixture
def url(s3: Mapping[str, str]) -> str:
    return f"{new_bucket()}/study/logs"


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "RENEWAL", 0.2)


@pytest.mark.slow
def test_a_grid_on_s3_is_the_grid_in_a_folder(url: str, tmp_path: Path) -> None:
    for shard in ("1/2", "2/2", "2/2"):
        ran(*GRID, "--log-dir", url, "--shard", shard)
    ran(*GRID, "--log-dir", url, "--finish")
    assert "2 already finished" in ran(*GRID, "--log-dir", url)
    ran(*GRID, "--log-dir", tmp_path / "logs")
    pd.testing.assert_frame_equal(rows(url), rows(tmp_path / "logs"))
    assert "careful" in printed("table", url)
    printed("export", url, "--output", tmp_path / "rows.csv")
    assert len(pd.read_csv(tmp_path / "rows.csv")) == 6
    printed("report", url, "--output", tmp_path / "report.html")
    assert "careful" in (tmp_path / "report.html").read_text()


@pytest.mark.slow
def test_two_drivers_on_a_url_would_pay_twice(url: str) -> None:
    with exclusive_lock(url):
        for words in ((), ("--shard", "1/2"), ("--finish",)):
            result = run(*GRID, "--log-dir", url, *words)
            assert result.exit_code == 2
            assert "log directory is locked by another vr-evals run" in result.output
    with shared_lock(url, 1, 2):
        for words in ((), ("--shard", "1/2"), ("--shard", "2/3"), ("--finish",)):
            result = run(*GRID, "--log-dir", url, *words)
            assert result.exit_code == 2
            assert "log directory is locked by --shard 1/2 of another" in result.output
        ran(*GRID, "--log-dir", url, "--shard", "2/2")
    ran(*GRID, "--log-dir", url)


@pytest.mark.slow
def test_a_lease_of_a_killed_process_is_taken_over(url: str, s3: Mapping[str, str]) -> None:
    hold = (
        "import sys, time; from vr_evals.running.locks import exclusive_lock\n"
        "with exclusive_lock(sys.argv[1]): print('held', flush=True); time.sleep(600)"
    )
    with started([sys.executable, "-c", hold, url], stdout=-1, patience=PATIENCE) as other:
        assert other.stdout
        assert other.stdout.readline() == "held\n"
    ran(*GRID, "--log-dir", url)


def test_a_bucket_that_does_not_exist_is_found_before_a_call(s3: Mapping[str, str]) -> None:
    result = run(*GRID, "--log-dir", "s3://no-such-bucket-here/logs")
    assert result.exit_code == 2, result.output
    [line] = [line for line in result.output.splitlines() if line.startswith("Error: ")]
    assert "s3://no-such-bucket-here/logs: cannot write logs: " in line


def test_an_endpoint_that_does_not_answer_is_one_line(
    s3: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    import s3fs

    s3fs.S3FileSystem.clear_instance_cache()
    try:
        result = run(*GRID, "--log-dir", "s3://bucket/logs")
    finally:
        s3fs.S3FileSystem.clear_instance_cache()
    assert result.exit_code == 2, result.output
    [line] = [line for line in result.output.splitlines() if line.startswith("Error: ")]
    assert line.startswith("Error: s3://bucket/logs: ")
    assert "127.0.0.1:9" in line


def test_a_missing_package_is_one_line_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gcsfs", None)
    result = run(*GRID, "--log-dir", "gs://bucket/logs")
    assert result.exit_code == 2, result.output
    [line] = [line for line in result.output.splitlines() if line.startswith("Error: ")]
    assert "gcsfs" in line
