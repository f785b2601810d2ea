"""Read the rows of a csv, json, jsonl or parquet file, local or at any fsspec URL."""

import codecs
import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from vr_evals.characters import replace_lone_surrogates
from vr_evals.errors import InputError

__all__ = ["SUFFIXES", "Row", "file_stem", "parse_rows", "read_bytes", "read_rows"]

Row = Mapping[str, Any]
"""One row: values by column name."""

SUFFIXES = (".csv", ".json", ".jsonl", ".parquet")
"""Suffixes of the supported formats."""

_TIMEOUT = 15
"""Seconds to wait for data from a server."""

_MAX_BYTES = 1_000_000_000
"""Limit of a file, so that an endless one does not fill the memory."""

_CHUNK = 16_000_000
"""Bytes per read."""

_MAX_CELL = 2**31 - 1
"""Limit of a cell of csv, instead of 131,072, which replies may exceed."""

_MAX_DEPTH = 100
"""Limit of nested lists in a value; logs fail at about 250."""

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    # before UTF-16, whose mark is its first half
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def read_rows(location: str) -> list[Row]:
    """Read all rows of a file.

    Text stays text: ``NA``, ``None`` and empty values are never numbers.

    Args:
        location: A path or fsspec URL with one of the ``SUFFIXES``.

    Raises:
        InputError: The file is missing, empty, or not readable in its format.
    """
    if _suffix(location) not in SUFFIXES:
        raise InputError(
            f"invalid -T dataset '{location}': expected hub, sample, or a path or URL of a "
            f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file"
        )
    return parse_rows(location, read_bytes(location, "-T dataset"))


def parse_rows(location: str, data: bytes, complete: bool = False) -> list[Row]:
    """Parse the content of a file.

    Args:
        location: Its path or URL, with one of the ``SUFFIXES``.
        data: Its content.
        complete: Whether a row of csv that ends early is an error; otherwise its last cells are
            empty.

    Raises:
        InputError: It contains no rows, or is not of its format.
    """
    suffix = _suffix(location)
    try:
        rows = _csv_rows(data, complete) if suffix == ".csv" else _READERS[suffix](data)
    except InputError as error:
        raise InputError(f"{location}: {error.message}") from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"invalid encoding of {location}: expected UTF-8, failed at byte {error.start}"
        ) from None
    except (csv.Error, ValueError, RecursionError, OSError) as error:  # OSError is pyarrow's
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise InputError(f"invalid {suffix[1:]} file {location}: {reason}") from None
    if not rows:
        raise InputError(f"{location}: no rows, expected at least one")
    return rows


def file_stem(location: str) -> str:
    """Return a file's name without folder and suffix."""
    return PurePosixPath(_path(location)).stem


def _path(location: str) -> str:
    try:
        return urlsplit(location).path if "://" in location else location.replace("\\", "/")
    except ValueError as error:
        raise InputError(f"invalid -T dataset '{location}': {error}") from None


def _suffix(location: str) -> str:
    return PurePosixPath(_path(location)).suffix.lower()


def read_bytes(location: str, what: str) -> bytes:
    """Read the content of a file.

    Args:
        location: A path or fsspec URL.
        what: What it is, for messages.

    Raises:
        InputError: It cannot be read, or is too large.
    """
    import fsspec

    options: dict[str, Any] = {}
    if location.startswith(("http://", "https://")):
        import aiohttp

        wait = aiohttp.ClientTimeout(total=None, sock_connect=_TIMEOUT, sock_read=_TIMEOUT)
        # streamed, because only then the byte limit applies, and not compressed, because a
        # truncated compressed body would not be noticed
        client = {"timeout": wait, "headers": {"Accept-Encoding": "identity"}}
        options = {"client_kwargs": client, "block_size": 0}
    try:
        with fsspec.open(location, "rb", **options) as file:
            data = bytearray()
            while len(data) <= _MAX_BYTES and (chunk := file.read(_CHUNK)):
                data += chunk
    except FileNotFoundError as error:
        raise InputError(
            f"failed to read {what} '{location}': {_missing_reason(location, error)}"
        ) from None
    except Exception as error:  # each file system has its own exceptions
        reason = (str(error).strip().splitlines() or [""])[0]
        raise InputError(
            f"failed to read {what} '{location}': {type(error).__name__} {reason}".rstrip()
        ) from None
    if len(data) > _MAX_BYTES:
        raise InputError(
            f"invalid {what} '{location}': larger than the limit of {_MAX_BYTES:,} bytes"
        )
    return bytes(data)


