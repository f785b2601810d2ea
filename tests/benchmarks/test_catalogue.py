"""Benchmarks are known by their names, each name once."""

import re
from dataclasses import replace
from typing import Any

import pytest

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
    with pytest.raises(InputError, match="benchmark 'ethics' is registered twice"):
        register(replace(ETHICS, title="Mine"))
    assert find("ethics") is ETHICS


@pytest.mark.parametrize("name", ["mine", "", None, 3, ["ethics"]])
def test_a_name_that_is_none_is_said_with_those_that_are(name: object) -> None:
    with pytest.raises(InputError, match=r"metadata has benchmark=.*; wanted one of .*ethics"):
        find(name)


def prompts(**changes: object) -> LevelPrompts:
    return replace(ETHICS.level_prompts(), **changes)  # type: ignore[arg-type]  # any one field


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"lettered": True}, "lettered=True, but the prompts' answer_only asks for other labels"),
        (
            {"prompts": prompts(answer_only="<answer>A</answer> or <answer>B</answer>")},
            "lettered=False, but the prompts' answer_only asks for letters",
        ),
        ({"problem": "{scenario}"}, "problem has no {options}"),
        ({"problem": "What now?"}, "problem has no {scenario} and no {options}"),
        ({"variable": "situation"}, "problem has no {situation}"),
        (
            {"prompts": prompts(first={Level.MINIMAL: Prompt("What?", " Say it.")})},
            "its level-1 prompt has no {scenario}",
        ),
        (
            {"prompts": prompts(second=Prompt("Think again.", " Say it."))},
            "its second prompt has no {previous_response}",
        ),
    ],
)
def test_words_that_do_not_fit_the_items(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"benchmark ethics: {message}")):
        replace(ETHICS, **changes)


def test_a_benchmark_without_levels_names_the_task_to_use() -> None:
    assert ETHICS.level_prompts() is ETHICS.prompts
    with pytest.raises(InputError, match="mcqa has no prompts by level; use mcqa_authority"):
        MCQA.level_prompts()
