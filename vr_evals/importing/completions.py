"""Completions of one's own: a row per reply, in columns that the user names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from vr_evals.benchmarks import Benchmark, Item, RowError, load_items
from vr_evals.conditions import SecondPass
from vr_evals.errors import InputError
from vr_evals.importing import values
from vr_evals.importing.items import DataSetItems, OwnItems
from vr_evals.importing.passes import two_passes
from vr_evals.importing.replies import UNNAMED, Asked, Reply, Tokens
from vr_evals.importing.skipped import Notes
from vr_evals.importing.sources import Row, Source, rows
from vr_evals.levels import Level

__all__ = ["COLUMNS", "Mapped", "completions"]

COLUMNS: Mapping[str, str] = {
    "completion": "the reply; required",
    "benchmark": "the benchmark; by default the one whose item columns the file has",
    "item": "the item's id",
    "prompt": "the prompt, in which the item is found if the file has no id and no text of it",
    "model": "the model, as it shall be named",
    "level": "0 to 5",
    "thinking": "off, on, an effort (minimal counts as off) or a budget in tokens; missing is off",
    "condition": "the authority condition, e.g. control or high_harm",
    "endorsed": "the label that the authority endorsed; required for harm",
    "epoch": "the repetition, from 1",
    "run": "the repetition, from 0",
    "include_confidence": "whether a confidence was asked for",
    "first_completion": "level 5: the reply of the first pass",
    "second_prompt": "level 5: the second prompt",
    "second_pass": "level 5: conversation, standalone or reask",
    "option_order": "original, reversed or seeded; missing is original",
    "subset": "the part of the benchmark",
    "reasoning": "the reasoning before the reply",
    "stop_reason": "stop, max_tokens, content_filter, …, or a provider's word for it",
    "input_tokens": "tokens of all calls",
    "output_tokens": "tokens of all calls",
    "reasoning_tokens": "tokens of all calls",
    "seconds": "the time of the sample",
    "temperature": "the temperature",
    "max_tokens": "the token limit of a reply",
    "imported_label": "the label that others read",
    "imported_confidence": "the confidence that others read, 0–100",
}
"""What is read of a row, by our name. Columns of the item are those of a file of the benchmark."""

_STOP_REASONS: Mapping[str, str] = {
    **{reason: reason for reason in ("stop", "max_tokens", "model_length", "content_filter")},
    "end_turn": "stop",
    "stop_sequence": "stop",
    "eos": "stop",
    "length": "max_tokens",
    "max_output_tokens": "max_tokens",
    "refusal": "content_filter",
    "safety": "content_filter",
}


@dataclass(frozen=True)
class Mapped:
    """The names of a file's columns, and values that it has no column of.

    Attributes:
        columns: The file's names of columns by ours.
        values: Values of all rows by our names of columns.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)

    def row(self, row: Row) -> dict[str, Any]:
        """Return the values of a row by our names; the user's value is for all that is missing."""
        taken = set(self.columns.values())
        found = {name: value for name, value in row.values.items() if name not in taken}
        found |= {ours: row.values.get(theirs) for ours, theirs in self.columns.items()}
        missing = {n: v for n, v in self.values.items() if values.text(found.get(n)) is None}
        return found | missing

    def theirs(self, ours: Iterable[str]) -> set[str]:
        """Return the file's names of columns."""
        return {self.columns.get(name, name) for name in ours}


def completions(
    sources: Sequence[Source], mapped: Mapped, dataset: str | None, notes: Notes
) -> Iterator[Reply]:
    """Yield the replies of files.

    Args:
        sources: The files.
        mapped: Names of their columns, and values that they have no column of.
        dataset: ``hub``, ``sample`` or a file with the items; None if the files have them.
        notes: Where rows that cannot be imported are noted.

    Raises:
        InputError: A file is not readable or lacks a column.
    """
    items = _Items(dataset)
    for number, source in enumerate(sources):
        imported: dict[str, None] = {}
        skipped: dict[str, None] = {}
        items.read, items.metadata = set(), set()
        for row in rows(source):
            found = mapped.row(row)
            names = {name: None for name, value in row.values.items() if value is not None}
            if row.number == 1:
                _check_columns(source, mapped, row, found)
            try:
                reply = _reply(row, found, items, number, notes)
            except RowError as error:
                skipped |= names
                notes.add(f"skipped, {error}", row.place + _named(found))
                continue
            imported |= names
            yield reply
        if not imported:  # a column with another name may be why
            items.read |= _item_columns()
        _note_unused(source, mapped, imported or skipped, items, notes)
    items.check(", ".join(source.name for source in sources))


