"""The metric of how alike an item's epochs are answered."""

from collections import defaultdict
from collections.abc import Hashable

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from vr_evals.scorers.absent import ABSENT
from vr_evals.scorers.facts import facts

__all__ = ["epoch_agreement"]


@metric(scores="unreduced")
def epoch_agreement() -> Metric:
    """How alike the epochs of an item are answered, averaged over items; nothing with one epoch.

    ``agreement`` is the share (0–1) of pairs of epochs with the same choice, unread being a choice
    of its own; ``entropy`` is in bits. Formulas and sources: ``vr_evals.stats.agreement``.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from vr_evals.stats.agreement import agreement, entropy, mean_defined

        choices: defaultdict[object, list[Hashable]] = defaultdict(list)
        for score in scores:
            choices[score.sample_id].append(facts(score).get("choice"))
        if all(len(epochs) < 2 for epochs in choices.values()):
            return ABSENT
        return {
            "agreement": mean_defined(map(agreement, choices.values())),
            "entropy": mean_defined(map(entropy, choices.values())),
        }

    return compute
