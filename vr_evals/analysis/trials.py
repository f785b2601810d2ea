"""Trials of the authority paradigm that another program published, as rows of the tidy table."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from reprlib import repr  # of bounded length
from typing import Any, NoReturn

import pandas as pd

from vr_evals.analysis.columns import COLUMNS
from vr_evals.analysis.moved import moved_column
from vr_evals.conditions import AUTHORITY_CONDITIONS, AuthorityCondition
from vr_evals.errors import InputError

__all__ = ["read_trials"]

_UNREAD = "UNKNOWN"

_CONDITIONS = {
    f"{c.strength}_authority_{c.valence}" if c.strength else c.name: c for c in AUTHORITY_CONDITIONS
}
"""Conditions by the format's names for them."""


def read_trials(path: str | os.PathLike[str], *, benchmark: str = "mcqa") -> pd.DataFrame:
    """Read published trials: one JSON object a line for each run of an item on a model.

    Each has ``problem_id``, ``run_k`` (from 0), ``model``, ``correct_answer`` and ``conditions``,
    which maps ``control``, ``high_authority_help``, ``high_authority_harm``, ``low_authority_help``
    and ``low_authority_harm``, or some of them, to ``target_option`` (the label endorsed; null
    under control) and ``extracted_answer`` (a label; ``UNKNOWN`` or null if unread). Labels are
    taken as they are, also as the canonical names of the options, in their original order. Other
    fields are not used.

    Args:
        path: The file, in UTF-8.
        benchmark: What the rows call the benchmark.

    Returns:
        Rows of the tidy table, for ``vr_evals.analysis.authority``; what the format does not tell
        is missing.

    Raises:
        InputError: The file cannot be read or has no trials; a line is not of this form, or
            contradicts an earlier one. The message names the line and what was wanted.
    """
    said: dict[tuple[str, ...], tuple[str, int]] = {}
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(_read(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            run = _parse(line)
            _compare(run, said, number)
        except InputError as error:
            raise InputError(f"{path}: line {number}: {error.message}") from None
        rows += _rows(run, benchmark, str(path))
    if not rows:
        raise InputError(f"{path}: no trials found: expected a JSON object per line")
    frame = pd.DataFrame(rows).reindex(columns=[column.name for column in COLUMNS])
    frame = frame.astype({column.name: column.dtype for column in COLUMNS})
    return frame.assign(moved=moved_column(frame))


@dataclass(frozen=True)
class _Run:
    """One run of an item on a model.

    Attributes:
        model: The model.
        item: The item.
        number: Which repetition, from 0.
        right: The right label.
        answers: By condition, the label endorsed and the label chosen, None if there is none.
    """

    model: str
    item: str
    number: int
    right: str
    answers: Mapping[AuthorityCondition, tuple[str | None, str | None]]


def _read(path: str | os.PathLike[str]) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: failed to read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: byte {error.start} is not UTF-8: expected a UTF-8 file"
        ) from None


def _parse(line: str) -> _Run:
    try:
        trial = json.loads(line)
    except (ValueError, RecursionError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"invalid JSON ({reason}): expected a JSON object per line") from None
    trial = _object(trial, "line")
    conditions = _object(trial.get("conditions"), "conditions")
    if not conditions or not conditions.keys() <= _CONDITIONS.keys():
        _wrong("conditions", list(conditions), f"some of {', '.join(_CONDITIONS)}")
    number = trial.get("run_k")
    if isinstance(number, bool) or not isinstance(number, int) or number not in range(2**31):
        _wrong("run_k", number, "a whole number from 0")
    right = _text(trial, "correct_answer")
    return _Run(
        model=_text(trial, "model"),
        item=_text(trial, "problem_id"),
        number=number,
        right=right,
        answers={
            _CONDITIONS[name]: _answer(name, _object(conditions[name], name), right)
            for name in conditions
        },
    )


def _answer(name: str, answer: Mapping[str, Any], right: str) -> tuple[str | None, str | None]:
    """The label endorsed and the label chosen; None if there is none."""
    valence, endorsed = _CONDITIONS[name].valence, answer.get("target_option")
    if valence is None and endorsed is not None:
        _wrong(f"{name}.target_option", endorsed, "null")
    if valence is not None:
        endorsed = _text(answer, "target_option", name)
        if (endorsed == right) != (valence == "help"):
            wanted = "the right answer" if valence == "help" else "a wrong answer"
            _wrong(f"{name}.target_option", endorsed, f"{wanted} (right is {repr(right)})")
    if "extracted_answer" not in answer:
        _wrong(f"{name}.extracted_answer", None, f"a label, {_UNREAD} or null")
    if answer["extracted_answer"] in (None, _UNREAD):
        return endorsed, None
    return endorsed, _text(answer, "extracted_answer", name)


def _compare(run: _Run, said: dict[tuple[str, ...], tuple[str, int]], number: int) -> None:
    """Compare a run with all lines before it, and note what it says."""
    item = (run.model, run.item)
    _, earlier = said.setdefault((*item, "run_k", str(run.number)), ("", number))
    if earlier != number:
        _wrong("run_k", run.number, f"another than that of line {earlier}, of the same item")
    facts = {"correct_answer": run.right}
    facts |= {c.name: endorsed for c, (endorsed, _) in run.answers.items() if endorsed}
    for name, value in facts.items():
        before, earlier = said.setdefault((*item, name), (value, number))
        if before != value:
            _wrong(name, value, f"{repr(before)} as in line {earlier}, of the same item")


def _rows(run: _Run, benchmark: str, source: str) -> Iterator[dict[str, Any]]:
    harmful = {e for c, (e, _) in run.answers.items() if c.valence == "harm"}
    harm_choice = next(iter(harmful)) if len(harmful) == 1 else None
    for condition, (endorsed, chosen) in run.answers.items():
        yield {
            "model": run.model,
            "task": f"{benchmark}_authority",
            "benchmark": benchmark,
            "condition": condition.name,
            "item": run.item,
            "sample_id": f"{run.item}@{condition.suffix}",
            "epoch": run.number + 1,
            "cluster": run.item,
            "option_order": "original",
            "label": chosen,
            "choice": chosen,
            "target": run.right,
            "right_choice": run.right,
            "correct": chosen == run.right,
            "endorsed": endorsed,
            "endorsed_choice": endorsed,
            "help_choice": run.right,
            "harm_choice": harm_choice,
            "complied": None if endorsed is None else chosen == endorsed,
            "dataset": source,
            "complete": True,
            "log": source,
        }


def _object(value: object, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        _wrong(name, value, "a JSON object")
    return value


def _text(fields: Mapping[str, Any], name: str, within: str = "") -> str:
    value = fields.get(name)
    if name == "problem_id" and type(value) is int:
        value = str(value)
    if not isinstance(value, str) or not value.strip():
        _wrong(f"{within}.{name}" if within else name, value, "text")
    try:
        value.encode()
    except UnicodeEncodeError:
        _wrong(name, value, "whole characters, not half of a surrogate pair")
    return value


def _wrong(name: str, found: object, expected: str) -> NoReturn:
    what = f"missing {name}" if found is None else f"invalid {name} {repr(found)}"
    raise InputError(f"{what}: expected {expected}")
