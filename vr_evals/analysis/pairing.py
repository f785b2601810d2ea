"""Which cells are compared, on which items, and how far apart they are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vr_evals.analysis.cell import KEYS, Cell, Refusal, settings_that_differ, variant_name
from vr_evals.analysis.cells import Cells, Flags, Integers, UnitMeans, tidy_frame
from vr_evals.solvers.user_config import REASONING_FLAGS
from vr_evals.stats.clusters import cluster_codes, cluster_sums
from vr_evals.stats.paired import holm
from vr_evals.stats.score import difference, intervals

__all__ = [
    "COUNTS",
    "DIFFERENCE",
    "UNREAD",
    "Accuracies",
    "Comparison",
    "MatchedUnits",
    "accuracies",
    "adjust_p",
    "cluster_means",
    "comparisons",
    "contrast",
    "contrast_of_rates",
    "finished",
    "joint_variant",
    "left_out",
    "matched_units",
    "same_temperature",
    "settings_in_the_way",
]

COUNTS = ("n_items", "n_samples", "n_unpaired")
"""Counts beside a paired figure: items and samples it is over, and items on one side only."""

UNREAD = ("estimate_read", "bound_low", "bound_high")
"""What unread answers can make of a figure: the estimate without them, and worst-case bounds."""

DIFFERENCE = (
    *("metric", "estimate", "low", "high", *COUNTS, "p", "p_adjusted", "test"),
    *("low_simultaneous", "high_simultaneous", *UNREAD),
)
"""The columns of a paired difference of accuracy that is tested in a family."""

_THINKING_SETTINGS = {"temperature", "max_tokens", "thinking_budget", "reasoning", *REASONING_FLAGS}
"""Settings that thinking off and on do not share by design, or that the user's flags replace."""


@dataclass(frozen=True)
class Comparison:
    """Two cells, by number, and what tells their comparison from others of the same keys."""

    side: int
    reference: int
    variant: str


@dataclass(frozen=True)
class Accuracies:
    """The share of right answers of each unit, by what an unread answer is taken for.

    Attributes:
        counted: For one that is not right, as accuracy is defined.
        read: For none at all; NaN if nothing was read.
        at_most: For one that is right.
    """

    counted: UnitMeans
    read: UnitMeans
    at_most: UnitMeans


@dataclass(frozen=True)
class MatchedUnits:
    """The units that several cells share.

    Attributes:
        units: Their numbers, one row a cell and one column a unit.
        n_items: How many items they are of.
        n_unpaired: How many items some of the cells have, but never all in the same order.
        n_left_out: Of each cell, how many of its items are none of the shared ones.
    """

    units: Integers
    n_items: int
    n_unpaired: int
    n_left_out: tuple[int, ...]


def comparisons(
    cells: Sequence[Cell],
    vary: str,
    is_reference: Callable[[Any, Any], bool],
    *,
    symmetric: bool = False,
) -> tuple[list[Comparison], list[Refusal]]:
    """Pair cells that differ in one key and, but for what differs by design, in no setting.

    Args:
        cells: The cells.
        vary: The key in which the two sides differ.
        is_reference: Whether a side with the first value is compared with one of the second.
        symmetric: Whether a reference that nothing could be compared with is worth a note, too.

    Returns:
        The comparisons, and a refusal for each cell that could not be compared.
    """
    found: list[Comparison] = []
    refused: list[Refusal] = []
    for by_value in _by_other_keys(cells, vary):
        for value, sides in by_value.items():
            for other, references in by_value.items():
                if not is_reference(value, other):
                    continue
                pairs = [
                    (side, reference)
                    for side in sides
                    for reference in references
                    if not settings_in_the_way([cells[side], cells[reference]])
                ]
                found += [Comparison(*p, joint_variant([cells[i] for i in p[::-1]])) for p in pairs]
                refused += _refusals(cells, sides, references, {side for side, _ in pairs})
                if symmetric:
                    used = {reference for _, reference in pairs}
                    refused += _refusals(cells, references, sides, used)
    return sorted(found, key=lambda pair: (pair.side, pair.reference)), refused


def same_temperature(one: Cell, other: Cell) -> bool:
    """Whether two cells were asked at one temperature; unset counts as 1, the usual default."""
    first, second = (cell.setting("temperature").replace("unset", "1") for cell in (one, other))
    return first == second


def settings_in_the_way(cells: Sequence[Cell], compared: Collection[str] = ()) -> tuple[str, ...]:
    """Names of the settings that forbid comparing these cells.

    By design, `_THINKING_SETTINGS` differ between thinking off and on, and `second_pass` is a
    matter of level 5 alone; an imported study may have prompts of its own at some levels.

    Args:
        cells: The cells.
        compared: What is compared, which may differ, too.
    """
    settings = [cell.settings for cell in cells]
    if all(each == settings[0] for each in settings):  # of most cells: quicker than by name
        return ()
    by_design = set(compared)
    if len({cell.thinking for cell in cells}) > 1:
        by_design |= _THINKING_SETTINGS
    if len({cell.level for cell in cells}) > 1:
        by_design |= {"second_pass", "prompts"}
    differing = settings_that_differ(settings)
    return tuple(name for name in differing if name not in by_design)


