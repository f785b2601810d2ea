"""Which runs are read, of descriptions of runs alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vr_evals.analysis.run import Run
from vr_evals.analysis.selection import Selection, choose

FIVE = ("control", "high_help", "high_harm", "low_help", "low_harm")


def made(log: str, **changes: Any) -> Run:
    """A run; its age is its name's."""
    fields: dict[str, Any] = {
        "changed": 0.0,
        "eval_id": f"eval of {log}",
        "task_id": f"task of {log}",
        "task": "ethics_level0",
        "model": "m/one",
        "model_args": {},
        "host": None,
        "benchmark": "ethics",
        "level": 0,
        "thinking": False,
        "conditions": (None,),
        "settings": {"temperature": 0.0, "version": "1-A"},
        "status": "success",
        "error": None,
        "created": f"2026-01-01T00:00:{log}",
        "completed": "",
        "samples": 10,
        "expected": 10,
        "scorers": 2,
        "facts": {},
    }
    return Run(log=log, **{**fields, **changes})


def used(selection: Selection) -> list[str]:
    return [one.run.log for one in selection.used]


CASES: dict[str, tuple[list[Run], list[str]]] = {
    "the newest of equals": ([made("01"), made("03"), made("02")], ["03"]),
    "a smaller top-up": ([made("01", samples=20), made("02", samples=10)], ["01"]),
    "a larger top-up": ([made("01", samples=10), made("02", samples=20)], ["02"]),
    "more epochs": ([made("01", samples=50), made("02", samples=10)], ["01"]),
    "a retry is the newest, not the largest": (
        [made("01", task_id="t", samples=10), made("02", task_id="t", samples=9)],
        ["02"],
    ),
    "a retry of an error": (
        [made("01", task_id="t", status="error"), made("02", task_id="t")],
        ["02"],
    ),
    "an error after a success": (
        [made("01", task_id="t"), made("02", task_id="t", status="error")],
        ["01"],
    ),
    "a copy": ([made("01", eval_id="e"), made("02", eval_id="e")], ["02"]),
    "a copy that was scored anew": (
        [made("01", eval_id="e", scorers=3), made("02", eval_id="e", scorers=1)],
        ["01"],
    ),
    "the level-5 solver on another task": (
        [made("01", scorers=3), made("02", task="ethics_level5", scorers=2)],
        ["01"],
    ),
    "nothing finished": ([made("01", status="error"), made("02", status="started")], []),
}


@pytest.mark.parametrize("case", CASES)
def test_one_run_of_a_cell(case: str) -> None:
    runs, expected = CASES[case]
    selection = choose(runs)
    assert used(selection) == expected
    assert sorted([*used(selection), *(one.log for one in selection.skipped)]) == sorted(
        run.log for run in runs
    )
    assert all(one.reason for one in selection.skipped)


@pytest.mark.parametrize(
    "change",
    [
        {"model": "m/two"},
        {"model_args": {"accuracy": 0.6}},
        {"host": "example.org"},
        {"benchmark": "morables"},
        {"level": 5},
        {"level": None},
        {"thinking": True},
        {"conditions": ("control",)},
        {"settings": {"temperature": 0.7, "version": "1-A"}},
        {"settings": {"temperature": 0.0, "version": "2-A"}},
        {"settings": {"temperature": 0.0, "version": "1-A", "seed": 1}},
    ],
)
def test_runs_that_ask_another_thing_are_no_repetitions(change: dict[str, Any]) -> None:
    selection = choose([made("01"), made("02", **change)])
    assert sorted(used(selection)) == ["01", "02"]
    assert not selection.skipped


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ([made("01", status="started", samples=3)], ["01"]),
        ([made("01", status="error", samples=3), made("02", status="error", samples=5)], ["02"]),
        ([made("01", samples=3), made("02", status="started", samples=9)], ["01"]),
        ([made("01", task_id="t", status="error"), made("02", task_id="t")], ["02"]),
    ],
)
def test_unfinished_runs_count_where_no_other_has_their_cell(
    runs: list[Run], expected: list[str]
) -> None:
    assert used(choose(runs, unfinished=True)) == expected


def test_the_reason_names_the_log_that_is_read() -> None:
    runs = [made("01", samples=20), made("02", samples=5), made("03", status="error", error="Oh.")]
    reasons = {one.log: one.reason for one in choose(runs).skipped}
    assert reasons["02"] == (
        "the same cell was run with more samples (20, not 5) in 01, which is kept"
    )
    assert reasons["03"] == "it is unfinished: it ended as 'error' (Oh.)"


def test_a_condition_that_was_run_alone_and_with_the_others() -> None:
    together = made("01", conditions=FIVE, samples=50)
    alone = made("02", conditions=("high_harm",), samples=20)
    found = {one.run.log: one.conditions for one in choose([together, alone]).used}
    assert found == {"01": set(FIVE) - {"high_harm"}, "02": {"high_harm"}}
    smaller = made("02", conditions=("high_harm",), samples=5)
    selection = choose([together, smaller])
    assert used(selection) == ["01"]
    [skipped] = selection.skipped
    assert "run with more samples (10, not 5) in 01, which is kept" in skipped.reason


@pytest.mark.parametrize(
    ("kept", "given_up", "how"),
    [
        (made("01", samples=20), made("02", samples=5), "with more samples (20, not 5)"),
        (made("01", scorers=5), made("02", scorers=3), "with more of the scores"),
        (made("02"), made("01"), "later"),
        (made("01"), made("02", status="error"), "to its end"),
    ],
)
def test_the_reason_says_what_the_log_that_is_kept_has_over_the_other(
    kept: Run, given_up: Run, how: str
) -> None:
    selection = choose([kept, given_up], unfinished=True)
    assert used(selection) == [kept.log]
    [skipped] = selection.skipped
    assert skipped.log == given_up.log
    assert skipped.reason == f"the same cell was run {how} in {kept.log}, which is kept"


RUNS = st.lists(
    st.builds(
        made,
        st.integers(0, 59).map("{:02}".format),
        eval_id=st.sampled_from("abcdef"),
        task_id=st.sampled_from("uvwxyz"),
        level=st.sampled_from([0, 5]),
        status=st.sampled_from(["success", "error", "started"]),
        samples=st.integers(0, 3),
        conditions=st.sampled_from([(None,), FIVE, ("control",)]),
    ),
    unique_by=lambda run: run.log,
)


@given(RUNS, st.booleans(), st.randoms())
def test_every_log_is_used_or_named_and_no_cell_read_twice(
    runs: list[Run], unfinished: bool, random: Any
) -> None:
    selection = choose(runs, unfinished)
    named = [*used(selection), *(one.log for one in selection.skipped)]
    assert sorted(named) == sorted(run.log for run in runs)
    cells = [(one.run.cell, c) for one in selection.used for c in one.conditions]
    assert len(cells) == len(set(cells))
    shuffled = random.sample(runs, len(runs))
    assert used(choose(shuffled, unfinished)) == used(selection)
