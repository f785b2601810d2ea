"""Checks of a log folder: reading the headers of its logs."""

from pathlib import Path

import fsspec
import pytest
from inspect_ai.log import EvalLogInfo, list_eval_logs

from vr_evals.errors import InputError
from vr_evals.levels import Level
from vr_evals.running.eval_grid import eval_grid
from vr_evals.running.folder import _header, eval_set_id_of, grid_logs
from vr_evals.running.grid import level_grid
from vr_evals.running.plan import Selection, plan_grid


def test_headers_at_a_url_are_those_of_a_folder(tmp_path: Path) -> None:
    levels = [Level.DIRECT, Level.MINIMAL]
    cells = level_grid(["ethics"], levels, [False], {"dataset": "sample", "items": "2"})
    assert eval_grid(cells, ["vr_sim/careful"], str(tmp_path), display="none")[0]
    memory = fsspec.filesystem("memory")
    for info in list_eval_logs(str(tmp_path)):
        path = Path(info.name.removeprefix("file://"))
        memory.pipe(f"/headers/{path.name}", path.read_bytes())
    plan = plan_grid(cells, ["vr_sim/careful"], Selection())
    try:
        local, remote = (
            grid_logs(plan, folder, {}) for folder in (str(tmp_path), "memory://headers")
        )
        assert len(local) == 2
        assert [log.header.eval.run_id for log in remote] == [
            log.header.eval.run_id for log in local
        ]
        memory.pipe("/headers/2020-01-01T00-00-00+00-00_torn_x.eval", b"PK")
        with pytest.raises(InputError, match="torn_x"):
            grid_logs(plan, "memory://headers", {})
    finally:
        memory.rm("/headers", recursive=True)


def test_a_log_that_was_deleted_meanwhile_is_none(tmp_path: Path) -> None:
    info = EvalLogInfo(
        name=str(tmp_path / "gone.eval"), type="file", size=1, mtime=0, task="t", task_id="i",
        suffix=None,
    )  # fmt: skip
    assert _header(info) is None


@pytest.mark.parametrize(("content", "found"), [(None, None), (" abc\n", "abc"), (" \n", None)])
def test_the_id_of_a_folder(tmp_path: Path, content: str | None, found: str | None) -> None:
    if content is not None:
        (tmp_path / ".eval-set-id").write_text(content)
    assert eval_set_id_of(str(tmp_path)) == found


def test_a_folder_that_must_not_be_read_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.raises(InputError, match=f"cannot read {tmp_path}: permission denied"):
        grid_logs(plan_grid([], [], Selection()), str(tmp_path), {})
