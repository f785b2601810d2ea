"""What a reader should know of the logs before the figures are believed, in sentences."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from vr_evals.analysis.columns import SETTING_COLUMNS
from vr_evals.analysis.files import file_name
from vr_evals.analysis.selection import Skipped

__all__ = ["notes_on_items", "notes_on_rows", "notes_on_runs", "notes_on_samples"]

_Log = Mapping[str, Any]
"""A log that was read, as the table's ``attrs`` describe it."""

_KEPT_APART = (*SETTING_COLUMNS, "variant", "option_order")
"""Settings that runs of one task and model may differ in."""

_NAMED = 10
"""Samples that a note names."""


def notes_on_runs(logs: Sequence[_Log], skipped: Sequence[Skipped]) -> list[str]:
    """Sentences on repeated runs, missing samples, and what runs differ in.

    Args:
        logs: The logs that were read.
        skipped: Those that were not.
    """
    return [
        *(f"{file_name(one.log)} skipped: {one.reason}" for one in skipped if one.repeated),
        *_partly_used(logs),
        *_missing_samples(logs),
        *_kept_apart(logs),
        *_other_versions(logs),
    ]


def notes_on_samples(logs: Sequence[_Log]) -> list[str]:
    """Sentences on logs that are read together, samples that count once, and rows left out.

    Args:
        logs: The logs that were read.
    """
    return [
        *_read_together(logs),
        *_twice(logs),
        *_without_item(logs),
        *_joined_models(logs),
        *_skipped_rows(logs),
    ]


def notes_on_items(table: pd.DataFrame) -> list[str]:
    """Sentences on answers without a score, and on models that answered partly different items.

    Args:
        table: The tidy table.
    """
    keys = ["benchmark", "level", "thinking", "condition"]
    rows = table.loc[table["error"].isna(), [*keys, "model", "item"]].drop_duplicates()
    rows = rows.assign(cell=rows.groupby(keys, dropna=False).ngroup())
    by_model = rows.groupby(["cell", "model"]).size()
    by_item = rows.groupby(["cell", "item"]).size()
    n_models = by_model.groupby("cell").size()
    of_all = by_item == n_models.reindex(by_item.index.get_level_values("cell")).to_numpy()
    common, benchmarks = of_all.groupby("cell").sum(), rows.groupby("cell")["benchmark"].first()
    found: Counter[tuple[str, str]] = Counter()
    partly = by_model[
        by_model != common.reindex(by_model.index.get_level_values("cell")).to_numpy()
    ]
    for cell in partly.index.get_level_values("cell").unique():
        counts = ", ".join(f"{model} {n}" for model, n in by_model[cell].items())
        found[str(benchmarks[cell]), f"{counts}; {common[cell]} by all"] += 1
    return [
        *_unscored(table),
        *(
            f"{benchmark}: models answered partly different items in {_plural(n, 'cell')} "
            f"({counts}); only items that both sides answered are compared"
            for (benchmark, counts), n in found.items()
        ),
    ]


def _unscored(table: pd.DataFrame) -> Iterable[str]:
    """Answers whose score was edited, or is of a scorer that did not run."""
    finished = table["error"].isna() & table["target"].notna()
    rows = table.loc[finished, ["model", "task"]].assign(unscored=table["correct"].isna())
    for (model, task), unscored in rows.groupby(["model", "task"])["unscored"]:
        if n := int(unscored.sum()):
            yield (
                f"{task} on {model}: {n} of {_plural(len(unscored), 'sample')} with a right answer "
                "have no score of being right (C, I or N, 1 or 0); accuracy leaves them out"
            )


def notes_on_rows(table: pd.DataFrame) -> list[str]:
    """Sentences on thinking conditions that were not honoured.

    Args:
        table: The tidy table.
    """
    unlike = (table["thought"] != table["thinking"]).fillna(False)
    impossible = (table["thinking_status"] == "impossible").fillna(False)
    rows = table[["model", "task", "thinking"]].assign(unlike=unlike, told=unlike | impossible)
    notes = []
    for (model, task, asked), group in rows.groupby(["model", "task", "thinking"]):
        n = int(group["unlike"].sum())
        if group["told"].any():
            what = (
                f"not in all calls of {n} of {len(group)} samples"
                if n
                else "the model does not support it"
            )
            condition = "on" if asked else "off"
            notes.append(f"{task} on {model}: thinking should be {condition}, but {what}")
    return notes


