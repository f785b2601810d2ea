"""Which answers change, and how: between levels, with thinking, and between two passes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vr_evals.analysis.added_flips import added_flips, is_reask, reflection_pairs
from vr_evals.analysis.cell import Refusal
from vr_evals.analysis.cells import CELL, Cells, Flags, Integers, cells
from vr_evals.analysis.changes import is_level0, is_thinking_off
from vr_evals.analysis.pairing import (
    COUNTS,
    Comparison,
    comparisons,
    finished,
    matched_units,
    same_temperature,
)
from vr_evals.levels import Level
from vr_evals.stats.flips import flip_kind, leave_one_out_baselines, majorities
from vr_evals.stats.score import difference, rate

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
    "p",
    "p_adjusted",
    "test",
    "low_simultaneous",
    "high_simultaneous",
    "note",
    "is_same_temperature",
)
_FLIPS = ("good_flip", "bad_flip", "other_flip")
_TESTED = ("excess_flip", "net_flip")
"""Metrics that are 0 in expectation if both sides are the same process, and tested for it."""

_UNREAD = -1
_ASKED_ONCE = "no noise floor: asked once"


def flips(table: pd.DataFrame) -> pd.DataFrame:
    """How often answers change, and whether to the better: choices in canonical terms.

    `comparison` says between what:

    - `level0`: from level 0 to the row's level, of the same item in the same order;
    - `thinking_off`: from thinking off to on, likewise;
    - `first_pass`: from the first to the second pass of level 5, within each sample;
    - `initial`: from the initial to the final answer of a level-4 reply, likewise. `both_read` is
      the share of replies of which both were read: the rest may differ from them.
    - `reask`: the same in level 5's control, whose second call only repeats the question;
    - `reflection`: what reflection adds to being asked twice. Its metrics are those of `first_pass`
      in a conversation minus those of `reask`, paired by item: `added_flip`, `added_good_flip`,
      `added_bad_flip`, `added_other_flip`, `added_good_flip_of_wrong`, `added_bad_flip_of_right`
      and `added_net_flip` (good less bad). The form of the second call differs by design.

    `flip` is the sum of `good_flip` (to the right choice), `bad_flip` (away from it) and
    `other_flip` (from one wrong choice to another, or where there is no right one).
    `good_flip_of_wrong` is over what began wrong, `bad_flip_of_right` over what began right.

    Between cells, a unit's baseline is the most frequent choice that was read among the reference's
    epochs; each answer of the other side that was read is a flip or is not; shares are averaged
    over items, and an item without a baseline (a tie, nothing read) or without an answer that was
    read is left out (`n_left_out`). Between passes, rates are over samples with both passes read,
    each epoch by itself, as in a log. Intervals are Wilson's, with the effective number of answers.

    Two runs of the same process flip, too. If the reference has several epochs, each of its answers
    is compared with the most frequent one of the item's *other* epochs there, over which the next
    figures are; else they are NaN, and `note` says so:

    - `flip_floor`: the share of the reference's own answers that differ;
    - `excess_flip`: the share of the other side's answers that differ, minus that;
    - `excess_good_flip_of_wrong`, `excess_bad_flip_of_right`: the share of the other side's answers
      that are right (wrong) where that most frequent one is wrong (right), minus the reference's.

    Within samples the reference is the first pass (the initial answer), and both answers of a
    sample are compared with the most frequent first one of the other epochs.

    `net_flip` is good flips less bad ones, each answer of the reference being compared with each of
    the other side: 0 in expectation if both are the same process, with one epoch or many.

    Args:
        table: The tidy table.

    Returns:
        A row for each comparison and metric. `n_items` and `n_samples` (the answers read, of both
        sides where there are two) are what the row is over; `n_unpaired` counts items on one side
        only. `excess_flip`, `net_flip`, `added_flip` and `added_net_flip` are tested against 0 as
        in `changes`; `p_adjusted` is Holm's, over the rows of the same metric, comparison and
        model. `attrs["notes"]` has the cells that were not compared.

    Raises:
        InputError: The table does not have the columns of a tidy table.
    """
    columns = (
        *("choice", "right_choice", "first_choice", "first_correct", "first_format"),
        "reflection",
    )
    grouped = cells(table, columns)
    answers = _Answers(grouped)
    records: list[dict[str, Any]] = []
    notes: list[str | Refusal] = [*grouped.notes]
    for name, vary, is_reference in (
        ("level0", "level", is_level0),
        ("thinking_off", "thinking", is_thinking_off),
    ):
        found, refused = comparisons(grouped.cells, vary, is_reference)
        notes += refused
        for pair in found:
            side, reference = (grouped.cells[number] for number in (pair.side, pair.reference))
            keys = side.keys | {"variant": pair.variant, "comparison": name}
            keys["is_same_temperature"] = same_temperature(side, reference)
            records += [keys | row for row in answers.between_cells(pair)]
    for number, cell in enumerate(grouped.cells):
        rows = _within_samples(answers, number)
        comparison = "reask" if is_reask(cell) else "first_pass"
        if cell.level == Level.ADVERSARIAL:
            comparison = "initial"
        records += [cell.keys | {"comparison": comparison} | row for row in rows]
    found, refused = reflection_pairs(grouped.cells)
    notes += refused
    for pair in found:
        keys = grouped.cells[pair.side].keys
        keys |= {"variant": pair.variant, "comparison": "reflection"}
        records += [keys | row for row in added_flips(grouped, pair)]
    return finished(records, _COLUMNS, notes, family=("comparison", "model"))


class _Answers:
    """Choices as numbers, and each unit's baseline and right choice, for all cells at once."""

    def __init__(self, grouped: Cells) -> None:
        rows, n_units = grouped.rows, len(grouped.units.cell)
        columns = [rows[name] for name in ("choice", "right_choice", "first_choice")]
        codes, names = pd.factorize(pd.concat(columns, ignore_index=True))
        self.grouped = grouped
        self.names = [*names.tolist(), None]  # the last for _UNREAD
        self.choice, right, self.first = np.split(codes, 3)
        self.right = right[np.searchsorted(grouped.unit, np.arange(n_units))]
        self.read = self.choice != _UNREAD
        self.n_read = np.bincount(grouped.unit[self.read], minlength=n_units)
        self.baseline = self._baselines()
        self.others = leave_one_out_baselines(grouped.unit, self.choice)
        self.kinds, self.counts = np.unique(
            self._kind(grouped.unit[self.read], self.choice[self.read]), return_counts=True
        )

    def _kind(self, unit: Integers, choice: Integers) -> Integers:
        """A number for each choice of a unit."""
        return unit * len(self.names) + choice

    def share(self, unit: Integers, choice: Integers) -> NDArray[np.float64]:
        """The share of a choice among the answers to a unit that were read, at least one."""
        kind = self._kind(unit, choice)
        place = np.minimum(np.searchsorted(self.kinds, kind), len(self.kinds) - 1)
        there = (self.kinds[place] == kind) & (choice != _UNREAD)
        return np.where(there, self.counts[place], 0) / self.n_read[unit]

    def _baselines(self) -> Integers:
        """Each unit's most frequent choice that was read."""
        unit, choice = self.grouped.unit[self.read], self.choice[self.read]
        return majorities(unit, choice, len(self.n_read))

    def between_cells(self, pair: Comparison) -> Iterator[dict[str, Any]]:
        """Flips of a comparison's side from the baselines of its reference."""
        units = self.grouped.units
        matched = matched_units(self.grouped, (pair.side, pair.reference))
        side, reference = matched.units
        usable = (self.n_read[side] > 0) & (self.baseline[reference] != _UNREAD)
        left_out = matched.n_items - units.n_items(side[usable])
        side, reference = side[usable], reference[usable]
        base, right = self.baseline[reference], self.right[side]
        shares = self._shares(pair.side, side, base)
        n_read = self.n_read[side] + self.n_read[reference]
        wrong_first = (right != _UNREAD) & (base != right)
        counts = {"n_unpaired": matched.n_unpaired, "n_left_out": left_out}
        for metric, values, used in _metrics(shares, wrong_first, base == right):
            answers = int(self.n_read[side[used]].sum())
            yield _row(metric, values[used], self.grouped.cluster_codes[side[used]], answers) | {
                "n_items": units.n_items(side[used]),
                "n_samples": int(n_read[used].sum()),
                **counts,
            }
        yield from self._noise_between(pair, matched.units)

    def _noise_between(self, pair: Comparison, matched: Integers) -> Iterator[dict[str, Any]]:
        """Figures of a comparison that are 0 if both sides are the same process."""
        in_reference, (sides, references) = self.grouped.row_slices[pair.reference], matched
        rows = in_reference.start + np.flatnonzero(self.read[in_reference])
        place = np.minimum(
            np.searchsorted(references, self.grouped.unit[rows]), max(len(references) - 1, 0)
        )
        if len(references):
            shared = references[place] == self.grouped.unit[rows]
            shared &= self.n_read[sides[place]] > 0
            rows, place = rows[shared], place[shared]
        else:
            rows = rows[:0]
        side = sides[place[: len(rows)]]
        base, right = self.others[rows], self.right[side]
        flips, rights = 1 - self.share(side, base), self.share(side, right)
        noise = _Noise(base, right, self.choice[rows], flips, rights)
        yield from _noise(
            noise,
            self.grouped,
            side,
            lambda used: int(self.n_read[np.unique(side[used])].sum()),
        )

    def noise_between_passes(self, rows: Integers) -> Iterator[dict[str, Any]]:
        """The same for the two passes of samples that have both, rows by number."""
        unit = self.grouped.unit[rows]
        first, final, right = self.first[rows], self.choice[rows], self.right[unit]
        base = leave_one_out_baselines(unit, first)
        flips, rights = (each.astype(float) for each in (final != base, final == right))
        noise = _Noise(base, right, first, flips, rights)
        yield from _noise(noise, self.grouped, unit, lambda used: int(used.sum()))

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
        width = len(self.names)  # that of _UNREAD, which is -1, is the last
        codes = (base % width * width + choice % width) * width + right % width
        combinations, which = np.unique(codes, return_inverse=True)
        digits = zip(*np.unravel_index(combinations, (width,) * 3), strict=True)
        kinds = [flip_kind(*(self.names[code] for code in each)) for each in digits]
        return np.array(kinds, dtype=object)[which]


