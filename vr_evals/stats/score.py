"""Score intervals of rates and of paired differences, with the test that goes with each.

Answers of one cluster are not independent. What a rate or a difference varies by is taken from its
clusters' sums, and turned into an effective number of answers: as many independent ones would vary
by as much. The score interval of that number has a width also where all answers are alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Difference",
    "Rate",
    "boundary",
    "cluster_robust",
    "critical",
    "difference",
    "intervals",
    "rate",
    "two_sided",
]

_HALVINGS = 60

_NOTHING = 1e-12
"""A distance from a difference that rounding alone can make."""

_AT_MOST = 1.5
"""Effective answers for each answer: the variance is an estimate, and may come out too small."""


class _Estimate(Protocol):
    """What has an interval."""

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Its bounds."""


@dataclass(frozen=True)
class Rate:
    """A rate and how well it is known.

    Attributes:
        estimate: The rate, 0–1; NaN without answers.
        n: The effective number of answers.
        df: Degrees of freedom of the t quantile; infinite for the normal one.
        p: None: a rate is tested against nothing.
        test: None, likewise.
    """

    estimate: float
    n: float
    df: float
    p: None = None
    test: None = None

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Wilson's score interval; NaN if the effective number is unknown.

        Source: Wilson (1927), JASA 22, 209–212; Korn & Graubard (1998), Survey Methodology 24,
        193–201, for the effective number and t.
        """
        if not self.n > 0:
            return math.nan, math.nan
        z, p = critical(level, self.df), self.estimate
        shrink = 1 + z * z / self.n
        centre = (p + z * z / (2 * self.n)) / shrink
        half = z / shrink * math.sqrt(p * (1 - p) / self.n + z * z / (4 * self.n**2))
        return max(centre - half, 0.0), min(centre + half, 1.0)


@dataclass(frozen=True)
class Difference:
    """A paired difference: the share of pairs that gained minus the share that lost.

    Attributes:
        gained: Share of pairs of answers with the event on the first side alone.
        lost: Share of pairs with the event on the second side alone.
        n: The effective number of pairs.
        df: Degrees of freedom of the t quantile; infinite for the normal one.
        scale: What the difference of shares is multiplied with.
    """

    gained: float
    lost: float
    n: float
    df: float
    scale: float = 1

    @property
    def estimate(self) -> float:
        """The difference; NaN without pairs."""
        found = (self.gained - self.lost) * self.scale
        return 0.0 if abs(found) < 1e-12 else found  # shares that cancel out leave 0, not 1e-17

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The differences that `p` would not reject at 1 − level; NaN if `n` is unknown."""
        if not self.n > 0:
            return math.nan, math.nan
        z, centre = critical(level, self.df), self.gained - self.lost
        low = boundary(lambda x: self._statistic(x) > z, -1.0, centre)
        high = boundary(lambda x: self._statistic(x) < -z, 1.0, centre)
        return low * self.scale, high * self.scale

    @property
    def test(self) -> str | None:
        """``score`` for one answer a side and cluster, else ``clustered_score``."""
        if not self.n > 0:
            return None
        return "score" if math.isinf(self.df) else "clustered_score"

    @property
    def p(self) -> float:
        """Tango's score test against 0, two-sided; of single answers McNemar's χ² test.

        Source: Tango (1998), Statistics in Medicine 17, 891–908.
        """
        return two_sided(self._statistic(0.0), self.df) if self.n > 0 else math.nan

    def _statistic(self, value: float) -> float:
        """How many standard errors the difference is above a value, if that is the true one.

        The standard error is at the shares most likely if the difference is `value`.
        """
        gained, lost = self.gained, self.lost
        distance = gained - lost - value
        if abs(distance) < _NOTHING:
            return 0.0
        variance = _likely_variance(gained, lost, value, math.sqrt)
        if variance <= 0:
            return math.copysign(math.inf, distance)
        return distance * math.sqrt(self.n / variance)


def _likely_variance(gained: Any, lost: Any, value: Any, sqrt: Callable[[Any], Any]) -> Any:
    """The variance of a pair at the shares most likely if the difference is `value`.

    Of numbers or of arrays, with the square root of either.
    """
    b = (2 - gained + lost) * value - gained - lost
    squared = b * b + 8 * lost * value * (1 - value)
    return (sqrt(squared * (squared > 0)) - b) / 2 + value * (1 - value)


def intervals(values: Sequence[_Estimate], levels: Sequence[float]) -> list[tuple[float, float]]:
    """The intervals of many estimates, those of differences at once.

    Args:
        values: The estimates.
        levels: The level of each.
    """
    found = [
        (math.nan, math.nan) if isinstance(value, Difference) else value.interval(level)
        for value, level in zip(values, levels, strict=True)
    ]
    places = [
        place for place, value in enumerate(values) if isinstance(value, Difference) and value.n > 0
    ]
    of_places = [(values[place], levels[place]) for place in places]
    for place, bounds in zip(places, _intervals_of_differences(of_places), strict=True):
        found[place] = bounds
    return found


