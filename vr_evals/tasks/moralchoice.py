"""MoralChoice tasks: all levels of reflection, thinking off and on."""

from typing import Annotated, Literal, Unpack

from inspect_ai import Task, task

from vr_evals.benchmarks.moralchoice import MORALCHOICE
from vr_evals.levels import Level
from vr_evals.tasks.build import level_task
from vr_evals.tasks.parameters import (
    Declared,
    LetteredOnePass,
    LetteredOnePassThinking,
    LetteredTwoPass,
    LetteredTwoPassThinking,
    checked,
)

VERSION = "2-A"
"""Changes of results increase the number, changes of the interface the letter."""

Subset = Annotated[
    Literal["all", "low", "high"],
    Declared("all", "which part of the benchmark"),
]


@task(benchmark="moralchoice", level=0, thinking=False)
@checked
def moralchoice_level0(**given: Unpack[LetteredOnePass[Subset]]) -> Task:
    """MoralChoice, level 0, thinking off: the answer and nothing else."""
    return level_task(MORALCHOICE, Level.DIRECT, version=VERSION, **given)


@task(benchmark="moralchoice", level=1, thinking=False)
@checked
def moralchoice_level1(**given: Unpack[LetteredOnePass[Subset]]) -> Task:
    """MoralChoice, level 1, thinking off: a plain question."""
    return level_task(MORALCHOICE, Level.MINIMAL, version=VERSION, **given)


@task(benchmark="moralchoice", level=2, thinking=False)
@checked
def moralchoice_level2(**given: Unpack[LetteredOnePass[Subset]]) -> Task:
    """MoralChoice, level 2, thinking off: think step by step."""
    return level_task(MORALCHOICE, Level.CHAIN_OF_THOUGHT, version=VERSION, **given)


@task(benchmark="moralchoice", level=3, thinking=False)
@checked
def moralchoice_level3(**given: Unpack[LetteredOnePass[Subset]]) -> Task:
    """MoralChoice, level 3, thinking off: name the principles first."""
    return level_task(MORALCHOICE, Level.STRUCTURED, version=VERSION, **given)


@task(benchmark="moralchoice", level=4, thinking=False)
@checked
def moralchoice_level4(**given: Unpack[LetteredOnePass[Subset]]) -> Task:
    """MoralChoice, level 4, thinking off: weigh the other side."""
    return level_task(MORALCHOICE, Level.ADVERSARIAL, version=VERSION, **given)


@task(benchmark="moralchoice", level=5, thinking=False)
@checked
def moralchoice_level5(**given: Unpack[LetteredTwoPass[Subset]]) -> Task:
    """MoralChoice, level 5, thinking off: answer, then reflect on the answer."""
    return level_task(MORALCHOICE, Level.TWO_PASS, version=VERSION, **given)


@task(benchmark="moralchoice", level=0, thinking=True)
@checked
def moralchoice_level0_thinking(**given: Unpack[LetteredOnePassThinking[Subset]]) -> Task:
    """MoralChoice, level 0, thinking on: the answer and nothing else."""
    return level_task(MORALCHOICE, Level.DIRECT, version=VERSION, **given)


@task(benchmark="moralchoice", level=1, thinking=True)
@checked
def moralchoice_level1_thinking(**given: Unpack[LetteredOnePassThinking[Subset]]) -> Task:
    """MoralChoice, level 1, thinking on: a plain question."""
    return level_task(MORALCHOICE, Level.MINIMAL, version=VERSION, **given)


@task(benchmark="moralchoice", level=2, thinking=True)
@checked
def moralchoice_level2_thinking(**given: Unpack[LetteredOnePassThinking[Subset]]) -> Task:
    """MoralChoice, level 2, thinking on: think step by step."""
    return level_task(MORALCHOICE, Level.CHAIN_OF_THOUGHT, version=VERSION, **given)


@task(benchmark="moralchoice", level=3, thinking=True)
@checked
def moralchoice_level3_thinking(**given: Unpack[LetteredOnePassThinking[Subset]]) -> Task:
    """MoralChoice, level 3, thinking on: name the principles first."""
    return level_task(MORALCHOICE, Level.STRUCTURED, version=VERSION, **given)


@task(benchmark="moralchoice", level=4, thinking=True)
@checked
def moralchoice_level4_thinking(**given: Unpack[LetteredOnePassThinking[Subset]]) -> Task:
    """MoralChoice, level 4, thinking on: weigh the other side."""
    return level_task(MORALCHOICE, Level.ADVERSARIAL, version=VERSION, **given)


@task(benchmark="moralchoice", level=5, thinking=True)
@checked
def moralchoice_level5_thinking(**given: Unpack[LetteredTwoPassThinking[Subset]]) -> Task:
    """MoralChoice, level 5, thinking on: answer, then reflect on the answer."""
    return level_task(MORALCHOICE, Level.TWO_PASS, version=VERSION, **given)
