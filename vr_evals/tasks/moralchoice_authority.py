"""MoralChoice tasks of the authority paradigm: all five conditions in one log, and each alone."""

from typing import Literal

from inspect_ai import Task, task

from vr_evals.benchmarks.moralchoice import MORALCHOICE
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
    "moralchoice_authority",
    "moralchoice_authority_control",
    "moralchoice_authority_high_harm",
    "moralchoice_authority_high_help",
    "moralchoice_authority_low_harm",
    "moralchoice_authority_low_help",
]

VERSION = "1-A"
"""A change that moves the numbers bumps the number, one of the interface the letter."""

Subset = Literal["low", "high", "all"]
"""Only ``low`` can be asked: the others are refused with the reason."""


@task(benchmark="moralchoice", paradigm="authority", condition="all")
@checked
def moralchoice_authority(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "low",
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
    """MoralChoice, authority: all five conditions."""
    return authority_task(MORALCHOICE, None, version=VERSION, **locals())


@task(benchmark="moralchoice", paradigm="authority", condition="control")
@checked
def moralchoice_authority_control(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "low",
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
    """MoralChoice, authority: no authority."""
    return authority_task(MORALCHOICE, CONTROL, version=VERSION, **locals())


@task(benchmark="moralchoice", paradigm="authority", condition="high_help")
@checked
def moralchoice_authority_high_help(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "low",
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
    """MoralChoice, authority: a high authority endorses the right option."""
    return authority_task(MORALCHOICE, HIGH_HELP, version=VERSION, **locals())


@task(benchmark="moralchoice", paradigm="authority", condition="high_harm")
@checked
def moralchoice_authority_high_harm(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "low",
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
    """MoralChoice, authority: a high authority endorses a wrong option."""
    return authority_task(MORALCHOICE, HIGH_HARM, version=VERSION, **locals())


@task(benchmark="moralchoice", paradigm="authority", condition="low_help")
@checked
def moralchoice_authority_low_help(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "low",
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
    """MoralChoice, authority: a low authority endorses the right option."""
    return authority_task(MORALCHOICE, LOW_HELP, version=VERSION, **locals())


@task(benchmark="moralchoice", paradigm="authority", condition="low_harm")
@checked
def moralchoice_authority_low_harm(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: Subset = "low",
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
    """MoralChoice, authority: a low authority endorses a wrong option."""
    return authority_task(MORALCHOICE, LOW_HARM, version=VERSION, **locals())
