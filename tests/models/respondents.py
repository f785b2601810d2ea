"""What the tests of simulated respondents share: questions, and how far chance may go."""

import math
from collections.abc import Iterator
from typing import Any

from vr_evals.answers import letters
from vr_evals.solvers.asked import Asked

__all__ = ["N", "close", "questions"]

N = 2500
"""How many items a study of one rate has."""


def close(observed: float, truth: float, n: int) -> bool:
    """Whether a rate of n independent events is within four standard errors of the truth."""
    return abs(observed - truth) <= 4 * math.sqrt(truth * (1 - truth) / n) + 1e-12


def questions(n: int = N, options: int = 5, right: bool = True, **asked: Any) -> Iterator[Asked]:
    """Calls about n items; the order of their options, and the right label, go round."""
    for i in range(n):
        order = [(i + k) % options for k in range(options)]
        labels = letters(options)
        yield Asked(
            **{
                "benchmark": "morables",
                "item": f"item {i}",
                "epoch": 1,
                "labels": labels,
                "choices": tuple(order),
                "target": labels[order.index(0)] if right else "",
                **asked,
            }
        )
