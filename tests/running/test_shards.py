"""A grid in shares: disjoint, equal, resumed, and finished as if it were one run."""

import re
import shlex
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from inspect_ai.log import EvalResults

from tests.commands.running import finished, logs, ran, run
from tests.processes import kill, started
from tests.running.rows import rows
from vr_evals.errors import InputError
from vr_evals.levels import Level
from vr_evals.running.captured import CAPTURE_VARIABLE, CapturedTask
from vr_evals.running.cell_logs import cell_logs
from vr_evals.running.eval_grid import prepare_grid
from vr_evals.running.folder import GridLog, grid_logs
from vr_evals.running.grid import level_grid
from vr_evals.running.shards import Shard

PAGE = (Path(__file__).parents[2] / "docs" / "many-machines.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^vr-evals (run .*)$", PAGE, flags=re.M)

GRID = (
    "--benchmark", "ethics", "--levels", "0,1,5", "--dataset", "sample", "--limit", "3",
    "--model", "vr_sim/careful", "--display", "none",
)  # fmt: skip


def captured(number: int) -> list[CapturedTask]:
    return [CapturedTask(f"task{i}", f"task{i}", "m", {}, 1, 1) for i in range(number)]


def shards(count: int) -> list[Shard]:
    return [Shard(index, count) for index in range(1, count + 1)]


@pytest.fixture(scope="module")
def one_log(tmp_path_factory: pytest.TempPathFactory) -> tuple[CapturedTask, GridLog]:
    log_dir = str(tmp_path_factory.mktemp("logs"))
    cells = level_grid(["ethics"], [Level(0)], [False], {"dataset": "sample"})
    prepared = prepare_grid(cells, ["vr_sim/careful"], log_dir, limit=1, display="none")
    assert prepared.run()[0]
    [task], [log] = prepared.capture(), grid_logs(prepared.plan, log_dir, {})
    return task, log


@pytest.mark.parametrize(("number", "count"), [(200, 8), (7, 3), (2, 5), (0, 2), (1, 1)])
def test_shares_are_disjoint_and_equal(number: int, count: int) -> None:
    tasks = captured(number)
    shares = [shard.of(tasks) for shard in shards(count)]
    assert Counter(task.name for share in shares for task in share) == {
        task.name: 1 for task in tasks
    }
    sizes = [len(share) for share in shares]
    assert max(sizes) - min(sizes) <= 1
    assert sizes == [shard.size(number) for shard in shards(count)]
    assert [shard.of(tasks[::-1]) for shard in shards(count)] == shares, "whatever the order"


@pytest.mark.parametrize("text", ["9/8", "0/8", "x", "1", "1/", "/8", "-1/8", "1/8/2", "²/8", ""])
def test_what_is_no_share_is_one_line_and_code_2(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="invalid shard"):
        Shard.parse(text)
    result = run(*GRID, "--log-dir", tmp_path / "logs", "--shard", text)
    assert result.exit_code == 2
    assert f"invalid shard {text!r}" in result.output
    assert not (tmp_path / "logs").exists()


def test_a_share_does_not_finish_and_a_worker_has_no_share(tmp_path: Path) -> None:
    log_dir = tmp_path / "logs"
    both = run(*GRID, "--log-dir", log_dir, "--shard", "1/2", "--finish")
    driven = {CAPTURE_VARIABLE: str(tmp_path / "capture.json")}
    worker = run(*GRID, "--log-dir", log_dir, "--shard", "1/2", **driven)
    for result in (both, worker):
        assert result.exit_code == 2
        assert "--shard" in result.output.splitlines()[-1]
    assert not log_dir.exists()


def test_shares_finished_are_the_grid_in_one_process(tmp_path: Path) -> None:
    one, many = tmp_path / "one", tmp_path / "many"
    ran(*GRID, "--log-dir", one)
    output = ran(*GRID, "--log-dir", many, "--shard", "1/2")
    assert "shard 1 of 2: 2 logs" in output
    assert len(logs(many)) == 2
    early = run(*GRID, "--log-dir", many, "--finish")
    assert early.exit_code == 1
    assert "vr_sim/careful: 1 of 3 logs unfinished" in early.output
    assert not (many / "eval-set.json").exists()
    ran(*GRID, "--log-dir", many, "--shard", "2/2")
    before = {path: path.read_bytes() for path in many.glob("*.eval")}
    ran(*GRID, "--log-dir", many, "--shard", "1/2")
    ran(*GRID, "--log-dir", many, "--finish")
    assert {path: path.read_bytes() for path in many.glob("*.eval")} == before, "nothing run again"
    assert {path.name for path in one.iterdir()} - before.keys() >= {"eval-set.json", "logs.json"}
    assert (many / "eval-set.json").exists()
    assert (many / "logs.json").exists()
    [eval_set_id] = {log.eval.eval_set_id for log in logs(many)}
    assert (many / ".eval-set-id").read_text() == eval_set_id
    pd.testing.assert_frame_equal(rows(one), rows(many))


