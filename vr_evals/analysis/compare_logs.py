"""Models compared on any Inspect task: estimates, and paired differences on the same samples."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    NOANSWER,
    PARTIAL,
    Score,
    ScoreReducer,
    at_least,
    max_score,
    median_score,
    mode_score,
    pass_at,
    pass_k,
)

from vr_evals.analysis.files import LogPath, check_paths
from vr_evals.analysis.scored_logs import (
    ScoredLog,
    ScoredLogs,
    ScoreKey,
    chosen_scores,
    read_scored_logs,
)
from vr_evals.errors import InputError
from vr_evals.formatting import listed, plural, shown
from vr_evals.stats.intervals import wilson_clustered
from vr_evals.stats.paired import holm
from vr_evals.stats.pooled import Mean, Strata, detectable, influences, pooled_mean
from vr_evals.stats.score import Difference, difference

__all__ = [
    "COMPARED",
    "COMPARED_ITEMS",
    "SCORES",
    "ScoredTask",
    "check_comparable",
    "compare_items",
    "compare_logs",
    "compare_tasks",
    "measure_name",
    "read_scores",
    "scored_tasks",
    "scores_frame",
]

COMPARED = (
    "task",
    "variant",
    "scorer",
    "score",
    "reducer",
    "scale",
    "model",
    "versus",
    "estimate",
    "low",
    "high",
    "p",
    "p_adjusted",
    "test",
    "detectable",
    "n_items",
    "n_samples",
    "n_clusters",
    "n_better",
    "n_worse",
    "n_equal",
    "n_unpaired",
    "n_unpaired_versus",
    "n_errors",
    "n_unscored",
    "n_missing",
)
"""The columns of `compare_logs`."""

COMPARED_ITEMS = (
    "task",
    "variant",
    "scorer",
    "score",
    "reducer",
    "item",
    "cluster",
    "model",
    "versus",
    "value",
    "value_versus",
    "difference",
    "better",
)
"""The columns of `compare_items`."""

SCORES = (
    "task",
    "variant",
    "model",
    "item",
    "epoch",
    "scorer",
    "score",
    "value",
    "text",
    "status",
    "cluster",
    "log",
)
"""The columns of `read_scores`."""

_LETTERS = {CORRECT: 1.0, PARTIAL: 0.5, INCORRECT: 0.0, NOANSWER: 0.0}

_REDUCERS: Mapping[str, Callable[[], ScoreReducer]] = {
    "median": median_score,
    "mode": mode_score,
    "max": max_score,
}
_REDUCERS_OF: Mapping[str, Callable[[int], ScoreReducer]] = {
    "at_least": at_least,
    "pass_at": pass_at,
    "pass_k": pass_k,
}
_MEAN = "mean"

_NAMED = 3
"""Ids and values that a sentence names."""


def compare_logs(
    *paths: LogPath,
    unfinished: bool = False,
    alias: Mapping[str, str] | None = None,
    cluster: str | None = None,
    scorer: str | Sequence[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> pd.DataFrame:
    """Compare models on the same samples of any Inspect task, two at a time.

    For each scorer, and each key of scores that are dicts or lists, whose values are numbers,
    booleans or Inspect's C, P, I and N (1, 0.5, 0 and 0): the mean over samples of the mean over
    epochs, for each model, and the paired difference for each two, in alphabetical order. Where a
    log reduces epochs in other ways of Inspect's too (`at_least_2`), these have rows of their own,
    over the samples with all epochs scored.

    Values of 0 and 1 are rates, with the intervals and tests of our own reports: `wilson_clustered`
    and Tango's score test with an effective number of pairs (of single epochs McNemar's). Means of
    other values, and their differences, have a t interval from the sums of the clusters. The
    interval of a difference excludes 0 if and only if p < 0.05.

    Two logs are compared only if task, its version, its arguments, the name of the dataset, the
    ids of the samples and their inputs are the same; `attrs["refusals"]` has what differs. Samples
    that failed, were left unscored, or are missing are left out and counted.

    Args:
        paths: Log files, folders (with all below them), and URLs of either.
        unfinished: Whether runs that did not end well are read too.
        alias: New names of models.
        cluster: The key of samples' metadata that names their cluster, e.g. a passage that several
            questions are about; left out, each sample id is one.
        scorer: Only these scores: a scorer, or ``SCORER/KEY``, or several; by default all.
        progress: Called as reading goes on.

    Returns:
        Rows with `versus` missing are models, the others differences, `model` minus `versus`, in
        the score's own unit (a `scale` that is ``rate`` is 0–1). `p_adjusted` is Holm's over all
        differences of the frame. `detectable` is the difference that would be found in 80 %.
        `n_better`, `n_worse` and `n_equal` count samples; `n_unpaired` and `n_unpaired_versus` are
        samples with a value on that side only; `n_errors`, `n_unscored` and `n_missing` count
        epochs of samples of `model`. `attrs["notes"]` has what was left out.

    Raises:
        InputError: There are no logs or no scored samples, paths are not given one by one, or
            `alias`, `cluster` or `scorer` does not match.
    """
    check_paths("compare_logs", paths)
    read = read_scored_logs(
        paths, unfinished=unfinished, alias=alias, cluster=cluster, progress=progress
    )
    return compare_tasks(scored_tasks(read, scorer))


def read_scores(
    *paths: LogPath,
    unfinished: bool = False,
    alias: Mapping[str, str] | None = None,
    cluster: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> pd.DataFrame:
    """Read the scores of any Inspect logs: a row per sample, epoch, scorer and key of its score.

    Args:
        paths: As for `compare_logs`.
        unfinished: Likewise.
        alias: Likewise.
        cluster: Likewise.
        progress: Likewise.

    Returns:
        `value` is the number of a score, `text` the text of one without; `status` is ``scored``,
        ``text``, ``unscored``, ``error`` or ``missing``. `attrs["notes"]` has what was left out.

    Raises:
        InputError: As for `compare_logs`.
    """
    check_paths("read_scores", paths)
    read = read_scored_logs(
        paths, unfinished=unfinished, alias=alias, cluster=cluster, progress=progress
    )
    return scores_frame(scored_tasks(read))


@dataclass(frozen=True)
class ScoredTask:
    """Logs of one task with the same settings, which can be compared.

    Attributes:
        name: The task.
        variant: What tells its settings from others of the same task; empty if there are none.
        logs: One for each model.
        keys: The scores that some sample has.
        texts: Some values of those of them that are texts, which are not compared.
        notes: Sentences on what was left out, and on settings in which the models differ.
        refusals: Sentences on logs of the task that cannot be compared with these.
    """

    name: str
    variant: str
    logs: tuple[ScoredLog, ...]
    keys: tuple[ScoreKey, ...]
    texts: Mapping[ScoreKey, Sequence[str]]
    notes: tuple[str, ...]
    refusals: tuple[str, ...]

    @cached_property
    def items(self) -> dict[str, int]:
        """The number of each item, in the order of the first log that has it."""
        every = dict.fromkeys(s.item for log in self.logs for s in log.samples)
        return {item: number for number, item in enumerate(every)}

    @cached_property
    def clusters(self) -> np.ndarray[Any, np.dtype[np.intp]]:
        """The number of each item's cluster."""
        found = {s.item: s.cluster for log in self.logs for s in log.samples}
        codes, _ = pd.factorize(np.array([found[item] for item in self.items], dtype=object))
        return codes.astype(np.intp)

    @property
    def compared(self) -> list[ScoreKey]:
        """The scores that are numbers."""
        return [key for key in self.keys if key not in self.texts]


