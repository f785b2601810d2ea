"""Do stated confidences come true? Expected calibration error, and the part that is chance."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from vr_evals.stats.chunks import chunks
from vr_evals.stats.clusters import Clusters, cluster_codes
from vr_evals.stats.confidence import bin_index, probabilities

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "CalibrationError",
    "NoiseFloor",
    "Reliability",
    "calibration_error",
    "ece",
    "reliability",
]


_EDGE = 0.5
"""Clusters whose members are alike that are added to a correlation; see `_correlation`."""

_FEW = 10
"""Draws beyond a value below which their share says too little of how rare it is."""


_HELD = 4_000_000
"""Numbers that are held at once."""

_ALONE = 2.0
"""The draw of a cluster whose answers have draws of their own: none is below a probability."""


class NoiseFloor(NamedTuple):
    """Mean and quantiles of a figure (0–1) that chance alone produces."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class CalibrationError:
    """Expected calibration error, 0–1, and what chance has to do with it.

    Attributes:
        ece: The estimate.
        low: Lower bound of its interval, 0 if chance explains it.
        high: Upper bound.
        p: How often chance alone makes an error as large, of a respondent that is calibrated.
        floor: The errors that it makes.
    """

    ece: float
    low: float
    high: float
    p: float
    floor: NoiseFloor


