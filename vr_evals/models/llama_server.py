"""llama.cpp in this process: loaded models, shared by equal settings.

llama.cpp's server also opens a port, on loopback only and locked by a random key; requests do not
use it.
"""

import atexit
import os
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from vr_evals.errors import InputError

__all__ = ["LlamaServer", "Reply", "ServerError", "ServerSettings", "shared_server"]


@dataclass(frozen=True)
class ServerSettings:
    """The settings of a loaded model; equal settings share one server.

    Attributes:
        gguf: The file of weights.
        parallel: Requests decoded together.
        context: Token limit of a request, prompt and reply together.
        threads: Compute threads.
        chat_template: Name of a llama.cpp template, or "" for the file's own.
    """

    gguf: Path
    parallel: int
    context: int
    threads: int
    chat_template: str = ""


@dataclass(frozen=True)
class Reply:
    """A finished reply.

    Attributes:
        text: The visible text.
        reasoning: The reasoning, as separated by llama.cpp.
        finish_reason: ``stop`` or ``length``.
        input_tokens: Tokens of the prompt.
        output_tokens: Tokens of the reply.
        timings: llama.cpp's times and rates.
    """

    text: str
    reasoning: str
    finish_reason: str
    input_tokens: int
    output_tokens: int
    timings: Mapping[str, float]


class ServerError(RuntimeError):
    """llama.cpp refused or aborted a request.

    Attributes:
        details: llama.cpp's error: ``message``, ``type`` and more.
    """

    def __init__(self, details: Mapping[str, Any]) -> None:
        super().__init__(f"llama.cpp: {details.get('message', details)}")
        self.details = details


class LlamaServer:
    """One loaded model.

    Args:
        settings: What to load.

    Raises:
        InputError: Loading xllamacpp or the file failed.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self._server: Any = _load(settings)

    @property
    def address(self) -> str:
        """The server's address: ``http://127.0.0.1:port``."""
        return str(self._server.listening_address)

    def chat(self, request: Mapping[str, Any], stopped: threading.Event) -> Reply:
        """Answer a request in OpenAI's chat completions format; blocks until the reply ends.

        Args:
            request: Messages and sampling settings.
            stopped: Set this to cancel the request; it ends within one batch of the prompt or one
                token of the reply.

        Raises:
            ServerError: llama.cpp refused the request, or the reply is incomplete.
        """
        chunks: list[dict[str, Any]] = []

        def collect(chunk: dict[str, Any]) -> bool:
            chunks.append(chunk)
            return stopped.is_set()

        # streamed, with progress on the prompt, because only a stream can be cancelled
        stream = {
            "stream": True,
            "stream_options": {"include_usage": True},
            "return_progress": True,
        }
        self._server.handle_chat_completions({**request, **stream}, collect)
        return _reply(chunks)

    def close(self) -> None:
        """Stop the server and free its memory, once no request is running."""
        self._server = None


_servers: WeakValueDictionary[ServerSettings, LlamaServer] = WeakValueDictionary()
_loading = threading.Lock()


def shared_server(settings: ServerSettings) -> LlamaServer:
    """Return this process's server with these settings; it stops when nothing refers to it.

    Args:
        settings: The settings.

    Raises:
        InputError: Loading xllamacpp or the file failed.
    """
    with _loading:
        server = _servers.get(settings)
        if server is None:
            server = _servers[settings] = LlamaServer(settings)
        return server


@atexit.register
def _close_servers() -> None:
    """Stop llama.cpp's threads before the process frees their resources."""
    for server in list(_servers.values()):
        server.close()


def _import_xllamacpp() -> Any:
    """Import xllamacpp so that its threads sleep while they wait.

    OpenMP reads its environment only once. By default its threads spin, which makes replies ten
    times slower if anything else runs on the machine.
    """
    variable = "OMP_WAIT_POLICY"
    own_choice = variable in os.environ
    os.environ.setdefault(variable, "passive")
    try:
        import xllamacpp
    except ImportError as error:
        raise InputError(f"failed to import xllamacpp: {error}") from error
    finally:
        if not own_choice:
            del os.environ[variable]
    return xllamacpp


def _load(settings: ServerSettings) -> Any:
    xllamacpp = _import_xllamacpp()
    params = xllamacpp.CommonParams()
    params.model.path = str(settings.gguf)
    params.model_alias = {settings.gguf.stem}  # otherwise replies contain the full path
    params.chat_template = settings.chat_template
    params.prefill_assistant = False
    params.n_parallel = settings.parallel
    params.n_ctx = settings.parallel * settings.context
    # requests stop between batches, one after the other: all within 512 tokens
    params.n_batch = max(64, 512 // settings.parallel)
    params.n_gpu_layers = 0
    params.fit_params = False  # it would limit the context to a GPU's memory
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings.threads
    # cached prompts change later replies; the host cache has no visible limit
    params.cache_prompt = params.cache_idle_slots = False
    params.cache_ram_mib = params.n_ctx_checkpoints = 0
    if hasattr(params, "hostnames"):
        params.hostnames = ["127.0.0.1"]
    else:  # before xllamacpp 2026.10
        params.hostname = "127.0.0.1"
    params.port = 0
    params.api_keys = [secrets.token_urlsafe(32)]
    params.n_threads_http = 1
    params.ui = params.endpoint_slots = False
    params.verbosity = -1
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:
        reason = "damaged, not a chat model, of an unknown architecture, or too large for memory"
        raise InputError(f"failed to load {settings.gguf}: {reason}") from error


def _reply(chunks: list[dict[str, Any]]) -> Reply:
    """Join the chunks of a streamed reply."""
    text, reasoning, finish_reason = "", "", ""
    last: dict[str, Any] = {}
    for chunk in chunks:
        if "error" in chunk:
            raise ServerError(chunk["error"])
        for choice in chunk["choices"]:
            text += choice["delta"].get("content") or ""
            reasoning += choice["delta"].get("reasoning_content") or ""
            finish_reason = choice["finish_reason"] or finish_reason
        last = chunk
    if not finish_reason or "usage" not in last:
        raise ServerError({"message": "incomplete reply", "type": "unfinished"})
    return Reply(
        text=text,
        reasoning=reasoning,
        finish_reason=finish_reason,
        input_tokens=last["usage"]["prompt_tokens"],
        output_tokens=last["usage"]["completion_tokens"],
        timings=last.get("timings", {}),
    )