def scored_tasks(read: ScoredLogs, scorer: str | Sequence[str] | None = None) -> list[ScoredTask]:
    """Return the tasks of logs, those of other settings apart.

    Args:
        read: The logs.
        scorer: The scores that are kept, as for `compare_logs`; tasks without one are left out.

    Raises:
        InputError: A scorer is of no score in the logs.
    """
    keys = dict.fromkeys(key for log in read.logs for s in log.samples for key in s.values)
    wanted = [scorer] if isinstance(scorer, str) else list(scorer or ())
    chosen = chosen_scores(keys, wanted) if wanted else None
    found: list[ScoredTask] = []
    without: list[str] = []
    by_task: defaultdict[str, list[ScoredLog]] = defaultdict(list)
    for log in read.logs:
        by_task[log.task].append(log)
    for name, logs in by_task.items():
        groups: list[list[ScoredLog]] = []
        for log in logs:
            for group in groups:
                if not any(_differences(each, log) for each in group):
                    group.append(log)
                    break
            else:
                groups.append([log])
        firsts = [group[0] for group in groups]
        tasks = [_task(name, _variant(group[0], firsts), group, chosen) for group in groups]
        kept = [task for task in tasks if task.keys or chosen is None]
        if chosen is not None:
            without += [_where(name, task.variant) for task in tasks if not task.keys]
        if kept:
            refused = replace(kept[0], refusals=_refusals(name, groups))
            found += [refused, *kept[1:]]
    notes = list(read.notes)
    if without:
        names = listed(map(shown, wanted))
        notes.append(f"{plural(len(without), 'task')} without {names} left out: {listed(without)}")
    if found:
        found[0] = replace(found[0], notes=(*notes, *found[0].notes))
    return found


