"""An outcome's contrast, averaged over strata: its estimate, and what it is over."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from vr_evals.analysis.cells import Cells, Flags, Integers, UnitMeans
from vr_evals.analysis.contrasts import Contrast
from vr_evals.analysis.outcomes import Answers, Floats, Outcome
from vr_evals.analysis.pairing import MatchedUnits, matched_units
from vr_evals.analysis.strata import Stratum, cells_by_keys, companion
from vr_evals.stats.pooled import (
    Mean,
    Strata,
    jackknife,
    pooled_difference,
    pooled_mean,
    row_influences,
    row_means,
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


@dataclass(frozen=True)
class _Terms:
    """What is added up in strata: cells' means, or the two shares of a relative outcome.

    Attributes:
        places: Which of the strata they are.
        weights: What each of the terms is multiplied with.
        cells: The number of the cell of each term, one row a stratum.
        references: That of its reference, if the outcome is relative to one: both shares of a cell
            are two terms, one after the other.
    """

    places: Integers
    weights: Floats
    cells: Integers
    references: Integers | None = None

    def of(self, rows: slice | Flags) -> _Terms:
        """The terms of some of the strata."""
        references = None if self.references is None else self.references[rows]
        return replace(
            self, places=self.places[rows], cells=self.cells[rows], references=references
        )


@dataclass(frozen=True)
class _Parts:
    """Strata of one block: what its units, or its clusters, add; one row a stratum.

    Attributes:
        places: Which of the strata they are.
        estimate: Of each stratum.
        influence: What each cluster of the block adds.
        there: Which units of the block count.
        sides: The mean shares of pairs with the event on the first side alone, and on the second
            alone; None if the outcome is not bounded.
        scale: What a difference of shares is multiplied with.
        n_samples: Answers of all strata.
        n_pairs: Pairs of answers.
        single: Whether it is one stratum, in which each cluster has one pair of answers.
        beside: What unread answers can make of `estimate`: the fields of `Beside`.
    """

    places: Integers
    estimate: Floats
    influence: Floats
    there: Flags
    sides: Floats | None
    scale: float
    n_samples: int
    n_pairs: int
    single: bool
    beside: Floats

    @classmethod
    def joined(cls, parts: Sequence[_Parts]) -> _Parts:
        """Some parts as one, in the order of their strata."""
        if len(parts) == 1:
            return parts[0]
        order = np.argsort(np.concatenate([part.places for part in parts]))

        def rows(name: str) -> Any:
            return np.concatenate([getattr(part, name) for part in parts])[order]

        return cls(
            rows("places"),
            rows("estimate"),
            rows("influence"),
            rows("there"),
            None if any(part.sides is None for part in parts) else rows("sides"),
            parts[0].scale,
            sum(part.n_samples for part in parts),
            sum(part.n_pairs for part in parts),
            False,
            rows("beside"),
        )


_HELD = 2**22
"""Numbers that are held at once, of strata that are estimated together."""

_Rows = Mapping[int, slice | Integers]
"""The units of each cell that all cells share."""


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
        self._one_answer = all(each.count.max(initial=0) <= 1 for each in self.means.values())
        self._by_keys = cells_by_keys(grouped.cells)
        self._starts = np.array([here.start for here in grouped.unit_slices], dtype=np.intp)
        self._rows = grouped.rows[list(outcome.columns)]
        self._kept: dict[tuple[object, ...], Any] = {}

    @property
    def empty(self) -> bool:
        """Whether no answer has a value."""
        return bool(self.means) and not self.means["defined"].count.any()

    def references(self, contrast: Contrast, number: int) -> int | None:
        """The reference of a cell for a relative outcome; its own number if it is the reference."""
        cells = self.grouped.cells
        if self.outcome.reference is not None:
            factor, value = "condition", self.outcome.reference
        else:
            assert contrast.baseline is not None
            factor, value = contrast.baseline
        if cells[number].value(factor) == value:
            return number
        key = ("reference", number, factor, value)
        if key not in self._kept:
            self._kept[key] = companion(cells, self._by_keys, number, factor, value)
        found: int | None = self._kept[key]
        return found

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
        parts: list[_Parts] = []
        matrices, numbers, n_items, n_unpaired, n_left_out = [], [], 0, 0, 0
        for block, members in enumerate(blocks.values()):
            references = self._references(contrast, members)
            cells = sorted({*references} | {n for n in references.values() if n is not None})
            matched, rows = self._shared(cells)
            if not matched.n_items:
                continue
            codes = self._clusters(matched.units[0])
            part = self._parts(contrast, members, references, rows, codes)
            if part is None:
                continue
            there = part.there.any(axis=0)
            whole = bool(there.all())
            influence = part.influence if whole else part.influence[:, np.unique(codes[there])]
            matrices.append(np.ascontiguousarray(influence.T))
            numbers.append(np.full(influence.shape[1], block))
            used += [members[place] for place in part.places]
            parts.append(part)
            items = matched.n_items
            if not whole:
                items = self.grouped.units.n_items(matched.units[0][there])
            n_items += items
            n_unpaired += matched.n_unpaired
            n_left_out += matched.n_items - items
        if not parts:
            return None
        pooled = Strata(
            np.concatenate([part.estimate for part in parts]),
            _diagonal(matrices),
            np.concatenate(numbers),
            _weights(parts, weights),
        )
        beside = np.concatenate([part.beside for part in parts])
        return Pooled(
            self._value(pooled, parts),
            pooled,
            tuple(used),
            n_items,
            sum(part.n_samples for part in parts),
            n_unpaired,
            n_left_out,
            Beside(*(_mean(pooled.weights, x) for x in beside.T)),
        )

    def _shared(self, cells: Sequence[int]) -> tuple[MatchedUnits, _Rows]:
        """The units that all of the cells have, and which they are in each."""
        if len({self.grouped.unit_sets[number] for number in cells}) == 1:
            slices = {number: self.grouped.unit_slices[number] for number in cells}
            return matched_units(self.grouped, cells[:1]), slices
        matched = matched_units(self.grouped, cells)
        return matched, dict(zip(cells, matched.units, strict=True))

    def _clusters(self, units: Integers) -> Integers:
        """A number for the cluster of each unit of a block, from 0."""
        own = self.grouped.cluster_codes[units]
        key = ("clusters", own.tobytes())
        if key not in self._kept:
            self._kept[key] = np.unique(own, return_inverse=True)[1]
        found: Integers = self._kept[key]
        return found

    def _references(self, contrast: Contrast, members: Sequence[Stratum]) -> dict[int, int | None]:
        """Each cell's reference; None for all if the outcome needs none."""
        cells = {number for each in members for number in each.cells}
        if self.outcome.relative is None:
            return dict.fromkeys(cells)
        return {number: self.references(contrast, number) for number in cells}

    def _parts(
        self,
        contrast: Contrast,
        members: Sequence[Stratum],
        references: Mapping[int, int | None],
        rows: _Rows,
        codes: Integers,
    ) -> _Parts | None:
        """Strata on the units that all cells share; None if none has a value."""
        found = []
        for terms in self._terms(contrast, members, references):
            size = max(1, _HELD // (len(terms.weights) * len(codes)))
            for start in range(0, len(terms.places), size):
                some = terms.of(slice(start, start + size))
                if self.outcome.statistic is not None:
                    found.append(self._of_statistics(some, rows, codes))
                else:
                    found.append(self._of_means(some, rows, codes))
        parts = [part for part in found if part is not None]
        return _Parts.joined(parts) if parts else None

    def _terms(
        self,
        contrast: Contrast,
        members: Sequence[Stratum],
        references: Mapping[int, int | None],
    ) -> Iterator[_Terms]:
        """What is added up in strata, those with the same weights together.

        Of a relative outcome, both shares of each cell that is not its own reference; none if one
        has no reference.
        """
        weights = tuple(contrast.weights.values())
        if self.outcome.relative is None:
            cells = np.array([each.cells for each in members])
            yield _Terms(np.arange(len(members)), np.array(weights), cells)
            return
        alike: dict[tuple[float, ...], list[tuple[int, list[int]]]] = {}
        for place, each in enumerate(members):
            if all(references[number] is not None for number in each.cells):
                pairs = zip(weights, each.cells, strict=True)
                used = [(w, number) for w, number in pairs if references[number] != number]
                signs = tuple(sign * w for w, _ in used for sign in (1, -1))
                alike.setdefault(signs, []).append((place, [n for _, n in used for _ in (0, 1)]))
        for signs, listed in alike.items():
            if signs:
                places, numbers = zip(*listed, strict=True)
                others = [[references[number] for number in each] for each in numbers]
                yield _Terms(np.array(places), np.array(signs), np.array(numbers), np.array(others))

    def _of_means(self, terms: _Terms, rows: _Rows, codes: Integers) -> _Parts | None:
        """Strata whose terms have the same weights; None if none has a value."""
        values = self._values(terms, rows)
        there: Flags = np.asarray(~np.isnan(values).any(axis=1))
        has_value: Flags = np.asarray(there.any(axis=1))
        if not has_value.all():
            if not has_value.any():
                return None
            terms, values, there = terms.of(has_value), values[has_value], there[has_value]
        each, sides, scale = self._sums(terms.weights, values, there)
        estimate = row_means(each, there)
        n_samples, n_pairs = self._counts(terms, there, rows)
        n_clusters = int(codes.max()) + 1
        single = len(terms.weights) == 2 and len(each) == 1
        return _Parts(
            terms.places,
            estimate,
            row_influences(each, estimate, there, codes, n_clusters),
            there,
            sides,
            scale,
            n_samples,
            n_pairs,
            single and n_pairs == len(np.unique(codes[there[0]])),
            self._beside(terms, rows, estimate),
        )

    def _values(
        self,
        terms: _Terms,
        rows: _Rows,
        plus: _UnreadAs = "defined",
        minus: _UnreadAs = "defined",
    ) -> Floats:
        """The values of strata × terms × units.

        Args:
            terms: The terms.
            rows: The units of each cell.
            plus: What unread answers are taken for in terms of a weight above 0.
            minus: In the others.
        """
        if plus == minus:
            return self._of_terms(terms, rows, plus, "mean")
        sides = [self._of_terms(terms, rows, each, "mean") for each in (plus, minus)]
        return np.where(terms.weights[:, None] > 0, *sides)

    def _of_terms(
        self, terms: _Terms, rows: _Rows, unread_as: _UnreadAs, what: Literal["mean", "count"]
    ) -> Floats:
        """The values, or their numbers of answers, of strata × terms × units."""
        if terms.references is None:
            return self._of_units(getattr(self.means[unread_as], what), terms, rows)
        pairs = np.stack([terms.cells, terms.references], axis=-1).reshape(-1, 2).tolist()
        found: list[Any] = [
            self._shares(cell, reference, rows, unread_as)[place % 2][what == "count"]
            for place, (cell, reference) in enumerate(pairs)  # a stratum has an even number
        ]
        return np.stack(found).reshape(*terms.cells.shape, -1)

    def _of_units(self, values: Floats, terms: _Terms, rows: _Rows) -> Floats:
        """What the units of each term's cell have, as strata × terms × units."""
        units = rows[int(terms.cells[0, 0])]
        if isinstance(units, slice):  # then all are, and equally long
            windows = sliding_window_view(values, units.stop - units.start)
            return np.asarray(windows[self._starts[terms.cells]])
        found = np.stack([values[rows[number]] for number in terms.cells.ravel().tolist()])
        return found.reshape(*terms.cells.shape, -1)

    def _counts(self, terms: _Terms, there: Flags, rows: _Rows) -> tuple[int, int]:
        """How many answers, and pairs of answers, there are in all strata."""
        signs = terms.weights
        of_two = len(signs) == 2
        if self.means and self._one_answer:
            sums = [int(side.sum()) for side in (signs > 0, signs < 0)]
            units = int(there.sum())
            return len(signs) * units, (min(sums) if of_two else max(sums)) * units
        counts = self._of_terms(terms, rows, "defined", "count")
        by_side = [counts[:, side].sum(axis=1) for side in (signs > 0, signs < 0)]
        pairs = np.minimum(*by_side) if of_two else np.maximum(*by_side)
        return int(counts.sum(axis=1)[there].sum()), int(pairs[there].sum())

    def _beside(self, terms: _Terms, rows: _Rows, estimate: Floats) -> Floats:
        """What unread answers can make of the estimates."""
        if self._unread is None:
            return np.full((len(estimate), len(_UNKNOWN)), math.nan)
        if not self._unread.any():
            return np.repeat(estimate[:, None], len(_UNKNOWN), axis=1)
        found = []
        for plus, minus in _SIDES_OF_BESIDE:
            values = self._values(terms, rows, plus, minus)
            each = (terms.weights[:, None] * values).sum(axis=1)
            found.append(row_means(each, ~np.isnan(each)))
        return np.stack(found, axis=1)

    def _shares(
        self, number: int, reference: int, rows: _Rows, unread_as: _UnreadAs
    ) -> tuple[tuple[Floats, Integers], ...]:
        """Both shares of a cell and its reference, each with the answers of its units."""
        assert self.outcome.relative is not None
        key = (number, reference, _key(rows[number]), unread_as)
        if key not in self._kept:
            sides = [self._answers(n, rows[n], unread_as) for n in (number, reference)]
            shares = self.outcome.relative(*sides)
            self._kept[key] = tuple(
                (share, np.bincount(side.unit, minlength=side.n_units))
                for share, side in zip(shares, sides, strict=True)
            )
        found: tuple[tuple[Floats, Integers], ...] = self._kept[key]
        return found

    def _answers(
        self, cell: int, units: slice | Integers, unread_as: _UnreadAs = "defined"
    ) -> Answers:
        """The answers of a cell to some of its units."""
        key = (cell, _key(units), unread_as)
        if key not in self._kept:
            in_cell = self.grouped.row_slices[cell]
            unit = self.grouped.unit[in_cell]
            if isinstance(units, slice):
                chosen: slice | Integers = in_cell
                made = Answers(
                    self._rows.iloc[in_cell], unit - units.start, units.stop - units.start
                )
            else:
                here = np.flatnonzero(np.isin(unit, units))
                chosen = in_cell.start + here
                place = np.searchsorted(units, unit[here])
                made = Answers(self._rows.iloc[chosen], place, len(units))
            if unread_as != "defined" and self._unread is not None:
                taken_for = self._taken_for[unread_as]
                made = replace(made, unread=self._unread[chosen], unread_as=taken_for)
            self._kept[key] = made
        found: Answers = self._kept[key]
        return found

    def _of_statistics(self, terms: _Terms, rows: _Rows, codes: Integers) -> _Parts | None:
        """Strata of a statistic; None if it is undefined in all of them."""
        numbers, place = np.unique(terms.cells, return_inverse=True)
        cells = [self._jackknifed(number, rows[number], codes) for number in numbers.tolist()]
        place = place.reshape(terms.cells.shape)
        is_defined = np.array([each.is_defined for each in cells])[place].all(axis=1)
        if not is_defined.any():
            return None
        place, signs = place[is_defined], terms.weights
        estimates = np.array([each.estimate for each in cells])[place]
        influence = np.array([each.influence for each in cells])[place]
        counts = np.array([each.counts for each in cells])[place]
        return _Parts(
            terms.places[is_defined],
            np.cumsum(signs * estimates, axis=1)[:, -1],
            (signs[:, None] * influence).sum(axis=1),
            np.asarray((counts > 0).any(axis=1)),
            None,
            1.0,
            int(counts.sum()),
            0,
            False,
            np.full((len(place), len(_UNKNOWN)), math.nan),
        )

    def _jackknifed(self, number: int, units: slice | Integers, codes: Integers) -> _Jackknifed:
        """A cell's statistic on some of its units."""
        key = ("statistic", number, _key(units))
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
            of_kept = statistic if known.all() else of
            theta, influence = jackknife(of_kept, clusters, int(codes.max()) + 1)
            counts = np.bincount(answers.unit[places], minlength=answers.n_units)
            is_defined = not (math.isnan(theta) or np.isnan(influence).any())
            self._kept[key] = _Jackknifed(theta, influence, counts, is_defined)
        found: _Jackknifed = self._kept[key]
        return found

    def _sums(
        self, signs: Floats, values: Floats, there: Flags
    ) -> tuple[Floats, Floats | None, float]:
        """What strata add up to.

        Returns:
            The sum of the terms, by stratum and unit; the mean shares of pairs with the event on
            one side alone, the sides being the mean shares of the terms that are added and of the
            others; and what a difference of shares is multiplied with.
        """
        if self.outcome.bounds is None:
            return _weighted([signs], values, there)[0], None, 1.0
        least, greatest = self.outcome.bounds if self.means else (0.0, 1.0)
        of_sides = [signs.clip(0), (-signs).clip(0)]
        if (least, greatest) == (0, 1):
            each, *both = _weighted([signs, *of_sides], values, there)
        else:
            [each] = _weighted([signs], values, there)
            both = _weighted(of_sides, (values - least) / (greatest - least), there)
        total = float(signs[signs > 0].sum())
        a, b = (side / total for side in both)
        sides = [row_means(share, there) for share in (a * (1 - b), (1 - a) * b)]
        return each, np.stack(sides, axis=1), total * (greatest - least)

    def _value(self, pooled: Strata, parts: Sequence[_Parts]) -> Difference | Mean:
        sides = [part.sides for part in parts if part.sides is not None]
        if len(sides) < len(parts):
            return pooled_mean(pooled)
        # in one piece each: sums of strided vectors are rounded differently
        gained, lost = np.ascontiguousarray(np.concatenate(sides).T)
        return pooled_difference(
            pooled,
            float(pooled.weights @ gained),
            float(pooled.weights @ lost),
            0 if self._graded else sum(part.n_pairs for part in parts),
            scale=parts[0].scale,
            single=len(pooled.estimates) == 1 and parts[0].single and not self._graded,
        )


class _Jackknifed(NamedTuple):
    """A cell's statistic.

    Attributes:
        estimate: On all answers.
        influence: What each cluster adds to it.
        counts: How many answers each unit has.
        is_defined: Whether none of it is NaN.
    """

    estimate: float
    influence: Floats
    counts: Integers
    is_defined: bool


def _key(units: slice | Integers) -> object:
    """Tells apart the units of a cell; None for all."""
    return None if isinstance(units, slice) else units.tobytes()


def _weighted(weights: Sequence[Floats], values: Floats, there: Flags) -> list[Floats]:
    """For each set of weights: the weighted sum of terms, by stratum and unit.

    Args:
        weights: A weight for each term.
        values: Of strata × terms × units.
        there: Which units of each stratum count.
    """
    if values.shape[1] == 2 and np.isin(np.abs(weights), (0, 1)).all():  # no rounding
        return [_sum_of_two(each.tolist(), values) for each in weights]
    found = np.full((len(weights), *there.shape), math.nan)
    for place, (terms, own) in enumerate(zip(values, there, strict=True)):
        here: Flags | slice = slice(None) if own.all() else own
        # unit by unit in memory, as a mask leaves them: else sums are rounded differently
        counted = np.asfortranarray(terms) if own.all() else terms[:, own]
        for sums, each in zip(found, weights, strict=True):
            sums[place, here] = each @ counted
    return list(found)


def _sum_of_two(weights: Sequence[float], values: Floats) -> Floats:
    """The sum of two terms, of which the weights are 0, 1 or −1, by stratum and unit."""
    first, second = values[:, 0], values[:, 1]
    if sorted(weights) == [-1, 1]:
        return first - second if weights[0] > 0 else second - first
    if sorted(weights) == [0, 1]:
        return first if weights[0] else second
    return weights[0] * first + weights[1] * second


def _weights(parts: Sequence[_Parts], weights: Weights) -> Floats:
    sizes = np.concatenate([part.there.sum(axis=1) for part in parts])
    return np.asarray(
        sizes / sizes.sum() if weights == "items" else np.ones(len(sizes)) / len(sizes)
    )


def _mean(weights: Floats, values: Floats) -> float:
    """The weighted mean of the values that are not NaN."""
    known = ~np.isnan(values)
    total = float(weights[known].sum())
    return float(weights[known] @ values[known]) / total if total else math.nan


def _diagonal(blocks: Sequence[Floats]) -> Floats:
    """A matrix with these blocks in its diagonal."""
    if len(blocks) == 1:
        return blocks[0]
    rows, columns = (sum(each.shape[axis] for each in blocks) for axis in (0, 1))
    found = np.zeros((rows, columns))
    row = column = 0
    for each in blocks:
        found[row : row + each.shape[0], column : column + each.shape[1]] = each
        row, column = row + each.shape[0], column + each.shape[1]
    return found
