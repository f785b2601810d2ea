"""The result files of the study behind our prompts, github.com/kaustubhkislay/variable-reflection.

A csv file per benchmark, with a row per reply. Ids are row numbers of a sample of the benchmark,
and the texts of items may be cut off; the options of MORABLES are in a file of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from vr_evals.benchmarks import RowError, load_items
from vr_evals.errors import InputError
from vr_evals.importing import values
from vr_evals.importing.completions import Mapped
from vr_evals.importing.items import DataSetItems, OwnItems
from vr_evals.importing.passes import two_passes
from vr_evals.importing.replies import UNNAMED, Asked, Reply, Tokens
from vr_evals.importing.skipped import Notes
from vr_evals.importing.sources import Row, Source, rows
from vr_evals.levels import Level

__all__ = ["variable_reflection"]

STUDY = "variable-reflection"

_OTHER_PROMPTS = (
    f"level 0 of {STUDY} was asked with other prompts than ours: its logs have the variant "
    f"prompts={STUDY}"
)

_Kind = Literal["ethics", "moralchoice", "morables"]


@dataclass(frozen=True)
class _Benchmark:
    """How files of a benchmark look.

    Attributes:
        fields: Columns of the item.
        required: Those without which there is no item.
        subset: The column that tells parts of the benchmark apart that are never mixed.
        every: The subset of ours that has all items.
    """

    fields: tuple[str, ...]
    required: tuple[str, ...]
    every: str
    subset: str | None = None


_BENCHMARKS: Mapping[_Kind, _Benchmark] = {
    "ethics": _Benchmark(
        ("scenario", "label", "subscale"), ("scenario", "label"), "all", "subscale"
    ),
    "moralchoice": _Benchmark(
        ("context", "option_a", "option_b", "ambiguity"), ("context", "option_a", "option_b"), "all"
    ),
    "morables": _Benchmark(
        ("fable", *(f"option_{letter}" for letter in "abcde"), "correct_idx"),
        ("fable", "option_a"),
        "mcqa",
    ),
}


_COLUMNS = frozenset(
    {"item_id", "prompt_level", "level", "thinking_level", "thinking", "model", "run", "response"}
    | {"thinking_content", "extracted_answer", "correct", "correct_answer", "confidence"}
    | {"confidence_category", "response_length", "reasoning_markers", "uncertainty_markers"}
    | {"input_tokens", "output_tokens", "timestamp", "benchmark"}
)
"""The study's columns, those of items apart; what it computed of a reply is computed again."""


def variable_reflection(
    sources: Sequence[Source], mapped: Mapped, dataset: str | None, notes: Notes
) -> Iterator[Reply]:
    """Yield the replies of files.

    Args:
        sources: The files of replies.
        mapped: Values that the files have no column of, e.g. of ``model``.
        dataset: ``hub``, ``sample`` or a file with the items; None if the files have them.
        notes: Where rows that cannot be imported are noted.

    Raises:
        InputError: A file is not readable, or is not one of the study.
    """
    found: dict[str, DataSetItems | OwnItems] = {}
    for number, source in enumerate(sources):
        columns: dict[str, None] = {}
        for row in rows(source):
            cells = mapped.row(row)
            columns |= {name: None for name, value in row.values.items() if value is not None}
            if row.number == 1:
                kind = _kind(source, cells)
                _check_columns(source, kind, cells, dataset)
                if kind not in found:
                    found[kind] = _items(kind, dataset)
            try:
                yield _reply(row, cells, kind, found[kind], number, notes)
            except RowError as error:
                notes.add(f"skipped, {error}", f"{row.place} ({cells.get('item_id')})")
        known = mapped.theirs((*_COLUMNS, *_BENCHMARKS[kind].fields))
        lacking = sorted(known.difference(columns))
        notes.add_unused(source.name, [name for name in columns if name not in known], lacking)
    for items in found.values():
        if isinstance(items, OwnItems):
            items.check(", ".join(source.name for source in sources))