def compare_tasks(tasks: Sequence[ScoredTask]) -> pd.DataFrame:
    """Compare the models of each task, as `compare_logs`.

    Args:
        tasks: What `scored_tasks` returns.
    """
    records = [row for task in tasks for each in _measures(task) for row in _rows(each)]
    frame = pd.DataFrame(records, columns=list(COMPARED))
    integers = [name for name in COMPARED if name.startswith("n_")]
    numbers = ["estimate", "low", "high", "p", "p_adjusted", "detectable"]
    frame = frame.astype(dict.fromkeys(integers, "Int64") | dict.fromkeys(numbers, "float64"))
    frame["p_adjusted"] = holm(frame["p"])
    return _with_notes(frame, tasks)


def compare_items(tasks: Sequence[ScoredTask]) -> pd.DataFrame:
    """Return who was better on which samples: a row per sample that two models both have.

    Args:
        tasks: What `scored_tasks` returns.

    Returns:
        The largest differences of each pair first. `better` is a model, or missing if both are
        alike.
    """
    records = []
    for task in tasks:
        names = list(task.items)
        clusters = {s.item: s.cluster for log in task.logs for s in log.samples}
        for each in _measures(task):
            for one, other in combinations(range(len(task.logs)), 2):
                x, y = each.values[one], each.values[other]
                both = np.flatnonzero(~np.isnan(x) & ~np.isnan(y))
                for i in both[np.argsort(-np.abs(x[both] - y[both]), kind="stable")]:
                    sides = task.logs[one].model, task.logs[other].model
                    gap = x[i] - y[i]
                    better = None if gap == 0 else sides[0] if gap > 0 else sides[1]
                    item = names[i]
                    values = (item, clusters[item], *sides, x[i], y[i], gap, better)
                    records.append((*each.labels.values(), *values))
    return _with_notes(pd.DataFrame(records, columns=list(COMPARED_ITEMS)), tasks)


