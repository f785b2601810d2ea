"""What really goes over the wire for each thinking condition, model by model."""

import pytest
from inspect_ai.model import GenerateConfig

from tests.breadth import first_of_each
from tests.wire.bodies import (
    ADAPTIVE,
    BETWEEN_TOOLS,
    BOUND,
    BUDGET,
    COLD,
    DISABLED,
    NOTHING,
    Sent,
    decided,
    effort,
    limit,
    switch,
    template,
)
from tests.wire.server import Request, Wire
from vr_evals.conditions import thinking_condition
from vr_evals.solvers.thinking import Resolution, resolve

# model, thinking off, thinking on
CASES: list[tuple[str, Sent, Sent]] = [
    ("anthropic/claude-3-5-haiku-latest", NOTHING, NOTHING),
    ("anthropic/claude-3-7-sonnet-20250219", NOTHING, BUDGET),
    ("anthropic/claude-3-7-sonnet-latest", NOTHING, BUDGET),
    ("anthropic/claude-sonnet-4-20250514", NOTHING, BUDGET),
    ("anthropic/claude-opus-4-0", NOTHING, BUDGET),
    ("anthropic/claude-opus-4-1-20250805", NOTHING, BUDGET),
    ("anthropic/claude-sonnet-4-5", NOTHING, BUDGET),
    ("anthropic/claude-haiku-4-5-20251001", NOTHING, BUDGET),
    ("anthropic/claude-opus-4-5", NOTHING, BUDGET),
    ("anthropic/claude-sonnet-4-6", NOTHING, BUDGET),
    ("anthropic/claude-opus-4-6", NOTHING, BUDGET),
    ("anthropic/claude-opus-4-7", DISABLED, ADAPTIVE),
    ("anthropic/claude-opus-4-8", DISABLED, ADAPTIVE),
    ("anthropic/claude-sonnet-5", DISABLED, ADAPTIVE),
    ("anthropic/claude-opus-5-20260724", DISABLED, ADAPTIVE),
    ("anthropic/claude-sonnet-5-5", BETWEEN_TOOLS, BOUND),
    ("anthropic/claude-haiku-5-5", DISABLED, BOUND),
    ("anthropic/claude-opus-5-5", BOUND, BOUND),
    ("anthropic/claude-fable-5", ADAPTIVE, ADAPTIVE),
    ("anthropic/claude-fable-5-1", BOUND, BOUND),
    ("anthropic/claude-mythos-5-1", ADAPTIVE, ADAPTIVE),
    ("anthropic/claude-opus-6", DISABLED, ADAPTIVE),
    ("anthropic/claude-sonnet-4-9", DISABLED, ADAPTIVE),
    ("openai/gpt-4o", COLD, NOTHING),
    ("openai/gpt-4.1-mini", COLD, NOTHING),
    ("openai/o3-mini", effort("low"), effort("low")),
    ("openai/o4-mini-2025-04-16", effort("low"), effort("low")),
    ("openai/gpt-5", effort("minimal"), effort("low")),
    ("openai/gpt-5-mini-2025-08-07", effort("minimal"), effort("low")),
    ("openai/gpt-5.1", {**effort("none"), **COLD}, effort("low")),
    ("openai/gpt-5.1-codex", effort("low"), effort("low")),
    ("openai/gpt-5.3-chat-latest", COLD, NOTHING),
    ("openai/gpt-5.4-nano", {**effort("none"), **COLD}, effort("low")),
    ("openai/gpt-5.5", {**effort("none"), **COLD}, effort("low")),
    ("openai/gpt-6-sol", {**effort("none"), **COLD}, effort("low")),
    ("openai/gpt-6-astra", effort("low"), effort("low")),
    ("openai/gpt-7", {**effort("none"), **COLD}, effort("low")),
    ("vllm/Qwen/Qwen3-8B", {**template(False), **COLD}, template(True)),
    ("vllm/Qwen/Qwen3-4B-Instruct-2507", COLD, NOTHING),
    ("vllm/openai/gpt-oss-20b", {"reasoning_effort": "low", **COLD}, {"reasoning_effort": "low"}),
    ("vllm/mistralai/Mistral-7B-Instruct-v0.3", COLD, NOTHING),
    ("openai-api/service/Qwen/Qwen3-8B", {**template(False), **COLD}, template(True)),
    ("openai-api/service/house-model", COLD, NOTHING),
    (
        "openrouter/anthropic/claude-sonnet-4",
        {"reasoning": {"effort": "none"}, **COLD},
        {"reasoning": {"max_tokens": 2000}},
    ),
    (
        "openrouter/openai/gpt-5.1",
        {"reasoning": {"effort": "none"}, **COLD},
        {"reasoning": {"effort": "low"}},
    ),
    (
        "deepseek/deepseek-v4-pro",
        {**switch("disabled"), **COLD},
        {**switch("enabled"), "reasoning_effort": "low"},
    ),
    ("moonshot/kimi-k2.6", switch("disabled"), switch("enabled")),
    ("moonshot/kimi-k3", NOTHING, NOTHING),
    (
        "ollama/qwen3:8b",
        {"reasoning": {"effort": "none"}, **COLD},
        NOTHING,
    ),
    (
        "together/Qwen/Qwen3.5-9B",
        {"reasoning": {"enabled": False}, **COLD},
        {"reasoning": {"enabled": True}},
    ),
    (
        "fireworks/accounts/fireworks/models/qwen3p5-9b",
        {"reasoning_effort": "none", **COLD},
        {"reasoning_effort": "low"},
    ),
    ("bedrock/qwen.qwen3-32b-v1:0", COLD, NOTHING),
    ("openai/ft:o4-mini-2025-04-16:house::a", effort("low"), effort("low")),
    ("openai/o5-mini", effort("low"), effort("low")),
    *(
        (
            f"openrouter/deepseek/deepseek-{name}",
            {"reasoning": {"effort": "none"}, **COLD},
            {"reasoning": {"effort": "low"}},
        )
        for name in ("chat", "v3.1", "v3.2:free")
    ),
    *(
        (
            f"openrouter/openai/{name}",
            {"reasoning": {"effort": least}, **COLD},
            {"reasoning": {"effort": "low"}},
        )
        for name, least in (("o3", "low"), ("gpt-5", "minimal"))
    ),
    ("openai-api/service/claude-opus-4-7", COLD, {"reasoning_effort": "low"}),
    (
        "bedrock/anthropic.claude-sonnet-4-20250514-v1:0",
        COLD,
        {"thinking": {"type": "enabled", "budget_tokens": 2000}},
    ),
    (
        "bedrock/us.anthropic.claude-opus-5",
        NOTHING,
        {"thinking": {"type": "adaptive"}, "output_config": {"effort": "low"}},
    ),
]


@pytest.fixture(autouse=True)
def _aws(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "dummy")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")


def ask(wire: Wire, model: str, thinking: bool) -> tuple[Resolution, Request]:
    """Ask a model under a condition, as a task does."""
    condition = thinking_condition(thinking)
    resolution = resolve(model, thinking=thinking)
    own = GenerateConfig(temperature=condition.temperature, max_tokens=condition.max_tokens)
    wire.ask(model, own.merge(resolution.config))
    (call,) = wire.calls
    return resolution, call


@pytest.mark.parametrize(
    ("model", "off", "on"),
    first_of_each(CASES, lambda case: case[0].partition("/")[0], 3),
    ids=[case[0] for case in CASES],
)
def test_each_condition_is_sent(wire: Wire, model: str, off: Sent, on: Sent) -> None:
    for thinking, expected in ((False, off), (True, on)):
        wire.requests.clear()
        resolution, call = ask(wire, model, thinking)
        sent = decided(call)
        assert sent == expected
        assert limit(call) == thinking_condition(thinking).max_tokens
        assert ("temperature" in sent) == (resolution.temperature.sent != "nothing")
