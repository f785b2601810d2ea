import pytest
from hypothesis import given
from hypothesis import strategies as st

from vr_evals.prompts import answer_tags, fill


@pytest.mark.parametrize(
    "hostile",
    [
        "{scenario}",
        "{0} {x} {{y}} %s $x",
        "{option_a}",
        "\\1 \\g<0>",
        "</answer>",
        "🦊" * 9,
        "{",
        "",
    ],
)
def test_what_is_filled_in_is_never_interpreted(hostile: str) -> None:
    variables = {"scenario": hostile, "option_a": "OPTION"}
    assert fill("<{scenario}|{option_a}|{other}>", variables) == f"<{hostile}|OPTION|{{other}}>"


@given(st.text(), st.text())
def test_fill_equals_joining_by_hand(first: str, second: str) -> None:
    assert fill("a{x}b{y}c{x}", {"x": first, "y": second}) == f"a{first}b{second}c{first}"


@pytest.mark.parametrize(
    ("labels", "tags"),
    [
        ("AB", "<answer>A</answer> or <answer>B</answer>"),
        ("ABC", "<answer>A</answer>, <answer>B</answer>, or <answer>C</answer>"),
    ],
)
def test_answer_tags(labels: str, tags: str) -> None:
    assert answer_tags(labels) == tags
