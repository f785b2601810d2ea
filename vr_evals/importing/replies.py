"""What is read of a result file: replies, and how each was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vr_evals.benchmarks import Item
from vr_evals.benchmarks.ordering import OptionOrder
from vr_evals.conditions import SecondPass

__all__ = ["UNNAMED", "Asked", "Effort", "Reply", "Tokens"]

Effort = str
"""A reasoning effort, as Inspect names it, e.g. ``low``."""

UNNAMED = "unnamed"
"""The name of a model that a file does not name."""


@dataclass(frozen=True)
class Asked:
    """How a reply was asked for. The replies of one log agree in it.

    Attributes:
        model: The model, as the file names it.
        benchmark: The benchmark.
        subset: The part of the benchmark.
        level: The level of the prompt, or None.
        authority: Whether it is of the authority paradigm.
        thinking: Whether thinking was on.
        effort: The reasoning effort, if the file has one.
        budget: The reasoning tokens, if the file has them.
        include_confidence: Whether a confidence was asked for; None for the level's own words.
        second_pass: The form of level 5's second call.
        option_order: The order in which options were shown.
        temperature: The temperature, if the file has it.
        max_tokens: The token limit of a reply, if the file has it.
        prompts: Whose prompts were used, if they are not ours.
    """

    model: str
    benchmark: str
    subset: str
    level: int | None = None
    authority: bool = False
    thinking: bool = False
    effort: Effort | None = None
    budget: int | None = None
    include_confidence: bool | None = None
    second_pass: SecondPass = "conversation"
    option_order: OptionOrder = "original"
    temperature: float | None = None
    max_tokens: int | None = None
    prompts: str | None = None


@dataclass(frozen=True)
class Tokens:
    """Tokens of all calls of a sample; None if the file does not say."""

    input: int | None = None
    output: int | None = None
    reasoning: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply of a file.

    Attributes:
        asked: How it was asked for.
        item: The item.
        epoch: Which repetition, from 1.
        completion: The final reply; empty if the file has none.
        place: Where it is in the files.
        source: The number of its file.
        first: Level 5: the reply of the first pass.
        prompt: The prompt, if the file has it.
        second_prompt: Level 5: the second prompt, if the file has it.
        reasoning: The reasoning before the final reply, if the file has it.
        stop_reason: Why the final reply ended, if the file says so.
        tokens: Its tokens.
        seconds: Its time.
        condition: The authority condition.
        endorsed: The label that the authority endorsed, as shown.
        imported: What the file says of it: the label and the confidence that others read, …
    """

    asked: Asked
    item: Item
    epoch: int
    completion: str
    place: str
    source: int
    first: str | None = None
    prompt: str | None = None
    second_prompt: str | None = None
    reasoning: str | None = None
    stop_reason: str | None = None
    tokens: Tokens = Tokens()
    seconds: float | None = None
    condition: str | None = None
    endorsed: str | None = None
    imported: Mapping[str, Any] = field(default_factory=dict)

    @property
    def error(self) -> str | None:
        """Why there is no reply; None if there is one.

        A provider that refused or cut off a reply has answered, even if the text is empty.
        """
        if self.completion.strip() or self.stop_reason in _ANSWERED:
            return None
        return f"empty reply in {self.place}"


_ANSWERED = frozenset({"content_filter", "max_tokens", "model_length"})
