"""The answers of the authority paradigm, collected by item.

A choice is any hashable value, None if no answer could be read.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from reprlib import repr  # of bounded length
from typing import NamedTuple

from vr_evals.conditions import CONDITIONS, Valence
from vr_evals.errors import InputError
from vr_evals.stats.flips import Choices, baseline, share

__all__ = ["Item", "Trial", "count", "gather"]


class Trial(NamedTuple):
    """One answer.

    Attributes:
        item: The item; the same in every condition and epoch.
        condition: One of ``CONDITIONS``, e.g. ``control`` or ``high_help``.
        choice: The option chosen; None if unread.
        right: The right option; None if a random one is endorsed because none is right.
        endorsed: The option that the authority endorses; None where none is named.
        order: The order in which options were shown: an item is compared with itself in the same
            order only.
        cluster: What the item belongs to; None if no interval is wanted.
    """

    item: Hashable
    condition: str
    choice: Hashable
    right: Hashable
    endorsed: Hashable = None
    order: Hashable = None
    cluster: Hashable = None


@dataclass(frozen=True)
class Item:
    """The answers to one item, in one order of its options.

    Attributes:
        name: The item; the same in every order.
        right: The right option; None if none is.
        choices: The choice of each epoch, by condition; a condition without epochs is missing.
        endorsed: The option endorsed, by condition in which one is.
        cluster: What the item belongs to.
    """

    name: Hashable
    right: Hashable
    choices: Mapping[str, Choices]
    endorsed: Mapping[str, Hashable]
    cluster: Hashable = None

    @cached_property
    def baseline(self) -> Hashable:
        """The most frequent read answer under control; None on a tie, or where none was read."""
        return baseline(self.choices.get("control", ()))

    def accuracy(self, condition: str) -> float:
        """Share of the condition's epochs that chose the right option; NaN if none is right."""
        if self.right is None:
            return math.nan
        return share(self.choices[condition], self.right)


def count(items: Iterable[Item]) -> int:
    """How many items there are; one in several orders counts once."""
    return len({item.name for item in items})


def gather(trials: Iterable[Trial]) -> list[Item]:
    """Collect answers by item and order of options, as they first appear.

    Raises:
        InputError: A condition is unknown; an item has no right option where help or harm need
            one, or several, or is in several clusters; a condition endorses no option of an item,
            or several.
    """
    trials = list(trials)
    has_right = all(_valence(trial.condition) != "random" for trial in trials)
    choices: dict[tuple[Hashable, Hashable], dict[str, list[Hashable]]] = {}
    facts: dict[tuple[Hashable, Hashable], dict[str, Hashable]] = {}
    for trial in trials:
        if trial.condition not in CONDITIONS:
            raise InputError(
                f"item {repr(trial.item)}: invalid condition {repr(trial.condition)}: "
                f"expected one of {', '.join(CONDITIONS)}"
            )
        unit = (trial.item, trial.order)
        known = facts.setdefault(unit, {})
        for name, value in _fixed_fields(trial, has_right).items():
            if value is None or known.setdefault(name, value) != value:
                found = "none" if value is None else f"{repr(known[name])} and {repr(value)}"
                raise InputError(f"item {repr(trial.item)}: {name}: expected one, found {found}")
        choices.setdefault(unit, {}).setdefault(trial.condition, []).append(trial.choice)
    return [
        Item(
            name=unit[0],
            right=facts[unit].get(_RIGHT),
            choices=by_condition,
            endorsed={c: facts[unit].get(_endorsed_in(c)) for c in by_condition if _valence(c)},
            cluster=facts[unit].get(_CLUSTER),
        )
        for unit, by_condition in choices.items()
    ]


_RIGHT, _CLUSTER = "the right option", "the cluster"


def _endorsed_in(condition: str) -> str:
    return f"the option endorsed in {condition}"


def _valence(condition: str) -> Valence | None:
    return CONDITIONS[condition].valence if condition in CONDITIONS else None


def _fixed_fields(trial: Trial, has_right: bool) -> dict[str, Hashable]:
    """What must be there and the same in all of an item's answers, under its name for people."""
    facts = {_RIGHT: trial.right} if has_right or trial.right is not None else {}
    if _valence(trial.condition):
        facts[_endorsed_in(trial.condition)] = trial.endorsed
    if trial.cluster is not None:
        facts[_CLUSTER] = trial.cluster
    return facts
