from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.latex import check_latex
from tests.report.studies import HOSTILE
from vr_evals.formatting import shown
from vr_evals.markup import latex, latex_numbers, markdown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("gpt_4 & 50% #1", r"gpt\_4 \& 50\% \#1"),
        (
            r"\input{x} $x^2$ ~",
            r"\textbackslash{}input\{x\} \$x\textasciicircum{}2\$ \textasciitilde{}",
        ),
        ("[1] *", "{[}1{]} {*}"),
        ("a--b---c", "a-{}-b-{}-{}-c"),
        ("level 5 − level 0", "level 5 $-$ level 0"),
        ("Émile Łukasiewicz", r"\'{E}mile \L{}ukasiewicz"),
        ("中", "{[}U+4E2D{]}"),
    ],
)
def test_latex_shows_what_was_given(text: str, expected: str) -> None:
    assert latex(text) == expected


@given(st.one_of(st.text(), st.sampled_from(list(HOSTILE.values()))))
def test_any_text_is_latex_that_compiles(text: str) -> None:
    found = latex(shown(text))
    assert check_latex(
        f"\\begin{{tabular}}{{ll}}\n{found} & 1 \\\\\n{found} & 2 \\\\\n\\end{{tabular}}"
    ) == [2, 2]


def test_numbers_are_latex() -> None:
    found = latex_numbers("−1.2 [−3.0, +0.6] <0.001 50%")
    assert found == r"$-$1.2 [$-$3.0, +0.6] $<$0.001 50\%"


@pytest.mark.parametrize(
    "text", ["a|b", "[x](javascript:1)", "<b>", "**b**", "`c`", "# h", "a_b_c", "&amp;", "\\"]
)
def test_markdown_does_nothing(text: str) -> None:
    found = markdown(text)
    assert re.sub(r"\\([^a-z\s])", r"\1", found) == text
    assert not re.search(r"(?<!\\)[|\[\]<>*`_#&]", found.replace("\\\\", ""))
