"""Could an answer be read, and how?"""

import math
from dataclasses import asdict

from inspect_ai.model import ChatMessageUser
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from vr_evals.sample_metadata import SampleMetadata
from vr_evals.scorers.agreement import epoch_agreement
from vr_evals.scorers.metric_values import defined, score_metadata
from vr_evals.scorers.reading import final_answer, final_reply
from vr_evals.solvers.run_record import run_record

__all__ = ["answer_format", "thinking_observed", "unread_rate"]

_RUN_FIELDS = (
    "level",
    "simulated",
    "thinking_asked",
    "thinking_status",
    "budget_status",
    "temperature_status",
    "max_tokens_status",
    "calls",
    "calls_that_thought",
    "served_model",
)
"""How a sample was run: the fields that the log's summaries have."""


@metric(scores="unreduced")
def unread_rate() -> Metric:
    """``unread``: share (0–1) of samples from which no answer could be read."""

    def compute(scores: list[SampleScore]) -> Value:
        unread = [score.score.answer not in ("tag", "stated") for score in scores]
        return defined({"unread": _rate(sum(unread), len(unread))})

    return compute


@metric(scores="unreduced")
def thinking_observed() -> Metric:
    """``thought``: share (0–1) of model calls that thought, by their content or count of tokens.

    It should be 1 if thinking is on and 0 if it is off. Left out if the calls were not counted.
    """

    def compute(scores: list[SampleScore]) -> Value:
        metadata = list(map(score_metadata, scores))
        thought = sum(sample.get("calls_that_thought") or 0 for sample in metadata)
        return defined({"thought": _rate(thought, sum(one.get("calls") or 0 for one in metadata))})

    return compute


def _rate(count: int, n: int) -> float:
    return count / n if n else math.nan


@scorer(metrics=[unread_rate(), thinking_observed(), epoch_agreement()])
def answer_format() -> Scorer:
    """Say whether an answer was read (1 or 0), and how its reply was formed.

    ``Score.answer`` is the first that applies of ``refused`` (by the provider, also with empty
    text), ``empty``, ``refused`` (in words), ``tag``, ``stated``, ``ambiguous``, ``truncated`` and
    ``missing``. The metadata has what the reply shows of its level's demand, see
    ``vr_evals.level_checks``.
    """
    from vr_evals.level_checks import check_level

    async def score(state: TaskState, target: Target) -> Score:
        found = final_answer(state, target.text)
        reading, how = found.reading, run_record(state.metadata)
        completion, ended = final_reply(state)
        asked = SampleMetadata.from_metadata(state.metadata)
        prompts = (m.text for m in state.messages if isinstance(m, ChatMessageUser))
        check = check_level(
            completion,
            asked.labels,
            options=asked.options,
            prompt=next(prompts, ""),
            stop_reason=ended,
            refused=reading.format == "refused",
        )
        return Score(
            value=int(reading.label is not None),
            answer=reading.format,
            metadata={
                **{name: how[name] for name in _RUN_FIELDS if name in how},
                "choice": found.choice,
                "cut_off": reading.cut_off,
                "stop_reason": ended,
                **asdict(check),
            },
        )

    return score
