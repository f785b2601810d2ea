"""Intervals in closed form: of a proportion (Wilson), of a mean, of a difference (MOVER)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from vr_evals.stats.clusters import Clusters, cluster_codes, cluster_sums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Interval",
    "MeanEstimate",
    "TestedMean",
    "clustered_mean",
    "correlation_of_means",
    "difference_from_rate",
    "effective_size",
    "mover",
    "score_mean",
    "wilson",
    "wilson_clustered",
    "z_value",
]


class Interval(NamedTuple):
    """A two-sided interval, in the unit of what it is about; NaN bounds where it is undefined."""

    low: float
    high: float


_UNDEFINED = Interval(math.nan, math.nan)

_EDGE = 0.25
"""Part of a cluster that is put at 0, and at 1; see `wilson_clustered`."""

_FINE_EDGE = 0.05
"""The same for values that are more than 0 or 1, whose variance the data tell better."""


@dataclass(frozen=True)
class MeanEstimate:
    """A mean with its cluster-robust standard error and interval, in the unit of the values."""

    mean: float
    stderr: float
    low: float
    high: float
    n_clusters: int


@dataclass(frozen=True)
class TestedMean:
    """A figure with its interval and the test that the interval is the inversion of."""

    estimate: float
    low: float
    high: float
    p: float


def wilson(successes: float, n: float, *, level: float = 0.95) -> Interval:
    """Score interval of a binomial proportion, by Wilson.

    With p = successes / n and z the normal quantile:
    ``(p + z²/2n ± z·√(p(1 − p)/n + z²/4n²)) / (1 + z²/n)``. It stays within 0–1, is never of length
    nought, and covers close to `level` on average over p also for small n, where p ± z·se does not.

    Source: Wilson (1927), JASA 22, 209–212; recommended by Brown, Cai & DasGupta (2001),
    Statistical Science 16, 101–133.

    Args:
        successes: How many succeeded; need not be whole (an effective count).
        n: Out of how many.
        level: Coverage wanted, between 0 and 1.

    Returns:
        Bounds as rates 0–1; NaN if n is 0.

    Raises:
        ValueError: `successes` is not within 0 … `n`, or `level` not between 0 and 1.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"successes must be within 0 and n = {n}, got {successes}")
    critical = z_value(level)
    return _score_interval(successes / n, n, critical) if n else _UNDEFINED


def wilson_clustered(
    values: ArrayLike,
    clusters: Clusters,
    *,
    weights: ArrayLike | None = None,
    level: float = 0.95,
) -> Interval:
    """Wilson's interval for a proportion whose observations come in clusters.

    Give it single answers, with the item as their cluster: means of items are not answers, and
    would be given the length of as many single ones. n gives way to the effective size n / deff,
    where the design effect deff is the cluster-robust variance of the mean over the variance that
    independent observations would have, and at least 1. Both variances are those of the clusters
    and of a quarter of a cluster at 0 and another at 1: of a few wrong answers the data alone do
    not say whether they come singly or by the item, and at 0 or 1 they say nothing. The quarters
    count for less the more there is to see. Epochs that all agree change nothing: 0 of 20 × 5 is 0
    of 20. If no cluster has a second observation and weights are equal, it is the plain
    interval.

    The quantile is normal: with these quarters, coverage is 0.93–0.98 from 10 clusters up, and a t
    quantile makes it 0.97–0.99 at 10. It is lower, down to 0.88, where clusters' sizes differ
    tenfold and observations within them are copies.

    Source: effective size by design effect, Korn & Graubard (1998), Survey Methodology 24, 193–201;
    Franco, Little, Louis & Slud (2019), J. Survey Statistics and Methodology 7, 334–364. The
    quarters are ours, in the manner of Agresti & Coull (1998), American Statistician 52, 119–126.

    Args:
        values: 0 or 1; values in between are allowed and make the interval wider than it need be.
        clusters: The cluster of each value.
        weights: How much each value counts, e.g. 1 / epochs for a mean over items; left out,
            all count alike.
        level: Coverage wanted, between 0 and 1.

    Returns:
        Bounds as rates 0–1; NaN with no value, or with several values in one cluster only.

    Raises:
        ValueError: A value is not within 0–1, a weight is not above 0, a cluster is missing, or
            lengths differ.
    """
    rate, effective_n = effective_size(values, clusters, weights)
    return _score_interval(rate, effective_n, z_value(level)) if effective_n else _UNDEFINED


