"""Benchmarks are known by their names, each name once."""

from dataclasses import replace

import pytest

from vr_evals.benchmarks.catalogue import find, register
from vr_evals.benchmarks.ethics import ETHICS
from vr_evals.benchmarks.mcqa import MCQA
from vr_evals.errors import InputError


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


def test_a_benchmark_without_levels_names_the_task_to_use() -> None:
    assert ETHICS.level_prompts() is ETHICS.prompts
    with pytest.raises(InputError, match="mcqa has no prompts by level; use mcqa_authority"):
        MCQA.level_prompts()
