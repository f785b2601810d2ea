"""``vr-evals run``: a grid is guarded, run, gone on with, and ends with the right code."""

import errno
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import write_eval_log

from tests.commands.running import SMALL, contents, finished, logs, ran, run
from tests.processes import PATIENCE, completed, started
from vr_evals.analysis import read_logs
from vr_evals.levels import Level
from vr_evals.running.eval_grid import eval_grid, prepare_grid
from vr_evals.running.grid import benchmarks_of, level_grid
from vr_evals.running.locks import exclusive_lock


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "--benchmark ethic",
            "invalid benchmark 'ethic': must be one of "
            + ", ".join([*sorted(benchmarks_of("levels")), "all"]),
        ),
        ("--benchmark mcqa", "invalid benchmark 'mcqa': must be one of"),
        (
            f"--levels {len(Level)}",
            f"invalid levels '{len(Level)}': use 0 to {max(Level):d}, "
            f"e.g. 0-{max(Level):d} or 0,2,5",
        ),
        ("--levels 3-1", "invalid levels '3-1'"),
        ("--levels two", "invalid levels 'two'"),
        ("--thinking maybe", "'maybe' is not one of"),
        ("--epochs 0", "0 is not in the range"),
        ("--limit 0", "invalid limit '0': samples are numbered from 1"),
        ("--limit 5-2", "invalid limit '5-2'"),
        ("--limit x", "invalid limit 'x': expected a number or a range, e.g. 10 or 11-20"),
        ("--items 0", "ethics_level0: invalid -T items '0': expected an integer of at least 1"),
        ("-T items", "invalid value 'items': expected name=value"),
        ("-T thinkin=true", "-T thinkin: not a parameter of any task in this grid (valid: accept_"),
        ("-T option_order=both", "-T option_order: not a parameter of any task in this grid"),
        ("-T subset=low", "ethics_level0: invalid -T subset 'low': expected short, long, all"),
        ("--dataset nowhere.csv", "dataset 'nowhere.csv': file not found"),
        (
            "--model openai/gpt-4o --thinking on",
            "thinking on is not supported by openai/gpt-4o: it",
        ),
        ("--model nobody/x", "Model API nobody of model 'nobody/x' not recognized"),
        ("--model vr_sim/nobody", "invalid model 'vr_sim/nobody': expected one of"),
        ("-M accuracy=7", "invalid -M accuracy '7': expected a number from 0 to 1"),
        ("--max-conections 5", "No such option '--max-conections'. (Did you mean one of: '--ad"),
        ("--max-connections many", "invalid value 'many': expected an integer"),
        ("--levels 0-99999999999", "invalid levels '0-99999999999'"),
        ("--levels -1", "invalid levels '-1'"),
        ("--levels ²", "invalid levels '²'"),
        ("--model noslash", "Model name 'noslash' should be in the format of <api_name>/<model_"),
        ("-T level=3", "-T level: not supported in a grid; use --levels, e.g. --levels 0,5"),
        ("--paradigm authority -T level=3", "-T level: not supported in a grid; use --levels"),
        (
            "-T thinking=true",
            "-T thinking: not supported in a grid; use --thinking off, on or both",
        ),
        ("--paradigm authority -T thinking=false", "-T thinking: not supported in a grid"),
        ("--paradigm authority --benchmark mcqa", "--levels: not supported by mcqa_authority"),
    ],
)
def test_what_cannot_be_run_is_one_line_and_code_2(
    words: str, message: str, tmp_path: Path
) -> None:
    result = run(*SMALL, "--log-dir", str(tmp_path), *words.split())
    assert result.exit_code == 2, (result.output, result.exception)
    [line] = [line for line in result.output.splitlines() if line.startswith("Error: ")]
    assert message in line
    assert not contents(tmp_path)
    dry = run(*SMALL, "--log-dir", str(tmp_path), *words.split(), "--dry-run")
    assert dry.exit_code == 2, "a dry run finds out the same"
    assert line in dry.output


def test_a_model_that_is_not_named_is_refused(tmp_path: Path) -> None:
    result = run("--benchmark", "ethics", "--model", " , ", "--log-dir", str(tmp_path))
    assert result.exit_code == 2
    assert "no model given" in result.output


