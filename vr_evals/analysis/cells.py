"""Rows of the tidy table by cell, and samples by unit: what every comparison starts from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from vr_evals.analysis.cell import (
    CELL,
    KEYS,
    Cell,
    Refusal,
    read_settings,
    settings_as_text,
    settings_that_differ,
)
from vr_evals.analysis.checks import tidy_columns
from vr_evals.analysis.columns import COLUMNS, SETTINGS
from vr_evals.errors import InputError
from vr_evals.formatting import shown

__all__ = [
    "CELL",
    "KEYS",
    "Cell",
    "Cells",
    "Flags",
    "Integers",
    "UnitMeans",
    "Units",
    "cells",
    "grouped_once",
    "needed_columns",
    "settings_that_differ",
    "tidy_frame",
]

Integers = NDArray[np.intp]
"""Numbers of cells, units, rows, …"""

Flags = NDArray[np.bool_]
"""Which of them."""

_GROUPING = tuple(
    dict.fromkeys((*KEYS, *SETTINGS, "option_order", "item", "cluster", "error", "log"))
)
_IDENTITY = ("sample_id", "epoch")
_KEY_TYPES = {column.name: column.dtype for column in COLUMNS if column.name in KEYS}
_NUMBERS = frozenset(
    {
        "estimate",
        "low",
        "high",
        "p",
        "p_adjusted",
        "low_simultaneous",
        "high_simultaneous",
        "estimate_read",
        "bound_low",
        "bound_high",
        "bin_low",
        "bin_high",
        "confidence",
        "accuracy",
        "effective",
        "reference",
        "undetermined",
        "factor",
        "average_effect",
        "odds_ratio",
        "odds_low",
        "odds_high",
        "share",
        "lowest",
        "highest",
        "p_heterogeneity",
        "detectable",
        "margin",
    }
)


@dataclass(frozen=True)
class Units:
    """Items in one order of their options, of all cells: what Inspect calls samples.

    Attributes:
        cell: The number of each unit's cell; they are sorted by it.
        pair: A number that the same item in the same order has in every cell.
        item: A number that the same item has in every cell and order.
        cluster: The name of each unit's cluster.
        cluster_code: A number that the same cluster has in every cell, in the order of their names.
    """

    cell: Integers
    pair: Integers
    item: Integers
    cluster: NDArray[np.object_]
    cluster_code: Integers

    def n_items(self, units: Integers | Flags) -> int:
        """How many items some of the units are of."""
        return int(np.count_nonzero(np.bincount(self.item[units])))


@dataclass(frozen=True)
class UnitMeans:
    """A figure of each unit: the mean over its samples that count, NaN if none does.

    Attributes:
        mean: One value a unit, in the unit of the figure.
        count: How many samples it is over.
    """

    mean: NDArray[np.float64]
    count: Integers


@dataclass(frozen=True)
class Cells:
    """The tidy table in cells, and each cell in units.

    Attributes:
        cells: The cells, sorted.
        units: The units, sorted by cell.
        rows: The samples, each epoch by itself, sorted by unit: the columns asked for.
        unit: The number of each sample's unit.
        notes: What was left out, in sentences.
    """

    cells: tuple[Cell, ...]
    units: Units
    rows: pd.DataFrame
    unit: Integers
    notes: tuple[str, ...]

    @cached_property
    def unit_slices(self) -> list[slice]:
        """The place of the units of each cell."""
        return _slices(self.units.cell, len(self.cells))

    @cached_property
    def row_slices(self) -> list[slice]:
        """The place of the samples of each cell."""
        return _slices(self.units.cell[self.unit], len(self.cells))

    @cached_property
    def unit_sets(self) -> list[int]:
        """A number for each cell's units, the same for the same items in the same orders."""
        numbers: dict[bytes, int] = {}
        pairs = (self.units.pair[here].tobytes() for here in self.unit_slices)
        return [numbers.setdefault(each, len(numbers)) for each in pairs]

    @cached_property
    def items_of_cells(self) -> list[int]:
        """How many items each cell has."""
        return [len(np.unique(self.units.item[here])) for here in self.unit_slices]

    @cached_property
    def cluster_codes(self) -> Integers:
        """A number for each unit's cluster, the same in every cell."""
        return pd.factorize(self.units.cluster)[0]

    def counts(self, samples: Integers) -> dict[str, int]:
        """Return how many items and samples there are among some samples, by number."""
        return {"n_items": self.units.n_items(self.unit[samples]), "n_samples": len(samples)}

    def by_unit(self, column: str) -> NDArray[np.object_]:
        """The value of a column that is the same in all of a unit's samples; None if missing."""
        first = np.searchsorted(self.unit, np.arange(len(self.units.cell)))
        values = self.rows[column].iloc[first].astype(object)
        return values.where(values.notna(), None).to_numpy(dtype=object)

    def mean(self, values: ArrayLike, counts: ArrayLike) -> UnitMeans:
        """Average a figure within units.

        Args:
            values: One value a sample; not looked at where the sample does not count.
            counts: Whether each sample counts.
        """
        used = np.asarray(counts, dtype=bool)
        unit, n = self.unit[used], len(self.units.cell)
        count = np.bincount(unit, minlength=n)
        total = np.bincount(unit, np.asarray(values)[used].astype(float), n)
        mean = np.full(len(count), np.nan)
        np.divide(total, count, out=mean, where=count > 0)
        return UnitMeans(mean, count)


