"""Parameters of which a few are run each time; ``make test-slow`` runs the others, too."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import pytest

__all__ = ["first_of_each", "some_quick"]


def some_quick(cases: Iterable[Any], is_quick: Callable[[Any], bool]) -> list[Any]:
    """The cases, of which those that are not quick are marked as slow."""
    return [
        case
        if is_quick(case)
        else pytest.param(*(case if isinstance(case, tuple) else [case]), marks=pytest.mark.slow)
        for case in cases
    ]


def first_of_each(
    cases: Iterable[Any], kind: Callable[[Any], Hashable], number: int = 1
) -> list[Any]:
    """The cases, of which all but the first of each kind are slow."""
    seen: Counter[Hashable] = Counter()

    def is_quick(case: Any) -> bool:
        seen[kind(case)] += 1
        return seen[kind(case)] <= number

    return some_quick(cases, is_quick)
