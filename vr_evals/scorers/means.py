"""Accuracy and mean, their standard error and the Wilson interval, left out if undefined."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import inspect_ai.scorer
from inspect_ai.scorer import Metric, SampleScore, Value, metric, value_to_float

from vr_evals.scorers.metric_values import (
    NO_VALUE,
    cluster,
    defined,
    has_several_conditions,
)

__all__ = ["accuracy", "mean", "stderr", "wilson_interval"]


@metric
def accuracy() -> Metric:
    """Inspect's ``accuracy``; left out if no sample was scored."""
    inner: Any = inspect_ai.scorer.accuracy()
    return _if_scored("accuracy", inner)


@metric
def mean() -> Metric:
    """Inspect's ``mean``; left out if no sample was scored, or in several conditions."""
    inner: Any = inspect_ai.scorer.mean()
    scored = _if_scored("mean", inner)

    def compute(scores: list[SampleScore]) -> Value:
        return NO_VALUE if has_several_conditions(scores) else scored(scores)

    return compute


def _if_scored(
    key: str, inner: Callable[[list[SampleScore]], float]
) -> Callable[[list[SampleScore]], Value]:
    def compute(scores: list[SampleScore]) -> Value:
        return defined({key: inner(scores)} if scores else {})

    return compute


@metric(scores="unreduced")
def wilson_interval() -> Metric:
    """The 95 % Wilson score interval of a rate (0–1), by the samples' ``cluster``.

    It is the interval of ``accuracy``, the mean over samples of the mean over their epochs, but
    computed from single epochs: an item's mean is not one answer. Unlike Inspect's ``ci_wilson`` it
    does not end the run if there is only one cluster (it is left out then, or the plain interval of
    one sample), and it is the plain interval if no cluster has a second answer. Formula and
    sources: ``vr_evals.stats.intervals``.
    """
    to_float = value_to_float()

    def compute(scores: list[SampleScore]) -> Value:
        from vr_evals.stats.intervals import wilson_clustered

        epochs = Counter(score.sample_id for score in scores)
        low, high = wilson_clustered(
            [to_float(score.score.value) for score in scores],
            [cluster(score) for score in scores],
            weights=[1 / epochs[score.sample_id] for score in scores],
        )
        return defined({"wilson_lower": low, "wilson_upper": high})

    return compute


@metric
def stderr() -> Metric:
    """Cluster-robust standard error of the mean, by the samples' ``cluster``.

    Inspect's ``stderr(cluster="cluster")``, but left out rather than 0 with one cluster, which says
    nothing about others.
    """
    to_float = value_to_float()

    def compute(scores: list[SampleScore]) -> Value:
        from vr_evals.stats.intervals import clustered_mean

        values = [to_float(score.score.value) for score in scores]
        return defined({"stderr": clustered_mean(values, list(map(cluster, scores))).stderr})

    return compute
