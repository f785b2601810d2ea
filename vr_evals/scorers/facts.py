"""What a scorer noted beside a sample's value, as a metric reads it."""

from typing import Any

from inspect_ai.scorer import SampleScore

__all__ = ["facts"]


def facts(score: SampleScore) -> dict[str, Any]:
    """The metadata of a sample's score."""
    return score.score.metadata or {}