def scores_frame(tasks: Sequence[ScoredTask]) -> pd.DataFrame:
    """Return all scores of tasks, as `read_scores`.

    Args:
        tasks: What `scored_tasks` returns.
    """
    records: list[tuple[Any, ...]] = []
    for task in tasks:
        for log in task.logs:
            shared = (task.name, task.variant, log.model)
            for sample in log.samples:
                for key in task.keys:
                    value = sample.values.get(key)
                    number = None if value is None or key in task.texts else _number(value)
                    text = str(value) if key in task.texts and value is not None else None
                    status = (
                        "error"
                        if sample.failed
                        else "unscored"
                        if value is None
                        else "text"
                        if key in task.texts
                        else "scored"
                    )
                    if sample.failed:
                        number, text = None, None
                    of_sample = (sample.item, sample.epoch)
                    of_score = (number, text, status, sample.cluster, log.log)
                    records.append((*shared, *of_sample, *key, *of_score))
            there = {(sample.item, sample.epoch) for sample in log.samples}
            for item in sorted(log.items):
                for epoch in range(1, log.epochs + 1):
                    if (item, epoch) not in there:
                        records += [
                            (*shared, item, epoch, *key, None, None, "missing", None, log.log)
                            for key in task.keys
                        ]
    frame = pd.DataFrame(records, columns=list(SCORES))
    frame = frame.astype({"value": "float64", "epoch": "int64"})
    return _with_notes(frame, tasks)


def _with_notes(frame: pd.DataFrame, tasks: Sequence[ScoredTask]) -> pd.DataFrame:
    frame.attrs["notes"] = [note for task in tasks for note in task.notes]
    frame.attrs["refusals"] = [refusal for task in tasks for refusal in task.refusals]
    return frame


def _task(
    name: str,
    variant: str,
    logs: Sequence[ScoredLog],
    chosen: Sequence[ScoreKey] | None,
) -> ScoredTask:
    every_key = dict.fromkeys(key for log in logs for s in log.samples for key in s.values)
    keys = [key for key in every_key if chosen is None or key in chosen]
    texts: dict[ScoreKey, list[str]] = {}
    for key in keys:
        every = (s.values.get(key) for log in logs for s in log.samples)
        others = dict.fromkeys(v for v in every if isinstance(v, str) and v not in _LETTERS)
        if others:
            texts[key] = list(others)
    where = _where(name, variant)
    on_texts = [
        f"{where}: score {_named(key)} not compared: its values are texts, e.g. "
        + listed((repr(shown(value, 30)) for value in values[:_NAMED]), _NAMED)
        for key, values in texts.items()
    ]
    notes = (*on_texts, *_on_samples(where, logs), *_on_settings(where, logs))
    return ScoredTask(name, variant, tuple(logs), tuple(keys), texts, notes, refusals=())


def _where(name: str, variant: str) -> str:
    return f"{shown(name)}{f' ({shown(variant, 200)})' if variant else ''}"


def _named(key: ScoreKey) -> str:
    return shown(" / ".join(filter(None, key)))


def _differences(one: ScoredLog, other: ScoredLog) -> dict[str, str]:
    """What two logs of a task differ in that have to be the same, in words, by its name."""
    names = dict.fromkeys((*one.settings, *other.settings))
    found = {
        name: " / ".join(shown(log.settings.get(name, "none"), 60) for log in (one, other))
        for name in names
        if one.settings.get(name) != other.settings.get(name)
    }
    if one.items != other.items:
        only = [sorted(one.items - other.items), sorted(other.items - one.items)]
        found["sample ids"] = " / ".join(
            f"{len(ids):,} only here" + (f" ({_some(ids)})" if ids else "") for ids in only
        )
    changed = [i for i, text in other.inputs.items() if one.inputs.get(i, text) != text]
    if changed:
        found["inputs"] = f"of {plural(len(changed), 'sample id')} ({_some(changed)})"
    return found


def _some(ids: Sequence[str]) -> str:
    return f"e.g. {listed(map(shown, ids[:_NAMED]), _NAMED)}"


