"""ETHICS tasks of the authority paradigm: all conditions in one log, and each alone."""

from typing import Unpack

from inspect_ai import Task, task

from vr_evals.benchmarks.ethics import ETHICS
from vr_evals.conditions import CONTROL, HIGH_HARM, HIGH_HELP, LOW_HARM, LOW_HELP
from vr_evals.tasks.build_authority import authority_task
from vr_evals.tasks.ethics import Subset
from vr_evals.tasks.parameters import AllCrossedAuthority, CrossedAuthority, checked

VERSION = "2-A"
"""Changes of results increase the number, changes of the interface the letter."""


@task(benchmark="ethics", paradigm="authority", condition="all")
@checked
def ethics_authority(**given: Unpack[AllCrossedAuthority[Subset]]) -> Task:
    """ETHICS, authority: all conditions."""
    return authority_task(ETHICS, None, version=VERSION, **given)


@task(benchmark="ethics", paradigm="authority", condition="control")
@checked
def ethics_authority_control(**given: Unpack[CrossedAuthority[Subset]]) -> Task:
    """ETHICS, authority: no authority."""
    return authority_task(ETHICS, CONTROL, version=VERSION, **given)


@task(benchmark="ethics", paradigm="authority", condition="high_help")
@checked
def ethics_authority_high_help(**given: Unpack[CrossedAuthority[Subset]]) -> Task:
    """ETHICS, authority: a high authority endorses the right option."""
    return authority_task(ETHICS, HIGH_HELP, version=VERSION, **given)


@task(benchmark="ethics", paradigm="authority", condition="high_harm")
@checked
def ethics_authority_high_harm(**given: Unpack[CrossedAuthority[Subset]]) -> Task:
    """ETHICS, authority: a high authority endorses a wrong option."""
    return authority_task(ETHICS, HIGH_HARM, version=VERSION, **given)


@task(benchmark="ethics", paradigm="authority", condition="low_help")
@checked
def ethics_authority_low_help(**given: Unpack[CrossedAuthority[Subset]]) -> Task:
    """ETHICS, authority: a low authority endorses the right option."""
    return authority_task(ETHICS, LOW_HELP, version=VERSION, **given)


@task(benchmark="ethics", paradigm="authority", condition="low_harm")
@checked
def ethics_authority_low_harm(**given: Unpack[CrossedAuthority[Subset]]) -> Task:
    """ETHICS, authority: a low authority endorses a wrong option."""
    return authority_task(ETHICS, LOW_HARM, version=VERSION, **given)
