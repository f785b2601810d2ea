"""Texts of a few samples, read from their logs, and their address in `inspect view`."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

import pandas as pd

from vr_evals.characters import replace_lone_surrogates
from vr_evals.formatting import shown
from vr_evals.report.blocks import Example

__all__ = ["VIEWER", "common_folder", "sample_block", "view_command"]

VIEWER = "http://127.0.0.1:7575"
"""Default address of `inspect view`."""

_TEXT_LIMIT = 1200
_OPTION_LIMIT = 300
_LINK_LIMIT = 2000
_SIZE_LIMIT = 50_000_000
_NOT_SHOWN = {"events", "events_data", "attachments", "store"}


def common_folder(logs: Sequence[str]) -> str:
    """Return the folder, or its URL, that contains all logs.

    Args:
        logs: Paths or URLs of log files.
    """
    paths = [log.replace("\\", "/") for log in logs]
    if any(".." in path.split("/") for path in paths):
        paths = [_absolute(path) for path in paths]
    folders = [path.rpartition("/")[0] for path in paths]
    parts = [folder.split("/") for folder in dict.fromkeys(folders)]
    common = os.path.commonprefix(parts) if parts else []
    return "/".join(common)


def _absolute(path: str) -> str:
    return path if "://" in path else os.path.abspath(path).replace("\\", "/")


def view_command(folder: str) -> str:
    """Return the command that shows the logs of a folder."""
    return f"inspect view --log-dir {shlex.quote(shown(folder or '.', 500))}"


def sample_block(row: Any, folder: str, title: str, reason: str) -> Example:
    """Make an item with the texts of one of its samples, if its log can still be read.

    Args:
        row: The sample's row of the tidy table.
        folder: What `common_folder` returns.
        title: The item.
        reason: Why it is shown.
    """
    log = str(row["log"])
    path = log.replace("\\", "/")
    if not path.startswith(folder) or ".." in path.split("/"):
        path = _absolute(path)
    below = path.removeprefix(folder).lstrip("/")
    link: str | None = f"{VIEWER}/#/logs/{_quoted(below, '/')}/samples/{_in_viewer(row)}"
    if len(str(link)) > _LINK_LIMIT:
        link = None
    place = (
        f"{shown(PurePosixPath(below).name, 200)}, sample {shown(row['sample_id'])}, "
        f"epoch {row['epoch']}"
    )
    return Example(
        title, reason, link, place, _texts(log, str(row["sample_id"]), int(row["epoch"]))
    )


def _in_viewer(row: Any) -> str:
    """The end of a sample's address in the viewer: by uuid if known, because ids are free text."""
    if pd.notna(row["uuid"]):
        return f"sample_uuid/{_quoted(str(row['uuid']))}"
    return f"sample/{_quoted(str(row['sample_id']))}/{row['epoch']}/"


def _quoted(text: str, safe: str = "") -> str:
    return quote(replace_lone_surrogates(text), safe=safe)


def _texts(log: str, sample_id: str, epoch: int) -> tuple[tuple[str, str], ...]:
    """The item, its options and the end of the reply."""
    from inspect_ai.log import read_eval_log_sample

    if log.endswith(".json") and _size(log) > _SIZE_LIMIT:
        return (("Not shown", "Log skipped: too large a JSON file to read for one sample."),)
    try:
        sample = _read(read_eval_log_sample, log, sample_id, epoch)
    except Exception as error:  # Inspect's readers raise anything if a file moved or broke
        return (("Not shown", f"The log could not be read again ({type(error).__name__})."),)
    asked = sample.input
    if not isinstance(asked, str):
        asked = next((message.text for message in asked if message.role == "user"), "")
    words = [("Item", _text(asked))]
    if sample.choices:
        options = "\n".join(
            f"{chr(65 + place)}) {shown(option, _OPTION_LIMIT)}"
            for place, option in enumerate(sample.choices[:26])
        )
        words.append(("Options", options))
    target = sample.target if isinstance(sample.target, str) else ", ".join(sample.target)
    words.append(("Right answer", shown(target) if target else "none"))
    words.append(("End of the reply", _end(sample.output.completion) or "(no visible text)"))
    return tuple(words)


def _read(reader: Any, log: str, sample_id: str, epoch: int) -> Any:
    """The sample; its id may be a number in the log."""
    try:
        return reader(log, id=sample_id, epoch=epoch, exclude_fields=_NOT_SHOWN)
    except IndexError:
        if not sample_id.isdecimal():
            raise
        return reader(log, id=int(sample_id), epoch=epoch, exclude_fields=_NOT_SHOWN)


def _text(text: str) -> str:
    """The beginning of a text, in lines."""
    cut = text[:_TEXT_LIMIT]
    left_out = len(text) - len(cut)
    lines = "\n".join(shown(line, _TEXT_LIMIT) for line in cut.split("\n"))
    return f"{lines}… ({left_out:,} more characters)" if left_out else lines


def _end(text: str) -> str:
    """The end of a text, where the answer is."""
    kept = text[-_TEXT_LIMIT // 2 :]
    left_out = len(text) - len(kept)
    lines = "\n".join(shown(line, _TEXT_LIMIT) for line in kept.split("\n"))
    return f"({left_out:,} characters before) …{lines}" if left_out else lines


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
