"""What was really done with a sample, kept in its metadata under one key.

A solver's changes of a sample are logged one by one: a key for each fact would cost as much again
as the rest of the sample. The scorer ``answer_format`` repeats the facts as scalars, for the
summaries.
"""

from collections.abc import Mapping
from typing import Any

from inspect_ai.solver import TaskState

__all__ = ["FACTS", "FIRST_PASS", "as_run", "note"]

FACTS = "as_run"
"""The key of the facts: the level and condition that was asked, its statuses, calls."""

FIRST_PASS = "first_pass"
"""The fact that holds level 5's first pass: its completion and stop reason, and ``second_pass``,
whether a second call followed."""


def as_run(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a sample, or none where no solver of ours asked it."""
    found = metadata.get(FACTS)
    return found if isinstance(found, dict) else {}


def note(state: TaskState, **facts: Any) -> None:
    """Add facts to a sample."""
    state.metadata[FACTS] = {**as_run(state.metadata), **facts}
