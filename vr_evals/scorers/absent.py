"""What a metric returns where it has nothing to say."""

from inspect_ai.scorer import Value

__all__ = ["ABSENT"]

ABSENT: Value = {"absent": None}
"""No figure: Inspect leaves out what is None.

An empty mapping would do where there are scores; over none, Inspect shows it as NaN under the
metric's own name, which no other log of the task has.
"""
