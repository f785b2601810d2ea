from __future__ import annotations

import math

import pytest
from hypothesis import given
from scipy.stats import norm

from tests.analysis.frames import Row, answers, group, only, studies, table
from tests.analysis.test_changes import check
from tests.strategies import examples
from vr_evals.analysis.compare_models import compare_models


@examples(15)
@given(studies(models=["m/one", "m/two", "m/three"], levels=[0, 1]))
def test_each_figure_is_what_plain_loops_make_of_it(rows: list[Row]) -> None:
    frame = compare_models(table(rows))
    cells = group(rows, "model", "level", "thinking")
    expected = 0
    for (model, level, thinking), side in cells.items():
        for versus in ("m/one", "m/two", "m/three"):
            if model < versus and (versus, level, thinking) in cells:
                expected += 1
                keys = {"model": model, "versus": versus, "level": level, "thinking": thinking}
                check(only(frame, **keys), side, cells[versus, level, thinking])
    assert len(frame) == expected


def test_by_hand() -> None:
    rows = table(answers("AAAAAAAA", model="b"), answers("AABBBBBB", model="a"))
    found = only(compare_models(rows))
    assert (found.model, found.versus, found.metric) == ("a", "b", "accuracy_difference")
    assert found.estimate == -0.75
    assert found.p == pytest.approx(2 * norm.sf(math.sqrt(6)))  # McNemar's χ² of 0 and 6
    assert found.high < 0


def test_other_levels_conditions_and_benchmarks_are_not_compared() -> None:
    rows = table(
        answers("AA", model="a"),
        answers("AA", model="b", level=1),
        answers("AA", model="c", thinking=True),
        answers("AA", model="d", level=None, condition="control"),
        answers("AA", model="e", benchmark="morables"),
    )
    assert len(compare_models(rows)) == 0


def test_other_settings_are_not_compared_but_named() -> None:
    rows = table(
        answers("AA", model="a"),
        answers("AA", model="b", temperature=0.5),
        answers("AA", model="b"),
    )
    frame = compare_models(rows)
    assert frame["variant"].tolist() == ["temperature=0"]
    assert frame.attrs["notes"] == [
        "b, moralchoice, level 0, thinking off, temperature=0.5: not compared with a, "
        "because settings differ: temperature (0.5 and 0)."
    ]
