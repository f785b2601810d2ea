from __future__ import annotations

from pathlib import Path

import pytest

from vr_evals.analysis.plans import Planned, read_plan
from vr_evals.errors import InputError

METRICS = Path(__file__).parents[2] / "docs" / "metrics.md"


def test_the_example_of_the_page_is_a_plan(tmp_path: Path) -> None:
    page = METRICS.read_text(encoding="utf-8")
    start = page.index("    primary:\n")
    path = tmp_path / "study.yaml"
    path.write_text(page[start : page.index("\n\n", start)], encoding="utf-8")
    assert read_plan(path) == (
        Planned("accuracy", "reflective-direct"),
        Planned("overconfidence", "thinking"),
        Planned("accuracy", "thinking_on-off", {"benchmark": "ethics"}),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected a list 'primary'"),
        ("primary: []", "expected a list 'primary'"),
        ("primary: accuracy", "expected a list 'primary'"),
        ("- accuracy", "expected a list 'primary'"),
        ("primary: [{outcome: accuracy}]", "entry 1: expected outcome and contrast"),
        ("primary: [accuracy]", "entry 1: expected outcome and contrast"),
        (
            "primary: [{outcome: accuracy, contrast: thinking, on: ethics}]",
            "unknown key",
        ),
        ("primary: [{outcome: acuracy, contrast: thinking}]", "invalid outcome 'acuracy'"),
        (
            "primary: [{outcome: accuracy, contrast: thinking, by: {item: i0}}]",
            "by maps model, benchmark",
        ),
        ("primary: [{outcome: accuracy, contrast: thinking}]\nalpha: 0.1", "unknown key alpha"),
        ("primary: [", "invalid plan"),
    ],
)
def test_what_is_no_plan_is_one_clear_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said) as error:
        read_plan(path)
    assert "\n" not in error.value.message


def test_a_plan_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none.yaml cannot be read"):
        read_plan(tmp_path / "none.yaml")
