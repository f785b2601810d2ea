"""What a study would take and what it could see, before it is run."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from vr_evals.analysis.checks import tidy_columns
from vr_evals.analysis.pilot import ASSUMED, Pilot, pilot_of
from vr_evals.analysis.prices import BATCH_SHARE, Price, known_price
from vr_evals.analysis.tokens import (
    THINKING_TOKENS,
    output_tokens,
    tokenizer_ratio,
    tokens_per_call,
)
from vr_evals.errors import InputError
from vr_evals.formatting import shown
from vr_evals.levels import Level
from vr_evals.stats.planning import (
    PairedDesign,
    Side,
    items_for_difference,
    rate_half_width,
)

__all__ = ["CONNECTIONS", "CountedTask", "StudyPlan", "by_model", "plan", "spending"]

CONNECTIONS = 10
"""Calls at once that a measured pace assumes: Inspect's usual number for a model."""

TASKS = (
    "model",
    "task",
    "benchmark",
    "level",
    "thinking",
    "samples",
    "calls",
    "input_tokens",
    "output_tokens",
    "reasoning_tokens",
    "tokens_from",
    "cost",
    "cost_cached",
    "price_from",
    "hours",
)
"""The columns of `StudyPlan.tasks`."""

QUESTIONS = (
    "question",
    "benchmark",
    "items",
    "epochs",
    "cells",
    "test",
    "half_width",
    "detectable",
    "tests",
    "detectable_in_family",
    "bias_bound",
    "items_needed",
    "items_needed_in_family",
    "design_from",
)
"""The columns of `StudyPlan.questions`."""

_QUESTIONS = {
    "levels": "level against 0",
    "thinking": "thinking on/off",
    "models": "two models",
    "authority": "excess compliance",
}


_NAMED = 3
"""Models that a note names."""


@dataclass(frozen=True)
class CountedTask:
    """One task of a grid on one model, counted.

    Attributes:
        model: The model.
        task: The task's name.
        benchmark: Its benchmark.
        level: Its level; None for the authority paradigm's own question.
        thinking: Whether thinking is on.
        conditions: Authority conditions with a cue; 0 outside that paradigm.
        items: Items that are asked.
        targets: Items with a right answer.
        clusters: Clusters of the items with a right answer.
        weighted_size: Mean size of such an item's cluster, Σm²/Σm.
        epochs: Answers to each item in a condition: epochs, times orders of the options.
        samples: Samples, epochs included.
        calls: Calls, retries apart.
        prompt_tokens: Of all calls' prompts by `estimated_tokens`, without the model's own replies.
        quoted_replies: How many replies to a first call the prompts of second calls contain.
        repeated_tokens: Of `prompt_tokens`, those of prompts that were sent before and are long
            enough for providers' caches: 1,024 tokens.
        reask: Whether level 5 is its control.
    """

    model: str
    task: str
    benchmark: str
    level: int | None
    thinking: bool
    conditions: int
    items: int
    targets: int
    clusters: int
    epochs: int
    samples: int
    calls: int
    prompt_tokens: float
    weighted_size: float = 1.0
    quoted_replies: int = 0
    repeated_tokens: float = 0.0
    reask: bool = False


class StudyPlan(NamedTuple):
    """The plan of a study, as frames.

    Attributes:
        tasks: A row for each task and model: samples, calls, tokens, dollars, hours.
        models: The same for each model, with a last row `total`. NaN if a part is unknown; hours in
            all are those of the slowest model, because models do not wait for each other.
        questions: A row for each question and benchmark, and for the average over all cells
            (`benchmark` is missing): half the length of the 95 % interval and the smallest
            difference that is found in 80 %, as rates 0–1, at 5 % and at 5 %/`tests`.
        epochs: The same calls as fewer items with more epochs, and one more epoch or as many calls
            for more items: what each could see of a level or thinking effect.
        design: The assumed or measured design of each question.
        notes: Sentences on what is assumed and what is unknown.
    """

    tasks: pd.DataFrame
    models: pd.DataFrame
    questions: pd.DataFrame
    epochs: pd.DataFrame
    design: pd.DataFrame
    notes: tuple[str, ...]


