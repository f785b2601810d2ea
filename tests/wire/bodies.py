"""What a condition decides in a request's body, as sent and as wanted."""

from collections.abc import Mapping
from typing import Any

from tests.wire.script import Request

__all__ = [
    "ADAPTIVE",
    "BETWEEN_TOOLS",
    "BOUND",
    "BUDGET",
    "COLD",
    "DISABLED",
    "NOTHING",
    "Sent",
    "decided",
    "effort",
    "limit",
    "switch",
    "template",
]

Sent = Mapping[str, Any]

# where a provider puts what a condition decides; anything else in a body is not its business
_FIELDS = (
    "thinking",
    "output_config",
    "reasoning",
    "reasoning_effort",
    "chat_template_kwargs",
    "additionalModelRequestFields",
    "temperature",
)
_LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens")

ADAPTIVE: Sent = {
    "thinking": {"type": "adaptive", "display": "summarized"},
    "output_config": {"effort": "low"},
}
BOUND: Sent = {
    "thinking": {
        **ADAPTIVE["thinking"],
        "block_binding": {"prefix_mismatch_behavior": "drop_block"},
    },
    "output_config": {"effort": "low"},
}
BUDGET: Sent = {
    "thinking": {"type": "enabled", "budget_tokens": 2000, "display": "summarized"},
}
DISABLED: Sent = {"thinking": {"type": "disabled"}}
BETWEEN_TOOLS: Sent = {"thinking": {"type": "between_tools"}}
NOTHING: Sent = {}
COLD: Sent = {"temperature": 0.0}


def effort(value: str) -> Sent:
    """OpenAI's Responses API; Inspect asks for summaries wherever an account may see them."""
    return {"reasoning": {"effort": value, "summary": "auto"}}


def template(enabled: bool) -> Sent:
    return {"chat_template_kwargs": {"enable_thinking": enabled}}


def switch(kind: str) -> Sent:
    return {"thinking": {"type": kind}}


def decided(request: Request) -> dict[str, Any]:
    """What a condition decides in a request's body."""
    body = dict(request.body)
    if request.path.endswith("/converse"):
        body |= body.pop("additionalModelRequestFields")
        body |= {"temperature": body["inferenceConfig"].get("temperature")}
    return {name: body[name] for name in _FIELDS if body.get(name) is not None}


def limit(request: Request) -> int:
    """The limit of a reply in a request's body."""
    body = request.body.get("inferenceConfig", request.body)
    (found,) = [body[name] for name in (*_LIMITS, "maxTokens") if name in body]
    return int(found)
