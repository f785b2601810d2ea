"""One answer to each question of a study: effects averaged over all cells that both sides share."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, get_args

import numpy as np
import pandas as pd

from vr_evals.analysis.added_flips import is_reask
from vr_evals.analysis.cell import KEYS, Cell, Refusal
from vr_evals.analysis.cells import cells, tidy_frame
from vr_evals.analysis.checks import tidy_columns
from vr_evals.analysis.contrasts import BASELINES, FACTORS, Contrast, contrasts
from vr_evals.analysis.outcomes import OUTCOMES, Outcome, Question, find_outcome
from vr_evals.analysis.pairing import UNREAD
from vr_evals.analysis.plans import Plan, Planned, as_plan
from vr_evals.analysis.pool import Pool, Pooled, Weights
from vr_evals.analysis.strata import Alternatives, Stratum, alternatives, split_by_settings, strata
from vr_evals.errors import InputError
from vr_evals.formatting import plural
from vr_evals.stats.paired import benjamini_hochberg, holm
from vr_evals.stats.pooled import detectable, equivalence
from vr_evals.stats.score import intervals

__all__ = ["EFFECTS", "effects"]

EFFECTS = (
    "question",
    "outcome",
    "contrast",
    "side",
    "versus",
    *KEYS,
    "variant",
    "estimate",
    "low",
    "high",
    "unit",
    "factor",
    "p",
    "p_adjusted",
    "test",
    "family",
    "is_primary",
    "n_items",
    "n_samples",
    "n_cells",
    "n_unpaired",
    "n_left_out",
    "lowest",
    "highest",
    "p_heterogeneity",
    "detectable",
    *UNREAD,
    "margin",
    "equivalence",
    "estimand",
)
"""The columns of `effects`."""

_WEIGHTS = get_args(Weights)
_QUESTIONS = get_args(Question)


@dataclass(frozen=True)
class _Group:
    """Strata that are averaged.

    Attributes:
        contrast: Their contrast.
        keys: What they are not averaged over, by column.
        variant: The settings that tell them from others.
        strata: The strata.
    """

    contrast: Contrast
    keys: Mapping[str, Any]
    variant: str
    strata: Sequence[Stratum]


def effects(
    table: pd.DataFrame,
    *,
    outcome: str | Sequence[str] | None = None,
    contrast: str | Sequence[str] | None = None,
    by: Sequence[str] = (),
    weights: Weights = "cells",
    primary: Plan | None = None,
    margin: float | None = None,
) -> pd.DataFrame:
    """Effects of levels, thinking, models and authority, averaged over the cells of a study.

    An effect is a contrast of an outcome between sides that differ in one factor (or, for an
    interaction, two), in each combination of the other keys that has all sides (a pair of cells),
    averaged over these, over the items that all compared cells of a benchmark share. Answers are
    paired by item, and clusters are items (the table's `cluster`) across levels, models and
    conditions. A value that one side of a pair lacks leaves the item out of that pair.

    Outcomes that are means of answers have their interval and test from the clusters' sums: those
    within bounds the score interval of `changes`, the others a t interval. `auroc`, `brier_skill`
    and `agreement` have a jackknife over clusters, and t. In all of them the interval excludes 0 if
    and only if p < 0.05.

    Cells of different settings are not compared, and cells of the same keys but other settings are
    not averaged: column `variant` tells such averages apart. Contrasts of levels, thinking and
    models are averaged over the ladder, and for themselves over the authority paradigm's control
    (`condition`); for an outcome that is relative to control over its other conditions.

    Args:
        table: The tidy table.
        outcome: Names of `OUTCOMES`; left out, all that the table has columns and values for.
        contrast: Names of contrasts, or of questions (`levels`, `thinking`, `models`, `authority`)
            for all of theirs; left out, all.
        by: Key columns that are not averaged over; contrasts of these are left out.
        weights: Whether each pair of cells counts alike, or by its items.
        primary: The primary effects: a YAML file (`read_plan`) or a list. Left out, these are the
            main effects averaged over all cells: each level against 0, level 5 against its control
            (`reflection-reask`), thinking, pairs of models (`accuracy`), each cue against control
            (`excess_compliance`). An average that has that control in place of reflection is
            exploratory.
        margin: The least effect of interest in points, for `equivalence`; above 0.

    Returns:
        A row for each effect. `estimate`, `low` and `high` are in the outcome's own scale (rates
        are 0–1), and times `factor` in `unit`. `p_adjusted` is Holm's over the primary effects of
        the question, else Benjamini and Hochberg's over its other ones (`family`). `n_cells` counts
        the pairs of cells, `lowest` and `highest` are their least and greatest effect, and
        `p_heterogeneity` tests whether these are the same. `detectable` is the effect that would be
        found in 80 %. Of outcomes that unread answers can change (`Outcome.unread`),
        `estimate_read` is among the answers read on both sides, over the cells that have any, and
        `bound_low` and `bound_high` are what it could be if each unread answer could have been any
        option. `equivalence`, of outcomes in points: `within` the margin (two one-sided
        tests at 5 %), `beyond` it, or `open`. `estimand` is a sentence. `attrs["notes"]` and
        `attrs["refusals"]` have what was left out, `attrs["refusals_by_question"]` the pairs of
        cells that main effects leave out.

    Raises:
        InputError: The table does not have the columns of a tidy table, or a name or value is
            invalid.
    """
    tidy_columns(table, KEYS)
    outcomes = _outcomes(table, outcome)
    _check(by, weights, margin)
    plan = None if primary is None else as_plan(primary)
    columns = dict.fromkeys(name for each in outcomes for name in each.columns)
    grouped = cells(table, tuple(columns))
    notes: list[str | Refusal] = [*grouped.notes]
    refusals: dict[Question, dict[Refusal, None]] = {}
    found: list[tuple[Contrast, list[Stratum]]] = []
    siblings: dict[tuple[str, ...], Alternatives] = {}
    for each in _contrasts(grouped.cells, contrast):
        if not set(by) & set(each.factors):
            if each.factors not in siblings:
                siblings[each.factors] = alternatives(grouped.cells, each.factors)
            members, refused = strata(grouped.cells, each, siblings[each.factors])
            found.append((each, members))
            notes += refused
            if each.main:
                refusals.setdefault(each.question, {}).update(dict.fromkeys(refused))
    records = []
    groups: dict[tuple[str, bool], list[_Group]] = {}
    for one in outcomes:
        pool = Pool(grouped, one)
        if pool.empty:
            continue
        under_cues = one.under_cues or one.reference is not None
        for each, members in found:
            if one.relative and not one.reference and each.baseline is None:
                continue
            if (each.name, under_cues) not in groups:
                groups[each.name, under_cues] = list(_groups(each, members, by, under_cues))
            for group in groups[each.name, under_cues]:
                if pooled := pool.estimate(each, group.strata, weights):
                    is_primary = _is_primary(one, group, plan, grouped.cells)
                    row = _row(grouped.cells, one, group, pooled, weights)
                    records.append(row | {"is_primary": is_primary})
                    notes += _left_out(row, len(group.strata))
    _add_intervals(records, margin)
    notes += _not_estimated(plan or (), records)
    frame = _adjusted(tidy_frame(records, EFFECTS, notes))
    frame.attrs["refusals_by_question"] = {
        question: [asdict(each) for each in refused] for question, refused in refusals.items()
    }
    return frame


def _outcomes(table: pd.DataFrame, names: str | Sequence[str] | None) -> list[Outcome]:
    if names is None:
        return [each for each in OUTCOMES.values() if set(each.columns) <= set(table.columns)]
    return [find_outcome(name) for name in ([names] if isinstance(names, str) else names)]


def _check(by: Sequence[str], weights: str, margin: float | None) -> None:
    if isinstance(by, str) or not set(by) <= set(KEYS):
        raise InputError(f"invalid by {by!r}: expected a list of {', '.join(KEYS)}")
    if weights not in _WEIGHTS:
        raise InputError(f"invalid weights {weights!r}: expected {' or '.join(_WEIGHTS)}")
    if margin is not None and not 0 < margin < math.inf:
        raise InputError(f"invalid margin {margin!r}: expected points above 0, e.g. 5")


def _contrasts(found: Sequence[Cell], names: str | Sequence[str] | None) -> list[Contrast]:
    """The contrasts of a study with these names, or all."""
    values = {name: sorted({cell.value(name) for cell in found} - {None}) for name in FACTORS}
    every = contrasts(values)
    if names is None:
        return every
    chosen = [names] if isinstance(names, str) else list(names)
    known = {each.name for each in every}
    for name in chosen:
        if name not in known and name not in _QUESTIONS:
            available = ", ".join((*_QUESTIONS, *(each.name for each in every)))
            raise InputError(f"invalid contrast '{name}': expected one of {available}")
    return [each for each in every if each.name in chosen or each.question in chosen]


def _groups(
    contrast: Contrast, members: Sequence[Stratum], by: Sequence[str], under_cues: bool
) -> Iterator[_Group]:
    """The strata of a contrast that are averaged, for outcomes of answers under cues or others."""
    names = list(by)
    if "condition" not in (*contrast.factors, *by):
        alone = (None, BASELINES["condition"])
        members = [each for each in members if (each.keys["condition"] in alone) != under_cues]
        if not under_cues:
            names.append("condition")
    groups: dict[tuple[Any, ...], list[Stratum]] = {}
    for each in members:
        groups.setdefault(tuple(each.keys[name] for name in names), []).append(each)
    for keys, alike in groups.items():
        for variant, averaged in split_by_settings(alike):
            yield _Group(contrast, dict(zip(names, keys, strict=True)), variant, averaged)


def _is_primary(
    outcome: Outcome, group: _Group, plan: Sequence[Planned] | None, found: Sequence[Cell]
) -> bool:
    contrast = group.contrast
    if _has_control(group, found):
        return False
    by = {name: value for name, value in group.keys.items() if name != "condition"}
    if plan is None:
        return contrast.main and contrast.question in outcome.primary and not by
    return any(_fits(each, outcome.name, contrast, group.keys) for each in plan)


def _has_control(group: _Group, found: Sequence[Cell]) -> bool:
    """Whether level 5 of these cells is re-asking, and others of the same keys reflected."""
    return any(
        "second_pass" in each.mixed and any(is_reask(found[number]) for number in each.cells)
        for each in group.strata
    )


def _fits(planned: Planned, outcome: str, contrast: Contrast, keys: Mapping[str, Any]) -> bool:
    named = planned.contrast == contrast.name or (
        contrast.main and planned.contrast == contrast.question
    )
    by = {name: value for name, value in keys.items() if name != "condition" or value != "control"}
    by = {name: value for name, value in by.items() if value is not None}
    return named and planned.outcome == outcome and dict(planned.by) == by


def _row(
    found: Sequence[Cell],
    outcome: Outcome,
    group: _Group,
    pooled: Pooled,
    weights: Weights,
) -> dict[str, Any]:
    """A row of the frame, without intervals and what depends on other rows; its `value`."""
    contrast, value = group.contrast, pooled.value
    tested = not (outcome.noisy and contrast.compares_baseline)
    estimates = pooled.strata.estimates
    return {
        "value": value,
        "question": contrast.question,
        "outcome": outcome.name,
        "contrast": contrast.name,
        "side": contrast.side,
        "versus": contrast.reference,
        **group.keys,
        "variant": group.variant,
        "estimate": value.estimate,
        "unit": outcome.unit,
        "factor": outcome.factor,
        "p": value.p if tested else np.nan,
        "test": value.test if tested else None,
        "n_items": pooled.n_items,
        "n_samples": pooled.n_samples,
        "n_cells": len(pooled.cells),
        "n_unpaired": pooled.n_unpaired,
        "n_left_out": pooled.n_left_out,
        "lowest": estimates.min(),
        "highest": estimates.max(),
        "p_heterogeneity": pooled.strata.homogeneity(),
        **dict(zip(UNREAD, pooled.beside, strict=True)),
        "estimand": _estimand(found, outcome, group, pooled, weights),
    }


def _add_intervals(rows: Sequence[dict[str, Any]], margin: float | None) -> None:
    """Replace the `value` of rows by its interval, and add what follows from that."""
    values = [row.pop("value") for row in rows]
    bounds = intervals(values, [0.95] * len(values))
    for row, value, (low, high) in zip(rows, values, bounds, strict=True):
        tested = not np.isnan(row["p"])
        row |= {"low": low, "high": high}
        row["detectable"] = detectable(low, high) if tested else np.nan
        if margin is not None and row["unit"] == "points" and low == low and tested:
            least = margin / row["factor"]
            row |= {"margin": least, "equivalence": equivalence(value.interval, least)}


def _estimand(
    found: Sequence[Cell], outcome: Outcome, group: _Group, pooled: Pooled, weights: Weights
) -> str:
    """What is estimated, in a sentence."""
    contrast, n_cells = group.contrast, len(pooled.cells)
    members = [found[number] for each in pooled.cells for number in each.cells]
    of_each = len(contrast.weights)
    sets = "pair" if of_each == 2 else f"set of {of_each} cells"
    parts = [f"{outcome.meaning.capitalize()}: {contrast.side} minus {contrast.reference}"]
    given = [f"{name} {value}" for name, value in group.keys.items() if value is not None]
    if given:
        parts.append(f"for {', '.join(given)}")
    over = [
        plural(len(values), name)
        for name in ("model", "benchmark", "level")
        if name not in contrast.factors
        and len(values := {getattr(cell, name) for cell in members} - {None}) > 1
    ]
    if n_cells > 1:
        how = "each counting alike" if weights == "cells" else "weighted by items"
        spread = f" ({', '.join(over)})" if over else ""
        noun = "pairs of cells" if of_each == 2 else f"sets of {of_each} cells"
        parts.append(f"averaged over {n_cells} {noun}{spread}, {how}")
    else:
        parts.append("in one " + (sets + " of cells" if of_each == 2 else sets))
    parts.append(f"over the {plural(pooled.n_items, 'item')} that these cells share")
    return ", ".join(parts) + "; paired by item, clustered by item."


def _left_out(row: Mapping[str, Any], n_cells: int) -> Iterator[str]:
    """Sentences on the cells and items that an effect leaves out."""
    if row["n_cells"] < n_cells and row["unit"] == "":
        yield (
            f"{row['outcome']}, {row['contrast']}: over {row['n_cells']} of {n_cells} pairs of "
            "cells; it is undefined in the others."
        )
    if row["n_unpaired"]:
        yield (
            f"{row['outcome']}, {row['contrast']}: over {plural(row['n_items'], 'item')}; left "
            f"out: {plural(row['n_unpaired'], 'item')} that not all compared cells have."
        )


def _not_estimated(plan: Sequence[Planned], records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A sentence for each planned effect that has no row."""
    for each in plan:
        rows = [
            row
            for row in records
            if row["is_primary"]
            and row["outcome"] == each.outcome
            and each.contrast in (row["contrast"], row["question"])
            and all(row.get(name) == value for name, value in each.by.items())
        ]
        if not rows:
            yield f"Primary effect not estimated: {each}."


def _adjusted(frame: pd.DataFrame) -> pd.DataFrame:
    """Fill `family` and `p_adjusted`."""
    kinds = {True: "primary", False: "exploratory"}
    family = frame["question"] + ", " + frame["is_primary"].map(kinds).astype("string")
    frame = frame.assign(family=family)
    for (_, is_primary), rows in frame.groupby(["question", "is_primary"]):
        adjust = holm if is_primary else benjamini_hochberg
        frame.loc[rows.index, "p_adjusted"] = adjust(rows["p"].to_numpy())
    return frame
