"""Seeded orders: of items, and of the options of an item."""

import hashlib
import re
from collections.abc import Sequence
from typing import Literal

from vr_evals.benchmarks.benchmark import Item

__all__ = ["OptionOrder", "harmful_option", "option_orders", "refer_to_others", "seeded_items"]

OptionOrder = Literal["seeded", "original", "reversed", "both"]
"""The order in which lettered options are shown."""

_OTHERS = r"(?:these|those|them|(?:the )?others?|the (?:other|first|last) \w+)"
_LETTER = r"\(?[A-HJ]\)?"
_REFERENCE = re.compile(
    r"(?i:\b(?:of|all|both|any|none) the above\b|\bthe above (?:options|answers|choices)\b)"
    # the whole option: "both", "none of these morals", "the first two options"
    rf"|(?i:^\W*(?:all|any|both|either|neither|none|only)(?: of {_OTHERS}(?: \w+)?)?\W*$)"
    r"|(?i:^\W*the (?:first|last|other) (?:\w+ )?(?:option|answer|choice)s?\W*$)"
    # I is left out where it may be a pronoun
    rf"|(?i:\b(?:option|answer|choice)s?) {_LETTER}(?!\w)"
    rf"|(?i:^\W*(?:options?|answers?|choices?) {_LETTER}(?: (?:and|or|&) {_LETTER})*\W*$)"
    rf"|(?i:\b(?:both|either|neither|only|same as)) {_LETTER}(?!\w)(?: (?:and|n?or) {_LETTER})?"
    rf"|(?i:^\W*{_LETTER}(?:\W*(?:,|&|\band\b|\bor\b)\W*{_LETTER})+\W*$)"
    r"|^\W*[A-J]\W*$"
)


def _draw(seed: int, *parts: str) -> bytes:
    """A number that depends on the seed and the parts alone, whatever the machine or the run."""
    key = "\x1f".join((str(seed), *parts))
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


def seeded_items(items: Sequence[Item], seed: int) -> list[Item]:
    """The items in an order drawn from the seed and their ids alone.

    The first n are a fair sample, nested in the first n + 1, and the same for every model and task.
    """
    return sorted(items, key=lambda item: _draw(seed, "item", item.id))


def refer_to_others(options: Sequence[str]) -> bool:
    """Whether an option refers to others, as "both of the above" or "A and C" do."""
    return any(_REFERENCE.search(option) for option in options)


def option_orders(item: Item, order: OptionOrder, seed: int) -> dict[str, tuple[int, ...]]:
    """The orders in which an item is asked.

    Args:
        item: The item; one whose order is fixed is asked once, in file order.
        order: What the user asked for.
        seed: Seed of the order under ``seeded``.

    Returns:
        By id suffix, the indices of the options in the order shown: one order with no suffix, or,
        under ``both``, file order as ``@ab`` and its reverse as ``@ba``.
    """
    original = tuple(range(len(item.options)))
    if order == "both":
        orders = {"@ab": original, "@ba": original[::-1]}
        return {"@ab": original} if item.order_fixed else orders
    if order == "original" or item.order_fixed:
        return {"": original}
    if order == "reversed":
        return {"": original[::-1]}
    return {"": tuple(sorted(original, key=lambda i: _draw(seed, "option", item.id, str(i))))}


def harmful_option(item: Item, seed: int) -> int:
    """The index in file order of the wrong option that a harmful authority endorses.

    It depends on the seed and the item alone: the same in every condition, order and run.
    """
    wrong = [i for i in range(len(item.options)) if i != item.target]
    return wrong[int.from_bytes(_draw(seed, "harm", item.id)[:8]) % len(wrong)]