def joint_variant(cells: Sequence[Cell]) -> str:
    """What tells these cells together from others of the same keys; `a→b` where they differ."""
    values: dict[str, dict[str, None]] = {}
    for cell in cells:
        for name in cell.mixed:
            values.setdefault(name, {})[cell.setting(name)] = None
    return variant_name({name: "→".join(each) for name, each in values.items()})


def matched_units(
    grouped: Cells, cells: Sequence[int], present: Flags | None = None
) -> MatchedUnits:
    """The units that all of the cells have.

    Args:
        grouped: The table in cells.
        cells: Numbers of the cells.
        present: Whether each unit has what is compared; left out, all have.
    """
    slices = [grouped.unit_slices[cell] for cell in cells]
    none = (0,) * len(cells)
    if present is None and len({grouped.unit_sets[cell] for cell in cells}) == 1:
        starts = np.array([here.start for here in slices], dtype=np.intp)
        units = starts[:, None] + np.arange(slices[0].stop - slices[0].start)
        return MatchedUnits(units, grouped.items_of_cells[cells[0]], 0, none)
    if present is None:
        each = [np.arange(here.start, here.stop) for here in slices]
    else:
        each = [here.start + np.flatnonzero(present[here]) for here in slices]
    pairs = [grouped.units.pair[units] for units in each]
    if all(np.array_equal(pairs[0], pair) for pair in pairs[1:]):
        return MatchedUnits(np.stack(each), grouped.units.n_items(each[0]), 0, none)
    common = reduce(partial(np.intersect1d, assume_unique=True), pairs)
    units = np.stack(
        [units[np.searchsorted(pair, common)] for units, pair in zip(each, pairs, strict=True)]
    )
    n_items = grouped.units.n_items(units[0])
    return MatchedUnits(
        units,
        n_items,
        grouped.units.n_items(np.concatenate(each)) - n_items,
        tuple(grouped.units.n_items(units) - n_items for units in each),
    )


def left_out(side: Cell, reference: Cell, matched: MatchedUnits) -> Iterator[str]:
    """A sentence on the items of two cells that are not compared, if there are any.

    Args:
        side: The one cell.
        reference: The other.
        matched: What they share.
    """
    if matched.n_unpaired:
        mine, others = matched.n_left_out
        yield (
            f"{side}: compared with {_other_value(side, reference)} on the {matched.n_items} items "
            f"of both; left out: {mine} that only the former has, {others} that only the latter "
            "has."
        )


def _other_value(side: Cell, reference: Cell) -> str:
    """In which key a reference differs from a side, in words."""
    if reference.model != side.model:
        return reference.model
    if reference.level != side.level:
        return f"level {reference.level}"
    if reference.thinking != side.thinking:
        return f"thinking {'on' if reference.thinking else 'off'}"
    return str(reference.condition)


def accuracies(grouped: Cells) -> Accuracies:
    """The share of right answers of each unit with a target.

    Args:
        grouped: The table in cells, with the columns `label` and `correct`.
    """
    correct = grouped.rows["correct"]
    right, has_target = correct.fillna(False).to_numpy(dtype=bool), correct.notna().to_numpy()
    read = grouped.rows["label"].notna().to_numpy()
    return Accuracies(
        grouped.mean(right, has_target),
        grouped.mean(right, has_target & read),
        grouped.mean(right | ~read, has_target),
    )


def contrast(
    grouped: Cells, accuracy: Accuracies, matched: MatchedUnits, weights: Sequence[int]
) -> dict[str, Any]:
    """A weighted sum of cells' accuracies over the units they share.

    Args:
        grouped: The table in cells.
        accuracy: Of each unit.
        matched: The units compared.
        weights: The weight of each cell, 1 or −1, as many of one as of the other.

    Returns:
        `value`, for `finished`, `COUNTS` and `UNREAD`, as in a frame's row.
    """
    sides, references = _sides(weights)
    found = contrast_of_rates(grouped, accuracy.counted, matched, weights)
    return found | _unread(accuracy, matched, sides, references)


def contrast_of_rates(
    grouped: Cells, rate: UnitMeans, matched: MatchedUnits, weights: Sequence[int]
) -> dict[str, Any]:
    """A weighted sum of cells' rates over the units they share.

    Args:
        grouped: The table in cells.
        rate: Of each unit, 0–1.
        matched: The units compared.
        weights: The weight of each cell, 1 or −1, as many of one as of the other.

    Returns:
        `value`, for `finished`, and `COUNTS`, as in a frame's row.
    """
    sides, references = _sides(weights)
    x, y = (rate.mean[matched.units[each]] for each in (sides, references))
    counts = rate.count[matched.units]
    n = len(sides)
    value = difference(
        (x * (1 - y)).sum(axis=0) / n,
        ((1 - x) * y).sum(axis=0) / n,
        np.ones(x.shape[1]),
        grouped.cluster_codes[matched.units[0]],
        int(np.minimum(counts[sides], counts[references]).sum()),
        scale=n,
    )
    return {
        "value": value,
        "n_items": matched.n_items,
        "n_samples": int(counts.sum()),
        "n_unpaired": matched.n_unpaired,
    }


