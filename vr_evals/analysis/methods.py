"""What was done in a study, in sentences for a paper, with its own numbers and citations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from vr_evals.analysis.checks import check_rows, tidy_columns
from vr_evals.conditions import AUTHORITY_CONDITIONS
from vr_evals.formatting import count, listed, number, percent, plural, shown
from vr_evals.references import DATA_SETS, REFERENCES, Reference

__all__ = ["Statement", "cited", "in_words", "methods"]

_SHIPPED = "sample items shipped with vr_evals, not the published data"
_PUBLISHED = ("hub", "sample")
"""Datasets that are not a user's own. A benchmark that is not on the hub has its sample only."""
_NAMED = 20
"""Models and benchmarks that are named; the others are counted."""

_USED = (
    *("model", "benchmark", "level", "thinking", "condition", "item", "epoch", "option_order"),
    *("label", "target", "correct", "confidence", "temperature", "subset", "dataset"),
    *("sample_data", "simulated", "error"),
)
"""Columns that are used, so that no others are copied."""


@dataclass(frozen=True)
class Statement:
    """A sentence of a methods paragraph.

    Attributes:
        text: The sentence without its full stop. Foreign names in it are as `shown` returns them.
        citations: The keys of the works that it cites, in `REFERENCES`.
    """

    text: str
    citations: tuple[str, ...] = ()


def methods(rows: pd.DataFrame) -> tuple[Statement, ...]:
    """Return what was done in a study and how it was analysed, in sentences.

    Only what applies to the study is said, e.g. calibration only if confidences were stated.

    Args:
        rows: The tidy table; `attrs["logs"]` has the versions of the software, if it is of logs.

    Raises:
        InputError: The table lacks a column of a tidy table, or contains no answer.
    """
    used = tidy_columns(rows)[list(_USED)]
    check_rows(rows)
    logs = rows.attrs.get("logs", ())
    finished = used[used["error"].isna()]
    parts = (_data, _design, _settings, _answers, _accuracy, _effects, _epochs, _confidences, _cues)
    return (
        _software(rows, logs),
        *(statement for part in parts for statement in part(finished)),
    )


def cited(statements: Iterable[Statement]) -> tuple[Reference, ...]:
    """Return the works that sentences cite, each once, in their order."""
    keys = dict.fromkeys(key for statement in statements for key in statement.citations)
    return tuple(REFERENCES[key] for key in keys)


def in_words(statement: Statement) -> str:
    """Return a sentence with its full stop, and its citations by author and year."""
    works = "; ".join(REFERENCES[key].short for key in statement.citations)
    return f"{statement.text} ({works})." if works else f"{statement.text}."


def _software(rows: pd.DataFrame, logs: Sequence[dict[str, Any]]) -> Statement:
    models = sorted(rows["model"].dropna().unique())
    programs = (
        (f"{name} {_versions(logs, key)}".strip())
        for name, key in (("vr_evals", "vr_evals"), ("Inspect", "inspect_ai"))
    )
    names = listed((shown(name) for name in models), _NAMED)
    return Statement(
        f"We evaluated {plural(len(models), 'model')} ({names}) with {' and '.join(programs)}",
        ("vrevals2026", "inspect2024"),
    )


def _versions(logs: Sequence[dict[str, Any]], key: str) -> str:
    return ", ".join(sorted({shown(log[key]) for log in logs if log.get(key)}))


def _data(rows: pd.DataFrame) -> Iterator[Statement]:
    sources = []
    for benchmark, part in rows.groupby("benchmark"):
        subsets = listed(shown(each) for each in sorted(part["subset"].dropna().unique()))
        facts = (
            plural(part["item"].nunique(), "item"),
            f"subset {subsets}" if subsets else "",
            *sorted(set(_sources(part)) - {""}),
        )
        sources.append(f"{shown(benchmark)} ({'; '.join(filter(None, facts))})")
    keys = tuple(
        DATA_SETS[name] for name in sorted(rows["benchmark"].unique()) if name in DATA_SETS
    )
    yield Statement(f"The benchmarks were {listed(sources, _NAMED)}", keys)
    simulated = rows.loc[rows["simulated"].fillna(False), "model"].unique()
    if len(simulated):
        names = listed((shown(name) for name in sorted(simulated)), _NAMED)
        yield Statement(f"Simulated respondents, which are not models, are {names}")


def _sources(rows: pd.DataFrame) -> Iterator[str]:
    """Where items are from, if not from the published data."""
    known = rows[["dataset", "sample_data"]].dropna(subset="dataset").drop_duplicates()
    is_shipped = known["sample_data"].fillna(False).astype(bool)
    for dataset, is_sample in zip(known["dataset"], is_shipped, strict=True):
        if is_sample:
            yield _SHIPPED
        elif dataset not in _PUBLISHED:
            yield f"own items of {shown(dataset)}"


