"""Files are replaced as a whole, or stay as they were."""

from __future__ import annotations

import errno
import os
import resource
import stat
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import fsspec
import pytest

from tests.analysis.frames import answers, table
from tests.processes import PATIENCE, started
from vr_evals.commands.export import write_rows
from vr_evals.errors import InputError
from vr_evals.replacing import replacing
from vr_evals.report import write_report


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def write_half(path: Path | str, error: BaseException) -> None:
    with replacing(path) as part:
        part.write_text("half")
        raise error


def test_a_new_file_has_the_mode_that_any_new_file_has(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    with replacing(tmp_path / "made") as part:
        part.write_text("new")
    assert (tmp_path / "made").read_text() == "new"
    assert (tmp_path / "made").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_an_old_file_keeps_its_mode_and_its_links(tmp_path: Path) -> None:
    target = tmp_path / "folder" / "target"
    target.parent.mkdir()
    target.write_text("old")
    target.chmod(0o640)
    (tmp_path / "link").symlink_to(target)
    with replacing(tmp_path / "link") as part:
        part.write_text("new")
        assert target.read_text() == "old"
    assert (tmp_path / "link").is_symlink()
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert names(target.parent) == ["target"]


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()])
def test_what_fails_leaves_the_old_file(tmp_path: Path, error: BaseException) -> None:
    (tmp_path / "file").write_text("old")
    for name in ("file", "new"):
        with pytest.raises(type(error)):
            write_half(tmp_path / name, error)
    assert names(tmp_path) == ["file"]
    assert (tmp_path / "file").read_text() == "old"


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with started(["cat", str(tmp_path / "pipe")], stdout=subprocess.PIPE) as reader:
        with replacing(tmp_path / "pipe") as part:
            part.write_text("through")
        assert reader.communicate(timeout=PATIENCE)[0] == "through"
    assert names(tmp_path) == ["pipe"]


def test_a_long_name_has_room_for_a_longer_one(tmp_path: Path) -> None:
    with replacing(tmp_path / ("x" * 255)) as part:
        part.write_text("new")
    assert names(tmp_path) == ["x" * 255]


def test_a_url_is_replaced_when_all_of_it_is_there() -> None:
    store = fsspec.filesystem("memory")
    try:
        write_rows(table(answers("AB")), "memory://bucket/rows.csv")
        old = store.cat("/bucket/rows.csv")
        assert old.startswith(b"model,")
        with pytest.raises(OSError, match="full"):
            write_half("memory://bucket/rows.csv", OSError(errno.ENOSPC, "full"))
        assert store.cat("/bucket/rows.csv") == old
        write_rows(table(answers("ABAB")), "memory://bucket/rows.csv")
        assert len(store.cat("/bucket/rows.csv")) > len(old)
        assert [Path(name).name for name in store.ls("/bucket", detail=False)] == ["rows.csv"]
    finally:
        store.rm("/bucket", recursive=True)


WRITERS: dict[str, Callable[[Path], None]] = {
    "rows.csv": lambda path: write_rows(table(answers("AB" * 2000)), path),
    "rows.jsonl": lambda path: write_rows(table(answers("AB" * 2000)), path),
    "rows.parquet": lambda path: write_rows(table(answers("AB" * 2000)), path),
    "page.html": lambda path: write_report(table(answers("AB")), path),
}


@contextmanager
def full_disk() -> Iterator[None]:
    """The system refuses what goes beyond a size, as a full disk does.

    In this process: a fork of it has none of the threads that draw a page, and waits for them.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8_000, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_the_old_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("old")
    with pytest.raises(InputError, match="cannot be written") as caught, full_disk():
        WRITERS[name](tmp_path / name)
    assert "\n" not in caught.value.message
    assert names(tmp_path) == [name]
    assert (tmp_path / name).read_text() == "old"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_read_only_file_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "file").touch(mode=0o400)
    with pytest.raises(PermissionError, match="read-only"), replacing(tmp_path / "file"):
        pass


def test_a_file_without_leave_to_write_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As above, for root too."""
    (tmp_path / "file").write_text("old")
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with pytest.raises(PermissionError, match="the file is read-only"):
        write_half(tmp_path / "file", AssertionError("was written"))
    assert (tmp_path / "file").read_text() == "old"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(errno.ENOSPC, "No space"), "No space"),
        (RuntimeError("Access\nDenied"), "Access Denied"),
        (RuntimeError(), "RuntimeError"),
    ],
)
def test_what_a_store_says_is_an_error_of_the_system(
    error: Exception, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object) -> None:
        raise error

    monkeypatch.setattr("fsspec.implementations.memory.MemoryFileSystem.put_file", refuse)
    with pytest.raises(OSError, match=f"{message}$"), replacing("memory://refused/a") as part:
        part.write_text("new")
