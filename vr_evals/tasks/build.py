"""Build level tasks: items, samples, solver, scorers, settings of the condition."""

from collections.abc import Sequence

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig

from vr_evals import __version__, scorers, solvers
from vr_evals.benchmarks import Benchmark, Items, level_samples, load_items
from vr_evals.benchmarks.files import file_stem
from vr_evals.benchmarks.ordering import OptionOrder, seeded_items
from vr_evals.conditions import Reasoning, SecondPass, Settings, level_task_name, thinking_condition
from vr_evals.errors import InputError
from vr_evals.levels import Level
from vr_evals.viewer import viewer_config

__all__ = [
    "LEVEL_SOLVERS",
    "check_second_pass",
    "data_name",
    "level_task",
    "loaded_items",
    "with_conditional_scorers",
]

LEVEL_SOLVERS = {
    Level.DIRECT: solvers.direct,
    Level.MINIMAL: solvers.minimal,
    Level.CHAIN_OF_THOUGHT: solvers.chain_of_thought,
    Level.STRUCTURED: solvers.structured,
    Level.ADVERSARIAL: solvers.adversarial,
    Level.TWO_PASS: solvers.two_pass,
}
"""The solver of each level."""


def level_task(
    benchmark: Benchmark,
    level: Level,
    *,
    version: str,
    subset: str,
    include_confidence: bool | None,
    dataset: str | Items,
    items: int | None,
    reasoning: Reasoning,
    allow_unhonoured: bool,
    accept_changed_data: bool,
    seed: int,
    option_order: OptionOrder = "seeded",
    second_pass: SecondPass = "conversation",
    thinking_budget: int | None = None,
) -> Task:
    """Build the task of a benchmark at a level.

    Args:
        benchmark: The benchmark.
        level: The level of the prompt.
        version: Version of the task; changes of its results increase it.
        subset: The part of the benchmark.
        include_confidence: Whether to ask for a confidence; None keeps the level's own words.
        dataset: ``hub``, ``sample``, or a path or URL of a file; or items that are loaded.
        items: Keep the first n items of the seeded order.
        reasoning: Whether the condition or the user's own flags decide on reasoning.
        allow_unhonoured: Run even if the model cannot honour the thinking condition.
        accept_changed_data: Accept hub data whose content hash differs from the pin.
        seed: Seed of item order and option order.
        option_order: Order of lettered options.
        second_pass: Form of level 5's second call.
        thinking_budget: Reasoning tokens; None for thinking off.

    Raises:
        InputError: Loading the items failed, or the benchmark has no prompt of the level or no such
            second call.
    """
    from vr_evals.hooks import install

    install()
    benchmark.level_prompts(level)
    check_second_pass(benchmark, second_pass)
    thinking = thinking_condition(thinking_budget is not None)
    settings = Settings(
        thinking=thinking.on,
        include_confidence=include_confidence,
        second_pass=second_pass,
        thinking_budget=thinking_budget or 0,
        reasoning=reasoning,
        allow_unhonoured=allow_unhonoured,
    )
    loaded = loaded_items(benchmark, dataset, subset, accept_changed_data)
    kept = seeded_items(loaded.items, seed)[:items]
    samples = level_samples(benchmark, kept, option_order, seed, settings)
    names = with_conditional_scorers(
        ["answer", "answer_format", *benchmark.scorers], include_confidence, level
    )
    title = (
        f"{benchmark.title}, level {level.value} ({level.title}), "
        f"thinking {'on' if thinking.on else 'off'}"
    )
    return Task(
        dataset=MemoryDataset(samples, name=data_name(benchmark, loaded, subset)),
        solver=LEVEL_SOLVERS[level](),
        scorer=[getattr(scorers, name)() for name in names],
        config=GenerateConfig(temperature=thinking.temperature, max_tokens=thinking.max_tokens),
        version=version,
        display_name=title,
        headline_metric=_headline(benchmark, samples),
        viewer=viewer_config(title, names),
        metadata={
            "vr_evals": __version__,  # also for tasks of other packages
            "task": level_task_name(benchmark.name, level, thinking.on),
            "benchmark": benchmark.name,
            "level": level.value,
            "level_title": level.title,
            **settings.to_metadata(),
            **loaded.origin,
        },
    )


def check_second_pass(benchmark: Benchmark, second_pass: SecondPass) -> None:
    """Check that a benchmark has a prompt for a form of level 5's second call.

    Raises:
        InputError: It has none.
    """
    if second_pass == "reask" and benchmark.level_prompts().again is None:
        raise InputError(
            f"-T second_pass=reask: not supported by {benchmark.name}, which has no prompt that "
            "asks again (LevelPrompts.again)"
        )


def _headline(benchmark: Benchmark, samples: Sequence[Sample]) -> str:
    """Return the scorer that a list of runs shows first."""
    has_targets = any(sample.target for sample in samples)
    return "preference" if "preference" in benchmark.scorers and not has_targets else "answer"


def loaded_items(
    benchmark: Benchmark, dataset: str | Items, subset: str, accept_changed_data: bool
) -> Items:
    """Return the items of a task: those of a data set, or those that are loaded."""
    if isinstance(dataset, Items):
        return dataset
    return load_items(benchmark, dataset, subset, accept_changed_data)


def data_name(benchmark: Benchmark, loaded: Items, subset: str) -> str:
    """Return the name of the data in logs, e.g. ``ethics-short`` or ``ethics-sample-short``."""
    dataset = str(loaded.origin["dataset"])
    if dataset == "hub":
        return f"{benchmark.name}-{subset}"
    part = f"sample-{subset}" if dataset == "sample" else file_stem(dataset)
    return f"{benchmark.name}-{part}"


def with_conditional_scorers(
    names: Sequence[str], include_confidence: bool | None, level: Level | None
) -> list[str]:
    """Return the scorers of a task, with those that its settings add.

    Args:
        names: Scorers whatever the settings, the most important first.
        include_confidence: Whether the task asks for a confidence.
        level: The level of the prompts, or None.
    """
    return [
        *names,
        *(["confidence"] if include_confidence else []),
        *(["reflection"] if level in (Level.ADVERSARIAL, Level.TWO_PASS) else []),
    ]
