"""Shares of a grid for many machines, by a hash that does not move when others finish."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from vr_evals.errors import InputError
from vr_evals.running.captured import CapturedTask

__all__ = ["Shard"]


@dataclass(frozen=True)
class Shard:
    """The ``index``-th of ``count`` equal shares of a grid.

    Attributes:
        index: The share, from 1.
        count: The number of shares.
    """

    index: int
    count: int

    @classmethod
    def parse(cls, text: str) -> "Shard":
        """Parse e.g. ``3/8``.

        Raises:
            InputError: It is not a share.
        """
        index, slash, count = text.partition("/")
        numbers = index.isascii() and index.isdecimal() and count.isascii() and count.isdecimal()
        if not (slash and numbers and 1 <= int(index) <= int(count)):
            raise InputError(f"invalid shard {text!r}: expected I/N with I from 1 to N, e.g. 3/8")
        return cls(int(index), int(count))

    def of(self, tasks: Sequence[CapturedTask]) -> list[CapturedTask]:
        """Return the tasks of this share: of all tasks in order of their hash, every n-th.

        The shares of a grid are disjoint, are the whole grid, and differ by one task at most.

        Args:
            tasks: All tasks of the grid, also those that are finished.
        """
        ranked = sorted(tasks, key=lambda task: sha256(task.identifier.encode()).digest())
        return ranked[self.index - 1 :: self.count]

    def size(self, tasks: int) -> int:
        """Return the number of tasks of this share, of all tasks of the grid."""
        return len(range(self.index - 1, tasks, self.count))
