"""MoralChoice tasks of the authority paradigm: all conditions in one log, and each alone."""

from typing import Annotated, Literal, Unpack

from inspect_ai import Task, task

from vr_evals.benchmarks.moralchoice import MORALCHOICE
from vr_evals.conditions import CONTROL, HIGH_HARM, HIGH_HELP, LOW_HARM, LOW_HELP
from vr_evals.tasks.build_authority import authority_task
from vr_evals.tasks.parameters import AllCrossedAuthority, CrossedAuthority, Declared, checked

VERSION = "2-A"
"""Changes of results increase the number, changes of the interface the letter."""

Subset = Annotated[
    Literal["low", "high", "all"],
    Declared(
        "low",
        "which part of the benchmark; high has no right options, so a random one is endorsed (all "
        "conditions in one log)",
    ),
]

_NO_RIGHT_OPTION = ("high",)
"""Parts without right options."""


@task(benchmark="moralchoice", paradigm="authority", condition="all")
@checked
def moralchoice_authority(**given: Unpack[AllCrossedAuthority[Subset]]) -> Task:
    """MoralChoice, authority: all conditions."""
    return authority_task(
        MORALCHOICE, None, version=VERSION, without_right_option=_NO_RIGHT_OPTION, **given
    )


@task(benchmark="moralchoice", paradigm="authority", condition="control")
@checked
def moralchoice_authority_control(**given: Unpack[CrossedAuthority[Subset]]) -> Task:
    """MoralChoice, authority: no authority."""
    return authority_task(
        MORALCHOICE, CONTROL, version=VERSION, without_right_option=_NO_RIGHT_OPTION, **given
    )


@task(benchmark="moralchoice", paradigm="authority", condition="high_help")
@checked
def moralchoice_authority_high_help(**given: Unpack[CrossedAuthority[Subset]]) -> Task:
    """MoralChoice, authority: a high authority endorses the right option."""
    return authority_task(
        MORALCHOICE, HIGH_HELP, version=VERSION, without_right_option=_NO_RIGHT_OPTION, **given
    )


@task(benchmark="moralchoice", paradigm="authority", condition="high_harm")
@checked
def moralchoice_authority_high_harm(**given: Unpack[CrossedAuthority[Subset]]) -> Task:
    """MoralChoice, authority: a high authority endorses a wrong option."""
    return authority_task(
        MORALCHOICE, HIGH_HARM, version=VERSION, without_right_option=_NO_RIGHT_OPTION, **given
    )


@task(benchmark="moralchoice", paradigm="authority", condition="low_help")
@checked
def moralchoice_authority_low_help(**given: Unpack[CrossedAuthority[Subset]]) -> Task:
    """MoralChoice, authority: a low authority endorses the right option."""
    return authority_task(
        MORALCHOICE, LOW_HELP, version=VERSION, without_right_option=_NO_RIGHT_OPTION, **given
    )


@task(benchmark="moralchoice", paradigm="authority", condition="low_harm")
@checked
def moralchoice_authority_low_harm(**given: Unpack[CrossedAuthority[Subset]]) -> Task:
    """MoralChoice, authority: a low authority endorses a wrong option."""
    return authority_task(
        MORALCHOICE, LOW_HARM, version=VERSION, without_right_option=_NO_RIGHT_OPTION, **given
    )
