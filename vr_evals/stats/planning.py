"""How many items does a study need, and which differences can it find?

The design of a comparison is *paired*: each item is answered on both sides, in some epochs. For an
item with rates π_A and π_B, and K_A and K_B epochs, the difference of its epoch means varies by
``V = τ² + s²_A/K_A + s²_B/K_B``: τ² is the variance of π_A − π_B between items, s² = E[π(1 − π)]
that of an answer within an item. More epochs reduce s²/K, never τ². Clusters of m items whose
differences correlate by ρ multiply V by 1 + (m − 1)ρ. Tests and intervals are those of
`vr_evals.stats.score`.

Sources: Miller (2024), Adding error bars to evals, arXiv:2411.00640, sections 3 and 5, for V; Kish
(1965), Survey Sampling, section 5.4, for clusters.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from vr_evals.stats.intervals import z_value
from vr_evals.stats.score import critical

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "McNemarTest",
    "PairedDesign",
    "Side",
    "items_for_difference",
    "items_for_half_width",
    "mcnemar_power",
    "rate_half_width",
    "upper_variance",
]

McNemarTest = Literal["score", "exact", "mid-p"]
"""Which test of the discordant pairs: the score test (χ², as the analysis applies to one answer a
side), the exact binomial test, or that with the mid-p-value."""

_POWER = 0.8

_MAX_ITEMS = 10_000_000
"""Items beyond which none are looked for."""


@dataclass(frozen=True)
class Side:
    """One side of a comparison.

    Attributes:
        rate: The mean rate of the event, 0–1, were all answers read.
        within: E[π(1 − π)], the variance of an answer within an item, 0–0.25.
        epochs: Answers to each item.
    """

    rate: float
    within: float
    epochs: int = 1

    def seen(self, unread: float) -> float:
        """Return the variance within an item if a share of answers is unread, i.e. no event.

        An item's rate is then (1 − u)π: ``(1 − u)E[π] − (1 − u)²E[π²]``.

        Args:
            unread: The share of unread answers, at random.
        """
        read = 1 - unread
        return read * self.rate - read**2 * (self.rate - self.within)


@dataclass(frozen=True)
class PairedDesign:
    """Two sides that answer the same items.

    Attributes:
        items: How many items.
        between: τ², the variance over items of the true difference.
        side: The one side.
        reference: The other.
        unread: Share of unread answers of both sides, at random, 0 to below 1. They count as no
            event, so that the difference seen is 1 − u times the true one.
        cluster_size: Mean number of items in a cluster.
        correlation: Correlation of the differences of two items of a cluster.
        weighted_size: Mean size of an item's cluster, Σm²/Σm, which is the m of V if clusters are
            unequal; None if they are equal.
    """

    items: int
    between: float
    side: Side
    reference: Side
    unread: float = 0.0
    cluster_size: float = 1.0
    correlation: float = 0.0
    weighted_size: float | None = None

    def __post_init__(self) -> None:
        sides = (self.side, self.reference)
        if (
            self.items < 0
            or self.between < 0
            or not 0 <= self.unread < 1
            or self.cluster_size < 1
            or (self.weighted_size or self.cluster_size) < self.cluster_size - 1e-9
            or not 0 <= self.correlation <= 1
            or any(not 0 <= s.within <= s.rate * (1 - s.rate) + 1e-9 for s in sides)
            or any(s.epochs < 1 for s in sides)
        ):
            raise ValueError(
                "need items >= 0, between >= 0, 0 <= unread < 1, weighted_size >= "
                "cluster_size >= 1, 0 <= correlation <= 1, within from 0 to rate * (1 - rate), and "
                f"epochs >= 1; got {self}"
            )

    @property
    def single(self) -> bool:
        """Whether each cluster has one answer a side: then the test is that of McNemar."""
        return self.side.epochs == self.reference.epochs == 1 and self.cluster_size == 1

    @property
    def variance(self) -> float:
        """V of an item's difference as seen, times the design effect of clusters."""
        within = sum(s.seen(self.unread) / s.epochs for s in (self.side, self.reference))
        size = self.cluster_size if self.weighted_size is None else self.weighted_size
        effect = 1 + (size - 1) * self.correlation
        return ((1 - self.unread) ** 2 * self.between + within) * effect

    @property
    def single_variance(self) -> float:
        """V of the difference of two single answers: the discordance minus the squared effect."""
        within = sum(s.seen(self.unread) for s in (self.side, self.reference))
        return (1 - self.unread) ** 2 * self.between + within

    @property
    def df(self) -> float:
        """Degrees of freedom of the test: clusters less one."""
        return self.items / self.cluster_size - 1

    @property
    def bias_bound(self) -> float:
        """The most by which unread answers can move the difference, if they are not at random.

        All unread answers of one side would have been events, and none of the other's.

        Source: Manski (1990), American Economic Review 80, 319–323.
        """
        return self.unread

    def half_width(self, level: float = 0.95) -> float:
        """Return half the length of the difference's interval; NaN with fewer than two clusters.

        Args:
            level: Coverage of the interval.
        """
        if self.df < 1:
            return math.nan
        df = math.inf if self.single else self.df
        return critical(level, df) * math.sqrt(self.variance / self.items)

    def power(self, effect: float, *, alpha: float = 0.05) -> float:
        """Return how often the test finds a difference.

        For one answer a side and cluster the exact power of the score test. Otherwise that of the
        noncentral t with ``δ/√(V/n)`` and clusters − 1 degrees of freedom, beyond
        ``t·√(V₁/(V₁ − t²V/n))`` for V₁ of single answers: the test's standard error is that of no
        difference, √(1 + δ²/V₁) times as large. Differences that are skewed, e.g. because few items
        change a lot, are found some points more often.

        Source: Cohen (1988), Statistical power analysis, section 2.5; Tango (1998), Statistics in
        Medicine 17, 891–908, for the standard error.

        Args:
            effect: The true difference, were all answers read.
            alpha: Level of the test.

        Returns:
            A probability, 0–1; NaN with fewer than two clusters.
        """
        seen = abs(effect) * (1 - self.unread)
        single = self.single_variance
        if self.df < 1:
            return math.nan
        if self.single:
            discordance = min(max(single + seen**2, seen), 1.0)
            gain, loss = (discordance + seen) / 2, (discordance - seen) / 2
            return mcnemar_power(self.items, gain, loss, alpha=alpha, test="score")
        variance = self.variance / self.items
        if variance <= 0:
            return float(seen > 0)
        limit = critical(1 - alpha, self.df)
        if single <= limit**2 * variance:  # with so few items the test finds nothing
            return 0.0
        limit *= math.sqrt(single / (single - limit**2 * variance))
        return _beyond(limit, self.df, seen / math.sqrt(variance))

    def detectable(self, *, alpha: float = 0.05, power: float = _POWER) -> float:
        """Return the smallest true difference that is found with this power; NaN if none is.

        Args:
            alpha: Level of the test.
            power: How often it is to be found.
        """
        if not self.power(1.0, alpha=alpha) >= power:
            return math.nan
        return _smallest(lambda effect: self.power(effect, alpha=alpha) >= power)


