"""Locks of a log folder: two runs of the same samples would both pay for them.

A local folder has lock files, which the system releases when a process ends. A URL has leases:
small files that their owner rewrites every few seconds, so that one left behind by a process that
died is told from one in use without comparing the clocks of two machines.
"""

import errno
import logging
import os
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from uuid import uuid4

from vr_evals.errors import InputError

__all__ = ["exclusive_lock", "shared_lock"]

logger = logging.getLogger(__name__)

_PREFIX = ".vr-evals-run"
_SUFFIX = ".lock"
_NO_LOCKS = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL})
"""Error numbers of a file system without locks."""

_PATIENCE = 5.0
"""Seconds that another process may hold a lock only because it looks whether it is held."""

RENEWAL = 5.0
"""Seconds between two renewals of a lease."""

_LIFE = 3
"""A lease that is not renewed for this many renewals is left behind."""


@contextmanager
def exclusive_lock(log_dir: str) -> Iterator[None]:
    """Lock a folder for one run, in the body of a ``with``.

    Args:
        log_dir: The folder, created if missing, or a URL.

    Raises:
        InputError: Another run or a shard uses the folder, or it is not writable.
    """
    with _held(log_dir, "", lambda other: True):
        yield


@contextmanager
def shared_lock(log_dir: str, index: int, count: int) -> Iterator[None]:
    """Lock one share of a folder, beside the other shares of the same number.

    Args:
        log_dir: The folder, created if missing, or a URL.
        index: The share, from 1.
        count: The number of shares.

    Raises:
        InputError: The same share, one of another number, or a run that is not a share uses the
            folder, or it is not writable.
    """
    shares = f"-of-{count}"
    with _held(log_dir, f".{index}{shares}", lambda other: not other.endswith(shares)):
        yield


@contextmanager
def _held(log_dir: str, name: str, excludes: Callable[[str], bool]) -> Iterator[None]:
    """Hold a lock, and refuse if another one that it excludes is held."""
    folder = _RemoteFolder(log_dir) if "://" in log_dir else _LocalFolder(log_dir)
    with folder.lock(name) as free:
        if not free:
            raise _in_use(log_dir, name)
        # after taking its own: of two that start at the same time, at least one sees the other
        others = [other for other in folder.names() if other != name and excludes(other)]
        for other in folder.held(others):
            raise _in_use(log_dir, other)
        yield


def _in_use(log_dir: str, name: str) -> InputError:
    shard = name.removeprefix(".").replace("-of-", "/")
    whose = f"--shard {shard} of another vr-evals run" if shard else "another vr-evals run"
    return InputError(
        f"{log_dir}: log directory is locked by {whose} (it would pay for the same samples "
        "twice); wait until it ends, or use another --log-dir"
    )


def _names(files: Sequence[str]) -> list[str]:
    return [
        file.removeprefix(_PREFIX).removesuffix(_SUFFIX)
        for file in sorted(files)
        if file.startswith(_PREFIX) and file.endswith(_SUFFIX)
    ]


class _LocalFolder:
    """A local folder with lock files."""

    def __init__(self, log_dir: str) -> None:
        self._log_dir = log_dir
        self._folder = Path(log_dir)
        self._folder.mkdir(parents=True, exist_ok=True)

    def names(self) -> list[str]:
        return _names([path.name for path in self._folder.iterdir()])

    def held(self, names: Sequence[str]) -> list[str]:
        """Return which locks other processes hold."""
        found = []
        for name in names:
            with self.lock(name, _PATIENCE) as free:
                if not free:
                    found.append(name)
        return found

    @contextmanager
    def lock(self, name: str, patience: float = 0) -> Iterator[bool]:
        """Yield whether the lock is held in the body."""
        from filelock import FileLock, Timeout

        file = f"{_PREFIX}{name}{_SUFFIX}"
        lock = FileLock(self._folder / file, timeout=patience)
        try:
            lock.acquire()
        except Timeout:
            yield False
            return
        except (NotImplementedError, OSError) as error:
            if isinstance(error, OSError) and error.errno not in _NO_LOCKS:
                raise InputError(
                    f"{self._log_dir}: cannot lock {file}: {error.strerror or error}"
                ) from None
            logger.warning(
                "%s: file locks not supported: a second run at the same time is not detected",
                self._log_dir,
            )
        try:
            yield True
        finally:
            lock.release()


class _RemoteFolder:
    """A folder at a URL with leases.

    Of two processes that take a lease at the same moment, one may not see the other: a file store
    has no lock.
    """

    def __init__(self, log_dir: str) -> None:
        from fsspec.core import url_to_fs

        self._log_dir = log_dir
        with _access(log_dir):
            self._files, self._folder = url_to_fs(log_dir.rstrip("/"))

    def names(self) -> list[str]:
        with _access(self._log_dir):
            self._files.invalidate_cache()
            return _names([path.rpartition("/")[2] for path in self._files.ls(self._folder, False)])

    def held(self, names: Sequence[str]) -> list[str]:
        """Return which leases are renewed while they are watched; delete the others."""
        paths = {name: self._path(name) for name in names}
        with _access(self._log_dir):
            before = {name: self._read(path) for name, path in paths.items()}
            deadline = time.monotonic() + _LIFE * RENEWAL
            while any(before.values()) and time.monotonic() < deadline:
                time.sleep(RENEWAL / 2)
                now = {name: self._read(path) for name, path in paths.items()}
                found = [name for name in names if now[name] not in (before[name], None)]
                if found:
                    return found
                before = now
            for name, path in paths.items():
                if before[name] is not None:
                    self._files.rm_file(path)
        return []

    @contextmanager
    def lock(self, name: str) -> Iterator[bool]:
        """Yield whether the lease is held in the body; writing it also tests that writing works."""
        path, me = self._path(name), f"{socket.gethostname()} {os.getpid()} {uuid4().hex}"
        taken = not self.held([name]) and self._take(path, me)
        if not taken:
            yield False
            return
        ended = Event()
        renewing = Thread(target=self._renew, args=(path, me, ended), daemon=True)
        renewing.start()
        try:
            yield True
        finally:
            ended.set()
            renewing.join()
            with suppress(Exception):  # it is not renewed, which is as good
                self._files.rm_file(path)

    def _path(self, name: str) -> str:
        return f"{self._folder}/{_PREFIX}{name}{_SUFFIX}"

    def _take(self, path: str, me: str) -> bool:
        """Write a lease, and return whether it is still there after a moment."""
        with _access(self._log_dir):
            try:
                self._write(path, f"{me} 0")
            except FileNotFoundError:
                if not self._files.root_marker:  # an object store: it is the bucket that is missing
                    raise
                self._files.makedirs(self._folder, exist_ok=True)
                self._write(path, f"{me} 0")
            time.sleep(min(1.0, RENEWAL))
            return (self._read(path) or "").startswith(me)

    def _renew(self, path: str, me: str, ended: Event) -> None:
        count = 0
        while not ended.wait(RENEWAL):
            count += 1
            with suppress(Exception):  # the next renewal may succeed
                self._write(path, f"{me} {count}")

    def _read(self, path: str) -> str | None:
        self._files.invalidate_cache()
        try:
            return bytes(self._files.cat_file(path)).decode("utf-8", "replace")
        except FileNotFoundError:
            return None

    def _write(self, path: str, text: str) -> None:
        self._files.pipe_file(path, text.encode())


@contextmanager
def _access(log_dir: str) -> Iterator[None]:
    """Turn an error of a file system into one line."""
    try:
        yield
    except Exception as error:  # each file system has exceptions of its own
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"{log_dir}: cannot write logs: {reason}") from None
