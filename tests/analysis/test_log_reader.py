"""What a process that reads logs hands over."""

import csv
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from vr_evals.analysis import workers
from vr_evals.analysis.files import LogFile, log_files
from vr_evals.analysis.log_cache import Entry, LogCache, LogState, log_state
from vr_evals.analysis.log_reader import _read_and_keep, _Task
from vr_evals.analysis.run import Run
from vr_evals.errors import InputError
from vr_evals.importing import import_logs


@pytest.fixture
def log(tmp_path: Path) -> LogFile:
    """A log of one sample that was not written just now."""
    row = {"scenario": "I hid a key.", "label": "wrong", "completion": "wrong", "level": 1}
    with (tmp_path / "rows.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(row))
        writer.writeheader()
        writer.writerow(row)
    done = import_logs([tmp_path / "rows.csv"], format="completions", folder=tmp_path / "logs")
    os.utime(done.logs[0], (1e9, 1e9))
    return LogFile(done.logs[0])


def test_a_log_is_read_and_kept(log: LogFile, tmp_path: Path) -> None:
    cache, state = LogCache(tmp_path / "cache"), log_state(log)
    name, entry, failure = _read_and_keep(_Task(log, state, cache))
    assert (name, failure) == (log.name, None)
    assert entry is not None
    assert isinstance(entry.run, Run)
    assert entry.table is not None
    assert len(entry.table.rows) == 1
    assert state is not None
    kept = cache.get(log, state, with_table=True)
    assert kept is not None
    assert kept.run == entry.run


def test_a_cache_that_cannot_be_written_is_a_failure_with_its_name(
    log: LogFile, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    cache = LogCache(tmp_path / "file" / "cache")
    _, entry, failure = _read_and_keep(_Task(log, log_state(log), cache))
    assert entry is not None
    assert failure == f"{cache.folder}: Not a directory"


def test_a_log_that_changes_meanwhile_is_not_kept(log: LogFile, tmp_path: Path) -> None:
    cache = LogCache(tmp_path / "cache")
    states: list[LogState | None] = [None, [1, 2, 3, 4]]
    for state in states:
        _, entry, failure = _read_and_keep(_Task(log, state, cache))
        assert entry is not None
        assert failure is None
    assert not cache.folder.exists()


@pytest.mark.parametrize("task", [("a", "b"), object()], ids=["altered", "refused"])
def test_what_json_would_alter_is_not_kept(log: LogFile, tmp_path: Path, task: Any) -> None:
    cache = LogCache(tmp_path / "cache")
    _, entry, _ = _read_and_keep(_Task(log, None, None))
    assert entry is not None
    assert isinstance(entry.run, Run)
    cache.put(log, [1], Entry(replace(entry.run, task=task), entry.table))
    assert not cache.folder.exists()
    cache.put(log, [1], entry)
    assert cache.folder.exists()


def test_what_cannot_be_read_is_left_to_the_process_that_asked(tmp_path: Path) -> None:
    missing = str(tmp_path / "none.eval")
    assert _read_and_keep(_Task(LogFile(missing), None, None)) == (missing, None, None)


@pytest.mark.parametrize(("parent", "sent"), [("own", [2, 3]), ("another", [])])
def test_a_process_works_as_long_as_its_parent_lives(
    parent: str, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Results:
        found: list[int] = []

        def send(self, found: int) -> None:
            self.found.append(found)

    ignored: list[Any] = []
    monkeypatch.setattr("signal.signal", lambda *given: ignored.append(given))
    results: Any = Results()
    Results.found = []
    workers._work(results, lambda x: x + 1, [1, 2], os.getppid() + (parent == "another"))
    assert Results.found == sent
    assert len(ignored) == 1


def test_a_store_that_cannot_be_listed_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*given: object, **named: object) -> None:
        raise RuntimeError("Access\nDenied")

    monkeypatch.setattr("vr_evals.analysis.files.list_eval_logs", refuse)
    with pytest.raises(InputError, match="^memory://logs: failed to read: Access Denied$"):
        log_files(["memory://logs"])