def _beyond(limit: float, df: float, noncentrality: float) -> float:
    """Return the chance that a noncentral t is beyond ± a limit."""
    from scipy.special import nctdtr, ndtr

    if df > 1000 or noncentrality > 30:  # the series of the noncentral t does not converge far out
        return float(ndtr(noncentrality - limit) + ndtr(-limit - noncentrality))
    # P(T < -limit) of one sign is P(T > limit) of the other
    below = nctdtr(df, noncentrality, limit)
    return float(1 - below + 1 - nctdtr(df, -noncentrality, limit))


def _smallest(reached: Callable[[float], bool]) -> float:
    """Return the smallest number from 0 to 1 from which on something is reached, by halving."""
    low, high = 0.0, 1.0
    while high - low >= 1e-6:
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def items_for_difference(
    design: PairedDesign, effect: float, *, alpha: float = 0.05, power: float = _POWER
) -> int | None:
    """Return the items with which a design finds a true difference with this power.

    Found by halving. The exact power of single answers is not smooth in n: with a few items more it
    may be slightly below again.

    Args:
        design: The design; its own number of items does not count.
        effect: The true difference, were all answers read, above 0 and at most 1.
        alpha: Level of the test.
        power: How often it is to be found.

    Returns:
        The number of items; None above ten million.

    Raises:
        ValueError: `effect` is out of range.
    """
    if not 0 < effect <= 1:
        raise ValueError(f"effect must be above 0 and at most 1, got {effect}")

    def found(items: int) -> bool:
        return replace(design, items=items).power(effect, alpha=alpha) >= power

    high = 2
    while not found(high):
        high *= 2
        if high > _MAX_ITEMS:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if found(middle) else (middle, high)
    return high