def plan(
    tasks: Sequence[CountedTask],
    *,
    pilot: pd.DataFrame | None = None,
    prices: Mapping[str, Price] | None = None,
    batch: bool = False,
    rate: float | None = None,
    connections: int = CONNECTIONS,
    detect: float | None = None,
) -> StudyPlan:
    """Return what a study would take, and what it could see.

    Args:
        tasks: Its tasks on each model, e.g. from ``vr-evals plan``.
        pilot: The tidy table of earlier logs: tokens and pace by model, benchmark, level and
            thinking (else of the same model, level and thinking), and the variances of the design.
        prices: Dollars per million tokens by model; they replace Inspect's.
        batch: Whether calls are sent in batches, which cost less.
        rate: Calls per minute of each model, above 0; else hours are those of the pilot's pace.
        connections: Calls at once, for that pace.
        detect: A difference in points (above 0, below 100), for `items_needed`.

    Raises:
        InputError: An argument is out of range, or there are no tasks.
    """
    if detect is not None and not 0 < detect < 100:
        raise InputError(
            f"invalid detect {detect!r}: expected points above 0 and below 100, e.g. 5"
        )
    frame, notes = spending(
        tasks, pilot=pilot, prices=prices, batch=batch, rate=rate, connections=connections
    )
    designs = dict.fromkeys(_QUESTIONS, ASSUMED)
    if pilot is not None:
        designs |= pilot_of(pilot)
    asked = list(_asked(tasks))
    questions = pd.DataFrame(
        [_question(each, designs[each.design], detect) for each in asked], columns=list(QUESTIONS)
    ).astype({"items_needed": "Int64", "items_needed_in_family": "Int64", "benchmark": "string"})
    used = {each.design for each in asked}
    return StudyPlan(
        frame,
        by_model(frame),
        questions,
        _of_epochs(asked, designs),
        _design_frame({name: each for name, each in designs.items() if name in used}),
        notes,
    )