def cells(table: pd.DataFrame, columns: Sequence[str]) -> Cells:
    """Group the tidy table into cells: model × benchmark × level × thinking × condition × settings.

    Samples whose settings (`SETTINGS`, and the order of options asked for) differ are never in one
    cell, so that they can't be averaged by accident. Samples that ended in an error are left out.

    Args:
        table: The tidy table.
        columns: Those of its columns that the figure is made of.

    Raises:
        InputError: A column is missing or has values of another kind, or a sample has no item or is
            there twice.
    """
    rows = tidy_columns(table, needed_columns(*columns))[list(dict.fromkeys(columns))]
    groups = _groups_of(table)
    rows = rows.iloc[groups.order].reset_index(drop=True)
    return Cells(groups.cells, groups.units, rows, groups.unit, groups.notes)


def needed_columns(*columns: str) -> list[str]:
    """The columns of a table that `cells` needs for a figure that is made of some columns."""
    return list(dict.fromkeys((*_GROUPING, *_IDENTITY, *columns)))


@contextmanager
def grouped_once() -> Iterator[None]:
    """Group each table once within it, for all the figures made of it; none may change meanwhile.

    To group a table takes more than most of the figures do.
    """
    token = _grouped.set({})
    try:
        yield
    finally:
        _grouped.reset(token)


@dataclass(frozen=True)
class _Groups:
    """A table in cells and units: `Cells`, and where its rows are in the table."""

    cells: tuple[Cell, ...]
    units: Units
    order: Integers
    unit: Integers
    notes: tuple[str, ...]


_grouped: ContextVar[dict[int, tuple[pd.DataFrame, _Groups]] | None] = ContextVar(
    "grouped", default=None
)
"""Tables that were grouped, by their id, which stays theirs as long as they are kept here."""


def _groups_of(table: pd.DataFrame) -> _Groups:
    known = _grouped.get()
    if known is None:
        return _group(table)
    if id(table) not in known:
        known[id(table)] = table, _group(table)
    return known[id(table)][1]


def _group(table: pd.DataFrame) -> _Groups:
    rows = tidy_columns(table, _GROUPING)
    if rows["item"].isna().any():
        raise InputError("missing item in a row of the table: expected one in each")
    failed = rows["error"].notna().to_numpy()
    rows = rows[~failed]
    key = _codes(*(rows[name] for name in KEYS))
    settings = {name: rows[name] for name in SETTINGS}
    settings["option_order"] = _order_of_run(rows, _codes(pd.Series(key), rows["log"]))
    cell = _codes(pd.Series(key), *settings.values())
    listed, place = _listed(rows, settings, cell, key)
    _check_once(tidy_columns(table, _IDENTITY)[~failed], place[cell], listed)
    item = _codes(rows["item"])
    pair = _codes(pd.Series(item), rows["option_order"])
    order = np.lexsort((pair, place[cell]))
    cell, pair, item, rows = place[cell][order], pair[order], item[order], rows.iloc[order]
    starts = _starts(cell, pair)
    cluster = rows["cluster"].fillna(rows["item"])[starts].to_numpy(dtype=object)
    error = f"Samples left out since they ended in an error: {failed.sum()}."
    return _Groups(
        cells=listed,
        units=Units(
            cell[starts], pair[starts], item[starts], cluster, pd.factorize(cluster, sort=True)[0]
        ),
        order=np.flatnonzero(~failed)[order],
        unit=np.cumsum(starts) - 1,
        notes=(error,) if failed.any() else (),
    )


def tidy_frame(
    records: Iterable[Mapping[str, Any]],
    columns: Sequence[str],
    notes: Iterable[str | Refusal] = (),
) -> pd.DataFrame:
    """Make the frame that a comparison returns, also of no records at all.

    Args:
        records: Its rows; a column that a row does not have is missing there.
        columns: Its columns, in order.
        notes: Sentences for `frame.attrs["notes"]`, and refusals, whose sentences are among the
            notes and whose fields are in `frame.attrs["refusals"]`.
    """
    frame = pd.DataFrame.from_records(list(records), columns=list(columns))
    types = {name: _KEY_TYPES.get(name) or _type_of(name) for name in columns}
    frame = frame.astype(types)
    noted = dict.fromkeys(notes)
    frame.attrs["notes"] = [str(note) for note in noted]
    frame.attrs["refusals"] = [asdict(note) for note in noted if isinstance(note, Refusal)]
    return frame


