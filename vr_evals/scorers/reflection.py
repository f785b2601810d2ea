"""Did the second look change the answer?"""

from collections import Counter

from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    mean,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from vr_evals.confidences import read_confidence
from vr_evals.scorers.reading import Answer, final_answer, read, sample_facts
from vr_evals.solvers.two_pass import FirstPass

__all__ = ["flip_rates", "reflection"]

KINDS = ("kept", "good_flip", "bad_flip", "other_flip")


def flip_kind(first: Answer, final: Answer) -> str:
    """``kept``, ``good_flip`` (to the right choice), ``bad_flip`` (from it) or ``other_flip``."""
    if first.choice == final.choice:
        return "kept"
    if final.correct:
        return "good_flip"
    return "bad_flip" if first.correct else "other_flip"


@metric(scores="unreduced")
def flip_rates() -> Metric:
    """The share (0–1) of samples whose choice was kept or changed, by kind of change.

    Over the samples with both passes read, each epoch by itself. ``good_flip_of_wrong`` is over those
    that began wrong, ``bad_flip_of_right`` over those that began right.
    """

    def compute(scores: list[SampleScore]) -> Value:
        read_twice = [s.score for s in scores if s.score.answer in KINDS]
        kinds = Counter(score.answer for score in read_twice)
        began = Counter((score.metadata or {}).get("first_correct") for score in read_twice)
        return {
            **{kind: _rate(kinds[kind], len(read_twice)) for kind in KINDS},
            "good_flip_of_wrong": _rate(kinds["good_flip"], began[False]),
            "bad_flip_of_right": _rate(kinds["bad_flip"], began[True]),
        }

    return compute


def _rate(count: int, n: int) -> float:
    return count / n if n else float("nan")


@scorer(metrics=[mean(), stderr(cluster="cluster"), flip_rates()])
def reflection() -> Scorer:
    """Score whether level 5's second pass changed the choice: 1 changed, 0 kept.

    Unscored where the answer of a pass could not be read. ``Score.answer`` is the kind of change;
    answers and confidences of both passes are in the metadata.
    """

    async def score(state: TaskState, target: Target) -> Score:
        passes = state.store_as(FirstPass)
        if passes.completion is None:
            return Score.unscored(reason="no_first_pass", explanation="There was one pass only.")
        first = read(passes.completion, passes.stop_reason, target.text, state.metadata)
        final = final_answer(state, target.text)
        metadata = {
            **sample_facts(state),
            "first_label": first.reading.label,
            "first_read_as": first.reading.format,
            "first_correct": first.correct if first.reading.label else None,
            "first_stop_reason": passes.stop_reason,
            "final_label": final.reading.label if passes.second_pass else None,
            "second_pass": passes.second_pass,
        }
        if state.metadata.get("include_confidence"):
            metadata["first_confidence"] = read_confidence(
                passes.completion, stop_reason=passes.stop_reason
            ).value
            metadata["final_confidence"] = read_confidence(
                state.output.completion, stop_reason=state.output.stop_reason
            ).value
        unread = _unread(first, final, passes.second_pass)
        if unread:
            return Score.unscored(
                reason="invalid_response_format", explanation=unread, metadata=metadata
            )
        kind = flip_kind(first, final)
        return Score(value=int(kind != "kept"), answer=kind, metadata=metadata)

    return score


def _unread(first: Answer, final: Answer, second_pass: bool) -> str | None:
    """Why two answers cannot be compared, or None where they can."""
    if not second_pass:
        return "The first pass came back empty: no second call was made."
    if first.reading.label is None:
        return f"The first pass has no answer that could be read ({first.reading.format})."
    if final.reading.label is None:
        return f"The second pass has no answer that could be read ({final.reading.format})."
    return None
