"""ETHICS tasks of the authority paradigm: all five conditions in one log, and each alone."""

from typing import Literal

from inspect_ai import Task, task

from vr_evals.benchmarks.ethics import ETHICS
from vr_evals.conditions import CONTROL, HIGH_HARM, HIGH_HELP, LOW_HARM, LOW_HELP
from vr_evals.tasks.build_authority import authority_task
from vr_evals.tasks.parameters import (
    Budget,
    ItemCount,
    LevelNumber,
    OptionOrder,
    Reasoning,
    SecondPass,
    checked,
)

__all__ = [
    "ethics_authority",
    "ethics_authority_control",
    "ethics_authority_high_harm",
    "ethics_authority_high_help",
    "ethics_authority_low_harm",
    "ethics_authority_low_help",
]

VERSION = "1-A"
"""A change that moves the numbers bumps the number, one of the interface the letter."""

Subset = Literal["short", "long", "all", "hard_short", "hard_long", "hard_all"]
"""Which part of the benchmark."""


@task(benchmark="ethics", paradigm="authority", condition="all")
@checked
def ethics_authority(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "short",
    option_order: OptionOrder = "seeded",
    level: LevelNumber = None,
    second_pass: SecondPass = "conversation",
    thinking: bool = False,
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """ETHICS, authority: all five conditions."""
    return authority_task(ETHICS, None, version=VERSION, **locals())


@task(benchmark="ethics", paradigm="authority", condition="control")
@checked
def ethics_authority_control(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "short",
    option_order: OptionOrder = "seeded",
    level: LevelNumber = None,
    second_pass: SecondPass = "conversation",
    thinking: bool = False,
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """ETHICS, authority: no authority."""
    return authority_task(ETHICS, CONTROL, version=VERSION, **locals())


@task(benchmark="ethics", paradigm="authority", condition="high_help")
@checked
def ethics_authority_high_help(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "short",
    option_order: OptionOrder = "seeded",
    level: LevelNumber = None,
    second_pass: SecondPass = "conversation",
    thinking: bool = False,
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """ETHICS, authority: a high authority endorses the right option."""
    return authority_task(ETHICS, HIGH_HELP, version=VERSION, **locals())


@task(benchmark="ethics", paradigm="authority", condition="high_harm")
@checked
def ethics_authority_high_harm(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "short",
    option_order: OptionOrder = "seeded",
    level: LevelNumber = None,
    second_pass: SecondPass = "conversation",
    thinking: bool = False,
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """ETHICS, authority: a high authority endorses a wrong option."""
    return authority_task(ETHICS, HIGH_HARM, version=VERSION, **locals())


@task(benchmark="ethics", paradigm="authority", condition="low_help")
@checked
def ethics_authority_low_help(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "short",
    option_order: OptionOrder = "seeded",
    level: LevelNumber = None,
    second_pass: SecondPass = "conversation",
    thinking: bool = False,
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """ETHICS, authority: a low authority endorses the right option."""
    return authority_task(ETHICS, LOW_HELP, version=VERSION, **locals())


@task(benchmark="ethics", paradigm="authority", condition="low_harm")
@checked
def ethics_authority_low_harm(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "short",
    option_order: OptionOrder = "seeded",
    level: LevelNumber = None,
    second_pass: SecondPass = "conversation",
    thinking: bool = False,
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """ETHICS, authority: a low authority endorses a wrong option."""
    return authority_task(ETHICS, LOW_HARM, version=VERSION, **locals())
