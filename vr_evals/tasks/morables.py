"""MORABLES tasks: all levels of reflection, thinking off and on."""

from typing import Annotated, Literal, Unpack

from inspect_ai import Task, task

from vr_evals.benchmarks.morables import MORABLES
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
    Literal["mcqa", "char_swap"],
    Declared("mcqa", "which part of the benchmark"),
]


@task(benchmark="morables", level=0, thinking=False)
@checked
def morables_level0(**given: Unpack[LetteredOnePass[Subset]]) -> Task:
    """MORABLES, level 0, thinking off: the answer and nothing else."""
    return level_task(MORABLES, Level.DIRECT, version=VERSION, **given)


@task(benchmark="morables", level=1, thinking=False)
@checked
def morables_level1(**given: Unpack[LetteredOnePass[Subset]]) -> Task:
    """MORABLES, level 1, thinking off: a plain question."""
    return level_task(MORABLES, Level.MINIMAL, version=VERSION, **given)


@task(benchmark="morables", level=2, thinking=False)
@checked
def morables_level2(**given: Unpack[LetteredOnePass[Subset]]) -> Task:
    """MORABLES, level 2, thinking off: think step by step."""
    return level_task(MORABLES, Level.CHAIN_OF_THOUGHT, version=VERSION, **given)


@task(benchmark="morables", level=3, thinking=False)
@checked
def morables_level3(**given: Unpack[LetteredOnePass[Subset]]) -> Task:
    """MORABLES, level 3, thinking off: analyse the narrative first."""
    return level_task(MORABLES, Level.STRUCTURED, version=VERSION, **given)


@task(benchmark="morables", level=4, thinking=False)
@checked
def morables_level4(**given: Unpack[LetteredOnePass[Subset]]) -> Task:
    """MORABLES, level 4, thinking off: weigh the other options."""
    return level_task(MORABLES, Level.ADVERSARIAL, version=VERSION, **given)


@task(benchmark="morables", level=5, thinking=False)
@checked
def morables_level5(**given: Unpack[LetteredTwoPass[Subset]]) -> Task:
    """MORABLES, level 5, thinking off: answer, then reflect on the answer."""
    return level_task(MORABLES, Level.TWO_PASS, version=VERSION, **given)


@task(benchmark="morables", level=0, thinking=True)
@checked
def morables_level0_thinking(**given: Unpack[LetteredOnePassThinking[Subset]]) -> Task:
    """MORABLES, level 0, thinking on: the answer and nothing else."""
    return level_task(MORABLES, Level.DIRECT, version=VERSION, **given)


@task(benchmark="morables", level=1, thinking=True)
@checked
def morables_level1_thinking(**given: Unpack[LetteredOnePassThinking[Subset]]) -> Task:
    """MORABLES, level 1, thinking on: a plain question."""
    return level_task(MORABLES, Level.MINIMAL, version=VERSION, **given)


@task(benchmark="morables", level=2, thinking=True)
@checked
def morables_level2_thinking(**given: Unpack[LetteredOnePassThinking[Subset]]) -> Task:
    """MORABLES, level 2, thinking on: think step by step."""
    return level_task(MORABLES, Level.CHAIN_OF_THOUGHT, version=VERSION, **given)


@task(benchmark="morables", level=3, thinking=True)
@checked
def morables_level3_thinking(**given: Unpack[LetteredOnePassThinking[Subset]]) -> Task:
    """MORABLES, level 3, thinking on: analyse the narrative first."""
    return level_task(MORABLES, Level.STRUCTURED, version=VERSION, **given)


@task(benchmark="morables", level=4, thinking=True)
@checked
def morables_level4_thinking(**given: Unpack[LetteredOnePassThinking[Subset]]) -> Task:
    """MORABLES, level 4, thinking on: weigh the other options."""
    return level_task(MORABLES, Level.ADVERSARIAL, version=VERSION, **given)


@task(benchmark="morables", level=5, thinking=True)
@checked
def morables_level5_thinking(**given: Unpack[LetteredTwoPassThinking[Subset]]) -> Task:
    """MORABLES, level 5, thinking on: answer, then reflect on the answer."""
    return level_task(MORABLES, Level.TWO_PASS, version=VERSION, **given)
