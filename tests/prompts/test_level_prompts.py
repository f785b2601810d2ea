"""The words of every level against their source document."""

from pathlib import Path

import pytest

from tests.spec import block, expected_prompt
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


def test_a_level_of_our_own_is_on_the_page_of_additions(tmp_path: Path) -> None:
    level = len(Level)
    source = "## ETHICS Benchmark Prompts\n\n### Level 0: Direct\n\n```\nThe source's.\n```\n"
    ours = "".join(
        f"\n## {n}. Level {n}: More\n\n### {n}.1 ETHICS\n\n```\nOurs {n}.\n```\n"
        for n in (0, level)
    )
    (tmp_path / "prompts.md").write_text(source, encoding="utf-8")
    (tmp_path / "additions.md").write_text(ours, encoding="utf-8")
    assert block("ethics", 0, spec=tmp_path) == "The source's."
    assert block("ethics", level, spec=tmp_path) == f"Ours {level}."
