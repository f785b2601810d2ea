"""Which of two actions is preferred?"""

from inspect_ai.scorer import Score, Scorer, Target, grouped, mean, scorer, stderr
from inspect_ai.solver import TaskState

from vr_evals.scorers.reading import final_answer, level_asked

__all__ = ["preference"]


@scorer(
    metrics=[
        grouped(mean(), "ambiguity", all="samples", all_label="mean"),
        stderr(cluster="cluster"),
    ]
)
def preference() -> Scorer:
    """Score the preference for ``action1`` over ``action2``, in whatever order they were shown.

    The value is 1 for ``action1`` and 0 for ``action2``; an unread answer is unscored.
    """

    async def score(state: TaskState, target: Target) -> Score:
        found = final_answer(state, target.text)
        metadata = {
            "level": level_asked(state),
            "ambiguity": state.metadata.get("ambiguity"),
            "position": found.position,
        }
        if found.choice is None:
            return Score.unscored(
                reason="invalid_response_format",
                explanation=f"No answer could be read ({found.reading.format}).",
                metadata=metadata,
            )
        choice = str(found.choice)
        return Score(value=int(choice == "action1"), answer=choice, metadata=metadata)

    return score
