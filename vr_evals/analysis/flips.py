"""Which answers change, and how: between levels, with thinking, and between two passes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vr_evals.analysis.cells import CELL, Cells, Integers, cells, tidy_frame
from vr_evals.analysis.changes import is_level0, is_thinking_off
from vr_evals.analysis.pairing import COUNTS, Comparison, comparisons, matched_units
from vr_evals.levels import Level
from vr_evals.stats.agreement import majority, mean_defined
from vr_evals.stats.flips import flip_kind
from vr_evals.stats.intervals import wilson_clustered

__all__ = ["flips"]

_COLUMNS = (
    *CELL,
    "comparison",
    "metric",
    "estimate",
    "low",
    "high",
    *COUNTS,
    "n_left_out",
)
_FLIPS = ("good_flip", "bad_flip", "other_flip")
_UNREAD = -1


def flips(table: pd.DataFrame) -> pd.DataFrame:
    """How often answers change, and whether to the better: choices in canonical terms.

    `comparison` says between what:

    - `level0`: from level 0 to the row's level, of the same item in the same order;
    - `thinking_off`: from thinking off to on, likewise;
    - `first_pass`: from the first to the second pass of level 5, within each sample.

    `flip` is the sum of `good_flip` (to the right choice), `bad_flip` (away from it) and
    `other_flip` (from one wrong choice to another, or where there is no right one).
    `good_flip_of_wrong` is over what began wrong, `bad_flip_of_right` over what began right.

    Between cells, a unit's baseline is the most frequent choice that was read among the reference's
    epochs; each answer of the other side that was read is a flip or is not; shares are averaged
    over items, and an item without a baseline (a tie, nothing read) or without an answer that was
    read is left out (`n_left_out`). Between passes, rates are over samples with both passes read,
    each epoch by itself, as in a log. Intervals are `wilson_clustered`.

    Args:
        table: The tidy table.

    Returns:
        A row for each comparison and metric. `n_items` and `n_samples` (the answers read, of both
        sides where there are two) are what the row is over; `n_unpaired` counts items on one side
        only. `attrs["notes"]` has the cells that were not compared.

    Raises:
        InputError: The table has not the columns of a tidy table.
    """
    columns = ("choice", "right_choice", "first_choice", "first_correct", "reflection")
    grouped = cells(table, columns)
    answers = _Answers(grouped)
    records: list[dict[str, Any]] = []
    notes = list(grouped.notes)
    for name, vary, is_reference in (
        ("level0", "level", is_level0),
        ("thinking_off", "thinking", is_thinking_off),
    ):
        found, refused = comparisons(grouped.cells, vary, is_reference)
        notes += refused
        for pair in found:
            keys = grouped.cells[pair.side].keys | {"variant": pair.variant, "comparison": name}
            records += [keys | row for row in answers.between_cells(pair)]
    for number, cell in enumerate(grouped.cells):
        rows = _between_passes(grouped, number)
        records += [cell.keys | {"comparison": "first_pass"} | row for row in rows]
    return tidy_frame(records, _COLUMNS, notes)


class _Answers:
    """Choices as numbers, and each unit's baseline and right choice, for all cells at once."""

    def __init__(self, grouped: Cells) -> None:
        rows, n_units = grouped.rows, len(grouped.units.cell)
        both = pd.concat([rows["choice"], rows["right_choice"]], ignore_index=True)
        codes, names = pd.factorize(both)
        self.grouped = grouped
        self.names = [*names.tolist(), None]  # the last for _UNREAD
        self.choice, right = codes[: len(rows)], codes[len(rows) :]
        self.right = right[np.searchsorted(grouped.unit, np.arange(n_units))]
        self.read = self.choice != _UNREAD
        self.n_read = np.bincount(grouped.unit[self.read], minlength=n_units)
        self.baseline = self._baselines()
        self.everything = np.ones(n_units, dtype=bool)

    def _baselines(self) -> Integers:
        """Each unit's most frequent choice that was read."""
        unit, choice = self.grouped.unit[self.read], self.choice[self.read]
        baseline = np.full(len(self.n_read), _UNREAD)
        baseline[unit] = choice  # that is all where one was read
        stops = np.cumsum(self.n_read)
        for several in np.flatnonzero(self.n_read > 1):
            found = majority(
                choice[stops[several] - self.n_read[several] : stops[several]].tolist()
            )
            baseline[several] = _UNREAD if found is None else found
        return baseline

    def between_cells(self, pair: Comparison) -> Iterator[dict[str, Any]]:
        """Flips of a comparison's side from the baselines of its reference."""
        units = self.grouped.units
        matched = matched_units(self.grouped, (pair.side, pair.reference), self.everything)
        side, reference = matched.units
        usable = (self.n_read[side] > 0) & (self.baseline[reference] != _UNREAD)
        left_out = matched.n_items - units.n_items(side[usable])
        side, reference = side[usable], reference[usable]
        base, right = self.baseline[reference], self.right[side]
        shares = self._shares(pair.side, side, base)
        n_read = self.n_read[side] + self.n_read[reference]
        wrong_first = (right != _UNREAD) & (base != right)
        for metric, values, used in _metrics(shares, wrong_first, base == right):
            yield _row(metric, values[used], units.cluster[side[used]].tolist()) | {
                "n_items": units.n_items(side[used]),
                "n_samples": int(n_read[used].sum()),
                "n_unpaired": matched.n_unpaired,
                "n_left_out": left_out,
            }

    def _shares(self, cell: int, units: Integers, base: Integers) -> dict[str, NDArray[np.float64]]:
        """The share of each kind of flip among the answers read of some units of a cell."""
        in_cell = self.grouped.row_slices[cell]
        rows = in_cell.start + np.flatnonzero(
            self.read[in_cell] & np.isin(self.grouped.unit[in_cell], units)
        )
        place = np.searchsorted(units, self.grouped.unit[rows])
        kind = self._kinds(base[place], self.choice[rows], self.right[self.grouped.unit[rows]])
        n_read = self.n_read[units]
        return {name: np.bincount(place, kind == name, len(units)) / n_read for name in _FLIPS}

    def _kinds(self, base: Integers, choice: Integers, right: Integers) -> NDArray[np.object_]:
        """`flip_kind` of each answer, looked up once for each combination of choices."""
        combinations, which = np.unique(
            np.stack([base, choice, right], axis=1), axis=0, return_inverse=True
        )
        kinds = [flip_kind(*(self.names[code] for code in row)) for row in combinations]
        return np.array(kinds, dtype=object)[which]


