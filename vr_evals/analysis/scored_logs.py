"""Logs of any Inspect task: who scored what on which sample, and in which settings."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from inspect_ai.log import (
    EvalLog,
    EvalSampleSummary,
    EvalSpec,
    read_eval_log,
    read_eval_log_sample_summaries,
)

from vr_evals.analysis.files import LogFile, LogPath, file_name, log_files
from vr_evals.analysis.log_reader import unreadable_reason
from vr_evals.analysis.model_names import aliased
from vr_evals.errors import InputError
from vr_evals.formatting import listed, plural, shown

__all__ = [
    "ScoreKey",
    "ScoredLog",
    "ScoredLogs",
    "ScoredSample",
    "chosen_scores",
    "read_scored_logs",
]

ScoreKey = tuple[str, str]
"""A scorer, and the key of a value within its dict or list; the key is empty for a plain value."""

_OPERATIONAL = {
    "max_retries",
    "timeout",
    "attempt_timeout",
    "stream_idle_timeout",
    "max_connections",
    "adaptive_connections",
    "cache",
    "cache_prompt",
    "batch",
}
"""Settings of a model that change no answer."""


@dataclass(frozen=True)
class ScoredSample:
    """A sample of a log.

    Attributes:
        item: Its id.
        epoch: Its epoch, from 1.
        failed: Whether it ended in an error, or was not completed.
        cluster: The cluster of its item.
        asked: Its input, as a text.
        target: Its target, as a text.
        values: Its values as logged; without those that were left unscored.
    """

    item: str
    epoch: int
    failed: bool
    cluster: str
    asked: str
    target: str
    values: Mapping[ScoreKey, float | str]


@dataclass(frozen=True)
class ScoredLog:
    """A log.

    Attributes:
        log: Its path or URL.
        created: When the run began.
        task: The name of its task.
        model: The name of the model, and what tells it from another of the same name.
        settings: What has to be the same to compare two logs: version, arguments, data.
        config: How the model was run, by setting; what is unset is left out.
        items: The ids of the items that it was to run; empty if the log does not list them.
        epochs: The epochs that it was to run.
        reducers: Inspect's names of how it reduces epochs.
        samples: Its samples, each once.
        n_twice: How many samples it has more than once.
        n_expected: How many samples it was to run.
    """

    log: str
    created: str
    task: str
    model: str
    settings: Mapping[str, str]
    config: Mapping[str, str]
    items: frozenset[str]
    epochs: int
    reducers: tuple[str, ...]
    samples: tuple[ScoredSample, ...]
    n_twice: int
    n_expected: int

    @cached_property
    def inputs(self) -> dict[str, str]:
        """The input of each item."""
        return {sample.item: sample.asked for sample in self.samples}

    @property
    def n_missing(self) -> int:
        """How many of the samples that it was to run it lacks."""
        return max(0, self.n_expected - len(self.samples))

    @property
    def n_scored(self) -> int:
        """How many samples have a value."""
        return sum(not sample.failed and bool(sample.values) for sample in self.samples)


@dataclass(frozen=True)
class ScoredLogs:
    """The logs to compare.

    Attributes:
        logs: One for each task, its settings, and model.
        notes: Sentences on logs and samples that were left out.
    """

    logs: tuple[ScoredLog, ...]
    notes: tuple[str, ...]


def chosen_scores(known: Iterable[ScoreKey], scorers: Iterable[str]) -> list[ScoreKey]:
    """Return the scores that a user names.

    Args:
        known: The scores that there are.
        scorers: Names of scorers, for all of their scores, or ``SCORER/KEY``.

    Raises:
        InputError: A name is of no score.
    """
    names = {key: "/".join(filter(None, key)) for key in known}
    wanted = list(scorers)
    for scorer in wanted:
        if not any(scorer in (key[0], name) for key, name in names.items()):
            have = listed(map(shown, names.values()), 20)
            raise InputError(
                f"invalid scorer '{shown(scorer)}': not in the logs (they have {have})"
            )
    return [key for key, name in names.items() if key[0] in wanted or name in wanted]


def read_scored_logs(
    paths: Sequence[LogPath],
    *,
    unfinished: bool = False,
    alias: Mapping[str, str] | None = None,
    cluster: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ScoredLogs:
    """Read logs of any tasks that score samples, from their headers and summaries of samples.

    Logs of one model that differ in how it was run (`ScoredLog.config`) are of two models. Of
    several logs that differ in nothing, the one with the most scored samples is read, among equals
    the newest.

    Args:
        paths: Log files, folders and URLs.
        unfinished: Whether runs that did not end well are read too.
        alias: New names of models.
        cluster: The key of samples' metadata that names their cluster; left out, each item is one.
        progress: Called as reading goes on.

    Raises:
        AliasError: As for `vr_evals.analysis.model_names.aliased`.
        InputError: There are no logs or none with scored samples, or samples have no such key.
    """
    files = log_files(paths)
    found: list[ScoredLog] = []
    skipped: defaultdict[str, list[str]] = defaultdict(list)
    for done, file in enumerate(files):
        read = _read(file, unfinished, cluster)
        if isinstance(read, ScoredLog):
            found.append(read)
        else:
            skipped[read].append(shown(file_name(file.name), 200))
        if progress:
            progress(done + 1, len(files))
    notes = [
        f"{plural(len(names), 'log')} skipped: {shown(reason, 200)}: {listed(names, 50)}"
        for reason, names in skipped.items()
    ]
    if not found:
        raise InputError("; ".join(["no scored samples in these logs", *notes]))
    names = aliased({log.model for log in found}, alias or {})
    named = [replace(log, model=names[log.model]) for log in found]
    kept, repeats = _once_each(_named_apart(named))
    _check_clusters(kept)
    return ScoredLogs(tuple(kept), (*notes, *repeats, *_twice(kept)))


def _read(file: LogFile, unfinished: bool, cluster: str | None) -> ScoredLog | str:
    """A log, or why it is skipped."""
    try:
        header = read_eval_log(file.name, header_only=True)
        if header.status != "success" and not unfinished:
            return f"unfinished run (status {header.status}): --unfinished reads it"
        summaries = read_eval_log_sample_summaries(file.name)
        log = _scored_log(file.name, header, summaries, cluster)
    except InputError:
        raise
    except Exception as error:  # whatever Inspect's readers make of a broken file
        return unreadable_reason(error)
    if not log.samples:
        return "it contains no samples"
    return log if log.n_scored else f"none of its {plural(len(log.samples), 'sample')} is scored"


def _scored_log(
    name: str,
    header: EvalLog,
    summaries: Sequence[EvalSampleSummary],
    cluster: str | None,
) -> ScoredLog:
    spec = header.eval
    samples: dict[tuple[str, int], ScoredSample] = {}
    for summary in summaries:
        sample = _sample(name, summary, cluster)
        key = (sample.item, sample.epoch)
        if key in samples and (sample.failed or not sample.values):
            continue
        samples[key] = sample
    items = frozenset(map(str, spec.dataset.sample_ids or ()))
    epochs = spec.config.epochs or 1
    return ScoredLog(
        log=name,
        created=str(spec.created),
        task=spec.task,
        model=spec.model,
        settings=_settings(spec),
        config=_config(header),
        items=items,
        epochs=epochs,
        reducers=tuple(spec.config.epochs_reducer or ()) if epochs > 1 else (),
        samples=tuple(samples.values()),
        n_twice=len(summaries) - len(samples),
        n_expected=(len(items) or spec.dataset.samples or 0) * epochs,
    )


def _sample(log: str, summary: EvalSampleSummary, cluster: str | None) -> ScoredSample:
    item, asked, target = str(summary.id), summary.input, summary.target
    if cluster is not None and cluster not in summary.metadata:
        has = listed(sorted(map(shown, summary.metadata)), 20) or "none"
        raise InputError(
            f"{shown(file_name(log), 200)}: invalid cluster '{shown(cluster)}': missing in the "
            f"metadata of sample {shown(item)} (it has {has})"
        )
    return ScoredSample(
        item=item,
        epoch=summary.epoch,
        failed=summary.error is not None,
        cluster=item if cluster is None else _as_text(summary.metadata[cluster]),
        asked=asked
        if isinstance(asked, str)
        else _as_text([(message.role, message.text) for message in asked]),
        target=_as_text(target),
        values={
            (scorer, key): value
            for scorer, score in (summary.scores or {}).items()
            for key, value in _values(score.value)
        },
    )


def _values(value: Any) -> Iterable[tuple[str, float | str]]:
    """The values of a score, by key; those that are missing or not finite are unscored."""
    if isinstance(value, Mapping):
        parts = [(str(key), each) for key, each in value.items()]
    elif isinstance(value, Sequence) and not isinstance(value, str):
        parts = [(str(place), each) for place, each in enumerate(value, 1)]
    else:
        parts = [("", value)]
    for key, each in parts:
        if isinstance(each, str):
            yield key, each
        elif isinstance(each, bool | int | float):
            try:
                number = float(each)
            except OverflowError:
                continue
            if math.isfinite(number):
                yield key, number


def _settings(spec: EvalSpec) -> dict[str, str]:
    """What two logs have to share."""
    arguments = {f"argument {name}": _as_text(value) for name, value in spec.task_args.items()}
    return {
        "task": spec.task_registry_name or spec.task,
        "task version": str(spec.task_version),
        "dataset": spec.dataset.name or "",
        **arguments,
    }


def _config(header: EvalLog) -> dict[str, str]:
    """How a model was run."""
    spec = header.eval
    generation = spec.model_generate_config.merge(header.plan.config)
    given: dict[str, Any] = {
        name: value
        for name, value in generation.model_dump(exclude_none=True).items()
        if name not in _OPERATIONAL
    }
    given |= {f"model argument {name}": value for name, value in spec.model_args.items()}
    given |= {
        f"role {role}": [each.model for each in (found if isinstance(found, list) else [found])]
        for role, found in (spec.model_roles or {}).items()
    }
    given |= {"base URL": spec.model_base_url, "solver": spec.solver}
    given |= {f"solver argument {name}": v for name, v in (spec.solver_args_passed or {}).items()}
    return {name: _as_text(value) for name, value in given.items() if value is not None}


def _as_text(value: Any) -> str:
    """A value as a text that is the same for equal values."""
    if isinstance(value, str):
        return value
    return json.dumps(value, sort_keys=True, default=str, ensure_ascii=False)


def _named_apart(logs: Sequence[ScoredLog]) -> list[ScoredLog]:
    """The logs with the models of one name that were run in several ways told apart."""
    alike: defaultdict[tuple[str, str], list[ScoredLog]] = defaultdict(list)
    for log in logs:
        alike[log.task, log.model].append(log)
    return [
        replace(log, model=f"{log.model} ({told})" if told else log.model)
        for group in alike.values()
        for log, told in zip(group, _told_apart([log.config for log in group]), strict=True)
    ]


def _told_apart(configs: Sequence[Mapping[str, str]]) -> list[str]:
    """What each has of the settings in which they differ."""
    names = sorted({name for config in configs for name in config})
    differ = [name for name in names if len({config.get(name) for config in configs}) > 1]
    return [
        ", ".join(f"{name} {shown(config.get(name, 'unset'), 40)}" for name in differ)
        for config in configs
    ]


def _once_each(logs: Sequence[ScoredLog]) -> tuple[list[ScoredLog], list[str]]:
    """The best log of each task, its settings, and model; and sentences on the others."""
    alike: defaultdict[Any, list[ScoredLog]] = defaultdict(list)
    for log in logs:
        settings = tuple(sorted(log.settings.items()))
        alike[log.task, log.model, settings, log.items].append(log)
    kept, notes = [], []
    for group in alike.values():
        best = max(group, key=lambda log: (log.n_scored, log.created, log.log))
        kept.append(best)
        notes += [
            f"log skipped: {shown(file_name(log.log), 200)}: "
            f"repeats {shown(file_name(best.log), 200)} ({plural(best.n_scored, 'scored sample')})"
            for log in group
            if log is not best
        ]
    return sorted(kept, key=lambda log: (log.task, log.model, log.log)), notes


def _twice(logs: Iterable[ScoredLog]) -> list[str]:
    return [
        f"{shown(file_name(log.log), 200)}: {plural(log.n_twice, 'sample')} with the same id and "
        "epoch as another; the last one that is scored counts"
        for log in logs
        if log.n_twice
    ]


def _check_clusters(logs: Iterable[ScoredLog]) -> None:
    """Check that an item has one cluster in all logs of its task."""
    clusters: dict[tuple[Any, ...], str] = {}
    for log in logs:
        where = (log.task, *sorted(log.settings.items()), log.items)
        for sample in log.samples:
            if clusters.setdefault((where, sample.item), sample.cluster) != sample.cluster:
                raise InputError(
                    f"{shown(log.task)}: invalid cluster: sample {shown(sample.item)} is in "
                    f"several ({shown(clusters[where, sample.item])}, {shown(sample.cluster)})"
                )
