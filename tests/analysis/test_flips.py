from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings

from tests.analysis.frames import (
    Row,
    answer,
    answers,
    by_metric,
    group,
    in_cell,
    mean,
    studies,
    table,
)
from vr_evals.analysis.flips import flips
from vr_evals.stats.flips import flip_rates
from vr_evals.stats.intervals import wilson_clustered

METRICS = (
    "flip",
    "good_flip",
    "bad_flip",
    "other_flip",
    "good_flip_of_wrong",
    "bad_flip_of_right",
)


def read_choices(rows: list[Row]) -> list[str]:
    return [row["choice"] for row in rows if row["choice"] is not None]


def flips_of_unit(side: list[Row], reference: list[Row]) -> dict[str, float] | None:
    """Shares of a unit's answers by kind, over what they may be over; None if it is left out."""
    ranked = Counter(read_choices(reference)).most_common()
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]) or not read_choices(side):
        return None
    base, right = ranked[0][0], side[0]["right_choice"]
    shares = dict.fromkeys(METRICS[:4], 0.0)
    for choice in read_choices(side):
        if choice != base:
            kind = "good" if choice == right else "bad" if base == right else "other"
            shares[f"{kind}_flip"] += 1 / len(read_choices(side))
            shares["flip"] += 1 / len(read_choices(side))
    if right is not None and base == right:
        shares["bad_flip_of_right"] = shares["bad_flip"]
    elif right is not None:
        shares["good_flip_of_wrong"] = shares["good_flip"]
    return shares


@settings(deadline=None, max_examples=20)
@given(studies())
def test_flips_between_cells_are_what_plain_loops_make_of_them(rows: list[Row]) -> None:
    frame = flips(table(rows))
    cells = group(rows, "model", "level", "thinking")
    for (model, level, thinking), side in cells.items():
        for comparison, key in (
            ("level0", (model, 0, thinking) if level else None),
            ("thinking_off", (model, level, False) if thinking else None),
        ):
            keys = {"model": model, "level": level, "thinking": thinking}
            found = in_cell(frame, comparison=comparison, **keys)
            assert len(found) == (6 if key in cells else 0)
            if key in cells:
                check(by_metric(found), side, cells[key])


def check(found: dict[str, Any], side: list[Row], reference: list[Row]) -> None:
    units, others = (group(rows, "item", "option_order") for rows in (side, reference))
    shared = set(units) & set(others)
    kinds = {key: flips_of_unit(units[key], others[key]) for key in shared}
    for metric in METRICS:
        used = [key for key, shares in kinds.items() if shares is not None and metric in shares]
        values = [shares[metric] for key in used if (shares := kinds[key]) is not None]
        row = found[metric]
        assert row.estimate == pytest.approx(mean(values), nan_ok=True)
        clusters = [units[key][0]["cluster"] for key in used]
        assert (row.low, row.high) == pytest.approx(
            wilson_clustered([min(value, 1) for value in values], clusters), nan_ok=True
        )
        assert row.n_items == len({item for item, _ in used})
        assert row.n_samples == sum(
            len(read_choices(unit[key])) for unit in (units, others) for key in used
        )
        items = {item for item, _ in shared}
        assert row.n_unpaired == len({item for item, _ in {*units, *others}} - items)
        usable = {item for (item, _), shares in kinds.items() if shares is not None}
        assert row.n_left_out == len(items - usable)


@settings(deadline=None, max_examples=20)
@given(studies(levels=[0, 5]))
def test_flips_between_passes_are_those_of_a_log(rows: list[Row]) -> None:
    frame = flips(table(rows))
    for (model, thinking), cell in group(
        [row for row in rows if row["level"] == 5], "model", "thinking"
    ).items():
        expected = flip_rates(
            (row["first_choice"], row["choice"], row["right_choice"]) for row in cell
        )
        found = by_metric(frame, comparison="first_pass", model=model, thinking=thinking)
        for metric in METRICS:
            assert found[metric].estimate == pytest.approx(getattr(expected, metric), nan_ok=True)
        assert found["flip"].n_samples == expected.n
        assert found["good_flip_of_wrong"].n_samples == expected.began_wrong
        assert found["bad_flip_of_right"].n_samples == expected.began_right
    assert set(in_cell(frame, comparison="first_pass")["level"]) <= {5}


def test_by_hand() -> None:
    said = "01243"  # the letter A to E of each choice is 0 to 4
    letters = ["ABCDE"[int(choice)] for choice in said]
    rows = table(
        (answer(f"i{i}", "A", benchmark="morables") for i in range(5)),
        (
            answer(f"i{i}", letter, benchmark="morables", level=1)
            for i, letter in enumerate(letters)
        ),
        (answer("w", "B", benchmark="morables"), answer("w", "A", benchmark="morables", level=1)),
        (answer("o", "B", benchmark="morables"), answer("o", "C", benchmark="morables", level=1)),
    )
    found = by_metric(flips(rows))
    assert {metric: row.estimate for metric, row in found.items()} == pytest.approx(
        {
            "flip": 6 / 7,
            "good_flip": 1 / 7,
            "bad_flip": 4 / 7,
            "other_flip": 1 / 7,
            "good_flip_of_wrong": 1 / 2,
            "bad_flip_of_right": 4 / 5,
        }
    )


def test_choices_are_compared_whatever_order_they_are_shown_in() -> None:
    rows = table(
        answer("i", "A", "A", shown=("action1", "action2")),
        answer("i", "B", "B", shown=("action2", "action1"), level=1),
    )
    assert by_metric(flips(rows))["flip"].estimate == 0


def test_unread_answers_and_ties_are_left_out_and_counted() -> None:
    rows = table(
        answers("A-A"),
        answers("A-B", epoch=2),
        answers("BA-", level=1),
        answer("other", "A", level=1),
    )
    found = by_metric(flips(rows))["flip"]
    assert (found.estimate, found.n_items, found.n_samples) == (1, 1, 3)
    assert (found.n_left_out, found.n_unpaired) == (2, 1)


def test_changes_where_nothing_is_right_are_other_flips() -> None:
    rows = table(answer("i", "A", None), answer("i", "B", None, level=1))
    found = by_metric(flips(rows))
    assert found["other_flip"].estimate == 1
    assert math.isnan(found["bad_flip_of_right"].estimate)
    assert found["bad_flip_of_right"].n_items == 0


def test_the_same_answers_do_not_flip() -> None:
    found = by_metric(flips(table(answers("AB" * 20), answers("AB" * 20, level=1))))
    assert found["flip"].estimate == 0
    assert found["flip"].high > 0.05


def test_other_settings_are_not_compared_but_named() -> None:
    frame = flips(table(answers("AA"), answers("BB", level=1, version="2-A")))
    assert len(frame) == 0
    assert "version (2-A and 1-A)" in frame.attrs["notes"][0]