def _between_passes(grouped: Cells, number: int) -> Iterator[dict[str, Any]]:
    """Flips within the samples of a cell, if there are any that had two passes."""
    in_cell = grouped.row_slices[number]
    rows, unit = grouped.rows.iloc[in_cell], grouped.unit[in_cell]
    kind = rows["reflection"].to_numpy(dtype=object)
    both_read = rows["reflection"].notna().to_numpy()
    if not both_read.any() and grouped.cells[number].level != Level.TWO_PASS:
        return
    kind, unit = kind[both_read], unit[both_read]
    first = rows["first_correct"][both_read]
    has_right = rows["right_choice"][both_read].notna()
    right = (has_right & first.fillna(False)).to_numpy(dtype=bool)
    wrong = (has_right & ~first.fillna(True)).to_numpy(dtype=bool)
    shares = {name: (kind == name).astype(float) for name in _FLIPS}
    n_items = grouped.units.n_items(grouped.unit[in_cell])
    for metric, values, used in _metrics(shares, wrong, right):
        yield _row(metric, values[used], grouped.units.cluster[unit[used]].tolist()) | {
            "n_items": grouped.units.n_items(unit[used]),
            "n_samples": int(used.sum()),
            "n_unpaired": 0,
            "n_left_out": n_items - grouped.units.n_items(unit),
        }


def _metrics(
    shares: dict[str, NDArray[np.float64]],
    began_wrong: NDArray[np.bool_],
    began_right: NDArray[np.bool_],
) -> Iterator[tuple[str, NDArray[np.float64], NDArray[np.bool_]]]:
    """Each metric with its values and which of them it is over."""
    everything = np.ones(len(began_right), dtype=bool)
    yield "flip", sum(shares.values(), np.zeros(len(everything))), everything
    for name, values in shares.items():
        yield name, values, everything
    yield "good_flip_of_wrong", shares["good_flip"], began_wrong
    yield "bad_flip_of_right", shares["bad_flip"], began_right


def _row(metric: str, values: NDArray[np.float64], clusters: list[str]) -> dict[str, Any]:
    low, high = wilson_clustered(np.minimum(values, 1), clusters)
    return {"metric": metric, "estimate": mean_defined(values), "low": low, "high": high}
