"""``vr-evals tasks`` lists what Inspect has registered."""

import inspect
import json
import re
from functools import partial
from typing import Any

import pytest
from inspect_ai.util import registry_info

import vr_evals._registry as registry
from tests.commands.running import printed, typed

REGISTERED = {
    name: value
    for name, value in vars(registry).items()
    if callable(value) and "Task" in str(inspect.signature(value).return_annotation)
}


shown = partial(printed, "tasks")


def as_json(*words: str) -> dict[str, dict[str, Any]]:
    return {task.pop("name"): task for task in json.loads(shown("--json", *words))}


def test_every_registered_task_is_listed_with_its_parameters() -> None:
    listed = as_json()
    assert len(listed) >= 36
    assert set(listed) == {registry_info(make).name for make in REGISTERED.values()}
    for name, make in REGISTERED.items():
        task = listed[f"vr_evals/{name}"]
        assert task["summary"] == (make.__doc__ or "").splitlines()[0]
        attributes = registry_info(make).metadata["attribs"]
        assert {key: task[key] for key in attributes} == attributes
        signature = inspect.signature(make).parameters
        assert list(task["parameters"]) == [p for p in signature if p != "unknown"]
        for parameter, said in task["parameters"].items():
            assert said["default"] == signature[parameter].default
            assert said["values"]
            assert said["meaning"]


def test_piped_a_task_is_a_line() -> None:
    rows = [line.split("\t") for line in shown().splitlines()]
    assert [name for name, _, _ in rows] == list(as_json())
    _, summary, parameters = next(
        row for row in rows if row[0] == "vr_evals/ethics_level5_thinking"
    )
    assert summary == "ETHICS, level 5, thinking on: answer, then reflect on the answer."
    assert "thinking_budget=2000" in parameters.split()
    assert "include_confidence=unset" in parameters.split()
    assert "allow_unhonoured=false" in parameters.split()


def test_in_a_terminal_of_80_columns_nothing_is_lost() -> None:
    output = shown(FORCE_COLOR="1", COLUMNS="80")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", output)
    assert plain != output
    assert max(map(len, plain.splitlines())) <= 80
    assert "…" not in plain
    words = plain.split()
    tasks = as_json()
    assert all(name in words for name in tasks)
    assert all(parameter in words for task in tasks.values() for parameter in task["parameters"])


def where(parameter: str, default: str, *words: str) -> str:
    """On which tasks the table says that a parameter has a default."""
    output = re.sub(r"\x1b\[[0-9;]*m", "", shown(*words, FORCE_COLOR="1", COLUMNS="200"))
    [line] = [line for line in output.splitlines() if line.split()[:2] == [parameter, default]]
    return re.split(r"  +", line.strip())[-1]


@pytest.mark.parametrize(
    ("parameter", "default", "words"),
    [
        ("seed", "0", "all"),
        ("thinking_budget", "2000", "levels with thinking; authority"),
        ("level", "unset", "authority of ethics, morables, moralchoice"),
        ("option_order", "seeded", "levels of morables, moralchoice; authority"),
    ],
)
def test_the_table_says_which_tasks_have_a_parameter(
    parameter: str, default: str, words: str
) -> None:
    assert where(parameter, default) == words


def test_one_benchmark() -> None:
    of_ethics = as_json("--benchmark", "ethics")
    assert of_ethics == {n: t for n, t in as_json().items() if n.startswith("vr_evals/ethics_")}
    assert where("second_pass", "conversation", "--benchmark", "ethics") == "level 5; authority"


def test_unknown_benchmark_is_a_usage_error() -> None:
    result = typed("tasks", "--benchmark", "ethic")
    assert result.exit_code == 2
    assert "'ethic' must be one of ethics, " in result.output
