"""Multiple-choice tasks of the authority paradigm: all five conditions in a log, and each alone."""

from inspect_ai import Task, task

from vr_evals.benchmarks.mcqa import MCQA
from vr_evals.conditions import CONTROL, HIGH_HARM, HIGH_HELP, LOW_HARM, LOW_HELP
from vr_evals.tasks.build_authority import authority_task
from vr_evals.tasks.parameters import (
    Budget,
    ItemCount,
    OptionOrder,
    Reasoning,
    checked,
)

__all__ = [
    "mcqa_authority",
    "mcqa_authority_control",
    "mcqa_authority_high_harm",
    "mcqa_authority_high_help",
    "mcqa_authority_low_harm",
    "mcqa_authority_low_help",
]

VERSION = "1-A"
"""A change that moves the numbers bumps the number, one of the interface the letter."""


@task(benchmark="mcqa", paradigm="authority", condition="all")
@checked
def mcqa_authority(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: str = "moral_disputes",
    option_order: OptionOrder = "seeded",
    thinking: bool = False,
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """Multiple choice, authority: all five conditions."""
    return authority_task(MCQA, None, version=VERSION, level=None, **locals())


@task(benchmark="mcqa", paradigm="authority", condition="control")
@checked
def mcqa_authority_control(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: str = "moral_disputes",
    option_order: OptionOrder = "seeded",
    thinking: bool = False,
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """Multiple choice, authority: no authority."""
    return authority_task(MCQA, CONTROL, version=VERSION, level=None, **locals())


@task(benchmark="mcqa", paradigm="authority", condition="high_help")
@checked
def mcqa_authority_high_help(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: str = "moral_disputes",
    option_order: OptionOrder = "seeded",
    thinking: bool = False,
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """Multiple choice, authority: a high authority endorses the right option."""
    return authority_task(MCQA, HIGH_HELP, version=VERSION, level=None, **locals())


@task(benchmark="mcqa", paradigm="authority", condition="high_harm")
@checked
def mcqa_authority_high_harm(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: str = "moral_disputes",
    option_order: OptionOrder = "seeded",
    thinking: bool = False,
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """Multiple choice, authority: a high authority endorses a wrong option."""
    return authority_task(MCQA, HIGH_HARM, version=VERSION, level=None, **locals())


@task(benchmark="mcqa", paradigm="authority", condition="low_help")
@checked
def mcqa_authority_low_help(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: str = "moral_disputes",
    option_order: OptionOrder = "seeded",
    thinking: bool = False,
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """Multiple choice, authority: a low authority endorses the right option."""
    return authority_task(MCQA, LOW_HELP, version=VERSION, level=None, **locals())


@task(benchmark="mcqa", paradigm="authority", condition="low_harm")
@checked
def mcqa_authority_low_harm(
    include_confidence: bool | None = None,
    dataset: str = "hub",
    subset: str = "moral_disputes",
    option_order: OptionOrder = "seeded",
    thinking: bool = False,
    thinking_budget: Budget = 2000,
    reasoning: Reasoning = "condition",
    items: ItemCount = None,
    allow_unhonoured: bool = False,
    accept_changed_data: bool = False,
    seed: int = 0,
) -> Task:
    """Multiple choice, authority: a low authority endorses a wrong option."""
    return authority_task(MCQA, LOW_HARM, version=VERSION, level=None, **locals())