def score_mean(
    values: ArrayLike,
    clusters: Clusters,
    bounds: tuple[float, float] = (0.0, 1.0),
    *,
    weights: ArrayLike | None = None,
    level: float = 0.95,
) -> MeanEstimate:
    """Mean of clustered values within a range, with an interval of Wilson's kind.

    For shares of an item, scores and other values that crowd at a bound, where mean ± t·se is too
    short and leaves the range. On the scale 0–1 it is Wilson's formula with the effective size
    μ(1 − μ) / v for the cluster-robust variance v, which, unlike for answers one by one, may be
    greater than the number of values; v has a twentieth of a cluster at either bound, after the
    manner of `wilson_clustered`. Never of length 0: where all clusters are alike, what was not
    seen in C clusters may still be there, and the effective size is near C at a bound.

    Source: as for `wilson_clustered`.

    Args:
        values: The observations.
        clusters: The cluster of each.
        bounds: The least and the greatest value possible.
        weights: How much each value counts; left out, all count alike.
        level: Coverage wanted, between 0 and 1.

    Returns:
        The estimate in the unit of the values; NaN for all but the mean with one cluster, for the
        mean too with none.

    Raises:
        ValueError: A value is not within the bounds, a weight is not above 0, a cluster is missing,
            or lengths differ.
    """
    import numpy as np

    x, (least, greatest) = np.asarray(values, dtype=float), bounds
    if not ((x >= least) & (x <= greatest)).all():
        raise ValueError(f"values must be within {least} and {greatest}")
    width = greatest - least
    mean, effective_n = effective_size((x - least) / width, clusters, weights, single=False)
    n_clusters = cluster_codes(clusters)[1]
    if n_clusters < 2:
        return MeanEstimate(least + width * mean, math.nan, math.nan, math.nan, n_clusters)
    low, high = _score_interval(mean, effective_n, z_value(level))
    stderr = width * math.sqrt(mean * (1 - mean) / effective_n)
    return MeanEstimate(
        least + width * mean, stderr, least + width * low, least + width * high, n_clusters
    )


def mover(
    first: float,
    first_interval: Interval,
    second: float,
    second_interval: Interval,
    *,
    correlation: float = 0.0,
) -> Interval:
    """Interval of a difference, first − second, recovered from the intervals of the two.

    ``d − √((a − l_a)² − 2r(a − l_a)(u_b − b) + (u_b − b)²)`` to
    ``d + √((u_a − a)² − 2r(u_a − a)(b − l_b) + (b − l_b)²)``. It keeps what is good about the
    intervals it is made of: with Wilson's it is Newcombe's, and not of length 0 at 0 or 1.

    Source: Zou & Donner (2008), Statistics in Medicine 27, 1693–1702; with a correlation, Zou
    (2007), Psychological Methods 12, 399–413. With Wilson's: Newcombe (1998), Statistics in
    Medicine 17, 873–890 (and 2635–2650 for paired data).

    Args:
        first: An estimate.
        first_interval: Its interval.
        second: The estimate that is subtracted.
        second_interval: Its interval, of the same level.
        correlation: Of the two estimates, e.g. `correlation_of_means`.

    Returns:
        Bounds of the difference; NaN if an interval is undefined.
    """
    below, above = first - first_interval.low, first_interval.high - first
    other_below, other_above = second - second_interval.low, second_interval.high - second
    difference = first - second
    return Interval(
        difference - _distance(below, other_above, correlation),
        difference + _distance(above, other_below, correlation),
    )


def correlation_of_means(
    first: ArrayLike,
    first_clusters: Clusters,
    second: ArrayLike,
    second_clusters: Clusters,
    *,
    first_weights: ArrayLike | None = None,
    second_weights: ArrayLike | None = None,
) -> float:
    """Cluster-robust correlation of two means that share clusters, e.g. the items of two cells.

    ``Σ_c a_c·b_c / √(Σ_c a_c² · Σ_c b_c²)``, a_c and b_c being the clusters' sums of deviations
    from either mean; a cluster that one side does not have counts 0 there.

    Args:
        first: The observations of one mean.
        first_clusters: The cluster of each.
        second: Those of the other.
        second_clusters: The cluster of each.
        first_weights: How much each observation of the first counts.
        second_weights: Likewise for the second.

    Returns:
        −1 to 1; 0 if either side has no variance or no observation.

    Raises:
        ValueError: A cluster is missing, or lengths differ.
    """
    import numpy as np

    n_first = len(first_clusters)
    codes, n_clusters = cluster_codes([*first_clusters, *second_clusters])
    a = _deviations(first, codes[:n_first], n_clusters, first_weights)
    b = _deviations(second, codes[n_first:], n_clusters, second_weights)
    size = math.sqrt(float(a @ a) * float(b @ b))
    return float(np.clip(a @ b / size, -1, 1)) if size > 1e-12 else 0.0


