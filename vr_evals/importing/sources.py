"""The rows of a result file: csv, jsonl, json or parquet."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from vr_evals.benchmarks.files import SUFFIXES, parse_rows, read_bytes
from vr_evals.errors import InputError

__all__ = ["Row", "Source", "open_source", "rows"]


@dataclass(frozen=True)
class Source:
    """A file that is imported.

    Attributes:
        location: Its path or URL.
        name: Its name without the folder, as logs have it.
        data: Its content.
    """

    location: str
    name: str
    data: bytes = field(repr=False)

    @property
    def sha256(self) -> str:
        """The hash of its content, in hexadecimal digits."""
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True)
class Row:
    """One row of a file.

    Attributes:
        source: The file.
        number: Its number among the rows, from 1; of a csv file without the header.
        values: Its values by column; None if missing or empty.
    """

    source: Source
    number: int
    values: Mapping[str, Any]

    @property
    def place(self) -> str:
        """Where it is, for messages."""
        return f"{self.source.name} row {self.number}"


def open_source(location: str) -> Source:
    """Read a file.

    Raises:
        InputError: It cannot be read, or its suffix is not one of the `SUFFIXES`.
    """
    name = PurePosixPath(location.replace("\\", "/")).name
    if PurePosixPath(name).suffix.lower() not in SUFFIXES:
        raise InputError(f"invalid file '{location}': expected {', '.join(SUFFIXES)}")
    return Source(location, name, read_bytes(location, "file"))


def rows(source: Source) -> Iterator[Row]:
    """Yield the rows of a file. Text stays text.

    Raises:
        InputError: The file is not readable in its format.
    """
    found = parse_rows(source.name, source.data, complete=True)
    for number, values in enumerate(found, start=1):
        cells = {name: None if value == "" else value for name, value in values.items()}
        yield Row(source, number, cells)
