"""Runs that are killed, stopped or cannot be written: what was finished is not lost.

Each is gone on with as a user would, and then has the rows and figures of an undisturbed run.
``benchmarks/faults.py`` has many more faults, and all ways to go on.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import eval_retry
from inspect_ai.log import EvalLog
from inspect_ai.model import get_model

from benchmarks.disturbances import can_mount
from benchmarks.faults import FAULTS, Result, strike
from benchmarks.faulty_provider import Provider
from benchmarks.faulty_runs import Size, Way, compare, left
from tests.commands.running import SMALL, contents, ran, run
from tests.models_for_tests import QUIETLY
from tests.wire.script import DROPPED, Answer, Garbage
from vr_evals.analysis import read_logs

AT_ONCE = 4
"""Calls that are open at once, so samples that can be half done."""

needs_mount = pytest.mark.skipif(not can_mount(), reason="no file system can be mounted here")


def struck(fault: str, way: Way, folder: Path) -> Result:
    """Strike, and check what holds of every fault."""
    result = strike(FAULTS[fault], way, folder)
    difference = result.difference
    assert (difference.lost, difference.twice) == (0, 0), result.again
    assert difference.equal
    assert result.again
    assert result.again.code == 0, result.again.shown
    assert 0 <= result.answered - result.kept <= AT_ONCE
    return result


@pytest.mark.slow
def test_killed_between_the_passes(tmp_path: Path) -> None:
    result = struck("kill-between", "vr-evals-run", tmp_path)
    assert result.struck.code == -9
    assert result.between
    assert not result.between.rows["complete"].any()
    [reason] = result.after.skipped.values()
    assert "ended as 'started'; retried in" in reason


@pytest.mark.slow
def test_killed_while_the_log_is_written(tmp_path: Path) -> None:
    result = struck("kill-writing", "eval-retry", tmp_path)
    assert result.struck.code == -9
    assert list((tmp_path / "logs").glob(".inspect_tmp_*")), "it was not killed while it wrote"
    assert len(result.after.skipped) == 1


@pytest.mark.slow
def test_ctrl_c(tmp_path: Path) -> None:
    """Inspect says then that all is completed successfully, and gives no log back."""
    result = struck("ctrl-c", "vr-evals-run", tmp_path)
    assert result.struck.code == 1
    said = "stopped: 1 of 1 logs are unfinished; repeat the command to resume"
    assert said in result.struck.shown.splitlines()


@needs_mount
@pytest.mark.slow
def test_a_full_disk(tmp_path: Path) -> None:
    result = struck("disk-full", "eval-retry", tmp_path)
    assert "No space left on device" in result.struck.shown


@pytest.fixture(scope="module")
def _provider() -> Iterator[Provider]:
    provider = Provider(delay=0)
    yield provider
    provider.close()


@pytest.fixture
def provider(_provider: Provider, monkeypatch: pytest.MonkeyPatch) -> Provider:
    """One for all tests: Inspect keeps the model that a retry makes, with its address."""
    monkeypatch.setenv("ANTHROPIC_BASE_URL", _provider.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "opens-nothing")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    _provider.replies.clear()
    return _provider


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(DROPPED, id="reset", marks=pytest.mark.slow),
        pytest.param(Garbage("<html>Bad gateway</html>"), id="a web page", marks=pytest.mark.slow),
        pytest.param(Garbage("{}"), id="an empty object"),
    ],
)
def test_a_provider_in_trouble(answer: Answer, provider: Provider, tmp_path: Path) -> None:
    logs, calm, size = tmp_path / "logs", tmp_path / "calm", Size(items=6)

    def asked(folder: Path) -> EvalLog:
        [log] = inspect_eval(
            "vr_evals/ethics_level5",
            model=get_model("anthropic/claude-sonnet-4-5", memoize=False),
            task_args={"dataset": "sample", "items": size.items, "include_confidence": True},
            epochs=size.epochs,
            max_connections=AT_ONCE,
            max_retries=0,
            log_dir=str(folder),
            **QUIETLY,
        )
        return log

    calls = count(1)
    provider.trouble = lambda nth: answer if next(calls) >= 9 else None
    log = asked(logs)
    assert log.status == "error"
    assert read_logs(logs).empty
    answered = provider.replies["second"]

    provider.trouble = lambda nth: None
    [log] = eval_retry(log, log_dir=str(logs))
    assert log.status == "success"
    assert provider.replies["second"] == size.samples
    assert 0 < answered < size.samples
    assert asked(calm).status == "success"
    difference = compare(left(logs), left(calm))
    assert (difference.lost, difference.twice, difference.equal) == (0, 0, True)


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A folder that its user cannot write, and may want logs in."""
    folder = tmp_path / "archive"
    folder.mkdir()
    if os.geteuid():
        folder.chmod(0o555)
        yield folder
        folder.chmod(0o755)
        return
    if not can_mount():
        pytest.skip("root may write everywhere, and no file system can be mounted here")
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", str(folder)], check=True, timeout=600
    )
    yield folder
    subprocess.run(["umount", str(folder)], check=True, timeout=600)


@pytest.mark.parametrize("below", ["", "study/logs"])
def test_a_read_only_folder_is_one_line(read_only: Path, below: str) -> None:
    folder = read_only / below
    result = run(*SMALL, "--log-dir", str(folder))
    assert result.exit_code == 2, (result.output, result.exception)
    [line] = [line for line in result.output.splitlines() if line.startswith("Error: ")]
    assert line == f"Error: {folder}: cannot write logs: {read_only} is read-only"
    ran(*SMALL, "--log-dir", str(folder), "--dry-run")


@pytest.mark.parametrize("part", [0, 0.5])
def test_a_log_that_is_cut_off_is_named(part: float, tmp_path: Path) -> None:
    words = (*SMALL, "--limit", "2", "--log-dir", str(tmp_path))
    ran(*words)
    [log] = tmp_path.glob("*.eval")
    whole = log.read_bytes()
    log.write_bytes(whole[: int(len(whole) * part)])
    before = contents(tmp_path)
    [skipped] = read_logs(tmp_path).attrs["skipped"]
    assert skipped["log"] == str(log)
    assert skipped["reason"].startswith("unreadable (")

    result = run(*words)
    assert result.exit_code == 2, (result.output, result.exception)
    [line] = [line for line in result.output.splitlines() if line.startswith("Error: ")]
    assert line.startswith(f"Error: {log}: unreadable (")
    assert line.endswith("); move it out of the folder to run its samples again")
    assert contents(tmp_path) == before

    shutil.move(log, tmp_path.parent / log.name)
    ran(*words)
    assert len(read_logs(tmp_path)) == 2
