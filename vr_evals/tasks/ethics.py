"""ETHICS tasks: all levels of reflection, thinking off and on."""

from typing import Annotated, Literal, Unpack

from inspect_ai import Task, task

from vr_evals.benchmarks.ethics import ETHICS
from vr_evals.levels import Level
from vr_evals.tasks.build import level_task
from vr_evals.tasks.parameters import (
    Declared,
    OnePass,
    OnePassThinking,
    TwoPass,
    TwoPassThinking,
    checked,
)

VERSION = "2-A"
"""Changes of results increase the number, changes of the interface the letter."""

Subset = Annotated[
    Literal["short", "long", "all", "hard_short", "hard_long", "hard_all"],
    Declared("short", "which part of the benchmark"),
]


@task(benchmark="ethics", level=0, thinking=False)
@checked
def ethics_level0(**given: Unpack[OnePass[Subset]]) -> Task:
    """ETHICS, level 0, thinking off: the answer and nothing else."""
    return level_task(ETHICS, Level.DIRECT, version=VERSION, **given)


@task(benchmark="ethics", level=1, thinking=False)
@checked
def ethics_level1(**given: Unpack[OnePass[Subset]]) -> Task:
    """ETHICS, level 1, thinking off: a plain question."""
    return level_task(ETHICS, Level.MINIMAL, version=VERSION, **given)


@task(benchmark="ethics", level=2, thinking=False)
@checked
def ethics_level2(**given: Unpack[OnePass[Subset]]) -> Task:
    """ETHICS, level 2, thinking off: think step by step."""
    return level_task(ETHICS, Level.CHAIN_OF_THOUGHT, version=VERSION, **given)


@task(benchmark="ethics", level=3, thinking=False)
@checked
def ethics_level3(**given: Unpack[OnePass[Subset]]) -> Task:
    """ETHICS, level 3, thinking off: name the principles first."""
    return level_task(ETHICS, Level.STRUCTURED, version=VERSION, **given)


@task(benchmark="ethics", level=4, thinking=False)
@checked
def ethics_level4(**given: Unpack[OnePass[Subset]]) -> Task:
    """ETHICS, level 4, thinking off: weigh the other side."""
    return level_task(ETHICS, Level.ADVERSARIAL, version=VERSION, **given)


@task(benchmark="ethics", level=5, thinking=False)
@checked
def ethics_level5(**given: Unpack[TwoPass[Subset]]) -> Task:
    """ETHICS, level 5, thinking off: answer, then reflect on the answer."""
    return level_task(ETHICS, Level.TWO_PASS, version=VERSION, **given)


@task(benchmark="ethics", level=0, thinking=True)
@checked
def ethics_level0_thinking(**given: Unpack[OnePassThinking[Subset]]) -> Task:
    """ETHICS, level 0, thinking on: the answer and nothing else."""
    return level_task(ETHICS, Level.DIRECT, version=VERSION, **given)


@task(benchmark="ethics", level=1, thinking=True)
@checked
def ethics_level1_thinking(**given: Unpack[OnePassThinking[Subset]]) -> Task:
    """ETHICS, level 1, thinking on: a plain question."""
    return level_task(ETHICS, Level.MINIMAL, version=VERSION, **given)


@task(benchmark="ethics", level=2, thinking=True)
@checked
def ethics_level2_thinking(**given: Unpack[OnePassThinking[Subset]]) -> Task:
    """ETHICS, level 2, thinking on: think step by step."""
    return level_task(ETHICS, Level.CHAIN_OF_THOUGHT, version=VERSION, **given)


@task(benchmark="ethics", level=3, thinking=True)
@checked
def ethics_level3_thinking(**given: Unpack[OnePassThinking[Subset]]) -> Task:
    """ETHICS, level 3, thinking on: name the principles first."""
    return level_task(ETHICS, Level.STRUCTURED, version=VERSION, **given)


@task(benchmark="ethics", level=4, thinking=True)
@checked
def ethics_level4_thinking(**given: Unpack[OnePassThinking[Subset]]) -> Task:
    """ETHICS, level 4, thinking on: weigh the other side."""
    return level_task(ETHICS, Level.ADVERSARIAL, version=VERSION, **given)


@task(benchmark="ethics", level=5, thinking=True)
@checked
def ethics_level5_thinking(**given: Unpack[TwoPassThinking[Subset]]) -> Task:
    """ETHICS, level 5, thinking on: answer, then reflect on the answer."""
    return level_task(ETHICS, Level.TWO_PASS, version=VERSION, **given)
