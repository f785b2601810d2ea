"""How a level task is put together: items, samples, solver, scorers, settings of the condition."""

from collections.abc import Sequence

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig

from vr_evals import __version__, scorers, solvers
from vr_evals.benchmarks import Benchmark, level_samples, load_items
from vr_evals.benchmarks.files import file_stem
from vr_evals.benchmarks.ordering import OptionOrder, seeded_items
from vr_evals.conditions import Reasoning, SecondPass, Settings, level_task_name, thinking_condition
from vr_evals.levels import Level
from vr_evals.viewer import viewer_config

__all__ = ["LEVEL_SOLVERS", "data_name", "level_task", "with_conditional_scorers"]

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
    dataset: str,
    items: int | None,
    reasoning: Reasoning,
    allow_unhonoured: bool,
    accept_changed_data: bool,
    seed: int,
    option_order: OptionOrder = "seeded",
    second_pass: SecondPass = "conversation",
    thinking_budget: int | None = None,
) -> Task:
    """The task of a benchmark at a level.

    Args:
        benchmark: The benchmark.
        level: How much reflection the prompt asks for.
        version: Of the task; a change that moves its numbers bumps it.
        subset: Which part of the benchmark.
        include_confidence: None for the level's own words; else whether a confidence is asked for.
        dataset: ``hub``, ``sample``, or a path or URL of a file.
        items: Keep the first n items of the seeded order.
        reasoning: Who decides on reasoning, the condition or the user's own flags.
        allow_unhonoured: Run where the model cannot honour the thinking condition.
        accept_changed_data: Take hub data whose content hash differs from the pin.
        seed: Seed of item order and option order.
        option_order: Order of lettered options.
        second_pass: Form of level 5's second call.
        thinking_budget: Tokens of reasoning; None is thinking off.

    Raises:
        InputError: The items cannot be loaded.
    """
    from vr_evals.hooks import install

    install()
    thinking = thinking_condition(thinking_budget is not None)
    settings = Settings(
        thinking=thinking.on,
        include_confidence=include_confidence,
        second_pass=second_pass,
        thinking_budget=thinking_budget or 0,
        reasoning=reasoning,
        allow_unhonoured=allow_unhonoured,
    )
    loaded = load_items(benchmark, dataset, subset, accept_changed_data)
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
        dataset=MemoryDataset(samples, name=data_name(benchmark, dataset, subset)),
        solver=LEVEL_SOLVERS[level](),
        scorer=[getattr(scorers, name)() for name in names],
        config=GenerateConfig(temperature=thinking.temperature, max_tokens=thinking.max_tokens),
        version=version,
        display_name=title,
        headline_metric=_headline(benchmark, samples),
        viewer=viewer_config(title, names),
        metadata={
            "vr_evals": __version__,  # also where the task is of another package
            "task": level_task_name(benchmark.name, level, thinking.on),
            "benchmark": benchmark.name,
            "level": level.value,
            "level_title": level.title,
            **settings.to_metadata(),
            **loaded.origin,
        },
    )


def _headline(benchmark: Benchmark, samples: Sequence[Sample]) -> str:
    """The scorer that a list of runs shows first."""
    has_targets = any(sample.target for sample in samples)
    return "preference" if "preference" in benchmark.scorers and not has_targets else "answer"


def data_name(benchmark: Benchmark, dataset: str, subset: str) -> str:
    """What the log calls the data: ``ethics-short``, ``ethics-sample-short``, ``ethics-mine``."""
    if dataset == "hub":
        return f"{benchmark.name}-{subset}"
    part = f"sample-{subset}" if dataset == "sample" else file_stem(dataset)
    return f"{benchmark.name}-{part}"


def with_conditional_scorers(
    names: Sequence[str], include_confidence: bool | None, level: Level | None
) -> list[str]:
    """The scorers that a task always has, and those that its settings call for.

    Args:
        names: Of the former, the most important first.
        include_confidence: Whether a confidence is asked for.
        level: The level that is asked, or None.
    """
    return [
        *names,
        *(["confidence"] if include_confidence else []),
        *(["reflection"] if level is Level.TWO_PASS else []),
    ]
