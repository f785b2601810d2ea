"""A loopback server that speaks for Anthropic, OpenAI, services that speak like it, and Bedrock.

It keeps every request and answers as it is told, so that a test sees what the real ``anthropic``
and ``openai`` packages send and what Inspect makes of an answer. Use the ``wire`` fixture::

    def test_off(wire: Wire) -> None:
        wire.ask("anthropic/claude-opus-4-7", GenerateConfig(reasoning_effort="none"))
        assert wire.calls[0].body["thinking"] == {"type": "disabled"}

- ``wire.model(name, **model_args)`` is a model that calls this server, with a dummy key, and
  ``wire.ask(name, config)`` its reply to a question. For a whole task:
  ``inspect_ai.eval(task, model=wire.model(name))``, or on a command line ``--model name
  --model-base-url`` with ``wire.base_url(name)`` and any key in the environment.
- ``wire.requests`` is every request; ``wire.calls`` only those that ask for an answer, without
  Anthropic's ``count_tokens`` and the request by which Inspect finds out whether an OpenAI account
  may see summaries of reasoning.
- ``wire.script([...])`` says how the next calls are answered, in order: a :class:`Reply`, a
  :class:`Failure`, a :class:`Garbage`, or :data:`DROPPED` for a connection that breaks.
  Afterwards, and without a script, ``wire.answer`` decides, a function from a :class:`Request` to
  one of these; at first it replies ``<answer>A</answer>``. Retries use up the script too.
- ``wire.batches`` is every batch (Anthropic's), with its results: each request of a batch is
  answered as a call is, and may be :data:`tests.wire.script.EXPIRED`.
- A :class:`Reply` thinks if the request asks for it, unless it says ``thinking=True`` or ``False``.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from inspect_ai.model import GenerateConfig, Model, ModelOutput, get_model

from tests.wire.formats import (
    anthropic_batch,
    anthropic_batch_result,
    anthropic_events,
    anthropic_message,
    bedrock_converse,
    openai_completion,
    openai_response,
)
from tests.wire.script import (
    DROPPED,
    THOUGHT,
    Answer,
    Dropped,
    Expired,
    Failure,
    Garbage,
    Reply,
    Request,
)

__all__ = ["DROPPED", "THOUGHT", "Answer", "Failure", "Garbage", "Reply", "Request", "Wire"]

# the clients that add the version of the API themselves
_PLAIN = tuple(f"{name}/" for name in ("anthropic", "bedrock", "google", "groq", "mistral"))

_ERROR_TYPES = {400: "invalid_request_error", 429: "rate_limit_error", 529: "overloaded_error"}


@dataclass
class Wire:
    """The server, what it was asked, and how it answers."""

    answer: Callable[[Request], Answer] = lambda request: Reply()
    requests: list[Request] = field(default_factory=list)
    batches: list[list[dict[str, Any]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._scripted: Iterator[Answer] = iter(())
        handler = type("Handler", (_Handler,), {"wire": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def url(self) -> str:
        """Where the server listens."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def calls(self) -> list[Request]:
        """The requests that asked for an answer."""
        return [request for request in self.requests if request.is_call]

    def base_url(self, name: str) -> str:
        """The base URL that a model's provider is to be given."""
        return self.url if name.startswith(_PLAIN) else f"{self.url}/v1"

    def model(self, name: str, **model_args: Any) -> Model:
        """A model that calls this server."""
        return get_model(
            name, base_url=self.base_url(name), api_key="dummy", memoize=False, **model_args
        )

    def ask(self, name: str, config: GenerateConfig, **model_args: Any) -> ModelOutput:
        """A model's reply to a question."""

        async def ask() -> ModelOutput:
            async with self.model(name, **model_args) as model:
                return await model.generate("Is it wrong?", config=config)

        return asyncio.run(ask())

    def script(self, answers: Iterable[Answer]) -> None:
        """Answer the next calls in this order."""
        self._scripted = iter(list(answers))

    def reset(self) -> None:
        """Forget the requests and the script, and answer as at first."""
        self.requests.clear()
        self.batches.clear()
        self.script([])
        self.answer = lambda request: Reply()

    def next_answer(self, request: Request) -> Answer:
        """How a request is answered."""
        if not request.is_call:
            return Reply("hello, world", thinking=False)
        return next(self._scripted, None) or self.answer(request)

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Keep quiet of clients that went away."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    wire: Wire
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        """A batch, or its results; it has ended as soon as it is there."""
        _, _, rest = self.path.partition("/messages/batches/")
        batch_id, _, results = rest.partition("/")
        found = self.wire.batches[int(batch_id.removeprefix("batch_"))]
        if results:
            self._send("\n".join(map(json.dumps, found)).encode(), 200)
        else:
            kinds = [line["result"]["type"] for line in found]
            self._send_json(anthropic_batch(self.wire.url, batch_id, kinds))

    def _create_batch(self, headers: Mapping[str, str], body: Mapping[str, Any]) -> None:
        results = []
        for part in body["requests"]:
            request = Request("/v1/messages", headers, part["params"])
            self.wire.requests.append(request)
            answer = self.wire.next_answer(request)
            assert isinstance(answer, Reply | Failure | Expired)
            results.append(anthropic_batch_result(part["custom_id"], request, answer))
        self.wire.batches.append(results)
        batch_id = f"batch_{len(self.wire.batches) - 1}"
        self._send_json(anthropic_batch(self.wire.url, batch_id, []))

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        body = json.loads(self.rfile.read(length) or b"{}")
        headers = {name.lower(): value for name, value in self.headers.items()}
        if self.path.partition("?")[0].endswith("/messages/batches"):
            self._create_batch(headers, body)
            return
        request = Request(self.path, headers, body)
        self.wire.requests.append(request)
        answer = self.wire.next_answer(request)
        if isinstance(answer, Dropped):
            self.close_connection = True
        elif isinstance(answer, Failure):
            self._send_failure(answer)
        elif isinstance(answer, Expired):
            self._send_failure(Failure(408))
        elif isinstance(answer, Garbage):
            self._send(answer.body.encode(), 200)
        elif request.path.endswith("/count_tokens"):
            self._send_json({"input_tokens": 7})
        elif request.path.endswith("/messages"):
            message = anthropic_message(request, answer)
            if body.get("stream"):
                self._send_events(anthropic_events(message))
            else:
                self._send_json(message)
        elif request.path.endswith("/converse"):
            self._send_json(bedrock_converse(answer))
        elif request.path.endswith("/responses"):
            self._send_json(openai_response(request, answer))
        elif request.path.endswith("/chat/completions"):
            self._send_json(openai_completion(request, answer))
        else:
            self._send_failure(Failure(404, f"no such path: {request.path}", sdk_retries=False))

    def _send_json(
        self, body: object, status: int = 200, headers: Mapping[str, str] | None = None
    ) -> None:
        self._send(json.dumps(body).encode(), status, headers)

    def _send(self, content: bytes, status: int, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"content-type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _send_failure(self, failure: Failure) -> None:
        retry = {"retry-after-ms": "1"} if failure.sdk_retries else {"x-should-retry": "false"}
        kind = _ERROR_TYPES.get(failure.status, "api_error")
        error = {"type": kind, "message": failure.message, "code": kind, "param": failure.param}
        self._send_json({"type": "error", "error": error}, failure.status, retry)

    def _send_events(self, events: Iterable[Mapping[str, Any]]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for event in events:
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        self.close_connection = True
