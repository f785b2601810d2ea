"""Whole characters, and messages in one line."""

import pytest
from hypothesis import given

from tests.strategies import texts
from vr_evals.characters import replace_lone_surrogates
from vr_evals.errors import InputError
from vr_evals.terminal import shortened


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("plain", "plain"),
        ("grün 👩\u200d🚀", "grün 👩\u200d🚀"),
        ("a\ud800b", "a\ufffdb"),
        ("\udfff", "\ufffd"),
        # two halves that make a pair are one character
        ("\ud83d\ude80", "🚀"),
        ("\ude80\ud83d", "\ufffd\ufffd"),
    ],
)
def test_half_a_surrogate_pair_is_replaced(text: str, expected: str) -> None:
    assert replace_lone_surrogates(text) == expected


@given(texts())
def test_any_text_becomes_one_that_a_file_can_hold(text: str) -> None:
    found = replace_lone_surrogates(text)
    found.encode("utf-8")
    assert replace_lone_surrogates(found) == found


@pytest.mark.parametrize(
    ("text", "length", "expected"),
    [("abcdef", 6, "abcdef"), ("abcdefg", 6, "ab … g"), ("abcdefg", 3, " … "), ("", 3, "")],
)
def test_the_middle_of_a_long_text_is_left_out(text: str, length: int, expected: str) -> None:
    assert shortened(text, length) == expected


@given(texts())
def test_an_error_is_one_line_that_any_terminal_can_show(text: str) -> None:
    message = InputError(f"items.csv: found {text}; wanted another").message
    assert message.isprintable()
    assert message.startswith("items.csv: found ")


def test_an_error_that_quotes_a_megabyte_keeps_both_ends() -> None:
    message = InputError(f"items.csv: found {'x' * 10**6}; wanted another").message
    assert len(message) <= 2000
    assert message.startswith("items.csv: found ")
    assert message.endswith("; wanted another")


def test_an_error_that_quotes_control_characters_is_no_longer_than_others() -> None:
    message = InputError(f"items.csv: found {chr(27) * 5000}; wanted another").message
    assert len(message) <= 2000
    assert message.endswith("; wanted another")