def _within_samples(answers: _Answers, number: int) -> Iterator[dict[str, Any]]:
    """Flips within the samples of a cell, if there are any that state two answers."""
    grouped = answers.grouped
    in_cell = grouped.row_slices[number]
    rows, unit = grouped.rows.iloc[in_cell], grouped.unit[in_cell]
    kind = rows["reflection"].to_numpy(dtype=object)
    both_read = rows["reflection"].notna().to_numpy()
    level = grouped.cells[number].level
    asked = rows["first_format"].notna().to_numpy()
    if not (both_read.any() or level == Level.TWO_PASS or asked.any()):
        return
    if level == Level.ADVERSARIAL and asked.any():
        read, units = both_read[asked].astype(float), unit[asked]
        yield _row("both_read", read, grouped.cluster_codes[units], len(read)) | {
            "n_items": grouped.units.n_items(units),
            "n_samples": len(read),
            "n_unpaired": 0,
            "n_left_out": 0,
        }
    kind, unit = kind[both_read], unit[both_read]
    first = rows["first_correct"][both_read]
    has_right = rows["right_choice"][both_read].notna()
    right = (has_right & first.fillna(False)).to_numpy(dtype=bool)
    wrong = (has_right & ~first.fillna(True)).to_numpy(dtype=bool)
    shares = {name: (kind == name).astype(float) for name in _FLIPS}
    n_items = grouped.units.n_items(grouped.unit[in_cell])
    counts = {"n_unpaired": 0, "n_left_out": n_items - grouped.units.n_items(unit)}
    for metric, values, used in _metrics(shares, wrong, right):
        n = int(used.sum())
        yield _row(metric, values[used], grouped.cluster_codes[unit[used]], n) | {
            "n_items": grouped.units.n_items(unit[used]),
            "n_samples": n,
            **counts,
        }
    for row in answers.noise_between_passes(in_cell.start + np.flatnonzero(both_read)):
        yield row | counts


