"""What metrics read of a score, and what they return when they have no value."""

import math
from collections.abc import Mapping
from typing import Any

from inspect_ai.scorer import SampleScore, Value

from vr_evals.errors import InputError

__all__ = ["NO_VALUE", "cluster", "defined", "has_several_conditions", "score_metadata"]

NO_VALUE: Value = {"absent": None}
"""No estimate: Inspect leaves out what is None.

An empty mapping is only left out if there are scores. Without scores, Inspect logs it as NaN under
the metric's own name, which no other log of the task has.
"""


def defined(estimates: Mapping[str, float]) -> Value:
    """Return the estimates that have a value; the others are left out of the log.

    Args:
        estimates: By metric key; NaN if the estimate is undefined in this run.
    """
    found = {key: value for key, value in estimates.items() if not math.isnan(value)}
    return dict(found) if found else NO_VALUE


class _ScoreMetadata(dict[str, Any]):
    """Raises an error that a person can act on if a key is missing."""

    def __missing__(self, key: str) -> Any:
        raise InputError(
            f"missing {key!r} in a score's metadata: a vr_evals metric reads it; "
            "docs/metrics.md lists the scorer of each metric"
        )


def score_metadata(score: SampleScore) -> dict[str, Any]:
    """Return the metadata of a sample's score; ``[key]`` raises ``InputError`` if it is missing."""
    return _ScoreMetadata(score.score.metadata or {})


def cluster(score: SampleScore) -> str:
    """Return the cluster of the sample.

    Raises:
        InputError: The sample's metadata has none.
    """
    found = (score.sample_metadata or {}).get("cluster")
    if found is None:
        raise InputError(f"sample {score.sample_id}: missing 'cluster' in its metadata")
    return str(found)


def has_several_conditions(scores: list[SampleScore]) -> bool:
    """Return whether the samples were asked in several conditions of a paradigm.

    An estimate over all of them together answers no question: a log leaves it out, and
    ``vr_evals.analysis`` has it for each condition.
    """
    return len({(score.sample_metadata or {}).get("condition") for score in scores}) > 1
