"""The tables of logs that were read before: a parquet file for each log in a folder.

An entry says of which state of the log it is, and by which software it was made: an entry of
another state or of other software is not read. Entries are replaced atomically, so any number of
processes may use a folder, and each has a checksum, so that a damaged one is as good as none.
"""

import hashlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from vr_evals.analysis.files import LogFile
from vr_evals.analysis.log_table import SCHEMA, LogTable
from vr_evals.analysis.run import Run
from vr_evals.cache_folder import cache_folder

__all__ = ["LIMIT", "CacheWarning", "Entry", "LogCache", "LogState", "default_folder", "log_state"]

LIMIT = 2 * 2**30
"""Bytes of all entries; beyond, those that were not used for the longest time are removed."""

_JUST_WRITTEN = 3.0
"""Seconds in which a file can be written twice with one time: file systems count in up to two."""

_KEY = b"vr_evals"
_SUFFIX = ".parquet"
_OLD_PART = 3600.0
"""Seconds after which a file that is not complete is one that a killed process left."""

LogState = list[int | str]
"""What changes when a log is written: plain values."""


class CacheWarning(UserWarning):
    """The cache of logs cannot be used; they are read without it."""


def default_folder() -> Path:
    """The folder of the cache."""
    return cache_folder() / "logs"


def log_state(file: LogFile) -> LogState | None:
    """Return what changes when a log is written; None if nobody can tell.

    Of a local file these are size, times and number; of a URL its etag, or else size and time.

    Args:
        file: The log file.
    """
    try:
        return _remote_state(file.name) if "://" in file.name else _local_state(file.name)
    except Exception:  # each file system has exceptions of its own
        return None


def _local_state(path: str) -> LogState | None:
    found = os.stat(path)
    if time.time() - found.st_mtime < _JUST_WRITTEN:
        return None
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]


_ETAGS = ("ETag", "etag")
_TIMES = ("mtime", "LastModified", "last_modified", "updated")


def _remote_state(url: str) -> LogState | None:
    from fsspec.core import url_to_fs

    filesystem, inner = url_to_fs(url)
    filesystem.invalidate_cache(inner)
    found = filesystem.info(inner)
    for name in _ETAGS:
        if found.get(name):
            return ["etag", str(found[name])]
    times = [found[name] for name in _TIMES if found.get(name)]
    if not times or found.get("size") is None:
        return None
    changed = times[0].timestamp() if hasattr(times[0], "timestamp") else float(times[0])
    return None if time.time() - changed < _JUST_WRITTEN else [int(found["size"]), repr(changed)]


@dataclass(frozen=True)
class Entry:
    """What was read of a log.

    Attributes:
        run: The run, or why the log is of no use.
        table: Its samples, if they were read.
    """

    run: Run | str
    table: LogTable | None = None


