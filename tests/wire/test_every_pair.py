"""What is said to be sent against what Inspect sends, for every provider × family of the table.

The pairs are made from the table, so a new line of it is tested by being there. Each is asked with
the provider's real client; the server keeps the request and refuses it. Providers whose client is
not installed are skipped: ``pip install google-genai groq mistralai azure-ai-inference`` adds them.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import pytest
from inspect_ai.model import GenerateConfig, GenerateConfigArgs, get_model

from tests.breadth import first_of_each
from tests.model_names import EXAMPLES, FORMS
from tests.wire.bodies import limits, reasoning_words, temperature
from tests.wire.server import Failure, Wire
from vr_evals.conditions import thinking_condition
from vr_evals.solvers.thinking import Resolution, resolve
from vr_evals.solvers.thinking_rules import Match
from vr_evals.solvers.thinking_table import PROVIDERS

CLIENTS = {
    "google": "google.genai",
    "groq": "groq",
    "mistral": "mistralai",
    "azureai": "azure.ai.inference",
}
"""The packages of the clients that the tests' own environment need not have."""

NO_REQUESTS = {"grok", "hf", "transformer_lens", "nnterp", "vr_local", "vr_sim", "mockllm"}
"""Providers without requests that this server understands: gRPC, or a model in this process."""

OVER_HTTP = sorted(PROVIDERS.keys() - NO_REQUESTS)


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch, wire: Wire) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "CLOUDFLARE_ACCOUNT_ID"):
        monkeypatch.setenv(name, "dummy")
    for name in ("HOUSE_API_KEY", "AZUREAI_OPENAI_API_KEY", "AZUREAI_API_KEY"):
        monkeypatch.setenv(name, "dummy")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("OPENAI_API_VERSION", "2025-04-01-preview")
    wire.answer = lambda request: Failure(400, "kept", sdk_retries=False)


def names(provider: str) -> Iterator[str]:
    """The name of each family as this provider might have it."""
    for example in EXAMPLES.values():
        name = example.partition("/")[2]
        if provider != "openai":
            name = name.removeprefix("azure/")
        name = name.removeprefix("vertex/")
        if provider == "google":  # its client takes a slash for a path
            name = name.rpartition("/")[2]
        yield f"{provider}/house/{name}" if provider == "openai-api" else f"{provider}/{name}"


def sent(wire: Wire, model: str, config: GenerateConfig) -> Mapping[str, Any] | None:
    """The body of the request that Inspect builds; None where the client itself refuses it."""
    provider = model.partition("/")[0]
    pytest.importorskip(CLIENTS.get(provider, "inspect_ai"))
    own: dict[str, Any] = {}
    if provider == "litellm-proxy":
        own = {"model_info": False}
    if provider == "sagemaker":
        own = {"endpoint_name": "house", "endpoint_url": wire.url}

    async def ask() -> None:
        async with wire.model(model, **own) as asked:
            await asked.generate("Is it wrong?", config=config)

    wire.requests.clear()
    with suppress(Exception):  # whatever a provider makes of a refusal
        asyncio.run(ask())
    return wire.calls[0].body if wire.calls else None


def differences(resolution: Resolution, body: Mapping[str, Any]) -> list[str]:
    """Where what is said to be sent is not what was sent."""
    words = reasoning_words(body)
    found = []
    for setting, value in {
        "temperature": temperature(body),
        "max_tokens": limits(body),
    }.items():
        said = resolution.settings[setting]
        assert said is not None
        shown = "nothing" if value is None else f"{setting}={value:g}"
        if said.sent != shown:
            found.append(f"{setting}: {said.sent} said, {shown} sent")
    if not reaches(resolution.config, words):
        found.append(f"reasoning: {resolution.reasoning.sent} said, {words} sent")
    budget = resolution.budget
    if budget and budget.status == "honoured" and 2000 not in words.values():
        found.append(f"budget: {budget.sent} said, {words} sent")
    return found


def reaches(config: GenerateConfigArgs, words: Mapping[str, Any]) -> bool:
    """Whether a request asks for reasoning as a config does, and for nothing else."""
    left = dict(words)
    # a provider's default that it writes out
    if left.get("thinking.type") == "adaptive" and not config:
        del left["thinking.type"]
    values = [str(value).lower() for value in left.values()]
    off = {"none", "disabled", "between_tools", "0"}
    effort = config.get("reasoning_effort")
    wanted = [
        effort is None or (effort in values) or (effort == "none" and bool(off & set(values))),
        # tokens alone turn on what Inspect's bedrock provider knows no effort of
        config.get("reasoning_tokens") is None
        or str(config.get("reasoning_tokens")) in values
        or "adaptive" in values,
        all(
            left.get(name) == value
            for name, value in reasoning_words(config.get("extra_body") or {}).items()
        ),
        bool(config) or not left,
    ]
    return all(wanted)


def compared(wire: Wire, model: str) -> list[str] | None:
    """All that differs for a model under both conditions, with a temperature of one's own in one.

    None if no request is made: some clients refuse a few names, or settings that belong to them.
    """
    found = []
    for thinking, own in ((False, None), (True, 0.7)):
        condition = thinking_condition(thinking)
        degrees = condition.temperature if own is None else own
        resolution = resolve(model, thinking=thinking, temperature=degrees)
        config = GenerateConfig(temperature=degrees, max_tokens=condition.max_tokens)
        body = sent(wire, model, config.merge(resolution.config))
        if body is None:
            return None
        found += [
            f"{model} {'on' if thinking else 'off'}: {difference}"
            for difference in differences(resolution, body)
        ]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("provider", OVER_HTTP)
def test_every_family_on_every_provider(wire: Wire, provider: str) -> None:
    found = [compared(wire, name) for name in names(provider)]
    asked = [lines for lines in found if lines is not None]
    assert [line for lines in asked for line in lines] == []
    assert len(asked) > 0.7 * len(found)


@pytest.mark.parametrize(
    "model",
    first_of_each(
        [name for name in FORMS if name.split("/")[0] in OVER_HTTP],
        lambda name: name.split("/")[0],
        2,
    ),
)
def test_every_form_of_a_name(wire: Wire, model: str) -> None:
    assert not compared(wire, model)


def test_which_groks_are_sent_an_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over gRPC, so by what Inspect's provider says of the names."""
    pytest.importorskip("xai_sdk")
    monkeypatch.setenv("XAI_API_KEY", "dummy")
    forms = [name for name in FORMS if name.startswith("grok/")]
    for model in [*names("grok"), *forms]:
        api: Any = get_model(model, memoize=False).api
        takes = api.is_grok_3_mini() or (api.is_at_least_grok_4() and not api.is_grok_4_original())
        assert Match.of(model).takes_effort == takes, model