@pytest.mark.parametrize("words", [(), ("--dry-run",)])
@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("a.txt", "expected a folder, but"),
        ("a.txt/logs", "expected a folder, but"),
        ("", "--log-dir: no folder given"),
    ],
)
def test_logs_want_a_folder(
    place: str, message: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "a.txt").touch()
    result = run(*SMALL, "--log-dir", str(tmp_path / place) if place else "", *words)
    assert result.exit_code == 2, (result.output, result.exception)
    assert message in result.output.splitlines()[-1]


def test_a_model_that_cannot_honour_the_condition_runs_where_that_is_allowed(
    tmp_path: Path,
) -> None:
    words = (
        "--benchmark", "ethics", "--dataset", "sample", "--model", "openai/gpt-4o",
        "--thinking", "on", "--log-dir", str(tmp_path), "--dry-run",
    )  # fmt: skip
    assert run(*words).exit_code == 2
    ran(*words, "-T", "allow_unhonoured=true")
    ran(*words, "-T", "reasoning=flags")


def test_run_and_add_models_samples_and_epochs(tmp_path: Path) -> None:
    words = (
        "--benchmark", "ethics", "--levels", "5", "--thinking", "both",
        "--dataset", "sample", "-T", "thinking_budget=1500", "-T", "reasoning=condition",
        "--log-dir", str(tmp_path), "--model", "vr_sim/careful",
    )  # fmt: skip
    ran(*words, "--limit", "2")
    first = {(log.eval.task, log.eval.model): log for log in logs(tmp_path)}
    assert len(first) == 2
    for (task, _), log in first.items():
        assert log.status == "success"
        passed = {"dataset": "sample"}
        assert log.eval.task_args_passed == passed | (
            {"thinking_budget": 1500} if task.endswith("_thinking") else {}
        )
    before = contents(tmp_path)
    assert "2 already finished" in ran(*words, "--limit", "2")
    assert contents(tmp_path) == before

    output = ran(*words, "--limit", "3", "--epochs", "2", "--model", "vr_sim/overconfident")
    assert "0 already finished" in output
    assert len({(log.eval.task, log.eval.model) for log in finished(tmp_path)}) == 4
    for log in logs(tmp_path, header_only=False):
        assert log.samples
        assert len({(sample.id, sample.epoch) for sample in log.samples}) == 6
        older = first.get((log.eval.task, log.eval.model))
        if older is not None:
            assert log.eval.task_id == older.eval.task_id, "added to, not run anew"