@dataclass(frozen=True)
class _Noise:
    """Answers of the reference, one by one, and the other side's answers to the same unit.

    Attributes:
        base: The most frequent answer of the reference's other epochs, or `_UNREAD`.
        right: The right answer, or `_UNREAD`.
        own: The answer.
        flips: The share of the other side's answers that are another than `base`.
        rights: The share of them that are right.
    """

    base: Integers
    right: Integers
    own: Integers
    flips: NDArray[np.float64]
    rights: NDArray[np.float64]


def _noise(
    noise: _Noise, grouped: Cells, units: Integers, n_of_side: Callable[[Flags], int]
) -> Iterator[dict[str, Any]]:
    """The rows of a comparison that know of noise.

    Args:
        noise: The answers.
        grouped: The table in cells.
        units: The other side's unit of each.
        n_of_side: Returns how many answers of the other side some of them are compared with.
    """
    based, has_right = noise.base != _UNREAD, noise.right != _UNREAD
    wrong, right = based & has_right & (noise.base != noise.right), noise.base == noise.right
    right &= based
    own_flips, own_right = noise.own != noise.base, noise.own == noise.right
    for metric, x, y, used in (
        ("flip_floor", None, own_flips, based),
        ("excess_flip", noise.flips, own_flips, based),
        ("excess_good_flip_of_wrong", noise.rights, own_right, wrong),
        ("excess_bad_flip_of_right", 1 - noise.rights, ~own_right, right),
        ("net_flip", noise.rights, own_right, has_right),
    ):
        own = y[used].astype(float)
        codes, weights = grouped.cluster_codes[units[used]], np.ones(len(own))
        of_reference, of_side = int(used.sum()), n_of_side(used)
        yield {
            "metric": metric,
            "value": rate(own, weights, codes, of_reference)
            if x is None
            else difference(
                x[used] * (1 - own), (1 - x[used]) * own, weights, codes, min(of_reference, of_side)
            ),
            "tested": metric in _TESTED,
            "n_items": grouped.units.n_items(units[used]),
            "n_samples": of_reference + (0 if x is None else of_side),
            "note": _ASKED_ONCE
            if len(based) and not based.any() and metric != "net_flip"
            else None,
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


def _row(
    metric: str, values: NDArray[np.float64], codes: Integers, n_answers: int
) -> dict[str, Any]:
    value = rate(np.minimum(values, 1), np.ones(len(values)), codes, n_answers)
    return {"metric": metric, "value": value, "tested": False}
