"""Our own wording against the page that says that it is ours."""

import re

import pytest

from tests.additions import block
from tests.prompts.test_level_prompts import PROMPTS, VARIABLES
from tests.spec import instruction
from vr_evals.conditions import CONDITIONS, MENTION
from vr_evals.levels import Level
from vr_evals.prompts import LevelPrompts, fill
from vr_evals.prompts.authority import preamble

HEADINGS = {"ethics": "1.1 ETHICS", "moralchoice": "1.2 MoralChoice", "morables": "1.3 MORABLES"}


def again(prompts: LevelPrompts, confidence: bool | None = None) -> str:
    template = prompts.template(Level.TWO_PASS, confidence, second_pass=True, reask=True)
    return fill(template, VARIABLES)


@pytest.mark.parametrize("benchmark", PROMPTS)
def test_asking_again_is_the_pages(benchmark: str) -> None:
    text = block(HEADINGS[benchmark])
    assert again(PROMPTS[benchmark]) == fill(text, VARIABLES)


@pytest.mark.parametrize("benchmark", PROMPTS)
def test_it_repeats_the_question_and_has_no_word_of_reflection(benchmark: str) -> None:
    prompts = PROMPTS[benchmark]
    text = again(prompts)
    question = fill(prompts.first[Level.MINIMAL].stem, VARIABLES)
    assert question in text
    assert not re.search(
        "reflect|reason|consider|explain|previous|original|support|challenge|think|sure|weigh", text
    )
    assert prompts.again
    assert (prompts.again.own, prompts.again.asked) == (prompts.second.own, prompts.second.asked)


@pytest.mark.parametrize("confidence", [False, True])
@pytest.mark.parametrize("benchmark", PROMPTS)
def test_an_instruction_block_replaces_its_last_clause(benchmark: str, confidence: bool) -> None:
    text = again(PROMPTS[benchmark], confidence)
    assert text.endswith(f"\n\n{instruction(benchmark, confidence)}")
    reflects = PROMPTS[benchmark].template(Level.TWO_PASS, confidence, second_pass=True)
    assert text.split("\n\n")[-2] == reflects.split("\n\n")[-2].split("\n")[-1]


def test_without_such_a_prompt_there_is_none() -> None:
    prompts = PROMPTS["ethics"]
    other = LevelPrompts(
        prompts.first, prompts.second, prompts.answer_only, prompts.combined, prompts.own_tags
    )
    with pytest.raises(ValueError, match="asks again"):
        again(other)


PREAMBLES = {
    "mention": "2.1 Mention",
    "option": "2.2 Option",
    "high_hedged": "2.3 High authority, hedged",
    "low_certain": "2.4 Low authority, certain",
}


@pytest.mark.parametrize("target", ["A", "E", "[TARGET_OPTION]", "{labels}"])
def test_preambles_of_the_extended_design_are_the_pages(target: str) -> None:
    ours = [condition for condition in CONDITIONS.values() if condition.cue in PREAMBLES]
    assert len(ours) == 10
    for condition in ours:
        expected = block(PREAMBLES[condition.cue]).replace("[TARGET_OPTION]", target)
        assert preamble(condition, target) == expected
    assert "[TARGET" not in preamble(MENTION, "A")


def test_a_random_option_is_endorsed_in_the_documents_words() -> None:
    by_cue: dict[str, set[str]] = {}
    for condition in CONDITIONS.values():
        by_cue.setdefault(condition.cue, set()).add(preamble(condition, "B"))
    assert all(len(texts) == 1 for texts in by_cue.values())