def _named(row: Mapping[str, Any]) -> str:
    item = values.text(row.get("item"))
    return f" ({item})" if item else ""


def _item_columns() -> set[str]:
    """Return the names of columns that items of some benchmark have."""
    every = map(values.benchmark_named, values.benchmark_names())
    return {name for each in every for names in each.columns for name in (each.variable, *names)}


def _note_unused(
    source: Source, mapped: Mapped, columns: Iterable[str], items: _Items, notes: Notes
) -> None:
    """Note columns of a file that are neither of the reply nor of the item."""
    used = mapped.theirs({*COLUMNS, *items.read})
    kept = mapped.theirs(items.metadata) - used
    unused = [name for name in columns if name not in used]
    ours = [name for name in COLUMNS if mapped.theirs([name]).isdisjoint(columns)]
    notes.add_unused(source.name, [name for name in unused if name not in kept], ours)
    notes.add_unused(source.name, [name for name in unused if name in kept], ours, in_metadata=True)


def _check_columns(source: Source, mapped: Mapped, row: Row, found: Mapping[str, Any]) -> None:
    have = ", ".join(row.values)
    for ours, theirs in mapped.columns.items():
        if theirs not in row.values:
            raise InputError(f"{source.name}: missing column {theirs!r} (for {ours}): found {have}")
    if "completion" not in found:
        raise InputError(
            f"{source.name}: missing column completion: found {have}; name another with "
            "--column completion=NAME"
        )


class _Items:
    """The items that rows are about, by benchmark and part.

    Attributes:
        read: The columns that items were found by, or made of.
        metadata: Further columns that items have as metadata.
    """

    def __init__(self, dataset: str | None) -> None:
        self.read: set[str] = set()
        self.metadata: set[str] = set()
        self._dataset = dataset
        self._found: dict[tuple[str, str], DataSetItems] = {}
        self._own: dict[str, OwnItems] = {}
        self._prompts: dict[tuple[str, str, str], Item] = {}

    def find(self, benchmark: Benchmark, subset: str, row: Mapping[str, Any]) -> Item:
        """Return the item of a row.

        Raises:
            RowError: The row has none, or it is not in the data set.
        """
        name = values.text(row.get("item"))
        fields = _item_fields(benchmark, row)
        if self._dataset is None:
            if name:
                fields["id"] = name
            if values.text(fields.get(benchmark.variable)) is None:
                raise RowError(f"no {benchmark.variable} and no --dataset to find the item in")
            own = self._own.setdefault(benchmark.name, OwnItems(benchmark))
            item = own.find(fields, name)
            self.metadata |= fields.keys() & item.metadata.keys()
            self.read |= fields.keys() - item.metadata.keys()
            return item
        self.read |= {each for each in fields if _finds(benchmark, each)}
        items = self._of(benchmark, subset)
        prompt = values.text(row.get("prompt"))
        if name or fields.get(benchmark.variable) or not prompt:
            return items.find(fields, name)
        key = (benchmark.name, subset, prompt)
        if key not in self._prompts:
            self._prompts[key] = items.within(prompt)
        return self._prompts[key]

    def check(self, name: str) -> None:
        """Check the items that the files have themselves."""
        for own in self._own.values():
            own.check(name)

    def _of(self, benchmark: Benchmark, subset: str) -> DataSetItems:
        key = (benchmark.name, subset)
        if key not in self._found:
            loaded = load_items(benchmark, self._dataset or "", subset)
            self._found[key] = DataSetItems(benchmark, loaded)
        return self._found[key]


