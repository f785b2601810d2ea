from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given

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
from tests.strategies import examples
from vr_evals.analysis.flips import flips
from vr_evals.stats.flips import flip_rates

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


@examples(8)
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
            assert len(found) == (11 if key in cells else 0)
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
        if not math.isnan(row.low):
            assert row.low <= row.estimate <= row.high
            assert row.high - row.low > 1e-6
        assert row.n_items == len({item for item, _ in used})
        assert row.n_samples == sum(
            len(read_choices(unit[key])) for unit in (units, others) for key in used
        )
        items = {item for item, _ in shared}
        assert row.n_unpaired == len({item for item, _ in {*units, *others}} - items)
        usable = {item for (item, _), shares in kinds.items() if shares is not None}
        assert row.n_left_out == len(items - usable)
    noise = noise_by_hand([(units[key], others[key]) for key in shared if read_choices(units[key])])
    for metric, values in noise.items():
        assert found[metric].estimate == pytest.approx(mean(values), nan_ok=True, abs=1e-9), metric
    for metric in ("excess_flip", "net_flip"):
        row = found[metric]
        if not math.isnan(row.p):
            assert (row.p < 0.05) == (row.low > 0 or row.high < 0)


def noise_by_hand(pairs: list[tuple[list[Row], list[Row]]]) -> dict[str, list[float]]:
    """Each answer of the reference against the majority of the others to its unit."""
    found: dict[str, list[float]] = {
        name: []
        for name in (
            "flip_floor",
            "excess_flip",
            "net_flip",
            "excess_good_flip_of_wrong",
            "excess_bad_flip_of_right",
        )
    }
    for side, reference in pairs:
        said, control, right = read_choices(side), read_choices(reference), side[0]["right_choice"]
        rights = mean([float(choice == right) for choice in said])
        for j, own in enumerate(control):
            ranked = Counter(control[:j] + control[j + 1 :]).most_common()
            if right is not None:
                found["net_flip"].append(rights - (own == right))
            if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
                continue
            base = ranked[0][0]
            found["flip_floor"].append(float(own != base))
            flips = mean([float(choice != base) for choice in said])
            found["excess_flip"].append(flips - (own != base))
            if right is not None and base == right:
                found["excess_bad_flip_of_right"].append(1 - rights - (own != right))
            elif right is not None:
                found["excess_good_flip_of_wrong"].append(rights - (own == right))
    return found


@examples(8)
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
    assert {metric: found[metric].estimate for metric in METRICS} == pytest.approx(
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


@pytest.mark.parametrize("vary", [{"level": 1}, {"thinking": True}])
def test_two_runs_of_the_same_process_have_no_excess(vary: dict[str, Any]) -> None:
    """Their flips look like much, beyond noise there is nothing."""
    generator = np.random.default_rng(0)
    rows = [
        answer(
            f"i{item}",
            "ABCDE"[generator.choice(5, p=[p, *[(1 - p) / 4] * 4])],
            benchmark="morables",
            epoch=epoch,
            **keys,
        )
        for item, p in enumerate(generator.uniform(0.3, 0.9, 200))
        for keys in ({}, vary)
        for epoch in range(1, 6)
    ]
    found = by_metric(flips(table(rows)))
    assert found["flip"].estimate > 0.25
    assert found["good_flip_of_wrong"].estimate > 0.25
    for metric in ("excess_flip", "net_flip"):
        assert found[metric].p > 0.05
    for metric in ("excess_good_flip_of_wrong", "excess_bad_flip_of_right", "excess_flip"):
        assert found[metric].low < 0 < found[metric].high
    assert found["flip_floor"].estimate == pytest.approx(found["flip"].estimate, abs=0.05)


def test_asked_once_there_is_no_noise_floor_and_that_is_noted() -> None:
    found = by_metric(flips(table(answers("AABBA"), answers("ABABA", level=1))))
    for metric in ("flip_floor", "excess_flip", "excess_good_flip_of_wrong"):
        assert math.isnan(found[metric].estimate)
        assert "asked once" in found[metric].note
    assert found["net_flip"].estimate == 0
    assert found["net_flip"].p == 1


def test_good_flips_are_tested_against_bad_ones() -> None:
    found = by_metric(flips(table(answers("B" * 10 + "A" * 10), answers("A" * 19 + "B", level=1))))
    net = found["net_flip"]
    assert net.estimate == pytest.approx(9 / 20)
    assert net.estimate == pytest.approx(found["good_flip"].estimate - found["bad_flip"].estimate)
    assert net.p < 0.01
    assert net.low > 0


def test_a_second_pass_is_compared_with_other_first_passes() -> None:
    """A second pass that draws again flips much, and no more than another first pass does."""
    generator = np.random.default_rng(2)
    again, kept = (
        [
            answer(f"i{item}", final, level=5, epoch=epoch, first_label=first)
            for item, p in enumerate(generator.uniform(0.3, 0.9, 150))
            for epoch in range(1, 5)
            for first in ["AB"[int(generator.random() > p)]]
            for final in [first if keep else "AB"[int(generator.random() > p)]]
        ]
        for keep in (False, True)
    )
    found = by_metric(flips(table(again)), comparison="first_pass")
    assert found["flip"].estimate > 0.2
    assert found["excess_flip"].p > 0.05
    assert found["net_flip"].p > 0.05
    same = by_metric(flips(table(kept)), comparison="first_pass")
    assert (same["flip"].estimate, same["excess_flip"].estimate, same["net_flip"].p) == (0, 0, 1)
