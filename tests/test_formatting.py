"""Numbers and foreign text as the page has them."""

from dataclasses import dataclass

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vr_evals.formatting import (
    count,
    interval,
    isolated,
    listed,
    number,
    p_is,
    p_value,
    percent,
    plural,
    points,
    shown,
    signed,
    some_of,
    thinking_word,
)


@dataclass
class Row:
    estimate: float
    low: float = float("nan")
    high: float = float("nan")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (percent(0.63214), "63.2%"),
        (percent(float("nan")), "–"),
        (percent(pd.NA), "–"),
        (percent(0.63214, 0), "63%"),
        (points(0.0421), "+4.2"),
        (points(-0.0421), "−4.2"),
        (points(-0.0001), "0.0"),
        (number(-0.5, 2), "−0.50"),
        (count(12345.0), "12,345"),
        (count(None), "–"),
        (p_value(0.0004), "<0.001"),
        (p_value(0.0131), "0.013"),
        (p_value(0.5), "0.50"),
        (p_value(float("nan")), "–"),
        (p_is(0.0004), "p < 0.001"),
        (p_is(0.0131), "p = 0.013"),
        (interval(Row(0.632, 0.551, 0.704)), "63.2% [55.1, 70.4]"),
        (interval(Row(0.042, -0.01, 0.094), points), "+4.2 [−1.0, +9.4]"),
        (interval(Row(0.632)), "63.2%"),
        (interval(Row(float("nan"))), "–"),
        (thinking_word(True), "on"),
        (thinking_word(pd.NA), "–"),
        (plural(1, "log"), "1 log"),
        (plural(1000, "log"), "1,000 logs"),
        (listed("abc", limit=2), "a, b, 1 more"),
    ],
)
def test_numbers(text: str, expected: str) -> None:
    assert text == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("two\nlines", "two lines"),
        ("\x1b[31m\x00\x07", "\\x1b[31m\\x00\\x07"),
        ("\u202etxt", "\\u202etxt"),
        ("half \ud800", "half \ufffd"),
        ("שלום 你好 é", "שלום 你好 é"),
        (None, "–"),
        (pd.NA, "–"),
        (float("nan"), "–"),
        ("x" * 85, "x" * 80 + "… (5 more characters)"),
    ],
)
def test_foreign_text(text: object, expected: str) -> None:
    assert shown(text) == expected


@given(st.text(st.characters(), max_size=200))
def test_what_is_shown_can_be_seen_and_written(text: str) -> None:
    found = shown(text)
    assert found.isprintable()
    assert found.encode("utf-8").decode("utf-8") == found
    assert isolated(text) == f"\u2068{found}\u2069"


@pytest.mark.parametrize(
    ("found", "n", "expected"),
    [
        (0, 1, "no cell"),
        (1, 1, "the only cell"),
        (0, 5, "none of 5 cells"),
        (2, 5, "2 of 5 cells"),
        (5, 5, "5 of 5 cells"),
    ],
)
def test_some_of(found: int, n: int, expected: str) -> None:
    assert some_of(found, n, "cell") == expected


def test_a_missing_difference_is_a_dash() -> None:
    assert [signed(value, 2) for value in (None, pd.NA, float("nan"), 0.125)] == [*"–––", "+0.12"]
