"""From items to Inspect samples: the order of options, the labels, and what the log keeps."""

from collections.abc import Sequence
from typing import Any

from inspect_ai.dataset import Sample

from vr_evals.benchmarks.benchmark import Benchmark, Item
from vr_evals.benchmarks.ordering import OptionOrder, option_orders
from vr_evals.conditions import Settings

__all__ = ["level_samples"]


def level_samples(
    benchmark: Benchmark,
    items: Sequence[Item],
    option_order: OptionOrder,
    seed: int,
    settings: Settings,
) -> list[Sample]:
    """The samples of a level task; an item asked in several orders has its siblings beside it.

    Args:
        benchmark: The benchmark.
        items: Its items, in the order to be asked.
        option_order: How lettered options are ordered; not used where options are not lettered.
        seed: Seed of the order.
        settings: How the items are asked; kept in each sample for whichever solver asks them.
    """
    order: OptionOrder = option_order if benchmark.lettered else "original"
    return [
        _sample(benchmark, item, suffix, shown, order, settings)
        for item in items
        for suffix, shown in option_orders(item, order, seed).items()
    ]


def _sample(
    benchmark: Benchmark,
    item: Item,
    suffix: str,
    shown: tuple[int, ...],
    order: OptionOrder,
    settings: Settings,
) -> Sample:
    from vr_evals.answers import letters

    labels = letters(len(shown)) if benchmark.lettered else item.options
    metadata: dict[str, Any] = {
        "benchmark": benchmark.name,
        "item": item.id,
        "cluster": item.cluster,
        "labels": list(labels),
        "options": [item.options[i] for i in shown],
        "choices": [item.choices[i] for i in shown],
        "option_order": {"@ab": "original", "@ba": "reversed"}.get(suffix, order),
        "answer_tags": benchmark.prompts.asks_for_tags(settings.include_confidence),
        **settings.to_metadata(),
    }
    if item.option_kinds:
        metadata["option_kinds"] = [item.option_kinds[i] for i in shown]
    if item.order_fixed:
        metadata |= {"option_order": "original", "order_fixed": True}
    # a column of the file that has the name of one of ours is kept under another
    ours = {*metadata, "as_run", "option_kinds", "order_fixed"}
    if "preference" not in benchmark.scorers:
        ours.add("ambiguity")
    own = {f"column_{k}" if k in ours else k: v for k, v in item.metadata.items()}
    return Sample(
        id=item.id + suffix,
        input=item.text,
        choices=[item.options[i] for i in shown] if benchmark.lettered else None,
        target="" if item.target is None else labels[shown.index(item.target)],
        metadata={**metadata, **own},
    )
