"""The metric of how alike an item's epochs are answered."""

import math
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
    of its own; ``agreement_alpha`` is Krippendorff's α, the agreement beyond chance; ``entropy`` is
    in bits. All are NaN where no answer was read. Formulas and sources:
    ``vr_evals.stats.agreement``.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from vr_evals.stats.agreement import agreement, alpha, choice_counts, entropy, mean_defined

        choices: defaultdict[object, list[Hashable]] = defaultdict(list)
        for score in scores:
            choices[score.sample_id].append(facts(score).get("choice"))
        if all(len(epochs) < 2 for epochs in choices.values()):
            return ABSENT
        if all(choice is None for epochs in choices.values() for choice in epochs):
            return dict.fromkeys(("agreement", "agreement_alpha", "entropy"), math.nan)
        counts = choice_counts(choices.values())
        return {
            "agreement": mean_defined(map(agreement, choices.values())),
            "agreement_alpha": alpha(counts, range(len(choices))).estimate,
            "entropy": mean_defined(map(entropy, choices.values())),
        }

    return compute
