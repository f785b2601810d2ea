"""A simulated study: what it is, what it finds, and answers with a known truth."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["KINDS", "REPEATS", "Cell", "Draws", "Floats", "Found", "Random", "found", "new_seed"]

KINDS = np.array([[0.9, 0.07, 0.03], [0.4, 0.35, 0.25]])
"""Rates of the three options by themselves, the first one right, for easy and for hard items."""

REPEATS = 0.8
"""Rate at which an epoch repeats the item's own answer: two epochs correlate by its square."""

Floats = NDArray[np.float64]
Random = np.random.Generator


class Found(NamedTuple):
    """What a study found: an estimate, and whether its interval holds the truth."""

    estimate: float
    covers: bool


@dataclass(frozen=True)
class Cell:
    """One respondent in studies of one size.

    Attributes:
        respondent: Who it is, in words.
        items: How many items a study has.
        epochs: How often it asks each.
        truths: The true value of each estimator; of a test, its rate of rejection.
        study: Draws a study.
        share: Runs one study in so many, where they take long.
        is_test: Whether ``truths`` are rates of rejection, and estimates 1 (rejected) or 0.
    """

    respondent: str
    items: int
    epochs: int
    truths: Mapping[str, float]
    study: Callable[[Random], Mapping[str, Found]]
    share: int = 1
    is_test: bool = False


class Draws:
    """Uniform numbers of items × epochs, some epochs repeating the item's own."""

    def __init__(self, rng: Random, items: int, epochs: int) -> None:
        self._rng, self._shape = rng, (items, epochs)
        self._repeats = rng.random(self._shape) < REPEATS
        self.clusters = np.repeat(np.arange(items), epochs).tolist()

    def draw(self) -> Floats:
        """New numbers, in one row for all epochs of all items."""
        own = self._rng.random((self._shape[0], 1))
        return np.where(self._repeats, own, self._rng.random(self._shape)).ravel()


def new_seed(rng: Random) -> int:
    """A seed for what takes no generator."""
    return int(rng.integers(2**32))


def found(estimate: float, bounds: Sequence[float] | Floats, truth: float) -> Found:
    """An estimate with its interval, held against the truth."""
    return Found(float(estimate), bool(bounds[0] <= truth <= bounds[1]))
