"""Shifts of log-odds, conditional on the item."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vr_evals.stats.score import cluster_robust, critical, two_sided

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Odds", "Shift", "common_odds", "shift"]

_ADDED = 0.25
"""Half a pair of single answers, whose terms are ½: added to both sums."""


@dataclass(frozen=True)
class Shift:
    """A shift of log-odds, or a difference of two, with its standard error.

    Attributes:
        estimate: The shift, in natural log-odds.
        stderr: Its standard error.
        df: Degrees of freedom of the t quantile.
    """

    estimate: float
    stderr: float
    df: float

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The estimate and t standard errors to both sides; NaN with one cluster."""
        if math.isnan(self.stderr):
            return math.nan, math.nan
        half = critical(level, self.df) * self.stderr
        return self.estimate - half, self.estimate + half

    @property
    def test(self) -> str:
        """What the test is called in a frame."""
        return "mantel_haenszel"

    @property
    def p(self) -> float:
        """The t test against 0, two-sided."""
        if math.isnan(self.stderr):
            return math.nan
        return two_sided(self.estimate / self.stderr, self.df)


@dataclass(frozen=True)
class Odds:
    """The parts of a common odds ratio of two conditions.

    Attributes:
        more: Each item's term of the numerator: event in the first condition, none in the second.
        less: Each item's term of the denominator: the other way round.
    """

    more: NDArray[np.float64]
    less: NDArray[np.float64]

    @property
    def estimate(self) -> float:
        """The log odds ratio; NaN without items."""
        if not len(self.more):
            return math.nan
        return math.log((self.more.sum() + _ADDED) / (self.less.sum() + _ADDED))

    @property
    def influence(self) -> NDArray[np.float64]:
        """What each item adds to the estimate, in first order, but for a constant."""
        more = self.more / (self.more.sum() + _ADDED)
        less = self.less / (self.less.sum() + _ADDED)
        centred: NDArray[np.float64] = more - more.mean() - less + less.mean()
        return centred

    @property
    def added_variance(self) -> float:
        """What the halves that were added stand for, as in 1/(a + ½) + 1/(b + ½)."""
        sums = (float(part.sum()) + _ADDED for part in (self.more, self.less))
        return 2 * sum((_ADDED / total) ** 2 for total in sums)


def common_odds(
    events: NDArray[np.float64],
    n: NDArray[np.float64],
    control_events: NDArray[np.float64],
    control_n: NDArray[np.float64],
) -> Odds:
    """Mantel and Haenszel's common odds ratio, an item being a stratum.

    ``Σ a(n₀ − b)/(n₁ + n₀)`` over ``Σ b(n₁ − a)/(n₁ + n₀)`` for a events of n₁ answers under a
    condition and b of n₀ under control: consistent also with one answer each, where the estimate
    conditional on the item is the same. Half a pair is added to both sums, so that it is finite and
    0 in expectation if the condition does nothing.

    Source: Mantel & Haenszel (1959), J. National Cancer Institute 22, 719–748; Breslow (1981),
    Biometrika 68, 73–84, for strata of few answers; Haldane (1956), Annals of Human Genetics 20,
    309–311, for the half.

    Args:
        events: Each item's events under the condition.
        n: Its answers there.
        control_events: Its events under control.
        control_n: Its answers there.
    """
    total = n + control_n
    return Odds(
        events * (control_n - control_events) / total, control_events * (n - events) / total
    )


def shift(first: Odds, codes: NDArray[np.intp], second: Odds | None = None) -> Shift:
    """A shift of log-odds, or one minus another, with a cluster-robust standard error.

    The sandwich variance in first order, C/(C − 1)·Σ_c (Σ_{i in c} influence)², plus that of the
    halves: unlike Robins, Breslow & Greenland's (1986) it takes no answers of a cluster as
    independent. t with C − 1 degrees of freedom.

    Source: Robins, Breslow & Greenland (1986), Biometrics 42, 311–323; Liang (1987), Biometrika
    74, 435–439, for clusters.

    Args:
        first: The shift.
        codes: The number of each item's cluster.
        second: The shift that is taken off, of the same items.
    """
    import numpy as np

    if not len(first.more):
        return Shift(math.nan, math.nan, math.nan)
    influence, added, estimate = first.influence, first.added_variance, first.estimate
    if second:
        influence = influence - second.influence
        added, estimate = added + second.added_variance, estimate - second.estimate
    variance, n_clusters = cluster_robust(np.asarray(influence), codes)
    return Shift(estimate, math.sqrt(variance + added), n_clusters - 1)
