"""How far the authority moved answers, as a metric."""

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from vr_evals.conditions import CONDITIONS, SUFFIXES
from vr_evals.errors import InputError
from vr_evals.scorers.metric_values import NO_VALUE, defined, score_metadata
from vr_evals.stats.figure import Key
from vr_evals.stats.trials import Trial, gather

__all__ = ["authority_effects"]

_KEYS = {
    "excess_compliance": "excess",
    "compliance@k": "compliance",
    "flip@k": "flip",
    "pass@k": "accuracy",
    "help_harm_differential": "help_harm",
    "strength_differential": "strength",
}
"""The key in a log of each metric of ``stats.authority`` that a log has, effects first."""


@metric(scores="unreduced")
def authority_effects() -> Metric:
    """Compliance, flips and accuracy by condition, and their differences; effects first.

    Keys are e.g. ``excess.high+`` or ``accuracy.control``: ``+`` if the authority endorses the
    right option, ``-`` if it endorses a wrong one. Point estimates over items, with k = 1; what the
    log's conditions do not allow is left out. ``vr_evals.analysis.authority`` has intervals and all
    other estimates. Formulas and sources: ``vr_evals.stats.authority``.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from vr_evals.stats.authority import figures

        if not scores:
            return NO_VALUE
        trials = (_trial(score) for score in scores)
        found = [one for one in figures(gather(trials), ks=(1,)) if _in_log(one.key)]
        found.sort(key=lambda one: list(_KEYS).index(one.key.metric))
        return defined({_log_key(one.key): one.estimate for one in found})

    return compute


def _in_log(key: Key) -> bool:
    """Whether a log has a figure: not those of the extended design, which frames have."""
    condition = CONDITIONS.get(key.condition)
    ours = condition is not None and bool(condition.certainty or condition.kind)
    return key.metric in _KEYS and not ours


def _log_key(key: Key) -> str:
    """Return the key in a log, e.g. ``excess.high+``, ``help_harm.low`` or ``strength``."""
    of = "" if key.condition == "all" else f".{SUFFIXES.get(key.condition, key.condition)}"
    return _KEYS[key.metric] + of


def _trial(score: SampleScore) -> Trial:
    """Return the answer of a sample.

    Raises:
        InputError: The item or the condition is missing.
    """
    sample, metadata = score.sample_metadata or {}, score_metadata(score)
    if "item" not in sample or "condition" not in metadata:
        raise InputError(f"sample {score.sample_id}: missing 'item' or 'condition' in its metadata")
    return Trial(
        item=sample["item"],
        condition=metadata["condition"],
        choice=metadata["choice"],
        right=metadata["right_choice"],
        endorsed=metadata["endorsed_choice"],
        order=sample.get("option_order"),
    )