def _design(rows: pd.DataFrame) -> Iterator[Statement]:
    levels = sorted(rows["level"].dropna().unique())
    thinking = sorted(rows["thinking"].dropna().unique())
    parts = []
    if levels:
        parts.append(f"at reflection {'level' if len(levels) == 1 else 'levels'} {_joined(levels)}")
    if thinking:
        words = _joined("on" if value else "off" for value in thinking)
        parts.append(f"with extended thinking {words}")
    epochs = rows["epoch"].max()
    if not pd.isna(epochs):
        parts.append(
            "once per cell" if epochs == 1 else f"in up to {count(epochs)} epochs per cell"
        )
    yield Statement(f"Each item was asked {', '.join(parts)}; in all, there are {_answered(rows)}")


def _answered(rows: pd.DataFrame) -> str:
    return plural(len(rows), "answer")


def _joined(values: Iterable[object]) -> str:
    *first, last = (str(value) for value in values)
    return f"{', '.join(first)} and {last}" if first else last


def _settings(rows: pd.DataFrame) -> Iterator[Statement]:
    temperatures = sorted(rows["temperature"].dropna().unique())
    if temperatures:
        values = _joined(number(each, 2).rstrip("0").rstrip(".") for each in temperatures)
        yield Statement(f"The temperature was {values}{_where_set(rows)}")
    # options that are words are not shown in an order
    lettered = rows["target"].fillna(rows["label"]).str.fullmatch("[A-Z]").fillna(False)
    orders = rows[lettered].groupby("option_order")["benchmark"].unique()
    if len(orders) == 1:
        yield Statement(f"Options were shown in {shown(orders.index[0])} order")
    elif len(orders):
        named = (
            f"{shown(order)} order ({listed(map(shown, sorted(benchmarks)), _NAMED)})"
            for order, benchmarks in orders.items()
        )
        yield Statement(f"Options were shown in {_joined(named)}")


def _where_set(rows: pd.DataFrame) -> str:
    """Where the temperature was set, if not everywhere."""
    is_set = rows["temperature"].notna()
    if is_set.all():
        return ""
    is_off = rows["thinking"].eq(False).fillna(False)
    if (is_set == is_off).all():
        return " with thinking off, and not set with thinking on"
    return " where one was set"


def _answers(rows: pd.DataFrame) -> Iterator[Statement]:
    read = rows["label"].notna().mean()
    yield Statement(
        f"Answers were read from the visible reply by fixed rules; {percent(read)} could be read, "
        "and an unread answer counts as not right"
    )
    if read < 1:
        yield Statement(
            "Differences also have worst-case bounds: an unread answer could be any option",
            ("manski1990",),
        )


def _accuracy(rows: pd.DataFrame) -> Iterator[Statement]:
    scored = rows[rows["correct"].notna()]
    if scored.empty:
        return
    yield Statement(
        f"Accuracy is over the {plural(_n_items(scored), 'item')} with a right answer, with 95% "
        "Wilson intervals over items that use an effective sample size if items are repeated",
        ("wilson1927", "korn1998"),
    )


def _n_items(rows: pd.DataFrame) -> int:
    return len(rows[["benchmark", "item"]].drop_duplicates())


def _effects(rows: pd.DataFrame) -> Iterator[Statement]:
    factors = ("level", "thinking", "model", "condition")
    if max(rows[name].nunique() for name in factors) < 2:
        return
    yield Statement(
        "Effects are averaged over all pairs of cells that differ in one factor, over the items "
        "that these share, paired by item and clustered by item; differences of rates have Tango's "
        "score interval and test, with an effective number of pairs from cluster-robust variances",
        ("tango1998", "miller2024"),
    )
    yield Statement(
        "p is adjusted by Holm's method over the primary effects of each question, and by that of "
        "Benjamini and Hochberg over its exploratory ones",
        ("holm1979", "benjamini1995"),
    )


def _epochs(rows: pd.DataFrame) -> Iterator[Statement]:
    if rows["epoch"].nunique() > 1:
        yield Statement(
            "Consistency is the agreement of an item's epochs, by chance-corrected alpha; flips "
            "are compared with those between epochs of the baseline",
            ("krippendorff2004",),
        )


def _confidences(rows: pd.DataFrame) -> Iterator[Statement]:
    stated = rows[rows["confidence"].notna() & rows["correct"].notna() & rows["label"].notna()]
    if stated.empty:
        return
    yield Statement(
        f"Calibration is over the {plural(len(stated), 'answer')} with a stated confidence: the "
        "expected calibration error of ten bins, compared with that of a calibrated respondent, "
        "and the Brier score, with bootstrap intervals over clusters",
        ("naeini2015", "guo2017", "brier1950"),
    )
    yield Statement(
        "Discrimination is the area under the ROC curve of confidence", ("newcombe2006",)
    )


def _cues(rows: pd.DataFrame) -> Iterator[Statement]:
    run = set(rows["condition"].dropna())
    if not run:
        return
    order = [each.name for each in AUTHORITY_CONDITIONS]
    names = sorted(run, key=lambda name: (order.index(name) if name in order else len(order), name))
    words = _joined(shown(name).replace("_", " ") for name in names)
    yield Statement(
        f"In the authority paradigm, the conditions were {words}: without a cue (control), or "
        "after an authority of high or low credibility that endorses the right option (help) or a "
        "wrong one (harm); excess compliance is the share of answers with the endorsed option "
        "minus the same share under control"
    )
