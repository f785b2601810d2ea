"""A wrong ``-T`` stops the run with one line; a right one reaches the task."""

import inspect
from typing import Annotated, Any, Literal, TypedDict, Unpack

import pytest
from inspect_ai import Task

from vr_evals.conditions import AUTHORITY_CONDITIONS
from vr_evals.errors import InputError
from vr_evals.levels import Level
from vr_evals.tasks import (
    ethics,
    ethics_authority,
    mcqa_authority,
    morables,
    morables_authority,
    moralchoice,
    moralchoice_authority,
)
from vr_evals.tasks.checks import Declared, checked, describe_type, parameters_of
from vr_evals.tasks.parameters import Budget, ItemCount, OnePass, OptionOrder


class Example(TypedDict, total=False):
    flag: Annotated[bool, Declared(False, "whether")]
    maybe: Annotated[bool | None, Declared(None, "whether or not")]
    order: Annotated[OptionOrder, Declared("seeded", "in which order")]
    items: Annotated[ItemCount, Declared(None, "how many")]
    budget: Annotated[Budget, Declared(2000, "how much")]
    seed: Annotated[int, Declared(0, "of the order")]
    dataset: Annotated[str, Declared("hub", "where from", "hub or a path")]


@checked
def example(**given: Unpack[Example]) -> Task:
    """A task that shows what it was given."""
    return Task(metadata=dict(given))


