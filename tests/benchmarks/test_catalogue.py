"""Benchmarks are known by their names, each name once."""

import re
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

from vr_evals.benchmarks import Item, load_items
from vr_evals.benchmarks.catalogue import find, register
from vr_evals.benchmarks.ethics import ETHICS
from vr_evals.benchmarks.mcqa import MCQA
from vr_evals.errors import InputError
from vr_evals.levels import Level
from vr_evals.prompts import LevelPrompts, Prompt


def test_the_same_benchmark_may_be_registered_again() -> None:
    assert register(ETHICS) is ETHICS
    assert find("ethics") is ETHICS


def test_another_of_the_same_name_is_refused() -> None:
    mine = "duplicate benchmark 'ethics': registered by vr_evals.benchmarks.ethics and "
    with pytest.raises(InputError, match=mine + "vr_evals.benchmarks.ethics"):
        register(replace(ETHICS, title="Mine"))
    with pytest.raises(InputError, match=mine + __name__):
        register(replace(ETHICS, read_item=lambda row, name: item()))
    assert find("ethics") is ETHICS


SOURCE = """
from dataclasses import replace
from vr_evals.benchmarks import register
from vr_evals.benchmarks.ethics import ETHICS
def read_item(row, name): raise NotImplementedError
AGAIN = register(replace(ETHICS, name="again", read_item=read_item, title=TITLE))
"""


@pytest.mark.parametrize(
    ("module", "titles", "refused"),
    [
        ("again", ("One", "One"), False),
        ("again", ("One", "Two"), True),
        ("__main__", ("One", "Two"), False),
    ],
)
def test_the_same_source_may_be_run_again(
    module: str, titles: tuple[str, str], refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Inspect does with the file of a task, once a model, or a notebook with its cells."""
    monkeypatch.setattr("vr_evals.benchmarks.catalogue._BENCHMARKS", {})
    first: dict[str, Any] = {"__name__": module, "TITLE": titles[0]}
    second: dict[str, Any] = {"__name__": module, "TITLE": titles[1]}
    exec(compile(SOURCE, "again.py", "exec"), first)
    if refused:
        with pytest.raises(InputError, match="duplicate benchmark 'again'"):
            exec(compile(SOURCE, "again.py", "exec"), second)
    else:
        exec(compile(SOURCE, "again.py", "exec"), second)
        assert find("again") is second["AGAIN"]


def item(**changes: Any) -> Item:
    parts: dict[str, Any] = {"options": ("a", "b"), "choices": ("a", "b"), "target": 0}
    return Item(id="i", text="t", cluster="i", **(parts | changes))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"choices": ("a",)}, "item i: 1 choices for 2 options"),
        ({"options": ("a", "a")}, "item i: expected 2 different options"),
        ({"target": 2}, "item i: target 2, expected 0 to 1"),
        ({"target": -1}, "item i: target -1, expected 0 to 1"),
        ({"option_kinds": ("x",)}, "item i: 1 option_kinds for 2 options"),
    ],
)
def test_parts_of_an_item_that_do_not_fit(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        item(**changes)


def test_an_answer_that_is_not_asked_for_is_an_error() -> None:
    mine = replace(ETHICS, read_item=lambda row, name: replace(item(), id=str(row["id"])))
    with pytest.raises(
        InputError, match="missing option 'b' of item ethics-01 in prompts.answer_only"
    ):
        load_items(mine, "sample", "short")


def test_a_package_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match="missing package 'nonesuch'"):
        load_items(replace(ETHICS, data_package="nonesuch"), "sample", "short")


@pytest.mark.parametrize("name", ["mine", "", None, 3, ["ethics"]])
def test_a_name_that_is_none_is_said_with_those_that_are(name: object) -> None:
    with pytest.raises(InputError, match=r"invalid benchmark .*: expected one of .*ethics"):
        find(name)


def prompts(**changes: object) -> LevelPrompts:
    return replace(ETHICS.level_prompts(), **changes)  # type: ignore[arg-type]  # any one field


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"lettered": True}, "lettered=True, but prompts.answer_only asks for other labels"),
        (
            {"prompts": prompts(answer_only="<answer>A</answer> or <answer>B</answer>")},
            "lettered=False, but prompts.answer_only asks for letters",
        ),
        ({"subsets": ()}, "no subsets"),
        ({"prompts": prompts(combined="Say it.")}, "missing <confidence> in prompts.combined"),
        ({"problem": "{scenario}"}, "missing {options} in problem"),
        ({"problem": "What now?"}, "missing {scenario}, {options} in problem"),
        ({"variable": "situation"}, "missing {situation} in problem"),
        (
            {"prompts": prompts(first={Level.MINIMAL: Prompt("What?", " Say it.")})},
            "missing {scenario} in the level-1 prompt",
        ),
        (
            {"prompts": prompts(second=Prompt("Think again.", " Say it."))},
            "missing {previous_response} in the second prompt",
        ),
    ],
)
def test_words_that_do_not_fit_the_items(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"benchmark ethics: {message}")):
        replace(ETHICS, **changes)


def test_a_level_without_a_prompt_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    first = {k: v for k, v in ETHICS.level_prompts().first.items() if k is not Level.ADVERSARIAL}
    partial = replace(ETHICS, prompts=prompts(first=first))
    assert partial.level_prompts(Level.TWO_PASS) is partial.prompts
    message = "level 4 is not supported for benchmark ethics: expected one of 0, 1, 2, 3, 5"
    for name, task, given in (
        ("ethics", "ethics_level4", {}),
        ("ethics_authority", "ethics_authority", {"level": 4}),
    ):
        module = import_module(f"vr_evals.tasks.{name}")
        monkeypatch.setattr(module, "ETHICS", partial)
        with pytest.raises(InputError, match=message):
            getattr(module, task)(dataset="sample", **given)


def test_a_benchmark_without_levels_names_the_task_to_use() -> None:
    assert ETHICS.level_prompts() is ETHICS.prompts
    with pytest.raises(InputError, match="not supported for benchmark mcqa: use mcqa_authority"):
        MCQA.level_prompts()
