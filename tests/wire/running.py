"""A task of ours, run against the loopback server, and what its log says."""

import math
from collections.abc import Iterable
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, EvalSample, read_eval_log_sample_summaries
from inspect_ai.scorer import Score

from tests.models_for_tests import QUIETLY
from tests.wire.server import Answer, Wire

__all__ = ["as_run", "is_unscored", "measured", "run", "samples", "score_of", "summary"]


def run(
    wire: Wire,
    task: str,
    model: str,
    script: Iterable[Answer] = (),
    *,
    items: int = 1,
    flags: dict[str, Any] | None = None,
    **parameters: Any,
) -> EvalLog:
    """Run a task on the shipped sample.

    Args:
        wire: The server; it forgets what it has seen.
        task: The task's name, without the package's.
        model: The model's name.
        script: How the calls are answered, one after the other.
        items: How many items are asked, one at a time.
        flags: The user's own flags, as ``inspect_ai.eval`` takes them.
        parameters: Task parameters.
    """
    wire.requests.clear()
    wire.script(script)
    [log] = inspect_eval(
        f"vr_evals/{task}",
        model=wire.model(model),
        task_args={"dataset": "sample", "items": items, **parameters},
        **{"max_samples": 1} | QUIETLY | (flags or {}),
    )
    return log


def samples(log: EvalLog) -> list[EvalSample]:
    """The samples of a run that ended well."""
    assert log.status == "success", log.error
    assert log.samples
    return log.samples


def score_of(sample: EvalSample, scorer: str) -> Score:
    """A sample's score."""
    assert sample.scores is not None, sample.error
    return sample.scores[scorer]


def is_unscored(sample: EvalSample, scorer: str) -> bool:
    """Whether a scorer ran and gave no value."""
    value = score_of(sample, scorer).value
    return isinstance(value, float) and math.isnan(value)


def summary(log: EvalLog) -> dict[str, Any]:
    """What the log's summaries say of the first sample: its metadata, and how it was run."""
    first = read_eval_log_sample_summaries(log.location)[0]
    scores = first.scores or {}
    how = scores["answer_format"].metadata if "answer_format" in scores else None
    return {**first.metadata, **(how or {})}


def as_run(log: EvalLog) -> dict[str, Any]:
    """All that the log says of how the first sample was run."""
    assert log.samples
    found = log.samples[0].metadata["as_run"]
    assert isinstance(found, dict)
    return found


def measured(log: EvalLog, metric: str) -> float:
    """A metric's value in the log."""
    assert log.results
    [value] = {s.metrics[metric].value for s in log.results.scores if metric in s.metrics}
    return float(value)