def test_a_share_does_not_mix_settings_or_repeat_what_another_has(tmp_path: Path) -> None:
    ran(*GRID, "--log-dir", tmp_path, "--shard", "1/2")
    names = {path.name for path in tmp_path.glob("*.eval")}
    result = run(*GRID, "--log-dir", tmp_path, "--shard", "1/2", "--temperature", "0.5")
    assert result.exit_code == 2
    assert "temperature 0.0, but 0.5 is requested" in result.output.splitlines()[-1]
    assert {path.name for path in tmp_path.glob("*.eval")} == names
    ran(*GRID, "--log-dir", tmp_path)
    assert len(logs(tmp_path)) == 3, "a run takes over from the shares"


def test_failed_samples_of_a_share_are_run_again(tmp_path: Path) -> None:
    """Inspect counts a worker's log as a success however many of its samples failed."""
    words = (*GRID, "--log-dir", tmp_path, "--solver", "vr_evals/authority", "--shard", "1/3")
    result = run(*words, "--retry-attempts", "2")
    assert result.exit_code == 1
    assert "3 of 3 samples failed" in result.output
    assert len(logs(tmp_path)) == 2, "two attempts"


@pytest.mark.parametrize(
    ("completed", "fail_on_error", "finished"),
    [
        (10, None, True),
        (9, None, False),
        (9, True, False),
        (0, False, True),
        (9, 0.2, True),
        (8, 0.2, False),
        (9, 2, True),
        (8, 2, False),
        (None, False, False),
    ],
)
def test_a_log_is_finished_unless_too_many_samples_failed(
    one_log: tuple[CapturedTask, GridLog],
    completed: int | None,
    fail_on_error: bool | float | None,
    finished: bool,
) -> None:
    task, log = one_log
    results = completed is not None and EvalResults(total_samples=10, completed_samples=completed)
    header = log.header.model_copy(update={"results": results or None})
    options = {"temperature": 0.0, "fail_on_error": fail_on_error}
    [state] = cell_logs([task], [replace(log, header=header)], options)
    assert state.finished is finished


def test_commands_of_the_page_run_a_grid(tmp_path: Path) -> None:
    for command in COMMANDS:
        words = shlex.split(command)[1:]
        words[words.index("--log-dir") + 1] = str(tmp_path)
        ran(*words, "--limit", "1", "--display", "none")
    assert len(logs(tmp_path)) == 2
    assert (tmp_path / "eval-set.json").exists()


MAIN = "from vr_evals.cli import main; main()"
SLOW = (
    "--benchmark", "ethics,morables", "--levels", "0,5", "--thinking", "both", "--dataset",
    "sample", "--limit", "4", "--model", "vr_sim/careful", "--display", "none",
    "-M", "latency=0.3", "--max-tasks", "1", "--max-connections", "1", "--log-buffer", "1",
)  # fmt: skip


@pytest.mark.slow
def test_shares_that_were_killed_go_on_and_end_as_one_process(tmp_path: Path) -> None:
    """Three processes, one of them killed in the middle of a log, and started again."""
    one, many = tmp_path / "one", tmp_path / "many"
    command = [sys.executable, "-c", MAIN, "run", *SLOW, "--log-dir", str(many)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with (
        started([*command, "--shard", "1/3"], **quiet) as first,
        started([*command, "--shard", "2/3"], **quiet) as second,
        started([*command, "--shard", "3/3"], **quiet) as third,
    ):
        while len(finished(many)) < 1 and first.poll() is None:
            time.sleep(0.2)
        kill(first)
        first.wait()
        left = [log for log in logs(many) if log.status == "started"]
        assert left
        assert not (many / "eval-set.json").exists()
        with started([*command, "--shard", "1/3"], **quiet) as again:
            assert again.wait() == 0
        assert second.wait() == third.wait() == 0
    ran(*SLOW, "--log-dir", str(many), "--finish")
    ran(*SLOW, "--log-dir", str(one))
    pd.testing.assert_frame_equal(rows(one), rows(many))