def clustered_mean(
    values: ArrayLike, clusters: Clusters | None = None, *, level: float = 0.95
) -> MeanEstimate:
    """Mean of clustered observations, its standard error and its t interval.

    ``se² = C/(C − 1) · Σ_c (Σ_{i in c} (x_i − mean))² / n²``; the interval is mean ± t·se,
    C − 1 degrees of freedom. C/(C − 1) corrects for few clusters (Inspect's
    ``stderr(cluster=...)`` has it too, the paper has not); with one observation a cluster, se is
    the usual s/√n. Give it differences within pairs, clustered by item, for the interval of a
    paired change.

    Source: Miller (2024), Adding error bars to evals, arXiv:2411.00640, Appendix A.

    Args:
        values: The observations.
        clusters: The cluster of each; left out, each is its own.
        level: Coverage wanted, between 0 and 1.

    Returns:
        The estimate in the unit of the values. NaN for all but the mean with one cluster (where
        Inspect reports an error of 0), for the mean too with none.

    Raises:
        ValueError: A value is not finite, a cluster is missing, or lengths differ.
    """
    import numpy as np

    own = range(len(np.asarray(values)))
    x, codes, n_clusters = _observations(values, own if clusters is None else clusters)
    if not np.isfinite(x).all():
        raise ValueError("values must be finite: leave out what was not measured")
    mean = float(x.mean()) if x.size else math.nan
    if n_clusters < 2:
        return MeanEstimate(mean, math.nan, math.nan, math.nan, n_clusters)
    stderr = _clustered_stderr(x, codes, n_clusters)
    half = _t_value(level, n_clusters - 1) * stderr
    return MeanEstimate(mean, stderr, mean - half, mean + half, n_clusters)


def difference_from_rate(
    values: ArrayLike, successes: ArrayLike, clusters: Clusters, *, level: float = 0.95
) -> TestedMean:
    """A mean of values within 0–1 minus a rate of the same observations, e.g. overconfidence.

    `mover` of `score_mean` and `wilson_clustered` with `correlation_of_means`, and the test that
    goes with it: p is 1 − level of the interval that ends at 0, so an interval excludes 0 if and
    only if p is below 1 − level.

    Source: as for those.

    Args:
        values: Within 0–1.
        successes: 0 or 1 for each of them.
        clusters: The cluster of each.
        level: Coverage wanted, between 0 and 1.

    Returns:
        The difference with its interval and two-sided p-value; NaN for all but the estimate with
        one cluster, for the estimate too with none.

    Raises:
        ValueError: A value is out of range, a cluster is missing, or lengths differ.
    """
    rate, n = effective_size(successes, clusters)
    mean, n_of_mean = effective_size(values, clusters, single=False)
    if not n or not n_of_mean:
        return TestedMean(mean - rate, math.nan, math.nan, math.nan)
    correlation = correlation_of_means(values, clusters, successes, clusters)

    def interval(level: float) -> Interval:
        z = z_value(level)
        of_mean, of_rate = _score_interval(mean, n_of_mean, z), _score_interval(rate, n, z)
        return mover(mean, of_mean, rate, of_rate, correlation=correlation)

    return TestedMean(mean - rate, *interval(level), _p_by_inversion(interval))


