"""What tests ask of a log that a run has left."""

from collections.abc import Mapping
from typing import Any

from inspect_ai.log import EvalLog, EvalSample

__all__ = ["metrics", "noted", "samples"]


def samples(log: EvalLog) -> list[EvalSample]:
    """The samples of a run that ended well."""
    assert log.status == "success", log.error
    assert log.samples
    return log.samples


def metrics(log: EvalLog, scorer: str) -> dict[str, float]:
    """The metrics of a scorer, by name."""
    assert log.results
    return {
        name: metric.value
        for result in log.results.scores
        if result.scorer == scorer
        for name, metric in result.metrics.items()
    }


def noted(sample: EvalSample, scorer: str) -> Mapping[str, Any]:
    """What a scorer noted beside a sample's value."""
    assert sample.scores
    return sample.scores[scorer].metadata or {}
