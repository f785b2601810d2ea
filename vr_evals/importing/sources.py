"""The rows of a result file, one after the other: csv, jsonl, json or parquet."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO, Any, BinaryIO

from vr_evals.benchmarks.files import distinct_columns
from vr_evals.characters import replace_lone_surrogates
from vr_evals.errors import InputError

__all__ = ["Row", "SUFFIXES", "Source", "open_source", "rows"]

_BATCH = 1000
"""Rows of a parquet file that are read at a time."""

_SEPARATORS = ",;\t"


@dataclass(frozen=True)
class Source:
    """A file that is imported.

    Attributes:
        location: Its path or URL.
        name: Its name without the folder, as logs have it.
        sha256: The hash of its content, in hexadecimal digits.
    """

    location: str
    name: str
    sha256: str


@dataclass(frozen=True)
class Row:
    """One row of a file.

    Attributes:
        source: The file.
        number: Its number among the rows, from 1; of a csv file without the header.
        values: Its values by column; None if missing.
    """

    source: Source
    number: int
    values: Mapping[str, Any]

    @property
    def place(self) -> str:
        """Where it is, for messages."""
        return f"{self.source.name} row {self.number}"


def open_source(location: str) -> Source:
    """Return a file with its hash.

    Raises:
        InputError: It cannot be read, or its suffix is not one of the `SUFFIXES`.
    """
    name = PurePosixPath(location.replace("\\", "/")).name
    if PurePosixPath(name).suffix.lower() not in SUFFIXES:
        raise InputError(f"invalid file '{location}': expected {', '.join(SUFFIXES)}")
    with _opened(location) as file:
        return Source(location, name, hashlib.sha256(file.read()).hexdigest())


def rows(source: Source) -> Iterator[Row]:
    """Yield the rows of a file, as it is read. Text stays text; an empty cell of csv is None.

    Raises:
        InputError: The file is not readable in its format; the message names the line.
    """
    read = _READERS[PurePosixPath(source.name).suffix.lower()]
    number = 0
    try:
        with _opened(source.location) as file:
            for number, values in enumerate(read(file), start=1):
                yield Row(source, number, values)
    except InputError as error:
        raise InputError(f"{source.name}: {error.message}") from None
    except UnicodeDecodeError:
        raise InputError(
            f"{source.name}: invalid text after row {number}: expected UTF-8"
        ) from None
    except (csv.Error, ValueError, RecursionError, OSError) as error:  # OSError is pyarrow's
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise InputError(f"{source.name}: failed to read after row {number}: {reason}") from None
    if not number:
        raise InputError(f"{source.name}: no rows, expected at least one")


def _opened(location: str) -> BinaryIO:
    import fsspec

    try:
        file: BinaryIO = fsspec.open(location, "rb").open()
    except Exception as error:  # each file system has its own exceptions
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise InputError(f"{location}: failed to read: {reason}") from None
    return file


def _text(file: BinaryIO) -> IO[str]:
    return io.TextIOWrapper(file, encoding="utf-8-sig", newline="")


def _csv(file: BinaryIO) -> Iterator[dict[str, Any]]:
    text = _text(file)
    header = text.readline()
    if not header.strip():
        return
    text.seek(0)
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # a reply may be longer than the default
    lines = csv.reader(text, delimiter=max(_SEPARATORS, key=header.count), strict=True)
    names = distinct_columns([name.strip() for name in next(lines)])
    for cells in lines:
        if not cells:
            continue
        if len(cells) != len(names):
            raise InputError(
                f"invalid line {lines.line_num}: {len(cells)} cells, expected {len(names)} as in "
                "the header"
            )
        yield {name: cell or None for name, cell in zip(names, cells, strict=True)}


def _jsonl(file: BinaryIO) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(_text(file), start=1):
        if line.strip():
            try:
                yield _object(json.loads(line, object_pairs_hook=_pairs))
            except (ValueError, RecursionError) as error:
                raise InputError(
                    f"invalid line {number}: {_first_line(error)}, expected a JSON object"
                ) from None


def _json(file: BinaryIO) -> Iterator[dict[str, Any]]:
    found = json.load(_text(file), object_pairs_hook=_pairs)
    if not isinstance(found, list):
        raise InputError("invalid JSON: expected a list of objects")
    yield from map(_object, found)


def _parquet(file: BinaryIO) -> Iterator[dict[str, Any]]:
    import pyarrow.parquet as pq

    table = pq.ParquetFile(file)
    distinct_columns(table.schema_arrow.names)
    for batch in table.iter_batches(batch_size=_BATCH):
        for row in batch.to_pylist():
            yield {name: _value(value) for name, value in row.items()}


def _object(found: Any) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise InputError("expected a JSON object per row")
    return found


def _pairs(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object, after checking that its names are unique."""
    distinct_columns([name for name, _ in pairs])
    return {replace_lone_surrogates(name): _value(value) for name, value in pairs}


def _value(value: Any) -> Any:
    """Return a value without lone surrogates; what is not a number is missing."""
    if isinstance(value, str):
        return replace_lone_surrogates(value)
    if isinstance(value, list):
        return [_value(part) for part in value]
    if isinstance(value, bytes):
        return value.decode()
    return None if isinstance(value, float) and math.isnan(value) else value


def _first_line(error: Exception) -> str:
    return error.message if isinstance(error, InputError) else str(error).splitlines()[0]


_READERS: Mapping[str, Callable[[BinaryIO], Iterator[dict[str, Any]]]] = {
    ".csv": _csv,
    ".jsonl": _jsonl,
    ".json": _json,
    ".parquet": _parquet,
}

SUFFIXES = tuple(_READERS)
"""Suffixes of the supported formats."""
