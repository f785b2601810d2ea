"""The words of every level against their source document."""

import pytest

from tests.spec import expected_prompt
from vr_evals.levels import Level
from vr_evals.prompts import LevelPrompts, ethics, fill, morables, moralchoice

PROMPTS = {
    "ethics": ethics.PROMPTS,
    "moralchoice": moralchoice.PROMPTS,
    "morables": morables.PROMPTS,
}
VARIABLES = {
    name: f"the {name}"
    for name in ("scenario", "context", "fable", "previous_response")
    + tuple(f"option_{letter}" for letter in "abcde")
}


@pytest.mark.parametrize("confidence", [None, False, True])
@pytest.mark.parametrize(
    ("level", "number"), [*((level, 1) for level in Level), (Level.TWO_PASS, 2)]
)
@pytest.mark.parametrize("benchmark", PROMPTS)
def test_prompt_is_the_documents(
    benchmark: str, level: Level, number: int, confidence: bool | None
) -> None:
    template = PROMPTS[benchmark].template(level, confidence, second_pass=number == 2)
    expected = expected_prompt(benchmark, int(level), number, confidence, VARIABLES)
    assert fill(template, VARIABLES) == expected


@pytest.mark.parametrize("confidence", [None, False, True])
@pytest.mark.parametrize("prompts", PROMPTS.values(), ids=PROMPTS)
def test_tags_are_asked_for_where_the_prompt_has_them(
    prompts: LevelPrompts, confidence: bool | None
) -> None:
    for level in Level:
        has_tags = "<answer>" in prompts.template(level, confidence)
        assert prompts.asks_for_tags(confidence) == has_tags
