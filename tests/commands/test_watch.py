"""``vr-evals report --watch`` while a study grows."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from inspect_ai.log import EvalStatus, read_eval_log, write_eval_log

from tests.analysis.running import location, run
from tests.commands.running import typed
from tests.processes import started
from tests.report.studies import leave_undrawn
from vr_evals.commands.watch import changes_of_logs

COMMAND = "from vr_evals.cli import main; main()"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two logs of a study."""
    folder = tmp_path_factory.mktemp("made")
    return [Path(location(run(folder, f"ethics_level{level}", items=2))) for level in (0, 1)]


def put(log: Path, folder: Path, status: EvalStatus = "success") -> Path:
    """Put a log into a folder as Inspect does, with its time of writing moved on."""
    written = read_eval_log(str(log))
    written.status = status
    target = folder / log.name
    before = target.stat().st_mtime if target.exists() else 0.0
    part = folder.with_suffix(".eval")
    write_eval_log(written, str(part))
    part.replace(target)
    if target.stat().st_mtime <= before:
        os.utime(target, (before + 1, before + 1))
    return target


def nothing(logs: list[Path], folder: Path) -> None:
    return


def added(logs: list[Path], folder: Path) -> None:
    put(logs[1], folder)


def begun(logs: list[Path], folder: Path) -> None:
    put(logs[1], folder, "started")


def scored_again(logs: list[Path], folder: Path) -> None:
    put(logs[0], folder)


def running(logs: list[Path], folder: Path) -> None:
    put(logs[0], folder, "started")


def removed(logs: list[Path], folder: Path) -> None:
    (folder / logs[0].name).unlink()


def damaged(logs: list[Path], folder: Path) -> None:
    target = folder / logs[0].name
    target.write_bytes(target.read_bytes()[:100])
    os.utime(target, (2e9, 2e9))


def another_file(logs: list[Path], folder: Path) -> None:
    (folder / "page.html").write_text("")


def folder_gone(logs: list[Path], folder: Path) -> None:
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("change", "unfinished", "counts"),
    [
        (nothing, False, False),
        (another_file, False, False),
        (added, False, True),
        (begun, False, True),
        (scored_again, False, True),
        (running, False, False),
        (running, True, True),
        (removed, False, True),
        (damaged, False, True),
        (folder_gone, False, True),
    ],
)
def test_what_is_worth_a_page(
    made: list[Path],
    tmp_path: Path,
    change: Callable[[list[Path], Path], None],
    unfinished: bool,
    counts: bool,
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    put(made[0], folder)
    waits = 0

    def wait(seconds: float) -> None:
        nonlocal waits
        waits += 1
        if waits == 1:
            change(made, folder)
        if waits == 3:
            raise KeyboardInterrupt

    looked = changes_of_logs([str(folder)], unfinished, wait)
    assert sum(1 for _ in _until_interrupted(looked)) == 1 + counts


def _until_interrupted(looked: Iterator[None]) -> Iterator[None]:
    try:
        yield from looked
    except KeyboardInterrupt:
        return


def watching(folder: Path, page: Path) -> list[str]:
    words = ["report", str(folder), "-o", str(page), "--watch"]
    return [sys.executable, "-c", COMMAND, *words]


def lines_until(process: subprocess.Popen[str], wanted: str) -> list[str]:
    """The lines that a process prints on standard error up to one with this text."""
    assert process.stderr
    found = []
    for line in process.stderr:
        found.append(line.rstrip())
        if wanted in line:
            return found
    raise AssertionError(f"ended without '{wanted}': {found}")


def test_a_page_is_made_of_each_change(
    made: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, page = tmp_path / "logs", tmp_path / "page.html"
    folder.mkdir()
    put(made[0], folder, "started")

    def changes(paths: object, unfinished: bool) -> Iterator[None]:
        yield
        for log in made:
            put(log, folder)
            yield
        raise KeyboardInterrupt

    monkeypatch.setattr("vr_evals.commands.watch.changes_of_logs", changes)
    leave_undrawn(monkeypatch)
    result = typed("report", folder, "-o", page, "--watch")
    assert result.exit_code == 0, (result.output, result.exception)
    assert result.stdout == f"{page}\n"
    waiting, *_, second, last = result.stderr.splitlines()
    assert "waiting for logs" in waiting
    assert "4 samples from 2 logs" in second
    assert "2 times" in last
    assert {path.name for path in tmp_path.iterdir()} == {"logs", "page.html"}


@pytest.mark.slow
def test_the_page_follows_a_study_until_ctrl_c(made: list[Path], tmp_path: Path) -> None:
    folder, page = tmp_path / "logs", tmp_path / "page.html"
    folder.mkdir()
    put(made[0], folder, "started")
    pipe = subprocess.PIPE
    with started(watching(folder, page), stdout=pipe, stderr=pipe) as process:
        assert len(lines_until(process, "waiting for logs")) == 1
        assert not page.exists(), "no log is finished"
        put(made[0], folder)
        lines_until(process, "Ctrl-C")
        first = page.read_bytes()
        put(made[1], folder)
        assert len(lines_until(process, "4 samples from 2 logs")) == 1
        second = page.read_bytes()
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=120)
        assert process.returncode == 0
    assert first != second == page.read_bytes()
    assert out == f"{page}\n"
    assert len(error.splitlines()) == 1
    assert "2 times" in error
    assert {path.name for path in tmp_path.iterdir()} == {"logs", "page.html"}


@pytest.mark.slow
def test_ctrl_c_before_there_is_a_page_is_an_abort(made: list[Path], tmp_path: Path) -> None:
    folder, page = tmp_path / "logs", tmp_path / "page.html"
    folder.mkdir()
    pipe = subprocess.PIPE
    with started(watching(folder, page), stdout=pipe, stderr=pipe) as process:
        lines_until(process, "waiting for logs")
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=120)
    assert (process.returncode, out, error.strip()) == (1, "", "Aborted!")
    assert not page.exists()


@pytest.mark.slow
def test_a_page_that_cannot_be_written_ends_it(made: list[Path], tmp_path: Path) -> None:
    folder, page = tmp_path / "logs", tmp_path / "gone" / "page.html"
    folder.mkdir()
    page.parent.mkdir()
    put(made[0], folder)
    pipe = subprocess.PIPE
    with started(watching(folder, page), stdout=pipe, stderr=pipe) as process:
        lines_until(process, "Ctrl-C")
        shutil.rmtree(page.parent)
        put(made[1], folder)
        error = process.communicate(timeout=120)[1]
    assert process.returncode == 1
    assert len(error.splitlines()) == 1
    assert "cannot be written" in error
