"""Rows of a csv, json, jsonl or parquet file, local or at any fsspec URL."""

import codecs
import io
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from vr_evals.characters import whole
from vr_evals.errors import InputError

__all__ = ["SUFFIXES", "Row", "file_stem", "read_rows"]

Row = Mapping[str, Any]
"""One row: a cell by column name."""

SUFFIXES = (".csv", ".json", ".jsonl", ".parquet")
"""How the names of files end that can be read."""

_TIMEOUT = 15
"""Seconds that a server may be silent."""

_LARGEST = 1_000_000_000
"""Bytes of a file, so that one without an end does not fill the memory."""

_CHUNK = 16_000_000
"""Bytes that are read at a time."""

_DEEPEST = 100
"""Lists within lists within a cell; a log cannot be written of some 250."""

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    # before UTF-16, whose mark it begins with
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def read_rows(location: str) -> list[Row]:
    """Read all rows of a file.

    Text cells keep what they say: ``NA``, ``None`` or an empty cell is text, never a number.

    Args:
        location: A path or fsspec URL that ends in one of ``SUFFIXES``.

    Raises:
        InputError: The file is missing, unreadable, empty or not of its kind.
    """
    suffix = _suffix(location)
    data = _read_bytes(location)
    try:
        rows = _READERS[suffix](data)
    except InputError as error:
        raise InputError(f"{location}: {error.message}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{location}: not UTF-8 at byte {error.start}; save it as UTF-8") from None
    except (ValueError, RecursionError, OSError) as error:  # OSError is pyarrow's
        reason = str(error).strip().splitlines()[0]
        raise InputError(f"{location}: not a readable {suffix[1:]} file: {reason}") from None
    if not rows:
        raise InputError(f"{location}: no rows found, wanted at least one")
    return rows


def file_stem(location: str) -> str:
    """The file's name without folder and suffix."""
    return PurePosixPath(_path(location)).stem


def _path(location: str) -> str:
    try:
        return urlsplit(location).path if "://" in location else location.replace("\\", "/")
    except ValueError as error:
        raise InputError(f"dataset={location}: {error}") from None


def _suffix(location: str) -> str:
    suffix = PurePosixPath(_path(location)).suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f"dataset={location}: wanted hub, sample or a {', '.join(SUFFIXES)} file")
    return suffix


def _read_bytes(location: str) -> bytes:
    import fsspec

    options: dict[str, Any] = {}
    if location.startswith(("http://", "https://")):
        import aiohttp

        wait = aiohttp.ClientTimeout(total=None, sock_connect=_TIMEOUT, sock_read=_TIMEOUT)
        # streamed, since only that ends where we say
        # and as it is: of a compressed body nobody could say that it was cut off
        client = {"timeout": wait, "headers": {"Accept-Encoding": "identity"}}
        options = {"client_kwargs": client, "block_size": 0}
    try:
        with fsspec.open(location, "rb", **options) as file:
            data = bytearray()
            while len(data) <= _LARGEST and (chunk := file.read(_CHUNK)):
                data += chunk
    except FileNotFoundError as error:
        raise InputError(f"dataset={location}: {_missing(location, error)}") from None
    except Exception as error:  # each file system has exceptions of its own
        reason = (str(error).strip().splitlines() or [""])[0]
        raise InputError(
            f"dataset={location}: cannot be read: {type(error).__name__} {reason}".rstrip()
        ) from None
    if len(data) > _LARGEST:
        raise InputError(
            f"dataset={location}: more than {_LARGEST:,} bytes, wanted at most as many"
        )
    return bytes(data)


def _missing(location: str, error: FileNotFoundError) -> str:
    """Why a file is not there; file systems say so too of a server that refuses or is silent."""
    if status := getattr(error.__cause__, "status", None):
        return f"the server answered {status}"
    return "no such file" + ", or its server cannot be reached" * ("://" in location)


def _decode(data: bytes) -> str:
    encoding = next(
        (name for mark, name in _BYTE_ORDER_MARKS.items() if data.startswith(mark)), "utf-8"
    )
    return data.decode(encoding)


def _csv_rows(data: bytes) -> list[Row]:
    import pandas as pd

    text = _decode(data)
    header = text.lstrip("\n\r").split("\n", 1)[0]
    if not header.strip():
        raise InputError("no rows found, wanted a header line and at least one row")
    # the header is read as a row: pandas would rename a column that is there twice
    frame = pd.read_csv(
        io.StringIO(text, newline=""),
        sep=max(",;\t", key=header.count),
        dtype=str,
        header=None,
        keep_default_na=False,
    )
    names = [name.strip() or f"column {i}" for i, name in enumerate(frame.iloc[0], start=1)]
    frame.columns = pd.Index(_distinct(names))
    return _records(frame[1:].to_dict("records"))


def _json_rows(data: bytes) -> list[Row]:
    rows = json.loads(_decode(data), object_pairs_hook=_object)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError("wanted a JSON list of objects")
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
            raise InputError(f"line {number} is not JSON: {error}") from None
        if not isinstance(row, dict):
            raise InputError(f"line {number} is not a JSON object")
        rows.append(row)
    return _records(rows)


def _parquet_rows(data: bytes) -> list[Row]:
    import pyarrow.parquet as pq

    table = pq.ParquetFile(io.BytesIO(data)).read()
    _distinct(table.column_names)
    return _records([{k: _as_text(k, v) for k, v in row.items()} for row in table.to_pylist()])


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, no name of which is there twice."""
    found = {whole(name): _whole(value) for name, value in pairs}
    if len(found) < len(pairs):
        _distinct([name for name, _ in pairs])
    return found


def _whole(value: Any) -> Any:
    """A value of JSON, the texts of which are whole characters: escapes can say halves."""
    if isinstance(value, list):
        return [_whole(part) for part in value]
    return whole(value) if isinstance(value, str) else value


def _distinct(names: list[str]) -> list[str]:
    """The names of columns, as long as none is there twice: nobody could say which one counts."""
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise InputError(f"column {twice!r} is there twice")
    return names


def _as_text(column: str, value: Any) -> Any:
    """Bytes as text, also within lists: many writers do not mark a column as UTF-8."""
    if isinstance(value, list | tuple):  # a map is a list of pairs
        return [_as_text(column, part) for part in value]
    if isinstance(value, dict):
        return {name: _as_text(column, part) for name, part in value.items()}
    if not isinstance(value, bytes):
        return value
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise InputError(f"column {column} has bytes that are no UTF-8 text") from None


def _records(rows: list[Any]) -> list[Row]:
    """Rows in which what is not there is None, under whatever name the reader knows it."""
    for row in rows:
        for key, value in row.items():
            if isinstance(value, list | tuple | dict) and _is_deeper(value, _DEEPEST):
                raise InputError(f"column {key} is nested more than {_DEEPEST} deep")
    return [
        {str(key): None if value != value else value for key, value in row.items()} for row in rows
    ]


def _is_deeper(value: Any, deepest: int) -> bool:
    """Whether lists and objects are nested more than so deep."""
    if not isinstance(value, list | tuple | dict):
        return False
    parts = value.values() if isinstance(value, dict) else value
    return deepest == 0 or any(_is_deeper(part, deepest - 1) for part in parts)


_READERS = {
    ".csv": _csv_rows,
    ".json": _json_rows,
    ".jsonl": _jsonl_rows,
    ".parquet": _parquet_rows,
}