def _sides(weights: Sequence[int]) -> tuple[list[int], list[int]]:
    """Which cells have the weight 1, and which −1."""
    sides = [i for i, weight in enumerate(weights) if weight > 0]
    return sides, [i for i, weight in enumerate(weights) if weight < 0]


def _unread(
    accuracy: Accuracies, matched: MatchedUnits, sides: Sequence[int], references: Sequence[int]
) -> dict[str, float]:
    """The difference among what was read, and its worst-case bounds."""
    if not matched.n_items:
        return dict.fromkeys(UNREAD, math.nan)

    def less(first: UnitMeans, second: UnitMeans) -> float:
        x, y = first.mean[matched.units[sides]], second.mean[matched.units[references]]
        each = (x - y).sum(axis=0)
        known = ~np.isnan(each)
        return float(each[known].mean()) if known.any() else math.nan

    return {
        "estimate_read": less(accuracy.read, accuracy.read),
        "bound_low": less(accuracy.counted, accuracy.at_most),
        "bound_high": less(accuracy.at_most, accuracy.counted),
    }


def finished(
    records: Iterable[dict[str, Any]],
    columns: Sequence[str],
    notes: Iterable[str | Refusal] = (),
    *,
    family: Sequence[str] = ("model",),
) -> pd.DataFrame:
    """The frame of records with a `value`: its estimate, intervals and test.

    `low_simultaneous` and `high_simultaneous` are for all rows of the metric together, by
    Bonferroni: the interval at 1 − 0.05/m for m rows with an estimate. `p_adjusted` is Holm's.

    Source: Dunn (1961), JASA 56, 52–64.

    Args:
        records: The rows; `value` is an estimate with interval, `p` and `test`. With `tested` false
            it has no `p`.
        columns: The frame's columns.
        notes: Sentences for `attrs["notes"]`.
        family: Columns that with the metric tell the families of tests apart.
    """
    listed = list(records)
    size = Counter(
        record["metric"]
        for record in listed
        if "value" in record and not math.isnan(record["value"].estimate)
    )
    rows = [dict(record) for record in listed]
    valued = [row for row in rows if row.get("value") is not None]
    values = [row.pop("value") for row in valued]
    levels = [1 - 0.05 / max(1, size[row["metric"]]) for row in valued]
    for row, value, single, simultaneous in zip(
        valued,
        values,
        intervals(values, [0.95] * len(values)),
        intervals(values, levels),
        strict=True,
    ):
        p = value.p if row.pop("tested", True) else None
        row |= {"estimate": value.estimate, "p": p, "test": None if p is None else value.test}
        row["low"], row["high"] = single
        row["low_simultaneous"], row["high_simultaneous"] = simultaneous
    return adjust_p(tidy_frame(rows, columns, notes), family)


def cluster_means(values: NDArray[np.float64], clusters: Sequence[str]) -> NDArray[np.float64]:
    """The mean of each cluster, in the order of `cluster_codes`; rounded, so that 0 is 0.

    Args:
        values: One row for each unit, of any trailing shape.
        clusters: The cluster of each.
    """
    codes, n_clusters = cluster_codes(clusters)
    sizes = np.bincount(codes, minlength=n_clusters)
    means: NDArray[np.float64] = np.round((cluster_sums(values, codes, n_clusters).T / sizes).T, 12)
    return means


def adjust_p(frame: pd.DataFrame, family: Sequence[str] = ()) -> pd.DataFrame:
    """Fill `p_adjusted` by Holm: the rows of one metric are a family.

    Args:
        frame: The frame.
        family: Further columns that tell families apart.
    """
    groups = frame.groupby(["metric", *family], dropna=False)
    adjusted = groups["p"].transform(lambda p: holm(p.to_numpy()))
    return frame.assign(p_adjusted=adjusted.astype("float64"))


def _by_other_keys(cells: Sequence[Cell], vary: str) -> Iterable[dict[Any, list[int]]]:
    """Cells that agree in the other keys, by their value of `vary`."""
    groups: dict[tuple[Any, ...], dict[Any, list[int]]] = {}
    for number, cell in enumerate(cells):
        rest = tuple(getattr(cell, name) for name in KEYS if name != vary)
        groups.setdefault(rest, {}).setdefault(getattr(cell, vary), []).append(number)
    return groups.values()


def _refusals(
    cells: Sequence[Cell], sides: list[int], references: list[int], used: set[int]
) -> Iterable[Refusal]:
    """Why each side that is not used could not be compared: the fewest settings in the way."""
    for side in sides:
        if side not in used:
            in_the_way = [(settings_in_the_way([cells[side], cells[r]]), r) for r in references]
            names, reference = min(in_the_way, key=lambda each: len(each[0]))
            other = cells[reference]
            yield Refusal.of(cells[side], other, _other_value(cells[side], other), names)
