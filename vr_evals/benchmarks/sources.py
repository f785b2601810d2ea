"""From ``-T dataset=…`` to checked items: the hub, the shipped sample, or a file of the user's."""

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
_NAMED_AT_MOST = 20
_LONGEST_ID = 10_000
"""Characters; a log may have 65,535 bytes for the name of a sample's file, cut off at a NUL."""


@dataclass(frozen=True)
class Items:
    """The usable items of a benchmark, and where they come from.

    Attributes:
        items: In file order.
        origin: What the log says of them: ``dataset``, ``revision``, ``sha256``, …
    """

    items: tuple[Item, ...]
    origin: Mapping[str, Any]


@dataclass(frozen=True)
class _Place:
    """A row: its number, with its table if there are several, and whether it has an id."""

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
        accept_changed_data: Take hub data whose content hash differs from the pin.

    Raises:
        InputError: The file cannot be read, lacks a column, holds nothing usable, or an id twice.
    """
    elsewhere = [name for name in benchmark.subsets if name not in benchmark.hub_subsets]
    if dataset != "hub" and subset not in elsewhere:
        raise InputError(f"-T subset={subset}: only -T dataset=hub has it, not dataset={dataset}")
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
        raise InputError(f"subset={subset}: none of the {len(items)} items of {dataset} is in it")
    return Items(kept, {**origin, "skipped_rows": len(skipped)})


def _tables(
    benchmark: Benchmark, dataset: str, subset: str, accept_changed_data: bool
) -> tuple[list[tuple[str, Sequence[Row]]], dict[str, Any]]:
    """The named tables of rows of a data set, and its origin."""
    origin: dict[str, Any] = {"dataset": dataset, "subset": subset}
    if dataset == "sample":
        try:
            package = files(benchmark.data_package)
        except ModuleNotFoundError:
            raise InputError(
                f"benchmark {benchmark.name}: there is no package {benchmark.data_package!r} that "
                "could hold its sample"
            ) from None
        path = package / "data" / f"{benchmark.name}.jsonl"
        # where there is nothing else, what is shipped is the benchmark
        sample_data = benchmark.hub is not None
        return [("sample", read_rows(str(path)))], {**origin, "sample_data": sample_data}
    if dataset != "hub":
        return [(file_stem(dataset), read_rows(dataset))], origin
    if benchmark.hub is None:
        raise InputError(f"dataset=hub: {benchmark.name} is not there; wanted sample or a file")
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


def _check_columns(benchmark: Benchmark, name: str, rows: Sequence[Row]) -> None:
    found = list(dict.fromkeys(column for row in rows for column in row))
    missing = [names for names in benchmark.columns if not any(n in found for n in names)]
    if missing:
        wanted = ", ".join(" or ".join(names) for names in benchmark.columns)
        raise InputError(
            f"{name}: no column {' and no '.join(' or '.join(names) for names in missing)}; "
            f"found {', '.join(found) or 'none'}; wanted {wanted}"
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
    """Read the rows that can be used; a published file's repeated rows are skipped too.

    The rows of each id are noted in `places`, each with `where` its table is if there are several.
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
    """Raise ``RowError`` for an id that cannot name a file in a log, so that its sample is lost."""
    if "\0" in id:
        raise RowError("a NUL character in its id")
    if len(id) > _LONGEST_ID:
        raise RowError(f"an id of {len(id)} characters, wanted at most {_LONGEST_ID}")


def _check_items(
    items: Sequence[Item], skipped: Sequence[str], dataset: str, places: Mapping[str, list[_Place]]
) -> None:
    named = ", ".join(skipped[:_NAMED_AT_MOST])
    if len(skipped) > _NAMED_AT_MOST:
        named += f" and {len(skipped) - _NAMED_AT_MOST} more"
    if not items:
        raise InputError(f"{dataset}: none of its {len(skipped)} rows can be used: {named}")
    if skipped:
        rows = "1 row" if len(skipped) == 1 else f"{len(skipped)} rows"
        logger.warning("%s: %s cannot be used: %s", dataset, rows, named)
    twice = [_same_id(id, rows) for id, rows in places.items() if len(rows) > 1]
    if twice:
        more = len(twice) - _NAMED_AT_MOST
        raise InputError(
            f"{dataset}: ids must be unique; found {'; '.join(twice[:_NAMED_AT_MOST])}"
            + (f"; and {more} more" if more > 0 else "")
        )


def _same_id(id: str, rows: Sequence[_Place]) -> str:
    """Which rows have the same id, and why."""
    named = ", ".join(row.name for row in rows[:_NAMED_AT_MOST])
    if len(rows) > _NAMED_AT_MOST:
        named += f" and {len(rows) - _NAMED_AT_MOST} more"
    if any(row.has_id for row in rows):
        return f"id {shortened(id, 60)!r} in rows {named}"
    return f"the same text in rows {named} (delete one, or give them a column id)"
