"""Logs of tasks that are not ours: small, with mock models."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, Model, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import TaskState, generate

__all__ = ["Reply", "answering", "counted", "loaded", "ran", "wrong_at"]

Reply = Callable[[str], str]
"""What a model replies to the text of the last message."""


def answering(name: str, reply: Reply) -> Model:
    """A mock model."""

    def output(messages: list[ChatMessage], *_: object) -> ModelOutput:
        found = ModelOutput.from_content(name, reply(messages[-1].text))
        found.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return found

    return get_model(f"mockllm/{name}", custom_outputs=output, memoize=False)


def wrong_at(*places: int) -> Reply:
    """Reply right, but wrong to the samples at these places."""
    return lambda text: "wrong" if int(text.split()[-1]) in places else "right"


def ran(made: Task, model: Model, folder: Path, **extra: Any) -> EvalLog:
    """The log of a task that a model ran."""
    [log] = eval(made, model=model, log_dir=str(folder), display="none", log_format="eval", **extra)
    return log


def loaded(records: Sequence[dict[str, Any]]) -> Callable[..., MemoryDataset]:
    """A loader that has these records, in place of one that downloads them."""

    def load(*_: object, sample_fields: Any, **__: object) -> MemoryDataset:
        return MemoryDataset([sample_fields(record) for record in records], name="made")

    return load


@scorer(metrics={"right": [mean()], "length": [mean()]})
def marked() -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        text = state.output.completion
        if text == "unscored":
            return Score.unscored(reason="other")
        return Score(value={"right": text == target.text, "length": len(text)})

    return score


@scorer(metrics=[])
def said() -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=state.output.completion)

    return score


@task
def counted(
    n: int = 12, version: int = 1, tone: str = "plain", ids: str = "", asks: str = "question"
) -> Task:
    """A task of `n` samples in pairs, of a score with two keys and one that is a text."""
    samples = [
        Sample(
            id=f"{ids}{number}",
            input=f"{asks} {number}",
            target="right",
            metadata={"pair": number // 2},
        )
        for number in range(n)
    ]
    return Task(
        dataset=MemoryDataset(samples, name="numbers"),
        solver=generate(),
        scorer=[marked(), said()],
        version=version,
    )
