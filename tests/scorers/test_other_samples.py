"""A scorer or metric on samples or scores that it was not made for says so in one line."""

from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.scorer import Metric, Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from tests.logs import metrics
from tests.models_for_tests import QUIETLY, Script
from vr_evals.scorers import (
    acknowledgement,
    acknowledgement_rates,
    answer,
    calibration,
    compliance,
    flip_rates,
)
from vr_evals.tasks.ethics import ethics_level0


@pytest.mark.parametrize(
    ("task", "scorer", "message"),
    [
        (
            Task(dataset=[Sample(input="x", target="A")]),
            answer(),
            "sample metadata has no 'benchmark': vr_evals scorers and vr_evals",
        ),
        (
            ethics_level0(dataset="sample", items=1),
            compliance(),
            "metadata has no condition: compliance and acknowledgement score the logs of authority",
        ),
        (
            ethics_level0(dataset="sample", items=1),
            acknowledgement(),
            "metadata has no condition: compliance and acknowledgement score the logs of authority",
        ),
    ],
    ids=["answer", "compliance", "acknowledgement"],
)
def test_other_samples_are_refused(task: Task, scorer: Scorer, message: str) -> None:
    task.scorer = [scorer]
    [log] = inspect_eval(task, model=Script(lambda call: "wrong").model, **QUIETLY)
    assert log.status == "error"
    assert log.error
    assert message in log.error.message


def judged(metric: Metric, noted: dict[str, Any]) -> EvalLog:
    """A log of somebody else's scorer, which takes one of our metrics."""

    @scorer(metrics=[metric])
    def judge() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            return Score(value=80, metadata=noted)

        return score

    task = Task(dataset=[Sample(input="x"), Sample(input="y")], scorer=judge())
    [log] = inspect_eval(task, model=Script(lambda call: "yes").model, **QUIETLY)
    return log


def test_calibration_of_another_scorer() -> None:
    found = metrics(judged(calibration(), {"correct": True}), "judge")
    assert found == {"ece": pytest.approx(0.2)}


@pytest.mark.parametrize("metric", [acknowledgement_rates(), flip_rates()])
def test_what_a_metric_lacks_is_named(metric: Metric) -> None:
    log = judged(metric, {"mine": 1})
    assert log.status == "error"
    assert log.error
    assert "missing '" in log.error.message
    assert "in a score's metadata" in log.error.message
