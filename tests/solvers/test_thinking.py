"""The resolver: what is sent to a model for a thinking condition, and how well that honours it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.model import (
    ChatMessageAssistant,
    Content,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    GenerateConfigArgs,
    ModelOutput,
    ModelUsage,
)

from tests.model_names import EXAMPLES
from vr_evals.errors import InputError
from vr_evals.solvers.thinking import (
    Resolution,
    check_budget,
    describe,
    overridden_flags,
    resolve,
    resolve_from_flags,
    thought,
)
from vr_evals.solvers.thinking_table import FAMILIES, PROVIDERS

NONE: GenerateConfigArgs = {"reasoning_effort": "none"}
LOW: GenerateConfigArgs = {"reasoning_effort": "low"}
TOKENS: GenerateConfigArgs = {"reasoning_tokens": 2000}
NOTHING: GenerateConfigArgs = {}


def test_every_family_is_reached() -> None:
    assert {resolve(name, thinking=True).family for name in EXAMPLES.values()} == {
        family.name for family in FAMILIES
    }


@pytest.mark.parametrize(("family", "model"), EXAMPLES.items())
def test_family_of_a_name(family: str, model: str) -> None:
    for spelling in (model, model.upper(), f" {model}"):
        assert resolve(spelling, thinking=False).family == family


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("anthropic/claude-3-opus-20240229", "Claude 3.5 and earlier"),
        ("anthropic/claude-2.1", "Claude 3.5 and earlier"),
        ("anthropic/claude-sonnet-4-20250514", "Claude 4.0 to 4.5"),
        ("anthropic/bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0", "Claude 4.0 to 4.5"),
        ("openrouter/anthropic/claude-3.7-sonnet", "Claude 3.7"),
        ("openrouter/anthropic/claude-sonnet-5.5", "Claude Sonnet 5.5"),
        ("openrouter/anthropic/claude-sonnet-4", "Claude 4.0 to 4.5"),
        ("openrouter/anthropic/claude-sonnet-4:thinking", "Claude 4.0 to 4.5"),
        # Inspect's own provider takes this name for a new model, and refuses it a budget
        ("anthropic/claude-sonnet-4", "a new Claude"),
        ("anthropic/claude-sonnet-4-9", "a new Claude"),
        ("anthropic/claude-opus-4-10", "a new Claude"),
        ("anthropic/claude-opus-5-20260724", "Claude Opus 5 and Sonnet 5"),
        ("anthropic/claude-opus-5-1", "a new Claude"),
        ("anthropic/claude-opus-5-5-20260922", "Claude Opus 5.5"),
        ("anthropic/claude-opus-5-55", "a new Claude"),
        ("anthropic/claude-saga-5", "a new Claude"),
        ("openai/gpt-5-2025-08-07", "GPT-5"),
        ("openai/gpt-5.10", "a new GPT"),
        ("openai/azure/gpt-35-turbo", "GPT-4 and earlier"),
        ("openai/house-codename-22", "a new GPT"),
        ("openai-api/together/o3", "OpenAI o series"),
        ("together/deepseek-ai/DeepSeek-R1-Distill-Llama-70B", "DeepSeek R1"),
        ("vllm/google/gemma-3-4b-it", "Llama, Gemma 3, Phi 3"),
        ("vllm/Qwen/Qwen3-Coder-30B-A3B-Instruct", "Qwen3 Instruct, Qwen2"),
    ],
)
def test_near_misses(model: str, family: str) -> None:
    assert resolve(model, thinking=False).family == family


@pytest.mark.parametrize(
    ("model", "off", "on"),
    [
        ("google/gemini-2.5-flash", ("honoured", NONE), ("honoured", TOKENS)),
        ("google/gemini-2.5-pro", ("impossible", {"reasoning_tokens": 128}), ("honoured", TOKENS)),
        ("google/gemini-3-flash-preview", ("approximated", NONE), ("honoured", LOW)),
        ("google/gemini-3.1-pro", ("impossible", LOW), ("honoured", LOW)),
        ("google/gemini-2.0-flash", ("honoured", NOTHING), ("impossible", NOTHING)),
        ("google/gemini-9-flash", ("approximated", NONE), ("approximated", LOW)),
        ("grok/grok-4.7", ("impossible", LOW), ("honoured", LOW)),
        ("grok/grok-4", ("impossible", NOTHING), ("honoured", NOTHING)),
        ("grok/grok-4.3", ("impossible", NOTHING), ("honoured", LOW)),
        ("groq/qwen/qwen3-32b", ("impossible", NOTHING), ("honoured", NOTHING)),
        (
            "mistral/mistral-medium-2604",
            ("honoured", NONE),
            ("honoured", {"reasoning_effort": "high"}),
        ),
        ("meta/muse-spark-1.3", ("impossible", LOW), ("honoured", LOW)),
        ("azureai/gpt-4o", ("honoured", NOTHING), ("impossible", NOTHING)),
        ("hf/Qwen/Qwen3-8B", ("approximated", NOTHING), ("approximated", NOTHING)),
        ("openrouter/house/model", ("approximated", NONE), ("approximated", TOKENS)),
        ("mockllm/model", ("approximated", NONE), ("approximated", TOKENS)),
        ("vr_sim/steady", ("approximated", NONE), ("approximated", TOKENS)),
        ("vr_local/smollm2", ("honoured", NOTHING), ("impossible", NOTHING)),
        ("brand-new/model", ("approximated", NONE), ("approximated", TOKENS)),
        ("nothing", ("approximated", NONE), ("approximated", TOKENS)),
    ],
)
def test_models_that_no_wire_test_reaches(
    model: str,
    off: tuple[str, GenerateConfigArgs],
    on: tuple[str, GenerateConfigArgs],
) -> None:
    for thinking, expected in ((False, off), (True, on)):
        resolution = resolve(model, thinking=thinking)
        assert (resolution.reasoning.status, resolution.config) == expected


@pytest.mark.parametrize(
    ("model", "thinking", "stops"),
    [
        ("anthropic/claude-3-5-haiku-latest", True, True),
        ("anthropic/claude-opus-5-5", False, True),
        ("anthropic/claude-opus-5-5", True, False),
        ("anthropic/claude-opus-6", False, False),
        ("openai/gpt-4o", True, True),
        ("openai/gpt-5", False, True),
        ("openai/gpt-5.1", False, False),
        ("openai-api/service/gpt-4o", True, False),
        ("google/gemini-3.1-pro", False, True),
        ("google/gemini-3-flash-preview", False, False),
        ("bedrock/anthropic.claude-opus-5", False, True),
        ("vllm/openai/gpt-oss-20b", False, False),
        ("ollama/llama3.1:8b", True, False),
        ("vr_local/smollm2", True, False),
        ("mockllm/model", True, False),
        ("brand-new/gpt-4o", True, False),
    ],
)
def test_only_a_known_model_that_cannot_stops_a_run(
    model: str, thinking: bool, stops: bool
) -> None:
    assert resolve(model, thinking=thinking).stops_run is stops
    assert not resolve_from_flags(model, thinking=thinking).stops_run


@pytest.mark.parametrize(
    ("model", "status"),
    [
        ("anthropic/claude-sonnet-4-5", "honoured"),
        ("anthropic/claude-opus-4-7", "approximated"),
        ("openai/gpt-5.1", "approximated"),
        ("moonshot/kimi-k2.6", "impossible"),
        ("openai/gpt-4o", "impossible"),
        ("brand-new/model", "approximated"),
    ],
)
def test_budget(model: str, status: str) -> None:
    on = resolve(model, thinking=True)
    assert on.budget is not None
    assert on.budget.status == status
    assert resolve(model, thinking=False).budget is None


def test_a_budget_of_ones_own_is_sent() -> None:
    assert resolve("anthropic/claude-haiku-4-5", thinking=True, budget=3000).config == {
        "reasoning_tokens": 3000
    }


@pytest.mark.parametrize(
    ("model", "thinking", "temperature", "status", "sent"),
    [
        ("anthropic/claude-sonnet-4-5", False, None, "impossible", "nothing"),
        ("anthropic/claude-sonnet-4-5", True, None, "honoured", "nothing"),
        ("openrouter/anthropic/claude-sonnet-4.5", False, None, "honoured", "temperature=0"),
        ("openrouter/anthropic/claude-opus-4.7", False, None, "impossible", "temperature=0"),
        ("openrouter/openai/o3", False, None, "impossible", "temperature=0"),
        ("openai-api/house/claude-opus-4-7", False, None, "impossible", "temperature=0"),
        ("openai/ft:o4-mini-2025-04-16:house::a", False, None, "impossible", "nothing"),
        ("openai/o5-mini", False, None, "impossible", "nothing"),
        ("openai/gpt-5.1", False, None, "honoured", "temperature=0"),
        ("openai/gpt-5.1", True, 0.7, "impossible", "nothing"),
        ("openai/gpt-5", False, None, "impossible", "nothing"),
        ("openai/gpt-4o", False, 0.7, "honoured", "temperature=0.7"),
        ("moonshot/kimi-k2.6", False, None, "impossible", "nothing"),
        ("together/moonshotai/Kimi-K2.6", False, None, "honoured", "temperature=0"),
        ("mockllm/model", False, None, "honoured", "temperature=0"),
    ],
)
def test_temperature(
    model: str, thinking: bool, temperature: float | None, status: str, sent: str
) -> None:
    setting = resolve(model, thinking=thinking, temperature=temperature).temperature
    assert (setting.status, setting.sent) == (status, sent)


def test_max_tokens() -> None:
    assert resolve("openai/gpt-5.1", thinking=False).max_tokens.sent == "max_tokens=1000"
    assert resolve("openai/gpt-5.1", thinking=True).max_tokens.sent == "max_tokens=4000"
    on = resolve("openai/gpt-5.1", thinking=True, max_tokens=9)
    assert on.max_tokens.sent == "max_tokens=9"


@given(st.text(), st.booleans())
def test_no_name_is_an_error(name: str, thinking: bool) -> None:
    resolution = resolve(name, thinking=thinking)
    assert resolution.model == name
    assert not resolution.config.keys() & {"temperature", "max_tokens"}
    GenerateConfig(**resolution.config)


@given(st.sampled_from(sorted(PROVIDERS)), st.sampled_from(sorted(EXAMPLES.values())))
def test_any_model_on_any_provider(provider: str, model: str) -> None:
    for thinking in (False, True):
        resolution = resolve(f"{provider}/{model.partition('/')[2]}", thinking=thinking)
        assert resolution.provider == provider
        # what is called impossible says why
        assert resolution.reasoning.note or resolution.reasoning.status == "honoured"


def test_what_is_sent_cannot_spoil_the_table() -> None:
    first = resolve("vllm/Qwen/Qwen3-8B", thinking=False)
    extra_body = first.config["extra_body"]
    assert extra_body is not None
    extra_body.clear()
    assert resolve("vllm/Qwen/Qwen3-8B", thinking=False).config == {
        "extra_body": {"chat_template_kwargs": {"enable_thinking": False}}
    }


def test_description_is_flat() -> None:
    off = describe(resolve("anthropic/claude-opus-4-8", thinking=False))
    assert off == {
        "thinking_asked": False,
        "thinking_family": "Claude 4.7 and 4.8",
        "thinking_known": True,
        "thinking_status": "honoured",
        "reasoning_sent": "reasoning_effort=none",
        "budget_status": "not asked",
        "temperature_status": "impossible",
        "max_tokens_status": "honoured",
        "thinking_note": "temperature: Inspect's anthropic provider omits it: not supported by "
        "the API",
    }
    on = describe(resolve("openai/gpt-4o", thinking=True))
    assert on["thinking_status"] == "impossible"
    assert "reasoning: it does not think" in str(on["thinking_note"])
    for description in (off, on):
        assert all(isinstance(value, str | bool) for value in description.values())


def test_untouched_knows_the_users_temperature_and_max_tokens() -> None:
    resolution = resolve_from_flags(
        "openai/gpt-5.1", True, GenerateConfig(temperature=0.7, max_tokens=300)
    )
    assert resolution.temperature.status == "impossible"
    assert resolution.max_tokens.sent == "max_tokens=300"


def test_untouched_sends_nothing_and_says_so() -> None:
    resolution = resolve_from_flags("anthropic/claude-opus-5-5", thinking=False)
    assert resolution.config == {}
    description = describe(resolution)
    assert description["reasoning_sent"] == "nothing"
    assert "reasoning=flags" in str(description["thinking_note"])


@pytest.mark.parametrize(("budget", "max_tokens"), [(4000, 4000), (5000, 4000)])
def test_a_budget_without_room_is_an_error_that_names_both(budget: int, max_tokens: int) -> None:
    with pytest.raises(InputError, match=rf"{budget}.*{max_tokens}") as raised:
        check_budget(budget, max_tokens)
    assert not re.search(r"\n", raised.value.message)


@pytest.mark.parametrize(("budget", "max_tokens"), [(2000, 4000), (3999, 4000), (9000, None)])
def test_a_budget_with_room(budget: int, max_tokens: int | None) -> None:
    check_budget(budget, max_tokens)


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({}, []),
        ({"temperature": 0.7, "max_tokens": 50}, []),
        ({"reasoning_tokens": 2000}, []),
        (
            {"reasoning_tokens": 9000},
            ["--reasoning-tokens 9000 ignored: the thinking condition sets reasoning_tokens=2000"],
        ),
        (
            {"reasoning_effort": "high"},
            ["--reasoning-effort high ignored: the thinking condition sets reasoning_tokens=2000"],
        ),
    ],
)
def test_differing_flags(flags: GenerateConfigArgs, expected: list[str]) -> None:
    resolution = resolve("anthropic/claude-haiku-4-5", thinking=True)
    assert overridden_flags(GenerateConfig(**flags), resolution) == expected


def output(*content: Content, reasoning_tokens: int | None = None) -> ModelOutput:
    output = ModelOutput.from_message(ChatMessageAssistant(content=list(content)))
    output.usage = ModelUsage(reasoning_tokens=reasoning_tokens)
    return output


ANSWER = ContentText(text="<answer>A</answer>")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (ModelOutput.from_content("m", "<answer>A</answer>"), False),
        (output(ANSWER), False),
        (output(ANSWER, reasoning_tokens=0), False),
        (output(ANSWER, reasoning_tokens=12), True),
        (output(ContentReasoning(reasoning="so"), ANSWER), True),
        (output(ContentReasoning(reasoning="", summary="so"), ANSWER), True),
        (output(ContentReasoning(reasoning="", redacted=True), ANSWER), True),
        (output(ContentReasoning(reasoning=""), ANSWER), False),
        # left in the text by a server
        (ModelOutput.from_content("m", "So.\n</think>\n<answer>A</answer>"), True),
        (ModelOutput.from_content("m", "<think>So.</think><answer>A</answer>"), True),
        (ModelOutput.from_content("m", "<think>So. <answer>A</answer>"), True),
        (ModelOutput.from_content("m", "<think>\n\n</think>\n<answer>A</answer>"), False),
        (ModelOutput.from_content("m", "\n</think>\n<answer>A</answer>"), False),
        (ModelOutput(), False),
    ],
)
def test_thought(given: ModelOutput, expected: bool) -> None:
    assert thought(given) is expected


def test_resolutions_are_values() -> None:
    resolution: Resolution = resolve("openai/gpt-5.1", thinking=True)
    assert resolution == resolve("openai/gpt-5.1", thinking=True)
    assert len({resolution, resolve("openai/gpt-5.1", thinking=True)}) == 1
