"""Inspect's protocol for external runners: `vr-evals run` lists its tasks, and runs some."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import read_eval_log

from tests.commands.running import logs, ran, run
from vr_evals.errors import InputError
from vr_evals.levels import Level
from vr_evals.running.captured import (
    CAPTURE_VARIABLE,
    SELECTION_VARIABLE,
    CapturedTask,
    _file_of,
    driven_mode,
    read_capture,
    selection_document,
)
from vr_evals.running.eval_grid import PreparedGrid, prepare_grid
from vr_evals.running.grid import level_grid
from vr_evals.running.locks import exclusive_lock

GRID = (
    "--benchmark", "ethics", "--levels", "0,5", "--dataset", "sample", "--limit", "3",
    "--model", "vr_sim/careful", "--model", "vr_sim/overconfident",
)  # fmt: skip


def grid(log_dir: Path, **options: Any) -> PreparedGrid:
    cells = level_grid(["ethics"], [Level(0), Level(5)], [False], {"dataset": "sample"})
    models = ["vr_sim/careful", "vr_sim/overconfident"]
    return prepare_grid(cells, models, str(log_dir), limit=3, display="none", **options)


def captured(tmp_path: Path, log_dir: Path) -> tuple[CapturedTask, ...]:
    """The tasks that the command lists."""
    file = tmp_path / "capture.json"
    ran(*GRID, "--log-dir", log_dir, **{CAPTURE_VARIABLE: str(file)})
    return read_capture(file)


def select(tmp_path: Path, *tasks: CapturedTask, **resume: str) -> dict[str, str]:
    """The environment of a worker."""
    file = tmp_path / "selection.json"
    file.write_text(json.dumps(selection_document(tasks, "abc", resume=resume, max_tasks=2)))
    return {SELECTION_VARIABLE: str(file)}


def test_a_capture_lists_the_grid_and_touches_nothing(tmp_path: Path) -> None:
    log_dir = tmp_path / "logs"
    tasks = captured(tmp_path, log_dir)
    assert [(task.name, task.model, task.samples, task.epochs) for task in tasks] == [
        ("vr_evals/ethics_level0", "vr_sim/careful", 3, 1),
        ("vr_evals/ethics_level5", "vr_sim/careful", 3, 1),
        ("vr_evals/ethics_level0", "vr_sim/overconfident", 3, 1),
        ("vr_evals/ethics_level5", "vr_sim/overconfident", 3, 1),
    ]
    assert not log_dir.exists()
    assert len({task.identifier for task in tasks}) == 4
    assert grid(log_dir).capture() == tasks, "in this process"
    assert driven_mode() is None


def test_a_capture_disregards_a_lock_and_the_logs_of_the_folder(tmp_path: Path) -> None:
    log_dir = tmp_path / "logs"
    log_dir.mkdir()
    (log_dir / "2026-01-01T00-00-00_x_y.eval").write_text("damaged")
    with exclusive_lock(str(log_dir)):
        assert len(captured(tmp_path, log_dir)) == 4


def test_workers_run_their_own_tasks_beside_each_other(tmp_path: Path) -> None:
    log_dir = tmp_path / "logs"
    first, second, third, _ = captured(tmp_path, log_dir)
    log_dir.mkdir()
    with exclusive_lock(str(log_dir)):
        output = ran(*GRID, "--log-dir", log_dir, **select(tmp_path, first))
        assert output.splitlines()[-1].startswith("worker: 1 of 1 selected logs")
        (log_dir / "2026-01-01T00-00-00_x_y.eval").write_text("damaged")
        ran(*GRID, "--log-dir", log_dir, **select(tmp_path, second, third))
    (log_dir / "2026-01-01T00-00-00_x_y.eval").unlink()
    found = logs(log_dir)
    assert {(log.eval.task, log.eval.model) for log in found} == {
        (task.name, task.model) for task in (first, second, third)
    }
    assert {log.eval.eval_set_id for log in found} == {"abc"}
    assert {path.suffix for path in log_dir.iterdir()} <= {".eval", ".lock"}, "no metadata"
    ran(*GRID, "--log-dir", log_dir)
    assert len(logs(log_dir)) == 4, "the rest, in one process"


def test_a_worker_fails_for_its_own_task_only(tmp_path: Path) -> None:
    log_dir = tmp_path / "logs"
    first, *_ = captured(tmp_path, log_dir)
    unknown = json.loads(json.dumps(selection_document([first], "abc")))
    unknown["tasks"][0]["identifier"] = "ethics_level9#0/none/0"
    file = tmp_path / "unknown.json"
    file.write_text(json.dumps(unknown))
    result = run(*GRID, "--log-dir", log_dir, **{SELECTION_VARIABLE: str(file)})
    assert result.exit_code == 2
    assert "ethics_level9#0/none/0" in result.output.splitlines()[-1]


def test_a_selection_resumes_a_log(tmp_path: Path) -> None:
    log_dir = tmp_path / "logs"
    prepared = grid(log_dir)
    first, *_ = prepared.capture()
    succeeded, [before] = prepared.run_selection(selection_document([first], "abc"))
    assert succeeded
    resume = {first.identifier: before.location}
    _, [after] = prepared.run_selection(selection_document([first], "abc", resume=resume))
    assert after.eval.task_id == before.eval.task_id
    old, new = (read_eval_log(log.location).samples or [] for log in (before, after))
    assert {sample.uuid for sample in old} == {sample.uuid for sample in new}, "not run again"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        '{"version": 3}',
        '{"version": 99, "tasks": []}',
        '{"version": 3, "tasks": [{}]}',
    ],
)
def test_a_capture_that_cannot_be_read_is_one_line(text: str, tmp_path: Path) -> None:
    file = tmp_path / "capture.json"
    file.write_text(text)
    with pytest.raises(InputError, match="capture"):
        read_capture(file)


@pytest.mark.parametrize("before", [None, "/elsewhere/capture.json"])
def test_a_capture_leaves_the_environment_as_it_was(
    before: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(CAPTURE_VARIABLE, raising=False)
    if before:
        monkeypatch.setenv(CAPTURE_VARIABLE, before)
    with _file_of(CAPTURE_VARIABLE) as path:
        assert os.environ[CAPTURE_VARIABLE] == str(path)
    assert os.environ.get(CAPTURE_VARIABLE) == before
