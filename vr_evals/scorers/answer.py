"""Is the answer right?"""

from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    NOANSWER,
    Score,
    Scorer,
    Target,
    scorer,
)
from inspect_ai.solver import TaskState

from vr_evals.scorers.means import accuracy, stderr, wilson_interval
from vr_evals.scorers.reading import Answer, final_answer, level_asked

__all__ = ["answer"]


def _value(answer: Answer) -> str:
    if answer.reading.label is None:
        return NOANSWER
    return CORRECT if answer.correct else INCORRECT


def _explanation(answer: Answer) -> str:
    if answer.reading.label is None:
        return f"No answer could be read ({answer.reading.format})."
    read = f"Read {answer.reading.label!r} ({answer.reading.format})"
    if answer.choice == answer.reading.label:
        return f"{read}."
    return f"{read}, which is {answer.choice!r}."


@scorer(metrics=[accuracy(), stderr(), wilson_interval()])
def answer() -> Scorer:
    """Score the answer against the target: right, wrong, or not read.

    The value is ``C``, ``I`` or ``N`` (no answer could be read, which counts as not right); items
    without a target are unscored. ``Score.answer`` is the label read. Its metadata says which
    option that is in canonical terms, where it stood, and how it was read.
    """

    async def score(state: TaskState, target: Target) -> Score:
        found = final_answer(state, target.text)
        metadata = {
            "level": level_asked(state),
            "choice": found.choice,
            "position": found.position,
            "read_as": found.reading.format,
            "several_tags": found.reading.multiple_tags,
        }
        if found.kind is not None:
            metadata["option_kind"] = found.kind
        if not target.text:
            return Score.unscored(
                reason="no_target",
                answer=found.reading.label,
                explanation="The item has no right answer. " + _explanation(found),
                metadata=metadata,
            )
        return Score(
            value=_value(found),
            answer=found.reading.label,
            explanation=_explanation(found),
            metadata=metadata,
        )

    return score
