"""What was not imported, and what a user should know of what was: counted and named."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import TypeVar

from vr_evals.benchmarks import RowError
from vr_evals.formatting import listed, plural
from vr_evals.terminal import printable

__all__ = ["Notes"]

_NAMED = 10
_Value = TypeVar("_Value")


class Notes:
    """Rows by what happened to them."""

    def __init__(self) -> None:
        self._rows: defaultdict[str, list[str]] = defaultdict(list)
        self._lines: dict[str, None] = {}

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
        for reason, rows in sorted(self._rows.items(), key=lambda each: -len(each[1])):
            yield printable(f"{plural(len(rows), 'row')} {reason}: {listed(rows, _NAMED)}")
