"""Section 1: an answer to each question of the study, from effects over all of its cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import pandas as pd

from vr_evals.analysis.outcomes import OUTCOMES, Question
from vr_evals.formatting import (
    MISSING,
    count,
    isolated,
    listed,
    p_is,
    p_value,
    plural,
    shown,
    signed,
)
from vr_evals.report.blocks import Answer, Chart, Section, Table
from vr_evals.report.charts import effects_chart
from vr_evals.report.claims import ALPHA, overturned, unread_columns
from vr_evals.report.results import Results
from vr_evals.report.tables import frame_table
from vr_evals.stats.paired import holm

__all__ = ["answers_section", "differing"]

_NAMED = 4
"""Effects that a sentence names; the others are counted."""

_NOTE_LIMIT = 50

_EFFORT = ("tokens", "words", "dollars")
"""Units of outcomes that differ by design: a sentence names the others first."""

_HOW_TO_READ = (
    "A mark is the first side minus the second, averaged over pairs of cells that differ in "
    "nothing else, on the items that these cells share. Bars are 95% intervals; the dashed line is "
    "no difference. Filled marks are significant after adjustment over the effects of one question."
)


@dataclass(frozen=True)
class _Words:
    """How a question is worded.

    Attributes:
        title: The question.
        at: What precedes one of its sides.
        needs: What an answer takes.
        note: What a reader has to know of its sides.
    """

    title: str
    at: str
    needs: str
    note: str = ""


_QUESTIONS: Mapping[Question, _Words] = {
    "levels": _Words("Reflection levels", "at", "level 0 and another level"),
    "thinking": _Words("Extended thinking", "with", "thinking on and thinking off"),
    "models": _Words("Models", "for", "two models"),
    "authority": _Words(
        "Appeals to authority",
        "under",
        "the authority tasks' control and a cue",
        "Harm endorses a wrong option and help the right one; high and low are the source's "
        "credibility.",
    ),
}


def answers_section(results: Results) -> Section:
    """Answer each question in a sentence, and draw all effects over the whole study."""
    frame = results.effects
    primary = frame[frame["is_primary"].fillna(False)]
    notes = frame.attrs.get("notes", [])
    return Section(
        "answers",
        "Answers",
        findings=tuple(_simulated(results)),
        answers=(
            *(
                Answer(words.title, tuple(_answer(question, frame)))
                for question, words in _QUESTIONS.items()
            ),
            *_exploratory(frame, results),
        ),
        charts=(
            *_primary_chart(results, primary),
            *_other_chart(frame, results),
        ),
        notes=tuple(shown(note, 400) for note in notes[:_NOTE_LIMIT])
        + (
            (f"{plural(len(notes) - _NOTE_LIMIT, 'more note')}.",)
            if len(notes) > _NOTE_LIMIT
            else ()
        ),
        folded=False,
    )


def _simulated(results: Results) -> Iterator[str]:
    """What has to be known before any answer is read."""
    simulated = results.rows["simulated"].fillna(False)
    if simulated.any():
        who = "All answers" if simulated.all() else "Some answers"
        yield f"{who} are from simulated respondents: they say nothing about real models."


def _answer(question: Question, frame: pd.DataFrame) -> Iterator[str]:
    """Sentences on the primary effects of a question."""
    words = _QUESTIONS[question]
    every = frame[frame["question"] == question]
    rows = every[every["is_primary"].fillna(False)]
    tested = rows[rows["p"].notna()]
    if tested.empty:
        refused = frame.attrs.get("refusals_by_question", {}).get(question)
        if every.empty and refused:
            yield _refused(refused)
        elif every.empty:
            yield f"Not in this study: it needs {words.needs}, with the same settings."
        else:
            yield "No answer: no primary effect could be tested; other outcomes are below."
        return
    if words.note:
        yield words.note
    significant = tested[tested["p_adjusted"] < ALPHA]
    size = (significant["estimate"] * significant["factor"]).abs()
    ordered = significant.loc[size.sort_values(ascending=False, kind="stable").index]
    for _, alike in ordered.groupby(
        ["outcome", "versus", "condition", "variant"], dropna=False, sort=False
    ):
        yield _significant(alike, words)
    others = tested.drop(significant.index)
    for _, alike in others.groupby(
        ["outcome", "condition", "variant", "equivalence"], dropna=False, sort=False
    ):
        yield _not_significant(alike, words)
    yield from _differing(tested)
    if len(tested) < len(rows):
        yield f"{plural(len(rows) - len(tested), 'effect')} could not be tested."


def _refused(refusals: Sequence[Mapping[str, Any]]) -> str:
    """Why nothing was compared: the first two cells, and what they differ in."""
    first = refusals[0]
    settings = listed(
        f"{isolated(name)} ({isolated(mine, 120)} and {isolated(other, 120)})"
        for name, mine, other in first["settings"]
    )
    sentence = (
        f"No answer, because settings differ: {isolated(first['cell'], 200)} cannot be compared "
        f"with {isolated(first['versus'], 200)}, which differs in {settings}"
    )
    more = len(refusals) - 1
    return f"{sentence}; likewise {plural(more, 'other comparison')}." if more else f"{sentence}."


def _significant(rows: pd.DataFrame, words: _Words) -> str:
    """Significant effects against the same side: direction, size, interval, what they are over."""
    first = _first(rows)
    outcome = OUTCOMES[first.outcome]
    # an outcome beyond that side's own says already what it is compared with
    is_beyond = outcome.reference == first.versus
    named = [
        (_size(row, row.estimate) if is_beyond else _higher(row))
        + f" {words.at} {isolated(row.side)} "
        + (f"than {words.at} {isolated(row.versus)} " * (len(rows) == 1 and not is_beyond))
        + f"(95% interval {_bounds(row, row.low, row.high)}; adjusted {p_is(row.p_adjusted)})"
        for row in _each(rows.head(_NAMED))
    ]
    if len(rows) > _NAMED:
        named.append(f"and {len(rows) - _NAMED:,} more in the table")
    alone = len(rows) == 1 or is_beyond
    compared = "The" if alone else f"Compared with {isolated(first.versus)}, the"
    return (
        f"{compared} {outcome.meaning} is {', '.join(named)}{_given(first)}; "
        f"{_over(rows)}.{overturned(rows)}"
    )


def _higher(row: Any) -> str:
    size = _size(row, abs(row.estimate)).lstrip("+")
    return f"{size} {'higher' if row.estimate > 0 else 'lower'}"


def _not_significant(rows: pd.DataFrame, words: _Words) -> str:
    """Effects that are not significant, and what would have been detected."""
    row = _first(rows)
    versus = rows["versus"].unique()
    pairs = zip(rows["side"], rows["versus"], strict=True)
    sides = listed(f"{isolated(side)} and {isolated(other)}" for side, other in pairs)
    low, high = rows["estimate"].min(), rows["estimate"].max()
    one = len(rows) == 1
    found = _size(row, low) if one else f"{_signed(row, low)} to {_size(row, high)}"
    least = rows["p_adjusted"].min()
    p = p_is(least) if one else f"p {'<' if least < 0.001 else '≥'} {p_value(least).lstrip('<')}"
    detected = (rows["detectable"] * rows["factor"]).max()
    is_small = not pd.isna(row.equivalence) and row.equivalence == "within"
    margin = row.margin if is_small else None
    verdict = (
        "not significant" if margin is None else f"smaller than {_size(row, margin).lstrip('+')}"
    )
    meaning = OUTCOMES[row.outcome].meaning
    if len(versus) == 1 and not one:
        compared = (
            f"Compared with {isolated(versus[0])}, the differences in the {meaning} "
            f"{words.at} {listed(map(isolated, rows['side']))}"
        )
    else:
        compared = f"The difference{'' if one else 's'} in the {meaning} between {sides}"
    return (
        f"{compared}{_given(row)} {'is' if one else 'are'} "
        f"{verdict} ({found}; 95% {'interval' if one else 'intervals, unadjusted, within'} "
        f"{_bounds(row, rows['low'].min(), rows['high'].max())}; {_over(rows)}; adjusted {p})"
        + (
            f"; an effect over about "
            f"{_form(row, detected / row.factor, False)} would have been detected "
            "with 80% power."
            if margin is None
            else f".{overturned(rows, rows['margin'])}"
        )
    )


def differing(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the effects of a question that differ between cells, by a test or without any noise.

    Args:
        rows: The question's tested primary effects: one family, by Holm's method.

    Returns:
        These rows, their `p_heterogeneity` adjusted.
    """
    without_noise = rows["p_heterogeneity"].isna() & (rows["lowest"] < 0) & (rows["highest"] > 0)
    adjusted = rows.assign(p_heterogeneity=holm(rows["p_heterogeneity"].to_numpy(float)))
    return adjusted[(adjusted["p_heterogeneity"] < ALPHA) | without_noise]


