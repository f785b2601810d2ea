"""Load and check the items of ``-T dataset=…``: the hub, the shipped sample, or a user's file."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from vr_evals.benchmarks.benchmark import Benchmark, Item
from vr_evals.benchmarks.cells import RowError
from vr_evals.benchmarks.files import Row, file_stem, read_rows
from vr_evals.benchmarks.hub import read_hub_file
from vr_evals.errors import InputError
from vr_evals.terminal import printable, shortened

__all__ = ["Items", "load_items"]

logger = logging.getLogger(__name__)

_ID_COLUMNS = ("id", "scenario_id", "alias")
_MAX_NAMED = 20
_MAX_ID = 10_000
"""Characters of an id; a log limits the name of a sample's file to 65,535 bytes, without NUL."""


@dataclass(frozen=True)
class Items:
    """The valid items of a benchmark, and their origin.

    Attributes:
        items: In file order.
        origin: The origin for the log: ``dataset``, ``revision``, ``sha256``, …
    """

    items: tuple[Item, ...]
    origin: Mapping[str, Any]


@dataclass(frozen=True)
class _Place:
    """The number of a row, with its table if there are several, and whether the row has an id."""

    name: str
    has_id: bool


def load_items(
    benchmark: Benchmark, dataset: str, subset: str, accept_changed_data: bool = False
) -> Items:
    """Load a benchmark's items.

    Args:
        benchmark: The benchmark.
        dataset: ``hub``, ``sample``, or a path or URL of a file.
        subset: One of the benchmark's subsets.
        accept_changed_data: Accept hub data whose content hash differs from the pin.

    Raises:
        InputError: The file is not readable, lacks a column, has no valid row, or has a duplicate
            id.
    """
    elsewhere = [name for name in benchmark.subsets if name not in benchmark.hub_subsets]
    if dataset != "hub" and subset not in elsewhere:
        raise InputError(f"-T subset={subset}: not supported with dataset={dataset}, only with hub")
    tables, origin = _tables(benchmark, dataset, subset, accept_changed_data)
    items: list[Item] = []
    places: dict[str, list[_Place]] = {}
    skipped: list[str] = []
    for name, rows in tables:
        shown = name if dataset in ("hub", "sample") else dataset
        _check_columns(benchmark, shown, rows)
        benchmark.check_file(rows, shown)
        where = f" of {name}" if len(tables) > 1 else ""
        _read_items(benchmark, name, rows, items, skipped, dataset == "hub", places, where)
    _check_items(items, skipped, dataset, places)
    for item in items:
        benchmark.check_asked(item)
    kept = tuple(item for item in items if benchmark.in_subset(item, subset))
    if not kept:
        raise InputError(
            f"-T subset={subset}: contains none of the {len(items)} items of {dataset}"
        )
    return Items(kept, {**origin, "skipped_rows": len(skipped)})


def _tables(
    benchmark: Benchmark, dataset: str, subset: str, accept_changed_data: bool
) -> tuple[list[tuple[str, Sequence[Row]]], dict[str, Any]]:
    """Return the named tables of a data set, and its origin."""
    origin: dict[str, Any] = {"dataset": dataset, "subset": subset}
    if dataset == "sample":
        try:
            package = files(benchmark.data_package)
        except ModuleNotFoundError:
            raise InputError(
                f"benchmark {benchmark.name}: missing package {benchmark.data_package!r} "
                "(data_package, for its sample)"
            ) from None
        path = package / "data" / f"{benchmark.name}.jsonl"
        # without hub data, the shipped items are the benchmark
        sample_data = benchmark.hub is not None
        return [("sample", read_rows(str(path)))], {**origin, "sample_data": sample_data}
    if dataset != "hub":
        return [(file_stem(dataset), read_rows(dataset))], origin
    if benchmark.hub is None:
        raise InputError(
            f"-T dataset=hub: not supported for {benchmark.name}, expected sample or a file"
        )
    pinned = benchmark.hub(subset)
    loaded = [read_hub_file(file, accept_changed_data) for file in pinned]
    origin["repo"] = pinned[0].repo
    origin["revision"] = ", ".join(dict.fromkeys(rows.revision for rows in loaded))
    origin["sha256"] = {
        file.path: rows.sha256 for file, rows in zip(pinned, loaded, strict=True) if rows.sha256
    }
    changed = [f.path for f, r in zip(pinned, loaded, strict=True) if r.sha256 != f.sha256]
    if changed:
        origin["changed_data"] = changed
        logger.warning("%s: content differs from the pin: %s", pinned[0].repo, ", ".join(changed))
    return [(file_stem(f.path), r.rows) for f, r in zip(pinned, loaded, strict=True)], origin


