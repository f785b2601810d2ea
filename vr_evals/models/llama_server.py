"""llama.cpp inside this process: a loaded model, shared by all who want the same one.

Its server also opens a port, on loopback alone and locked by a random key; requests do not go
through it.
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
    """What a loaded model is made of; equal settings are one server.

    Attributes:
        gguf: The file of weights.
        parallel: Requests that are decoded together.
        context: Tokens that one request may hold, prompt and reply together.
        threads: Threads that compute.
        chat_template: Name of a template of llama.cpp's, or "" for the file's own.
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
        text: What is visible.
        reasoning: What llama.cpp set apart as reasoning.
        finish_reason: ``stop`` or ``length``.
        input_tokens: Tokens of the prompt.
        output_tokens: Tokens of the reply.
        timings: llama.cpp's own times and rates.
    """

    text: str
    reasoning: str
    finish_reason: str
    input_tokens: int
    output_tokens: int
    timings: Mapping[str, float]


class ServerError(RuntimeError):
    """llama.cpp refused or broke off a request.

    Attributes:
        details: llama.cpp's own account: ``message``, ``type`` and more.
    """

    def __init__(self, details: Mapping[str, Any]) -> None:
        super().__init__(f"llama.cpp: {details.get('message', details)}")
        self.details = details


class LlamaServer:
    """One loaded model.

    Args:
        settings: What to load.

    Raises:
        InputError: xllamacpp or the file cannot be loaded.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self._server: Any = _load(settings)

    @property
    def address(self) -> str:
        """Where the server listens: ``http://127.0.0.1:port``."""
        return str(self._server.listening_address)

    def chat(self, request: Mapping[str, Any], stopped: threading.Event) -> Reply:
        """Answer a request in the form of OpenAI's chat completions; blocks until the reply ends.

        Args:
            request: Messages and sampling settings.
            stopped: Set by whoever no longer wants the reply: it then ends within a batch of the
                prompt or a token of the reply.

        Raises:
            ServerError: llama.cpp refused the request, or the reply has no end.
        """
        chunks: list[dict[str, Any]] = []

        def collect(chunk: dict[str, Any]) -> bool:
            chunks.append(chunk)
            return stopped.is_set()

        # streamed, with the prompt's progress: a reply in one piece could not be stopped
        stream = {
            "stream": True,
            "stream_options": {"include_usage": True},
            "return_progress": True,
        }
        self._server.handle_chat_completions({**request, **stream}, collect)
        return _reply(chunks)

    def close(self) -> None:
        """Stop the server and give its memory back, once no request runs any more."""
        self._server = None


_servers: WeakValueDictionary[ServerSettings, LlamaServer] = WeakValueDictionary()
_loading = threading.Lock()


def shared_server(settings: ServerSettings) -> LlamaServer:
    """The one server of this process with these settings; it lives while somebody holds it.

    Args:
        settings: What the server runs.

    Raises:
        InputError: xllamacpp or the file cannot be loaded.
    """
    with _loading:
        server = _servers.get(settings)
        if server is None:
            server = _servers[settings] = LlamaServer(settings)
        return server


@atexit.register
def _close_servers() -> None:
    """Stop llama.cpp's threads before the process takes down what they stand on."""
    for server in list(_servers.values()):
        server.close()


def _import_xllamacpp() -> Any:
    """Import xllamacpp so that its threads sleep while they wait.

    OpenMP, which reads its environment but once, otherwise has them spin: with anything else
    running on the machine, that makes a reply ten times slower.
    """
    variable = "OMP_WAIT_POLICY"
    own_choice = variable in os.environ
    os.environ.setdefault(variable, "passive")
    try:
        import xllamacpp
    except ImportError as error:
        raise InputError(f"xllamacpp cannot be loaded: {error}") from error
    finally:
        if not own_choice:
            del os.environ[variable]
    return xllamacpp


def _load(settings: ServerSettings) -> Any:
    xllamacpp = _import_xllamacpp()
    params = xllamacpp.CommonParams()
    params.model.path = str(settings.gguf)
    params.model_alias = {settings.gguf.stem}  # else replies name the whole path
    params.chat_template = settings.chat_template
    params.prefill_assistant = False
    params.n_parallel = settings.parallel
    params.n_ctx = settings.parallel * settings.context
    # requests stop between batches, one after the other: all have stopped after 512 tokens
    params.n_batch = max(64, 512 // settings.parallel)
    params.n_gpu_layers = 0
    params.fit_params = False  # would cut the context to a GPU's memory
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings.threads
    # a cached prompt changes later replies; the host cache has no visible limit
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
        reason = "damaged, not a chat model, of an unknown architecture, or too big for the memory"
        raise InputError(f"llama.cpp cannot load {settings.gguf}: {reason}") from error


def _reply(chunks: list[dict[str, Any]]) -> Reply:
    """Join what was streamed."""
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
        raise ServerError({"message": "the reply broke off", "type": "unfinished"})
    return Reply(
        text=text,
        reasoning=reasoning,
        finish_reason=finish_reason,
        input_tokens=last["usage"]["prompt_tokens"],
        output_tokens=last["usage"]["completion_tokens"],
        timings=last.get("timings", {}),
    )
