"""The Wilson interval as a metric."""

from inspect_ai.scorer import Metric, SampleScore, Value, metric, value_to_float

from vr_evals.errors import InputError

__all__ = ["cluster", "wilson_interval"]


@metric
def wilson_interval() -> Metric:
    """The 95 % Wilson score interval of a rate (0–1), by the samples' ``cluster``.

    Unlike Inspect's ``ci_wilson`` it does not end the run where there is one cluster only (it is
    NaN there, or the plain interval of one sample), and it is the plain interval where no cluster
    has a second sample. Formula and sources: ``vr_evals.stats.intervals``.
    """
    to_float = value_to_float()

    def compute(scores: list[SampleScore]) -> Value:
        from vr_evals.stats.intervals import wilson_clustered

        clusters = [cluster(score) for score in scores]
        low, high = wilson_clustered([to_float(s.score.value) for s in scores], clusters)
        return {"wilson_lower": low, "wilson_upper": high}

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
