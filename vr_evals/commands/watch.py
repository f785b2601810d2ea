"""Waits for logs: those that are added, finished, changed or removed while a study runs."""

import time
from collections.abc import Callable, Iterator, Sequence

from vr_evals.analysis.files import log_files
from vr_evals.errors import InputError

__all__ = ["changes_of_logs"]

_SECONDS = 2.0
_SECONDS_REMOTE = 15.0
"""Between two looks at files, and at URLs, whose listing may have a price."""


def changes_of_logs(
    paths: Sequence[str], unfinished: bool, wait: Callable[[float], None] = time.sleep
) -> Iterator[None]:
    """Yield at once, and again whenever there is another log, or one is finished, changed or gone.

    What is written to a log that still runs does not count, unless unfinished runs are read. Files
    are looked at before each yield, so that no change is missed while it is dealt with.

    Args:
        paths: Log files, folders and URLs.
        unfinished: Whether logs of unfinished runs are read, too.
        wait: Waits for some seconds.
    """
    seconds = _SECONDS_REMOTE if any("://" in path for path in paths) else _SECONDS
    seen = _logs(paths)
    yield
    while True:
        wait(seconds)
        found = _logs(paths)
        changed = [name for name in found.keys() & seen.keys() if found[name] != seen[name]]
        counts = found.keys() != seen.keys() or any(
            unfinished or not _is_running(name) for name in changed
        )
        seen = found
        if counts:
            yield


def _logs(paths: Sequence[str]) -> dict[str, float]:
    """When each log was last written; none if there are no logs, or while they cannot be listed."""
    found: dict[str, float] = {}
    for path in paths:
        try:
            found |= {file.name: file.changed for file in log_files([path])}
        except InputError:
            continue
    return found


def _is_running(log: str) -> bool:
    from inspect_ai.log import read_eval_log

    try:
        return read_eval_log(log, header_only=True).status == "started"
    except Exception:  # whatever Inspect's readers make of a broken file, which the page names
        return False
