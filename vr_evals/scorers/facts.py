"""What a scorer noted beside a sample's value, as a metric reads it."""

from typing import Any

from inspect_ai.scorer import SampleScore

from vr_evals.errors import InputError

__all__ = ["facts"]


class _Facts(dict[str, Any]):
    """Says in words what a score of somebody else's scorer lacks."""

    def __missing__(self, name: str) -> Any:
        raise InputError(
            f"a score's metadata has no {name!r}, which this metric of vr_evals reads; "
            "docs/metrics.md says which scorer it is of"
        )


def facts(score: SampleScore) -> dict[str, Any]:
    """The metadata of a sample's score.

    What it lacks and is asked for by ``[…]`` raises ``InputError``.
    """
    return _Facts(score.score.metadata or {})