def _variant(log: ScoredLog, firsts: Sequence[ScoredLog]) -> str:
    """What tells the settings of a log from those of the others."""
    if len(firsts) < 2:
        return ""
    names = [
        name
        for name in dict.fromkeys(name for each in firsts for name in each.settings)
        if len({each.settings.get(name) for each in firsts}) > 1
    ]
    parts = [
        f"{name.removeprefix('argument ')}={shown(log.settings.get(name, 'none'), 60)}"
        for name in names
    ]
    if len({each.items for each in firsts}) > 1:
        parts.append(plural(len(log.items), "sample id"))
    alike = [
        each
        for each in firsts
        if each.items == log.items
        and all(each.settings.get(n) == log.settings.get(n) for n in names)
    ]
    if len(alike) > 1:
        parts.append(f"data {[each.log for each in alike].index(log.log) + 1}")
    return ", ".join(parts)


def _refusals(name: str, groups: Sequence[Sequence[ScoredLog]]) -> tuple[str, ...]:
    """Sentences on the models of a task that share no settings, by what differs."""
    where: defaultdict[str, dict[int, ScoredLog]] = defaultdict(dict)
    for number, group in enumerate(groups):
        for log in group:
            where[log.model][number] = log
    found: defaultdict[str, list[str]] = defaultdict(list)
    for one, other in combinations(sorted(where), 2):
        if not where[one].keys() & where[other].keys():
            a, b = next(iter(where[one].values())), next(iter(where[other].values()))
            differ = "; ".join(f"{what} ({how})" for what, how in _differences(a, b).items())
            found[differ].append(f"{shown(one)} and {shown(other)}")
    return tuple(
        f"{shown(name)}: not compared: {listed(pairs)}: different {differ}"
        for differ, pairs in found.items()
    )


def _on_samples(where: str, logs: Iterable[ScoredLog]) -> Iterator[str]:
    """Sentences on the samples of each log that have no value."""
    for log in logs:
        failed = sum(sample.failed for sample in log.samples)
        unscored = sum(not sample.failed and not sample.values for sample in log.samples)
        counts = {"ended in an error": failed, "unscored": unscored, "missing": log.n_missing}
        if any(counts.values()):
            words = ", ".join(f"{n:,} {what}" for what, n in counts.items() if n)
            n = max(log.n_expected, len(log.samples))
            yield f"{where}, {shown(log.model)}: of {plural(n, 'sample')} left out: {words}"


def _on_settings(where: str, logs: Sequence[ScoredLog]) -> Iterator[str]:
    """Sentences on settings of models that are not the same, and on targets and reducers."""
    names = dict.fromkeys(name for log in logs for name in log.config)
    for name in names:
        values = {log.model: shown(log.config.get(name, "unset"), 60) for log in logs}
        if len(set(values.values())) > 1 and not name.startswith(("model argument", "base URL")):
            how = listed(f"{shown(model)}: {value}" for model, value in values.items())
            yield f"{where}: compared although {shown(name)} differs ({how})"
    if len({log.epochs for log in logs}) > 1:
        how = listed(f"{shown(log.model)}: {log.epochs}" for log in logs)
        yield f"{where}: compared although epochs differ ({how})"
    targets: dict[str, str] = {}
    changed = dict.fromkeys(
        s.item
        for log in logs
        for s in log.samples
        if targets.setdefault(s.item, s.target) != s.target
    )
    if changed:
        count = plural(len(changed), "sample")
        yield f"{where}: targets of {count} differ between models ({_some(list(changed))})"
    for name in dict.fromkeys(name for log in logs for name in log.reducers):
        if name != _MEAN and _reducer(name) is None:
            yield f"{where}: epochs are averaged, not reduced by {shown(name)}"
        elif name != _MEAN and not all(name in log.reducers for log in logs):
            yield f"{where}: no rows of {shown(name)}: not all logs reduce epochs by it"


def _reducer(name: str) -> ScoreReducer | None:
    """Inspect's reducer of a name as in a log, e.g. ``at_least_2``."""
    if name in _REDUCERS:
        return _REDUCERS[name]()
    stem, _, k = name.rpartition("_")
    return _REDUCERS_OF[stem](int(k)) if stem in _REDUCERS_OF and k.isdecimal() else None