def spending(
    tasks: Sequence[CountedTask],
    *,
    pilot: pd.DataFrame | None = None,
    prices: Mapping[str, Price] | None = None,
    batch: bool = False,
    rate: float | None = None,
    connections: int = CONNECTIONS,
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return what a study would take, and sentences on what is assumed and unknown.

    Args:
        tasks: As for `plan`, like the others.
        pilot: The tidy table of earlier logs.
        prices: Dollars per million tokens by model.
        batch: Whether calls are sent in batches.
        rate: Calls per minute of each model.
        connections: Calls at once.

    Raises:
        InputError: An argument is out of range, or there are no tasks.
    """
    if not tasks:
        raise InputError("no tasks to plan")
    if rate is not None and not 0 < rate < math.inf:
        raise InputError(f"invalid rate {rate!r}: expected calls per minute, above 0")
    if connections < 1:
        raise InputError(f"invalid connections {connections!r}: expected 1 or more")
    measured = None if pilot is None else _Measured(pilot)
    models = dict.fromkeys(task.model for task in tasks)
    price_of = {model: _price(model, prices or {}) for model in models}
    rows = []
    for task in tasks:
        spent = _tokens(task, measured)
        price, price_from = price_of[task.model]
        share = _batch_share(task.model, price) if batch else 1.0
        rows.append(
            {name: getattr(task, name) for name in TASKS if hasattr(task, name)}
            | {name: spent[name] for name in spent if name in TASKS}
            | _cost(task, spent, price, share)
            | {"price_from": price_from, "hours": _hours(task, spent, rate, connections)}
        )
    frame = pd.DataFrame(rows, columns=list(TASKS)).astype(
        {"level": "Int64", "cost": "float64", "cost_cached": "float64", "hours": "float64"}
    )
    return frame, tuple(_notes(frame, batch, price_of))


# tokens, dollars, hours


_MEASURES = ("input_tokens", "output_tokens", "reasoning_tokens", "seconds")


class _Measured:
    """Means per sample of earlier logs, by cell and more coarsely."""

    def __init__(self, table: pd.DataFrame) -> None:
        table = tidy_columns(
            table, ("model", "benchmark", "level", "thinking", "condition", *_MEASURES)
        )
        values = table[list(_MEASURES)]
        keys = table[["model", "benchmark"]].assign(
            level=table["level"].fillna(-1).to_numpy(dtype=int),
            thinking=table["thinking"].fillna(False).to_numpy(dtype=bool),
            authority=table["condition"].notna().to_numpy(),
        )
        both = pd.concat([keys, values], axis=1)
        fine = ["model", "benchmark", "level", "thinking", "authority"]
        coarse = [name for name in fine if name != "benchmark"]
        self._fine = both.groupby(fine)[list(_MEASURES)].mean().to_dict("index")
        self._coarse = both.groupby(coarse)[list(_MEASURES)].mean().to_dict("index")

    def of(self, task: CountedTask, name: str) -> tuple[float, str]:
        """Return a mean per sample and what it is from; NaN if the logs do not have it."""
        level = -1 if task.level is None else task.level
        rest = (level, task.thinking, task.conditions > 0)
        for found, source in (
            (self._fine.get((task.model, task.benchmark, *rest)), "measured"),
            (self._coarse.get((task.model, *rest)), "other benchmarks"),
        ):
            value = found[name] if found else pd.NA
            if not pd.isna(value):
                return float(value), source
        return math.nan, "assumed"


def _tokens(task: CountedTask, measured: _Measured | None) -> dict[str, Any]:
    """Return tokens of all samples, seconds of one, and what they are from."""
    visible = output_tokens(task.level) * task.calls
    thinking = THINKING_TOKENS * task.calls if task.thinking else 0
    per_call = visible / task.calls if task.calls else 0.0
    own = (
        task.prompt_tokens * tokenizer_ratio(task.model) + tokens_per_call(task.model) * task.calls
    )
    found: dict[str, Any] = {
        "input_tokens": own + task.quoted_replies * per_call,
        "output_tokens": float(visible + thinking),
        "reasoning_tokens": float(thinking),
        "tokens_from": "assumed",
        "seconds": math.nan,
    }
    if measured is None:
        return found
    values = {name: measured.of(task, name) for name in _MEASURES}
    for name, (value, source) in values.items():
        prompts = name == "input_tokens" and source != "measured"  # they differ by benchmark
        if not math.isnan(value) and not prompts:
            found[name] = value if name == "seconds" else value * task.samples
    sources = {values[name][1] for name in ("input_tokens", "output_tokens")}
    complete = sources in ({"measured"}, {"assumed"})
    found["tokens_from"] = sources.pop() if complete else "measured in part"
    return found


def _price(model: str, prices: Mapping[str, Price]) -> tuple[Price | None, str]:
    if model in prices:
        return prices[model], "file"
    price = known_price(model)
    return price, "unknown" if price is None else "Inspect"


def _batch_share(model: str, price: Price | None) -> float:
    if price is not None and price.batch is not None:
        return price.batch
    return BATCH_SHARE.get(model.partition("/")[0], 1.0)


def _cost(
    task: CountedTask, spent: Mapping[str, Any], price: Price | None, share: float
) -> dict[str, float]:
    """Return dollars without a cache, and with repeated long prompts read from one."""
    if price is None:
        return {"cost": math.nan, "cost_cached": math.nan}
    full = spent["input_tokens"] * price.input + spent["output_tokens"] * price.output
    cached = 0.0
    if price.input_cache_read is not None:
        repeated = min(task.repeated_tokens * tokenizer_ratio(task.model), spent["input_tokens"])
        cached = repeated * (price.input - price.input_cache_read)
    return {"cost": full * share / 1e6, "cost_cached": (full - cached) * share / 1e6}


def _hours(
    task: CountedTask, spent: Mapping[str, Any], rate: float | None, connections: int
) -> float:
    if rate is not None:
        return task.calls / rate / 60
    return float(spent["seconds"]) * task.samples / connections / 3600


def by_model(frame: pd.DataFrame) -> pd.DataFrame:
    """Return sums for each model and in all; NaN if a part is unknown.

    Args:
        frame: `StudyPlan.tasks`.
    """
    names = ["samples", "calls", "input_tokens", "output_tokens", "reasoning_tokens"]
    names += ["cost", "cost_cached", "hours"]
    parts = frame.groupby("model", sort=False)[names]
    found = parts.sum(min_count=1).reset_index()
    unknown = parts.agg("count").lt(parts.size(), axis=0).to_numpy()
    found[names] = found[names].astype("float64").mask(unknown)
    total = found[names].sum(skipna=False)
    total["hours"] = found["hours"].max(skipna=False)
    found = pd.concat([found, pd.DataFrame([{"model": "total", **total}])], ignore_index=True)
    return found.astype({"samples": "int64", "calls": "int64"})


# what it could see


@dataclass(frozen=True)
class _Asked:
    """One question that a grid can answer.

    Attributes:
        name: The question in words.
        design: Whose variances apply.
        benchmark: Its benchmark; None for the average over all.
        items: Items compared.
        cluster_size: Mean items per cluster.
        weighted_size: Mean size of an item's cluster.
        epochs: Answers of an item on each side in a cell.
        cells: Pairs of cells that are averaged, of each benchmark.
        tests: How many tests its family has.
        single: Whether it is the accuracy of one cell.
    """

    name: str
    design: str
    benchmark: str | None
    items: int
    cluster_size: float
    weighted_size: float
    epochs: int
    cells: int
    tests: int
    single: bool = False

    def paired(self, found: Pilot) -> PairedDesign:
        """Return its design: cells of an item count as further epochs."""
        side = Side(found.rate, found.within, self.epochs * self.cells)
        return PairedDesign(
            self.items, found.between, side, side, found.unread, self.cluster_size,
            found.correlation, self.weighted_size,
        )  # fmt: skip


def _asked(tasks: Sequence[CountedTask]) -> Iterator[_Asked]:
    """Yield the questions of a grid: of each benchmark in a cell, then the averages."""
    ladder = [task for task in tasks if not task.conditions and task.targets]
    cued = [task for task in tasks if task.conditions and task.targets]
    averages: dict[str, list[_Asked]] = {}
    models = {task.model for task in tasks}
    pairs = math.comb(len(models), 2)
    levels = {task.level for task in ladder}
    contrasts = len(levels - {Level.DIRECT}) + any(t.reask for t in ladder)
    if Level.DIRECT not in levels:
        contrasts = 0
    thinking = len({task.thinking for task in ladder})
    benchmarks = list(dict.fromkeys(task.benchmark for task in tasks))
    n_ladder = len({task.benchmark for task in ladder})
    for benchmark in benchmarks:
        if own := [task for task in ladder if task.benchmark == benchmark]:
            least = min(own, key=lambda task: (task.targets, task.epochs))
            n_levels = len({task.level for task in own})
            kind = (benchmark, least.targets, *_sizes(least), least.epochs)
            of_cells = [
                ("levels", contrasts, thinking * len(models), contrasts * thinking * n_ladder),
                ("thinking", thinking > 1, n_levels * len(models), n_levels * n_ladder),
                ("models", pairs, n_levels * thinking, pairs * n_levels * thinking * n_ladder),
            ]
            first = next((design for design, possible, *_ in of_cells if possible), "levels")
            yield _Asked("accuracy", first, *kind, 1, 1, single=True)
            for design, possible, cells, tests in of_cells:
                if possible:
                    one = _Asked(_QUESTIONS[design], design, *kind, 1, tests)
                    averages.setdefault(design, []).append(replace(one, cells=cells))
                    yield one
        if own := [task for task in cued if task.benchmark == benchmark]:
            least = min(own, key=lambda task: (task.targets, task.epochs))
            of_model = [task for task in cued if task.model == least.model]
            one = _Asked(
                _QUESTIONS["authority"], "authority", benchmark, least.targets, *_sizes(least),
                least.epochs, 1, sum(task.conditions for task in of_model),
            )  # fmt: skip
            averages.setdefault("authority", []).append(replace(one, cells=len(own)))
            yield one
    own_tests = {"levels": contrasts, "thinking": 1, "models": pairs}
    own_tests["authority"] = max((task.conditions for task in cued), default=0)
    for design, each in averages.items():
        if sum(one.cells for one in each) > 1:
            yield _average(each, own_tests[design])


def _sizes(task: CountedTask) -> tuple[float, float]:
    """Return the mean size of a cluster, and that of an item's cluster."""
    mean = max(1.0, task.targets / max(1, task.clusters))
    return mean, max(mean, task.weighted_size)


def _average(each: Sequence[_Asked], tests: int) -> _Asked:
    """Return the average over all cells: as many items as have the variance of Σ w²·V/n."""
    weights = np.array([one.cells for one in each]) / sum(one.cells for one in each)
    items = np.array([one.items for one in each])
    replies = [one.cells * one.epochs for one in each]
    return replace(
        each[0],
        benchmark=None,
        items=round(1 / float((weights**2 / items).sum())),
        cluster_size=max(one.cluster_size for one in each),
        weighted_size=max(one.weighted_size for one in each),
        epochs=min(one.epochs for one in each),
        cells=max(1, min(replies) // min(one.epochs for one in each)),
        tests=tests,
    )


def _question(asked: _Asked, found: Pilot, detect: float | None) -> dict[str, Any]:
    row = {
        "question": asked.name,
        "benchmark": asked.benchmark,
        "items": asked.items,
        "epochs": asked.epochs,
        "cells": asked.cells,
        "tests": asked.tests,
        "bias_bound": found.unread,
        "design_from": found.source,
    }
    if asked.single:
        side = Side(found.rate, found.within, asked.epochs)
        row["half_width"] = rate_half_width(
            asked.items, side, unread=found.unread, cluster_size=asked.cluster_size,
            correlation=found.correlation, weighted_size=asked.weighted_size,
        )  # fmt: skip
        row["test"] = "interval"
        return row
    design, alpha = asked.paired(found), 0.05 / max(1, asked.tests)
    row |= {
        "test": "score" if design.single else "clustered_score",
        "half_width": design.half_width(),
        "detectable": design.detectable(),
        "detectable_in_family": design.detectable(alpha=alpha),
    }
    if detect is not None:
        row["items_needed"] = items_for_difference(design, detect / 100)
        row["items_needed_in_family"] = items_for_difference(design, detect / 100, alpha=alpha)
    return row


def _of_epochs(asked: Sequence[_Asked], designs: Mapping[str, Pilot]) -> pd.DataFrame:
    """Return other divisions of the calls of a question of one cell, and what more calls buy."""
    columns = ["items", "epochs", "calls_a_side", "detectable", "is_planned", "is_same_calls"]
    ones = [each for each in asked if not each.single and each.benchmark is not None]
    if not ones:
        return pd.DataFrame(columns=columns)
    one = min(ones, key=lambda each: each.items)
    calls = one.items * one.epochs
    divisions = [(one.items, one.epochs), (calls, 1), (calls // 2, 2), (calls // 10, 10)]
    divisions += [(one.items, one.epochs + 1), ((calls + one.items) // one.epochs, one.epochs)]
    rows = []
    for items, epochs in dict.fromkeys(divisions):
        design = replace(one, items=items, epochs=epochs).paired(designs[one.design])
        rows.append(
            {
                "items": items,
                "epochs": epochs,
                "calls_a_side": items * epochs,
                "detectable": design.detectable(),
                "is_planned": (items, epochs) == (one.items, one.epochs),
                "is_same_calls": items * epochs <= calls,
            }
        )
    return pd.DataFrame(rows, columns=columns)


def _design_frame(designs: Mapping[str, Pilot]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "question": name,
                **asdict(each),
                "discordance": each.discordance,
                "within_item_correlation": each.within_item_correlation,
            }
            for name, each in designs.items()
        ]
    )


def _notes(
    frame: pd.DataFrame, batch: bool, price_of: Mapping[str, tuple[Price | None, str]]
) -> Iterator[str]:
    unknown = [shown(model, 40) for model, (price, _) in price_of.items() if price is None]
    if unknown:
        more = ", …" if len(unknown) > _NAMED else ""
        names = ", ".join(unknown[:_NAMED])
        yield f"Price unknown for {len(unknown)} of {len(price_of)} models: {names}{more}."
    if batch:
        full = [shown(m, 40) for m, (price, _) in price_of.items() if _batch_share(m, price) == 1.0]
        if full:
            more = ", …" if len(full) > _NAMED else ""
            yield f"No batch discount is known for {', '.join(full[:_NAMED])}{more}."
    if frame["tokens_from"].eq("assumed").any():
        yield (
            "Tokens are estimated from the prompts, and assumed of replies: per call "
            + ", ".join(
                f"{output_tokens(level)} "
                + ("(authority)" if level is None else f"at level {level}")
                for level in (*Level, None)
            )
            + f", and {THINKING_TOKENS} of thinking."
        )
