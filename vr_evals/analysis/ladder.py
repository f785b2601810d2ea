"""The whole ladder: does accuracy depend on the level at all, and does thinking change that?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from vr_evals.analysis.added_flips import is_reask
from vr_evals.analysis.cell import Refusal
from vr_evals.analysis.cells import CELL, Cell, Cells, cells, needed_columns
from vr_evals.analysis.changes import changes, is_level0, is_thinking_off
from vr_evals.analysis.checks import tidy_columns
from vr_evals.analysis.flips import flips
from vr_evals.analysis.pairing import (
    DIFFERENCE,
    Comparison,
    accuracies,
    cluster_means,
    comparisons,
    contrast,
    finished,
    joint_variant,
    matched_units,
)
from vr_evals.stats.paired import any_difference

__all__ = ["SAME_PROMPT", "ladder", "noise_floor"]

SAME_PROMPT = {"morables": (0, 1)}
"""Levels of a benchmark whose prompts are the same, by design of the study."""

_OF_CHANGES_AND_FLIPS = (
    *("label", "correct", "choice", "right_choice", "reflection"),
    *("first_choice", "first_correct", "first_format"),
)

_COLUMNS = (*CELL, "levels", *DIFFERENCE)


def ladder(table: pd.DataFrame) -> pd.DataFrame:
    """Two questions that single changes leave open, each on the items that all sides have.

    - `level_effect`: does accuracy depend on the level at all? One permutation test over all levels
      that were run (`levels`), within clusters: `any_difference`. The estimate is the accuracy of
      the best level minus that of the worst; by chance alone it is above 0, so it has no interval.
    - `thinking_by_level`: is the change from level 0 another with thinking than without? The
      difference of the two changes, with interval, test and bounds as in `changes`.

    Items with a target are used; an answer that could not be read is not right. Epochs are averaged
    first. Only cells of the same settings are taken together, as in `changes`; `attrs["notes"]`
    names those that could not be.

    Args:
        table: The tidy table.

    Returns:
        `level_effect` rows for each model, benchmark, condition and thinking; `thinking_by_level`
        rows for each level from 1 on. `n_unpaired` counts items that not all sides have.
        `p_adjusted` is Holm's, over the rows of the same metric and model.

    Raises:
        InputError: The table does not have the columns of a tidy table.
    """
    grouped = cells(table, ("label", "correct"))
    accuracy = accuracies(grouped)
    figure = accuracy.counted
    present = figure.count > 0
    records: list[dict[str, Any]] = []
    levels, level_notes = comparisons(grouped.cells, "level", is_level0)
    thinking, thinking_notes = comparisons(grouped.cells, "thinking", is_thinking_off)
    for members in _ladders(grouped.cells):
        matched = matched_units(grouped, members, present)
        means = figure.mean[matched.units]
        clusters = grouped.units.cluster[matched.units[0]].tolist()
        by_level = means.mean(axis=1) if clusters else np.array([math.nan])
        records.append(
            _keys(grouped, members, "level_effect")
            | {
                "estimate": float(by_level.max() - by_level.min()),
                "n_items": matched.n_items,
                "n_samples": int(figure.count[matched.units].sum()),
                "n_unpaired": matched.n_unpaired,
                "p": any_difference(cluster_means(means.T, clusters)),
                "test": "permutation" if clusters else None,
            }
        )
    for members in _squares(grouped.cells, levels, thinking):
        matched = matched_units(grouped, members, present)
        keys = _keys(grouped, members, "thinking_by_level")
        row = contrast(grouped, accuracy, matched, (1, -1, -1, 1))
        records.append(keys | {"level": grouped.cells[members[0]].level} | row)
    notes: list[str | Refusal] = [*grouped.notes, *level_notes, *thinking_notes]
    return finished(records, _COLUMNS, notes)


def noise_floor(table: pd.DataFrame) -> pd.DataFrame:
    """The change and the flips between two levels that send the same prompt.

    MORABLES' levels 0 and 1 are word for word the same (`SAME_PROMPT`): what differs between them
    is what asking twice makes of it. A change between other levels that is no larger means nothing.

    Args:
        table: The tidy table.

    Returns:
        The rows of `changes` and `flips` for these levels alone, with `p_adjusted` among them.

    Raises:
        InputError: The table does not have the columns of a tidy table.
    """
    used = tidy_columns(table, needed_columns(*_OF_CHANGES_AND_FLIPS))
    pairs = [
        (used["benchmark"] == benchmark) & used["level"].isin(levels)
        for benchmark, levels in SAME_PROMPT.items()
    ]
    same = used[np.any([pair.fillna(False).to_numpy(dtype=bool) for pair in pairs], axis=0)]
    changed, flipped = changes(same), flips(same)
    changed = changed[changed["metric"] == "change_from_level0"]
    flipped = flipped[flipped["comparison"] == "level0"].drop(columns="comparison")
    frame = pd.concat([changed, flipped], ignore_index=True)
    frame.attrs["notes"] = list(dict.fromkeys([*changed.attrs["notes"], *flipped.attrs["notes"]]))
    return frame


def _keys(grouped: Cells, members: tuple[int, ...], metric: str) -> dict[str, Any]:
    """Key columns that the cells share; the others are missing."""
    listed = [grouped.cells[number] for number in members]
    first = listed[0].keys
    shared = {
        name: value
        for name, value in first.items()
        if all(cell.keys[name] == value for cell in listed)
    }
    levels = sorted({cell.level for cell in listed if cell.level is not None})
    return shared | {
        "variant": joint_variant(listed),
        "levels": ", ".join(map(str, levels)),
        "metric": metric,
    }


def _ladders(cells: Sequence[Cell]) -> Iterator[tuple[int, ...]]:
    """Numbers of cells that differ in the level alone, at least two; one set a form of level 5.

    Re-asking, a control of level 5, is no level.
    """
    groups: dict[Any, dict[int, list[int]]] = {}
    for number, cell in enumerate(cells):
        if cell.level is not None and not is_reask(cell):
            settings = {k: v for k, v in cell.settings.items() if k != "second_pass"}
            key = (cell.model, cell.benchmark, cell.thinking, cell.condition)
            group = groups.setdefault((*key, frozenset(settings.items())), {})
            group.setdefault(cell.level, []).append(number)
    for by_level in groups.values():
        if len(by_level) > 1:
            yield from product(*by_level.values())


def _squares(
    cells: Sequence[Cell], levels: Iterable[Comparison], thinking: Iterable[Comparison]
) -> Iterator[tuple[int, int, int, int]]:
    """Numbers of cells: a level and level 0 with thinking, and the same without."""
    level_pairs = {(pair.side, pair.reference) for pair in levels}
    off: dict[int, list[int]] = {}
    for pair in thinking:
        off.setdefault(pair.side, []).append(pair.reference)
    for side, reference in sorted(level_pairs):
        for without in product(off.get(side, ()), off.get(reference, ())):
            if without in level_pairs:
                yield side, reference, *without
