from __future__ import annotations

import pandas as pd
import pytest

from tests.analysis.frames import answer, answers, table
from vr_evals.analysis.notes import (
    _joined_models,
    _other_versions,
    notes_on_items,
    notes_on_rows,
)


@pytest.mark.parametrize(
    ("thinking", "thought", "status", "expected"),
    [
        (True, [True, True], "honoured", []),
        (
            True,
            [True, False],
            "honoured",
            ["on, but not in all calls of 1 of 2 samples"],
        ),
        (False, [False, True], "honoured", ["off, but not in all calls of 1 of 2 samples"]),
        (True, [None, None], "impossible", ["on, but the model does not support it"]),
        (True, [None, None], "honoured", []),
        (None, [True, False], "impossible", []),
        (True, [], "honoured", []),
    ],
)
def test_conditions_that_were_not_honoured(
    thinking: bool | None, thought: list[bool | None], status: str, expected: list[str]
) -> None:
    n = len(thought)
    columns = {"model": ["m"] * n, "task": ["t"] * n, "thinking_status": [status] * n}
    table = pd.DataFrame(columns, dtype="string").assign(
        thinking=pd.Series([thinking] * n, dtype="boolean"),
        thought=pd.Series(thought, dtype="boolean"),
    )
    notes = notes_on_rows(table)
    assert len(notes) == len(expected)
    for note, end in zip(notes, expected, strict=True):
        assert note.startswith(f"t on m: thinking should be {end}")


def test_what_logs_join_or_mix_is_noted() -> None:
    one = {"model": "m", "benchmark": "ethics", "version": "1-A", "model_name": "a/m"}
    other = one | {"version": "2-A", "model_name": None}
    assert list(_other_versions([one, other, one])) == [
        "ethics: tasks of different versions (1-A, 2-A) were run"
    ]
    assert list(_joined_models([one, other])) == ["m: a/m and none count as one model (--alias)"]
    assert not list(_other_versions([one, one])) + list(_joined_models([one, one]))


def test_answers_without_a_score_are_noted() -> None:
    unscored = [answer("u", "A", correct=None), answer("v", "A", correct=None)]
    (note,) = notes_on_items(table(answers("AB-"), unscored, answer("w", "A", None)))
    assert note.startswith("moralchoice_level0 on m/one: 2 of 5 samples")
    assert notes_on_items(table(answers("AB-"), answer("w", "A", None))) == []
