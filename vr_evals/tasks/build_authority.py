"""Build authority tasks: items, conditions, solver, scorers, settings."""

from collections.abc import Collection, Sequence

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.model import GenerateConfig

from vr_evals import __version__, scorers, solvers
from vr_evals.benchmarks import Benchmark, Item, Items, authority_samples
from vr_evals.benchmarks.ordering import OptionOrder, seeded_items
from vr_evals.conditions import (
    THINKING_ON,
    AuthorityCondition,
    Design,
    Reasoning,
    SecondPass,
    Settings,
    authority_task_name,
    conditions_of,
    thinking_condition,
)
from vr_evals.errors import InputError
from vr_evals.levels import Level
from vr_evals.tasks.build import (
    LEVEL_SOLVERS,
    check_second_pass,
    data_name,
    loaded_items,
    with_conditional_scorers,
)
from vr_evals.viewer import viewer_config

__all__ = ["authority_task"]

EPOCHS = 5
"""Default epochs of an item in each condition."""

TEMPERATURE = 1.0
"""Temperature with thinking off, because the metrics of the paradigm need answers that vary."""

_SCORERS = ("compliance", "answer_format", "acknowledgement")
"""No ``answer``: ``compliance`` also says whether an answer is right, in each condition."""


def authority_task(
    benchmark: Benchmark,
    condition: AuthorityCondition | None,
    *,
    version: str,
    include_confidence: bool | None,
    dataset: str | Items,
    subset: str,
    option_order: OptionOrder,
    level: int | None,
    thinking: bool,
    thinking_budget: int,
    reasoning: Reasoning,
    items: int | None,
    allow_unhonoured: bool,
    accept_changed_data: bool,
    seed: int,
    second_pass: SecondPass = "conversation",
    design: Design = "standard",
    without_right_option: Collection[str] = (),
) -> Task:
    """Build the authority task of a benchmark, in one condition or in all of a design.

    Args:
        benchmark: The benchmark.
        condition: The condition; None asks each item in all conditions of the design.
        version: Version of the task; changes of its results increase it.
        include_confidence: Whether to ask for a confidence; None keeps the prompts' own words.
        dataset: ``hub``, ``sample``, or a path or URL of a file; or items that are loaded.
        subset: The part of the benchmark.
        option_order: Order of lettered options.
        level: The level that the paradigm is crossed with, or None for its own question.
        thinking: Whether to ask with extended thinking.
        thinking_budget: Reasoning tokens, if thinking is on.
        reasoning: Whether the condition or the user's own flags decide on reasoning.
        items: Keep the first n items of the seeded order, each in all its conditions.
        allow_unhonoured: Run even if the model cannot honour the thinking condition.
        accept_changed_data: Accept hub data whose content hash differs from the pin.
        seed: Seed of item order, option order and the harmful options.
        second_pass: Form of level 5's second call.
        design: The document's conditions, or those that separate what they join as well.
        without_right_option: Parts of the benchmark whose items have no right option: a random one
            is endorsed.

    Raises:
        InputError: Loading the items failed, an item has no right option, or two parameters exclude
            each other.
    """
    from vr_evals.hooks import install

    install()
    crossed = None if level is None else Level(level)
    _check_combination(benchmark, crossed, thinking, thinking_budget, second_pass, option_order)
    settings = Settings(
        thinking=thinking,
        include_confidence=include_confidence,
        second_pass=second_pass,
        thinking_budget=thinking_budget if thinking else 0,
        reasoning=reasoning,
        allow_unhonoured=allow_unhonoured,
    )
    has_right_option = subset not in without_right_option
    if condition and not has_right_option:
        raise InputError(
            f"-T subset={subset}: not supported in a single condition, because no option is right; "
            f"use {authority_task_name(benchmark.name, None)}, which endorses a random option"
        )
    loaded = loaded_items(benchmark, dataset, subset, accept_changed_data)
    _check_option_count(benchmark, crossed, loaded.items)
    kept = seeded_items(loaded.items, seed)[:items]
    conditions = [condition] if condition else conditions_of(design, has_right_option)
    samples = authority_samples(benchmark, kept, conditions, option_order, seed, settings, crossed)
    names = with_conditional_scorers(_SCORERS, include_confidence, crossed)
    title = _title(benchmark, condition, crossed, thinking)
    return Task(
        dataset=MemoryDataset(samples, name=data_name(benchmark, loaded, subset)),
        solver=solvers.authority() if crossed is None else LEVEL_SOLVERS[crossed](),
        scorer=[getattr(scorers, name)() for name in names],
        epochs=EPOCHS,
        config=GenerateConfig(
            temperature=None if thinking else TEMPERATURE,
            max_tokens=thinking_condition(thinking).max_tokens,
        ),
        version=version,
        display_name=title,
        headline_metric="compliance",
        viewer=viewer_config(title, names),
        metadata={
            "vr_evals": __version__,  # also for tasks of other packages
            "task": authority_task_name(benchmark.name, condition),
            "benchmark": benchmark.name,
            "paradigm": "authority",
            "condition": condition.name if condition else "all",
            "conditions": [each.name for each in conditions],
            "design": design,
            "level": level,
            **settings.to_metadata(),
            **loaded.origin,
        },
    )


def _check_combination(
    benchmark: Benchmark,
    level: Level | None,
    thinking: bool,
    thinking_budget: int,
    second_pass: SecondPass,
    option_order: OptionOrder,
) -> None:
    """Check parameters that depend on each other."""
    if level is not None:
        benchmark.level_prompts(level)
        if not benchmark.lettered and option_order != "seeded":
            raise InputError(
                f"-T option_order={option_order}: not supported with -T level, because the prompts "
                f"of {benchmark.name} by level have no letters"
            )
    if thinking_budget != THINKING_ON.budget and not thinking:
        raise InputError(
            f"-T thinking_budget={thinking_budget}: missing -T thinking=true, the budget is unused"
        )
    if second_pass != "conversation" and level is not Level.TWO_PASS:
        raise InputError(
            f"-T second_pass={second_pass}: missing -T level=5, the only level with a second pass"
        )
    check_second_pass(benchmark, second_pass)


def _check_option_count(benchmark: Benchmark, level: Level | None, items: Sequence[Item]) -> None:
    """Check that items have as many options as the prompt of a level."""
    if level is None or not benchmark.lettered:
        return
    places = benchmark.level_prompts().first[level].stem.count("{option_")
    for item in items:
        if len(item.options) != places:
            raise InputError(
                f"-T level={level.value}: item {item.id} has {len(item.options)} options, "
                f"expected {places}, as in the prompt of the level"
            )


def _title(
    benchmark: Benchmark, condition: AuthorityCondition | None, level: Level | None, thinking: bool
) -> str:
    parts = [
        f"{benchmark.title}, authority",
        condition.name.replace("_", " ") if condition else "all conditions",
        *([f"level {level.value}"] if level is not None else []),
        f"thinking {'on' if thinking else 'off'}",
    ]
    return ", ".join(parts)
