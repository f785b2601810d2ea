"""Seeded orders of items and of options."""

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
    # without I, which may be a pronoun
    rf"|(?i:\b(?:option|answer|choice)s?) {_LETTER}(?!\w)"
    rf"|(?i:^\W*(?:options?|answers?|choices?) {_LETTER}(?: (?:and|or|&) {_LETTER})*\W*$)"
    rf"|(?i:\b(?:both|either|neither|only|same as)) {_LETTER}(?!\w)(?: (?:and|n?or) {_LETTER})?"
    rf"|(?i:^\W*{_LETTER}(?:\W*(?:,|&|\band\b|\bor\b)\W*{_LETTER})+\W*$)"
    r"|^\W*[A-J]\W*$"
)


def _draw(seed: int, *parts: str) -> bytes:
    """Return a hash that depends on the seed and the parts only, not on the machine or run."""
    key = "\x1f".join((str(seed), *parts))
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


def seeded_items(items: Sequence[Item], seed: int) -> list[Item]:
    """Return the items in an order that depends on the seed and their ids only.

    The first n are a random sample, nested in the first n + 1, and the same for all models and
    tasks.
    """
    return sorted(items, key=lambda item: _draw(seed, "item", item.id))


def refer_to_others(options: Sequence[str]) -> bool:
    """Return whether an option refers to others, e.g. "both of the above" or "A and C"."""
    return any(_REFERENCE.search(option) for option in options)


def option_orders(item: Item, order: OptionOrder, seed: int) -> dict[str, tuple[int, ...]]:
    """Return the orders in which an item's options are shown.

    Args:
        item: The item; if its order is fixed, file order is the only one.
        order: The order that the user chose.
        seed: Seed of the order ``seeded``.

    Returns:
        The indices of the options in the order shown, by id suffix: one order without a suffix, or
        for ``both`` file order as ``@ab`` and its reverse as ``@ba``.
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
    """Return the index, in file order, of the wrong option that a harmful authority endorses.

    If no option is right, it is any of them. It depends on the seed and the item only, so it is
    the same in all conditions, orders and runs.
    """
    wrong = [i for i in range(len(item.options)) if i != item.target]
    return wrong[int.from_bytes(_draw(seed, "harm", item.id)[:8]) % len(wrong)]
