"""Reads headers and samples of logs, from the cache where it has them."""

import os
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

from inspect_ai.log import read_eval_log

from vr_evals.analysis.files import LogFile
from vr_evals.analysis.log_cache import (
    CacheWarning,
    Entry,
    LogCache,
    LogState,
    default_folder,
    log_state,
)
from vr_evals.analysis.log_table import LogTable, read_log_table
from vr_evals.analysis.run import Run, read_run, skip_reason
from vr_evals.analysis.selection import Skipped
from vr_evals.analysis.workers import default_processes, in_processes

__all__ = ["LogReader", "unreadable_reason"]

_WORTH_PROCESSES = 2 * 2**20
"""Bytes of logs that take longer to read than processes to start."""


def unreadable_reason(error: Exception) -> str:
    """Why a log could not be read, in a line."""
    said = " ".join(str(error).split())[:200]
    return f"unreadable ({type(error).__name__}{': ' if said else ''}{said})"


def _read_header(file: LogFile) -> Run | str:
    """Read the header of a log: the run, or why the table has no use for it."""
    header = read_eval_log(file.name, header_only=True)
    return skip_reason(header) or read_run(file, header)


class LogReader:
    """Reads logs; a context, at whose end the cache is trimmed.

    Args:
        files: The log files.
        cache: Whether the user's cache is used.
        processes: How many processes read at the same time; None for as many as are worth it.
    """

    def __init__(self, files: Sequence[LogFile], cache: bool, processes: int | None) -> None:
        self._files = {file.name: file for file in files}
        self._processes = processes
        self._cache = LogCache(default_folder()) if cache else None
        self._states = {file.name: log_state(file) if cache else None for file in files}
        self._read_ahead: set[str] = set()
        self._headers: dict[str, Run | str] = {}
        self._found: dict[str, Entry] = {}
        self._ways: dict[str, str] = {}
        self._failure: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._cache:
            with suppress(OSError):
                self._cache.trim()
        if self._failure and kind is None:
            warnings.warn(f"cache of logs not written: {self._failure}", CacheWarning, stacklevel=3)

    def ways(self) -> dict[str, int]:
        """Count the logs whose samples were read from the cache, as JSON, and by Inspect."""
        counts = Counter(self._ways.values())
        return {way: counts[way] for way in ("cache", "json", "inspect")}

    def worth_reading_ahead(self) -> list[LogFile]:
        """Return the logs that the cache lacks, if they take longer than starting processes."""
        count = default_processes() if self._processes is None else self._processes
        if count < 2:
            return []
        found = [file for file in self._files.values() if self._find(file) is None]
        small = self._processes is None and sum(map(_size, found)) < _WORTH_PROCESSES
        return [] if small or len(found) < 2 else found

    def read_ahead(self, files: Sequence[LogFile], done: Callable[[], None]) -> None:
        """Read logs in processes.

        What they cannot read is left for this process, which then says why.

        Args:
            files: The log files.
            done: Called after each.
        """
        tasks = [
            _Task(file, self._states[file.name], self._cache)
            for file in sorted(files, key=_size, reverse=True)
        ]
        count = default_processes() if self._processes is None else self._processes
        for name, entry, failure in in_processes(_read_and_keep, tasks, count):
            if entry:
                self._found[name] = entry
                self._read_ahead.add(name)
            self._failure = self._failure or failure
            done()

    def read_run(self, file: LogFile, counted: bool) -> Run | Skipped:
        """Read the header of a log.

        Args:
            file: The log file.
            counted: Count the samples of a run that was killed before its header said how many.
        """
        try:
            found = self._read_run(file)
            if isinstance(found, str):
                return Skipped(file.name, found)
            if counted and not found.counted:
                return replace(found, samples=self.read_table(found).without_error)
            return found
        except Exception as error:  # whatever Inspect's readers make of a broken file
            return Skipped(file.name, unreadable_reason(error))

    def _read_run(self, file: LogFile) -> Run | str:
        entry = self._find(file)
        found = _read_header(file) if entry is None else entry.run
        self._headers[file.name] = found
        if entry is None and (isinstance(found, str) or not found.finished):
            self._keep(file, Entry(found))
        return found

    def read_table(self, run: Run) -> LogTable:
        """Read the samples of a log.

        Args:
            run: The run that the log is of.

        Raises:
            Exception: Whatever Inspect's readers raise on a broken file.
        """
        file = self._files[run.log]
        entry = self._find(file, with_table=True)
        if entry and entry.table:
            was_read = run.log in self._ways or run.log in self._read_ahead
            self._ways[run.log] = _way(entry.table) if was_read else "cache"
            return entry.table
        table = read_log_table(run)
        self._ways[run.log] = _way(table)
        self._keep(file, Entry(self._headers[run.log], table))
        return table

    def _find(self, file: LogFile, with_table: bool = False) -> Entry | None:
        known = self._found.get(file.name)
        if known and (known.table or not with_table):
            return known
        state = self._states[file.name]
        found = self._cache.get(file, state, with_table) if self._cache and state else None
        if found:
            self._found[file.name] = found  # to open its file takes more than all else
        return found

    def _keep(self, file: LogFile, entry: Entry) -> None:
        failure = _Task(file, self._states[file.name], self._cache).keep(entry)
        self._failure = self._failure or failure


@dataclass(frozen=True)
class _Task:
    """A log to read.

    Attributes:
        file: The log file.
        state: Its state before it is read, if that is known.
        cache: Where what is read is kept, if the state is known.
    """

    file: LogFile
    state: LogState | None
    cache: LogCache | None

    def keep(self, entry: Entry) -> str | None:
        """Keep what was read, and return why the cache could not be written to."""
        if not (self.cache and self.state and log_state(self.file) == self.state):
            return None
        try:
            self.cache.put(self.file, self.state, entry)
        except OSError as error:
            return f"{self.cache.folder}: {error.strerror or error}"
        return None


def _read_and_keep(task: _Task) -> tuple[str, Entry | None, str | None]:
    """Read a log in another process, and say why the cache could not be written to."""
    try:
        found = _read_header(task.file)
        if isinstance(found, Run) and found.finished:
            entry = Entry(found, read_log_table(found))
        else:
            entry = Entry(found)
    except Exception:  # the process that asked reads it again, and says why
        return task.file.name, None, None
    return task.file.name, entry, task.keep(entry)


def _way(table: LogTable) -> str:
    return "json" if table.from_json else "inspect"


def _size(file: LogFile) -> int:
    try:
        return os.stat(file.name).st_size
    except OSError:  # a URL
        return 0