def _missing_reason(location: str, error: FileNotFoundError) -> str:
    """Return why a file is not found; fsspec raises this for refusals and timeouts too."""
    if status := getattr(error.__cause__, "status", None):
        return f"the server responded with HTTP {status}"
    return "file not found" + ", or its server is not reachable" * ("://" in location)


def _decode(data: bytes) -> str:
    encoding = next(
        (name for mark, name in _BYTE_ORDER_MARKS.items() if data.startswith(mark)), "utf-8"
    )
    return data.decode(encoding)


def _csv_rows(data: bytes, complete: bool) -> list[Row]:
    text = _decode(data).lstrip("\r\n")
    header = text.split("\n", 1)[0]
    if not header.strip():
        raise InputError("no rows, expected a header line and at least one row")
    separator = max(",;\t", key=header.count)
    before = csv.field_size_limit(_MAX_CELL)
    try:
        return list(_csv_cells(text, separator, complete))
    finally:
        csv.field_size_limit(before)


def _csv_cells(text: str, separator: str, complete: bool) -> Iterator[Row]:
    """Yield the rows below the header; blank lines are no rows."""
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    names = [name.strip() or f"column {i}" for i, name in enumerate(next(lines), start=1)]
    _check_distinct(names)
    for cells in lines:
        if len(cells) < 2 and not "".join(cells).strip():
            continue
        if len(cells) > len(names) or (complete and len(cells) < len(names)):
            raise InputError(
                f"invalid line {lines.line_num}: expected {len(names)} cells as in the header, "
                f"found {len(cells)}"
            )
        yield dict(zip_longest(names, cells, fillvalue=""))


def _json_rows(data: bytes) -> list[Row]:
    rows = json.loads(_decode(data), object_pairs_hook=_object)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError("invalid JSON: expected a list of objects")
    return _records(rows)


def _jsonl_rows(data: bytes) -> list[Row]:
    rows = []
    for number, line in enumerate(_decode(data).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line, object_pairs_hook=_object)
        except InputError as error:
            raise InputError(f"line {number}: {error.message}") from None
        except ValueError as error:
            raise InputError(f"invalid JSON in line {number}: {error}") from None
        if not isinstance(row, dict):
            raise InputError(f"invalid JSON in line {number}: expected an object")
        rows.append(row)
    return _records(rows)


def _parquet_rows(data: bytes) -> list[Row]:
    import pyarrow.parquet as pq

    table = pq.ParquetFile(io.BytesIO(data)).read()
    _check_distinct(table.column_names)
    return _records([{k: _as_text(k, v) for k, v in row.items()} for row in table.to_pylist()])


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object, after checking that its names are unique."""
    found = {replace_lone_surrogates(name): _without_surrogates(value) for name, value in pairs}
    if len(found) < len(pairs):
        _check_distinct([name for name, _ in pairs])
    return found


def _without_surrogates(value: Any) -> Any:
    """Return a JSON value without lone surrogates, which escapes can produce."""
    if isinstance(value, list):
        return [_without_surrogates(part) for part in value]
    return replace_lone_surrogates(value) if isinstance(value, str) else value


def _check_distinct(names: Sequence[str]) -> None:
    """Check that column names are unique.

    Raises:
        InputError: One is there twice.
    """
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise InputError(f"duplicate column {twice!r}")


def _as_text(column: str, value: Any) -> Any:
    """Decode bytes, also in lists: many writers do not mark text columns as UTF-8."""
    if isinstance(value, list | tuple):  # a map is a list of pairs
        return [_as_text(column, part) for part in value]
    if isinstance(value, dict):
        return {name: _as_text(column, part) for name, part in value.items()}
    if not isinstance(value, bytes):
        return value
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise InputError(f"invalid text in column {column}: expected UTF-8") from None


def _records(rows: list[Any]) -> list[Row]:
    """Return rows with missing values (NaN and the like) as None."""
    for row in rows:
        for key, value in row.items():
            if isinstance(value, list | tuple | dict) and _is_deeper(value, _MAX_DEPTH):
                raise InputError(f"invalid column {key}: nested more than {_MAX_DEPTH} deep")
    return [
        {str(key): None if value != value else value for key, value in row.items()} for row in rows
    ]


def _is_deeper(value: Any, limit: int) -> bool:
    """Return whether lists and objects are nested deeper than a limit."""
    if not isinstance(value, list | tuple | dict):
        return False
    parts = value.values() if isinstance(value, dict) else value
    return limit == 0 or any(_is_deeper(part, limit - 1) for part in parts)


_READERS = {
    ".json": _json_rows,
    ".jsonl": _jsonl_rows,
    ".parquet": _parquet_rows,
}
