"""What all scorers share: the answer of a completion, in the sample's own labels.

The readers of answers are imported when one is read: every Inspect command imports the scorers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from inspect_ai.solver import TaskState

from vr_evals.errors import InputError
from vr_evals.sample_metadata import SampleMetadata
from vr_evals.solvers.run_record import FIRST_PASS, run_record
from vr_evals.solvers.stop_reason import stop_reason

if TYPE_CHECKING:
    from vr_evals.answers import Reading

__all__ = [
    "Answer",
    "authority_condition",
    "final_answer",
    "final_reply",
    "initial_answer",
    "level_asked",
    "read",
]


@dataclass(frozen=True)
class Answer:
    """An answer that was, or was not, read.

    Attributes:
        reading: The label, and how it was read.
        choice: The option behind the label in canonical terms (``action1``, the option's index in
            its file, a verdict), or None.
        position: Its place in the order shown, from 0, or None.
        correct: Whether it is the target; None if the item has no target.
        right_choice: The target in canonical terms, or None.
        kind: The kind of the option, or None if its item's options have none.
    """

    reading: Reading
    choice: str | int | None
    position: int | None
    correct: bool | None
    right_choice: str | int | None
    kind: str | None


def read(completion: str, stop_reason: str | None, target: str, asked: SampleMetadata) -> Answer:
    """Read an answer to a sample.

    Args:
        completion: What the model said.
        stop_reason: Why it stopped, in Inspect's words.
        target: The right label, or nothing.
        asked: The sample's metadata.
    """
    reading = _read_once(completion, asked.labels, asked.options, asked.answer_tags, stop_reason)
    return _answer(reading, target, asked)


def _answer(reading: Reading, target: str, asked: SampleMetadata) -> Answer:
    """Return what a label means in a sample."""
    position = None if reading.label is None else asked.labels.index(reading.label)
    return Answer(
        reading=reading,
        choice=asked.choice(reading.label),
        position=position,
        correct=(reading.label == target) if target else None,
        right_choice=asked.choice(target or None),
        kind=None if position is None or not asked.option_kinds else asked.option_kinds[position],
    )


def final_reply(state: TaskState) -> tuple[str, str | None]:
    """The completion that holds the sample's final answer, and why it ended.

    At level 5 that is the second pass's: where it never came, there is none, whatever the first
    pass said.
    """
    first = run_record(state.metadata).get(FIRST_PASS)
    if first is None or first["second_pass"]:
        return state.output.completion, stop_reason(state.output)
    from vr_evals.visible import readable

    return "", None if readable(first["completion"]) else first["stop_reason"]


def final_answer(state: TaskState, target: str) -> Answer:
    """The sample's final answer.

    Raises:
        InputError: The sample is not one of a vr_evals task.
    """
    return read(*final_reply(state), target, SampleMetadata.from_metadata(state.metadata))


def initial_answer(state: TaskState, target: str) -> tuple[Answer, str]:
    """The initial answer that a level-4 reply states, and how, or why it could not be read."""
    from vr_evals.answers import Reading
    from vr_evals.initial_answers import read_initial_answer

    completion, ended = final_reply(state)
    asked = SampleMetadata.from_metadata(state.metadata)
    found = read_initial_answer(completion, asked.labels, options=asked.options, stop_reason=ended)
    reading = Reading(found.label, "stated" if found.label else "missing", False, False)
    return _answer(reading, target, asked), found.format


def authority_condition(state: TaskState) -> str:
    """The authority condition that the sample was asked in.

    Raises:
        InputError: The sample is not one of an authority task.
    """
    condition = SampleMetadata.from_metadata(state.metadata).condition
    if condition is None:
        raise InputError(
            f"sample {state.sample_id}: metadata has no condition: compliance and acknowledgement "
            "score the logs of authority tasks"
        )
    return condition


def level_asked(state: TaskState) -> int | None:
    """The level whose prompt was really used; None if no solver of ours asked."""
    level = run_record(state.metadata).get("level")
    return level if isinstance(level, int) else None


@lru_cache(maxsize=256)
def _read_once(
    completion: str,
    labels: tuple[str, ...],
    options: tuple[str, ...],
    tags: bool,
    stop_reason: str | None,
) -> Reading:
    """Read a completion; every scorer of a sample asks for the same one."""
    from vr_evals.answers import read_answer

    return read_answer(completion, labels, options=options, tags=tags, stop_reason=stop_reason)
