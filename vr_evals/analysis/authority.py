"""How far an authority's endorsement moves answers, and whether that is more than noise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pandas as pd

from vr_evals.analysis.cell import Refusal
from vr_evals.analysis.cells import CELL, Cell, Cells, cells, settings_that_differ
from vr_evals.analysis.checks import check_integer
from vr_evals.analysis.pairing import UNREAD, finished, joint_variant
from vr_evals.conditions import CONDITIONS
from vr_evals.stats.authority import CEILING, KS, control_accuracy, figures
from vr_evals.stats.figure import Figure
from vr_evals.stats.trials import Item, Trial, gather

__all__ = ["EFFECTS", "authority"]

_COLUMNS = (
    *CELL,
    "metric",
    "k",
    "estimate",
    "low",
    "high",
    "n_items",
    "n_samples",
    "n_without_baseline",
    "p",
    "p_adjusted",
    "test",
    "low_simultaneous",
    "high_simultaneous",
    *UNREAD,
    "note",
)

_TRIAL = ("item", "choice", "right_choice", "endorsed_choice", "option_order")
"""The fields of a `Trial` but for its condition, which is the cell's, and its cluster."""

EFFECTS = ("source_effect", "certainty_effect", "option_effect", "mention_effect")
"""Figures of the extended design, by what they are the effect of."""

_TESTED = ("excess_flip", "excess_compliance", "asymmetry", "log_odds_asymmetry", *EFFECTS)
"""Figures that are tested against 0, each metric a family of its own for each model.

Relative excess, log-odds pull and excess vulnerability ask what excess compliance asks: one test of
that is enough.
"""

_VALENCE = {name: condition.valence for name, condition in CONDITIONS.items()}

_OTHERS = frozenset({"flip_floor", "excess_flip", "excess_vulnerability"})
"""Figures that take a control answer's baseline from the item's other control answers."""


def authority(table: pd.DataFrame, *, ks: Sequence[int] = KS) -> pd.DataFrame:
    """Every figure of the authority paradigm, by model, benchmark, level, thinking and settings.

    The conditions may stand in one log or in several; those whose settings differ are not compared,
    and `attrs["notes"]` says so. An item is left out of a figure if it misses a condition that the
    figure is made of, or has no baseline where one is needed. What each figure means is in
    ``docs/metrics.md``; formulas and sources are in ``vr_evals.stats.authority``.

    Args:
        table: The tidy table. Rows outside the paradigm, and samples without scores, are not used.
        ks: The k of pass@k, compliance@k and flip@k; a row with k over the epochs is NaN.

    Returns:
        A row for each figure. `condition` is a condition, a strength (`high`, `low`), a valence
        (`help`, `harm`, `random`) of the extended design's effects, or `all`;
        `estimate` and its 95 % interval by cluster are rates (0–1), differences of rates, or
        differences of natural log-odds; `n_samples` counts samples in all conditions that the
        figure is made of, and `n_without_baseline` the items left out for that. `p`, for
        `excess_flip`, `excess_compliance`, `asymmetry`, `log_odds_asymmetry` and `EFFECTS`, is
        against 0, and
        below 0.05 if and only if the interval excludes 0; `p_adjusted` is Holm's over the rows of
        the same metric and model. `low_simultaneous` and `high_simultaneous` are for all rows of
        the metric. `estimate_read` is among the answers that were read; `bound_low` and
        `bound_high` are what the figure could be if each unread answer could have been any option.
        `note` says why a figure is missing or not to be trusted.

    Raises:
        InputError: The table does not have the columns of a tidy table, a k is below 1, an answer
            has no right or no endorsed option, or an item has several of them.
    """
    for k in ks:
        check_integer("ks", k)
    grouped = cells(table, (*_TRIAL, "correct", "target", "answer_format"))
    runs = _runs(grouped.cells)
    records = []
    for run in runs:
        members = [grouped.cells[number] for number in run]
        keys = members[0].keys | {"variant": joint_variant(members)}
        items = gather(trial for number in run for trial in _trials(grouped, number))
        records += [keys | row for row in _rows(items, ks)]
    frame = finished(
        records,
        [name for name in _COLUMNS if name != "k"],
        [*grouped.notes, *_refusals(grouped.cells, runs)],
    )
    frame["k"] = pd.Series([record["k"] for record in records], dtype="Int64")
    return frame[list(_COLUMNS)]


def _runs(cells: Sequence[Cell]) -> list[list[int]]:
    """Numbers of the cells that differ in nothing but the authority condition."""
    runs: dict[tuple[object, ...], list[int]] = {}
    for number, cell in enumerate(cells):
        if cell.condition in CONDITIONS:  # other paradigms may have conditions of their own
            key = (*_without_condition(cell), *cell.settings.items())
            runs.setdefault(key, []).append(number)
    return list(runs.values())


def _without_condition(cell: Cell) -> tuple[object, ...]:
    return cell.model, cell.benchmark, cell.level, cell.thinking


def _trials(grouped: Cells, number: int) -> Iterator[Trial]:
    """The scored answers of a cell."""
    rows = grouped.row_slices[number]
    condition = str(grouped.cells[number].condition)
    found = grouped.rows[rows].assign(cluster=grouped.units.cluster[grouped.unit[rows]])
    scored = found["correct"].notna()
    if _VALENCE.get(condition) in (None, "random"):
        scored |= found["target"].isna() & found["answer_format"].notna()
    found = found.loc[scored, [*_TRIAL, "cluster"]].astype(object)
    for item, *answer in found.where(found.notna(), None).itertuples(index=False):
        yield Trial(item, condition, *answer)


def _refusals(cells: Sequence[Cell], runs: Iterable[Sequence[int]]) -> Iterator[Refusal]:
    """Yield a refusal for each cell whose control was asked with other settings."""
    controls = [cell for cell in cells if cell.condition == "control"]
    for members in ([cells[number] for number in run] for run in runs):
        if any(cell.condition == "control" for cell in members):
            continue
        for control in controls:
            if _without_condition(control) == _without_condition(members[0]):
                names = settings_that_differ([members[0].settings, control.settings])
                yield from (Refusal.of(cell, control, "control", names) for cell in members)


def _rows(items: Sequence[Item], ks: Sequence[int]) -> Iterator[dict[str, Any]]:
    """The rows of cells that differ in the condition alone, without their other keys."""
    accuracy = control_accuracy(items)
    epochs = max((len(choices) for item in items for choices in item.choices.values()), default=0)
    control_epochs = max((len(item.choices.get("control", ())) for item in items), default=0)
    for figure in figures(items, ks):
        yield {
            **figure.key._asdict(),
            "value": figure.value,
            "tested": figure.key.metric in _TESTED,
            "n_items": figure.n_items,
            "n_samples": figure.n_samples,
            "n_without_baseline": figure.without_baseline,
            **{name: getattr(figure, name) for name in UNREAD},
            "note": _note(figure, accuracy, epochs, control_epochs),
        }


def _note(figure: Figure, accuracy: float, epochs: int, control_epochs: int) -> str | None:
    metric, k, _ = figure.key
    if k is not None and k > epochs:
        return f"no item has {k} epochs"
    if metric in _OTHERS and control_epochs < 2:
        return "control was asked once: no other control epoch to take a baseline from"
    if not figure.n_items:
        return "no item with a baseline" if figure.without_baseline else "no item left"
    if metric == "asymmetry" and accuracy > CEILING:
        return f"control's accuracy is {accuracy:.3f}, over {CEILING}: help has next to no room"
    return None
