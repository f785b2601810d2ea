"""Could an answer be read, and how?"""

from collections import Counter
from typing import get_args

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from vr_evals.scorers.agreement import epoch_agreement
from vr_evals.scorers.facts import facts
from vr_evals.scorers.reading import final_answer, final_reply
from vr_evals.solvers.run_record import run_record

__all__ = ["answer_format", "format_rates", "thinking_observed"]

_FACTS = (
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
"""What the log's summaries say of how a sample was run."""


@metric(scores="unreduced")
def format_rates() -> Metric:
    """How answers were stated: the share (0–1) of samples of each ``answer_format``.

    Each epoch counts by itself. ``extraction_failure`` is the share without ``tag`` and ``stated``,
    ``cut_off`` the share of replies that the token limit ended, whether or not an answer was read.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from vr_evals.answers import AnswerFormat

        n = len(scores)
        words = Counter(sample.score.answer for sample in scores)
        cut_off = sum(bool(facts(sample).get("cut_off")) for sample in scores)
        rates = {word: _rate(words[word], n) for word in get_args(AnswerFormat)}
        failures = n - words["tag"] - words["stated"]
        return {
            **rates,
            "extraction_failure": _rate(failures, n),
            "cut_off": _rate(cut_off, n),
        }

    return compute


@metric(scores="unreduced")
def thinking_observed() -> Metric:
    """The share (0–1) of model calls that thought, by their content or their count of tokens.

    It should be 1 where thinking was on and 0 where it was off; NaN where the calls were not
    counted.
    """

    def compute(scores: list[SampleScore]) -> Value:
        noted = list(map(facts, scores))
        return _rate(
            sum(sample.get("calls_that_thought") or 0 for sample in noted),
            sum(sample.get("calls") or 0 for sample in noted),
        )

    return compute


def _rate(count: int, n: int) -> float:
    return count / n if n else float("nan")


@scorer(metrics=[format_rates(), thinking_observed(), epoch_agreement()])
def answer_format() -> Scorer:
    """Say whether an answer was read (1 or 0), and how its reply was formed.

    ``Score.answer`` is the first that applies of ``refused`` (by the provider, also with empty
    text), ``empty``, ``refused`` (in words), ``tag``, ``stated``, ``ambiguous``, ``truncated`` and
    ``missing``.
    """

    async def score(state: TaskState, target: Target) -> Score:
        found = final_answer(state, target.text)
        reading, how = found.reading, run_record(state.metadata)
        return Score(
            value=int(reading.label is not None),
            answer=reading.format,
            metadata={
                **{name: how[name] for name in _FACTS if name in how},
                "choice": found.choice,
                "cut_off": reading.cut_off,
                "stop_reason": final_reply(state)[1],
            },
        )

    return score