def _differing(rows: pd.DataFrame) -> Iterator[str]:
    """Yield a sentence on effects that differ between cells."""
    found = differing(rows)
    if len(found):
        cases = (
            f"{isolated(row.side)} minus {isolated(row.versus)}{_given(row)}: "
            f"{_signed(row, row.lowest)} to {_size(row, row.highest)}"
            + ("" if pd.isna(row.p_heterogeneity) else f", adjusted {p_is(row.p_heterogeneity)}")
            for row in _each(found)
        )
        yield f"The effect differs between cells (lowest to highest cell; {'; '.join(cases)})."


def _exploratory(frame: pd.DataFrame, results: Results) -> Iterator[Answer]:
    """Yield which of the same contrasts are significant on other outcomes."""
    main = frame["contrast"].isin(results.main_contrasts)
    primary = frame["is_primary"].fillna(False)
    keys = pd.MultiIndex.from_frame(frame[["question", "outcome"]])
    rows = frame[main & ~keys.isin(keys[primary]) & frame["p"].notna()]
    if rows.empty:
        return
    found = rows[rows["p_adjusted"] < ALPHA].sort_values("p", kind="stable")
    found = found.sort_values("unit", key=lambda unit: unit.isin(_EFFORT), kind="stable")
    outcomes = plural(rows["outcome"].nunique(), "other outcome")
    beginning = f"{len(found) or 'None'} of {plural(len(rows), 'main effect')} on {outcomes}"
    sentence = f"{beginning} {'is' if len(found) < 2 else 'are'} significant"
    cases = (
        f"{OUTCOMES[row.outcome].meaning}, {isolated(row.side)} minus {isolated(row.versus)}"
        f"{_given(row)}: {_size(row, row.estimate)} "
        f"[{_signed(row, row.low)}, {_signed(row, row.high)}]"
        for row in _each(found)
    )
    listing = f": {'; '.join(islice(cases, _NAMED))}" if len(found) else ""
    more = f"; and {len(found) - _NAMED:,} more" if len(found) > _NAMED else ""
    sentence = f"{sentence}{listing}{more}.{overturned(found)}"
    yield Answer("Other outcomes (exploratory)", (sentence,))