def rate_half_width(
    items: int,
    side: Side,
    *,
    unread: float = 0.0,
    cluster_size: float = 1.0,
    correlation: float = 0.0,
    weighted_size: float | None = None,
    level: float = 0.95,
) -> float:
    """Return half the length of the interval of a rate over items with epochs.

    Wilson's, of the effective number of answers p(1 − p)/v, for the variance v of the mean over
    items, ``(p(1 − p) − s² + s²/K)/n`` times ``1 + (m − 1)ρ``: as `vr_evals.stats.score.rate`.

    Args:
        items: How many items.
        side: Their answers.
        unread: The share of unread answers, which count as no event.
        cluster_size: Mean number of items in a cluster.
        correlation: Correlation of two items of a cluster.
        weighted_size: As of `PairedDesign`.
        level: Coverage of the interval.

    Returns:
        A rate; NaN with fewer than two clusters.
    """
    clusters = items / cluster_size
    if clusters < 2:
        return math.nan
    p, within = side.rate * (1 - unread), side.seen(unread)
    spread = p * (1 - p)
    effect = 1 + ((weighted_size or cluster_size) - 1) * correlation
    variance = (max(spread - within, 0.0) + within / side.epochs) * effect
    n = items * spread / variance if variance > 0 else clusters
    plain = side.epochs == 1 and cluster_size == 1
    z = critical(level, math.inf if plain else clusters - 1)
    return z / (1 + z * z / n) * math.sqrt(spread / n + z * z / (4 * n * n))


def upper_variance(variance: float, df: float, *, share: float = 0.8) -> float:
    """Return the upper confidence limit of a variance that a pilot study found.

    ``V·ν/χ²_{1 − share, ν}``: a plan with the variance itself has too little power more often than
    not, because the estimate is skewed.

    Source: Browne (1995), Statistics in Medicine 14, 1933–1940.

    Args:
        variance: The estimate.
        df: Its degrees of freedom, ν.
        share: How often the limit is above the true variance.

    Returns:
        The limit; infinite without a degree of freedom.
    """
    from scipy.special import chdtri

    return variance * df / float(chdtri(df, share)) if df >= 1 else math.inf