def _intervals_of_differences(
    pairs: Sequence[tuple[Any, float]],
) -> Iterator[tuple[float, float]]:
    """`Difference.interval` of each difference at its level, in the same steps."""
    import numpy as np

    known = {(level, value.df) for value, level in pairs}
    quantile = {key: critical(*key) for key in known}
    z = np.array([quantile[level, value.df] for value, level in pairs])
    gained, lost, n, scale = (
        np.array([(value.gained, value.lost, value.n, value.scale) for value, _ in pairs])
        .reshape(-1, 4)
        .T
    )
    centre = gained - lost

    def bound(sign: float) -> NDArray[np.float64]:
        def rejected(value: NDArray[np.float64]) -> NDArray[np.bool_]:
            distance = centre - value
            variance = _likely_variance(gained, lost, value, np.sqrt)
            with np.errstate(divide="ignore", invalid="ignore"):
                statistic = distance * np.sqrt(n / variance)
            statistic = np.where(variance <= 0, np.copysign(np.inf, distance), statistic)
            statistic = np.where(np.abs(distance) < _NOTHING, 0.0, statistic)
            return np.asarray(sign * statistic > z)

        outside, inside = np.full(len(centre), -sign), centre
        outermost = rejected(outside)
        for _ in range(_HALVINGS):
            middle = (outside + inside) / 2
            beyond = rejected(middle)
            outside, inside = np.where(beyond, middle, outside), np.where(beyond, inside, middle)
        limit: NDArray[np.float64] = np.where(outermost, inside, -sign) * scale
        return limit

    yield from zip(bound(1.0).tolist(), bound(-1.0).tolist(), strict=True)


def rate(
    values: NDArray[np.float64],
    weights: NDArray[np.float64],
    codes: NDArray[np.intp],
    n_answers: int,
) -> Rate:
    """A rate over units, Σ weight·value / Σ weight, whose answers come in clusters.

    The effective number of answers is p(1 − p)/v for the cluster-robust variance v, at most one and
    a half times the answers there are; the number of clusters if v is 0. If each cluster has one
    answer it is their number, and the interval is Wilson's plain one.

    Args:
        values: Each unit's share, 0–1.
        weights: How much it counts.
        codes: The number of its cluster.
        n_answers: How many answers there are.
    """
    total = float(weights.sum())
    if not total:
        return Rate(math.nan, math.nan, math.nan)
    p = min(float(values @ weights) / total, 1.0)
    n, df = _effective(p * (1 - p), (values - p) * weights, total, codes, n_answers)
    return Rate(p, n, df)


def difference(
    gained: NDArray[np.float64],
    lost: NDArray[np.float64],
    weights: NDArray[np.float64],
    codes: NDArray[np.intp],
    n_pairs: int,
    *,
    scale: float = 1,
) -> Difference:
    """A paired difference over units, whose answers come in clusters.

    The effective number of pairs is (gained + lost − (gained − lost)²)/v for the cluster-robust
    variance v of the difference, as for `rate`.

    Args:
        gained: Each unit's share of pairs with the event on the first side alone: for two rates of
            independent answers the first times one minus the second.
        lost: Each unit's share with the event on the second side alone.
        weights: How much a unit counts.
        codes: The number of its cluster.
        n_pairs: How many pairs of answers there are: the answers on the side that has fewer.
        scale: What the difference is multiplied with.
    """
    total = float(weights.sum())
    if not total:
        return Difference(math.nan, math.nan, math.nan, math.nan, scale)
    more, less = float(gained @ weights) / total, float(lost @ weights) / total
    centre = more - less
    spread = max(more + less - centre**2, 0.0)
    n, df = _effective(spread, (gained - lost - centre) * weights, total, codes, n_pairs)
    return Difference(more, less, n, df, scale)


def cluster_robust(terms: NDArray[np.float64], codes: NDArray[np.intp]) -> tuple[float, int]:
    """Variance of a sum of terms whose mean is 0, C/(C − 1)·Σ_c (Σ_{i in c} term)², and C.

    Source: Miller (2024), Adding error bars to evals, arXiv:2411.00640, Appendix A.
    """
    import numpy as np

    n_clusters = int(np.count_nonzero(np.bincount(codes)))
    sums = np.bincount(codes, terms)
    if n_clusters < 2:
        return math.nan, n_clusters
    return n_clusters / (n_clusters - 1) * float(sums @ sums), n_clusters


def critical(level: float, df: float) -> float:
    """The quantile that leaves (1 − level)/2 in each tail: Student's t, or normal for infinite df.

    Raises:
        ValueError: `level` is not between 0 and 1.
    """
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, got {level}")
    tail = (1 - level) / 2
    if math.isinf(df):
        return -NormalDist().inv_cdf(tail)
    from scipy.special import stdtrit

    return -float(stdtrit(df, tail))


def two_sided(statistic: float, df: float) -> float:
    """The two-sided p-value of a t statistic, or of a normal one for infinite df."""
    from scipy.special import ndtr, stdtr

    tail = ndtr(-abs(statistic)) if math.isinf(df) else stdtr(df, -abs(statistic))
    return min(1.0, 2 * float(tail))


def _effective(
    spread: float,
    terms: NDArray[np.float64],
    total: float,
    codes: NDArray[np.intp],
    n_answers: int,
) -> tuple[float, float]:
    """The effective number of answers, and degrees of freedom."""
    variance, n_clusters = cluster_robust(terms, codes)
    if n_answers == n_clusters:
        return float(n_answers), math.inf
    if n_clusters < 2:
        return math.nan, math.nan
    variance /= total**2
    if variance < 1e-15 or spread < 1e-15:
        return float(n_clusters), math.inf
    return min(spread / variance, _AT_MOST * n_answers), n_clusters - 1


def boundary(rejected: Callable[[float], bool], outside: float, inside: float) -> float:
    """The border between values that are rejected and values that are not, by halving.

    Args:
        rejected: Whether a value is rejected; once, seen from `inside`, it is, it stays so.
        outside: The last value possible.
        inside: A value that is not rejected.
    """
    if not rejected(outside):
        return outside
    for _ in range(_HALVINGS):
        middle = (outside + inside) / 2
        if rejected(middle):
            outside = middle
        else:
            inside = middle
    return inside
