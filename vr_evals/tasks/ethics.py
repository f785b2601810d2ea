"""ETHICS tasks: six levels of reflection, thinking off and on."""

from typing import Literal

from inspect_ai import Task, task

from vr_evals.benchmarks.ethics import ETHICS
from vr_evals.levels import Level
from vr_evals.tasks.build import level_task
from vr_evals.tasks.parameters import (
    Budget,
    ItemCount,
    Reasoning,
    SecondPass,
    checked,
)

__all__ = [
    "ethics_level0",
    "ethics_level0_thinking",
    "ethics_level1",
    "ethics_level1_thinking",
    "ethics_level2",
    "ethics_level2_thinking",
    "ethics_level3",
    "ethics_level3_thinking",
    "ethics_level4",
    "ethics_level4_thinking",
    "ethics_level5",
    "ethics_level5_thinking",
]

VERSION = "1-A"
"""A change that moves the numbers bumps the number, one of the interface the letter."""

Subset = Literal["short", "long", "all", "hard_short", "hard_long", "hard_all"]
"""Which part of the benchmark."""


@task(benchmark="ethics", level=0, thinking=False)
@checked
def ethics_level0(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "short",
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """ETHICS, level 0, thinking off: the answer and nothing else."""
    return level_task(ETHICS, Level.DIRECT, version=VERSION, **locals())


@task(benchmark="ethics", level=1, thinking=False)
@checked
def ethics_level1(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "short",
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """ETHICS, level 1, thinking off: a plain question."""
    return level_task(ETHICS, Level.MINIMAL, version=VERSION, **locals())


@task(benchmark="ethics", level=2, thinking=False)
@checked
def ethics_level2(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "short",
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """ETHICS, level 2, thinking off: think step by step."""
    return level_task(ETHICS, Level.CHAIN_OF_THOUGHT, version=VERSION, **locals())


@task(benchmark="ethics", level=3, thinking=False)
@checked
def ethics_level3(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "short",
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """ETHICS, level 3, thinking off: name the principles first."""
    return level_task(ETHICS, Level.STRUCTURED, version=VERSION, **locals())


@task(benchmark="ethics", level=4, thinking=False)
@checked
def ethics_level4(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "short",
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """ETHICS, level 4, thinking off: weigh the other side."""
    return level_task(ETHICS, Level.ADVERSARIAL, version=VERSION, **locals())


@task(benchmark="ethics", level=5, thinking=False)
@checked
def ethics_level5(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "short",
    second_pass: SecondPass = "conversation",
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """ETHICS, level 5, thinking off: answer, then reflect on the answer."""
    return level_task(ETHICS, Level.TWO_PASS, version=VERSION, **locals())


@task(benchmark="ethics", level=0, thinking=True)
@checked
def ethics_level0_thinking(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "short",
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """ETHICS, level 0, thinking on: the answer and nothing else."""
    return level_task(ETHICS, Level.DIRECT, version=VERSION, **locals())


@task(benchmark="ethics", level=1, thinking=True)
@checked
def ethics_level1_thinking(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "short",
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """ETHICS, level 1, thinking on: a plain question."""
    return level_task(ETHICS, Level.MINIMAL, version=VERSION, **locals())


@task(benchmark="ethics", level=2, thinking=True)
@checked
def ethics_level2_thinking(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "short",
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """ETHICS, level 2, thinking on: think step by step."""
    return level_task(ETHICS, Level.CHAIN_OF_THOUGHT, version=VERSION, **locals())


@task(benchmark="ethics", level=3, thinking=True)
@checked
def ethics_level3_thinking(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "short",
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """ETHICS, level 3, thinking on: name the principles first."""
    return level_task(ETHICS, Level.STRUCTURED, version=VERSION, **locals())


@task(benchmark="ethics", level=4, thinking=True)
@checked
def ethics_level4_thinking(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "short",
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """ETHICS, level 4, thinking on: weigh the other side."""
    return level_task(ETHICS, Level.ADVERSARIAL, version=VERSION, **locals())


@task(benchmark="ethics", level=5, thinking=True)
@checked
def ethics_level5_thinking(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "short",
    second_pass: SecondPass = "conversation",
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """ETHICS, level 5, thinking on: answer, then reflect on the answer."""
    return level_task(ETHICS, Level.TWO_PASS, version=VERSION, **locals())
