"""MORABLES tasks: six levels of reflection, thinking off and on."""

from typing import Literal

from inspect_ai import Task, task

from vr_evals.benchmarks.morables import MORABLES
from vr_evals.levels import Level
from vr_evals.tasks.build import level_task
from vr_evals.tasks.parameters import (
    Budget,
    ItemCount,
    OptionOrder,
    Reasoning,
    SecondPass,
    checked,
)

__all__ = [
    "morables_level0",
    "morables_level0_thinking",
    "morables_level1",
    "morables_level1_thinking",
    "morables_level2",
    "morables_level2_thinking",
    "morables_level3",
    "morables_level3_thinking",
    "morables_level4",
    "morables_level4_thinking",
    "morables_level5",
    "morables_level5_thinking",
]

VERSION = "1-A"
"""A change that moves the numbers bumps the number, one of the interface the letter."""

Subset = Literal["mcqa", "char_swap"]
"""Which part of the benchmark."""


@task(benchmark="morables", level=0, thinking=False)
@checked
def morables_level0(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "mcqa",
    option_order: OptionOrder = "seeded",
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MORABLES, level 0, thinking off: the answer and nothing else."""
    return level_task(MORABLES, Level.DIRECT, version=VERSION, **locals())


@task(benchmark="morables", level=1, thinking=False)
@checked
def morables_level1(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "mcqa",
    option_order: OptionOrder = "seeded",
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MORABLES, level 1, thinking off: a plain question."""
    return level_task(MORABLES, Level.MINIMAL, version=VERSION, **locals())


@task(benchmark="morables", level=2, thinking=False)
@checked
def morables_level2(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "mcqa",
    option_order: OptionOrder = "seeded",
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MORABLES, level 2, thinking off: think step by step."""
    return level_task(MORABLES, Level.CHAIN_OF_THOUGHT, version=VERSION, **locals())


@task(benchmark="morables", level=3, thinking=False)
@checked
def morables_level3(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "mcqa",
    option_order: OptionOrder = "seeded",
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MORABLES, level 3, thinking off: analyse the narrative first."""
    return level_task(MORABLES, Level.STRUCTURED, version=VERSION, **locals())


@task(benchmark="morables", level=4, thinking=False)
@checked
def morables_level4(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "mcqa",
    option_order: OptionOrder = "seeded",
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MORABLES, level 4, thinking off: weigh the other options."""
    return level_task(MORABLES, Level.ADVERSARIAL, version=VERSION, **locals())


@task(benchmark="morables", level=5, thinking=False)
@checked
def morables_level5(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "mcqa",
    option_order: OptionOrder = "seeded",
    second_pass: SecondPass = "conversation",
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MORABLES, level 5, thinking off: answer, then reflect on the answer."""
    return level_task(MORABLES, Level.TWO_PASS, version=VERSION, **locals())


@task(benchmark="morables", level=0, thinking=True)
@checked
def morables_level0_thinking(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "mcqa",
    option_order: OptionOrder = "seeded",
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MORABLES, level 0, thinking on: the answer and nothing else."""
    return level_task(MORABLES, Level.DIRECT, version=VERSION, **locals())


@task(benchmark="morables", level=1, thinking=True)
@checked
def morables_level1_thinking(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "mcqa",
    option_order: OptionOrder = "seeded",
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MORABLES, level 1, thinking on: a plain question."""
    return level_task(MORABLES, Level.MINIMAL, version=VERSION, **locals())


@task(benchmark="morables", level=2, thinking=True)
@checked
def morables_level2_thinking(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "mcqa",
    option_order: OptionOrder = "seeded",
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MORABLES, level 2, thinking on: think step by step."""
    return level_task(MORABLES, Level.CHAIN_OF_THOUGHT, version=VERSION, **locals())


@task(benchmark="morables", level=3, thinking=True)
@checked
def morables_level3_thinking(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "mcqa",
    option_order: OptionOrder = "seeded",
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MORABLES, level 3, thinking on: analyse the narrative first."""
    return level_task(MORABLES, Level.STRUCTURED, version=VERSION, **locals())


@task(benchmark="morables", level=4, thinking=True)
@checked
def morables_level4_thinking(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "mcqa",
    option_order: OptionOrder = "seeded",
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MORABLES, level 4, thinking on: weigh the other options."""
    return level_task(MORABLES, Level.ADVERSARIAL, version=VERSION, **locals())


@task(benchmark="morables", level=5, thinking=True)
@checked
def morables_level5_thinking(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "mcqa",
    option_order: OptionOrder = "seeded",
    second_pass: SecondPass = "conversation",
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MORABLES, level 5, thinking on: answer, then reflect on the answer."""
    return level_task(MORABLES, Level.TWO_PASS, version=VERSION, **locals())
