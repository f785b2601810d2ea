"""How sure does the model say that it is?"""

from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from vr_evals.sample_metadata import SampleMetadata
from vr_evals.scorers.calibration import ambiguity_gap, calibration
from vr_evals.scorers.means import mean
from vr_evals.scorers.reading import final_answer, final_reply, level_asked

__all__ = ["confidence"]


@scorer(metrics=[mean(), calibration(), ambiguity_gap()])
def confidence() -> Scorer:
    """Score the stated confidence, 0–100; a missing or unreadable one is unscored.

    ``Score.answer`` is the text it was read from. Its metadata has the category and, where the item
    has a target, whether the answer was right.
    """
    from vr_evals.confidences import category, read_confidence

    async def score(state: TaskState, target: Target) -> Score:
        completion, ended = final_reply(state)
        stated = read_confidence(completion, stop_reason=ended)
        found = final_answer(state, target.text)
        metadata = {
            "level": level_asked(state),
            "label": found.reading.label,
            "n_options": len(SampleMetadata.from_metadata(state.metadata).labels),
            "correct": None if found.reading.label is None else found.correct,
            "stated_as": stated.how,
            "is_range": stated.is_range,
        }
        if stated.value is None:
            return Score.unscored(
                reason="invalid_response_format",
                answer=stated.text,
                explanation=f"No confidence could be read ({stated.reason or stated.how}).",
                metadata={**metadata, "unread": stated.reason},
            )
        return Score(
            value=stated.value,
            answer=stated.text,
            metadata={**metadata, "category": category(stated.value)},
        )

    return score
