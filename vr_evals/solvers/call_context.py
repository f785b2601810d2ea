"""What a solver asks in the current call, for simulated respondents.

A prompt does not contain the right answer, which a respondent of known accuracy needs. So each
vr_evals solver publishes it here during its calls. Nothing but ``vr_sim`` reads it, it never
reaches a prompt, and calls by other solvers see None.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from inspect_ai.solver import TaskState

from vr_evals.levels import Level
from vr_evals.sample_metadata import SampleMetadata
from vr_evals.solvers.run_record import run_record

__all__ = ["CallContext", "call_context", "publish_call_context"]


@dataclass(frozen=True)
class CallContext:
    """One call of a solver.

    Attributes:
        benchmark: The benchmark's name.
        item: The item's id; the same in every order, level and condition.
        epoch: The epoch, from 1.
        labels: The answer labels, in the order shown.
        choices: The canonical choice of each label.
        options: The options' texts, in the order shown.
        kinds: The kind of each option, in the order shown; may be empty.
        target: The right label, or empty if no answer is right.
        ambiguity: MoralChoice's ``low`` or ``high``, else None.
        level: The level of the prompt, or None.
        thinking: Whether the condition asks for thinking.
        include_confidence: Whether the prompt asks for a confidence; None for the level's own
            words.
        second_pass: Whether this is the second call of level 5.
        reask: Whether that call repeats the question without a word of reflection.
        condition: The authority condition, e.g. ``high_harm``, or None outside that paradigm.
        endorsed: The label that the authority endorses, or None.
    """

    benchmark: str
    item: str
    epoch: int
    labels: tuple[str, ...]
    choices: tuple[str | int, ...]
    options: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    target: str = ""
    ambiguity: str | None = None
    level: Level | None = None
    thinking: bool = False
    include_confidence: bool | None = None
    second_pass: bool = False
    reask: bool = False
    condition: str | None = None
    endorsed: str | None = None


call_context: ContextVar[CallContext | None] = ContextVar("call_context", default=None)
"""The context of the current call; None in calls by other solvers."""


@contextmanager
def publish_call_context(state: TaskState, second_pass: bool = False) -> Iterator[None]:
    """Set `call_context` during a call.

    Args:
        state: The sample; its record has the level.
        second_pass: Whether the call is the second one of level 5.
    """
    token = call_context.set(_context_of(state, second_pass))
    try:
        yield
    finally:
        call_context.reset(token)


def _context_of(state: TaskState, second_pass: bool) -> CallContext | None:
    """Return the context of a sample, or None if the sample is not from a vr_evals task."""
    if not state.metadata.keys() >= {"benchmark", "item"}:
        return None
    asked = SampleMetadata.from_metadata(state.metadata)
    level = run_record(state.metadata).get("level")
    return CallContext(
        benchmark=asked.benchmark,
        item=asked.item,
        epoch=state.epoch,
        labels=asked.labels,
        choices=asked.choices,
        options=asked.options,
        kinds=asked.option_kinds,
        target=state.target.text,
        ambiguity=asked.ambiguity,
        level=None if level is None else Level(level),
        thinking=asked.settings.thinking,
        include_confidence=asked.settings.include_confidence,
        second_pass=second_pass,
        reask=asked.settings.second_pass == "reask",
        condition=asked.condition,
        endorsed=asked.endorsed,
    )
