"""A simulated respondent behind Inspect's model interface."""

import math
from collections.abc import Sequence

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
from vr_evals.models.respond import answer, guess, write
from vr_evals.models.sim_options import read_persona
from vr_evals.solvers.asked import Asked, asked

__all__ = ["SimulatedRespondent"]

_THOUGHTS = "[A simulated respondent does not think. This text stands where its thoughts would.]"
_CHARACTERS_PER_TOKEN = 4


class SimulatedRespondent(ModelAPI):
    """A respondent with a known truth: no key, no network, the same replies every time.

    How to answer, it reads in the last user message: in tags or plain words, with a confidence or
    without. What to answer is drawn by its persona's parameters; which answer is right it learns
    from ``vr_evals.solvers.asked``, never from the prompt. Where nothing is said there, in a call
    of another package's solver, it guesses among the labels that the prompt offers, or raises an
    error where the prompt asks for no format of ours.

    It thinks where Inspect's settings ask for reasoning. No other setting changes a reply:
    temperature, ``--seed`` and limits do nothing, and ``-M seed`` draws another respondent of the
    same kind. Usage counts a token for every four characters. The ``metadata`` of an output says
    that it is simulated, which answer was meant, and what is wrong with its form.

    Args:
        model_name: A persona of ``vr_evals.models.personas.PERSONAS``.
        base_url: Not taken: there is no server.
        api_key: Ignored: there is nothing to unlock.
        config: Inspect's settings of this model.
        **model_args: Parameters that differ, see ``vr_evals.models.personas.Persona``.

    Raises:
        InputError: There is no such persona or parameter, or a value is not allowed.
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
            raise InputError(f"vr_sim runs in this process and takes no base URL, not {base_url}")
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
            InputError: A call of another task asks for no format of ours.
        """
        told = asked.get()
        prompt = next((m.text for m in reversed(input) if isinstance(m, ChatMessageUser)), "")
        wanted = asked_format(prompt) or _format_of(told)
        if wanted is None:
            stop(
                f"vr_sim/{self.model_name}: the prompt asks for no answer in a format of vr_evals; "
                "a simulated respondent answers the tasks of vr_evals"
            )
        thinks = _asks_to_think(config) and not self.persona.ignores_thinking
        if told is None:
            labels, level = wanted.labels, Level.DIRECT
            meant = guess(self.persona, prompt, labels)
        else:
            labels, level = told.labels, told.level or Level.DIRECT
            meant = answer(self.persona, told, thinks)
        reply = write(meant, labels, wanted, level)
        return ModelOutput(
            model=self.model_name,
            choices=[
                ChatCompletionChoice(
                    message=ChatMessageAssistant(
                        content=_content(reply.text, thinks),
                        model=self.model_name,
                        source="generate",
                    ),
                    stop_reason=reply.stop_reason,
                )
            ],
            usage=_usage(input, reply.text, thinks),
            metadata={"simulated": True, "meant": meant.label, "fault": meant.fault},
        )


def _format_of(told: Asked | None) -> AskedFormat | None:
    """A format that is always read: for a prompt whose own format an item's text obscures."""
    if told is None:
        return None
    shape: Shape = "tags_and_confidence" if told.include_confidence else "tags"
    return AskedFormat(shape, told.labels, reasoning=False)


def _asks_to_think(config: GenerateConfig) -> bool:
    return bool(config.reasoning_tokens) or config.reasoning_effort not in (None, "none")


def _content(text: str, thinks: bool) -> str | list[Content]:
    if not thinks:
        return text
    return [ContentReasoning(reasoning=_THOUGHTS), ContentText(text=text)]


def _usage(messages: Sequence[ChatMessage], text: str, thinks: bool) -> ModelUsage:
    read = sum(_tokens(message.text) for message in messages)
    thought = _tokens(_THOUGHTS) if thinks else 0
    written = thought + _tokens(text)
    return ModelUsage(
        input_tokens=read,
        output_tokens=written,
        total_tokens=read + written,
        reasoning_tokens=thought,
    )


def _tokens(text: str) -> int:
    return math.ceil(len(text) / _CHARACTERS_PER_TOKEN)
