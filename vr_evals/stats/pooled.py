"""Averages of effects over strata that share clusters, e.g. the same items at several levels.

Each stratum has an estimate, and each cluster adds something to it (its *influence*: the sum of its
deviations, over the stratum's size). The same influences give the variance of any average, and of
the differences between strata. Clusters come in *blocks*, e.g. one for each benchmark: a cluster of
one block adds nothing to the strata of another.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from vr_evals.stats.score import Difference, critical, two_sided

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Equivalence",
    "Mean",
    "Strata",
    "detectable",
    "equivalence",
    "influences",
    "jackknife",
    "pooled_difference",
    "pooled_mean",
    "row_influences",
    "row_means",
]

_AT_MOST = 1.5
"""Effective pairs for each pair, as in `vr_evals.stats.score`."""

_GROUPS = 100
"""Groups of clusters that `jackknife` leaves out in turn, at most."""

_POWER = 0.8

Equivalence = Literal["within", "beyond", "open"]
"""Whether an effect is shown to be smaller than a margin, larger than it, or neither."""


@dataclass(frozen=True)
class Mean:
    """An estimate with a standard error, on an unbounded scale.

    Attributes:
        estimate: The estimate.
        stderr: Its standard error; NaN if unknown.
        df: Degrees of freedom of the t quantile.
    """

    estimate: float
    stderr: float
    df: float

    @property
    def test(self) -> str | None:
        """What the test is called in a frame."""
        return "t" if self.stderr > 0 else None

    @property
    def p(self) -> float:
        """Two-sided, against 0; NaN without a standard error."""
        return two_sided(self.estimate / self.stderr, self.df) if self.stderr > 0 else math.nan

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Estimate ± t·stderr; NaN without a standard error."""
        if not self.stderr > 0:
            return math.nan, math.nan
        half = critical(level, self.df) * self.stderr
        return self.estimate - half, self.estimate + half


@dataclass(frozen=True)
class Strata:
    """Estimates of several strata, and what each cluster adds to them.

    Attributes:
        estimates: One for each stratum.
        influence: One row for each cluster, one column for each stratum; a column sums to 0.
        block: The number of each cluster's block.
        weights: Of the strata, with sum 1.
    """

    estimates: NDArray[np.float64]
    influence: NDArray[np.float64]
    block: NDArray[np.intp]
    weights: NDArray[np.float64]

    @property
    def mean(self) -> float:
        """The weighted mean of the estimates; NaN without a stratum."""
        return float(self.weights @ self.estimates) if len(self.estimates) else math.nan

    def _blocks(self) -> list[int]:
        """The numbers of the blocks that have clusters."""
        import numpy as np

        found: list[int] = np.flatnonzero(np.bincount(self.block)).tolist()
        return found

    def variance(self) -> tuple[float, float]:
        """The variance of `mean`, and its degrees of freedom.

        The sum over blocks of C/(C − 1)·Σ_c u_c², for the C clusters of a block and their
        influences u on the mean; C − 1 degrees of freedom each, put together by Welch and
        Satterthwaite. NaN if a block has one cluster.

        Source: Miller (2024), arXiv:2411.00640, Appendix A; Satterthwaite (1946), Biometrics
        Bulletin 2, 110–114.
        """
        own = self.influence @ self.weights
        parts = [own[self.block == block] for block in self._blocks()]
        if not parts or min(map(len, parts)) < 2:
            return math.nan, math.nan
        each = [(float(u @ u) * len(u) / (len(u) - 1), len(u) - 1) for u in parts]
        total = sum(variance for variance, _ in each)
        if total <= 0:
            return 0.0, float(sum(df for _, df in each))
        return total, total**2 / sum(variance**2 / df for variance, df in each)

    def homogeneity(self) -> float:
        """P-value of the hypothesis that all strata have the same true effect.

        The ANOVA-type statistic Σ_s (d_s − d̄)² over its expectation under that hypothesis, against
        F with f = (tr MV)²/tr(MVMV) and C − 1 degrees of freedom, for the centring matrix M, the
        cluster-robust covariance V of the strata, and C clusters. It does not need V to be
        invertible, so that there may be more strata than clusters.

        Source: Brunner, Dette & Munk (1997), JASA 92, 1494–1502.

        Returns:
            NaN with fewer than two strata, or if nothing varies.
        """
        import numpy as np
        from scipy.special import fdtrc

        n_strata = len(self.estimates)
        if n_strata < 2:
            return math.nan
        centred = self.influence @ (np.eye(n_strata) - 1 / n_strata)
        covariance, sizes = np.zeros((n_strata, n_strata)), []
        for block in self._blocks():
            own = self.block == block
            u = centred if own.all() else centred[own]
            if len(u) < 2:
                return math.nan
            covariance += len(u) / (len(u) - 1) * (u.T @ u)
            sizes.append(len(u) - 1)
        trace = float(np.trace(covariance))
        if trace < 1e-15:
            return math.nan
        f = trace**2 / float((covariance * covariance).sum())
        spread = self.estimates - self.estimates.mean()
        return float(fdtrc(f, sum(sizes), float(spread @ spread) / trace))


