"""MORABLES tasks of the authority paradigm: all conditions in one log, and each alone."""

from typing import Annotated, Unpack

from inspect_ai import Task, task

from vr_evals.benchmarks.morables import ALL_MORABLES
from vr_evals.conditions import CONTROL, HIGH_HARM, HIGH_HELP, LOW_HARM, LOW_HELP
from vr_evals.tasks.build_authority import authority_task
from vr_evals.tasks.parameters import AllCrossedAuthority, CrossedAuthority, Declared, checked

VERSION = "2-A"
"""Changes of results increase the number, changes of the interface the letter."""

Subset = Annotated[
    str,
    Declared(
        "mcqa", "which part of the benchmark", "mcqa, char_swap or another variant, e.g. pre_inj"
    ),
]


@task(benchmark="morables", paradigm="authority", condition="all")
@checked
def morables_authority(**given: Unpack[AllCrossedAuthority[Subset]]) -> Task:
    """MORABLES, authority: all conditions."""
    return authority_task(ALL_MORABLES, None, version=VERSION, **given)


@task(benchmark="morables", paradigm="authority", condition="control")
@checked
def morables_authority_control(**given: Unpack[CrossedAuthority[Subset]]) -> Task:
    """MORABLES, authority: no authority."""
    return authority_task(ALL_MORABLES, CONTROL, version=VERSION, **given)


@task(benchmark="morables", paradigm="authority", condition="high_help")
@checked
def morables_authority_high_help(**given: Unpack[CrossedAuthority[Subset]]) -> Task:
    """MORABLES, authority: a high authority endorses the right option."""
    return authority_task(ALL_MORABLES, HIGH_HELP, version=VERSION, **given)


@task(benchmark="morables", paradigm="authority", condition="high_harm")
@checked
def morables_authority_high_harm(**given: Unpack[CrossedAuthority[Subset]]) -> Task:
    """MORABLES, authority: a high authority endorses a wrong option."""
    return authority_task(ALL_MORABLES, HIGH_HARM, version=VERSION, **given)


@task(benchmark="morables", paradigm="authority", condition="low_help")
@checked
def morables_authority_low_help(**given: Unpack[CrossedAuthority[Subset]]) -> Task:
    """MORABLES, authority: a low authority endorses the right option."""
    return authority_task(ALL_MORABLES, LOW_HELP, version=VERSION, **given)


@task(benchmark="morables", paradigm="authority", condition="low_harm")
@checked
def morables_authority_low_harm(**given: Unpack[CrossedAuthority[Subset]]) -> Task:
    """MORABLES, authority: a low authority endorses a wrong option."""
    return authority_task(ALL_MORABLES, LOW_HARM, version=VERSION, **given)
