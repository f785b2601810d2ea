"""Cells of imported files: what is read, and what is refused."""

from collections.abc import Callable
from typing import Any

import pytest

from vr_evals.benchmarks import RowError
from vr_evals.errors import InputError
from vr_evals.importing import values


@pytest.mark.parametrize(
    ("value", "found"), [(3.0, "3"), (3.5, "3.5"), (" ", None), (["a"], None), (True, "True")]
)
def test_a_value_is_its_text(value: object, found: str | None) -> None:
    assert values.text(value) == found


@pytest.mark.parametrize(
    ("read", "found"),
    [
        (lambda: values.choice(" Reversed", "order", ["original", "reversed"]), "reversed"),
        (lambda: values.choice("up", "order", ["original"]), "invalid order 'up'.*one of original"),
        (lambda: values.flag("TRUE", "shown"), True),
        (lambda: values.flag(None, "shown"), None),
        (lambda: values.flag("maybe", "shown"), "invalid shown 'maybe'.*true or false"),
        (lambda: values.whole_number("3.0", "run"), 3),
        (lambda: values.whole_number("2.5", "run"), "invalid run '2.5'.*whole number of at least"),
        (lambda: values.whole_number(0, "epoch", 1), "invalid epoch '0'.*number of at least 1"),
        (lambda: values.whole_number(2.0**31, "run"), "invalid run '2147483648'"),
        (lambda: values.number("-1", "tokens"), "invalid tokens '-1': expected a number of at"),
    ],
)
def test_a_value_that_is_none_of_its_kind_is_named(read: Callable[[], Any], found: Any) -> None:
    if isinstance(found, str) and " " in found:
        with pytest.raises(RowError, match=found):
            read()
    else:
        assert read() == found


def test_an_unknown_benchmark_is_one_line_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="invalid benchmark 'ethic': expected one of ethics, mcqa"):
        values.benchmark_named("ethic")
