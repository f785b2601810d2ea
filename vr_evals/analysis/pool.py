"""An outcome's contrast, averaged over strata: its estimate, and what it is over."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vr_evals.analysis.cells import Cells, Flags, Integers, UnitMeans
from vr_evals.analysis.contrasts import Contrast
from vr_evals.analysis.outcomes import Answers, Floats, Outcome
from vr_evals.analysis.pairing import matched_units
from vr_evals.analysis.strata import Stratum, cells_by_keys, companion
from vr_evals.stats.pooled import (
    Mean,
    Strata,
    influences,
    jackknife,
    pooled_difference,
    pooled_mean,
)
from vr_evals.stats.score import Difference

__all__ = ["Beside", "Pool", "Pooled", "Weights"]

Weights = Literal["cells", "items"]
"""Whether each stratum counts alike, or by its items."""


class Beside(NamedTuple):
    """What unread answers can make of an estimate; NaN if the outcome does not say.

    Attributes:
        read: It without them, on the units that all sides have then.
        low: The least that it could be, if each had any possible value.
        high: The most.
    """

    read: float
    low: float
    high: float


_UnreadAs = Literal["defined", "none", "least", "most"]
"""What unread answers are taken for: what the outcome says, no answers at all, or a bound."""

_SIDES_OF_BESIDE: tuple[tuple[_UnreadAs, _UnreadAs], ...] = (
    ("none", "none"),
    ("least", "most"),
    ("most", "least"),
)
"""What they are taken for on both sides, for each figure of `Beside`."""

_UNKNOWN = Beside(math.nan, math.nan, math.nan)


@dataclass(frozen=True)
class Pooled:
    """An average over strata.

    Attributes:
        value: The estimate, with interval and test.
        strata: The estimates of the strata.
        cells: The cells that are averaged over.
        n_items: Items in at least one stratum.
        n_samples: Answers in all cells.
        n_unpaired: Items that some of the cells have, but not all.
        n_left_out: Items of all cells that no stratum has a value of on both sides.
        beside: What unread answers can make of the estimate.
    """

    value: Difference | Mean
    strata: Strata
    cells: tuple[Stratum, ...]
    n_items: int
    n_samples: int
    n_unpaired: int
    n_left_out: int
    beside: Beside


class _Part(NamedTuple):
    """A stratum: what its units, or its clusters, add.

    Attributes:
        estimate: Of the stratum.
        influence: What each cluster of the block adds.
        there: Which units of the block count.
        sides: The two sides' shares of each of those units, or None.
        scale: What their difference is multiplied with.
        n_samples: Answers.
        n_pairs: Pairs of answers.
        single: Whether each cluster has one pair of answers.
        beside: What unread answers can make of `estimate`.
    """

    estimate: float
    influence: Floats
    there: Flags
    sides: tuple[Floats, Floats] | None
    scale: float
    n_samples: int
    n_pairs: int
    single: bool
    beside: Beside


class Pool:
    """Estimates of one outcome on one table.

    Args:
        grouped: The table in cells, with the columns of the outcome.
        outcome: The outcome.
    """

    def __init__(self, grouped: Cells, outcome: Outcome) -> None:
        self.grouped, self.outcome = grouped, outcome
        self.means: dict[_UnreadAs, UnitMeans] = {}
        self._graded = False
        self._unread = None if outcome.unread is None else outcome.unread(grouped.rows)
        least, most = (outcome.bounds or (math.nan, math.nan)) if outcome.value else (0.0, 1.0)
        self._taken_for: dict[_UnreadAs, float] = {"none": math.nan, "least": least, "most": most}
        if outcome.value is not None:
            values = outcome.value(grouped.rows)
            known = ~np.isnan(values)
            self.means["defined"] = grouped.mean(values, known)
            self._graded = not np.isin(values[known], outcome.bounds or ()).all()
            if self._unread is not None:
                for name, value in self._taken_for.items():
                    each = np.where(self._unread, value, values)
                    self.means[name] = grouped.mean(each, ~np.isnan(each))
        self._by_keys = cells_by_keys(grouped.cells)
        self._rows = grouped.rows[list(outcome.columns)]
        self._kept: dict[tuple[object, ...], Any] = {}

    @property
    def empty(self) -> bool:
        """Whether no answer has a value."""
        return bool(self.means) and not self.means["defined"].count.any()

    def references(self, contrast: Contrast, number: int) -> int | None:
        """The reference of a cell for a relative outcome; its own number if it is the reference."""
        cell = self.grouped.cells[number]
        if self.outcome.reference is not None:
            factor, value = "condition", self.outcome.reference
        else:
            assert contrast.baseline is not None
            factor, value = contrast.baseline
        if cell.value(factor) == value:
            return number
        return companion(self.grouped.cells, self._by_keys, number, factor, value)

    def estimate(
        self, contrast: Contrast, strata: Sequence[Stratum], weights: Weights
    ) -> Pooled | None:
        """The contrast of the outcome, averaged over strata; None if none has a value.

        Args:
            contrast: The contrast.
            strata: Its strata.
            weights: How they are weighted.
        """
        blocks: dict[str, list[Stratum]] = {}
        for each in strata:
            blocks.setdefault(self.grouped.cells[each.cells[0]].benchmark, []).append(each)
        used: list[Stratum] = []
        parts: list[_Part] = []
        matrices, numbers, n_items, n_unpaired, n_left_out = [], [], 0, 0, 0
        for block, members in enumerate(blocks.values()):
            references = self._references(contrast, members)
            cells = sorted({*references} | {n for n in references.values() if n is not None})
            matched = matched_units(self.grouped, cells)
            if not matched.n_items:
                continue
            rows = dict(zip(cells, matched.units, strict=True))
            codes = np.unique(self.grouped.cluster_codes[matched.units[0]], return_inverse=True)[1]
            found = [
                (each, part)
                for each in members
                if (part := self._part(contrast, each, references, rows, codes)) is not None
            ]
            if not found:
                continue
            there = np.any([part.there for _, part in found], axis=0)
            present = np.unique(codes[there])
            matrices.append(np.stack([part.influence[present] for _, part in found], axis=1))
            numbers.append(np.full(len(present), block))
            used += [each for each, _ in found]
            parts += [part for _, part in found]
            items = self.grouped.units.n_items(matched.units[0][there])
            n_items += items
            n_unpaired += matched.n_unpaired
            n_left_out += matched.n_items - items
        if not parts:
            return None
        pooled = Strata(
            np.array([part.estimate for part in parts]),
            _diagonal(matrices),
            np.concatenate(numbers),
            _weights(parts, weights),
        )
        return Pooled(
            self._value(pooled, parts),
            pooled,
            tuple(used),
            n_items,
            sum(part.n_samples for part in parts),
            n_unpaired,
            n_left_out,
            Beside(*(_mean(pooled.weights, x) for x in np.array([p.beside for p in parts]).T)),
        )

    def _references(self, contrast: Contrast, members: Sequence[Stratum]) -> dict[int, int | None]:
        """Each cell's reference; None for all if the outcome needs none."""
        cells = {number for each in members for number in each.cells}
        if self.outcome.relative is None:
            return dict.fromkeys(cells)
        return {number: self.references(contrast, number) for number in cells}

    def _part(
        self,
        contrast: Contrast,
        stratum: Stratum,
        references: dict[int, int | None],
        rows: dict[int, Integers],
        codes: NDArray[np.intp],
    ) -> _Part | None:
        """A stratum on the units that all cells share; None if it has no value."""
        weighted = list(zip(contrast.weights.values(), stratum.cells, strict=True))
        if self.outcome.statistic is not None:
            return self._of_statistic(weighted, rows, codes)
        terms = self._terms(weighted, references, rows)
        values = np.stack([x for _, x, _ in terms]) if terms else np.empty((0, len(codes)))
        there = np.asarray(~np.isnan(values).any(axis=0))
        if not terms or not there.any():
            return None
        signs = np.array([w for w, _, _ in terms])
        counts = np.stack([count[there] for _, _, count in terms])
        each = signs @ values[:, there]
        n_clusters = int(codes.max()) + 1
        sums = [counts[side].sum(axis=0) for side in (signs > 0, signs < 0)]
        pairs = np.minimum(*sums) if len(terms) == 2 else np.maximum(*sums)
        own = codes[there]
        return _Part(
            float(each.mean()),
            influences(each, own, n_clusters),
            there,
            *self._sides(signs, values[:, there]),
            int(counts.sum()),
            int(pairs.sum()),
            len(terms) == 2 and int(pairs.sum()) == len(np.unique(own)),
            self._beside(weighted, references, rows, float(each.mean())),
        )

    def _beside(
        self,
        weighted: Sequence[tuple[float, int]],
        references: dict[int, int | None],
        rows: dict[int, Integers],
        estimate: float,
    ) -> Beside:
        """What unread answers can make of a stratum's estimate."""
        if self._unread is None:
            return _UNKNOWN
        if not self._unread.any():
            return Beside(estimate, estimate, estimate)
        found = []
        for plus, minus in _SIDES_OF_BESIDE:
            terms = self._terms(weighted, references, rows, plus, minus)
            each = np.sum([weight * values for weight, values, _ in terms], axis=0)
            known = ~np.isnan(each)
            found.append(float(each[known].mean()) if known.any() else math.nan)
        return Beside(*found)

    def _terms(
        self,
        weighted: Sequence[tuple[float, int]],
        references: dict[int, int | None],
        rows: dict[int, Integers],
        plus: _UnreadAs = "defined",
        minus: _UnreadAs = "defined",
    ) -> list[tuple[float, Floats, Integers]]:
        """The weight, values and answers of what is added up, by unit.

        Of a relative outcome, both shares of each cell that is not its own reference; none if one
        has no reference.

        Args:
            weighted: The cells of a stratum: weights and numbers.
            references: The reference of each cell.
            rows: The units of each cell.
            plus: What unread answers are taken for in terms of a weight above 0.
            minus: In the others.
        """
        if self.means:
            means = [(w, n, self.means[plus if w > 0 else minus]) for w, n in weighted]
            return [(w, each.mean[rows[n]], each.count[rows[n]]) for w, n, each in means]
        found: list[tuple[float, Floats, Integers]] = []
        for weight, number in weighted:
            reference = references[number]
            if reference is None:
                return []
            if reference == number:
                continue
            for side, w in enumerate((weight, -weight)):
                shares = self._shares(number, reference, rows, plus if w > 0 else minus)
                found.append((w, *shares[side]))
        return found

    def _shares(
        self, number: int, reference: int, rows: dict[int, Integers], unread_as: _UnreadAs
    ) -> tuple[tuple[Floats, Integers], ...]:
        """Both shares of a cell and its reference, each with the answers of its units."""
        assert self.outcome.relative is not None
        key = (number, reference, rows[number].tobytes(), unread_as)
        if key not in self._kept:
            sides = [self._answers(n, rows[n], unread_as) for n in (number, reference)]
            shares = self.outcome.relative(*sides)
            self._kept[key] = tuple(
                (share, np.bincount(side.unit, minlength=side.n_units))
                for share, side in zip(shares, sides, strict=True)
            )
        found: tuple[tuple[Floats, Integers], ...] = self._kept[key]
        return found

    def _answers(self, cell: int, units: Integers, unread_as: _UnreadAs = "defined") -> Answers:
        """The answers of a cell to some of its units."""
        key = (cell, units.tobytes(), unread_as)
        if key not in self._kept:
            in_cell, unit = self.grouped.row_slices[cell], self.grouped.unit
            chosen = in_cell.start + np.flatnonzero(np.isin(unit[in_cell], units))
            place = np.searchsorted(units, unit[chosen])
            made = Answers(self._rows.iloc[chosen], place, len(units))
            if unread_as != "defined" and self._unread is not None:
                taken_for = self._taken_for[unread_as]
                made = replace(made, unread=self._unread[chosen], unread_as=taken_for)
            self._kept[key] = made
        found: Answers = self._kept[key]
        return found

    def _of_statistic(
        self,
        weighted: Sequence[tuple[float, int]],
        rows: dict[int, Integers],
        codes: NDArray[np.intp],
    ) -> _Part | None:
        estimate, influence, there = 0.0, np.zeros(int(codes.max()) + 1), np.zeros(len(codes), bool)
        n_samples = 0
        for weight, number in weighted:
            theta, added, known = self._jackknifed(number, rows[number], codes)
            if math.isnan(theta) or np.isnan(added).any():
                return None
            estimate += weight * theta
            influence += weight * added
            there |= known > 0
            n_samples += int(known.sum())
        return _Part(estimate, influence, there, None, 1.0, n_samples, 0, False, _UNKNOWN)

    def _jackknifed(
        self, number: int, units: Integers, codes: NDArray[np.intp]
    ) -> tuple[float, Floats, Integers]:
        """A cell's statistic, what each cluster adds to it, and how many answers units have."""
        key = ("statistic", number, units.tobytes())
        if key not in self._kept:
            assert self.outcome.statistic is not None
            answers = self._answers(number, units)
            known, statistic = self.outcome.statistic(answers)
            places = np.flatnonzero(known)

            def of(kept: Flags) -> float:
                mask = np.zeros(len(known), dtype=bool)
                mask[places[kept]] = True
                return statistic(mask)

            clusters = codes[answers.unit[places]]
            theta, influence = jackknife(of, clusters, int(codes.max()) + 1)
            counts = np.bincount(answers.unit[places], minlength=len(units))
            self._kept[key] = theta, influence, counts
        found: tuple[float, Floats, Integers] = self._kept[key]
        return found

    def _sides(self, signs: Floats, values: Floats) -> tuple[tuple[Floats, Floats] | None, float]:
        """The mean shares of the terms that are added and of the others, and their scale."""
        if self.outcome.bounds is None:
            return None, 1.0
        least, greatest = self.outcome.bounds if self.means else (0.0, 1.0)
        shares = (values - least) / (greatest - least)
        total = float(signs[signs > 0].sum())
        sides = signs.clip(0) @ shares / total, (-signs).clip(0) @ shares / total
        return sides, total * (greatest - least)

    def _value(self, pooled: Strata, parts: Sequence[_Part]) -> Difference | Mean:
        sides = [part.sides for part in parts if part.sides is not None]
        if len(sides) < len(parts):
            return pooled_mean(pooled)
        gained = np.array([float((a * (1 - b)).mean()) for a, b in sides])
        lost = np.array([float(((1 - a) * b).mean()) for a, b in sides])
        return pooled_difference(
            pooled,
            float(pooled.weights @ gained),
            float(pooled.weights @ lost),
            0 if self._graded else sum(part.n_pairs for part in parts),
            scale=parts[0].scale,
            single=len(parts) == 1 and parts[0].single and not self._graded,
        )


def _weights(parts: Sequence[_Part], weights: Weights) -> Floats:
    sizes = np.array([part.there.sum() if weights == "items" else 1.0 for part in parts])
    return np.asarray(sizes / sizes.sum())


def _mean(weights: Floats, values: Floats) -> float:
    """The weighted mean of the values that are not NaN."""
    known = ~np.isnan(values)
    total = float(weights[known].sum())
    return float(weights[known] @ values[known]) / total if total else math.nan


def _diagonal(blocks: Sequence[Floats]) -> Floats:
    """A matrix with these blocks in its diagonal."""
    rows, columns = (sum(each.shape[axis] for each in blocks) for axis in (0, 1))
    found = np.zeros((rows, columns))
    row = column = 0
    for each in blocks:
        found[row : row + each.shape[0], column : column + each.shape[1]] = each
        row, column = row + each.shape[0], column + each.shape[1]
    return found
