"""Compute the prompts that a task would send for its items, without a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser, ModelName
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState

from vr_evals.conditions import Settings
from vr_evals.errors import InputError
from vr_evals.levels import Level
from vr_evals.solvers.prompting import level_prompt, multiple_choice_prompt, second_prompt
from vr_evals.terminal import printable

__all__ = ["FIRST_RESPONSE", "Message", "SentSample", "item_samples", "sent"]

FIRST_RESPONSE = "[the model's response to the first call]"
"""The placeholder for the first response in level 5's second call."""


@dataclass(frozen=True)
class Message:
    """One message of a conversation, by ``user`` or ``assistant``."""

    role: str
    content: str


@dataclass(frozen=True)
class SentSample:
    """The prompts of a sample.

    Attributes:
        item: The item's id.
        sample_id: The sample's id; it includes the order or condition if there are several.
        calls: The conversation of each call, in order.
    """

    item: str
    sample_id: str
    calls: tuple[tuple[Message, ...], ...]


def sent(task: Task, sample: Sample) -> SentSample:
    """Return the prompts that a task sends for one of its samples.

    Args:
        task: A vr_evals task.
        sample: The sample.
    """
    level = (task.metadata or {}).get("level")
    state = _state(sample)
    prompt = multiple_choice_prompt(state) if level is None else level_prompt(state, Level(level))
    first = (Message("user", prompt),)
    calls = (first,) if level != Level.TWO_PASS else (first, _second_call(state, first))
    return SentSample(str(state.metadata["item"]), str(sample.id), calls)


def _second_call(state: TaskState, first: tuple[Message, ...]) -> tuple[Message, ...]:
    prompt = Message("user", second_prompt(state, FIRST_RESPONSE))
    if Settings.from_metadata(state.metadata).second_pass == "standalone":
        return (prompt,)
    return (*first, Message("assistant", FIRST_RESPONSE), prompt)


def _state(sample: Sample) -> TaskState:
    """Return the state that solvers get for a sample."""
    text = str(sample.input)
    return TaskState(
        model=ModelName("none/none"),
        sample_id=sample.id or "",
        epoch=1,
        input=text,
        messages=[ChatMessageUser(content=text)],
        target=Target(sample.target),
        metadata=dict(sample.metadata or {}),
    )


def item_samples(task: Task, item: str | None, limit: int) -> Sequence[Sample]:
    """Return the samples of an item, or of the first items, in all orders and conditions.

    Args:
        task: A vr_evals task.
        item: The id of an item or of one of its samples; None for the first items.
        limit: The number of items, if ``item`` is None.

    Raises:
        InputError: No item has that id.
    """
    samples = list(task.dataset)
    items = list(dict.fromkeys(_item(sample) for sample in samples))
    if item is None:
        kept = set(items[:limit])
        return [sample for sample in samples if _item(sample) in kept]
    found = [sample for sample in samples if item in (_item(sample), sample.id)]
    if not found:
        raise InputError(
            f"invalid item {printable(item)!r}: not among the {len(items)} items of {task.name}, "
            f"e.g. {printable(str(items[0]))}"
        )
    return found


def _item(sample: Sample) -> Any:
    return (sample.metadata or {}).get("item")
