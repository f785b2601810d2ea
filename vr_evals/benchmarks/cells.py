"""Reading the cells of a row: texts, labels, indices, lists, ids."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Collection, Sequence
from typing import Any

from vr_evals.benchmarks.files import Row
from vr_evals.characters import whole

__all__ = [
    "RowError",
    "ambiguous_index",
    "cluster",
    "content_id",
    "counted_from",
    "distinct",
    "index",
    "item_id",
    "other_columns",
    "text",
    "texts",
    "value",
    "word",
]


class RowError(ValueError):
    """A row that cannot be used, and why: it is skipped and counted."""


def value(row: Row, names: Sequence[str]) -> Any:
    """The cell under the first of the names that the row has, or None."""
    return next((row[name] for name in names if row.get(name) is not None), None)


def _whole_number(cell: Any) -> Any:
    """A cell, 1.0 as 1: a column of integers with a gap is read as floats."""
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


def text(row: Row, *names: str) -> str:
    """The text of a cell, without outer white space.

    Raises:
        RowError: The cell is missing, empty or no text.
    """
    cell = value(row, names)
    if isinstance(cell, dict | list | tuple):
        raise RowError(f"{names[0]} is no text")
    found = whole(str("" if cell is None else cell)).strip()
    if not found:
        raise RowError(f"empty {names[0]}")
    return found


def texts(row: Row, *names: str) -> tuple[str, ...]:
    """The texts of a cell that holds a list, or a list in JSON.

    Raises:
        RowError: The cell is missing, no list, or one of its texts is empty.
    """
    cell = value(row, names)
    if isinstance(cell, str):
        try:
            cell = json.loads(cell)
        except (ValueError, RecursionError):
            cell = None
    if not isinstance(cell, list | tuple):
        raise RowError(f"{names[0]} is no list")
    return tuple(text({names[0]: part}, names[0]) for part in cell)


def word(row: Row, *names: str) -> str:
    """A cell as one lower-case word; whole floats such as 1.0 read as integers.

    Raises:
        RowError: The cell is missing, empty or says that it is.
    """
    cell = _whole_number(value(row, names))
    found = " ".join(str("" if cell is None else cell).lower().split())
    found = re.sub(r"(?<=[a-z])[_-](?=[a-z])", " ", re.sub(r"^(\d+)\.0+$", r"\1", found))
    if found in {"", "na", "n/a", "nan", "none", "null"}:
        raise RowError(f"missing {names[0]}")
    return found


def index(row: Row, count: int, *names: str) -> int:
    """A 0-based index of ``count`` options, written as a number or a letter.

    Raises:
        RowError: The cell is missing or names no option.
    """
    found = word(row, *names)
    if re.fullmatch(r"[0-9]{1,2}", found):
        position = int(found)
    elif re.fullmatch(r"[a-z]", found):
        position = ord(found) - ord("a")
    else:
        position = count
    if position >= count:
        raise RowError(f"{names[0]} {found!r} is none of 0–{count - 1} or A–{chr(64 + count)}")
    return position


def counted_from(numbers: Collection[tuple[int, int]]) -> int | None:
    """Whether indices of options count from 0 or 1.

    Args:
        numbers: Each index, with the number of its row's options.

    Returns:
        0 or 1; None if both are possible: no index is 0, and none is as large as the number of its
        options. Indices that fit neither are those of a file that counts from 0, with bad rows.
    """
    found = {number for number, _ in numbers}
    if not found or 0 in found:
        return 0
    return 1 if any(number == count for number, count in numbers) else None


def ambiguous_index(column: str, numbers: Collection[tuple[int, int]]) -> str:
    """The question that `counted_from` leaves open, in a line."""
    found = sorted({number for number, _ in numbers})
    return (
        f"column {column} has the indices {found[0]} to {found[-1]}, so it could count from 0 or "
        "from 1 (no index is 0, and none is as large as the number of options); write letters "
        f"instead: if it counts from 0, {found[0]} is {_letter(found[0])}; if from 1, it is "
        f"{_letter(found[0] - 1)}"
    )


def _letter(place: int) -> str:
    return chr(ord("A") + place)


def distinct(options: Sequence[str]) -> tuple[str, ...]:
    """The options, as long as a reader can tell them apart.

    Raises:
        RowError: Two are the same but for case and white space.
    """
    if len(set(map(_looks, options))) < len(options):
        raise RowError("two identical options")
    return tuple(options)


def _looks(option: str) -> str:
    """What a reader sees of an option: no case, white space, or characters without a shape."""
    plain = unicodedata.normalize("NFKC", option)
    shown = "".join(c for c in plain if unicodedata.category(c) != "Cf")
    return " ".join(shown.split()).casefold()


def content_id(*parts: str) -> str:
    """12 hex digits of the SHA-256 of the texts, runs of white space folded."""
    folded = "\x1f".join(" ".join(part.split()) for part in parts)
    return hashlib.sha256(folded.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def item_id(row: Row, names: Sequence[str], *parts: str, prefix: object = None) -> str:
    """The row's own id, else a hash of its content.

    Args:
        row: The row.
        names: Columns that may hold the id.
        parts: The texts that make the item, for the hash.
        prefix: What stands before the hash, if anything: published files without ids have a name.

    Raises:
        RowError: The id is no text.
    """
    cell = _whole_number(value(row, names))
    if cell is None or not str(cell).strip():
        return f"{prefix}-{content_id(*parts)}" if prefix else content_id(*parts)
    return text({names[0]: cell}, names[0])


def cluster(row: Row, item: str) -> str:
    """What the row is clustered by: its ``cluster`` column, else the item itself."""
    cell = _whole_number(row.get("cluster"))
    return item if cell is None or not str(cell).strip() else str(cell).strip()


def other_columns(row: Row, used: Sequence[str]) -> dict[str, Any]:
    """The columns that no field of the item was read from."""
    return {name: cell for name, cell in row.items() if name not in used}