def _kind(source: Source, cells: Mapping[str, Any]) -> _Kind:
    """Return the benchmark of a file: by its column, else by ids, e.g. ``mc_12``, or texts."""
    prefixes: Mapping[str, _Kind] = {"mc": "moralchoice"}
    named = (values.text(cells.get("benchmark")) or "").rsplit("_")[-1]
    prefix = (values.text(cells.get("item_id")) or "").rsplit("_", 1)[0]
    for kind, benchmark in _BENCHMARKS.items():
        if named == kind or benchmark.fields[0] in cells:
            return kind
    for kind in _BENCHMARKS:
        if prefixes.get(prefix, prefix) == kind:
            return kind
    raise InputError(
        f"{source.name}: missing column benchmark: expected one of {', '.join(_BENCHMARKS)} "
        f"(found {', '.join(cells)})"
    )


def _check_columns(
    source: Source, kind: _Kind, cells: Mapping[str, Any], dataset: str | None
) -> None:
    needed = [
        ("item_id",),
        ("response",),
        ("prompt_level", "level"),
        ("thinking_level", "thinking"),
    ]
    missing = [" or ".join(names) for names in needed if not any(name in cells for name in names)]
    if missing:
        raise InputError(
            f"{source.name}: missing column {', '.join(missing)}: found {', '.join(cells)}"
        )
    absent = [name for name in _BENCHMARKS[kind].required if name not in cells]
    if absent and dataset is None:
        raise InputError(
            f"{source.name}: missing column {', '.join(absent)}: name the study's file of items, "
            f"e.g. --dataset {kind}_sample.csv"
        )


def _items(kind: _Kind, dataset: str | None) -> DataSetItems | OwnItems:
    benchmark = values.benchmark_named(kind)
    if dataset is None:
        return OwnItems(benchmark)
    return DataSetItems(benchmark, load_items(benchmark, dataset, _BENCHMARKS[kind].every))


def _reply(
    row: Row,
    cells: Mapping[str, Any],
    kind: _Kind,
    items: DataSetItems | OwnItems,
    source: int,
    notes: Notes,
) -> Reply:
    level = values.level(_either(cells, "prompt_level", "level"))
    if level is None:
        raise RowError("no prompt_level")
    if level == Level.DIRECT:
        notes.say(_OTHER_PROMPTS)
    thinking, effort, budget = values.thinking(_either(cells, "thinking_level", "thinking"))
    item_id = values.text(cells.get("item_id"))
    shape = _BENCHMARKS[kind]
    fields = {name: cells[name] for name in shape.fields if cells.get(name) is not None}
    item = items.find(fields, item_id)
    completion, first = values.reply(cells.get("response")), None
    if level == Level.TWO_PASS:
        first, completion = two_passes(completion)
    part = values.text(cells.get(shape.subset or "")) or item.metadata.get(shape.subset or "")
    return Reply(
        asked=Asked(
            model=values.text(cells.get("model")) or UNNAMED,
            benchmark=kind,
            subset=str(part or shape.every),
            level=level,
            thinking=thinking,
            effort=effort,
            budget=budget,
            # the pilot, whose files have no such column, did not ask for it
            include_confidence=True if "confidence" in cells else None,
            second_pass="standalone",
            prompts=STUDY if level == Level.DIRECT else None,
        ),
        item=item,
        epoch=(values.whole_number(cells.get("run"), "run") or 0) + 1,
        completion=completion,
        place=row.place,
        source=source,
        first=first,
        reasoning=values.text(cells.get("thinking_content")),
        tokens=Tokens(
            *(
                notes.optional(values.whole_number, cells.get(name), name, row.place)
                for name in ("input_tokens", "output_tokens")
            )
        ),
        imported=_imported(row, cells, item_id, notes),
    )


def _either(cells: Mapping[str, Any], *names: str) -> Any:
    return next((cells[name] for name in names if cells.get(name) is not None), None)


def _imported(
    row: Row, cells: Mapping[str, Any], item_id: str | None, notes: Notes
) -> dict[str, Any]:
    """Return what the study says of a reply."""
    found = {
        "imported_item": item_id,
        "imported_label": values.text(cells.get("extracted_answer")),
        "imported_confidence": notes.optional(
            values.number, cells.get("confidence"), "confidence", row.place
        ),
        "imported_correct": notes.optional(values.flag, cells.get("correct"), "correct", row.place),
        "imported_time": values.text(cells.get("timestamp")),
    }
    return {name: value for name, value in found.items() if value is not None}
