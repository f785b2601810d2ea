"""A small real model on the CPU, behind Inspect's model interface."""

import importlib.util
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from anyio import to_thread
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
    ModelCall,
    ModelOutput,
    ModelUsage,
    StopReason,
)
from inspect_ai.tool import ToolChoice, ToolInfo
from inspect_ai.util import concurrency

from vr_evals.errors import InputError
from vr_evals.models.cpus import usable_cpus
from vr_evals.models.grammar import asked_format
from vr_evals.models.llama_server import Reply, ServerError, ServerSettings, shared_server
from vr_evals.models.local_options import local_options
from vr_evals.models.weights import installed_weights

__all__ = ["LocalModel"]

_SMOLLM2 = "smollm2"
_MAX_TOKENS = 512
_SAMPLING = {
    "temperature": "temperature",
    "top_p": "top_p",
    "top_k": "top_k",
    "seed": "seed",
    "stop_seqs": "stop",
    "frequency_penalty": "frequency_penalty",
    "presence_penalty": "presence_penalty",
}
"""Inspect's names of the settings that are passed on, and llama.cpp's."""

_REFUSED = ("best_of", "logit_bias", "logprobs", "prompt_logprobs", "response_schema")
"""Settings that would change what comes back, and are not supported."""


class LocalModel(ModelAPI):
    """SmolLM2-135M-Instruct, or another GGUF file, run by llama.cpp in this process.

    It proves a pipeline without a key; so small a model's scores mean nothing. A reply has at most
    512 tokens where nothing else is set; a setting left out (temperature, say) has llama.cpp's
    default. Requests beyond ``parallel`` queue here, whatever Inspect's ``max_connections``.

    Args:
        model_name: ``smollm2``, or any name with ``gguf``.
        base_url: Not taken: there is no other server to talk to.
        api_key: Ignored: there is nothing to unlock.
        config: Inspect's settings of this model.
        **model_args: See ``vr_evals.models.local_options.LocalOptions``.

    Raises:
        InputError: A model argument is wrong, or the extra or the weights are missing.
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
        options = local_options(model_args)
        if base_url is not None:
            raise InputError(f"vr_local runs in this process and takes no base URL, not {base_url}")
        if options.gguf is None and model_name != _SMOLLM2:
            raise InputError(
                f"vr_local/{model_name}: wanted vr_local/{_SMOLLM2}, or any name with -M gguf=PATH"
            )
        if importlib.util.find_spec("xllamacpp") is None:
            raise InputError(
                "vr_local needs xllamacpp, which is not installed: install vr-evals[local]"
            )
        self.options = options
        self.settings = ServerSettings(
            gguf=options.gguf or installed_weights(),
            parallel=options.parallel,
            context=options.context,
            threads=options.threads or usable_cpus(),
            chat_template="" if options.system_prompt else "chatml",
        )
        # held so that the loaded model stays; loading waits for the first request
        self._server: object = None

    def max_tokens(self) -> int:
        """Tokens of a reply where the user sets none: so small a model may never stop by itself."""
        return _MAX_TOKENS

    def max_connections(self) -> int:
        """As many requests as are decoded together."""
        return self.options.parallel

    def connection_key(self) -> str:
        """One pool of connections for each loaded model."""
        return str(self.settings)

    def close(self) -> None:
        """Let go of the loaded model; another request would load it again."""
        self._server = None

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput | tuple[ModelOutput | Exception, ModelCall]:
        """Answer one request.

        Raises:
            InputError: The prompt does not fit, or tools, media or a setting were given that this
                model has no use for.
        """
        _refuse(tools, config)
        max_tokens = self.max_tokens() if config.max_tokens is None else config.max_tokens
        constraint = self._constraint(input, max_tokens)
        request = {
            "messages": [_chat_message(message) for message in input],
            "max_tokens": max_tokens,
            **_sampling(config),
            **({"grammar": constraint["grammar"]} if constraint.get("grammar") else {}),
        }
        call = ModelCall.create(request, None)
        try:
            async with concurrency(
                "vr_local", self.options.parallel, key=self.connection_key(), visible=False
            ):
                reply, seconds = await self._reply(request)
        except ServerError as error:
            if error.details.get("type") == "exceed_context_size_error":
                raise self._too_long(error.details) from None
            call.set_error(error.details)
            return error, call
        call.set_response(reply, seconds)
        output = _output(self.model_name, reply, max_tokens)
        output.time = seconds
        output.metadata = constraint or None
        return output, call

    async def _reply(self, request: dict[str, Any]) -> tuple[Reply, float]:
        """The reply and the seconds it took, from a thread that stops when nobody waits."""
        stopped = threading.Event()

        def answer() -> tuple[Reply, float]:
            server = self._server = shared_server(self.settings)
            began = time.perf_counter()
            return server.chat(request, stopped), time.perf_counter() - began

        try:
            return await to_thread.run_sync(answer, abandon_on_cancel=True)
        finally:
            stopped.set()

    def _constraint(self, messages: Sequence[ChatMessage], max_tokens: int) -> dict[str, Any]:
        """What the log says about constrained sampling; empty where nobody asked for it."""
        if not self.options.force_format:
            return {}
        asked = [message.text for message in messages if isinstance(message, ChatMessageUser)]
        answer_format = asked_format(asked[-1]) if asked else None
        if answer_format is None:
            return {
                "constrained": False,
                "unconstrained_because": "the prompt asks for no known format",
            }
        return {
            "constrained": True,
            "constrained_to": answer_format.shape,
            "grammar": answer_format.grammar(max_tokens),
        }

    def _too_long(self, details: Mapping[str, Any]) -> InputError:
        prompt, context = details["n_prompt_tokens"], details["n_ctx"]
        return InputError(
            f"vr_local/{self.model_name}: the prompt has {prompt:,} tokens, "
            f"more than the context holds ({context:,} tokens)"
        )


def _refuse(tools: Sequence[ToolInfo], config: GenerateConfig) -> None:
    if tools:
        names = ", ".join(tool.name for tool in tools)
        raise InputError(f"vr_local takes no tools, and was given {names}")
    if config.num_choices is not None and config.num_choices != 1:
        raise InputError(f"vr_local: num_choices={config.num_choices}: only 1 is supported")
    for name in _REFUSED:
        if getattr(config, name):
            raise InputError(f"vr_local: the setting {name} is not supported")


def _chat_message(message: ChatMessage) -> dict[str, str]:
    contents: Sequence[Content] = [] if isinstance(message.content, str) else message.content
    for content in contents:
        if not isinstance(content, ContentText | ContentReasoning):
            raise InputError(f"vr_local reads text alone, and was given {content.type} content")
    if message.role == "tool":
        raise InputError("vr_local takes no tools, and was given a tool's result")
    return {"role": message.role, "content": message.text}


def _sampling(config: GenerateConfig) -> dict[str, Any]:
    settings = {theirs: getattr(config, ours) for ours, theirs in _SAMPLING.items()}
    return {name: value for name, value in settings.items() if value is not None}


def _output(model: str, reply: Reply, max_tokens: int) -> ModelOutput:
    text = ContentText(text=reply.text)
    message = ChatMessageAssistant(
        content=[ContentReasoning(reasoning=reply.reasoning), text]
        if reply.reasoning
        else reply.text,
        model=model,
        source="generate",
    )
    return ModelOutput(
        model=model,
        choices=[
            ChatCompletionChoice(message=message, stop_reason=_stop_reason(reply, max_tokens))
        ],
        usage=ModelUsage(
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            total_tokens=reply.input_tokens + reply.output_tokens,
        ),
    )


def _stop_reason(reply: Reply, max_tokens: int) -> StopReason:
    """Whether the reply ended by itself, at the user's limit, or where the context was full."""
    if reply.finish_reason == "stop":
        return "stop"
    return "max_tokens" if reply.output_tokens >= max_tokens else "model_length"