def _finds(benchmark: Benchmark, column: str) -> bool:
    """Whether a column tells which item of a data set a row is about."""
    return column == benchmark.variable or column.startswith("option_")


def _item_fields(benchmark: Benchmark, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a row that are not about the reply."""
    return {name: value for name, value in row.items() if name not in COLUMNS and value is not None}


def _reply(row: Row, found: Mapping[str, Any], items: _Items, source: int, notes: Notes) -> Reply:
    benchmark = _benchmark(row, found)
    subset = values.text(found.get("subset")) or benchmark.subsets[0]
    level, condition = values.level(found.get("level")), values.condition(found.get("condition"))
    if level is None and condition is None:
        raise RowError("no level and no condition, e.g. --set level=0")
    thinking, effort, budget = values.thinking(found.get("thinking"))
    reply = values.reply(found.get("completion"))
    first = values.reply(found.get("first_completion")) or None
    if level == Level.TWO_PASS and first is None:
        first, reply = two_passes(reply)
    return Reply(
        asked=Asked(
            model=values.text(found.get("model")) or UNNAMED,
            benchmark=benchmark.name,
            subset=subset,
            level=level,
            authority=condition is not None,
            thinking=thinking,
            effort=effort,
            budget=budget,
            include_confidence=values.flag(found.get("include_confidence"), "include_confidence"),
            second_pass=_one_of(found, "second_pass", SecondPass, "conversation"),
            option_order=_one_of(found, "option_order", _Order, "original"),
            temperature=values.number(found.get("temperature"), "temperature"),
            max_tokens=values.whole_number(found.get("max_tokens"), "max_tokens", 1),
        ),
        item=items.find(benchmark, subset, found),
        epoch=_epoch(found),
        completion=reply,
        place=row.place,
        source=source,
        first=first,
        prompt=values.text(found.get("prompt")),
        second_prompt=values.text(found.get("second_prompt")),
        reasoning=values.text(found.get("reasoning")),
        stop_reason=_stop_reason(found),
        tokens=Tokens(
            *(
                notes.optional(values.whole_number, found.get(name), name, row.place)
                for name in ("input_tokens", "output_tokens", "reasoning_tokens")
            )
        ),
        seconds=notes.optional(values.number, found.get("seconds"), "seconds", row.place),
        condition=condition,
        endorsed=values.text(found.get("endorsed")),
        imported=_imported(row, found, notes),
    )


_Order = Literal["original", "reversed", "seeded"]


def _one_of(row: Mapping[str, Any], name: str, words: Any, default: Any) -> Any:
    return values.choice(row.get(name), name, get_args(words)) or default


def _benchmark(row: Row, found: Mapping[str, Any]) -> Benchmark:
    """Return the benchmark that a row names, or else the one whose text the file has."""
    named = values.text(found.get("benchmark"))
    if named:
        return values.benchmark_named(named)
    every = map(values.benchmark_named, values.benchmark_names())
    having = [benchmark for benchmark in every if benchmark.variable in found]
    if len(having) != 1:
        raise InputError(
            f"{row.source.name}: missing column benchmark: give it with e.g. --set "
            f"benchmark={values.benchmark_names()[0]}"
        )
    return having[0]


def _epoch(row: Mapping[str, Any]) -> int:
    run = values.whole_number(row.get("run"), "run")
    if run is not None:
        return run + 1
    epoch = values.whole_number(row.get("epoch"), "epoch", 1)
    return 1 if epoch is None else epoch


def _stop_reason(row: Mapping[str, Any]) -> str | None:
    found = values.text(row.get("stop_reason"))
    return found and _STOP_REASONS.get(found.strip().lower(), "unknown")


def _imported(row: Row, found: Mapping[str, Any], notes: Notes) -> dict[str, Any]:
    confidence = "imported_confidence"
    read = {
        "imported_label": values.text(found.get("imported_label")),
        confidence: notes.optional(values.number, found.get(confidence), confidence, row.place),
    }
    return {name: value for name, value in read.items() if value is not None}
