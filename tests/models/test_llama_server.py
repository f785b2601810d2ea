"""What is asked of llama.cpp and made of its answers, with a stand-in for xllamacpp."""

import asyncio
import gc
import os
import sys
import threading
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from inspect_ai.model import ContentReasoning, GenerateConfig, get_model

from tests.patches import find_instead
from vr_evals.errors import InputError
from vr_evals.models.llama_server import LlamaServer, ServerError, ServerSettings, shared_server
from vr_evals.models.providers import vr_local

Chunk = dict[str, Any]
__all__ = ["vr_local"]  # importing it registers the provider


def piece(finish_reason: str | None = None, **delta: str) -> Chunk:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}


USAGE: Chunk = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}, "timings": {}}
WHOLE = [piece(role="assistant"), piece(content="Hel"), piece(content="lo"), piece("stop"), USAGE]


class StandIn:
    """A module like xllamacpp whose server says what a test tells it to."""

    def __init__(self) -> None:
        self.chunks: list[Chunk] = WHOLE
        self.loaded: list[Any] = []
        self.requests: list[dict[str, Any]] = []
        self.said = 0
        self.hosts = "hostnames"
        self.module = ModuleType("xllamacpp")
        self.module.__spec__ = ModuleSpec("xllamacpp", None)
        self.module.CommonParams = self.params  # type: ignore[attr-defined]  # a module made here
        self.module.Server = self.server  # type: ignore[attr-defined]  # a module made here

    def params(self) -> SimpleNamespace:
        parts = {name: SimpleNamespace() for name in ("model", "cpuparams", "cpuparams_batch")}
        return SimpleNamespace(**parts, **{self.hosts: None})

    def server(self, params: Any) -> SimpleNamespace:
        if "broken" in params.model.path:
            raise RuntimeError("Failed to init server, please check the input params.")
        self.loaded.append(params)
        return SimpleNamespace(
            handle_chat_completions=self.chat, listening_address="http://127.0.0.1:1"
        )

    def chat(self, request: dict[str, Any], callback: Callable[[Chunk], bool]) -> None:
        self.requests.append(request)
        for chunk in self.chunks:
            self.said += 1
            if callback(chunk):
                return


@pytest.fixture
def llama(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    stand_in = StandIn()
    monkeypatch.setitem(sys.modules, "xllamacpp", stand_in.module)
    return stand_in


@pytest.fixture
def settings(tmp_path: Path) -> ServerSettings:
    file = tmp_path / "toy.gguf"
    file.write_bytes(b"GGUF")
    return ServerSettings(gguf=file, parallel=2, context=1000, threads=3)


def test_a_reply_is_joined_from_its_pieces(llama: StandIn, settings: ServerSettings) -> None:
    reply = LlamaServer(settings).chat({"messages": []}, threading.Event())
    assert (reply.text, reply.finish_reason) == ("Hello", "stop")
    assert (reply.input_tokens, reply.output_tokens) == (7, 2)
    assert llama.requests[0]["stream"] is True


def test_a_reply_stops_when_nobody_waits(llama: StandIn, settings: ServerSettings) -> None:
    stopped = threading.Event()
    stopped.set()
    with pytest.raises(ServerError, match="incomplete reply"):
        LlamaServer(settings).chat({"messages": []}, stopped)
    assert llama.said == 1


@pytest.mark.parametrize(
    ("chunks", "says"),
    [
        ([{"error": {"code": 400, "message": "bad grammar", "type": "x"}}], "bad grammar"),
        ([*WHOLE[:2], {"error": {"code": 500, "message": "decode failed"}}], "decode failed"),
        (WHOLE[:3], "incomplete reply"),
        ([], "incomplete reply"),
    ],
)
def test_a_reply_without_end_is_an_error(
    llama: StandIn, settings: ServerSettings, chunks: list[Chunk], says: str
) -> None:
    llama.chunks = chunks
    with pytest.raises(ServerError, match=says):
        LlamaServer(settings).chat({"messages": []}, threading.Event())


def test_nothing_is_cached(llama: StandIn, settings: ServerSettings) -> None:
    LlamaServer(settings)
    LlamaServer(settings)
    first, second = llama.loaded
    assert (first.cache_prompt, first.cache_ram_mib, first.cache_idle_slots) == (False, 0, False)
    assert first.port == 0
    assert first.api_keys != second.api_keys
    assert len(first.api_keys[0]) >= 32
    assert (first.n_parallel, first.n_ctx) == (2, 2000)
    assert first.cpuparams.n_threads == first.cpuparams_batch.n_threads == 3


@pytest.mark.parametrize(
    ("name", "hosts"), [("hostnames", ["127.0.0.1"]), ("hostname", "127.0.0.1")]
)
def test_only_loopback_listens(
    llama: StandIn, settings: ServerSettings, name: str, hosts: object
) -> None:
    """Before 2026.10, xllamacpp had one name of a host; another attribute is refused there."""
    llama.hosts = name
    LlamaServer(settings)
    assert {k: v for k, v in vars(llama.loaded[0]).items() if "host" in k} == {name: hosts}


def test_loading_leaves_the_environment_alone(
    llama: StandIn, settings: ServerSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    before = dict(os.environ)
    LlamaServer(settings)
    assert dict(os.environ) == before
    monkeypatch.setenv("OMP_WAIT_POLICY", "active")
    LlamaServer(settings)
    assert os.environ["OMP_WAIT_POLICY"] == "active"
    assert len(llama.loaded) == 2


def test_equal_settings_share_one_server_while_somebody_holds_it(
    llama: StandIn, settings: ServerSettings
) -> None:
    first = shared_server(settings)
    assert shared_server(settings) is first
    assert len(llama.loaded) == 1
    del first
    gc.collect()
    assert shared_server(settings)
    assert len(llama.loaded) == 2


@pytest.mark.usefixtures("llama")
def test_a_file_that_llama_cannot_load_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="failed to load .*broken.gguf: damaged"):
        LlamaServer(ServerSettings(tmp_path / "broken.gguf", parallel=1, context=256, threads=1))


def test_without_the_extra_the_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, settings: ServerSettings
) -> None:
    find_instead(monkeypatch, "importlib.util.find_spec", "xllamacpp", None)
    with pytest.raises(InputError, match=r"install vr-evals\[local\]"):
        get_model("vr_local/toy", memoize=False, gguf=settings.gguf)