def _partly_used(logs: Iterable[_Log]) -> Iterable[str]:
    for log in logs:
        if log["conditions_set_aside"]:
            given_up = ", ".join(log["conditions_set_aside"])
            name = file_name(log["log"])
            yield f"{name}: {given_up} comes from another run of the same cell"


def _missing_samples(logs: Iterable[_Log]) -> Iterable[str]:
    for log in logs:
        missing = log["expected_samples"] - log["finished_samples"]
        if missing > 0:
            errors = f" ({log['errors']} ended in an error)" if log["errors"] else ""
            yield (
                f"{file_name(log['log'])} ({log['task']} on {log['model']}): {missing} of "
                f"{log['expected_samples']} samples are missing{errors}"
            )


def _kept_apart(logs: Iterable[_Log]) -> Iterable[str]:
    same = _groups(logs, lambda log: (log["task"], log["model"]))
    for (task, model), group in same.items():
        for setting in _KEPT_APART:
            values = _values(group, setting)
            if len(values) > 1:
                yield (
                    f"{task} on {model}: runs that differ in {setting} ({', '.join(values)}) are "
                    "not combined"
                )


def _other_versions(logs: Iterable[_Log]) -> Iterable[str]:
    for benchmark, group in _groups(logs, lambda log: log["benchmark"]).items():
        versions = _values(group, "version")
        if len(versions) > 1:
            yield f"{benchmark}: tasks of different versions ({', '.join(versions)}) were run"


def _read_together(logs: Iterable[_Log]) -> Iterable[str]:
    for group in _groups(logs, lambda log: frozenset([log["log"], *log["joined_with"]])).values():
        if len(group) > 1:
            counts = ", ".join(f"{file_name(log['log'])} {log['samples']}" for log in group)
            yield (
                f"{group[0]['task']} on {group[0]['model']}: {len(group)} logs of the same cell "
                f"are combined ({counts} samples); samples in several of them count once, from the "
                "first"
            )


def _twice(logs: Iterable[_Log]) -> Iterable[str]:
    for log in logs:
        names = log["samples_twice"]
        if names:
            yield f"{_samples(log, names)} in it more than once ({_first(names)}); each counts once"


def _without_item(logs: Iterable[_Log]) -> Iterable[str]:
    for log in logs:
        names = log["samples_without_item"]
        if names:
            yield f"{_samples(log, names)} skipped: the metadata name no item ({_first(names)})"


def _samples(log: _Log, names: Sequence[str]) -> str:
    is_are = "is" if len(names) == 1 else "are"
    return f"{file_name(log['log'])}: {_plural(len(names), 'sample')} {is_are}"


def _first(names: Sequence[str]) -> str:
    more = f"; {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return "; ".join(names[:_NAMED]) + more


def _joined_models(logs: Iterable[_Log]) -> Iterable[str]:
    for model, group in _groups(logs, lambda log: log["model"]).items():
        names = _values(group, "model_name")
        if len(names) > 1:
            yield f"{model}: {' and '.join(names)} count as one model (--alias)"


def _skipped_rows(logs: Iterable[_Log]) -> Iterable[str]:
    """Of files of the user's own; what published files have is known."""
    own = [log for log in logs if log["dataset"] not in ("hub", "sample") or log["changed_data"]]
    for (dataset, benchmark), group in _groups(
        own, lambda log: (log["dataset"], log["benchmark"])
    ).items():
        n = max(log["skipped_rows"] for log in group)
        if n:
            yield (
                f"{dataset}: {_plural(n, 'row')} could not be used for {benchmark} and "
                f"{'was' if n == 1 else 'were'} skipped"
            )


def _groups(logs: Iterable[_Log], key: Callable[[_Log], Any]) -> dict[Any, list[_Log]]:
    groups: defaultdict[Any, list[_Log]] = defaultdict(list)
    for log in logs:
        groups[key(log)].append(log)
    return groups


def _plural(n: int, one: str) -> str:
    return f"{n:,} {one if n == 1 else one + 's'}"


def _values(logs: Iterable[_Log], setting: str) -> list[str]:
    """The different values of a setting, as texts."""
    found = {log[setting] for log in logs}
    return sorted("none" if value is None else str(value) for value in found)
