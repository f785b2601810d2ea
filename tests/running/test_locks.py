"""Locks of a folder and leases of a URL: a run excludes all others, a share those that overlap."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from uuid import uuid4

import fsspec
import pytest

from vr_evals.errors import InputError
from vr_evals.running import locks
from vr_evals.running.locks import exclusive_lock, shared_lock

Lock = Callable[[str], AbstractContextManager[None]]

RUN: Lock = exclusive_lock
FIRST, SECOND, OTHER = (
    partial(shared_lock, index=index, count=count) for index, count in ((1, 8), (2, 8), (1, 4))
)


@pytest.fixture(params=["folder", "url"])
def log_dir(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path) if request.param == "folder" else f"memory://{uuid4().hex}/logs"


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "RENEWAL", 0.05)
    monkeypatch.setattr(locks, "_PATIENCE", 0.05)


@pytest.mark.parametrize(
    ("held", "wanted", "owner"),
    [
        (RUN, RUN, "another vr-evals run"),
        (RUN, FIRST, "another vr-evals run"),
        (FIRST, RUN, "--shard 1/8 of another vr-evals run"),
        (FIRST, FIRST, "--shard 1/8 of another vr-evals run"),
        (FIRST, OTHER, "--shard 1/8 of another vr-evals run"),
        (FIRST, SECOND, None),
    ],
    ids=["run-run", "run-share", "share-run", "share-itself", "share-other-number", "shares"],
)
def test_which_exclude_each_other(
    held: Lock, wanted: Lock, owner: str | None, log_dir: str
) -> None:
    with held(log_dir):
        if owner is None:
            with wanted(log_dir):
                pass
        else:
            with pytest.raises(InputError, match=f"is locked by {owner} "), wanted(log_dir):
                pytest.fail("it is held")
    with wanted(log_dir):
        pass


def test_a_lease_that_nobody_renews_is_taken_over() -> None:
    url = f"memory://{uuid4().hex}/logs"
    for name in (".vr-evals-run.lock", ".vr-evals-run.3-of-8.lock"):
        with fsspec.open(f"{url}/{name}", "w") as file:
            file.write("node7 123 abc 4")
    with exclusive_lock(url):
        pass
    files, folder = fsspec.url_to_fs(url)
    assert files.ls(folder) == [], "both are deleted"


def test_a_folder_that_cannot_be_written_to_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise PermissionError("Access\nDenied")

    monkeypatch.setattr("fsspec.implementations.memory.MemoryFileSystem.pipe_file", refuse)
    with pytest.raises(InputError, match="x/logs: cannot write logs: Access Denied"):
        exclusive_lock("memory://x/logs").__enter__()


def test_a_folder_at_a_url_is_created(tmp_path: Path) -> None:
    url = f"file://{tmp_path}/new/logs"
    with exclusive_lock(url):
        assert [path.name for path in (tmp_path / "new/logs").iterdir()] == [".vr-evals-run.lock"]
    assert list((tmp_path / "new/logs").iterdir()) == []


def test_a_lease_that_is_held_is_not_given_twice() -> None:
    url = f"memory://{uuid4().hex}/logs"
    with exclusive_lock(url):
        with locks._RemoteFolder(url).lock("") as free:
            assert not free
        with pytest.raises(InputError, match="another vr-evals run"):
            exclusive_lock(url).__enter__()
