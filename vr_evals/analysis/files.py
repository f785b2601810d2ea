"""From what a user names to log files: files, folders and URLs, local or not."""

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from inspect_ai.log import list_eval_logs

from vr_evals.errors import InputError

__all__ = ["LogFile", "LogPath", "check_paths", "file_name", "log_files"]

LogPath = str | os.PathLike[str]
"""A log file, a folder of logs, or the URL of one, e.g. ``s3://bucket/logs``."""

_EXTENSIONS = (".eval", ".json")


@dataclass(frozen=True)
class LogFile:
    """A log file.

    Attributes:
        name: Its path, or its URL where it is not local.
        changed: When it was last written, in milliseconds since 1970; 0 if nobody knows.
    """

    name: str
    changed: float = 0.0


def file_name(path: str) -> str:
    """A file's name without its folder, on whichever system it was written."""
    return path.replace("\\", "/").rsplit("/", maxsplit=1)[-1]


def check_paths(function: str, paths: Iterable[object]) -> None:
    """Check that a function was given paths, each as an argument of its own.

    Args:
        function: Its name, for the message.
        paths: What it was given.

    Raises:
        InputError: One is a list of paths, or no path.
    """
    for path in paths:
        if isinstance(path, str | os.PathLike):
            continue
        if isinstance(path, Collection | Iterator) and not isinstance(path, bytes):
            raise InputError(f"{function} takes paths one by one: {function}(*paths)")
        raise InputError(
            f"invalid path of type {type(path).__name__}: {function} expects log files, folders or "
            "URLs"
        )


def log_files(paths: Sequence[LogPath]) -> list[LogFile]:
    """The log files that are named or lie somewhere below a folder, each once.

    Args:
        paths: Files, folders and URLs. A URL stays a URL: nothing is made of it but the name.

    Raises:
        InputError: Nothing is named, there is no log under a name, or a folder cannot be read.
    """
    if not paths:
        raise InputError("no logs given: expected log files, folders or URLs")
    found = {file.name: file for path in paths for file in _below(os.fspath(path))}
    return list(found.values())


def _below(path: str) -> Iterable[LogFile]:
    local = "://" not in path
    if local and not os.path.exists(path):
        path = os.path.expanduser(path)
    if local and not os.path.exists(path):
        raise InputError(f"{path}: no such file or folder: expected logs (.eval, .json)")
    if local and os.path.isdir(path):
        _check_folders(path)
    try:
        listed = list_eval_logs(path, recursive=True)
        # Inspect lists .json files by their name alone: a log that was renamed is none to it
        is_file = not listed and path.endswith(_EXTENSIONS) and _is_file(path, local)
        missing = None if listed or is_file or local else _missing(path)
    except Exception as error:  # each file system has exceptions of its own
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"{path}: failed to read: {reason}") from None
    if listed:
        return [LogFile(info.name.removeprefix("file://"), info.mtime or 0.0) for info in listed]
    if is_file:
        return [LogFile(os.path.abspath(path) if local else path)]
    if missing:
        raise InputError(f"{path}: {missing} does not exist; expected logs (.eval, .json)")
    raise InputError(f"{path}: contains no logs (.eval, .json)")


def _missing(url: str) -> str | None:
    """What of a URL does not exist: the uppermost folder, e.g. a bucket; None if all does."""
    from fsspec.core import url_to_fs

    filesystem, inner = url_to_fs(url)
    filesystem.invalidate_cache()
    if filesystem.exists(inner):
        return None
    missing = inner.rstrip("/")
    while (parent := filesystem._parent(missing)) not in ("", "/", missing):
        if filesystem.exists(parent):
            break
        missing = parent
    return f"{url.partition('://')[0]}://{missing.lstrip('/')}"


def _check_folders(path: str) -> None:
    """Check that all folders below a path can be read; Inspect leaves out what it cannot read."""

    def refuse(error: OSError) -> NoReturn:
        raise InputError(f"{error.filename}: failed to read: {error.strerror}")

    for _ in os.walk(path, onerror=refuse):
        pass


def _is_file(path: str, local: bool) -> bool:
    if local:
        return os.path.isfile(path)
    from fsspec.core import url_to_fs

    filesystem, inner = url_to_fs(path)
    return bool(filesystem.isfile(inner))