def _number(value: float | str) -> float:
    return _LETTERS[value] if isinstance(value, str) else value


@dataclass(frozen=True)
class _Measure:
    """A score of a task, epochs reduced in one way.

    Attributes:
        task: The task.
        key: The score.
        reducer: The name of how epochs are reduced.
        values: For each log, each item's value; NaN without one.
        counts: For each log, how many epochs it is from.
        is_rate: Whether single values are 0 or 1.
        singles: For each log, single values and the number of their items.
    """

    task: ScoredTask
    key: ScoreKey
    reducer: str
    values: np.ndarray[Any, np.dtype[np.float64]]
    counts: np.ndarray[Any, np.dtype[np.intp]]
    is_rate: bool
    singles: Sequence[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]

    @property
    def labels(self) -> dict[str, str]:
        """What names it in a frame."""
        scorer, score = self.key
        return {
            "task": self.task.name,
            "variant": self.task.variant,
            "scorer": scorer,
            "score": score,
            "reducer": self.reducer,
        }


def _measures(task: ScoredTask) -> Iterator[_Measure]:
    for key in task.compared:
        singles = [_singles(task, log, key) for log in task.logs]
        yield _averaged(task, key, singles)
        shared = [name for name in task.logs[0].reducers if name != _MEAN]
        for name in shared:
            reducer = _reducer(name)
            if reducer and all(name in log.reducers for log in task.logs):
                yield _reduced(task, key, singles, name, reducer)


