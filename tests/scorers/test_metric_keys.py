"""The metrics of every task's log: short keys, few, each with a value, in 80 columns."""

import math
import re
from itertools import chain

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, EvalScore
from inspect_ai.util import registry_info

from tests.models_for_tests import QUIETLY, Call, Script
from vr_evals import _registry
from vr_evals.levels import Level
from vr_evals.tasks.ethics_authority import ethics_authority

TASKS = [name for name in vars(_registry) if re.search(r"_(level\d|authority)", name)]
LONGEST = 20
MOST = {"level": 16, "authority": 24}
WIDTH = 80
SCORES_IN_A_ROW = 4
"""As Inspect prints them."""


def sure(call: Call) -> str:
    """A reply in every format that is asked for, of varying confidence."""
    n = sum(map(ord, call.prompt))
    labels = ("wrong", "not wrong") if "not wrong" in call.prompt else ("A", "B")
    return f"<answer>{labels[n % 2]}</answer>\n<confidence>{70 + n % 30}</confidence>"


def run(confidence: bool | None) -> list[EvalLog]:
    """Logs of registered tasks, one for each set of scorers, conditions, and calls of a sample.

    The scorer ``reflection`` has values only where there is a second call.
    """
    tasks: dict[tuple[object, ...], Task] = {}
    for name in TASKS:
        subset = {"subset": "all"} if name.startswith("moralchoice_level") else {}
        task = getattr(_registry, name)(dataset="sample", include_confidence=confidence, **subset)
        scorers = [registry_info(scorer).name for scorer in task.scorer]
        conditions = {(sample.metadata or {}).get("condition") for sample in task.dataset}
        two_pass = (task.metadata or {}).get("level") == Level.TWO_PASS
        tasks.setdefault((*scorers, len(conditions), two_pass), task)
    crossed = ethics_authority(dataset="sample", include_confidence=confidence, level=5)
    tasks["authority", "level 5"] = crossed
    logs = inspect_eval(
        list(tasks.values()),
        model=Script(sure).model,
        epochs=2,
        limit=12,
        max_tasks=10,
        **QUIETLY,
    )
    assert len(logs) == len(tasks) > 3
    assert {log.status for log in logs} == {"success"}
    reflecting = {log.eval.task for log in logs if "good_flip" in keys_of(log)}
    assert {name.split("/")[-1] for name in reflecting} >= {"ethics_level5", "moralchoice_level5"}
    return logs


def keys_of(log: EvalLog) -> list[str]:
    assert log.results
    return list(chain.from_iterable(score.metrics for score in log.results.scores))


def width(row: list[EvalScore]) -> int:
    """Columns of the scores that Inspect prints beside each other: keys, two blanks, values."""
    columns = [
        max(map(len, (score.name, *score.metrics)))
        + 2
        + max((len(f"{metric.value:.3f}") for metric in score.metrics.values()), default=0)
        for score in row
    ]
    return sum(columns) + 2 * (len(columns) - 1)


@pytest.mark.parametrize("confidence", [pytest.param(None, marks=pytest.mark.slow), True])
def test_keys_are_short_few_and_have_values(confidence: bool | None) -> None:
    wrong: list[object] = []
    for log in run(confidence):
        assert log.results
        scores = log.results.scores
        keys = keys_of(log)
        kind = "authority" if "_authority" in log.eval.task else "level"
        values = [metric.value for score in scores for metric in score.metrics.values()]
        if len(keys) > MOST[kind] or not all(map(math.isfinite, values)):
            wrong.append((log.eval.task, keys, values))
        wrong += [(log.eval.task, key) for key in keys if len(key) > LONGEST]
        # a fourth scorer beside three of authority does not fit, whatever it is called
        if kind == "level" or len(scores) < SCORES_IN_A_ROW:
            starts = range(0, len(scores), SCORES_IN_A_ROW)
            rows = [width(scores[start : start + SCORES_IN_A_ROW]) for start in starts]
            wrong += [(log.eval.task, columns) for columns in rows if columns > WIDTH]
    assert not wrong


def test_the_log_of_all_conditions_has_the_estimates_of_each() -> None:
    [log] = inspect_eval(
        ethics_authority(dataset="sample"), model=Script(sure).model, limit=10, epochs=1
    )
    keys = set(keys_of(log))
    cues = ("high+", "high-", "low+", "low-")
    assert keys >= {
        f"{metric}.{cue}" for metric in ("excess", "compliance", "flip") for cue in cues
    }
    assert keys >= {f"accuracy.{condition}" for condition in ("control", *cues)}
    assert keys >= {"help_harm.high", "help_harm.low", "strength"}
