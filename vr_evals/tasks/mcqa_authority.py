"""Multiple-choice tasks of the authority paradigm: all conditions in one log, and each alone."""

from typing import Annotated, Unpack

from inspect_ai import Task, task

from vr_evals.benchmarks.mcqa import MCQA
from vr_evals.conditions import CONTROL, HIGH_HARM, HIGH_HELP, LOW_HARM, LOW_HELP
from vr_evals.tasks.build_authority import authority_task
from vr_evals.tasks.parameters import AllAuthority, Authority, Declared, checked

VERSION = "2-A"
"""Changes of results increase the number, changes of the interface the letter."""

Subset = Annotated[
    str, Declared("moral_disputes", "which part of the benchmark", "a subject of MMLU")
]


@task(benchmark="mcqa", paradigm="authority", condition="all")
@checked
def mcqa_authority(**given: Unpack[AllAuthority[Subset]]) -> Task:
    """Multiple choice, authority: all conditions."""
    return authority_task(MCQA, None, version=VERSION, level=None, **given)


@task(benchmark="mcqa", paradigm="authority", condition="control")
@checked
def mcqa_authority_control(**given: Unpack[Authority[Subset]]) -> Task:
    """Multiple choice, authority: no authority."""
    return authority_task(MCQA, CONTROL, version=VERSION, level=None, **given)


@task(benchmark="mcqa", paradigm="authority", condition="high_help")
@checked
def mcqa_authority_high_help(**given: Unpack[Authority[Subset]]) -> Task:
    """Multiple choice, authority: a high authority endorses the right option."""
    return authority_task(MCQA, HIGH_HELP, version=VERSION, level=None, **given)


@task(benchmark="mcqa", paradigm="authority", condition="high_harm")
@checked
def mcqa_authority_high_harm(**given: Unpack[Authority[Subset]]) -> Task:
    """Multiple choice, authority: a high authority endorses a wrong option."""
    return authority_task(MCQA, HIGH_HARM, version=VERSION, level=None, **given)


@task(benchmark="mcqa", paradigm="authority", condition="low_help")
@checked
def mcqa_authority_low_help(**given: Unpack[Authority[Subset]]) -> Task:
    """Multiple choice, authority: a low authority endorses the right option."""
    return authority_task(MCQA, LOW_HELP, version=VERSION, level=None, **given)


@task(benchmark="mcqa", paradigm="authority", condition="low_harm")
@checked
def mcqa_authority_low_harm(**given: Unpack[Authority[Subset]]) -> Task:
    """Multiple choice, authority: a low authority endorses a wrong option."""
    return authority_task(MCQA, LOW_HARM, version=VERSION, level=None, **given)
