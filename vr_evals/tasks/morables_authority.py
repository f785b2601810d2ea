"""MORABLES tasks of the authority paradigm: all five conditions in one log, and each alone."""

from inspect_ai import Task, task

from vr_evals.benchmarks.morables import ALL_MORABLES
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
    "morables_authority",
    "morables_authority_control",
    "morables_authority_high_harm",
    "morables_authority_high_help",
    "morables_authority_low_harm",
    "morables_authority_low_help",
]

VERSION = "1-A"
"""A change that moves the numbers bumps the number, one of the interface the letter."""


@task(benchmark="morables", paradigm="authority", condition="all")
@checked
def morables_authority(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: str = "mcqa",
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
    """MORABLES, authority: all five conditions."""
    return authority_task(ALL_MORABLES, None, version=VERSION, **locals())


@task(benchmark="morables", paradigm="authority", condition="control")
@checked
def morables_authority_control(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: str = "mcqa",
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
    """MORABLES, authority: no authority."""
    return authority_task(ALL_MORABLES, CONTROL, version=VERSION, **locals())


@task(benchmark="morables", paradigm="authority", condition="high_help")
@checked
def morables_authority_high_help(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: str = "mcqa",
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
    """MORABLES, authority: a high authority endorses the right option."""
    return authority_task(ALL_MORABLES, HIGH_HELP, version=VERSION, **locals())


@task(benchmark="morables", paradigm="authority", condition="high_harm")
@checked
def morables_authority_high_harm(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: str = "mcqa",
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
    """MORABLES, authority: a high authority endorses a wrong option."""
    return authority_task(ALL_MORABLES, HIGH_HARM, version=VERSION, **locals())


@task(benchmark="morables", paradigm="authority", condition="low_help")
@checked
def morables_authority_low_help(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: str = "mcqa",
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
    """MORABLES, authority: a low authority endorses the right option."""
    return authority_task(ALL_MORABLES, LOW_HELP, version=VERSION, **locals())


@task(benchmark="morables", paradigm="authority", condition="low_harm")
@checked
def morables_authority_low_harm(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: str = "mcqa",
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
    """MORABLES, authority: a low authority endorses a wrong option."""
    return authority_task(ALL_MORABLES, LOW_HARM, version=VERSION, **locals())
