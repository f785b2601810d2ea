"""Did reflection change the answer: between two passes, or within a level-4 reply?"""

from collections.abc import Mapping
from typing import Any

from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    metric,
    scorer,
)
from inspect_ai.solver import TaskState

from vr_evals.levels import Level
from vr_evals.sample_metadata import SampleMetadata
from vr_evals.scorers.means import mean
from vr_evals.scorers.metric_values import (
    NO_VALUE,
    defined,
    has_several_conditions,
    score_metadata,
)
from vr_evals.scorers.reading import (
    Answer,
    final_answer,
    final_reply,
    initial_answer,
    level_asked,
    read,
)
from vr_evals.solvers.run_record import FIRST_PASS, run_record

__all__ = ["flip_rates", "reflection"]


@metric(scores="unreduced")
def flip_rates() -> Metric:
    """``good_flip`` and ``bad_flip``: shares (0–1) that changed to, or away from, the right option.

    Over the samples with both answers read, each epoch by itself. Left out if no item has a right
    answer, and in a log of several conditions. ``vr_evals.analysis.flips`` has intervals and the
    shares of those that began wrong and right. Formulas: ``vr_evals.stats.flips``.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from vr_evals.stats.flips import flip_rates

        metadata = list(map(score_metadata, scores))
        if has_several_conditions(scores) or all(one["right_choice"] is None for one in metadata):
            return NO_VALUE
        rates = flip_rates(
            (one["first_choice"], one["final_choice"], one["right_choice"]) for one in metadata
        )
        return defined({"good_flip": rates.good_flip, "bad_flip": rates.bad_flip})

    return compute


@scorer(metrics=[mean(), flip_rates()])
def reflection() -> Scorer:
    """Score whether reflection changed the choice: 1 changed, 0 kept.

    At level 5 from the first to the second pass, at level 4 from the initial to the final answer
    of the reply. Unscored if one of the two answers could not be read. ``Score.answer`` is the kind
    of change; both answers (and at level 5 both confidences) are in the metadata.
    """
    from vr_evals.confidences import read_confidence

    async def score(state: TaskState, target: Target) -> Score:
        passes = run_record(state.metadata).get(FIRST_PASS)
        if passes is None and level_asked(state) == Level.ADVERSARIAL:
            return _within_reply(state, target)
        if passes is None:
            return Score.unscored(reason="no_first_pass", explanation="There was one pass only.")
        asked = SampleMetadata.from_metadata(state.metadata)
        first = read(passes["completion"], passes["stop_reason"], target.text, asked)
        final = final_answer(state, target.text)
        metadata = {
            "level": level_asked(state),
            "first_label": first.reading.label,
            "first_read_as": first.reading.format,
            "first_correct": first.correct if first.reading.label else None,
            "first_stop_reason": passes["stop_reason"],
            "final_label": final.reading.label if passes["second_pass"] else None,
            "first_choice": first.choice,
            "final_choice": final.choice if passes["second_pass"] else None,
            "right_choice": first.right_choice,
            "second_pass": passes["second_pass"],
        }
        if asked.settings.include_confidence:
            metadata["first_confidence"] = read_confidence(
                passes["completion"], stop_reason=passes["stop_reason"]
            ).value
            completion, ended = final_reply(state)
            metadata["final_confidence"] = read_confidence(completion, stop_reason=ended).value
        return _changed(first, final, _unread(first, final, passes), metadata)

    return score


def _within_reply(state: TaskState, target: Target) -> Score:
    """Score the change from the initial to the final answer of a level-4 reply."""
    initial, how = initial_answer(state, target.text)
    final = final_answer(state, target.text)
    metadata = {
        "level": level_asked(state),
        "first_label": initial.reading.label,
        "first_read_as": how,
        "first_correct": initial.correct if initial.reading.label else None,
        "final_label": final.reading.label,
        "first_choice": initial.choice,
        "final_choice": final.choice,
        "right_choice": final.right_choice,
    }
    unread = None
    if initial.reading.label is None:
        unread = f"The reply states no initial answer that could be read ({how})."
    elif final.reading.label is None:
        unread = f"The reply has no final answer that could be read ({final.reading.format})."
    return _changed(initial, final, unread, metadata)


def _changed(first: Answer, final: Answer, unread: str | None, metadata: dict[str, Any]) -> Score:
    """Return the score of a change, or why two answers cannot be compared."""
    from vr_evals.stats.flips import flip_kind

    if unread:
        return Score.unscored(
            reason="invalid_response_format", explanation=unread, metadata=metadata
        )
    kind = flip_kind(first.choice, final.choice, first.right_choice)
    return Score(value=int(kind != "kept"), answer=kind, metadata=metadata)


def _unread(first: Answer, final: Answer, passes: Mapping[str, Any]) -> str | None:
    """Why two answers cannot be compared, or None if they can."""
    from vr_evals.visible import readable

    if not passes["second_pass"]:
        if not readable(passes["completion"]):
            return "The first pass came back empty: no second call was made."
        return "The sample ended before the second pass gave an answer."
    if first.reading.label is None:
        return f"The first pass has no answer that could be read ({first.reading.format})."
    if final.reading.label is None:
        return f"The second pass has no answer that could be read ({final.reading.format})."
    return None
