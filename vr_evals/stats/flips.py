"""Changes of answer: their kinds, their rates, and how many of them are noise.

A choice is any hashable value, None if no answer could be read.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar

from vr_evals.stats.agreement import majority

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Choices",
    "FlipKind",
    "FlipRates",
    "baseline",
    "flip_kind",
    "flip_rates",
    "leave_one_out",
    "leave_one_out_baselines",
    "majorities",
    "share",
]

T = TypeVar("T", bound=Hashable)

Choices = Sequence[Hashable]
"""The choices of an item's epochs."""

FlipKind = Literal["kept", "good_flip", "bad_flip", "other_flip"]
"""What became of an answer."""


@dataclass(frozen=True)
class FlipRates:
    """How often answers changed, and how; NaN if nothing is there to count.

    Attributes:
        n: Pairs with both answers read; the next five are shares of these.
        flip: Changed: the sum of the next three.
        good_flip: To the right answer.
        bad_flip: Away from the right answer.
        other_flip: From one wrong answer to another, or changed where there is no right answer.
        kept: Not changed.
        began_wrong: Of those pairs, the ones whose first answer was wrong.
        good_flip_of_wrong: Good flips as a share of `began_wrong`.
        began_right: Of those pairs, the ones whose first answer was right.
        bad_flip_of_right: Bad flips as a share of `began_right`.
    """

    n: int
    flip: float
    good_flip: float
    bad_flip: float
    other_flip: float
    kept: float
    began_wrong: int
    good_flip_of_wrong: float
    began_right: int
    bad_flip_of_right: float


def flip_kind(first: Hashable, final: Hashable, right: Hashable) -> FlipKind | None:
    """Name what became of an answer.

    Args:
        first: The answer before, or the item's baseline.
        final: The answer after, or under the condition.
        right: The right answer; None if there is none.

    Returns:
        The kind; None if either answer is unread, which is never a flip.
    """
    if first is None or final is None:
        return None
    if first == final:
        return "kept"
    if final == right:
        return "good_flip"
    return "bad_flip" if first == right else "other_flip"


def flip_rates(changes: Iterable[tuple[Hashable, Hashable, Hashable]]) -> FlipRates:
    """Rates of flips, each over its own denominator.

    Args:
        changes: First answer, final answer and right answer, as for `flip_kind`.

    Returns:
        The rates, 0–1, and the counts that they are over.
    """
    kinds: list[FlipKind] = []
    right_first: list[bool | None] = []
    for first, final, right in changes:
        kind = flip_kind(first, final, right)
        if kind is not None:
            kinds.append(kind)
            right_first.append(None if right is None else first == right)
    n, began_wrong, began_right = len(kinds), right_first.count(False), right_first.count(True)
    good, bad, other, kept = (
        kinds.count(kind) for kind in ("good_flip", "bad_flip", "other_flip", "kept")
    )
    return FlipRates(
        n=n,
        flip=_rate(good + bad + other, n),
        good_flip=_rate(good, n),
        bad_flip=_rate(bad, n),
        other_flip=_rate(other, n),
        kept=_rate(kept, n),
        began_wrong=began_wrong,
        good_flip_of_wrong=_rate(good, began_wrong),
        began_right=began_right,
        bad_flip_of_right=_rate(bad, began_right),
    )


def baseline(control: Iterable[T | None]) -> T | None:
    """An item's baseline: the most frequent read answer of its control epochs.

    Returns:
        That answer; None (the item has no baseline) on a tie or where none was read.
    """
    return majority(control)


def share(choices: Choices, option: Hashable) -> float:
    """Share of an item's epochs that chose `option`; unread epochs stay in the denominator.

    Returns:
        A rate, 0–1; NaN without epochs.
    """
    return _rate(sum(choice == option for choice in choices), len(choices))


def leave_one_out(control: Choices) -> list[tuple[Hashable, Hashable]]:
    """Each control choice with the majority of the others, if there is one."""
    bases = (majority([*control[:j], *control[j + 1 :]]) for j in range(len(control)))
    return [(choice, base) for choice, base in zip(control, bases, strict=True) if base is not None]


def majorities(unit: NDArray[np.intp], choice: NDArray[np.intp], n_units: int) -> NDArray[np.intp]:
    """The most frequent choice among the answers to each unit: `majority` for many at once.

    Args:
        unit: The unit of each answer that was read.
        choice: Its choice, a number from 0 on.
        n_units: How many units there are.

    Returns:
        The choice of each unit; −1 on a tie, or without an answer.
    """
    import numpy as np

    width = int(choice.max(initial=0)) + 1
    kinds, counts = np.unique(unit * width + choice, return_counts=True)
    most = np.zeros(n_units, dtype=np.intp)
    np.maximum.at(most, kinds // width, counts)
    top = kinds[counts == most[kinds // width]]
    alone = np.bincount(top // width, minlength=n_units)[top // width] == 1
    found = np.full(n_units, -1, dtype=np.intp)
    found[top[alone] // width] = top[alone] % width
    return found


def leave_one_out_baselines(unit: NDArray[np.intp], choice: NDArray[np.intp]) -> NDArray[np.intp]:
    """For each answer the most frequent choice among the other answers to its unit.

    `leave_one_out` for many units at once.

    Args:
        unit: The unit of each answer, sorted.
        choice: Its choice, a number from 0 on; −1 if unread.

    Returns:
        The baseline of each answer; −1 on a tie, or if no other was read.
    """
    import numpy as np

    baseline = np.full(len(choice), -1, dtype=np.intp)
    read = choice >= 0
    if not read.any():
        return baseline
    width = int(choice.max()) + 1
    kinds, place, counts = np.unique(
        unit[read] * width + choice[read], return_inverse=True, return_counts=True
    )
    own = np.full(len(choice), -1)
    own[read] = place
    # a unit's choices in a row, the most frequent first, and two more that nobody chose
    order = np.lexsort((-counts, kinds // width))
    units, starts = np.unique(kinds[order] // width, return_index=True)
    ends = np.append(starts[1:], len(order))
    tops = np.full((len(units), 3), -1)
    sizes = np.zeros((len(units), 3), dtype=np.intp)
    for rank in range(3):
        there = starts + rank < ends
        tops[there, rank] = order[starts[there] + rank]
        sizes[there, rank] = counts[tops[there, rank]]
    row = np.searchsorted(units, unit)
    known = (row < len(units)) & (units[np.minimum(row, len(units) - 1)] == unit)
    row = np.where(known, row, 0)
    sizes, tops = sizes[row], tops[row]
    sizes = sizes - ((tops == own[:, None]) & (own >= 0)[:, None])
    best = np.argmax(sizes, axis=1)
    each = np.arange(len(choice))
    most = sizes[each, best]
    alone = (sizes == most[:, None]).sum(axis=1) == 1
    found = known & alone & (most > 0)
    baseline[found] = kinds[tops[each, best][found]] % width
    return baseline


def _rate(part: float, whole: float) -> float:
    return part / whole if whole else math.nan