def effective_size(
    values: ArrayLike,
    clusters: Clusters,
    weights: ArrayLike | None = None,
    *,
    single: bool = True,
) -> tuple[float, float]:
    """A mean within 0–1, and how many independent answers would tell as much of it.

    Args:
        values: Within 0–1.
        clusters: The cluster of each.
        weights: How much each value counts; left out, all count alike.
        single: Whether they are single answers, as `wilson_clustered` has them: then it is no more
            than these. Else they are graded, as in `score_mean`.

    Returns:
        The mean, NaN without values, and the effective size, 0 if it is unknown.

    Raises:
        ValueError: As for `wilson_clustered`.
    """
    import numpy as np

    x, codes, n_clusters = _observations(values, clusters)
    if not ((x >= 0) & (x <= 1)).all():
        raise ValueError("values of a proportion must be within 0 and 1")
    w = np.ones(len(x)) if weights is None else np.asarray(weights, dtype=float)
    if len(w) != len(x) or not (w > 0).all():
        raise ValueError("each value needs a weight above 0")
    if not x.size:
        return math.nan, 0.0
    total, squares = float(w.sum()), float(w @ w)
    rate = min(float(w @ x) / total, 1.0)
    if single and len(x) == n_clusters and np.ptp(w) < 1e-12 * total:
        return rate, float(len(x))
    if n_clusters < 2:
        return rate, 0.0
    sizes = np.bincount(codes, w, n_clusters)
    edge = _EDGE if single else _FINE_EDGE
    size = edge * float(sizes @ sizes) / total  # of the part of a cluster at either end
    centre = (rate * total + size) / (total + 2 * size)
    sums = np.bincount(codes, w * (x - centre), n_clusters)
    ends = size**2 * (centre**2 + (1 - centre) ** 2) / edge
    variance = float(sums @ sums) + ends
    independent = centre * (1 - centre) * squares * (1 + 2 * size / total)
    design_effect = variance / independent
    if single:
        return rate, total**2 / squares / max(design_effect, 1.0)
    return rate, total**2 / squares / design_effect * (n_clusters - 1) / n_clusters


def z_value(level: float) -> float:
    """Normal quantile that leaves (1 − level) / 2 in each tail, e.g. 1.96 for 0.95.

    Raises:
        ValueError: `level` is not between 0 and 1.
    """
    return -NormalDist().inv_cdf(_tail(level))


def _p_by_inversion(interval: Callable[[float], Interval]) -> float:
    """1 − level of the interval, of those that grow with their level, that ends at 0."""
    exponents = (-15.0, 0.0)
    for _ in range(40):
        middle = sum(exponents) / 2
        low, high = interval(1 - 10**middle)
        exponents = (exponents[0], middle) if low > 0 or high < 0 else (middle, exponents[1])
    return float(10 ** exponents[1])


def _t_value(level: float, df: int) -> float:
    from scipy.special import stdtrit

    return -float(stdtrit(df, _tail(level)))


def _tail(level: float) -> float:
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, got {level}")
    return (1 - level) / 2


def _score_interval(p: float, n: float, critical: float) -> Interval:
    shrink = 1 + critical**2 / n
    centre = (p + critical**2 / (2 * n)) / shrink
    half = critical * math.sqrt(p * (1 - p) / n + critical**2 / (4 * n**2)) / shrink
    return Interval(
        max(centre - half, 0.0) if p > 0 else 0.0, min(centre + half, 1.0) if p < 1 else 1.0
    )


def _distance(first: float, second: float, correlation: float) -> float:
    squared = first**2 - 2 * correlation * first * second + second**2
    return math.sqrt(max(squared, 0.0)) if squared == squared else math.nan


def _deviations(
    values: ArrayLike, codes: NDArray[np.intp], n_clusters: int, weights: ArrayLike | None
) -> NDArray[np.float64]:
    """The sum of each cluster's deviations from the mean."""
    import numpy as np

    x = np.asarray(values, dtype=float)
    w = np.ones(len(x)) if weights is None else np.asarray(weights, dtype=float)
    if len(x) != len(codes) or len(w) != len(x):
        raise ValueError(f"{len(x)} values but {len(codes)} clusters and {len(w)} weights")
    mean = w @ x / w.sum() if x.size else 0.0
    return np.asarray(np.bincount(codes, w * (x - mean), n_clusters), dtype=float)


def _observations(
    values: ArrayLike, clusters: Clusters
) -> tuple[NDArray[np.float64], NDArray[np.intp], int]:
    import numpy as np

    x = np.asarray(values, dtype=float)
    if len(x) != len(clusters):
        raise ValueError(f"{len(x)} values but {len(clusters)} clusters")
    return x, *cluster_codes(clusters)


def _clustered_stderr(x: NDArray[np.float64], codes: NDArray[np.intp], n_clusters: int) -> float:
    deviations = cluster_sums(x - x.mean(), codes, n_clusters)
    return math.sqrt(n_clusters / (n_clusters - 1) * float(deviations @ deviations)) / len(x)
