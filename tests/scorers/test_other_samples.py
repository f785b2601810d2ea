"""A scorer on samples that it was not made for says so in one line."""

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.scorer import Scorer

from tests.models_for_tests import Script
from vr_evals.scorers import acknowledgement, answer, compliance
from vr_evals.tasks.ethics import ethics_level0


@pytest.mark.parametrize(
    ("task", "scorer", "message"),
    [
        (
            Task(dataset=[Sample(input="x", target="A")]),
            answer(),
            "sample metadata has no 'labels': vr_evals scorers score the logs of vr_evals tasks",
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
    [log] = inspect_eval(task, model=Script(lambda call: "wrong").model)
    assert log.status == "error"
    assert log.error
    assert message in log.error.message
