"""The simulated respondents as an Inspect model."""

import math
from collections.abc import Sequence

import anyio
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    Content,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from vr_evals.errors import InputError, stop
from vr_evals.levels import Level
from vr_evals.models.grammar import AskedFormat, Shape, asked_format
from vr_evals.models.respond import answer, guess, think, write
from vr_evals.models.sim_options import read_persona
from vr_evals.solvers.call_context import CallContext, call_context

__all__ = ["SimulatedRespondent"]

_CHARACTERS_PER_TOKEN = 4


class SimulatedRespondent(ModelAPI):
    """A respondent with a known truth: no key, no network, the same replies every time.

    The format of a reply (tags or plain words, with or without a confidence) follows the last user
    message. The answer is drawn from the persona's parameters; the right answer comes from
    ``vr_evals.solvers.call_context``, never from the prompt. Without a context, in a call by
    another package's solver, the respondent picks a random label from the prompt, or raises an
    error if the prompt has no vr_evals answer format.

    It thinks if Inspect's settings ask for reasoning. No other setting changes a reply:
    temperature, ``--seed`` and limits are ignored, and ``-M seed`` draws another respondent of the
    same kind. Usage is one token per four characters. The ``metadata`` of an output has
    ``simulated``, the answer ``meant``, and the ``fault`` of its form.

    Args:
        model_name: A persona of ``vr_evals.models.personas.PERSONAS``.
        base_url: Not supported: there is no server.
        api_key: Ignored: none is needed.
        config: Inspect's settings of this model.
        **model_args: Parameters to change, see ``vr_evals.models.personas.Persona``.

    Raises:
        InputError: The persona, a parameter or a value is invalid.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        **model_args: object,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        if base_url is not None:
            raise InputError(
                f"base URL {base_url} is not supported: vr_sim runs in this process, without a "
                "server"
            )
        self.persona = read_persona(model_name, model_args)

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Answer one request.

        Raises:
            InputError: The prompt has no vr_evals answer format.
        """
        context = call_context.get()
        prompt = next((m.text for m in reversed(input) if isinstance(m, ChatMessageUser)), "")
        asked = asked_format(prompt) or _format_of(context)
        if asked is None:
            stop(
                f"vr_sim/{self.model_name}: prompt not supported: "
                "simulated respondents answer vr_evals tasks only"
            )
        if self.persona.latency:
            await anyio.sleep(self.persona.latency)
        thinks = _asks_to_think(config) and not self.persona.ignores_thinking
        if context is None:
            labels, level = asked.labels, Level.DIRECT
            meant = guess(self.persona, prompt, labels)
        else:
            labels, level = context.labels, context.level or Level.DIRECT
            meant = answer(self.persona, context, thinks)
        reply = write(meant, labels, asked, level)
        thoughts = think(meant) if thinks else ""
        return ModelOutput(
            model=self.model_name,
            choices=[
                ChatCompletionChoice(
                    message=ChatMessageAssistant(
                        content=_content(reply.text, thoughts),
                        model=self.model_name,
                        source="generate",
                    ),
                    stop_reason=reply.stop_reason,
                )
            ],
            usage=_usage(input, reply.text, thoughts),
            metadata={"simulated": True, "meant": meant.label, "fault": meant.fault},
        )


def _format_of(context: CallContext | None) -> AskedFormat | None:
    """Return a format that can always be parsed, for prompts whose format is not recognized."""
    if context is None:
        return None
    shape: Shape = "tags_and_confidence" if context.include_confidence else "tags"
    return AskedFormat(shape, context.labels, reasoning=False)


def _asks_to_think(config: GenerateConfig) -> bool:
    return bool(config.reasoning_tokens) or config.reasoning_effort not in (None, "none")


def _content(text: str, thoughts: str) -> str | list[Content]:
    if not thoughts:
        return text
    return [ContentReasoning(reasoning=thoughts), ContentText(text=text)]


def _usage(messages: Sequence[ChatMessage], text: str, thoughts: str) -> ModelUsage:
    read = sum(_tokens(message.text) for message in messages)
    thought = _tokens(thoughts)
    written = thought + _tokens(text)
    return ModelUsage(
        input_tokens=read,
        output_tokens=written,
        total_tokens=read + written,
        reasoning_tokens=thought,
    )


def _tokens(text: str) -> int:
    return math.ceil(len(text) / _CHARACTERS_PER_TOKEN)
