"""The Wilson interval and the standard error as metrics."""

from collections import Counter

from inspect_ai.scorer import Metric, SampleScore, Value, metric, value_to_float

from vr_evals.errors import InputError

__all__ = ["cluster", "stderr", "wilson_interval"]


@metric(scores="unreduced")
def wilson_interval() -> Metric:
    """The 95 % Wilson score interval of a rate (0–1), by the samples' ``cluster``.

    It is of ``accuracy``, the mean over samples of the mean over their epochs, but from single
    epochs: an item's mean is not one answer. Unlike Inspect's ``ci_wilson`` it does not end the run
    where there is one cluster only (it is NaN there, or the plain interval of one sample), and it
    is the plain interval where no cluster has a second answer. Formula and sources:
    ``vr_evals.stats.intervals``.
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
        return {"wilson_lower": low, "wilson_upper": high}

    return compute


@metric
def stderr() -> Metric:
    """Cluster-robust standard error of the mean, by the samples' ``cluster``.

    Inspect's ``stderr(cluster="cluster")``, but NaN rather than 0 with one cluster, which says
    nothing of others.
    """
    to_float = value_to_float()

    def compute(scores: list[SampleScore]) -> Value:
        from vr_evals.stats.intervals import clustered_mean

        values = [to_float(score.score.value) for score in scores]
        return clustered_mean(values, [cluster(score) for score in scores]).stderr

    return compute


def cluster(score: SampleScore) -> str:
    """What the sample is clustered by.

    Raises:
        InputError: The sample does not say.
    """
    found = (score.sample_metadata or {}).get("cluster")
    if found is None:
        raise InputError(f"sample {score.sample_id}: metadata has no cluster")
    return str(found)
