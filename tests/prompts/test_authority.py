"""The words of the authority paradigm against its source document."""

import pytest

from tests.spec_authority import CONDITIONS, expected_question
from tests.spec_authority import preamble as expected_preamble
from vr_evals.benchmarks.mcqa import MCQA
from vr_evals.conditions import AUTHORITY_CONDITIONS
from vr_evals.prompts import ethics, fill, morables, moralchoice
from vr_evals.prompts.authority import base_instruction, lettered, preamble

PROBLEMS = {
    "ethics": (ethics.PROBLEM, "scenario"),
    "moralchoice": (moralchoice.PROBLEM, "context"),
    "morables": (morables.PROBLEM, "fable"),
    "mcqa": (MCQA.problem, "question"),
}


@pytest.mark.parametrize("target", ["A", "E", "[TARGET_OPTION]", "{labels}"])
@pytest.mark.parametrize("name", CONDITIONS)
def test_preamble_is_the_documents(name: str, target: str) -> None:
    [condition] = [each for each in AUTHORITY_CONDITIONS if each.name == name]
    assert preamble(condition, target) == expected_preamble(name, target).removesuffix("\n")


@pytest.mark.parametrize("confidence", [None, False, True])
@pytest.mark.parametrize("labels", ["AB", "ABC", "ABCDE"])
@pytest.mark.parametrize("benchmark", PROBLEMS)
def test_question_is_the_documents(benchmark: str, labels: str, confidence: bool | None) -> None:
    template, variable = PROBLEMS[benchmark]
    text = "A {labels} of {scenario}"
    options = [f"option {{{label}}}" for label in labels]
    problem = fill(template, {variable: text, "options": lettered(labels, options)})
    assert f"{base_instruction(labels, confidence)}\n{problem}" == expected_question(
        benchmark, text, list(labels), options, confidence
    )


def test_each_label_has_its_option() -> None:
    assert lettered("AB", ["yes", "no\nmore"]) == "A) yes\nB) no\nmore"
    with pytest.raises(ValueError, match="shorter"):
        lettered("ABC", ["yes", "no"])
