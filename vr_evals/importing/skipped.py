"""What was not imported, and what a user should know of what was: counted and named."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeVar

from vr_evals.benchmarks import RowError
from vr_evals.formatting import listed, plural, shown
from vr_evals.terminal import printable

__all__ = ["Notes", "UnusedColumns"]

_NAMED = 10
_SIMILAR = 0.66
"""How alike a column and one of ours are that may be meant, from 0 to 1."""

_Value = TypeVar("_Value")


@dataclass(frozen=True)
class UnusedColumns:
    """Columns of a file that no reply has.

    Attributes:
        file: The file's name.
        columns: The file's names of the columns, each with ours that may be meant.
        in_metadata: Whether the metadata of the items have them, one value per item.
    """

    file: str
    columns: Mapping[str, tuple[str, ...]]
    in_metadata: bool = False

    def __str__(self) -> str:
        """Return them in a line."""
        what = "kept only as metadata of items, one value per item" if self.in_metadata else ""
        names = [
            shown(name) + (f" (did you mean {' or '.join(meant)}?)" if meant else "")
            for name, meant in self.columns.items()
        ]
        return f"{shown(self.file)}: columns {what or 'not used'}: {listed(names, _NAMED)}"


class Notes:
    """Rows by what happened to them, and columns that were not used."""

    def __init__(self) -> None:
        self._rows: defaultdict[str, list[str]] = defaultdict(list)
        self._lines: dict[str, None] = {}
        self.unused: list[UnusedColumns] = []

    def add(self, reason: str, row: str) -> None:
        """Note a row.

        Args:
            reason: What happened to it, in words.
            row: Its place, and its item.
        """
        self._rows[reason].append(row)

    def say(self, line: str) -> None:
        """Note something of the whole file, once."""
        self._lines[line] = None

    def add_unused(
        self,
        file: str,
        columns: Iterable[str],
        ours: Collection[str] = (),
        *,
        in_metadata: bool = False,
    ) -> None:
        """Note columns of a file that no reply has, if there are any.

        Args:
            file: The file's name.
            columns: The file's names of the columns.
            ours: Our names of columns that the file lacks, which may be meant.
            in_metadata: Whether the metadata of the items have them.
        """
        found = {name: _meant(name, ours) for name in columns}
        if found:
            self.unused.append(UnusedColumns(file, found, in_metadata))

    def optional(
        self, read: Callable[[object, str], _Value], value: object, name: str, row: str
    ) -> _Value | None:
        """Return a value that a row can do without; an invalid one is noted and left out.

        Args:
            read: Reads the value.
            value: The value.
            name: What it is called.
            row: The place of the row.
        """
        try:
            return read(value, name)
        except RowError as error:
            self.add(f"imported without {name}, {error}", row)
            return None

    def lines(self) -> Iterator[str]:
        """Yield a line for each reason, the most frequent first."""
        yield from map(printable, self._lines)
        yield from map(str, self.unused)
        for reason, rows in sorted(self._rows.items(), key=lambda each: -len(each[1])):
            yield printable(f"{plural(len(rows), 'row')} {reason}: {listed(rows, _NAMED)}")


def _meant(name: str, ours: Collection[str]) -> tuple[str, ...]:
    """Return our names that a column may be meant as."""
    folded = name.strip().casefold().replace(" ", "_").replace("-", "_")
    if folded in ours:
        return (folded,)
    return tuple(get_close_matches(folded, ours, n=2, cutoff=_SIMILAR))
