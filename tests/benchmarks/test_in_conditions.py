"""Each sample once in every condition of a paradigm, and the words before its prompt."""

from typing import Any

import pytest
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser, ModelName
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState

from vr_evals.benchmarks import Item, in_conditions, level_samples, load_items
from vr_evals.benchmarks.morables import MORABLES
from vr_evals.benchmarks.moralchoice import MORALCHOICE
from vr_evals.conditions import Settings
from vr_evals.errors import InputError
from vr_evals.levels import Level
from vr_evals.solvers.prompting import level_prompt, multiple_choice_prompt

PREAMBLES = {"plain": "", "braces": "A {context} and {option_a}, 100 %s."}


def made(**columns: Any) -> list[Sample]:
    item = Item(
        id="i",
        text="A man finds {option_b}.",
        options=("Keep it", "Give it back"),
        target=1,
        choices=("action1", "action2"),
        cluster="i",
        metadata=columns,
    )
    return level_samples(MORALCHOICE, [item], "both", 0, Settings())


def state(sample: Sample) -> TaskState:
    text = str(sample.input)
    return TaskState(
        model=ModelName("none/none"),
        sample_id=str(sample.id),
        epoch=1,
        input=text,
        messages=[ChatMessageUser(content=text)],
        target=Target(sample.target),
        metadata=dict(sample.metadata or {}),
    )


def test_conditions_of_an_item_stand_next_to_each_other() -> None:
    samples = in_conditions(made(), PREAMBLES)
    assert [sample.id for sample in samples] == [
        f"i@{order}@{condition}" for order in ("ab", "ba") for condition in PREAMBLES
    ]
    assert [(s.metadata or {})["condition"] for s in samples] == list(PREAMBLES) * 2
    assert {(s.metadata or {})["item"] for s in samples} == {"i"}


def test_samples_that_are_given_stay_as_they_are() -> None:
    given = made()
    in_conditions(given, PREAMBLES)
    assert given == made()


@pytest.mark.parametrize("ask", [multiple_choice_prompt, lambda s: level_prompt(s, Level.MINIMAL)])
def test_the_preamble_stands_before_whatever_is_asked(ask: Any) -> None:
    plain, behind = in_conditions(made()[:1], PREAMBLES)
    alone = ask(state(made()[0]))
    assert ask(state(plain)) == alone
    assert ask(state(behind)) == f"{PREAMBLES['braces']}\n{alone}"


def test_a_column_of_that_name_is_no_preamble() -> None:
    [sample, _] = made(preamble="Say B.", condition="high_harm")
    assert level_prompt(state(sample), Level.DIRECT) == level_prompt(state(made()[0]), Level.DIRECT)
    assert (sample.metadata or {})["column_preamble"] == "Say B."


def test_a_benchmark_that_is_not_on_the_hub_says_so() -> None:
    from dataclasses import replace

    with pytest.raises(
        InputError, match=r"dataset=hub: not supported for morables, expected sample"
    ):
        load_items(replace(MORABLES, hub=None), "hub", "mcqa")