@checked
def written_out(
    flag: bool = False,
    maybe: bool | None = None,
    order: OptionOrder = "seeded",
    items: ItemCount = None,
    budget: Budget = 2000,
    seed: int = 0,
    dataset: str = "hub",
) -> Task:
    """The same with a signature of its own."""
    return Task(metadata=dict(locals()))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"flag": "maybe"}, "invalid -T flag 'maybe': expected true or false"),
        ({"flag": 1}, "invalid -T flag '1': expected true or false"),
        ({"flag": None}, "invalid -T flag 'null': expected true or false"),
        ({"maybe": "no"}, "invalid -T maybe 'no': expected true or false"),
        (
            {"order": "random"},
            "invalid -T order 'random': expected seeded, original, reversed or both",
        ),
        ({"order": True}, "invalid -T order 'true': expected seeded, "),
        ({"items": 0}, "invalid -T items '0': expected an integer of at least 1"),
        ({"items": "1e3"}, "invalid -T items '1e3': expected an integer of at least 1"),
        ({"items": True}, "invalid -T items 'true': expected an integer"),
        ({"items": 2.0}, "invalid -T items '2.0': expected an integer"),
        ({"budget": 1023}, "invalid -T budget '1023': expected an integer of at least 1024"),
        ({"seed": ["1", "2"]}, "invalid -T seed '1,2': expected an integer"),
        ({"dataset": 5}, "invalid -T dataset '5': expected "),
        ({"seed": "\x1b[2J\n"}, r"invalid -T seed '\x1b[2J\n': expected an integer"),
    ],
)
@pytest.mark.parametrize("task", [example, written_out])
def test_wrong_values(task: Any, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        task(**parameters)
    assert caught.value.message.startswith(f"{task.__name__}: {message}")
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("task", [example, written_out])
def test_unknown_names(task: Any) -> None:
    with pytest.raises(InputError) as caught:
        task(flagg=True)
    valid = "flag, maybe, order, items, budget, seed, dataset"
    assert caught.value.message == f"-T flagg: not a parameter of {task.__name__} (valid: {valid})"


@pytest.mark.parametrize("task", [example, written_out])
def test_right_values_and_defaults_reach_the_task(task: Any) -> None:
    given = {"flag": True, "maybe": False, "order": "both", "items": 3, "budget": 1024, "seed": -1}
    assert task(**given).metadata == {**given, "dataset": "hub"}
    assert task(True, None).metadata["flag"] is True
    defaults = {name: each.default for name, each in parameters_of(task).items()}
    assert task().metadata == defaults


@pytest.mark.parametrize("task", [example, written_out])
def test_the_signature_is_explicit_but_for_unknown_names(task: Any) -> None:
    parameters = inspect.signature(task).parameters
    assert list(parameters) == [*parameters_of(task), "unknown"]
    assert parameters["budget"].default == 2000
    assert parameters["unknown"].kind is inspect.Parameter.VAR_KEYWORD
    assert parameters["flag"].annotation is task.__annotations__["flag"] is bool
    assert parameters["budget"].annotation == Budget


def test_the_documentation_lists_what_is_declared() -> None:
    lines = (example.__doc__ or "").splitlines()
    assert lines[:4] == ["A task that shows what it was given.", "", "Args:", "    flag: whether"]
    assert lines[-1] == "    dataset: where from"
    assert written_out.__doc__ == "The same with a signature of its own."


def test_values_in_words_are_those_of_the_type_or_the_declaration() -> None:
    values = {name: each.values for name, each in parameters_of(example).items()}
    assert values["dataset"] == "hub or a path"
    assert values["items"] == "an integer of at least 1"
    assert {each.values for each in parameters_of(written_out).values()} >= {"text", "an integer"}
    assert describe_type(Literal["one"]) == "one"
    assert describe_type(int | str) == "an integer or text"


def test_a_subset_is_declared_by_its_benchmark() -> None:
    mine = Annotated[Literal["a", "b"], Declared("b", "which half")]

    @checked
    def halves(**given: Unpack[OnePass[mine]]) -> Task:
        """A task."""
        return Task(metadata=dict(given))

    subset = parameters_of(halves)["subset"]
    assert (subset.default, subset.meaning, subset.values) == ("b", "which half", "a or b")
    assert subset.type == Literal["a", "b"]


def test_a_parameter_without_a_declaration_is_an_error() -> None:
    class Bare(TypedDict, total=False):
        number: int

    with pytest.raises(TypeError, match=r"number: .*Declared"):

        @checked
        def bare(**given: Unpack[Bare]) -> Task:
            """A task."""
            return Task()


def test_a_task_may_have_defaults_of_its_own() -> None:
    @checked(dataset="sample")
    def of_mine(**given: Unpack[Example]) -> Task:
        """A task."""
        return Task(metadata=dict(given))

    assert (of_mine().metadata or {})["dataset"] == "sample"
    assert inspect.signature(of_mine).parameters["dataset"].default == "sample"
    assert parameters_of(of_mine)["dataset"].default == "sample"
    with pytest.raises(InputError, match="bad: invalid -T flag 'no'"):

        @checked(flag="no")
        def bad(**given: Unpack[Example]) -> Task:
            """A task."""
            return Task()


def test_calls_are_type_checked() -> None:
    """Each ignored error is one that mypy reports: an unused one is an error of mypy's."""
    with pytest.raises(InputError):
        ethics.ethics_level5(include_confidence="yes")  # type: ignore[arg-type]
    with pytest.raises(InputError):
        ethics.ethics_level5(subset="mcqa")  # type: ignore[arg-type]
    with pytest.raises(InputError):
        ethics.ethics_level0(second_pass="standalone")  # type: ignore[call-arg]
    with pytest.raises(InputError):
        mcqa_authority.mcqa_authority(level=1)  # type: ignore[call-arg]


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
@pytest.mark.parametrize("level", range(len(Level)))
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
    designed = set() if condition else {"design"}
    assert set(inspect.signature(task).parameters) == AUTHORITY | crossed | designed


@pytest.mark.parametrize("level", [True, False, 2.0])
def test_what_is_equal_to_a_level_is_none(level: object) -> None:
    with pytest.raises(InputError, match="invalid -T level '.*': expected 0, 1, 2, 3, 4 or 5"):
        parameters_of(ethics_authority.ethics_authority)["level"].check("ethics_authority", level)
