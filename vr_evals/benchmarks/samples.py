"""Make Inspect samples from items: the order of options, the labels, the metadata."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from inspect_ai.dataset import Sample

from vr_evals.benchmarks.benchmark import Benchmark, Item
from vr_evals.benchmarks.ordering import OptionOrder, harmful_option, option_orders
from vr_evals.conditions import AuthorityCondition, Settings
from vr_evals.errors import InputError
from vr_evals.levels import Level
from vr_evals.prompts.authority import preamble
from vr_evals.sample_metadata import RESERVED, SampleMetadata

__all__ = ["authority_samples", "check_right_options", "in_conditions", "level_samples"]


def level_samples(
    benchmark: Benchmark,
    items: Sequence[Item],
    option_order: OptionOrder,
    seed: int,
    settings: Settings,
) -> list[Sample]:
    """Return the samples of a level task; an item's option orders are adjacent.

    Args:
        benchmark: The benchmark.
        items: Its items, in order.
        option_order: The order of lettered options; ignored if options have no letters.
        seed: Seed of the order.
        settings: How the items are asked; stored in each sample for the solver.
    """
    tags = benchmark.level_prompts().asks_for_tags(settings.include_confidence)
    order: OptionOrder = option_order if benchmark.lettered else "original"
    return [
        _sample(benchmark, item, suffix, shown, order, benchmark.lettered, settings, tags)
        for item in items
        for suffix, shown in option_orders(item, order, seed).items()
    ]


def in_conditions(samples: Iterable[Sample], preambles: Mapping[str, str]) -> list[Sample]:
    """Return each sample in every condition of a paradigm; a sample's conditions are adjacent.

    Ids end in ``@<condition>``. The metadata has the ``condition``, and the ``preamble`` that
    solvers put before the prompt.

    Args:
        samples: The samples of a level task.
        preambles: The text before the prompt by condition; empty for a control. A line end follows
            it.
    """
    return [
        sample.model_copy(
            update={
                "id": f"{sample.id}@{condition}",
                "metadata": {
                    **(sample.metadata or {}),
                    "condition": condition,
                    "preamble": preamble,
                },
            }
        )
        for sample in samples
        for condition, preamble in preambles.items()
    ]


def authority_samples(
    benchmark: Benchmark,
    items: Sequence[Item],
    conditions: Sequence[AuthorityCondition],
    option_order: OptionOrder,
    seed: int,
    settings: Settings,
    level: Level | None,
) -> list[Sample]:
    """Return the samples of an authority task; an item's conditions are adjacent.

    Each sample has the options that help and harm endorse; control needs them for its base rates.
    If an item has no right option, all conditions name the same option, drawn at random.

    Args:
        benchmark: The benchmark.
        items: Its items, in order; each has a right option.
        conditions: The conditions of each item; without help and harm if no option is right.
        option_order: The order of lettered options.
        seed: Seed of the order and of the harmful options.
        settings: How the items are asked.
        level: The level that the paradigm is crossed with, or None.

    Raises:
        InputError: An item has no right option, and no condition endorses a random one.
    """
    if all(each.valence != "random" for each in conditions):
        check_right_options(items)
    lettered = level is None or benchmark.lettered
    tags = level is None or benchmark.level_prompts().asks_for_tags(settings.include_confidence)
    order: OptionOrder = option_order if lettered else "original"
    return [
        _sample(
            benchmark,
            item,
            suffix + (f"@{condition.suffix}" if len(conditions) > 1 else ""),
            shown,
            order,
            lettered,
            settings,
            tags,
            _condition(item, condition, shown, lettered, seed),
        )
        for item in items
        for suffix, shown in option_orders(item, order, seed).items()
        for condition in conditions
    ]


def check_right_options(items: Iterable[Item]) -> None:
    """Check that each item has a right option.

    Raises:
        InputError: One has none.
    """
    for item in items:
        if item.target is None:
            raise InputError(
                f"item {item.id}: missing right option, which help and harm need (dilemmas with "
                "high or no ambiguity have none)"
            )


def _condition(
    item: Item,
    condition: AuthorityCondition,
    shown: tuple[int, ...],
    lettered: bool,
    seed: int,
) -> dict[str, Any]:
    """Return what a condition adds: endorsed option, preamble, options of help and harm."""
    labels = _labels(item, lettered)
    drawn = labels[shown.index(harmful_option(item, seed))]
    targets: dict[str, str | None]
    if item.target is None:
        targets = {"help": None, "harm": None, "random": drawn}
    else:
        targets = {"help": labels[shown.index(item.target)], "harm": drawn, "random": None}
    endorsed = targets[condition.valence] if condition.valence else None
    # prompts without letters quote the option
    return {
        "condition": condition.name,
        "preamble": preamble(condition, (endorsed or "") if lettered else f'"{endorsed}"'),
        "endorsed": endorsed,
        "help_target": targets["help"],
        "harm_target": targets["harm"],
    }


def _labels(item: Item, lettered: bool) -> Sequence[str]:
    from vr_evals.answers import letters  # late, because every Inspect command imports this module

    return letters(len(item.options)) if lettered else item.options


def _sample(
    benchmark: Benchmark,
    item: Item,
    suffix: str,
    shown: tuple[int, ...],
    order: OptionOrder,
    lettered: bool,
    settings: Settings,
    answer_tags: bool,
    condition: Mapping[str, Any] | None = None,
) -> Sample:
    labels = _labels(item, lettered)
    asked = SampleMetadata(
        benchmark=benchmark.name,
        item=item.id,
        cluster=item.cluster,
        labels=tuple(labels),
        options=tuple(item.options[i] for i in shown),
        choices=tuple(item.choices[i] for i in shown),
        option_order="original" if item.order_fixed else _order_name(suffix, order),
        answer_tags=answer_tags,
        settings=settings,
        option_kinds=tuple(item.option_kinds[i] for i in shown if item.option_kinds),
        order_fixed=item.order_fixed,
        **(condition or {}),
    )
    # a column with the name of one of our keys is renamed to column_<name>
    ours = RESERVED if "preference" in benchmark.scorers else {*RESERVED, "ambiguity"}
    own = {f"column_{k}" if k in ours else k: v for k, v in item.metadata.items()}
    return Sample(
        id=item.id + suffix,
        input=item.text,
        choices=list(asked.options) if lettered else None,
        target="" if item.target is None else labels[shown.index(item.target)],
        metadata={**asked.to_metadata(), **own},
    )


def _order_name(suffix: str, order: OptionOrder) -> str:
    if suffix.startswith("@ab"):
        return "original"
    return "reversed" if suffix.startswith("@ba") else order
