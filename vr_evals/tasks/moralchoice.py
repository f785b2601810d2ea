"""MoralChoice tasks: six levels of reflection, thinking off and on."""

from typing import Literal

from inspect_ai import Task, task

from vr_evals.benchmarks.moralchoice import MORALCHOICE
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
    "moralchoice_level0",
    "moralchoice_level0_thinking",
    "moralchoice_level1",
    "moralchoice_level1_thinking",
    "moralchoice_level2",
    "moralchoice_level2_thinking",
    "moralchoice_level3",
    "moralchoice_level3_thinking",
    "moralchoice_level4",
    "moralchoice_level4_thinking",
    "moralchoice_level5",
    "moralchoice_level5_thinking",
]

VERSION = "1-A"
"""A change that moves the numbers bumps the number, one of the interface the letter."""

Subset = Literal["all", "low", "high"]
"""Which part of the benchmark."""


@task(benchmark="moralchoice", level=0, thinking=False)
@checked
def moralchoice_level0(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "all",
    option_order: OptionOrder = "seeded",
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MoralChoice, level 0, thinking off: the answer and nothing else."""
    return level_task(MORALCHOICE, Level.DIRECT, version=VERSION, **locals())


@task(benchmark="moralchoice", level=1, thinking=False)
@checked
def moralchoice_level1(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "all",
    option_order: OptionOrder = "seeded",
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MoralChoice, level 1, thinking off: a plain question."""
    return level_task(MORALCHOICE, Level.MINIMAL, version=VERSION, **locals())


@task(benchmark="moralchoice", level=2, thinking=False)
@checked
def moralchoice_level2(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "all",
    option_order: OptionOrder = "seeded",
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MoralChoice, level 2, thinking off: think step by step."""
    return level_task(MORALCHOICE, Level.CHAIN_OF_THOUGHT, version=VERSION, **locals())


@task(benchmark="moralchoice", level=3, thinking=False)
@checked
def moralchoice_level3(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "all",
    option_order: OptionOrder = "seeded",
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MoralChoice, level 3, thinking off: name the principles first."""
    return level_task(MORALCHOICE, Level.STRUCTURED, version=VERSION, **locals())


@task(benchmark="moralchoice", level=4, thinking=False)
@checked
def moralchoice_level4(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "all",
    option_order: OptionOrder = "seeded",
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MoralChoice, level 4, thinking off: weigh the other side."""
    return level_task(MORALCHOICE, Level.ADVERSARIAL, version=VERSION, **locals())


@task(benchmark="moralchoice", level=5, thinking=False)
@checked
def moralchoice_level5(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "all",
    option_order: OptionOrder = "seeded",
    second_pass: SecondPass = "conversation",
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MoralChoice, level 5, thinking off: answer, then reflect on the answer."""
    return level_task(MORALCHOICE, Level.TWO_PASS, version=VERSION, **locals())


@task(benchmark="moralchoice", level=0, thinking=True)
@checked
def moralchoice_level0_thinking(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "all",
    option_order: OptionOrder = "seeded",
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MoralChoice, level 0, thinking on: the answer and nothing else."""
    return level_task(MORALCHOICE, Level.DIRECT, version=VERSION, **locals())


@task(benchmark="moralchoice", level=1, thinking=True)
@checked
def moralchoice_level1_thinking(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "all",
    option_order: OptionOrder = "seeded",
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MoralChoice, level 1, thinking on: a plain question."""
    return level_task(MORALCHOICE, Level.MINIMAL, version=VERSION, **locals())


@task(benchmark="moralchoice", level=2, thinking=True)
@checked
def moralchoice_level2_thinking(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "all",
    option_order: OptionOrder = "seeded",
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MoralChoice, level 2, thinking on: think step by step."""
    return level_task(MORALCHOICE, Level.CHAIN_OF_THOUGHT, version=VERSION, **locals())


@task(benchmark="moralchoice", level=3, thinking=True)
@checked
def moralchoice_level3_thinking(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "all",
    option_order: OptionOrder = "seeded",
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MoralChoice, level 3, thinking on: name the principles first."""
    return level_task(MORALCHOICE, Level.STRUCTURED, version=VERSION, **locals())


@task(benchmark="moralchoice", level=4, thinking=True)
@checked
def moralchoice_level4_thinking(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "all",
    option_order: OptionOrder = "seeded",
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MoralChoice, level 4, thinking on: weigh the other side."""
    return level_task(MORALCHOICE, Level.ADVERSARIAL, version=VERSION, **locals())


@task(benchmark="moralchoice", level=5, thinking=True)
@checked
def moralchoice_level5_thinking(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "all",
    option_order: OptionOrder = "seeded",
    second_pass: SecondPass = "conversation",
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """MoralChoice, level 5, thinking on: answer, then reflect on the answer."""
    return level_task(MORALCHOICE, Level.TWO_PASS, version=VERSION, **locals())
