"""Which cells are compared, on which items, and how far apart they are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vr_evals.analysis.cell import KEYS, Cell, settings_that_differ, variant_name
from vr_evals.analysis.cells import Cells, Flags, Integers, UnitMeans
from vr_evals.solvers.user_config import REASONING_FLAGS
from vr_evals.stats.clusters import cluster_codes, cluster_sums
from vr_evals.stats.intervals import bounded_mean
from vr_evals.stats.paired import holm, mcnemar, sign_flip

__all__ = [
    "COUNTS",
    "Comparison",
    "MatchedUnits",
    "adjust_p",
    "cluster_means",
    "comparisons",
    "contrast",
    "joint_variant",
    "left_out",
    "matched_units",
    "settings_in_the_way",
    "sign_flip_of_clusters",
]

COUNTS = ("n_items", "n_samples", "n_unpaired")
"""Counts beside a paired figure: items and samples it is over, and items on one side only."""


_THINKING_SETTINGS = {"temperature", "max_tokens", "thinking_budget", "reasoning", *REASONING_FLAGS}
"""Settings that thinking off and on do not share by design, or that the user's flags replace."""


@dataclass(frozen=True)
class Comparison:
    """Two cells, by number, and what tells their comparison from others of the same keys."""

    side: int
    reference: int
    variant: str


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
) -> tuple[list[Comparison], list[str]]:
    """Pair cells that differ in one key and, but for what differs by design, in no setting.

    Args:
        cells: The cells.
        vary: The key in which the two sides differ.
        is_reference: Whether a side with the first value is compared with one of the second.
        symmetric: Whether a reference that nothing could be compared with is worth a note, too.

    Returns:
        The comparisons, and a sentence for each cell that could not be compared.
    """
    found: list[Comparison] = []
    notes: list[str] = []
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
                notes += _refusals(cells, sides, references, {side for side, _ in pairs})
                if symmetric:
                    used = {reference for _, reference in pairs}
                    notes += _refusals(cells, references, sides, used)
    return sorted(found, key=lambda pair: (pair.side, pair.reference)), notes


def settings_in_the_way(cells: Sequence[Cell]) -> tuple[str, ...]:
    """Names of the settings that forbid comparing these cells.

    By design, `_THINKING_SETTINGS` differ between thinking off and on, and `second_pass` is a
    matter of level 5 alone.
    """
    by_design: set[str] = set()
    if len({cell.thinking for cell in cells}) > 1:
        by_design |= _THINKING_SETTINGS
    if len({cell.level for cell in cells}) > 1:
        by_design.add("second_pass")
    differing = settings_that_differ([cell.settings for cell in cells])
    return tuple(name for name in differing if name not in by_design)


def joint_variant(cells: Sequence[Cell]) -> str:
    """What tells these cells together from others of the same keys; `a→b` where they differ."""
    values: dict[str, dict[str, None]] = {}
    for cell in cells:
        for name in cell.mixed:
            values.setdefault(name, {})[cell.setting(name)] = None
    return variant_name({name: "→".join(each) for name, each in values.items()})


def matched_units(grouped: Cells, cells: Sequence[int], present: Flags) -> MatchedUnits:
    """The units that all of the cells have.

    Args:
        grouped: The table in cells.
        cells: Numbers of the cells.
        present: Whether each unit has what is compared.
    """
    slices = [grouped.unit_slices[cell] for cell in cells]
    each = [here.start + np.flatnonzero(present[here]) for here in slices]
    pairs = [grouped.units.pair[units] for units in each]
    common = reduce(np.intersect1d, pairs)
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


def contrast(
    grouped: Cells, figure: UnitMeans, matched: MatchedUnits, weights: Sequence[int]
) -> dict[str, Any]:
    """A weighted sum of cells' rates over the units they share, with its interval and test.

    The interval is `bounded_mean` of the units' sums, by cluster. The test is McNemar's exact one
    for two cells where every cluster has one answer a side, else the sign-flip permutation test on
    the means of clusters.

    Args:
        grouped: The table in cells.
        figure: A rate, by unit.
        matched: The units compared.
        weights: The weight of each cell, such as 1 and −1 for a change; they add up to 0.

    Returns:
        `estimate`, `low`, `high`, `COUNTS`, `p` and `test`, as in a frame's row.
    """
    sums = np.asarray(weights) @ figure.mean[matched.units]
    counts = figure.count[matched.units]
    clusters: list[str] = grouped.units.cluster[matched.units[0]].tolist()
    bound = sum(map(abs, weights)) / 2
    found = bounded_mean(sums, clusters, (-bound, bound))
    one_answer = len(weights) == 2 and bool((counts == 1).all())
    test, p = _tested(sums, clusters, one_answer)
    return {
        "estimate": found.mean,
        "low": found.low,
        "high": found.high,
        "n_items": matched.n_items,
        "n_samples": int(counts.sum()),
        "n_unpaired": matched.n_unpaired,
        "p": p,
        "test": test,
    }


def _tested(
    sums: NDArray[np.float64], clusters: Sequence[str], one_answer: bool
) -> tuple[str | None, float]:
    """The test against 0 and its p-value; `one_answer` says that units have one a side."""
    if not clusters:
        return None, math.nan
    if one_answer and len(set(clusters)) == len(clusters):
        return "mcnemar", mcnemar(int((sums > 0).sum()), int((sums < 0).sum()))
    return "sign_flip", sign_flip_of_clusters(sums, clusters)


def sign_flip_of_clusters(values: NDArray[np.float64], clusters: Sequence[str]) -> float:
    """The p-value of `sign_flip` on the means of clusters."""
    return sign_flip(cluster_means(values, clusters))


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


def adjust_p(frame: pd.DataFrame) -> pd.DataFrame:
    """Fill `p_adjusted` by Holm: the rows of one metric are a family."""
    adjusted = frame.groupby("metric")["p"].transform(lambda p: holm(p.to_numpy()))
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
) -> Iterable[str]:
    """Why each side that is not used could not be compared: the fewest settings in the way."""
    for side in sides:
        if side not in used:
            in_the_way = [(settings_in_the_way([cells[side], cells[r]]), r) for r in references]
            names, reference = min(in_the_way, key=lambda each: len(each[0]))
            yield _refusal(cells[side], cells[reference], names)


def _refusal(side: Cell, reference: Cell, names: Iterable[str]) -> str:
    """The sentence that names two cells which could not be compared."""
    other = _other_value(side, reference)
    settings = (f"{name} ({side.setting(name)} and {reference.setting(name)})" for name in names)
    return f"{side}: not compared with {other}, since the settings differ: {', '.join(settings)}."
