"""A small real model on the CPU, as an Inspect model."""

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

from vr_evals.cpus import usable_cpus
from vr_evals.errors import InputError, not_installed
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
"""The supported settings: Inspect's names and llama.cpp's."""

_UNSUPPORTED = ("best_of", "logit_bias", "logprobs", "prompt_logprobs", "response_schema")
"""Settings that would change replies and are not supported."""


class LocalModel(ModelAPI):
    """SmolLM2-135M-Instruct, or another GGUF file, run by llama.cpp in this process.

    It tests a pipeline without an API key; the scores of such a small model mean nothing. Replies
    have at most 512 tokens by default; other settings have llama.cpp's defaults. Requests beyond
    ``parallel`` are queued here, whatever Inspect's ``max_connections``.

    Args:
        model_name: ``smollm2``, or any name with ``gguf``.
        base_url: Not supported: there is no other server.
        api_key: Ignored: none is needed.
        config: Inspect's settings of this model.
        **model_args: See ``vr_evals.models.local_options.LocalOptions``.

    Raises:
        InputError: A model argument is invalid, or the extra or the weights are missing.
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
            raise InputError(
                f"base URL {base_url} is not supported: vr_local runs in this process, without a "
                "server"
            )
        if options.gguf is None and model_name != _SMOLLM2:
            raise InputError(
                f"invalid model 'vr_local/{model_name}': expected vr_local/{_SMOLLM2}, or any name "
                "with -M gguf=PATH"
            )
        if importlib.util.find_spec("xllamacpp") is None:
            raise not_installed("vr_local", "xllamacpp", "local")
        self.options = options
        self.settings = ServerSettings(
            gguf=options.gguf or installed_weights(),
            parallel=options.parallel,
            context=options.context,
            threads=options.threads or usable_cpus(),
            chat_template="" if options.system_prompt else "chatml",
        )
        # a reference that keeps the model loaded; the first request loads it
        self._server: object = None

    def max_tokens(self) -> int:
        """Return the default token limit of a reply, because small models may never stop."""
        return _MAX_TOKENS

    def max_connections(self) -> int:
        """Return the number of requests decoded together."""
        return self.options.parallel

    def connection_key(self) -> str:
        """Return the key of the connection pool: one pool per loaded model."""
        return str(self.settings)

    def close(self) -> None:
        """Release the loaded model; another request loads it again."""
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
            InputError: The prompt is too long, or tools, media or a setting is not supported.
        """
        _check_supported(tools, config)
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
        """Return the reply and its time in seconds, from a thread that stops on cancellation."""
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
        """Return the log's entry on constrained sampling; empty without ``force_format``."""
        if not self.options.force_format:
            return {}
        asked = [message.text for message in messages if isinstance(message, ChatMessageUser)]
        answer_format = asked_format(asked[-1]) if asked else None
        if answer_format is None:
            return {
                "constrained": False,
                "unconstrained_because": "the prompt has no known answer format",
            }
        return {
            "constrained": True,
            "constrained_to": answer_format.shape,
            "grammar": answer_format.grammar(max_tokens),
        }

    def _too_long(self, details: Mapping[str, Any]) -> InputError:
        prompt, context = details["n_prompt_tokens"], details["n_ctx"]
        return InputError(
            f"vr_local/{self.model_name}: prompt of {prompt:,} tokens exceeds the context of "
            f"{context:,} tokens"
        )


def _check_supported(tools: Sequence[ToolInfo], config: GenerateConfig) -> None:
    if tools:
        names = ", ".join(tool.name for tool in tools)
        raise InputError(f"vr_local: tools are not supported, found {names}")
    if config.num_choices is not None and config.num_choices != 1:
        raise InputError(f"vr_local: invalid num_choices '{config.num_choices}': expected 1")
    for name in _UNSUPPORTED:
        if getattr(config, name):
            raise InputError(f"vr_local: {name} is not supported")


def _chat_message(message: ChatMessage) -> dict[str, str]:
    contents: Sequence[Content] = [] if isinstance(message.content, str) else message.content
    for content in contents:
        if not isinstance(content, ContentText | ContentReasoning):
            raise InputError(f"vr_local: {content.type} content is not supported, expected text")
    if message.role == "tool":
        raise InputError("vr_local: tools are not supported, found the result of a tool")
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
    """Return whether the reply ended by itself, at the token limit, or with a full context."""
    if reply.finish_reason == "stop":
        return "stop"
    return "max_tokens" if reply.output_tokens >= max_tokens else "model_length"
