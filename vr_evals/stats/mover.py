"""Intervals of what is made of two estimates, from the intervals of both (MOVER)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from vr_evals.stats.score import Difference, Rate, boundary, critical, two_sided

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Contrast", "Estimate", "Quotient", "correlation"]

_FURTHEST = 1e6
"""Further from 0 than any quotient of a difference of rates and a rate of so many answers."""


class Estimate(Protocol):
    """A number, known within an interval."""

    @property
    def estimate(self) -> float:
        """The number; NaN if undefined."""

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Bounds that cover it with that probability."""


@dataclass(frozen=True)
class Contrast:
    """One estimate minus another.

    Source: Zou & Donner (2008), Statistics in Medicine 27, 1693–1702.

    Attributes:
        first: The one.
        second: The other.
        correlation: Of the two estimates.
    """

    first: Estimate
    second: Estimate
    correlation: float

    @property
    def estimate(self) -> float:
        """The difference."""
        return self.first.estimate - self.second.estimate

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Each bound is as far away as the two bounds that it depends on, root of squares."""
        a, b, r = self.first.estimate, self.second.estimate, self.correlation
        (low_a, high_a), (low_b, high_b) = self.first.interval(level), self.second.interval(level)
        down, up = _apart(a - low_a, high_b - b, r), _apart(high_a - a, b - low_b, r)
        return self.estimate - down, self.estimate + up

    @property
    def test(self) -> str:
        """What the test is called in a frame."""
        return "mover"

    @property
    def p(self) -> float:
        """Two-sided, against 0, with the standard error recovered from the bound next to 0.

        It is below 0.05 if and only if the interval excludes 0.
        """
        low, high = self.interval()
        half = self.estimate - low if self.estimate > 0 else high - self.estimate
        if math.isnan(half):
            return math.nan
        if not half:
            return 1.0 if not self.estimate else 0.0
        return two_sided(critical(0.95, math.inf) * self.estimate / half, math.inf)


@dataclass(frozen=True)
class Quotient:
    """One estimate over another that is above 0.

    The interval has all values r for which that of ``numerator − r·denominator`` includes 0: it
    excludes 0 if and only if the numerator's does. The denominator's interval must be above 0.

    Source: Donner & Zou (2012), Statistical Methods in Medical Research 21, 347–359.

    Attributes:
        numerator: The one.
        denominator: The other.
        correlation: Of the two estimates.
    """

    numerator: Difference | Rate
    denominator: Difference | Rate
    correlation: float

    @property
    def test(self) -> str | None:
        """What the numerator's test is called in a frame."""
        return self.numerator.test

    @property
    def p(self) -> float | None:
        """The numerator's: it is against 0, too."""
        return self.numerator.p

    @property
    def estimate(self) -> float:
        """The quotient; NaN over 0."""
        below = self.denominator.estimate
        return self.numerator.estimate / below if below > 0 else math.nan

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """All values that are not rejected."""
        a, b, r = self.numerator.estimate, self.denominator.estimate, self.correlation
        low_a, high_a = self.numerator.interval(level)
        low_b, high_b = self.denominator.interval(level)
        if math.isnan(self.estimate) or math.isnan(low_a) or math.isnan(low_b):
            return math.nan, math.nan

        def too_low(x: float) -> bool:
            other = high_b - b if x > 0 else b - low_b
            return a - x * b > _apart(a - low_a, abs(x) * other, r if x > 0 else -r)

        def too_high(x: float) -> bool:
            other = b - low_b if x > 0 else high_b - b
            return x * b - a > _apart(high_a - a, abs(x) * other, r if x > 0 else -r)

        return boundary(too_low, -_FURTHEST, self.estimate), boundary(
            too_high, _FURTHEST, self.estimate
        )


def correlation(
    first: NDArray[np.float64], second: NDArray[np.float64], codes: NDArray[np.intp]
) -> float:
    """Correlation of two estimates, of what each unit adds to both, by cluster; 0 if one is fixed.

    Args:
        first: What each unit adds to the first, less its mean.
        second: What it adds to the second.
        codes: The number of its cluster.
    """
    import numpy as np

    a, b = np.bincount(codes, first), np.bincount(codes, second)
    size = math.sqrt(float(a @ a) * float(b @ b))
    return max(-1.0, min(1.0, float(a @ b) / size)) if size > 1e-12 else 0.0


def _apart(a: float, b: float, r: float) -> float:
    """How far the bound of a difference is from it."""
    return math.sqrt(max(a * a - 2 * r * a * b + b * b, 0.0))
