"""Which runs are read, of descriptions of runs alone."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vr_evals.analysis.run import Run
from vr_evals.analysis.selection import Selection, Skipped, choose, repeat_reason

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


def first(selection: Selection) -> list[str]:
    """The log of each cell whose samples count before those of others."""
    return [next(group).run.log for _, group in groupby(selection.candidates, lambda c: c.cell)]


def named(selection: Selection) -> list[str]:
    """Every log that is read, or skipped with a reason."""
    return sorted(
        [one.run.log for one in selection.candidates] + [one.log for one in selection.skipped]
    )


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
    assert first(selection) == expected
    assert named(selection) == sorted(run.log for run in runs)
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
        {"settings": {"temperature": 0.7, "version": "1-A"}},
        {"settings": {"temperature": 0.0, "version": "2-A"}},
        {"settings": {"temperature": 0.0, "version": "1-A", "seed": 1}},
    ],
)
def test_runs_that_ask_another_thing_are_no_repetitions(change: dict[str, Any]) -> None:
    selection = choose([made("01"), made("02", **change)])
    assert sorted(first(selection)) == ["01", "02"]
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
def test_unfinished_runs_come_after_finished_ones(runs: list[Run], expected: list[str]) -> None:
    assert first(choose(runs, unfinished=True)) == expected


def test_an_unfinished_run_says_how_it_ended() -> None:
    runs = [made("01"), made("03", status="error", error="Oh.")]
    [skipped] = choose(runs).skipped
    assert skipped == Skipped("03", "unfinished: ended as 'error' (Oh.)")


def better(runs: list[Run], unfinished: bool = False) -> dict[str, str]:
    """By log, the one that has all of its samples, if that one can be read."""
    found = choose(runs, unfinished).candidates
    return {one.run.log: one.better.log for one in found if one.better and one.reason}


@pytest.mark.parametrize(
    ("runs", "found"),
    [
        ([made("01"), made("02")], {}),
        ([made("01", eval_id="e"), made("02", eval_id="e")], {"01": "02"}),
        ([made("01", eval_id="e", scorers=3), made("02", eval_id="e")], {"02": "01"}),
        ([made("01", task_id="t"), made("02", task_id="t")], {"01": "02"}),
        (
            [
                made("01", eval_id="e"),
                made("02", eval_id="e", task_id="t"),
                made("03", task_id="t"),
            ],
            {"01": "02", "02": "03"},
        ),
    ],
)
def test_copies_and_retried_runs_are_read_if_the_better_one_cannot_be(
    runs: list[Run], found: dict[str, str]
) -> None:
    assert better(runs) == found


def test_a_retry_that_was_killed_is_not_better_than_what_it_retried() -> None:
    runs = [made("01", task_id="t", status="error"), made("02", task_id="t", status="started")]
    assert better(runs, unfinished=True) == {}
    runs[1] = made("02", task_id="t")
    assert better(runs, unfinished=True) == {"01": "02"}


def test_conditions_run_alone_and_with_the_others_are_one_cell() -> None:
    together = made("01", conditions=FIVE, samples=50)
    for samples, best in ((20, "02"), (5, "01")):
        alone = made("02", conditions=("high_harm",), samples=samples)
        selection = choose([together, alone])
        assert first(selection) == [best]
        assert len(selection.candidates) == 2


def test_models_of_one_name_are_one() -> None:
    runs = [made("01", model="a/x"), made("02", model="b/x")]
    assert len(first(choose(runs))) == 2
    names = {run.model_key: "x" for run in runs}
    assert first(choose(runs, names=names)) == ["02"]


@pytest.mark.parametrize(
    ("kept", "given_up", "how"),
    [
        (made("01", samples=20), made("02", samples=5), "with more samples (20, not 5)"),
        (made("01", scorers=5), made("02", scorers=3), "with more of the scores"),
        (made("02"), made("01"), "later"),
        (made("01"), made("02", status="error"), "and finished"),
    ],
)
def test_the_reason_says_what_the_log_that_is_kept_has_over_the_other(
    kept: Run, given_up: Run, how: str
) -> None:
    assert first(choose([kept, given_up], unfinished=True)) == [kept.log]
    assert repeat_reason(given_up, kept) == (
        f"duplicate: the same cell was run {how} in {kept.log}, which is used"
    )


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
def test_every_log_is_read_or_named_in_an_order_that_is_not_that_of_the_files(
    runs: list[Run], unfinished: bool, random: Any
) -> None:
    selection = choose(runs, unfinished)
    assert named(selection) == sorted(run.log for run in runs)
    shuffled = random.sample(runs, len(runs))
    assert choose(shuffled, unfinished).candidates == selection.candidates
