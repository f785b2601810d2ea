"""What a test scripts and sees: requests, replies, failures."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

__all__ = [
    "DROPPED",
    "EXPIRED",
    "THOUGHT",
    "Answer",
    "Dropped",
    "Expired",
    "Failure",
    "Garbage",
    "Reply",
    "Request",
]

THOUGHT = "Let me think. <answer>B</answer>"
"""What a thinking reply thinks; no answer may be read from it."""

_PROBE = "Please say 'hello, world'"


@dataclass(frozen=True)
class Request:
    """A request that was received.

    Attributes:
        path: Its path.
        headers: Its headers, with lower-case names.
        body: Its JSON body.
    """

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def is_call(self) -> bool:
        """Whether it asks for an answer to a prompt of ours."""
        return not self.path.endswith("/count_tokens") and self.body.get("input") != _PROBE

    @property
    def asks_to_think(self) -> bool:
        """Whether the model is asked to think before it answers."""
        body = self.body
        reasoning, thinking = body.get("reasoning") or {}, body.get("thinking") or {}
        template = body.get("chat_template_kwargs") or {}
        efforts = (reasoning.get("effort"), body.get("reasoning_effort"))
        return (
            thinking.get("type") in ("enabled", "adaptive")
            or any(effort not in (None, "none") for effort in efforts)
            or bool(reasoning.get("max_tokens") or reasoning.get("enabled"))
            or template.get("enable_thinking") is True
        )


@dataclass(frozen=True)
class Reply:
    """A model's answer.

    Attributes:
        text: Its visible text; empty is an empty reply.
        stop: Why it ended; ``max_tokens`` without text ended inside thinking.
        thinking: Whether it thought; None is as the request asks.
    """

    text: str = "<answer>A</answer>"
    stop: Literal["end", "max_tokens", "refusal"] = "end"
    thinking: bool | None = None

    def thinks(self, request: Request) -> bool:
        """Whether this reply to a request has reasoning."""
        return request.asks_to_think if self.thinking is None else self.thinking


@dataclass(frozen=True)
class Failure:
    """An HTTP error.

    Attributes:
        status: Its status, such as 429, 529 or 400.
        message: What it says.
        sdk_retries: Whether the client package is left to retry it, at once; else Inspect does.
        param: The field of the request that it is about, where the provider says.
    """

    status: int
    message: str = "scripted failure"
    sdk_retries: bool = True
    param: str | None = None


@dataclass(frozen=True)
class Garbage:
    """A response with status 200 that no API gives.

    Attributes:
        body: What it says in place of a reply.
    """

    body: str


class Dropped:
    """A connection that breaks before an answer."""


DROPPED = Dropped()
"""A connection that breaks before an answer."""


class Expired:
    """A request of a batch that was not answered in time."""


EXPIRED = Expired()
"""A request of a batch that was not answered in time."""

Answer = Reply | Failure | Garbage | Dropped | Expired
