"""Solvers on samples of other tasks, and of other designs of ours."""

import asyncio

import pytest
from inspect_ai.model import ModelName, get_model
from inspect_ai.solver import Generate, TaskState

from vr_evals.errors import InputError
from vr_evals.levels import Level
from vr_evals.solvers.call_context import call_context, publish_call_context
from vr_evals.solvers.prompting import ask_level
from vr_evals.tasks.ethics_authority import ethics_authority


def state_of(metadata: dict[str, object]) -> TaskState:
    return TaskState(
        model=ModelName(get_model("mockllm/model")),
        sample_id=1,
        epoch=1,
        input="Why?",
        messages=[],
        metadata=metadata,
    )


def test_a_foreign_sample_tells_respondents_nothing() -> None:
    with publish_call_context(state_of({"benchmark": "theirs"})):
        assert call_context.get() is None


def test_samples_with_letters_have_no_level_of_a_benchmark_without() -> None:
    [sample, *_] = ethics_authority(dataset="sample", items=1).dataset

    async def generate(*given: object, **named: object) -> TaskState:
        raise AssertionError("was called")

    call: Generate = generate
    with pytest.raises(InputError, match="authority samples, which have letters; use -T level=1"):
        asyncio.run(ask_level(state_of(dict(sample.metadata or {})), call, Level.MINIMAL))
