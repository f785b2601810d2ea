"""Did the second look change the answer?"""

from collections.abc import Mapping
from typing import Any

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
)
from inspect_ai.solver import TaskState

from vr_evals.scorers.absent import ABSENT
from vr_evals.scorers.facts import facts
from vr_evals.scorers.intervals import cluster, stderr
from vr_evals.scorers.reading import Answer, final_answer, final_reply, level_asked, read
from vr_evals.solvers.run_record import FIRST_PASS, run_record

__all__ = ["confidence_change", "flip_rates", "reflection"]


@metric(scores="unreduced")
def flip_rates() -> Metric:
    """How often a second look kept or changed the choice, by kind of change, each epoch by itself.

    Rates (0–1) over the samples with both passes read; ``good_flip_of_wrong`` is over those that
    began wrong, ``bad_flip_of_right`` over those that began right, both with their Wilson interval
    by cluster. Formulas and sources: ``vr_evals.stats.flips`` and ``vr_evals.stats.intervals``.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from vr_evals.stats.flips import flip_rates

        rates = flip_rates(
            (noted["first_choice"], noted["final_choice"], noted["right_choice"])
            for noted in map(facts, scores)
        )
        shown: dict[str, float] = {
            name: getattr(rates, name) for name in ("kept", "good_flip", "bad_flip", "other_flip")
        }
        for name, began, kind in (
            ("good_flip_of_wrong", False, "good_flip"),
            ("bad_flip_of_right", True, "bad_flip"),
        ):
            shown[name] = getattr(rates, name)
            of_these = [s for s in scores if facts(s)["first_correct"] is began]
            shown |= _interval(name, kind, of_these)
        return {**shown, "n_began_wrong": rates.began_wrong, "n_began_right": rates.began_right}

    return compute


@metric(scores="unreduced")
def confidence_change() -> Metric:
    """Mean stated confidence (0–100) of both passes, and its change by kept or changed choice.

    Over the samples where both passes stated one; nothing where none was asked for.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from vr_evals.stats.agreement import mean_defined

        if not any("first_confidence" in facts(score) for score in scores):
            return ABSENT
        pairs = [
            (noted["first_confidence"], noted["final_confidence"], score.score.answer == "kept")
            for score in scores
            if (noted := facts(score)).get("first_confidence") is not None
            and noted["final_confidence"] is not None
        ]
        return {
            "confidence_before": mean_defined([first for first, _, _ in pairs]),
            "confidence_after": mean_defined([final for _, final, _ in pairs]),
            "confidence_change_kept": mean_defined([b - a for a, b, kept in pairs if kept]),
            "confidence_change_flipped": mean_defined([b - a for a, b, kept in pairs if not kept]),
        }

    return compute


def _interval(name: str, kind: str, scores: list[SampleScore]) -> dict[str, float]:
    from vr_evals.stats.intervals import wilson_clustered

    low, high = wilson_clustered(
        [int(score.score.answer == kind) for score in scores], [cluster(s) for s in scores]
    )
    return {f"{name}_lower": low, f"{name}_upper": high}


@scorer(metrics=[mean(), stderr(), flip_rates(), confidence_change()])
def reflection() -> Scorer:
    """Score whether level 5's second pass changed the choice: 1 changed, 0 kept.

    Unscored where the answer of a pass could not be read. ``Score.answer`` is the kind of change;
    answers and confidences of both passes are in the metadata.
    """
    from vr_evals.confidences import read_confidence
    from vr_evals.stats.flips import flip_kind

    async def score(state: TaskState, target: Target) -> Score:
        passes = run_record(state.metadata).get(FIRST_PASS)
        if passes is None:
            return Score.unscored(reason="no_first_pass", explanation="There was one pass only.")
        first = read(passes["completion"], passes["stop_reason"], target.text, state.metadata)
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
        if state.metadata.get("include_confidence"):
            metadata["first_confidence"] = read_confidence(
                passes["completion"], stop_reason=passes["stop_reason"]
            ).value
            completion, ended = final_reply(state)
            metadata["final_confidence"] = read_confidence(completion, stop_reason=ended).value
        unread = _unread(first, final, passes)
        if unread:
            return Score.unscored(
                reason="invalid_response_format", explanation=unread, metadata=metadata
            )
        kind = flip_kind(first.choice, final.choice, first.right_choice)
        return Score(value=int(kind != "kept"), answer=kind, metadata=metadata)

    return score


def _unread(first: Answer, final: Answer, passes: Mapping[str, Any]) -> str | None:
    """Why two answers cannot be compared, or None where they can."""
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