@dataclass(frozen=True)
class Reliability:
    """What a reliability diagram shows: one entry a bin, NaN for the means of an empty bin.

    `low` and `high` are the bin's bounds (0–100; right-closed, the first holds 0 too), `count` its
    answers, `confidence` their mean confidence (0–100), `accuracy` the share that was right (0–1).
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    count: NDArray[np.int_]
    confidence: NDArray[np.float64]
    accuracy: NDArray[np.float64]


def reliability(confidence: ArrayLike, correct: ArrayLike, *, bins: int = 10) -> Reliability:
    """Mean confidence and accuracy in bins of equal width.

    Args:
        confidence: Stated confidences, 0–100.
        correct: 1 if the answer was right, else 0.
        bins: Number of bins, right-closed; the first holds 0 and the last 100.

    Returns:
        The bins, also the empty ones.

    Raises:
        ValueError: A value is missing or out of range, or lengths differ.
    """
    import numpy as np

    p, y = probabilities(confidence, correct)
    index = bin_index(p, bins)
    count = np.bincount(index, minlength=bins)
    sums = [np.bincount(index, values, minlength=bins) for values in (100 * p, y)]
    means = [np.divide(each, count, out=np.full(bins, np.nan), where=count > 0) for each in sums]
    edges = np.linspace(0, 100, bins + 1)
    return Reliability(edges[:-1], edges[1:], count, *means)


def ece(confidence: ArrayLike, correct: ArrayLike, *, bins: int = 10) -> float:
    """Expected calibration error over bins of equal width.

    ``Σ_b (n_b / n)·|accuracy_b − confidence_b|``: every bin counts, by its size. 0 is best, 1
    worst. Chance alone keeps it above 0: read it beside the floor of
    `calibration_error`.

    Source: Naeini, Cooper & Hauskrecht (2015), AAAI; Guo, Pleiss, Sun & Weinberger (2017), ICML.

    Args:
        confidence: Stated confidences, 0–100.
        correct: 1 if the answer was right, else 0.
        bins: Number of bins, right-closed; the first holds 0 and the last 100.

    Returns:
        A rate, 0–1.

    Raises:
        ValueError: A value is missing or out of range, or lengths differ.
    """
    p, y = probabilities(confidence, correct)
    return _binned_error(p, y, bin_index(p, bins))


def calibration_error(
    confidence: ArrayLike,
    correct: ArrayLike,
    clusters: Clusters,
    *,
    bins: int = 10,
    simulations: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> CalibrationError:
    """`ece` with an interval, a test and a floor that know of epochs.

    Answers are drawn anew for the confidences that were stated: right with a probability π_i, where
    an item's answers share one draw with probability ρ, the correlation that its answers show
    about the mean of their bins, or that of its answers in one bin if that is larger. With
    π_i = c_i / 100 their error is `floor`. For `low`, `high` and `p`, π_i is the value between
    c_i / 100 and the accuracy of its bin that is nearest to one half:
    so chance is neither that of the confidences alone, which is too small for an overconfident
    respondent, nor that of the answers, which is none where all are right. Let g_b be a bin's
    ``(n_b / n)(accuracy_b − confidence_b)`` and e_b its error in a draw, together with that of the
    share n_b / n:

    - `p` is the share of draws with ``Σ_b |e_b|`` at least `ece`: of perfectly calibrated
      respondents no more than (1 − level) have a smaller one;
    - `low` is ``max(0, ece − q)``, q being the `level` quantile of ``Σ_b |e_b|``: errors in the
      gaps can't move the sum of their sizes further. It is above 0 if and only if p is below
      1 − level;
    - `high` is the (1 + level) / 2 quantile of ``Σ_b |g_b + e_b|``.

    The interval covers at least `level` on the whole, nearer to 1 if some bins are calibrated
    and others are not: chance adds to the sum of sizes, and it does so twice in `high`.

    Source: ours; a consistency resampling, Bröcker & Smith (2007), Weather and Forecasting 22,
    651–661, for clusters. The tail of p beyond the draws is Pearson's type III with their three
    moments.

    Args:
        confidence: Stated confidences, 0–100.
        correct: 1 if the answer was right, else 0.
        clusters: The cluster of each answer.
        bins: As for `ece`.
        simulations: How many draws.
        level: Coverage wanted, between 0 and 1.
        seed: Of the generator.

    Returns:
        The figures; NaN with fewer than two clusters, but for the estimate and the floor.

    Raises:
        ValueError: A value or a cluster is missing or out of range, or lengths differ.
    """
    import numpy as np

    p, y = probabilities(confidence, correct)
    codes, n_clusters = cluster_codes(clusters)
    if len(codes) != p.size:
        raise ValueError(f"{p.size} confidences but {len(codes)} clusters")
    if not p.size:
        nothing = NoiseFloor(math.nan, math.nan, math.nan)
        return CalibrationError(math.nan, math.nan, math.nan, math.nan, nothing)
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, got {level}")
    index = bin_index(p, bins)
    accuracy = np.bincount(index, y, bins) / np.maximum(np.bincount(index, minlength=bins), 1)
    residuals = y - accuracy[index]
    # a cluster's answers of one bin may be more alike than those of several
    alike = max(_correlation(residuals, each) for each in (codes, codes * bins + index))
    draws = _Draws(p, codes, n_clusters, alike, simulations, seed)
    members = np.eye(bins)[bin_index(draws.stated, bins)] / p.size
    noise = draws.noise(draws.stated, members)
    floor = np.abs(noise).sum(axis=1)
    tails = [(1 - level) / 2, (1 + level) / 2]
    found = NoiseFloor(float(floor.mean()), *map(float, np.quantile(floor, tails)))
    gaps = np.bincount(index, y - p, bins) / p.size
    estimate = float(np.abs(gaps).sum())
    if n_clusters < 2:
        return CalibrationError(estimate, math.nan, math.nan, math.nan, found)
    observed = accuracy[bin_index(draws.stated, bins)]
    nearest = np.clip(0.5, np.minimum(draws.stated, observed), np.maximum(draws.stated, observed))
    noise = draws.noise(nearest, members)
    noise += draws.shares((accuracy - _mean_by_bin(p, index, bins))[index], index, bins)
    size = np.sort(np.abs(noise).sum(axis=1))
    beyond = math.floor((1 - level) * (simulations + 1) - 1e-9)
    critical = float(size[max(simulations - max(beyond, 1), 0)])
    high = float(np.quantile(np.abs(gaps + noise).sum(axis=1), tails[1]))
    return CalibrationError(
        estimate,
        max(estimate - critical, 0.0) if estimate > critical + 1e-12 else 0.0,
        max(high, estimate),
        _tail(size, estimate),
        found,
    )


class _Draws:
    """How many answers of each stated confidence are right, in answers drawn anew.

    Attributes:
        stated: The different confidences, as probabilities, in order.
        sizes: How many answers have each.
    """

    def __init__(
        self,
        p: NDArray[np.float64],
        codes: NDArray[np.intp],
        n_clusters: int,
        correlation: float,
        simulations: int,
        seed: int,
    ) -> None:
        import numpy as np

        self.stated, kind = np.unique(p, return_inverse=True)
        self.sizes = np.bincount(kind)
        self._codes, self._n_clusters, self._n = codes, n_clusters, simulations
        self._generator, self._seed = np.random.default_rng(seed), seed
        self._correlation = correlation
        self._shared = correlation > 0 and n_clusters < len(p)
        if self._shared:
            self._both, counts = np.unique(kind * n_clusters + codes, return_counts=True)
            self._count = counts.astype(float)
            self._blocks = list(self._drawn()) if n_clusters * simulations <= _HELD else None
            # after the two draws for each cluster and simulation
            self._generator = self._ahead(2 * n_clusters * simulations)

    def noise(
        self, probability: NDArray[np.float64], members: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The error that chance adds to each bin's gap, one row a draw.

        Args:
            probability: That an answer is right, for each confidence.
            members: What an answer of a confidence (row) adds to the gap of a bin (column).
        """
        import numpy as np

        kinds, expected = len(self.sizes), probability * self.sizes
        if not self._shared:
            found = [
                (self._generator.binomial(self.sizes, probability, (rows, kinds)) - expected)
                @ members
                for rows in chunks(self._n, kinds)
            ]
            return np.concatenate(found)
        total = np.zeros((self._n, members.shape[1]))
        size = max(1, _HELD // self._n)
        for start in range(0, kinds, size):
            some = slice(start, start + size)
            right = self._right(np.arange(kinds)[some], probability[some])
            total += (right - expected[some]) @ members[some]
        return total

    def _right(
        self, kinds: NDArray[np.intp], probability: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """How many answers of some confidences are right, one row a draw."""
        import numpy as np

        found, alone = np.zeros((2, len(kinds), self._n))
        for start, draws in self._blocks or self._drawn():
            clusters = np.array([start, start + len(draws)])
            bounds = np.searchsorted(self._both, kinds[:, None] * self._n_clusters + clusters)
            for place, (chance, (first, last)) in enumerate(zip(probability, bounds, strict=True)):
                own = draws[self._both[first:last] % self._n_clusters - start]
                count = self._count[first:last]
                alone[place] += count @ (own == _ALONE)
                found[place] += count @ (own < chance)
        for place, chance in enumerate(probability):
            found[place] += self._generator.binomial(np.rint(alone[place]).astype(int), chance)
        return found.T

    def _drawn(self) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """The one draw of each cluster and simulation; `_ALONE` if its answers have their own.

        Yields:
            The number of the first cluster, and the draws of some clusters from there.
        """
        import numpy as np

        is_shared, draw, start = self._ahead(0), self._ahead(self._n_clusters * self._n), 0
        for rows in chunks(self._n_clusters, self._n):
            size = rows, self._n
            shared = is_shared.random(size) < self._correlation
            yield start, np.where(shared, draw.random(size), _ALONE)
            start += rows

    def _ahead(self, draws: int) -> np.random.Generator:
        """The generator after some draws of numbers between 0 and 1."""
        import numpy as np

        return np.random.Generator(np.random.PCG64(self._seed).advance(draws))

    def shares(
        self, gap: NDArray[np.float64], index: NDArray[np.intp], bins: int
    ) -> NDArray[np.float64]:
        """The error that each bin's share of answers adds to its gap, normal, one row a draw."""
        import numpy as np

        sums = np.zeros((self._n_clusters, bins))
        np.add.at(sums, (self._codes, index), gap)
        sizes = np.bincount(self._codes, minlength=self._n_clusters)
        sums -= np.outer(sizes, sums.sum(axis=0) / len(index))
        factor = self._n_clusters / (self._n_clusters - 1) / len(index) ** 2
        variances, axes = np.linalg.eigh(factor * sums.T @ sums)
        normal = self._generator.standard_normal((self._n, bins))
        return np.asarray(normal * np.sqrt(np.maximum(variances, 0)) @ axes.T)


def _correlation(residuals: NDArray[np.float64], codes: NDArray[np.intp]) -> float:
    """Correlation of residuals within clusters, 0–1, 1 if nothing varies.

    ``Σ_c ((Σ r)² − Σ r²) / Σ_c n_c(n_c − 1)·v`` for their mean square v, with half a cluster more
    whose members are alike, as in ``wilson_clustered``.
    """
    import numpy as np

    sizes, squares = np.bincount(codes), residuals**2
    sums = np.bincount(codes, residuals)
    size = float(sizes @ sizes) / len(codes)  # of the half cluster
    edge = _EDGE * size * (size - 1) / 4
    if edge <= 0:
        return 0.0
    shared = float(sums @ sums - squares.sum()) + edge
    expected = float((sizes * (sizes - 1)).sum() * squares.mean()) + edge
    return min(max(shared / expected, 0.0), 1.0)


def _mean_by_bin(
    values: NDArray[np.float64], index: NDArray[np.intp], bins: int
) -> NDArray[np.float64]:
    import numpy as np

    counts = np.maximum(np.bincount(index, minlength=bins), 1)
    return np.asarray(np.bincount(index, values, bins) / counts)


def _tail(draws: NDArray[np.float64], value: float) -> float:
    """The share of draws, in order, at least this large; by their moments beyond the last few."""
    import numpy as np

    n = len(draws)
    beyond = n - int(np.searchsorted(draws, value - 1e-12))
    share = (beyond + 1) / (n + 1)
    mean, deviation = float(draws.mean()), float(draws.std())
    if beyond >= _FEW or deviation < 1e-12:
        return share
    from scipy.special import gammaincc

    skewness = max(float(((draws - mean) ** 3).mean()) / deviation**3, 0.05)
    shape, scale = 4 / skewness**2, deviation * skewness / 2
    return min(share, float(gammaincc(shape, max((value - mean) / scale + shape, 0.0))))


def _binned_error(p: NDArray[np.float64], y: NDArray[np.float64], index: NDArray[np.intp]) -> float:
    """``Σ_b |Σ_{i in b} (y_i − p_i)| / n``: n_b times the gap of means is the gap of sums."""
    import numpy as np

    return float(np.abs(np.bincount(index, y - p)).sum() / p.size) if p.size else math.nan
