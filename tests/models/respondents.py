"""What the tests of simulated respondents share: questions, runs, and how far chance may go."""

import csv
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import get_model

from vr_evals.answers import letters
from vr_evals.solvers.call_context import CallContext

__all__ = ["N", "close", "questions", "run", "write_csv"]

N = 2500
"""How many items a study of one rate has."""


def close(observed: float, truth: float, n: int) -> bool:
    """Whether a rate of n independent events is within four standard errors of the truth."""
    return abs(observed - truth) <= 4 * math.sqrt(truth * (1 - truth) / n) + 1e-12


def questions(
    n: int = N, options: int = 5, right: bool = True, **context: Any
) -> Iterator[CallContext]:
    """Calls about n items; the order of their options, and the right label, go round."""
    for i in range(n):
        order = [(i + k) % options for k in range(options)]
        labels = letters(options)
        yield CallContext(
            **{
                "benchmark": "morables",
                "item": f"item {i}",
                "epoch": 1,
                "labels": labels,
                "choices": tuple(order),
                "target": labels[order.index(0)] if right else "",
                **context,
            }
        )


def run(name: str | Task, persona: str = "careful", **given: Any) -> EvalLog:
    """One eval; what is no parameter of ``eval`` is one of the task."""
    of_eval = {
        k: given.pop(k) for k in ("epochs", "solver", "log_dir", "reasoning_tokens") if k in given
    }
    model = get_model(f"vr_sim/{persona}", memoize=False, **given.pop("M", {}))
    [log] = inspect_eval(
        name if isinstance(name, Task) else f"vr_evals/{name}",
        model=model,
        task_args=given,
        log_realtime=False,
        score_display=False,
        **of_eval,
    )
    return log


def write_csv(path: Path, rows: list[dict[str, Any]]) -> str:
    """Write items to a file; its path."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return str(path)
