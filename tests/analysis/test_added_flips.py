"""What reflection adds to being asked twice, against plain loops over the rows."""

import math
from random import Random
from typing import Any

import pytest

from tests.analysis.frames import Row, answer, by_metric, in_cell, mean, only, table
from vr_evals.analysis import flips
from vr_evals.analysis.added_flips import ADDED_FLIPS


def uneven(seed: int) -> list[Row]:
    """Both forms of the second call: items in one or both, epochs that differ in number."""
    random = Random(seed)
    rows = []
    for form in ("conversation", "reask"):
        for number in range(12):
            if random.random() < 0.15:
                continue
            for epoch in range(1, random.randint(1, 3) + 1):
                rows.append(
                    answer(
                        f"i{number}",
                        random.choice([None, *"AABC"]),
                        None if number == 3 else "A",
                        benchmark="morables",
                        level=5,
                        epoch=epoch,
                        second_pass=form,
                        first_label=random.choice([None, *"AABC"]),
                    )
                )
    random.shuffle(rows)
    return rows


def share(rows: list[Row], kinds: set[str]) -> float:
    return mean([row["reflection"] in kinds for row in rows])


@pytest.mark.parametrize("seed", range(6))
def test_differences_are_those_of_plain_loops(seed: int) -> None:
    rows = uneven(seed)
    found = by_metric(in_cell(flips(table(rows)), comparison="reflection"))
    read = [row for row in rows if row["reflection"] is not None]
    wrong = [row for row in read if row["target"] and not row["first_correct"]]
    right = [row for row in read if row["target"] and row["first_correct"]]
    targeted = [row for row in read if row["target"]]
    for metric, plus, minus, used in (
        ("added_flip", {"good_flip", "bad_flip", "other_flip"}, set(), read),
        ("added_good_flip", {"good_flip"}, set(), read),
        ("added_bad_flip", {"bad_flip"}, set(), read),
        ("added_other_flip", {"other_flip"}, set(), read),
        ("added_good_flip_of_wrong", {"good_flip"}, set(), wrong),
        ("added_bad_flip_of_right", {"bad_flip"}, set(), right),
        ("added_net_flip", {"good_flip"}, {"bad_flip"}, targeted),
    ):
        by_item, n_samples = [], 0
        for item in sorted({row["item"] for row in used}):
            sides = [
                [row for row in used if (row["item"], row["second_pass"]) == (item, form)]
                for form in ("conversation", "reask")
            ]
            if all(sides):
                side, control = (share(each, plus) - share(each, minus) for each in sides)
                by_item.append(side - control)
                n_samples += sum(map(len, sides))
        row = found[metric]
        assert row.estimate == pytest.approx(mean(by_item), nan_ok=True), metric
        assert (row.n_items, row.n_samples) == (len(by_item), n_samples), metric
        if by_item and not math.isnan(row.low):
            assert row.low <= row.estimate <= row.high
    assert set(found) == set(ADDED_FLIPS)


def level5(form: str, first: str, final: str, **columns: Any) -> list[Row]:
    return [
        answer(f"i{n}", b, level=5, second_pass=form, first_label=a, **columns)
        for n, (a, b) in enumerate(zip(first, final, strict=True))
    ]


def test_the_sign_is_reflection_less_asking_again() -> None:
    rows = level5("conversation", "BBBB", "AAAA") + level5("reask", "BBBB", "BBBA")
    frame = flips(table(rows))
    found = by_metric(in_cell(frame, comparison="reflection"))
    assert found["added_flip"].estimate == found["added_net_flip"].estimate == 0.75
    assert only(frame, comparison="first_pass", metric="flip").estimate == 1
    assert only(frame, comparison="reask", metric="flip").estimate == 0.25
    assert found["added_flip"].variant == "second_pass=reask→conversation"
    tested = in_cell(frame, comparison="reflection")
    assert set(tested[tested["p"].notna()]["metric"]) == {"added_flip", "added_net_flip"}


def test_standalone_differs_in_the_conversation_too_and_is_not_compared() -> None:
    rows = level5("standalone", "AB", "AA") + level5("reask", "AB", "AB")
    frame = flips(table(rows))
    assert in_cell(frame, comparison="reflection").empty
    assert not frame.attrs["refusals"]


def test_another_setting_that_differs_is_refused_by_name() -> None:
    rows = level5("conversation", "AB", "AA") + level5("reask", "AB", "AB", temperature=1.0)
    frame = flips(table(rows))
    assert in_cell(frame, comparison="reflection").empty
    [refusal] = frame.attrs["refusals"]
    assert refusal["settings"] == (("temperature", "1", "0"),)


def test_models_thinking_and_conditions_are_compared_within() -> None:
    rows = []
    for columns in ({}, {"model": "m/two"}, {"thinking": True}, {"condition": "high_harm"}):
        rows += level5("conversation", "BB", "AA", **columns)
        rows += level5("reask", "BB", "BB", **columns)
    frame = in_cell(flips(table(rows)), comparison="reflection", metric="added_flip")
    assert frame["estimate"].tolist() == [1.0] * 4
