"""Rules that no line of the table of models needs at present, but a new one may."""

from dataclasses import replace

import pytest
from inspect_ai.model import GenerateConfig, GenerateConfigArgs

from vr_evals.solvers.thinking_rules import Match, temperature_setting, turn_off

MATCH = Match.of("openai/gpt-oss-120b")


def test_the_least_thinking_is_what_the_provider_has_for_it() -> None:
    own: GenerateConfigArgs = {"reasoning_effort": "minimal"}
    provider = replace(MATCH.provider, asked_with={MATCH.family.name: own})
    _, _, config = turn_off(replace(MATCH, provider=provider))
    assert config == own
    assert config is not own


@pytest.mark.parametrize(
    ("config", "status", "note"),
    [
        (GenerateConfig(reasoning_effort="low"), "impossible", "omits it in requests with thi"),
        (GenerateConfig(reasoning_effort="none"), "honoured", ""),
    ],
)
def test_a_temperature_that_only_the_provider_leaves_out(
    config: GenerateConfig, status: str, note: str
) -> None:
    match = replace(
        MATCH,
        family=replace(MATCH.family, temperature="supported"),
        provider=replace(MATCH.provider, no_temperature={"thinking on": ""}),
    )
    found = temperature_setting(match, 0.5, thinks=True, config=config)
    assert (found.status, note in found.note) == (status, True)
