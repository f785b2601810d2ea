"""The metric of how alike the epochs of an item are answered."""

from collections import defaultdict
from collections.abc import Hashable

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from vr_evals.scorers.metric_values import (
    NO_VALUE,
    defined,
    has_several_conditions,
    score_metadata,
)

__all__ = ["epoch_agreement"]


@metric(scores="unreduced")
def epoch_agreement() -> Metric:
    """``agreement``: share (0–1) of pairs of epochs with the same choice, averaged over items.

    Unread is a choice of its own. Left out with one epoch, if no answer was read, and in a log of
    several conditions. Formula and source: ``vr_evals.stats.agreement``.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from vr_evals.stats.agreement import agreement, mean_defined

        if has_several_conditions(scores):
            return NO_VALUE
        choices: defaultdict[object, list[Hashable]] = defaultdict(list)
        for score in scores:
            choices[score.sample_id].append(score_metadata(score).get("choice"))
        if all(choice is None for epochs in choices.values() for choice in epochs):
            return NO_VALUE
        return defined({"agreement": mean_defined(map(agreement, choices.values()))})

    return compute
