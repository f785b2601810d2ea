"""How alike are the choices made in the epochs of one item?

A choice is any hashable value, None where no answer could be read.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

__all__ = ["agreement", "agreement_between", "entropy", "majority", "mean_defined"]

T = TypeVar("T", bound=Hashable)


def agreement(choices: Sequence[Hashable]) -> float:
    """Share of pairs of epochs with the same choice; unread counts as a choice of its own.

    ``Σ_c m_c(m_c − 1) / (n(n − 1))`` for the m_c epochs with choice c. It does not depend on the
    number of epochs in expectation: with independent epochs it estimates Σ p_c².

    Source: Fleiss (1971), Psychological Bulletin 76, 378–382 (the agreement of one item).

    Args:
        choices: The choices of an item's epochs.

    Returns:
        A rate, 0–1; NaN with fewer than two epochs.
    """
    n = len(choices)
    if n < 2:
        return math.nan
    return sum(m * (m - 1) for m in Counter(choices).values()) / (n * (n - 1))


def agreement_between(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Share of pairs, one epoch of each side, with the same choice: ``Σ_c m_c·k_c / (n_1·n_2)``.

    With one epoch a side: 1 where they agree, else 0. With more, what `agreement` is within a side.

    Args:
        first: The choices of an item's epochs on one side, such as one order of its options.
        second: Those on the other.

    Returns:
        A rate, 0–1; NaN where a side has no epoch.
    """
    if not first or not second:
        return math.nan
    counts = Counter(second)
    return sum(counts[choice] for choice in first) / (len(first) * len(second))


def entropy(choices: Sequence[Hashable]) -> float:
    """Entropy of an item's choices, ``−Σ p_c·log₂ p_c``; unread counts as a choice of its own.

    With few epochs it is too low on average: compare only equal numbers of epochs.

    Source: Shannon (1948), Bell System Technical Journal 27, 379–423.

    Args:
        choices: The choices of an item's epochs.

    Returns:
        Bits, 0 (always the same) to log₂ of the number of epochs; NaN with fewer than two epochs.
    """
    n = len(choices)
    if n < 2:
        return math.nan
    return sum(m / n * math.log2(n / m) for m in Counter(choices).values())


def majority(choices: Iterable[T | None]) -> T | None:
    """The most frequent choice that was read.

    Args:
        choices: The choices of an item's epochs.

    Returns:
        That choice; None where several are equally frequent, in whatever order, or none was read.
    """
    ranked = Counter(choice for choice in choices if choice is not None).most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def mean_defined(values: Iterable[float]) -> float:
    """Mean over the items for which a figure is defined.

    Args:
        values: One value an item, NaN where it is undefined.

    Returns:
        The mean of the others; NaN where there are none.
    """
    defined = [value for value in values if not math.isnan(value)]
    return math.fsum(defined) / len(defined) if defined else math.nan