def _over(rows: pd.DataFrame) -> str:
    """How many items and cells rows are over."""
    items, cells = rows["n_items"].astype(int), rows["n_cells"].astype(int)
    n = plural(items.iloc[0], "item")
    if items.min() < items.max():
        n = f"{count(items.min())} to {plural(items.max(), 'item')}"
    within = plural(cells.iloc[0], "pair of cells", "pairs of cells")
    if cells.min() < cells.max():
        within = f"{count(cells.min())} to {count(cells.max())} pairs of cells"
    return f"{n} in {within}"


def _each(rows: pd.DataFrame) -> Iterator[Any]:
    return iter(rows.itertuples())


def _first(rows: pd.DataFrame) -> Any:
    return next(_each(rows))


def _given(row: Any) -> str:
    """The condition and the settings of an effect that is not over all cells."""
    named = {key: getattr(row, key) for key in ("model", "benchmark", "level", "condition")}
    if isinstance(named["condition"], str):
        named["condition"] = named["condition"].replace("_", " ")
    parts = [
        f"{name} {isolated(str(value), 120)}"
        for name, value in (*named.items(), ("settings", row.variant))
        if not pd.isna(value) and value != ""
    ]
    return f" ({', '.join(parts)})" if parts else ""


_DIGITS = {"points": 1, "tokens": 1, "words": 1, "dollars": 4, "": 3}