def _alternatives(names: Sequence[str]) -> str:
    """Return a column and the names that it may have instead, e.g. scenario (or input)."""
    first, *others = names
    return f"{first} (or {' or '.join(others)})" if others else first


def _check_columns(benchmark: Benchmark, name: str, rows: Sequence[Row]) -> None:
    found = list(dict.fromkeys(column for row in rows for column in row))
    missing = [names for names in benchmark.columns if not any(n in found for n in names)]
    if missing:
        lists = [", ".join(map(_alternatives, names)) for names in (missing, benchmark.columns)]
        raise InputError(
            f"{name}: missing column {lists[0]}: expected {lists[1]}, "
            f"found {', '.join(found) or 'none'}"
        )


def _read_items(
    benchmark: Benchmark,
    name: str,
    rows: Sequence[Row],
    items: list[Item],
    skipped: list[str],
    published: bool,
    places: dict[str, list[_Place]],
    where: str,
) -> None:
    """Add the items of valid rows to `items`; repeated rows of a published file are skipped.

    Rows are added to `places` by id; `where` names the table if there are several.
    """
    seen = {item.id: item for item in items}
    for number, row in enumerate(rows, start=1):
        try:
            item = benchmark.read_item(row, name)
            _check_id(item.id)
            if published and seen.setdefault(item.id, item) is not item and seen[item.id] == item:
                raise RowError("repeats an earlier row")
            items.append(item)
            own = any(row.get(key) not in (None, "") for key in _ID_COLUMNS)
            places.setdefault(item.id, []).append(_Place(f"{number}{where}", own))
        except RowError as error:
            ids = (row[key] for key in _ID_COLUMNS if row.get(key) not in (None, ""))
            identity = next(ids, f"row {number}")
            skipped.append(printable(shortened(f"{identity} ({error})", 200)))


def _check_id(id: str) -> None:
    """Raise ``RowError`` for an id that cannot name a sample's file in a log."""
    if "\0" in id:
        raise RowError("invalid id: NUL character")
    if len(id) > _MAX_ID:
        raise RowError(f"invalid id: {len(id)} characters, expected at most {_MAX_ID}")


def _check_items(
    items: Sequence[Item], skipped: Sequence[str], dataset: str, places: Mapping[str, list[_Place]]
) -> None:
    named = _listed(skipped)
    if not items:
        raise InputError(f"{dataset}: no valid row, skipped {len(skipped)}: {named}")
    if skipped:
        rows = "1 row" if len(skipped) == 1 else f"{len(skipped)} rows"
        logger.warning("%s: %s skipped: %s", dataset, rows, named)
    twice = [_duplicates(id, rows) for id, rows in places.items() if len(rows) > 1]
    if twice:
        raise InputError(f"{dataset}: ids must be unique, found {_listed(twice, '; ')}")


def _listed(names: Sequence[str], separator: str = ", ") -> str:
    """Join names, the first 20 and the number of the rest."""
    more = len(names) - _MAX_NAMED
    return separator.join(names[:_MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


def _duplicates(id: str, rows: Sequence[_Place]) -> str:
    """Describe the rows with the same id."""
    named = _listed([row.name for row in rows])
    if any(row.has_id for row in rows):
        return f"id {shortened(id, 60)!r} in rows {named}"
    return f"the same text in rows {named} (delete one, or add a column id)"
