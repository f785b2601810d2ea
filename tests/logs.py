"""What tests ask of a log that a run has left."""

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
from inspect_ai.log import EvalLog, EvalSample

from vr_evals.analysis import read_logs

__all__ = ["estimates", "metrics", "noted", "samples"]


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


def estimates(
    log: EvalLog, compare: Callable[[pd.DataFrame], pd.DataFrame], **where: object
) -> dict[str, float]:
    """The estimates of a comparison, made of the log's file, by metric.

    Args:
        log: The log.
        compare: A function of ``vr_evals.analysis``.
        where: Values of other columns, e.g. `scale`.
    """
    frame = compare(read_logs(log.location))
    for column, value in where.items():
        frame = frame[frame[column] == value]
    assert frame["metric"].is_unique
    return dict(zip(frame["metric"], frame["estimate"], strict=True))


def noted(sample: EvalSample, scorer: str) -> Mapping[str, Any]:
    """What a scorer noted beside a sample's value."""
    assert sample.scores
    return sample.scores[scorer].metadata or {}
