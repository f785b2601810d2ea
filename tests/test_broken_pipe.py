"""``vr-evals … | head``: whoever reads may leave."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.analysis.running import run
from tests.processes import PATIENCE

COMMAND = "from vr_evals.cli import main; main()"


def unread(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """What comes of a command whose output nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return subprocess.run(
            [sys.executable, "-c", COMMAND, *map(str, words)],
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
    finally:
        os.close(writer)


def slow(words: str) -> Any:
    return pytest.param(words, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    "words",
    [
        "tasks --help",
        *map(slow, ("tasks --json", "--help", "tasks", "thinking openai/gpt-5.1")),
    ],
)
def test_a_reader_that_leaves_is_no_error(words: str) -> None:
    ended = unread(*words.split())
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.slow
def test_commands_on_logs_have_done_what_they_were_asked(tmp_path: Path) -> None:
    run(tmp_path / "logs", "ethics_level0", items=2)
    for words in ("table", "table --json", f"export -o {tmp_path / 'rows.csv'}"):
        ended = unread(*words.split(), tmp_path / "logs")
        assert ended.returncode == 0
        assert "Traceback" not in ended.stderr
        assert "Broken" not in ended.stderr
    assert (tmp_path / "rows.csv").stat().st_size > 0


@pytest.mark.slow
def test_a_run_that_was_not_made_is_no_success(tmp_path: Path) -> None:
    words = ["--benchmark", "ethics", "--levels", "0", "--dataset", "sample"]
    words += ["--model", "vr_sim/careful", "--log-dir", str(tmp_path)]
    assert unread("run", *words).returncode == 141
    assert unread("run", *words, "--dry-run").returncode == 0
    assert not list(tmp_path.glob("*.eval"))


def test_other_errors_keep_their_exit_code() -> None:
    assert unread("nosuch").returncode == 2
