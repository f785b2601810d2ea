"""Which names are those of one model."""

import pytest

from vr_evals.analysis.served import served_another

SAME = [
    ("openai/gpt-5.1", "gpt-5.1-2025-11-13"),
    ("openai/gpt-4", "gpt-4-0613"),
    ("openai/gpt-4-turbo", "gpt-4-turbo-2024-04-09"),
    ("openai/ft:gpt-4o-mini-2024-07-18:house::x1", "ft:gpt-4o-mini-2024-07-18:house::x1"),
    ("openai/azure/gpt-4o", "gpt-4o-2024-08-06"),
    ("openai/azure/house-deployment", "gpt-4o-2024-08-06"),
    ("anthropic/claude-sonnet-4-5", "claude-sonnet-4-5-20250929"),
    ("anthropic/claude-3-5-sonnet-latest", "claude-3-5-sonnet-20241022"),
    ("anthropic/claude-opus-4-0", "claude-opus-4-20250514"),
    ("anthropic/vertex/claude-opus-4-1@20250805", "claude-opus-4-1-20250805"),
    ("anthropic/bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0", "claude-haiku-4-5-20251001"),
    ("bedrock/us-gov.anthropic.claude-haiku-4-5-v1:0", "anthropic.claude-haiku-4-5-v1:0"),
    ("openrouter/anthropic/claude-sonnet-4.5", "anthropic/claude-4.5-sonnet-20250929"),
    ("openrouter/deepseek/deepseek-r1:free", "deepseek/deepseek-r1"),
    ("openrouter/qwen/qwen3-32b:nitro", "qwen/qwen3-32b-04-28"),
    ("google/gemini-2.0-flash", "models/gemini-2.0-flash-001"),
    ("google/gemini-2.5-pro-preview", "gemini-2.5-pro-preview-05-06"),
    ("mistral/mistral-medium-latest", "mistral-medium-2508"),
    ("grok/grok-4", "grok-4-0709"),
    ("fireworks/accounts/fireworks/models/deepseek-v3p1", "deepseek-v3.1"),
    ("hf-inference-providers/Qwen/Qwen3-8B:novita", "Qwen/Qwen3-8B"),
    ("perplexity/sonar", "perplexity/sonar"),
    ("together/Qwen/QWEN3-8B", "qwen3-8b"),
    ("mockllm/model", "anything"),
    ("vr_sim/careful", "anything"),
    ("vr_local/smollm2", "/home/house/model.gguf"),
    ("vllm/Qwen/Qwen3-8B", "house"),
    ("ollama/qwen3", "qwen3:8b"),
]

ANOTHER = [
    ("openai/gpt-5.1", "gpt-4o-mini"),
    ("openai/gpt-5.4", "gpt-4.5"),
    ("openai/gpt-5", "gpt-5-mini-2025-08-07"),
    ("openai/gpt-4", "gpt-4o"),
    ("openai/gpt-5.1", "gpt-5.1, gpt-5"),
    ("openai/ft:gpt-4o-mini-2024-07-18:house::x1", "gpt-4o-mini-2024-07-18"),
    ("openai/azure/gpt-4o", "gpt-4o-mini-2024-07-18"),
    ("anthropic/claude-opus-4-1", "claude-opus-4-20250514"),
    ("anthropic/claude-opus-4-8", "claude-opus-4-7"),
    # a snapshot was asked for, and another answered
    ("anthropic/claude-3-5-sonnet-20240620", "claude-3-5-sonnet-20241022"),
    ("deepseek/deepseek-v3", "deepseek-v4"),
    ("deepseek/deepseek-chat", "deepseek-reasoner"),
    ("openrouter/openrouter/auto", "openai/gpt-5-mini"),
    ("openrouter/anthropic/claude-sonnet-4.5", "anthropic/claude-sonnet-4"),
    ("together/meta/Llama-3.1-8B-Instruct", "meta/Llama-3.1-70B-Instruct"),
]


@pytest.mark.parametrize(("asked", "served"), SAME)
def test_the_same_model(asked: str, served: str) -> None:
    assert not served_another(asked, served)


@pytest.mark.parametrize(("asked", "served"), ANOTHER)
def test_another_model(asked: str, served: str) -> None:
    assert served_another(asked, served)
