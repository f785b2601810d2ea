"""The figures of a log, as Inspect computes them with the scorers' metrics from samples' scores.

A task is run once on a simulated respondent, for a log with the scorers and metrics that such a log
has; its samples are then replaced by those of simulated studies, and Inspect computes the results
again (``recompute_metrics``).
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, EvalSample, recompute_metrics
from inspect_ai.scorer import Score
from simulated_study import Design, Random, Respondent
from studied_figures import CUES, believed, cued

__all__ = ["KINDS", "WEIGHT", "figures", "results", "template"]

WEIGHT = 1.0
"""Studies for each one asked for."""

_ENDS = ("_lower", "_upper")
_WORDS = ("empty", "refused", "ambiguous", "truncated", "missing")
_ACTIONS = ("action1", "action2", "action3")


@lru_cache
def template(task: str) -> EvalLog:
    """A real log of the task, of one item in two epochs."""
    [log] = inspect_eval(
        f"vr_evals/{task}",
        model="vr_sim/careful",
        task_args={"dataset": "sample", "items": 1, "include_confidence": True},
        epochs=2,
        log_dir=tempfile.mkdtemp(),
        display="none",
        score_display=False,
    )
    if log.status != "success":
        raise SystemExit(f"the run failed: {log.error}")
    return log


def results(log: EvalLog) -> Iterator[tuple[str, str, float]]:
    """Scorer, name and value of each metric of a log."""
    for score in log.results.scores if log.results else ():
        for name, metric in score.metrics.items():
            yield str(score.scorer), name, float(metric.value)


def figures(kind: str, design: Design, rng: Random, studies: int) -> pd.DataFrame:
    """The metrics of logs, one a study, in the rows of ``studied_figures.figures``.

    A metric whose name ends in ``_lower`` or ``_upper`` is a bound of the one before it; the
    `wilson` bounds are those of accuracy.
    """
    task, draw = KINDS[kind]
    like = template(task)
    who = Respondent(design, rng, studies)
    scored = draw(who)
    rows: list[dict[str, Any]] = []
    for study in range(studies):
        log = like.model_copy(update={"samples": [_sample(like, *each) for each in scored(study)]})
        recompute_metrics(log)
        found = {(scorer, name): value for scorer, name, value in results(log)}
        for (scorer, name), value in found.items():
            if name.endswith(_ENDS):
                continue
            stem = "wilson" if (scorer, name) == ("answer", "accuracy") else name
            metric, _, of = name.partition(".")
            rows.append(
                {
                    "study": study,
                    "function": f"log: {scorer}",
                    "metric": metric,
                    "of": of,
                    "estimate": value,
                    "low": found.get((scorer, f"{stem}_lower"), np.nan),
                    "high": found.get((scorer, f"{stem}_upper"), np.nan),
                    "p": np.nan,
                }
            )
    return pd.DataFrame(rows)


def _sample(
    template: EvalLog,
    sample_id: str,
    epoch: int,
    metadata: dict[str, Any],
    scores: dict[str, Score],
) -> EvalSample:
    """The template's sample with another id, epoch, metadata and scores."""
    [like, *_] = template.samples or []
    known = {name: scores[name] for name in like.scores or {} if name in scores}
    return like.model_copy(
        update={
            "id": sample_id,
            "epoch": epoch,
            "metadata": like.metadata | metadata,
            "scores": known,
        }
    )


Scored = Callable[[int], Iterator[tuple[str, int, dict[str, Any], dict[str, Score]]]]


def _level5(who: Respondent) -> Scored:
    """Level 5 with confidence, MoralChoice: every second dilemma has no right action."""
    rate, number = believed(who)
    final = who.read((number >= rate).astype(int))
    first = who.read(np.where(who.rng.random(who.shape) < 0.1, 1 - final, final))
    first = np.where(final < 0, who.read((number >= rate).astype(int)), first)
    earlier = rate * who.rng.uniform(0.8, 1, size=who.shape)
    facts = _facts(who)

    def scored(study: int) -> Iterator[tuple[str, int, dict[str, Any], dict[str, Score]]]:
        for item, epoch in np.ndindex(final.shape[1:]):
            place = study, item, epoch
            last, before = _ACTIONS[final[place]], _ACTIONS[first[place]]
            last, before = (
                None if final[place] < 0 else last,
                None if first[place] < 0 else before,
            )
            ambiguity = "high" if item % 2 else "low"
            right = None if item % 2 else "action1"
            stated, before_stated = (round(100 * float(each[place]), 4) for each in (rate, earlier))
            kind = "kept" if last == before else "good_flip" if last == right else "bad_flip"
            unread = None in (last, before)
            metadata = {
                "item": f"i{item}",
                "cluster": f"c{who.cluster[study, item]}",
                "ambiguity": ambiguity,
            }
            yield (
                f"i{item}",
                epoch + 1,
                metadata,
                {
                    **_answered(last, right, facts, place),
                    "preference": _score(last and int(last == "action1"), ambiguity=ambiguity),
                    "confidence": _score(
                        stated,
                        label=last and "A",
                        n_options=2,
                        correct=None if None in (last, right) else last == right,
                    ),
                    "reflection": _score(
                        None if unread else int(last != before),
                        kind,
                        first_choice=before,
                        final_choice=last,
                        right_choice=right,
                        first_correct=None if None in (before, right) else before == right,
                        first_confidence=before_stated,
                        final_confidence=stated,
                    ),
                },
            )

    return scored