def row_means(values: NDArray[np.float64], there: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The mean of each row over what counts; NaN where nothing does.

    Args:
        values: One row for each stratum.
        there: Which of them count.
    """
    import numpy as np

    if there.all():
        return np.asarray(values.mean(axis=1))
    pairs = zip(values, there, strict=True)
    return np.array([row[own].mean() if own.any() else math.nan for row, own in pairs])


def influences(
    values: NDArray[np.float64], codes: NDArray[np.intp], n_clusters: int
) -> NDArray[np.float64]:
    """`row_influences` of one stratum, all of whose values count.

    Args:
        values: The values of a stratum.
        codes: The cluster of each.
        n_clusters: How many clusters there are.
    """
    import numpy as np

    there = np.ones((1, len(values)), dtype=bool)
    means = row_means(values[None], there)
    [found] = row_influences(values[None], means, there, codes, n_clusters)
    return np.asarray(found)


def row_influences(
    values: NDArray[np.float64],
    means: NDArray[np.float64],
    there: NDArray[np.bool_],
    codes: NDArray[np.intp],
    n_clusters: int,
) -> NDArray[np.float64]:
    """What each cluster adds to a mean of values: its sum of deviations, over their number.

    Args:
        values: The values of units, one row for each stratum.
        means: The mean of each row, over what counts.
        there: Which of the values count.
        codes: The cluster of each unit.
        n_clusters: How many clusters there are.

    Returns:
        One row for each stratum, one column for each cluster.
    """
    import numpy as np

    deviations = values - means[:, None]
    if not there.all():
        deviations = np.where(there, deviations, 0.0)
    places = np.arange(len(values))[:, None] * n_clusters + codes
    size = len(values) * n_clusters
    sums = np.bincount(places.ravel(), deviations.ravel(), size).reshape(-1, n_clusters)
    return np.asarray(sums / there.sum(axis=1, keepdims=True))


def pooled_mean(strata: Strata) -> Mean:
    """The average of the strata, with a t interval.

    Args:
        strata: The strata.
    """
    variance, df = strata.variance()
    return Mean(strata.mean, math.sqrt(variance), df)


def pooled_difference(
    strata: Strata, gained: float, lost: float, n_pairs: int, *, scale: float, single: bool
) -> Difference:
    """The average of differences of shares, with a score interval.

    As `vr_evals.stats.score.difference`, whose result it equals for one stratum. It has a length
    also where all differences are 0, and stays within what is possible.

    Args:
        strata: The strata, whose estimates are `scale` times a difference of shares.
        gained: Weighted mean share of pairs with the event on the first side alone.
        lost: Weighted mean share of pairs with the event on the second side alone.
        n_pairs: How many pairs of answers there are; no limit of the effective number if 0.
        scale: What a difference of shares is multiplied with.
        single: Whether each cluster has one pair of answers: then their number is known.
    """
    n_clusters = len(strata.block)
    if single:
        return Difference(gained, lost, float(n_clusters), math.inf, scale)
    variance, df = strata.variance()
    if math.isnan(variance):
        return Difference(gained, lost, math.nan, math.nan, scale)
    spread = max(gained + lost - (gained - lost) ** 2, 0.0)
    variance /= scale**2
    if variance < 1e-15 or spread < 1e-15:
        return Difference(gained, lost, float(n_clusters), math.inf, scale)
    limit = _AT_MOST * n_pairs if n_pairs else math.inf
    return Difference(gained, lost, min(spread / variance, limit), df, scale)


def jackknife(
    statistic: Callable[[NDArray[np.bool_]], float], codes: NDArray[np.intp], n_clusters: int
) -> tuple[float, NDArray[np.float64]]:
    """A statistic, and what each cluster adds to it, by leaving clusters out.

    With more than `_GROUPS` clusters these are dealt into so many groups at random (of a fixed
    seed), and one group is left out at a time; the influence of a group is shared by its clusters
    such that their sums of squares are the group's.

    Source: Miller (1974), Biometrika 61, 1–15; Shao & Tu (1995), The jackknife and bootstrap,
    section 2.3, for groups.

    Args:
        statistic: Of the observations that are kept; NaN if it is undefined.
        codes: The cluster of each observation.
        n_clusters: How many clusters there are, also without an observation.

    Returns:
        The statistic of all observations, and one influence for each cluster; NaN where leaving
        out a cluster leaves it undefined.
    """
    import numpy as np

    group = np.random.default_rng(0).permutation(n_clusters) % _GROUPS
    if n_clusters <= _GROUPS:
        group = np.arange(n_clusters)
    own = group[codes]
    present = np.unique(own)
    whole = statistic(np.ones(len(codes), dtype=bool))
    without = np.array([statistic(own != number) for number in present])
    found = np.zeros(group.max(initial=-1) + 1)
    m = len(present)
    found[present] = (m - 1) / m * (without.mean() - without) if m else 0.0
    sizes = np.bincount(group, minlength=len(found))
    return whole, found[group] / np.sqrt(sizes[group])


def equivalence(interval: Callable[[float], tuple[float, float]], margin: float) -> Equivalence:
    """Two one-sided tests, at 5 % each, of whether an effect is smaller than a margin.

    Source: Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15, 657–680.

    Args:
        interval: The effect's interval by its level.
        margin: The least effect of interest, above 0.

    Returns:
        `within` if the 90 % interval is inside the margin, `beyond` if the 95 % interval is outside
        of it, else `open`.
    """
    (low, high), (least, most) = interval(0.90), interval(0.95)
    if -margin < low and high < margin:
        return "within"
    return "beyond" if least > margin or most < -margin else "open"


def detectable(low: float, high: float) -> float:
    """The least true effect that a study of this precision finds in 80 %, at a level of 5 %.

    ``(z_0.975 + z_0.8)·(high − low)/(2·z_0.975)``.

    Args:
        low: Bound of the 95 % interval.
        high: The other one.
    """
    z = critical(0.95, math.inf)
    return (z + critical(2 * _POWER - 1, math.inf)) * (high - low) / (2 * z)
