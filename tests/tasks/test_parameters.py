"""A wrong ``-T`` stops the run with one line; a right one reaches the task."""

import inspect
from typing import Any

import pytest
from inspect_ai import Task

from vr_evals.conditions import AUTHORITY_CONDITIONS
from vr_evals.errors import InputError
from vr_evals.tasks import (
    ethics,
    ethics_authority,
    mcqa_authority,
    morables,
    morables_authority,
    moralchoice,
    moralchoice_authority,
)
from vr_evals.tasks.parameters import Budget, ItemCount, OptionOrder, checked


@checked
def example(
    flag: bool = False,
    maybe: bool | None = None,
    order: OptionOrder = "seeded",
    items: ItemCount = None,
    budget: Budget = 2000,
    seed: int = 0,
    dataset: str = "hub",
) -> Task:
    """A task that shows what it was given."""
    return Task(metadata=dict(locals()))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"flag": "maybe"}, "-T flag=maybe: example takes true or false"),
        ({"flag": 1}, "-T flag=1: example takes true or false"),
        ({"flag": None}, "-T flag=None: example takes true or false"),
        ({"maybe": "no"}, "-T maybe=no: example takes true or false or nothing"),
        ({"order": "random"}, "-T order=random: example takes seeded, original, reversed, both"),
        ({"order": True}, "-T order=true: example takes seeded"),
        ({"items": 0}, "-T items=0: example takes an integer of at least 1 or nothing"),
        ({"items": "1e3"}, "-T items=1e3: example takes an integer of at least 1"),
        ({"items": True}, "-T items=true: example takes an integer"),
        ({"items": 2.0}, "-T items=2.0: example takes an integer"),
        ({"budget": 1023}, "-T budget=1023: example takes an integer of at least 1024"),
        ({"seed": ["1", "2"]}, "-T seed=['1', '2']: example takes an integer"),
        ({"dataset": 5}, "-T dataset=5: example takes text"),
        (
            {"flagg": True},
            "-T flagg: example has no such parameter; it has flag, maybe, order, items, budget, "
            "seed, dataset",
        ),
    ],
)
def test_wrong_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        example(**parameters)
    assert caught.value.message.startswith(message)
    assert "\n" not in caught.value.message


def test_right_parameters_reach_the_task() -> None:
    given = {"flag": True, "maybe": False, "order": "both", "items": 3, "budget": 1024, "seed": -1}
    assert example(**given).metadata == {**given, "dataset": "hub"}


def test_signature_is_explicit_but_for_unknown_names() -> None:
    parameters = inspect.signature(example).parameters
    assert list(parameters)[:2] == ["flag", "maybe"]
    assert parameters["budget"].default == 2000
    assert parameters["unknown"].kind is inspect.Parameter.VAR_KEYWORD


COMMON = {
    "include_confidence",
    "dataset",
    "subset",
    "reasoning",
    "items",
    "allow_unhonoured",
    "accept_changed_data",
    "seed",
}


@pytest.mark.parametrize("module", [ethics, moralchoice, morables])
@pytest.mark.parametrize("level", range(6))
@pytest.mark.parametrize("thinking", [False, True])
def test_every_task_has_the_parameters_that_make_sense(
    module: Any, level: int, thinking: bool
) -> None:
    benchmark = module.__name__.rsplit(".", 1)[1]
    task = getattr(module, f"{benchmark}_level{level}" + ("_thinking" if thinking else ""))
    expected = COMMON | {"unknown"}
    expected |= set() if benchmark == "ethics" else {"option_order"}
    expected |= {"second_pass"} if level == 5 else set()
    expected |= {"thinking_budget"} if thinking else set()
    assert set(inspect.signature(task).parameters) == expected


AUTHORITY = COMMON | {"option_order", "thinking", "thinking_budget", "unknown"}


@pytest.mark.parametrize(
    "module", [ethics_authority, mcqa_authority, morables_authority, moralchoice_authority]
)
@pytest.mark.parametrize("condition", [None, *(c.name for c in AUTHORITY_CONDITIONS)])
def test_every_authority_task_has_the_same_parameters(module: Any, condition: str | None) -> None:
    name = module.__name__.rsplit(".", 1)[1]
    task = getattr(module, f"{name}_{condition}" if condition else name)
    crossed = set() if name == "mcqa_authority" else {"level", "second_pass"}
    assert set(inspect.signature(task).parameters) == AUTHORITY | crossed