def _authority(who: Respondent) -> Scored:
    """All five conditions, with a cue that does nothing."""
    conditions: dict[str, int | None] = {"control": None, **CUES}
    chosen = {name: cued(who, name, option, "none") for name, option in conditions.items()}
    facts = _facts(who)
    mentioned = {name: who.rng.random((2, *who.shape)) < 0.3 for name in conditions}

    def scored(study: int) -> Iterator[tuple[str, int, dict[str, Any], dict[str, Score]]]:
        for condition, option in conditions.items():
            endorsed = None if option is None else _ACTIONS[option]
            for item, epoch in np.ndindex(who.shape[1:]):
                place = study, item, epoch
                code = chosen[condition][place]
                choice = None if code < 0 else _ACTIONS[code]
                metadata = {
                    "item": f"i{item}",
                    "cluster": f"c{who.cluster[study, item]}",
                    "condition": condition,
                }
                visible, thought = mentioned[condition][:, study, item, epoch]
                value = {
                    "complied": np.nan if endorsed is None else int(choice == endorsed),
                    "correct": int(choice == "action1"),
                    "read": int(choice is not None),
                }
                yield (
                    f"i{item}@{condition}",
                    epoch + 1,
                    metadata,
                    {
                        **_answered(choice, "action1", facts, place),
                        "confidence": _score(
                            60.0 + 10 * float(facts["tag"][place]),
                            label=choice,
                            n_options=3,
                            correct=None if choice is None else choice == "action1",
                        ),
                        "compliance": Score(
                            value=value,
                            metadata={
                                "condition": condition,
                                "endorsed": endorsed,
                                "choice": choice,
                                "right_choice": "action1",
                                "endorsed_choice": endorsed,
                                "help_choice": "action1",
                                "harm_choice": "action2",
                            },
                        ),
                        "acknowledgement": Score(
                            value=int(visible),
                            answer="explicit" if visible else "none",
                            metadata={
                                "condition": condition,
                                "reasoning": "source" if thought else "none",
                            },
                        ),
                    },
                )

    return scored


def _facts(who: Respondent) -> dict[str, np.ndarray]:
    """Words and counts that an answer has beside it."""
    return {
        "word": who.rng.integers(5, size=who.shape),
        "tag": who.rng.random(who.shape) < 0.8,
        "cut_off": who.rng.random(who.shape) < 0.1,
        "thought": who.rng.random(who.shape) < 0.1,
    }


def _answered(
    choice: str | None, right: str | None, facts: dict[str, np.ndarray], place: tuple[int, int, int]
) -> dict[str, Score]:
    """Scores of `answer` and `answer_format`."""
    value = "N" if choice is None else "C" if choice == right else "I"
    read_as = "tag" if facts["tag"][place] else "stated"
    word = read_as if choice else _WORDS[facts["word"][place]]
    noted = {"choice": choice, "cut_off": bool(facts["cut_off"][place]), "calls": 1}
    noted["calls_that_thought"] = int(facts["thought"][place])
    return {
        "answer": _score(value if right else None, choice=choice, read_as=word),
        "answer_format": Score(value=int(choice is not None), answer=word, metadata=noted),
    }


def _score(value: str | float | None, answer: str | None = None, **metadata: Any) -> Score:
    """A score, unscored without a value."""
    if value is None:
        return Score.unscored(reason="no_target", metadata=metadata)
    return Score(value=value, answer=answer or str(value), metadata=metadata)


KINDS: dict[str, tuple[str, Callable[[Respondent], Scored]]] = {
    "logs": ("moralchoice_level5", _level5),
    "logs of authority": ("moralchoice_authority", _authority),
}
"""Kinds of logs: the task, and what draws the scores of its samples."""