def test_flags_of_inspect_reach_the_log(tmp_path: Path) -> None:
    ran(
        *SMALL, "--log-dir", str(tmp_path), "--limit", "1", "--max-connections", "3",
        "--temperature=0.5", "--no-fail-on-error", "--tags", "a,b", "--metadata", "study=7",
        "--max-samples", "50", "--log-format", "json", "-M", "accuracy=1", "--", "--seed", "4",
    )  # fmt: skip
    [log] = logs(tmp_path)
    assert log.location.endswith(".json")
    assert log.plan.config.temperature == 0.5
    assert log.plan.config.max_connections == 3
    assert log.plan.config.seed == 4
    assert log.eval.config.fail_on_error is False
    assert log.eval.config.max_samples == 50
    assert set(log.eval.tags or []) == {"a", "b"}
    assert log.eval.metadata
    assert log.eval.metadata["study"] == "7"
    assert log.eval.model_args == {"accuracy": 1}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--limit 2 --epochs 2", "with 4 samples × 2 epochs, but 2 × 2 are requested"),
        ("--limit 4", "with 4 samples × 2 epochs, but 4 × 1 are requested"),
        ("--limit 8", "with 4 samples × 2 epochs, but 8 × 1 are requested"),
        ("--limit 2 --epochs 5", "with 4 samples × 2 epochs, but 2 × 5 are requested"),
        ("--limit 3-9 --epochs 2", "with 4 samples, 2 of which are not among the 7 requested"),
        ("--sample-id ethics-25 --epochs 2", "4 samples × 2 epochs, but 1 × 2 are requested"),
        (
            "--limit 4 --epochs 2 --temperature 1",
            "is not associated with a task passed to eval_set",
        ),
        ("--limit 4 --epochs 2 -T seed=1", "is not associated with a task passed to eval_set"),
        ("--limit 4 --epochs 2 --levels 1", "is not associated with a task passed to eval_set"),
    ],
)
def test_logs_are_kept_from_being_lost_or_mixed_up(words: str, message: str, sampled: Path) -> None:
    before = contents(sampled)
    assert before
    result = run(*SMALL, "--log-dir", str(sampled), *words.split())
    assert result.exit_code == 2, (result.output, result.exception)
    [line] = [line for line in result.output.splitlines() if line.startswith("Error: ")]
    assert message in line
    assert contents(sampled) == before


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log of four samples and two epochs."""
    folder = tmp_path_factory.mktemp("logs")
    ran(*SMALL, "--log-dir", str(folder), "--limit", "4", "--epochs", "2")
    return folder


def test_another_grid_stands_beside_where_that_is_allowed(sampled: Path, tmp_path: Path) -> None:
    for path in sampled.glob("*.eval"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    before = contents(tmp_path)
    words = ("--log-dir", str(tmp_path), "--limit", "1", "--levels", "1", "--log-dir-allow-dirty")
    ran(*SMALL, *words)
    assert before.items() < contents(tmp_path).items()


def test_data_that_changed_is_not_taken_for_the_same(tmp_path: Path) -> None:
    file, folder = tmp_path / "mine.csv", tmp_path / "logs"
    words = (*SMALL, "--log-dir", str(folder), "--dataset", str(file))
    file.write_text("scenario,label\nI lied.,wrong\nI slept.,not wrong\n", encoding="utf-8")
    ran(*words)
    file.write_text("scenario,label\nI lied.,wrong\nI ate.,not wrong\n", encoding="utf-8")
    result = run(*words)
    assert result.exit_code == 2
    assert "with 2 samples, 1 of which are not among the 2 requested" in result.output


def test_a_log_of_another_version_is_another_task(sampled: Path, tmp_path: Path) -> None:
    [log] = logs(sampled, header_only=False)
    log.eval.task_version = "0-Z"
    write_eval_log(log, str(tmp_path / Path(log.location).name))
    words = (*SMALL, "--log-dir", str(tmp_path), "--limit", "1")
    result = run(*words)
    assert result.exit_code == 2
    assert "with task version 0-Z, not comparable with the current version 2-A" in result.output
    ran(*words, "--log-dir-allow-dirty")
    assert len(logs(tmp_path)) == 2


def test_a_log_that_did_not_succeed_is_code_1_and_named(tmp_path: Path) -> None:
    result = run(
        *SMALL, "--log-dir", str(tmp_path), "--limit", "1", "--retry-attempts", "0",
        "--solver", "vr_evals/authority",
    )  # fmt: skip
    assert result.exit_code == 1, (result.output, result.exception)
    [log] = logs(tmp_path)
    assert log.status == "error"
    assert log.error
    assert f"vr_evals/ethics_level0 on vr_sim/careful: {log.error.message}" in result.output
    assert "1 of them finished" not in run(*SMALL, "--log-dir", str(tmp_path), "--dry-run").output


def test_two_at_once_in_a_folder_would_pay_twice(tmp_path: Path) -> None:
    """The other one is a process of its own, whose lock goes with it when it is killed."""
    folder = tmp_path / "new" / "logs"
    hold = (
        "import sys, time; from vr_evals.running.locks import exclusive_lock\n"
        "with exclusive_lock(sys.argv[1]): print('held', flush=True); time.sleep(600)"
    )
    words = [sys.executable, "-c", hold, str(folder)]
    with started(words, stdout=subprocess.PIPE) as other:
        assert other.stdout
        assert other.stdout.readline() == "held\n"
        result = run(*SMALL, "--log-dir", str(folder))
    assert result.exit_code == 2
    assert f"Error: {folder}: log directory is locked by another vr-evals run" in result.output
    assert not logs(folder)
    ran(*SMALL, "--limit", "1", "--log-dir", str(folder))
    assert [log.status for log in logs(folder)] == ["success"]


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL])
def test_a_file_system_without_locks_is_no_reason_not_to_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, code: int
) -> None:
    def fails(lock: object) -> None:
        raise OSError(code, "No locks available")

    monkeypatch.setattr("filelock.FileLock.acquire", fails)
    with exclusive_lock(str(tmp_path)):
        pass
    assert "file locks not supported" in caplog.text


def test_a_lock_that_cannot_be_opened_is_one_line(tmp_path: Path) -> None:
    (tmp_path / ".vr-evals-run.lock").mkdir()
    result = run(*SMALL, "--log-dir", str(tmp_path))
    assert result.exit_code == 2
    assert f"Error: {tmp_path}: cannot lock .vr-evals-run.lock: " in result.output
    assert not logs(tmp_path)


def test_a_folder_in_the_home_is_the_same_to_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No shell has written out the ~ of INSPECT_LOG_DIR=~/logs in an .env file."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for already in (0, 1):
        said = ran(*SMALL, "--limit", "1", "--log-dir", "~/mine")
        assert f"{already} already finished" in said
    assert len(logs(tmp_path / "mine")) == 1
    assert not (tmp_path / "~").exists()
    assert len(read_logs("~/mine")) == 1


def test_samples_shuffled_otherwise_are_others(tmp_path: Path) -> None:
    words = (*SMALL, "--limit", "5", "--log-dir", str(tmp_path), "--sample-shuffle")
    ran(*words, "3")
    assert "1 already finished" in ran(*words, "3")
    result = run(*words, "4")
    assert result.exit_code == 2
    assert "with sample shuffle 3, but 4 is requested" in result.output
    assert len(logs(tmp_path)) == 1


def test_the_same_from_python(tmp_path: Path) -> None:
    cells = level_grid(["ethics"], [Level.DIRECT], [False], {"dataset": "sample"})
    options: dict[str, Any] = {"limit": 2, "epochs": 2, "model_args": {"accuracy": 0.5}}
    prepared = prepare_grid(cells, ["vr_sim/careful"], str(tmp_path), **options)
    assert (prepared.plan.logs, prepared.finished) == (1, 0)
    succeeded, [log] = eval_grid(cells, ["vr_sim/careful"], str(tmp_path), **options)
    assert succeeded
    assert log.results
    assert log.results.total_samples == 4
    again = prepare_grid(cells, ["vr_sim/careful"], str(tmp_path), **options)
    assert (again.plan.logs, again.finished) == (1, 1)
    other = prepare_grid(cells, ["vr_sim/careful"], str(tmp_path), limit=2)
    assert other.finished == 0, "of other arguments of the model"


GRID = (
    "run", "--benchmark", "ethics", "--levels", "0,5", "--thinking", "both", "--dataset", "sample",
    "--model", "vr_sim/careful", "-T", "include_confidence=true", "--epochs", "2",
    "--items", "12", "--max-tasks", "1", "--log-buffer", "1", "--display", "none",
)  # fmt: skip


def answers(folder: Path) -> dict[tuple[str, str], Any]:
    """Everything that was said and every figure, of each finished cell."""
    found: dict[tuple[str, str], Any] = {}
    for log in logs(folder, header_only=False):
        if log.status == "success":
            assert log.results
            assert (log.eval.task, log.eval.model) not in found
            found[log.eval.task, log.eval.model] = (
                sorted(
                    (str(sample.id), sample.epoch, [m.text for m in sample.messages])
                    for sample in log.samples or []
                ),
                repr(
                    {
                        (score.scorer, name): metric.value
                        for score in log.results.scores
                        for name, metric in score.metrics.items()
                    }
                ),
            )
    return found


@pytest.mark.slow
def test_killed_and_started_again_it_has_the_numbers_of_an_undisturbed_run(tmp_path: Path) -> None:
    killed, calm = tmp_path / "killed", tmp_path / "calm"
    command = [sys.executable, "-c", "from vr_evals.cli import main; main()", *GRID]
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    # one task after the other, so that there is a middle; the end of the block kills it
    with started([*command, "--log-dir", str(killed), "--max-tasks", "1"], **silent) as running:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and running.poll() is None and not finished(killed):
            time.sleep(0.1)
    assert 1 <= len(finished(killed)) < 4, "it was not stopped in the middle"
    done = completed([*command, "--log-dir", str(killed)])
    assert done.returncode == 0, done.stdout + done.stderr
    ran(*GRID[1:], "--log-dir", str(calm))
    assert len(answers(calm)) == 4
    assert answers(killed) == answers(calm)


def test_importing_the_commands_is_quick() -> None:
    code = "import sys, vr_evals.cli; print('inspect_ai' in sys.modules, 'rich' in sys.modules)"
    done = completed([sys.executable, "-c", code])
    assert done.stdout.split() == ["False", "False"]
