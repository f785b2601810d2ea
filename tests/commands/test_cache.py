"""``--no-cache`` and ``vr-evals cache clear``, as a user types them."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from tests.analysis.running import run
from tests.commands.running import printed, typed


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VR_EVALS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "logs"


def test_no_cache_reads_anew_and_clear_removes_all(tmp_path: Path, cache: Path) -> None:
    logs = tmp_path / "logs"
    for task in ("ethics_level0", "ethics_level1"):
        run(logs, task, items=2)
    for log in logs.iterdir():
        os.utime(log, (time.time() - 60,) * 2)
    alone = printed("table", logs, "--json", "--no-cache")
    assert not cache.exists()
    cached = [printed("table", logs, "--json") for _ in range(2)]
    assert len(list(cache.iterdir())) == 2
    assert [json.loads(text[text.index("{") :]) for text in cached] == [
        json.loads(alone[alone.index("{") :])
    ] * 2
    assert f"cleared {cache}: 2 logs" in printed("cache", "clear")
    assert not list(cache.iterdir())
    assert len(list(logs.iterdir())) == 2
    assert "0 logs" in printed("cache", "clear")


def test_clear_leaves_files_of_others_alone(cache: Path) -> None:
    cache.mkdir(parents=True)
    (cache / "notes.txt").write_text("mine")
    (cache / "one.parquet").write_text("not mine")
    assert "1 log," in printed("cache", "clear")
    assert [path.name for path in cache.iterdir()] == ["notes.txt"]


def test_an_entry_that_cannot_be_removed_is_an_error_in_one_line(cache: Path) -> None:
    (cache / "one.parquet").mkdir(parents=True)
    result = typed("cache", "clear")
    assert result.exit_code
    assert "failed to clear" in result.output
    assert "Traceback" not in result.output
