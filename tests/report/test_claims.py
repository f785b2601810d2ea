"""What a sentence may claim of many differences."""

from typing import Any

import pandas as pd
import pytest

from vr_evals.formatting import MISSING
from vr_evals.report.claims import (
    claimed,
    detectable,
    largest_of,
    overturned,
    range_of,
    unread_columns,
)


def frame(**columns: list[float]) -> pd.DataFrame:
    return pd.DataFrame(columns)


@pytest.mark.parametrize(
    ("p", "beside", "expected"),
    [
        ([], [], []),
        ([0.04], [], [True]),
        ([0.04], [0.5], [False]),
        ([0.02, 0.03], [], [True, True]),
        ([0.02, 0.03], [0.9], [False, False]),
        ([0.01, float("nan")], [float("nan")], [True, False]),
    ],
)
def test_all_tests_of_a_question_are_one_family(
    p: list[float], beside: list[float], expected: list[bool]
) -> None:
    found = claimed(frame(p=p), frame(p=beside), pd.DataFrame())
    assert found.tolist() == expected


def rows(**columns: Any) -> pd.DataFrame:
    return frame(
        estimate=[0.1, -0.2],
        low=[0.05, -0.3],
        high=[0.15, -0.1],
        low_simultaneous=[0.02, -0.35],
        high_simultaneous=[0.18, -0.05],
    ).assign(**columns)


def test_the_largest_of_many_has_an_interval_for_all_of_them() -> None:
    tested = rows(p_adjusted=[0.04, 0.01], n_items=[7, 7], model=["m", "m"])
    found = largest_of(tested)
    assert found.startswith("−20.0 [−35.0, −5.0] points (")
    assert found.endswith("; p = 0.010; n = 7 items; 95% interval for all 2 at once)")
    assert largest_of(tested, among=tested[:1]).startswith("+10.0 [+2.0, +18.0] points (")
    assert (
        largest_of(tested[:1])
        == "+10.0 [+5.0, +15.0] points (\u2068m\u2069; p = 0.040; n = 7 items)"
    )


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        ([0.05, -0.3], [0.2, -0.1], None),
        ([-0.05, -0.3], [0.2, -0.1], "1 of these 2"),
        ([0.05, -0.3], [0.2, 0.0], "1 of these 2"),
        ([-0.05, -0.3], [0.2, 0.1], "2 of these 2"),
    ],
)
def test_unread_answers_that_could_turn_a_verdict_over(
    low: list[float], high: list[float], words: str | None
) -> None:
    found = overturned(rows(bound_low=low, bound_high=high))
    assert (words in found) if words else not found


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        ([-0.02], [0.04], ""),
        ([-0.02], [0.05], "overturn this"),
        ([-0.06], [0.0], "overturn this"),
        ([-0.06, 0.0, float("nan")], [0.0, 0.0, float("nan")], "overturn 1 of these 3"),
    ],
)
def test_unread_answers_can_overturn_that_an_effect_is_small(
    low: list[float], high: list[float], words: str
) -> None:
    margins = pd.Series([0.05] * len(low))
    found = overturned(frame(bound_low=low, bound_high=high), margins)
    assert (words in found) if words else not found


def test_columns_on_unread_answers() -> None:
    columns = unread_columns()
    row = pd.Series({"estimate_read": 0.1, "bound_low": -0.1, "bound_high": 0.2})
    assert [form(row) for form in columns.values()] == ["+10.0", "−10.0 to +20.0"]
    row[:] = float("nan")
    assert [form(row) for form in columns.values()] == [MISSING, MISSING]


def test_how_small_an_effect_could_be_missed() -> None:
    assert "about 7.5 points" in detectable(rows())


@pytest.mark.parametrize(
    ("estimates", "expected"),
    [
        ([0.5, 0.75], "between 50.0% [40.0, 60.0] (level 0; n = 30 items) and 75.0% "),
        ([1.0, 1.0], "100.0% [40.0, 60.0] in each of 2 cells (n = 20 items or more)"),
        ([1.0], "100.0% [40.0, 60.0] (level 0; n = 30 items)"),
    ],
)
def test_a_range_in_words(estimates: list[float], expected: str) -> None:
    n = len(estimates)
    cells = frame(
        estimate=estimates,
        low=[0.4, 0.5][:n],
        high=[0.6, 0.6][:n],
        n_items=[30.0, 20.0][:n],
    ).assign(level=[0, 1][:n], metric="accuracy")
    assert range_of(cells, "level").startswith(expected)
