"""One figure of many: its terms by item, its estimate, its interval and its test."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from vr_evals.stats.flips import Terms, pooled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Figure", "Key", "intervals", "p_value"]


class Key(NamedTuple):
    """What a figure is called.

    Attributes:
        metric: Such as ``flip@k`` or ``asymmetry``.
        k: Of an @k metric, else None.
        condition: A condition, a strength (``high`` or ``low``), or ``all``.
    """

    metric: str
    k: int | None
    condition: str

    @property
    def in_log(self) -> str:
        """As a log has it: ``flip@3.high_harm``, ``asymmetry.high``, ``strength_differential``."""
        metric = self.metric if self.k is None else self.metric.replace("@k", f"@{self.k}")
        return metric if self.condition == "all" else f"{metric}.{self.condition}"


@dataclass(frozen=True)
class Figure:
    """One figure and what it is made of.

    Attributes:
        key: What it is called.
        ratios: One ratio of sums, or two of which the second is taken off the first: for each item
            its terms, or None where the item is left out.
        n_items: Items that it is over, one in several orders counting once.
        n_samples: Their samples, in the conditions that it is made of.
        without_baseline: Items left out for want of a baseline, in an order at least; None where
            none is needed.
    """

    key: Key
    ratios: tuple[tuple[Terms | None, ...], ...]
    n_items: int
    n_samples: int
    without_baseline: int | None

    @property
    def estimate(self) -> float:
        """The point estimate; NaN where no item is left."""
        first, *second = (pooled(filter(None, terms)) for terms in self.ratios)
        return first - second[0] if second else first


def intervals(
    figures: Sequence[Figure],
    clusters: Sequence[Hashable],
    *,
    resamples: int = 2000,
    seed: int = 0,
) -> NDArray[np.float64]:
    """95 % percentile intervals by bootstrap over clusters: an item's conditions stay together.

    Source: as for ``vr_evals.stats.bootstrap``.

    Args:
        figures: Figures of the same items.
        clusters: The cluster of each item.
        resamples: How many resamples, the same ones for every figure.
        seed: Of the generator.

    Returns:
        Low and high bounds, shape (2, number of figures); NaN with fewer than two clusters.
    """
    import numpy as np

    from vr_evals.stats.bootstrap import bootstrap_sums, ratio

    def estimates(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        ratios = ratio(sums)
        return ratios[..., 0] - ratios[..., 1]

    terms = np.zeros((len(clusters), len(figures), 2, 2))
    terms[:, :, 1, 1] = 1  # a second ratio that is not there is 0 / the number of items
    for j, figure in enumerate(figures):
        for i, of_items in enumerate(figure.ratios):
            terms[:, j, i] = [pair or (0, 0) for pair in of_items]
    bounds = bootstrap_sums(terms, estimates, clusters, resamples=resamples, seed=seed)
    return bounds.round(12) + 0.0  # shares that cancel out leave 0, not 1e-17 or -0


def p_value(figure: Figure, clusters: Sequence[Hashable], *, seed: int = 0) -> float:
    """Is an excess, of compliance or of flips, further from 0 than chance would put it?

    The sign-flip test on each cluster's sum of numerators, to which the estimate is proportional:
    cluster means, where clusters are of one size. (A mean of the items' own excess flips would not
    be 0 in expectation where the cue does nothing; their sum is.)

    Source: as for ``vr_evals.stats.paired.sign_flip``.

    Args:
        figure: One ratio of sums whose numerator is 0 in expectation where the cue does nothing.
        clusters: The cluster of each item.
        seed: Of the generator.

    Returns:
        The two-sided p-value; NaN where no item is left.
    """
    from vr_evals.stats.clusters import cluster_codes, cluster_sums
    from vr_evals.stats.paired import sign_flip

    [terms] = figure.ratios
    used = [(t.numerator, cluster) for t, cluster in zip(terms, clusters, strict=True) if t]
    codes, n_clusters = cluster_codes([cluster for _, cluster in used])
    return sign_flip(cluster_sums([value for value, _ in used], codes, n_clusters), seed=seed)
