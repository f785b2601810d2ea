"""What a solver asks, told to a simulated respondent beside the prompt.

A prompt does not say which answer is right, so a respondent of known accuracy has to learn it in
another way: around each of its calls a solver of ours says here what it asks. The right answer
travels by this channel only, never in the prompt, and nothing but ``vr_sim`` reads it. What is said
ends with the call: other solvers' calls in the same sample find nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from inspect_ai.solver import TaskState

from vr_evals.conditions import Settings
from vr_evals.levels import Level
from vr_evals.solvers.as_run import as_run

__all__ = ["Asked", "asked", "telling"]


@dataclass(frozen=True)
class Asked:
    """One call of a solver.

    Attributes:
        benchmark: The benchmark's name.
        item: The item's id; the same in every order, level and condition.
        epoch: The repetition of the item, from 1.
        labels: The answer labels, in the order shown.
        choices: What each of them stands for in canonical terms.
        options: The options' texts, in the order shown.
        target: The right label, or nothing where no answer is right.
        ambiguity: MoralChoice's ``low`` or ``high``, else None.
        level: The level whose prompt is used, or None for none of them.
        thinking: Whether the condition asks for thinking.
        include_confidence: None for the level's own words; else whether a confidence is asked for.
        second_pass: Whether this is the second call of level 5.
        condition: The authority condition, such as ``high_harm``, or None outside that paradigm.
        endorsed: The label that the authority endorses, or None.
    """

    benchmark: str
    item: str
    epoch: int
    labels: tuple[str, ...]
    choices: tuple[str | int, ...]
    options: tuple[str, ...] = ()
    target: str = ""
    ambiguity: str | None = None
    level: Level | None = None
    thinking: bool = False
    include_confidence: bool | None = None
    second_pass: bool = False
    condition: str | None = None
    endorsed: str | None = None


asked: ContextVar[Asked | None] = ContextVar("asked", default=None)
"""What is asked in the call that runs; None in calls that no solver of ours makes."""


@contextmanager
def telling(state: TaskState, second_pass: bool = False) -> Iterator[None]:
    """Say what a sample is asked, while its call runs.

    Args:
        state: The sample; its metadata holds the level.
        second_pass: Whether the call is the second one of level 5.
    """
    token = asked.set(_asked(state, second_pass))
    try:
        yield
    finally:
        asked.reset(token)


def _asked(state: TaskState, second_pass: bool) -> Asked | None:
    """What a sample is asked, or None where it is not one of our tasks' and says no labels."""
    metadata = state.metadata
    if not metadata.keys() >= {"benchmark", "item", "labels", "choices", "options"}:
        return None
    settings = Settings.from_metadata(metadata)
    return Asked(
        benchmark=metadata["benchmark"],
        item=metadata["item"],
        epoch=state.epoch,
        labels=tuple(metadata["labels"]),
        choices=tuple(metadata["choices"]),
        options=tuple(metadata["options"]),
        target=state.target.text,
        ambiguity=metadata.get("ambiguity"),
        level=None if (level := as_run(metadata).get("level")) is None else Level(level),
        thinking=settings.thinking,
        include_confidence=settings.include_confidence,
        second_pass=second_pass,
        condition=metadata.get("condition"),
        endorsed=metadata.get("endorsed"),
    )