def items_for_half_width(half_width: float, *, rate: float = 0.5, level: float = 0.95) -> int:
    """Items needed so that Wilson's interval reaches no further than `half_width` to each side.

    The half-width ``h = z·√(r(1 − r)/n + z²/4n²) / (1 + z²/n)`` solved for n, rounded up: the
    larger root of ``h²n² + z²(2h² − r(1 − r))·n + z⁴(h² − ¼) = 0``. To each side means from the
    interval's own centre. Epochs of an item count as one item here, which is the safe side.

    Source: Wilson (1927), JASA 22, 209–212.

    Args:
        half_width: Half the interval's length that one can accept, as a rate between 0 and 0.5.
        rate: The rate expected; 0.5 is the worst case.
        level: Coverage of the interval.

    Returns:
        The number of items, at least 1.

    Raises:
        ValueError: An argument is out of range.
    """
    if not 0 < half_width < 0.5:
        raise ValueError(f"half_width must be between 0 and 0.5, got {half_width}")
    if not 0 <= rate <= 1:
        raise ValueError(f"rate must be within 0 and 1, got {rate}")
    h2, z2 = half_width**2, z_value(level) ** 2
    b, c = z2 * (2 * h2 - rate * (1 - rate)), z2**2 * (h2 - 0.25)
    n = (-b + math.sqrt(b**2 - 4 * h2 * c)) / (2 * h2)
    return max(1, math.ceil(round(n, 9)))


def mcnemar_power(
    n: int, gain: float, loss: float, *, alpha: float = 0.05, test: McNemarTest = "exact"
) -> float:
    """Power of McNemar's test: how often it would find a change of this size.

    ``Σ_d binomial(d; n, gain + loss) · P(p ≤ α | d)``: d items differ, the gains among them are
    binomial(d, gain / (gain + loss)), and the test rejects if the smaller count is at most the
    largest m with p ≤ α. For the exact test p is 2·P(binomial(d, ½) ≤ m), for mid-p less by
    P(binomial(d, ½) = m), for the score test that of χ² = (d − 2m)²/d. The sum is exact, so it does
    not grow smoothly with n.

    Source: Duffy (1984), Biometrics 40, 1005–1015; Fagerland, Lydersen & Laake (2013), BMC Medical
    Research Methodology 13:91, for mid-p.

    Args:
        n: Items, each answered once on both sides.
        gain: Share of items expected to go from wrong to right.
        loss: Share expected to go from right to wrong.
        alpha: Level of the test.
        test: Which test.

    Returns:
        A probability, 0–1; with gain = loss, the test's true level, which is at most `alpha` for
        the exact test.

    Raises:
        ValueError: An argument is out of range.
    """
    import numpy as np
    from scipy.stats import binom

    if n < 0 or min(gain, loss) < 0 or gain + loss > 1 + 1e-12 or not 0 < alpha < 1:
        raise ValueError(
            "need n >= 0, gain and loss >= 0 with a sum of at most 1, and alpha between 0 and 1; "
            f"got n = {n}, gain = {gain}, loss = {loss}, alpha = {alpha}"
        )
    if gain + loss == 0:
        return 0.0
    share = min(gain + loss, 1.0)
    low, high = (int(binom.ppf(q, n, share)) for q in (1e-14, 1 - 1e-14))
    differing = np.arange(low, high + 1)
    limit = _limits(differing, alpha, test)
    to_gain = gain / (gain + loss)
    rejects = binom.cdf(limit, differing, to_gain) + binom.cdf(limit, differing, 1 - to_gain)
    return float(binom.pmf(differing, n, share) @ rejects)


def _limits(differing: NDArray[np.intp], alpha: float, test: McNemarTest) -> NDArray[np.float64]:
    """Return for each number of differing items the largest smaller count that is significant."""
    import numpy as np
    from scipy.stats import binom

    if test == "score":
        z = critical(1 - alpha, math.inf)
        limit: NDArray[np.float64] = np.floor((differing - z * np.sqrt(differing)) / 2)
        return np.where(differing > 0, limit, -1.0)
    reached = np.asarray(binom.ppf(alpha / 2, differing, 0.5))  # smallest m with P >= alpha / 2
    below = np.asarray(binom.cdf(reached, differing, 0.5)) > alpha / 2
    exact: NDArray[np.float64] = reached - below
    if test == "exact":
        return exact
    after = np.asarray(binom.cdf(exact, differing, 0.5)) + binom.pmf(exact + 1, differing, 0.5) / 2
    return exact + (after <= alpha / 2)
