"""The tasks of a grid, counted for a plan: items, calls, and the tokens of their prompts."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from inspect_ai.dataset import Sample

from vr_evals.analysis.plan import CONNECTIONS, CountedTask
from vr_evals.analysis.prices import read_prices
from vr_evals.analysis.tokens import estimated_tokens
from vr_evals.commands.sent_prompts import FIRST_RESPONSE, Message, sent
from vr_evals.conditions import CONTROL
from vr_evals.running.plan import Plan, PlannedTask

__all__ = ["counted_tasks", "spending_options"]

_RENDERED = 500
"""Samples of a task whose prompts are rendered; of more, each k-th is."""

_CACHED_FROM = 1024
"""Tokens from which on providers cache a prompt."""


def counted_tasks(plan: Plan) -> list[CountedTask]:
    """Return the tasks of a grid, each for each model.

    Args:
        plan: The grid.
    """
    counted = [_counted(planned) for planned in plan.tasks]
    return [replace(task, model=model) for model in plan.models for task in counted]


def _counted(planned: PlannedTask) -> CountedTask:
    task, epochs = planned.task, planned.epochs
    possible = [sample for sample in task.dataset if str(sample.id) in planned.ids]
    samples = possible[: planned.samples]  # shuffled, any of them may be run
    step = -(-len(possible) // _RENDERED) or 1
    rendered = possible[::step]
    prompts = [sent(task, sample).calls for sample in rendered]
    counts = [[_tokens(call) for call in calls] for calls in prompts]
    scale = planned.samples / len(rendered) if rendered else 0.0
    with_target = [sample for sample in samples if sample.target]
    metadata = task.metadata or {}
    clusters = Counter(dict(_clusters(with_target)).values())
    by_item = Counter((_of(s, "item"), _of(s, "condition")) for s in samples)
    return CountedTask(
        model="",
        task=task.name.partition("/")[2] or task.name,
        benchmark=str(planned.cell.entry.attributes["benchmark"]),
        level=metadata.get("level"),
        thinking=planned.cell.thinking,
        conditions=len({_of(s, "condition") for s in samples} - {None, CONTROL.name}),
        items=len({_of(s, "item") for s in samples}),
        targets=clusters.total(),
        clusters=len(clusters),
        weighted_size=sum(m * m for m in clusters.values()) / (clusters.total() or 1),
        epochs=epochs * max(by_item.values(), default=1),
        samples=planned.samples * epochs,
        calls=planned.calls,
        prompt_tokens=scale * epochs * sum(sum(each) for each in counts),
        quoted_replies=round(scale * epochs * sum(map(_quoted, prompts))),
        repeated_tokens=scale
        * sum(_repeated(c, calls, epochs) for c, calls in zip(counts, prompts, strict=True)),
        reask=_of(samples[0], "second_pass") == "reask" if samples else False,
    )


def _clusters(samples: Sequence[Sample]) -> Iterator[tuple[object, object]]:
    """Yield the item and the cluster of each sample."""
    for sample in samples:
        yield _of(sample, "item"), _of(sample, "cluster")


def _of(sample: Sample, name: str) -> object:
    return (sample.metadata or {}).get(name)


def _tokens(messages: Sequence[Message]) -> int:
    """Return the tokens of a call's messages, without the model's own replies."""
    return sum(estimated_tokens(m.content.replace(FIRST_RESPONSE, "")) for m in messages)


def _quoted(calls: Sequence[Sequence[Message]]) -> int:
    """Return how many replies the calls of a sample quote."""
    return sum(message.content.count(FIRST_RESPONSE) for call in calls for message in call)


def _repeated(counts: Sequence[int], calls: Sequence[Sequence[Message]], epochs: int) -> int:
    """Return the tokens of a sample's long prompts that were sent before."""
    first = counts[0]
    if first < _CACHED_FROM:
        return 0
    again = any(call[0] == calls[0][0] for call in calls[1:])
    return first * (epochs - 1 + epochs * again)


def spending_options(options: Mapping[str, Any], price: str | None = None) -> dict[str, Any]:
    """Return the arguments of `spending` that the flags of a run set.

    Prices of a file replace those of Inspect's ``--model-cost-config``.

    Args:
        options: The arguments of ``eval_set``.
        price: A file of prices; None without one.

    Raises:
        InputError: A file of prices is invalid.
    """
    files = [path for path in (options.get("model_cost_config"), price) if path is not None]
    prices = {model: found for path in files for model, found in read_prices(path).items()}
    connections = options.get("max_connections") or CONNECTIONS
    return {"prices": prices, "batch": bool(options.get("batch")), "connections": connections}
