"""Scripted models: what they are asked is kept, what they say is given."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    Content,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    StopReason,
    get_model,
)

__all__ = ["QUIETLY", "Call", "Script", "reply"]

QUIETLY: dict[str, Any] = {"log_realtime": False, "score_display": False}
"""Flags of ``inspect_ai.eval`` for a run that nobody watches, which takes half the time."""


@dataclass(frozen=True)
class Call:
    """One call of the model.

    Attributes:
        messages: What was sent.
        config: With what settings.
    """

    messages: Sequence[ChatMessage]
    config: GenerateConfig

    @property
    def prompt(self) -> str:
        """The last user message."""
        return self.messages[-1].text


def reply(
    content: str | list[Content], stop_reason: StopReason = "stop", input_tokens: int = 10
) -> ModelOutput:
    """A reply with usage, which mockllm would otherwise count by itself."""
    output = ModelOutput.from_content("mockllm/model", content, stop_reason)
    output.usage = ModelUsage(
        input_tokens=input_tokens, output_tokens=5, total_tokens=input_tokens + 5
    )
    return output


@dataclass
class Script:
    """A model that answers each call by a function of it.

    Attributes:
        answer: The reply, or its text, to a call.
        calls: Every call so far.
    """

    answer: Callable[[Call], ModelOutput | str]
    calls: list[Call] = field(default_factory=list)

    @property
    def model(self) -> Model:
        """The model to evaluate."""

        def output(
            input: list[ChatMessage], tools: object, tool_choice: object, config: GenerateConfig
        ) -> ModelOutput:
            call = Call(list(input), config)
            self.calls.append(call)
            said = self.answer(call)
            return reply(said) if isinstance(said, str) else said

        return get_model("mockllm/model", custom_outputs=output, memoize=False)
