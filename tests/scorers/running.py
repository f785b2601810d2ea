"""A task asked of a scripted model."""

from collections.abc import Callable
from typing import Any

from inspect_ai import Epochs, Task
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog

from tests.models_for_tests import QUIETLY, Call, Script

__all__ = ["run"]


def run(
    task: Task, answer: Callable[[Call], Any], epochs: int | Epochs = 1, **options: Any
) -> EvalLog:
    """Run a task.

    Args:
        task: The task.
        answer: What the model says to a call.
        epochs: How often each item is asked.
        options: The user's own flags, as ``inspect_ai.eval`` takes them.
    """
    flags = QUIETLY | options
    [log] = inspect_eval(task, model=Script(answer).model, epochs=epochs, **flags)
    assert log.status == "success", log.error
    return log