@dataclass(frozen=True)
class LogCache:
    """A folder of entries.

    Attributes:
        folder: The folder; it need not exist.
    """

    folder: Path

    def get(self, file: LogFile, state: LogState, with_table: bool) -> Entry | None:
        """Return all that was read of a log in its present state; None if that is not known.

        Args:
            file: The log file.
            state: Its state.
            with_table: Whether its samples are needed.
        """
        path = self._path(file)
        try:
            with pq.ParquetFile(path, page_checksum_verification=True) as opened:
                described = _described(opened.schema_arrow)
                if described["of"] != _of(file, state):
                    return None
                if with_table and not described["has_table"]:
                    return None
                rows = opened.read() if described["has_table"] else None
        except Exception:  # missing or damaged
            return None
        if rows is not None and rows.schema.remove_metadata() != SCHEMA:
            return None
        with suppress(OSError):
            os.utime(path)
        return _entry(described, rows, file)

    def put(self, file: LogFile, state: LogState, entry: Entry) -> None:
        """Keep what was read of a log.

        Args:
            file: The log file.
            state: Its state before it was read.
            entry: What was read.

        Raises:
            OSError: The folder cannot be written to.
        """
        rows = entry.table.rows if entry.table else SCHEMA.empty_table()
        described: dict[str, Any] = {
            "of": _of(file, state),
            "run": asdict(entry.run) if isinstance(entry.run, Run) else entry.run,
            "has_table": entry.table is not None,
        }
        if entry.table:
            described |= {
                "twice": entry.table.twice,
                "without_item": entry.table.without_item,
                "without_error": entry.table.without_error,
                "from_json": entry.table.from_json,
            }
        try:
            text = json.dumps(described)
        except (TypeError, ValueError):
            return
        if _entry(json.loads(text), None, file).run != entry.run:
            return  # what JSON would alter is read anew each time
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self._path(file)
        part = path.with_name(f".{path.stem}.{os.getpid()}.part")
        try:
            pq.write_table(
                rows.replace_schema_metadata({_KEY: _sealed(text)}),
                part,
                compression="zstd",
                write_page_checksum=True,
                write_statistics=False,
            )
            part.replace(path)
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)

    def trim(self, limit: int = LIMIT) -> None:
        """Remove the entries that were not used for the longest time, if there are too many.

        Args:
            limit: Bytes of all entries.
        """
        found = sorted(self._files(), key=lambda each: each[1].st_mtime, reverse=True)
        total = 0
        for path, stat in found:
            total += stat.st_size
            left = path.suffix != _SUFFIX and time.time() - stat.st_mtime > _OLD_PART
            if total > limit or left:
                with suppress(OSError):
                    path.unlink()

    def clear(self) -> tuple[int, int]:
        """Remove all entries; return their number, and their bytes.

        Raises:
            OSError: One of them cannot be removed.
        """
        count = size = 0
        for path, stat in self._files():
            path.unlink(missing_ok=True)
            count, size = count + 1, size + stat.st_size
        return count, size

    def _path(self, file: LogFile) -> Path:
        digest = hashlib.blake2b(os.fsencode(file.name), digest_size=20)
        return self.folder / (digest.hexdigest() + _SUFFIX)

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        if not self.folder.is_dir():
            return
        for path in self.folder.iterdir():
            if path.suffix in (_SUFFIX, ".part"):
                with suppress(FileNotFoundError):  # another process removed it
                    yield path, path.stat()


def _of(file: LogFile, state: LogState) -> list[Any]:
    return [_software(), file.name, state]


@cache
def _software() -> str:
    """Tells apart all software that may make another table of a log, also while it is written."""
    found = hashlib.blake2b(digest_size=20)
    for package in ("inspect-ai", "pyarrow"):
        found.update(f"{package} {version(package)}\n".encode())
    package_folder = Path(__file__).parents[1]
    for path in sorted(package_folder.rglob("*.py")):
        found.update(path.relative_to(package_folder).as_posix().encode() + path.read_bytes())
    return found.hexdigest()


def _sealed(text: str) -> bytes:
    content = text.encode()
    return hashlib.blake2b(content, digest_size=20).hexdigest().encode() + content


def _described(schema: pa.Schema) -> dict[str, Any]:
    """What an entry says of itself.

    Raises:
        ValueError: It is damaged.
    """
    sealed = (schema.metadata or {}).get(_KEY, b"")
    text = sealed[40:].decode()
    if _sealed(text) != sealed:
        raise ValueError("damaged")
    found: dict[str, Any] = json.loads(text)
    return found


def _entry(described: dict[str, Any], rows: pa.Table | None, file: LogFile) -> Entry:
    said = described["run"]
    if isinstance(said, str):
        return Entry(said)
    run = Run(**said | {"conditions": tuple(said["conditions"])})
    # when a file was changed depends on who lists it
    run = replace(run, log=file.name, changed=file.changed)
    if rows is None:
        return Entry(run)
    rows = rows.replace_schema_metadata(None)
    table = LogTable(
        rows,
        tuple(described["twice"]),
        tuple(described["without_item"]),
        described["without_error"],
        described["from_json"],
    )
    return Entry(run, table)
