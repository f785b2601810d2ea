"""One figure of many: what it is called, what it is, and what unread answers could make of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from vr_evals.stats.mover import Contrast, Quotient
from vr_evals.stats.odds import Shift
from vr_evals.stats.score import Difference, Rate

__all__ = ["Figure", "Key", "Value"]

Value = Rate | Difference | Quotient | Contrast | Shift


class Key(NamedTuple):
    """What a figure is called.

    Attributes:
        metric: E.g. ``flip@k`` or ``asymmetry``.
        k: Of an @k metric, else None.
        condition: A condition, a strength (``high`` or ``low``), or ``all``.
    """

    metric: str
    k: int | None
    condition: str


@dataclass(frozen=True)
class Figure:
    """One figure.

    Attributes:
        key: What it is called.
        value: Its estimate, with its interval and test.
        n_items: Items that it is over, one in several orders counting once.
        n_samples: Their samples, in the conditions that it is made of.
        without_baseline: Items left out because they have no baseline, in at least one order; None
            if none is needed.
        estimate_read: The estimate among answers that were read.
        bound_low: The least that it could be, if each unread answer could have been any option.
        bound_high: The most that it could be.
    """

    key: Key
    value: Value
    n_items: int
    n_samples: int
    without_baseline: int | None
    estimate_read: float
    bound_low: float
    bound_high: float

    @property
    def estimate(self) -> float:
        """The point estimate; NaN if no item is left."""
        return self.value.estimate

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Bounds that cover it with that probability; NaN if unknown, e.g. with one cluster."""
        return self.value.interval(level)
