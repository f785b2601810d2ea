"""What a reader should know of the logs before the figures are believed, in sentences."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from vr_evals.analysis.columns import SETTINGS
from vr_evals.analysis.files import file_name
from vr_evals.analysis.selection import Skipped

__all__ = ["notes_on_rows", "notes_on_runs"]

_Log = Mapping[str, Any]
"""A log that was read, as the table's ``attrs`` describe it."""

_KEPT_APART = (*SETTINGS, "option_order")
"""Settings that runs of one task and model may differ in."""


def notes_on_runs(logs: Sequence[_Log], skipped: Sequence[Skipped]) -> list[str]:
    """Sentences on repeated runs, missing samples, and what runs differ in.

    Args:
        logs: The logs that were read.
        skipped: Those that were not.
    """
    return [
        *(f"{file_name(one.log)} is set aside: {one.reason}" for one in skipped if one.repeated),
        *_partly_used(logs),
        *_missing_samples(logs),
        *_kept_apart(logs),
        *_other_versions(logs),
        *_other_sizes(logs),
    ]


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
                f"in {n} of {len(group)} samples the calls did not all do so"
                if n
                else "the model cannot do so"
            )
            condition = "on" if asked else "off"
            notes.append(f"{task} on {model}: thinking was to be {condition}, but {what}")
    return notes


def _partly_used(logs: Iterable[_Log]) -> Iterable[str]:
    for log in logs:
        if log["conditions_set_aside"]:
            given_up = ", ".join(log["conditions_set_aside"])
            name = file_name(log["log"])
            yield f"{name}: its {given_up} is read from another run of the same cell"


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
                    "kept apart"
                )


def _other_versions(logs: Iterable[_Log]) -> Iterable[str]:
    for benchmark, group in _groups(logs, lambda log: log["benchmark"]).items():
        versions = _values(group, "version")
        if len(versions) > 1:
            yield f"{benchmark}: tasks of different versions ({', '.join(versions)}) were run"


def _other_sizes(logs: Iterable[_Log]) -> Iterable[str]:
    for task, group in _groups(logs, lambda log: log["task"]).items():
        items: defaultdict[str, int] = defaultdict(int)
        for log in group:
            items[log["model"]] = max(items[log["model"]], log["items"])
        if len(set(items.values())) > 1:
            shown = ", ".join(f"{model} {n}" for model, n in items.items())
            yield (
                f"{task}: models answered different numbers of items ({shown}); only items that "
                "both answered are compared"
            )


def _groups(logs: Iterable[_Log], key: Callable[[_Log], Any]) -> dict[Any, list[_Log]]:
    groups: defaultdict[Any, list[_Log]] = defaultdict(list)
    for log in logs:
        groups[key(log)].append(log)
    return groups


def _values(logs: Iterable[_Log], setting: str) -> list[str]:
    """The different values of a setting, as texts."""
    found = {log[setting] for log in logs}
    return sorted("none" if value is None else str(value) for value in found)
