"""Our own wording against the page that says that it is ours."""

import re

import pytest

from tests.additions import block
from tests.prompts.test_level_prompts import PROMPTS, VARIABLES
from tests.spec import instruction
from vr_evals.levels import Level
from vr_evals.prompts import LevelPrompts, fill

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
