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
    "limits",
    "reasoning_words",
    "switch",
    "temperature",
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
_LIMITS = (
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "maxTokens",
    "maxOutputTokens",
)
_PARTS = ("inferenceConfig", "generationConfig", "completion_args")

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


_NO_WORDS = ("display", "summary", "includeThoughts", "include_thoughts", "block_binding")


def reasoning_words(body: Mapping[str, Any]) -> dict[str, Any]:
    """Everything in a body that says whether, or how much, to think: names with dots to values."""
    found: dict[str, Any] = {}
    for name, value in body.items():
        if isinstance(value, Mapping):
            inner = reasoning_words(value)
            found |= {f"{name}.{inside}": each for inside, each in inner.items()}
            if not name.startswith(_THINKING):
                continue
            plain = {k: v for k, v in value.items() if not isinstance(v, Mapping)}
            found |= {f"{name}.{k}": v for k, v in plain.items() if k not in _NO_WORDS}
        elif name.startswith(_THINKING):
            found[name] = value
    return found


_THINKING = ("thinking", "reasoning", "enable_thinking", "output_config", "maxReasoning")


def limit(request: Request) -> int:
    """The limit of a reply in a request's body."""
    found = limits(request.body)
    assert found is not None
    return found


def limits(body: Mapping[str, Any]) -> int | None:
    """The limit of a reply in a body, wherever it stands."""
    found = [body[name] for name in _LIMITS if name in body]
    found += [limits(body[name]) for name in _PARTS if name in body]
    return int(found[0]) if found and found[0] is not None else None


def temperature(body: Mapping[str, Any]) -> float | None:
    """The temperature in a body, wherever it stands."""
    found = [body.get("temperature"), *(temperature(body[name]) for name in _PARTS if name in body)]
    return next((value for value in found if value is not None), None)
