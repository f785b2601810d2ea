"""What was done with a sample, kept in its metadata under one key.

Inspect logs each change of a sample's metadata: one key per value would double the size of a log.
The scorer ``answer_format`` repeats the values, so that summaries of logs have them too.
"""

from collections.abc import Mapping
from typing import Any

from inspect_ai.solver import TaskState

from vr_evals.sample_metadata import RUN_RECORD

__all__ = ["FIRST_PASS", "add_to_record", "run_record"]

FIRST_PASS = "first_pass"
"""The record's key for the first pass of level 5: its completion, its stop reason, and
``second_pass``, whether a second call followed."""


def run_record(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return a sample's record; it is empty if no vr_evals solver ran on the sample."""
    found = metadata.get(RUN_RECORD)
    return found if isinstance(found, dict) else {}


def add_to_record(state: TaskState, **values: Any) -> None:
    """Add values to a sample's record."""
    state.metadata[RUN_RECORD] = {**run_record(state.metadata), **values}
