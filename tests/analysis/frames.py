"""Valid tidy tables from short descriptions, and plain-loop helpers that know nothing of pandas."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

import pandas as pd
from hypothesis import strategies as st

from vr_evals.analysis.columns import COLUMNS
from vr_evals.stats.flips import flip_kind

__all__ = [
    "Row",
    "answer",
    "answers",
    "by_metric",
    "group",
    "in_cell",
    "mean",
    "only",
    "studies",
    "study",
    "table",
]

Row = dict[str, Any]

_CHOICES = {
    "ethics": ("wrong", "not wrong"),
    "moralchoice": ("action1", "action2"),
    "morables": ("0", "1", "2", "3", "4"),
}
_DEFAULTS: Row = {
    "model": "m/one",
    "benchmark": "moralchoice",
    "level": 0,
    "thinking": False,
    "epoch": 1,
    "option_order": "seeded",
    "dataset": "sample",
    "subset": "all",
    "version": "1-A",
    "temperature": 0.0,
    "sample_data": True,
    "simulated": True,
    "complete": True,
}


def answer(item: str, label: str | None, target: str | None = "A", **columns: Any) -> Row:
    """One row: an item answered with a label, which is unread where it is None.

    Args:
        item: The item.
        label: The letter or verdict read.
        target: The right one, or None.
        columns: Any other columns; `shown` are the choices in canonical terms in the order shown.
    """
    row = _DEFAULTS | {"item": item, "label": label, "target": target} | columns
    if "temperature" not in columns and row["thinking"]:
        row["temperature"] = None
    if row["level"] == 5:
        row.setdefault("second_pass", "conversation")
    choices = _CHOICES[row["benchmark"]]
    shown = row.pop("shown", choices[::-1] if row["option_order"] == "reversed" else choices)
    labels = choices if row["benchmark"] == "ethics" else "ABCDE"[: len(shown)]
    in_canonical_terms = dict(zip(labels, shown, strict=True)) | {None: None}
    suffix = {"original": "@ab", "reversed": "@ba"}.get(row["option_order"], "")
    row.setdefault("task", f"{row['benchmark']}_level{row['level']}")
    row.setdefault("sample_id", item + suffix)
    row.setdefault("cluster", item)
    row.setdefault("n_options", len(shown))
    row.setdefault("choice", in_canonical_terms[label])
    row.setdefault("right_choice", in_canonical_terms[target])
    row.setdefault("correct", None if target is None else label == target)
    row.setdefault("answer_format", "missing" if label is None else "tag")
    names = ("model", "benchmark", "level", "thinking", "condition")
    row.setdefault("log", "-".join(str(row.get(name)) for name in names))
    if "first_label" in row:
        first = row["first_label"]
        row["first_choice"] = in_canonical_terms[first]
        row["first_correct"] = None if None in (first, target) else first == target
        row["reflection"] = flip_kind(row["first_choice"], row["choice"], row["right_choice"])
    return row


def answers(said: str, target: str = "A", **columns: Any) -> list[Row]:
    """A row for each letter of `said`, `-` being unread: items i0, i1, … in one epoch."""
    return [
        answer(f"i{number}", None if label == "-" else label, target, **columns)
        for number, label in enumerate(said)
    ]


def table(*rows: Row | Iterable[Row]) -> pd.DataFrame:
    """The tidy table of these rows; columns that they do not have are missing."""
    listed = [row for part in rows for row in ([part] if isinstance(part, Mapping) else part)]
    unknown = {name for row in listed for name in row} - {column.name for column in COLUMNS}
    assert not unknown, unknown
    return pd.DataFrame(
        {
            column.name: pd.Series([row.get(column.name) for row in listed], dtype=column.dtype)
            for column in COLUMNS
        }
    )


def group(rows: Iterable[Row], *names: str) -> dict[tuple[Any, ...], list[Row]]:
    """Rows by their values in some columns."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row.get(name) for name in names), []).append(row)
    return groups


def only(frame: pd.DataFrame, **keys: Any) -> Any:
    """The one row of a frame with these values; its columns are attributes."""
    (row,) = in_cell(frame, **keys).itertuples()
    return row


def by_metric(frame: pd.DataFrame, **keys: Any) -> dict[str, Any]:
    """The rows of a frame with these values by their metric, each of which has one."""
    rows = list(in_cell(frame, **keys).itertuples())
    assert len({row.metric for row in rows}) == len(rows)
    return {row.metric: row for row in rows}


def in_cell(frame: pd.DataFrame, **keys: Any) -> Any:
    """The rows of a frame with these values; Any, since pandas' stubs know no types of columns."""
    found = frame
    for name, value in keys.items():
        found = found[found[name].isna() if value is None else (found[name] == value).fillna(False)]
    return found


def mean(values: Sequence[float]) -> float:
    """The mean, NaN of nothing."""
    return sum(values) / len(values) if values else math.nan


def studies(
    models: Sequence[str] = ("m/one", "m/two"),
    levels: Sequence[int] = (0, 1, 5),
    thinking: Sequence[bool] = (False, True),
) -> st.SearchStrategy[list[Row]]:
    """Rows of a small study, with all that can be uneven in one; see `study`."""
    return st.integers(0, 2**32).map(lambda seed: study(Random(seed), models, levels, thinking))


def study(
    random: Random, models: Sequence[str], levels: Sequence[int], thinking: Sequence[bool]
) -> list[Row]:
    """Draw a study: models × levels × thinking.

    Items may be missing from a cell, epochs differ in number, answers be unread, items share a
    cluster, dilemmas have no target, and items be asked in a drawn order or in both.
    """
    benchmark = random.choice(["moralchoice", "morables"])
    labels = "ABCDE"[: len(_CHOICES[benchmark])]
    orders = random.choice([("seeded",), ("original", "reversed")])
    names = [f"i{number}" for number in range(random.randint(1, 6))]
    items: list[Row] = []
    for name in names:
        high = benchmark == "moralchoice" and random.random() < 0.4
        common = {"item": name, "cluster": random.choice([name, name, "family"])}
        if benchmark == "moralchoice":
            common["ambiguity"] = "high" if high else "low"
        for order in orders:
            target = None if high else random.choice(labels)
            items.append(common | {"option_order": order, "target": target})
    rows = []
    for model, level, on in product(models, levels, thinking):
        asked = set(random.sample(names, random.randint(0, len(names))))
        epochs = random.randint(1, 3)
        for item, epoch in product(items, range(1, epochs + 1)):
            if item["item"] in asked:
                first = {"first_label": random.choice([None, *labels])} if level == 5 else {}
                likely = [item["target"]] * random.randint(0, 4)
                row = answer(
                    label=random.choice([None, *labels, *likely]),
                    benchmark=benchmark,
                    model=model,
                    level=level,
                    thinking=on,
                    epoch=epoch,
                    confidence=random.choice([None, 0.0, 20.0, 55.5, 90.0, 100.0]),
                    **item,
                    **first,
                )
                rows.append(row)
    random.shuffle(rows)
    return rows
