"""Which cells an effect compares and averages over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from vr_evals.analysis.cell import KEYS, Cell, Refusal, variant_name
from vr_evals.analysis.contrasts import Contrast
from vr_evals.analysis.pairing import settings_in_the_way

__all__ = [
    "Alternatives",
    "CellsByKeys",
    "Stratum",
    "alternatives",
    "cells_by_keys",
    "companion",
    "split_by_settings",
    "strata",
]

Alternatives = Mapping[tuple[Any, ...], Mapping[tuple[Any, ...], Sequence[int]]]
"""Numbers of cells by their keys other than some factors, then by their values of these."""

CellsByKeys = Mapping[tuple[Any, ...], Sequence[int]]
"""Numbers of the cells that have the same values of `KEYS`."""


@dataclass(frozen=True)
class Stratum:
    """Cells that differ in the factors of a contrast alone.

    Attributes:
        cells: Their numbers, in the order of the contrast's weights.
        keys: The other keys, which they share.
        mixed: The settings that other cells of the same keys have differently, by name.
    """

    cells: tuple[int, ...]
    keys: Mapping[str, Any]
    mixed: Mapping[str, str]


def alternatives(cells: Sequence[Cell], factors: Sequence[str]) -> Alternatives:
    """Find the cells that differ in some factors, by what they have in common.

    Args:
        cells: The cells.
        factors: The factors.
    """
    rest = [name for name in KEYS if name not in factors]
    groups: dict[tuple[Any, ...], dict[tuple[Any, ...], list[int]]] = {}
    for number, cell in enumerate(cells):
        keys = tuple(getattr(cell, name) for name in rest)
        values = tuple(cell.value(name) for name in factors)
        groups.setdefault(keys, {}).setdefault(values, []).append(number)
    return groups


def strata(
    cells: Sequence[Cell], contrast: Contrast, groups: Alternatives
) -> tuple[list[Stratum], list[Refusal]]:
    """Find the cells of a contrast: for each combination of the other keys, one of each value.

    Args:
        cells: The cells.
        contrast: The contrast.
        groups: The `alternatives` in its factors.

    Returns:
        The strata, and a refusal for each combination of other keys that has all values, but never
        with the same settings.
    """
    rest = [name for name in KEYS if name not in contrast.factors]
    found, refused = [], []
    for keys, by_value in groups.items():
        if not by_value.keys() >= contrast.weights.keys():
            continue
        sets = list(product(*(by_value[values] for values in contrast.weights)))
        found_here = [
            Stratum(each, dict(zip(rest, keys, strict=True)), _mixed(members, contrast.factors))
            for each in sets
            if not settings_in_the_way(members := [cells[n] for n in each], contrast.factors)
        ]
        found += found_here
        if not found_here:
            refused.append(_refusal([cells[n] for n in sets[0]], contrast))
    return found, refused


def split_by_settings(found: Sequence[Stratum]) -> Iterator[tuple[str, list[Stratum]]]:
    """Strata that may be averaged, with what tells them from others.

    Cells of the same keys but other settings are never averaged: each value of such a setting makes
    an average of its own, with the strata that have that value or do not have the setting twice.

    Args:
        found: The strata.

    Yields:
        The variant, empty if no setting differs, and its strata.
    """
    values: dict[str, dict[str, None]] = {}
    for each in found:
        for name, value in each.mixed.items():
            values.setdefault(name, {})[value] = None
    seen = set()
    for chosen in product(*values.values()):
        wanted = dict(zip(values, chosen, strict=True))
        members = [s for s in found if all(wanted[name] == v for name, v in s.mixed.items())]
        key = tuple(each.cells for each in members)
        if members and key not in seen:
            seen.add(key)
            used = {name for each in members for name in each.mixed}
            yield variant_name({n: v for n, v in wanted.items() if n in used}), members


def cells_by_keys(cells: Sequence[Cell]) -> CellsByKeys:
    """Find the cells of the same keys.

    Args:
        cells: The cells.
    """
    found: dict[tuple[Any, ...], list[int]] = {}
    for number, cell in enumerate(cells):
        found.setdefault(tuple(getattr(cell, name) for name in KEYS), []).append(number)
    return found


def companion(
    cells: Sequence[Cell], by_keys: CellsByKeys, number: int, factor: str, value: Any
) -> int | None:
    """The cell that is the same but for a factor, or None.

    Args:
        cells: The cells.
        by_keys: The same, by their keys.
        number: The cell whose companion is wanted.
        factor: The key in which they differ.
        value: The companion's value of it.
    """
    own = cells[number]
    wanted = tuple(value if name == factor else getattr(own, name) for name in KEYS)
    for other in by_keys.get(wanted, ()):
        cell = cells[other]
        if cell.value(factor) == value and not settings_in_the_way([own, cell], (factor,)):
            return other
    return None


def _mixed(cells: Iterable[Cell], compared: Sequence[str]) -> dict[str, str]:
    """The settings that tell these cells from others of the same keys; `a→b` where they differ.

    But for what is compared.
    """
    values: dict[str, dict[str, None]] = {}
    for cell in cells:
        for name in (each for each in cell.mixed if each not in compared):
            values.setdefault(name, {})[cell.setting(name)] = None
    return {name: "→".join(each) for name, each in values.items()}


def _refusal(cells: Sequence[Cell], contrast: Contrast) -> Refusal:
    """The first two cells that settings keep apart, or else all."""
    for other in cells[1:]:
        if names := settings_in_the_way([cells[0], other], contrast.factors):
            return Refusal.of(cells[0], other, str(other), names)
    names = settings_in_the_way(cells, contrast.factors)
    return Refusal.of(cells[0], cells[-1], contrast.reference, names)
