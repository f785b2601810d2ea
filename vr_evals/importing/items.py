"""Which item a row is about: found by id or by text in a data set, or made of the row itself."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from vr_evals.benchmarks import Benchmark, Item, Items, RowError
from vr_evals.errors import InputError

__all__ = ["DataSetItems", "OwnItems"]

_OWN_ID = "item_id"
"""A column of data sets with ids of their own, which other files refer to."""


class OwnItems:
    """Items made of the rows themselves, because there is no other data set."""

    def __init__(self, benchmark: Benchmark) -> None:
        self._benchmark = benchmark
        self._found: dict[tuple[Any, ...], Item] = {}
        self._rows: dict[str, tuple[Any, ...]] = {}
        self._fields: list[Mapping[str, Any]] = []

    def find(self, fields: Mapping[str, Any], own_id: str | None = None) -> Item:
        """Return the item that a row has, always the same one for the same fields.

        Args:
            fields: The columns of the item, as in a file of the benchmark.
            own_id: An id that tells items apart whose fields are the same, e.g. because the file
                has only their beginning.

        Raises:
            RowError: The fields are no item.
            InputError: The row has another right answer than an earlier row of the same item.
        """
        self._fields.append(fields)
        key = (own_id, *((name, str(value)) for name, value in sorted(fields.items())))
        if key not in self._found:
            item = self._benchmark.read_item(fields, "import")
            known = self._rows.setdefault(item.id, key)
            if known != key and known[0] != own_id:  # the same text in two items
                item = replace(item, id=f"{item.id}-{own_id}", cluster=f"{item.id}-{own_id}")
                known = self._rows.setdefault(item.id, key)
            if known != key and _differ(self._found[known], item):
                raise InputError(
                    f"item {item.id} has two right answers or option lists, expected one"
                )
            self._found[key] = item
        return self._found[key]

    def check(self, name: str) -> None:
        """Check the items as a whole, e.g. whether indices of options count from 0.

        Args:
            name: The name of the files, for the message.

        Raises:
            InputError: They are not as expected.
        """
        self._benchmark.check_file(self._fields, name)


def _differ(one: Item, other: Item) -> bool:
    return (one.text, one.options, one.target) != (other.text, other.options, other.target)


class DataSetItems:
    """Items of a data set."""

    def __init__(self, benchmark: Benchmark, loaded: Items) -> None:
        self._variable = benchmark.variable
        self._by_id: dict[str, Item] = {}
        self._by_text: defaultdict[str, list[Item]] = defaultdict(list)
        for item in loaded.items:
            self._by_id.setdefault(str(item.metadata.get(_OWN_ID) or item.id), item)
            self._by_text[_folded(item.text)].append(item)
        self._by_id |= {item.id: item for item in loaded.items}
        self._texts = sorted(self._by_text)

    def find(self, fields: Mapping[str, Any], own_id: str | None = None) -> Item:
        """Return the item that a row is about.

        Args:
            fields: What the row has of the item; a text may be its beginning only. Of two items
                with one text, the options tell which.
            own_id: The item's id, if the row has one.

        Raises:
            RowError: None is, or several are.
        """
        text = _folded(fields.get(self._variable) or "")
        item = self._by_id.get(own_id or "")
        if item is not None and _folded(item.text).startswith(text):
            return item
        if not text:
            raise RowError(
                "id not in the data set" if own_id else "neither the id nor the text of an item"
            )
        found = [item for item in self._beginning_with(text) if _fits(item, fields)]
        if len(found) != 1:
            raise RowError(
                "text of several items of the data set" if found else "item not in the data set"
            )
        return found[0]

    def _beginning_with(self, text: str) -> Iterable[Item]:
        if text in self._by_text:
            yield from self._by_text[text]
            return
        place = bisect_left(self._texts, text)
        while place < len(self._texts) and self._texts[place].startswith(text):
            yield from self._by_text[self._texts[place]]
            place += 1

    def within(self, prompt: str) -> Item:
        """Return the item whose text a prompt contains.

        Raises:
            RowError: None is, or several are.
        """
        folded = _folded(prompt)
        found = [text for text in self._texts if text in folded]
        # the text of an item may be part of another's
        longest = [text for text in found if not any(text in other != text for other in found)]
        items = [
            item
            for text in longest
            for item in self._by_text[text]
            if all(_folded(option) in folded for option in item.options)
        ]
        if len(items) != 1:
            raise RowError("prompt of several items" if items else "prompt of no item")
        return items[0]


def _fits(item: Item, fields: Mapping[str, Any]) -> bool:
    """Whether the options of a row are those of an item, or their beginnings."""
    given = [fields[name] for name in sorted(fields) if name.startswith("option_")]
    own = list(map(_folded, item.options))
    return all(any(option.startswith(_folded(text)) for option in own) for text in given if text)


def _folded(text: object) -> str:
    return " ".join(str(text).split())