@pytest.mark.usefixtures("llama")
@pytest.mark.parametrize(
    ("model", "kwargs", "says"),
    [
        ("vr_local/toy", {}, "expected vr_local/smollm2, or any name with -M gguf=PATH"),
        ("vr_local/smollm2", {"base_url": "http://x"}, "base URL http://x is not supported"),
        ("vr_local/smollm2", {"paralel": 2}, "unknown -M paralel"),
    ],
)
def test_what_cannot_run_is_said_before_it_runs(
    model: str, kwargs: dict[str, Any], says: str
) -> None:
    with pytest.raises(InputError, match=says):
        get_model(model, memoize=False, **kwargs)


def test_settings_reach_llama_under_its_names(llama: StandIn, settings: ServerSettings) -> None:
    config = GenerateConfig(
        temperature=0.5, top_p=0.9, top_k=3, seed=7, max_tokens=5, stop_seqs=["END"]
    )
    model = get_model("vr_local/toy", memoize=False, gguf=settings.gguf)
    asyncio.run(model.generate("Hi", config=config))
    sent = {"temperature": 0.5, "top_p": 0.9, "top_k": 3, "seed": 7, "max_tokens": 5}
    assert {**llama.requests[0], **sent, "stop": ["END"]} == llama.requests[0]


def test_a_reply_is_cut_at_512_tokens_where_nothing_is_set(
    llama: StandIn, settings: ServerSettings
) -> None:
    model = get_model("vr_local/toy", memoize=False, gguf=settings.gguf)
    asyncio.run(model.generate("Hi"))
    assert llama.requests[0]["max_tokens"] == 512
    assert "temperature" not in llama.requests[0]


def test_reasoning_is_kept_apart_from_the_completion(
    llama: StandIn, settings: ServerSettings
) -> None:
    llama.chunks = [piece(reasoning_content="Hmm."), *WHOLE]
    model = get_model("vr_local/toy", memoize=False, gguf=settings.gguf)
    output = asyncio.run(model.generate("Hi"))
    assert output.completion == "Hello"
    assert isinstance(output.message.content, list)
    assert output.message.content[0] == ContentReasoning(reasoning="Hmm.")


@pytest.mark.parametrize(
    ("finish_reason", "max_tokens", "stop_reason"),
    [("stop", 2, "stop"), ("length", 2, "max_tokens"), ("length", 3, "model_length")],
)
def test_stop_reasons(
    llama: StandIn, settings: ServerSettings, finish_reason: str, max_tokens: int, stop_reason: str
) -> None:
    llama.chunks = [*WHOLE[:3], piece(finish_reason), USAGE]
    model = get_model("vr_local/toy", memoize=False, gguf=settings.gguf)
    output = asyncio.run(model.generate("Hi", config=GenerateConfig(max_tokens=max_tokens)))
    assert output.stop_reason == stop_reason


def test_an_error_of_the_server_is_an_error_of_the_call(
    llama: StandIn, settings: ServerSettings
) -> None:
    llama.chunks = [{"error": {"code": 400, "message": "bad grammar", "type": "x"}}]
    model = get_model("vr_local/toy", memoize=False, gguf=settings.gguf)
    with pytest.raises(Exception, match="Request(.|\n)*llama.cpp: bad grammar"):
        asyncio.run(model.generate("Hi"))


def test_a_closed_model_is_loaded_anew(llama: StandIn, settings: ServerSettings) -> None:
    model = get_model("vr_local/toy", memoize=False, gguf=settings.gguf, parallel=3)
    assert model.api.max_connections() == 3
    for loaded in (1, 1, 2):
        asyncio.run(model.generate("Hi"))
        assert len(llama.loaded) == loaded
        if loaded == 1 and len(llama.requests) == 2:
            model.api.close()
            gc.collect()


def test_an_extra_that_cannot_be_imported_is_one_line(
    settings: ServerSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(InputError, match="failed to import xllamacpp: "):
        LlamaServer(settings)