def _form(row: Any, value: Any, sign: bool = True) -> str:
    """A value in the unit of its outcome."""
    if pd.isna(value):
        return MISSING
    digits = _DIGITS.get(row.unit, 3)
    number = signed(value * row.factor, digits)
    text = number if sign else number.lstrip("+")
    return f"{text} {row.unit}".rstrip()


def _size(row: Any, value: Any) -> str:
    return _form(row, value)


def _signed(row: Any, value: Any) -> str:
    return _form(row, value).removesuffix(f" {row.unit}") if row.unit else _form(row, value)


def _bounds(row: Any, low: Any, high: Any) -> str:
    return f"{_signed(row, low)} to {_signed(row, high)}"


def _primary_chart(results: Results, primary: pd.DataFrame) -> tuple[Chart, ...]:
    """All primary effects, a panel per outcome, with each model beside the average."""
    return effects_chart(
        "answers-effects",
        "Effects over the whole study",
        _HOW_TO_READ,
        primary,
        _table("Primary effects", primary),
        of_models=results.effects_of_models,
    )


def _other_chart(frame: pd.DataFrame, results: Results) -> tuple[Chart, ...]:
    """The same contrasts on all other outcomes."""
    primary = frame["is_primary"].fillna(False)
    main = frame["contrast"].isin(results.main_contrasts)
    return effects_chart(
        "answers-outcomes",
        "Effects on all outcomes (exploratory)",
        f"{_HOW_TO_READ} p is adjusted by Benjamini and Hochberg's method: about 1 in 20 "
        "of the filled marks can be a false positive.",
        frame[main & ~primary],
        _table("Exploratory effects, with interactions", frame[~primary]),
        folded=True,
    )


def _table(caption: str, frame: pd.DataFrame) -> Table:
    keys = ("model", "benchmark", "level", "thinking")
    return frame_table(
        caption,
        frame.drop(columns=[name for name in keys if not frame[name].notna().any()]),
        {
            "outcome": lambda row: shown(OUTCOMES[row.outcome].meaning),
            "difference": lambda row: f"{shown(row.side)} − {shown(row.versus)}",
            "estimate [95%]": lambda row: (
                _signed(row, row.estimate)
                + f" [{_signed(row, row.low)}, {_signed(row, row.high)}]" * (not pd.isna(row.low))
            ),
            "unit": lambda row: row.unit or MISSING,
            "adjusted p": lambda row: p_value(row.p_adjusted),
            "items": lambda row: count(row.n_items),
            "cells": lambda row: count(row.n_cells),
            "unpaired items": lambda row: count(row.n_unpaired),
            "lowest to highest cell": lambda row: _bounds(row, row.lowest, row.highest),
            "p of differing cells": lambda row: p_value(row.p_heterogeneity),
            "detectable": lambda row: _form(row, row.detectable, False),
            **unread_columns(lambda row: partial(_signed, row)),
            "what is estimated": lambda row: shown(row.estimand, 400),
        },
        texts=("outcome", "difference", "unit", "what is estimated"),
    )