def _singles(
    task: ScoredTask, log: ScoredLog, key: ScoreKey
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The values of a log, and the number of each one's item."""
    known = [
        (_number(sample.values[key]), task.items[sample.item])
        for sample in log.samples
        if not sample.failed and key in sample.values
    ]
    values, items = zip(*known, strict=True) if known else ((), ())
    return np.array(values, dtype=float), np.array(items, dtype=np.intp)


def _averaged(task: ScoredTask, key: ScoreKey, singles: Sequence[Any]) -> _Measure:
    n = len(task.items)
    counts = np.array([np.bincount(items, minlength=n) for _, items in singles])
    sums = np.array([np.bincount(items, values, minlength=n) for values, items in singles])
    with np.errstate(invalid="ignore"):
        means = sums / np.where(counts, counts, np.nan)
    every = np.concatenate([values for values, _ in singles])
    is_rate = bool(np.isin(every, (0.0, 1.0)).all())
    return _Measure(task, key, _MEAN, means, counts, is_rate, singles)


def _reduced(
    task: ScoredTask, key: ScoreKey, singles: Sequence[Any], name: str, reducer: ScoreReducer
) -> _Measure:
    """Items with all epochs, reduced by Inspect."""
    values = np.full((len(task.logs), len(task.items)), np.nan)
    for row, log, (numbers, items) in zip(values, task.logs, singles, strict=True):
        of_item: defaultdict[int, list[float]] = defaultdict(list)
        for number, item in zip(numbers.tolist(), items.tolist(), strict=True):
            of_item[item].append(number)
        for item, found in of_item.items():
            if len(found) == log.epochs:
                reduced = reducer([Score(value=number) for number in found]).value
                row[item] = float(reduced) if isinstance(reduced, int | float) else np.nan
    known = ~np.isnan(values)
    is_rate = bool(np.isin(values[known], (0.0, 1.0)).all())
    own = [(row[there], np.flatnonzero(there)) for row, there in zip(values, known, strict=True)]
    return _Measure(task, key, name, values, known.astype(np.intp), is_rate, own)


def _rows(measure: _Measure) -> Iterator[dict[str, Any]]:
    shared = measure.labels | {"scale": "rate" if measure.is_rate else "mean"}
    for number, log in enumerate(measure.task.logs):
        yield shared | {"model": log.model, "versus": None} | _of_model(measure, number)
    for one, other in combinations(range(len(measure.task.logs)), 2):
        sides = (measure.task.logs[number].model for number in (one, other))
        named = dict(zip(("model", "versus"), sides, strict=True))
        yield shared | named | _of_pair(measure, one, other)


def _of_model(measure: _Measure, number: int) -> dict[str, Any]:
    log, (values, items) = measure.task.logs[number], measure.singles[number]
    clusters = measure.task.clusters
    known = ~np.isnan(measure.values[number])
    of_items = measure.values[number][known]
    low = high = math.nan
    if measure.is_rate and len(values):
        weights = 1 / np.bincount(items)[items]
        low, high = wilson_clustered(values, clusters[items], weights=weights)
    elif len(of_items):
        low, high = _clustered_mean(of_items, clusters[known]).interval()
    n_errors = sum(sample.failed for sample in log.samples)
    scored = sum(not s.failed and measure.key in s.values for s in log.samples)
    return {
        "estimate": float(of_items.mean()) if len(of_items) else math.nan,
        "low": low,
        "high": high,
        "n_items": len(of_items),
        "n_samples": len(values),
        "n_clusters": len(set(clusters[known].tolist())),
        "n_errors": n_errors,
        "n_unscored": len(log.samples) - n_errors - scored,
        "n_missing": log.n_missing,
    }


def _of_pair(measure: _Measure, one: int, other: int) -> dict[str, Any]:
    known = ~np.isnan(measure.values[[one, other]])
    both = known.all(axis=0)
    x, y = measure.values[one][both], measure.values[other][both]
    codes = measure.task.clusters[both]
    counts = measure.counts[[one, other]][:, both]
    value: Difference | Mean
    if not len(x):
        value = Mean(math.nan, math.nan, math.nan)
    elif measure.is_rate:
        pairs = int(counts.min(axis=0).sum())
        value = difference(x * (1 - y), (1 - x) * y, np.ones(len(x)), codes, pairs)
    else:
        value = _clustered_mean(x - y, codes)
    low, high = value.interval()
    return {
        "estimate": value.estimate,
        "low": low,
        "high": high,
        "p": value.p,
        "test": value.test,
        "detectable": detectable(low, high),
        "n_items": len(x),
        "n_samples": int(counts.sum()),
        "n_clusters": len(set(codes.tolist())),
        "n_better": int((x > y).sum()),
        "n_worse": int((x < y).sum()),
        "n_equal": int((x == y).sum()),
        "n_unpaired": int((known[0] & ~known[1]).sum()),
        "n_unpaired_versus": int((known[1] & ~known[0]).sum()),
    }


def _clustered_mean(
    values: np.ndarray[Any, Any], clusters: np.ndarray[Any, np.dtype[np.intp]]
) -> Mean:
    """A mean with the variance of its clusters' sums, and t with C − 1 degrees of freedom."""
    codes = np.unique(clusters, return_inverse=True)[1]
    n = int(codes.max()) + 1
    mean, block = np.array([values.mean()]), np.zeros(n, dtype=np.intp)
    influence = influences(values, codes, n)[:, None]
    return pooled_mean(Strata(mean, influence, block, np.ones(1)))


def measure_name(row: Any, form: Callable[[object], str] = shown) -> str:
    """Return what a row of a frame is about, e.g. ``arc_easy, choice``.

    Args:
        row: Has the labels of `compare_logs`.
        form: How foreign text is shown.
    """
    reducer = "" if row.reducer == _MEAN else row.reducer
    parts = (row.task, row.variant, row.scorer, row.score, reducer)
    return ", ".join(form(part) for part in parts if part)


def check_comparable(frame: pd.DataFrame) -> None:
    """Check that a frame of `compare_tasks` has a difference.

    Raises:
        InputError: It has none; the message says why.
    """
    if frame["versus"].notna().any():
        return
    why = [*frame.attrs["refusals"], *frame.attrs["notes"]]
    n = frame["model"].nunique()
    reason = "only one model" if n == 1 else "no two models on one task"
    raise InputError(f"nothing to compare: {'; '.join(why) or reason}")
