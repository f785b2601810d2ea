"""Intervals in closed form: a proportion (Wilson) and a mean (cluster-robust t; within a range)."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from vr_evals.stats.clusters import cluster_codes, cluster_sums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Interval",
    "MeanEstimate",
    "bounded_mean",
    "clustered_mean",
    "wilson",
    "wilson_clustered",
    "z_value",
]


class Interval(NamedTuple):
    """A two-sided interval, in the unit of what it is about; NaN bounds where it is undefined."""

    low: float
    high: float


_UNDEFINED = Interval(math.nan, math.nan)


@dataclass(frozen=True)
class MeanEstimate:
    """A mean with its cluster-robust standard error and interval, in the unit of the values."""

    mean: float
    stderr: float
    low: float
    high: float
    n_clusters: int


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
        Bounds as rates 0–1; NaN where n is 0.

    Raises:
        ValueError: `successes` is not within 0 … `n`, or `level` not between 0 and 1.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"successes must be within 0 and n = {n}, got {successes}")
    critical = z_value(level)
    return _score_interval(successes / n, n, critical) if n else _UNDEFINED


def wilson_clustered(
    values: ArrayLike, clusters: Sequence[Hashable], *, level: float = 0.95
) -> Interval:
    """Wilson's interval for a proportion whose observations come in clusters.

    n gives way to the effective size p(1 − p) / v, at most n, where v is the cluster-robust
    variance of the mean, and z to the t quantile with C − 1 degrees of freedom, C being the number
    of clusters (as in Inspect's ``ci_wilson(cluster=...)``). Two cases where that is not the best
    one can do:

    - no cluster has a second observation: the plain interval (0 of 20 ends at 0.161);
    - p is 0 or 1, so that v says nothing: n is C, as if a cluster's observations were one. Taking
      the observations for independent would shrink the interval with every epoch.

    Source: Korn & Graubard (1998), Survey Methodology 24, 193–201; Franco, Little, Louis & Slud
    (2019), J. Survey Statistics and Methodology 7, 334–364.

    Args:
        values: 0 or 1; values in between are allowed and make the interval wider than it need be.
        clusters: The cluster of each value.
        level: Coverage wanted, between 0 and 1.

    Returns:
        Bounds as rates 0–1; NaN with no value, or with several values in one cluster only.

    Raises:
        ValueError: A value is not within 0–1, a cluster is missing, or lengths differ.
    """
    x, codes, n_clusters = _observations(values, clusters)
    if not ((x >= 0) & (x <= 1)).all():
        raise ValueError("values of a proportion must be within 0 and 1")
    n, successes = len(x), float(x.sum())
    if n == n_clusters:
        return wilson(successes, n, level=level)
    if n_clusters < 2:
        return _UNDEFINED
    p = successes / n
    if p in (0, 1):
        return wilson(p * n_clusters, n_clusters, level=level)
    variance = _clustered_stderr(x, codes, n_clusters) ** 2
    effective_n = min(p * (1 - p) / variance, n) if variance else n
    return _score_interval(p, effective_n, _t_value(level, n_clusters - 1))


def clustered_mean(
    values: ArrayLike, clusters: Sequence[Hashable] | None = None, *, level: float = 0.95
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


def bounded_mean(
    values: ArrayLike,
    clusters: Sequence[Hashable],
    bounds: tuple[float, float],
    *,
    level: float = 0.95,
) -> MeanEstimate:
    """`clustered_mean` of values within a range, with an interval that is never of length nought.

    The t interval, cut off at the bounds. Where all C clusters have the same mean (20 items that
    all kept their answer, say), their variance says nothing: there it is mean' ± z·√(v' / (C + 2)),
    mean' and v' being those of the cluster means and one more cluster at each bound. For paired
    differences of single answers, within −1 and 1, that is Bonett & Price's adjusted Wald interval.

    Source: as `clustered_mean`; Bonett & Price (2012), J. Educational and Behavioral Statistics 37,
    479–488; Agresti & Caffo (2000), American Statistician 54, 280–288, for one more at each bound.

    Args:
        values: The observations.
        clusters: The cluster of each.
        bounds: The least and the greatest value possible.
        level: Coverage wanted, between 0 and 1.

    Returns:
        The estimate in the unit of the values; NaN as for `clustered_mean`.

    Raises:
        ValueError: A value is not within the bounds, a cluster is missing, or lengths differ.
    """
    import numpy as np

    x, (least, greatest) = np.asarray(values, dtype=float), bounds
    if not ((x >= least) & (x <= greatest)).all():
        raise ValueError(f"values must be within {least} and {greatest}")
    found = clustered_mean(x, clusters, level=level)
    low, high = found.low, found.high
    if found.stderr < 1e-12 * (greatest - least):
        n = found.n_clusters + 2
        centre = (found.n_clusters * found.mean + least + greatest) / n
        squares = found.n_clusters * found.mean**2 + least**2 + greatest**2
        half = z_value(level) * math.sqrt((squares / n - centre**2) / n)
        low, high = centre - half, centre + half
    if math.isnan(low):
        return found
    return replace(found, low=max(low, least), high=min(high, greatest))


def z_value(level: float) -> float:
    """Normal quantile that leaves (1 − level) / 2 in each tail, such as 1.96 for 0.95.

    Raises:
        ValueError: `level` is not between 0 and 1.
    """
    return -NormalDist().inv_cdf(_tail(level))


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
    return Interval(max(centre - half, 0.0), min(centre + half, 1.0))


def _observations(
    values: ArrayLike, clusters: Sequence[Hashable]
) -> tuple[NDArray[np.float64], NDArray[np.intp], int]:
    import numpy as np

    x = np.asarray(values, dtype=float)
    if len(x) != len(clusters):
        raise ValueError(f"{len(x)} values but {len(clusters)} clusters")
    return x, *cluster_codes(clusters)


def _clustered_stderr(x: NDArray[np.float64], codes: NDArray[np.intp], n_clusters: int) -> float:
    deviations = cluster_sums(x - x.mean(), codes, n_clusters)
    return math.sqrt(n_clusters / (n_clusters - 1) * float(deviations @ deviations)) / len(x)