def _type_of(column: str) -> str:
    if column in _NUMBERS:
        return "float64"
    if column.startswith("is_"):
        return "boolean"
    return "Int64" if column == "epoch" or column.startswith("n_") else "string"


def _check_once(rows: pd.DataFrame, cell: Integers, cells: Sequence[Cell]) -> None:
    """Check that no sample is in a cell twice: it would count as two answers.

    Args:
        rows: The id and the epoch of each sample.
        cell: The number of the cell of each.
        cells: The cells.

    Raises:
        InputError: A sample is; the line names it.
    """
    known = rows.notna().all(axis=1).to_numpy()
    sample = _codes(pd.Series(cell), rows["sample_id"], rows["epoch"])
    again = np.flatnonzero(known & pd.Series(sample).duplicated().to_numpy())
    if len(again):
        name, epoch = rows["sample_id"].iloc[again[0]], rows["epoch"].iloc[again[0]]
        raise InputError(
            f"sample {shown(name, 100)}, epoch {epoch} ({shown(str(cells[cell[again[0]]]), 200)}): "
            "expected once, found several times; read logs together, e.g. read_logs('a', 'b')"
        )


def _codes(*columns: pd.Series[Any]) -> Integers:
    """A number for each distinct combination of values, a missing value being one of its own."""
    codes = np.zeros(len(columns[0]), dtype=np.intp)
    for column in columns:
        each, values = pd.factorize(column, use_na_sentinel=False)
        codes = pd.factorize(codes * len(values) + each)[0]
    return codes


def _order_of_run(rows: pd.DataFrame, run: Integers) -> pd.Series[Any]:
    """The order of options that each sample's run asked for: as it says, else as it was done."""
    texts = rows["settings"].dropna().unique()
    said = {text: read_settings(text).get("option_order") for text in texts}
    asked = rows["settings"].map(said).astype("string")
    return asked.fillna(_order_asked(rows, run)) if asked.isna().any() else asked


def _order_asked(rows: pd.DataFrame, run: Integers) -> pd.Series[Any]:
    """The order of options that each sample's run asked for: `both` where an item has two.

    A run in a drawn or reversed order has items in file order too: those whose options refer to
    each other.
    """
    order = rows["option_order"].to_numpy(dtype=object)
    asked = order.copy()
    in_run = _codes(pd.Series(run), rows["item"])
    original, backward = order == "original", order == "reversed"
    siblings = np.intersect1d(in_run[original], in_run[backward])
    for name, runs in (
        ("reversed", run[backward]),
        ("seeded", run[order == "seeded"]),
        ("both", run[np.isin(in_run, siblings)]),
    ):
        asked[np.isin(run, np.unique(runs))] = name
    return pd.Series(asked, index=rows.index, dtype="string")


def _listed(
    rows: pd.DataFrame, settings: Mapping[str, pd.Series[Any]], cell: Integers, key: Integers
) -> tuple[tuple[Cell, ...], Integers]:
    """The cells, sorted, and the place among them of each cell's number."""
    _, first = np.unique(cell, return_index=True)
    keys = [{name: _or_none(rows[name].iloc[i]) for name in KEYS} for i in first]
    texts = [
        settings_as_text({name: column.iloc[i] for name, column in settings.items()}) for i in first
    ]
    by_key: dict[int, list[Mapping[str, str]]] = {}
    for i, text in zip(first, texts, strict=True):
        by_key.setdefault(int(key[i]), []).append(text)
    found = [
        Cell(**keys[n], settings=texts[n], mixed=settings_that_differ(by_key[int(key[i])]))
        for n, i in enumerate(first)
    ]
    order = sorted(range(len(found)), key=lambda n: found[n].place)
    place = np.empty(len(found), dtype=np.intp)
    place[order] = np.arange(len(found))
    return tuple(found[n] for n in order), place


def _or_none(value: Any) -> Any:
    if pd.isna(value):
        return None
    return value.item() if isinstance(value, np.generic) else value


def _slices(codes: Integers, n: int) -> list[slice]:
    bounds = np.searchsorted(codes, np.arange(n + 1))
    return [slice(int(start), int(stop)) for start, stop in zip(bounds, bounds[1:], strict=False)]


def _starts(*codes: Integers) -> Flags:
    """Where sorted rows begin another combination."""
    changed = np.zeros(len(codes[0]), dtype=bool)
    changed[:1] = True
    for code in codes:
        changed[1:] |= code[1:] != code[:-1]
    return changed
