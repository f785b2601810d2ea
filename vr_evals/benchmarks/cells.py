"""Parse the values of a row: texts, labels, indices, lists, ids."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Collection, Sequence
from typing import Any

from vr_evals.benchmarks.files import Row
from vr_evals.characters import replace_lone_surrogates

__all__ = [
    "RowError",
    "ambiguous_index",
    "cluster",
    "content_id",
    "counted_from",
    "distinct",
    "index",
    "is_missing",
    "item_id",
    "other_columns",
    "text",
    "texts",
    "value",
    "word",
]


class RowError(ValueError):
    """An invalid row; it is skipped and counted. The message is the reason."""


def value(row: Row, names: Sequence[str]) -> Any:
    """Return the value of the first column that the row has, or None."""
    return next((row[name] for name in names if row.get(name) is not None), None)


def _as_integer(cell: Any) -> Any:
    """Return 1.0 as 1: pandas reads integer columns with missing values as floats."""
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


def text(row: Row, *names: str) -> str:
    """Return a text value, without outer white space.

    Raises:
        RowError: The value is missing, empty or not text.
    """
    cell = value(row, names)
    if isinstance(cell, dict | list | tuple):
        raise RowError(f"invalid {names[0]}: expected text")
    found = replace_lone_surrogates(str("" if cell is None else cell)).strip()
    if not found:
        raise RowError(f"empty {names[0]}")
    return found


def texts(row: Row, *names: str) -> tuple[str, ...]:
    """Return the texts of a list, or of a list in JSON.

    Raises:
        RowError: The value is missing or not a list, or one of its texts is empty.
    """
    cell = value(row, names)
    if isinstance(cell, str):
        try:
            cell = json.loads(cell)
        except (ValueError, RecursionError):
            cell = None
    if not isinstance(cell, list | tuple):
        raise RowError(f"invalid {names[0]}: expected a list")
    return tuple(text({names[0]: part}, names[0]) for part in cell)


def word(row: Row, *names: str) -> str:
    """Return a value as one lower-case word; floats like 1.0 are integers.

    Raises:
        RowError: The value is missing, empty or a word for missing.
    """
    found = _as_word(value(row, names))
    if found in _MISSING:
        raise RowError(f"missing {names[0]}")
    return found


_MISSING = frozenset({"", "na", "n/a", "nan", "none", "null"})


def is_missing(cell: Any) -> bool:
    """Return whether a value is missing, empty or a word for missing."""
    return _as_word(cell) in _MISSING


def _as_word(cell: Any) -> str:
    cell = _as_integer(cell)
    found = " ".join(str("" if cell is None else cell).lower().split())
    return re.sub(r"(?<=[a-z])[_-](?=[a-z])", " ", re.sub(r"^(\d+)\.0+$", r"\1", found))


def index(row: Row, count: int, *names: str) -> int:
    """Return a 0-based index of ``count`` options, given as a number or a letter.

    Raises:
        RowError: The value is missing or not an option.
    """
    found = word(row, *names)
    if re.fullmatch(r"[0-9]{1,2}", found):
        position = int(found)
    elif re.fullmatch(r"[a-z]", found):
        position = ord(found) - ord("a")
    else:
        position = count
    if position >= count:
        raise RowError(
            f"invalid {names[0]} {found!r}: expected 0 to {count - 1} or A to {chr(64 + count)}"
        )
    return position


def counted_from(numbers: Collection[tuple[int, int]]) -> int | None:
    """Return whether option indices count from 0 or 1.

    Args:
        numbers: Each index, with the number of options of its row.

    Returns:
        0 or 1; None if both are possible: no index is 0, and none equals the number of options.
        Indices that fit neither are taken as counted from 0, with invalid rows.
    """
    found = {number for number, _ in numbers}
    if not found or 0 in found:
        return 0
    return 1 if any(number == count for number, count in numbers) else None


def ambiguous_index(column: str, numbers: Collection[tuple[int, int]]) -> str:
    """Return the error message if `counted_from` returned None."""
    found = sorted({number for number, _ in numbers})
    return (
        f"ambiguous {column}: indices {found[0]} to {found[-1]} may count from 0 or from 1 (no "
        "index is 0, and none equals the number of options); use letters instead: "
        f"{found[0]} is {_letter(found[0])} if it counts from 0, {_letter(found[0] - 1)} if from 1"
    )


def _letter(place: int) -> str:
    return chr(ord("A") + place)


def distinct(options: Sequence[str]) -> tuple[str, ...]:
    """Return the options, after checking that they differ to a reader.

    Raises:
        RowError: Two differ only in case and white space.
    """
    if len(set(map(_appearance, options))) < len(options):
        raise RowError("two identical options")
    return tuple(options)


def _appearance(option: str) -> str:
    """Return an option without case, repeated white space and invisible characters."""
    plain = unicodedata.normalize("NFKC", option)
    shown = "".join(c for c in plain if unicodedata.category(c) != "Cf")
    return " ".join(shown.split()).casefold()


def content_id(*parts: str) -> str:
    """Return 12 hex digits of the SHA-256 of the texts, with white space collapsed."""
    folded = "\x1f".join(" ".join(part.split()) for part in parts)
    return hashlib.sha256(folded.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def item_id(row: Row, names: Sequence[str], *parts: str, prefix: object = None) -> str:
    """Return the row's own id, else a hash of its content.

    Args:
        row: The row.
        names: Possible names of the id column.
        parts: The texts of the item, for the hash.
        prefix: A prefix of the hash, or None, e.g. the name of a published file without ids.

    Raises:
        RowError: The id is not text.
    """
    cell = _as_integer(value(row, names))
    if cell is None or not str(cell).strip():
        return f"{prefix}-{content_id(*parts)}" if prefix else content_id(*parts)
    return text({names[0]: cell}, names[0])


def cluster(row: Row, item: str) -> str:
    """Return the row's cluster: its ``cluster`` column, else the item itself."""
    cell = _as_integer(row.get("cluster"))
    return item if cell is None or not str(cell).strip() else str(cell).strip()


def other_columns(row: Row, used: Sequence[str]) -> dict[str, Any]:
    """Return the columns that are not used by a field of the item."""
    return {name: cell for name, cell in row.items() if name not in used}
