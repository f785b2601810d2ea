"""Shares of each kind of wrong option, against plain loops over the rows."""

import math
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from tests.analysis.frames import Row, answer, by_metric, group, in_cell, mean, only, table
from vr_evals.analysis import error_kind
from vr_evals.option_kinds import ERROR_KINDS, GROUND_TRUTH, OPTION_KINDS

GROUPS = {kind: {kind} for kind in ERROR_KINDS} | {
    "surface": {"similar_characters", "based_on_adjectives", "injected_adjectives"},
    "incomplete": {"partial_story"},
}


def rows_of(kinds: Sequence[str | None], **columns: Any) -> list[Row]:
    """A row for each kind of the option chosen: items i0, i1, …; None is unread."""
    return [
        answer(
            f"i{number}",
            None if kind is None else "ABCDE"[OPTION_KINDS.index(kind)],
            benchmark="morables",
            choice_kind=kind,
            **columns,
        )
        for number, kind in enumerate(kinds)
    ]


def uneven(seed: int) -> list[Row]:
    """Two models, two levels; items with and without kinds, epochs that differ in number."""
    random = Random(seed)
    rows = []
    for model in ("m/one", "m/two"):
        for level in (0, 2):
            for number in range(8):
                for epoch in range(1, random.randint(1, 3) + 1):
                    label = random.choice([None, *"AABCDE"])
                    kind = OPTION_KINDS["ABCDE".index(label)] if label and number else None
                    rows.append(
                        answer(
                            f"i{number}",
                            label,
                            benchmark="morables",
                            model=model,
                            level=level,
                            epoch=epoch,
                            cluster=f"c{number // 2}",
                            choice_kind=kind,
                        )
                    )
    random.shuffle(rows)
    return rows


@pytest.mark.parametrize("seed", range(5))
def test_shares_are_those_of_plain_loops(seed: int) -> None:
    rows = uneven(seed)
    frame = error_kind(table(rows))
    for (model, level), of_cell in group(rows, "model", "level").items():
        read = [row for row in of_cell if row.get("choice_kind")]
        wrong = [row for row in read if row["choice_kind"] != GROUND_TRUTH]
        for kind, members in GROUPS.items():
            found = by_metric(frame, model=model, level=level, kind=kind)
            by_item = [
                mean([row["choice_kind"] in members for row in of_item])
                for of_item in group(read, "item").values()
            ]
            assert found["share"].estimate == pytest.approx(mean(by_item))
            assert found["share"].n_samples == len(read)
            assert found["share"].n_items == len(by_item)
            of_errors = mean([row["choice_kind"] in members for row in wrong])
            assert found["share_of_errors"].estimate == pytest.approx(of_errors)
            assert found["share_of_errors"].n_samples == len(wrong)
            assert found["share_of_errors"].reference == len(members) / 4
            for row in found.values():
                assert 0 <= row.low <= row.estimate <= row.high <= 1


def test_intervals_are_by_cluster() -> None:
    kinds = ["similar_characters", "partial_story"] * 10
    alone = table(rows_of(kinds))
    together = alone.assign(
        cluster=alone["choice_kind"].map(dict(zip(kinds[:2], "xy", strict=True))).astype("string")
    )
    one, few = (
        only(error_kind(each), kind="surface", metric="share_of_errors")
        for each in (alone, together)
    )
    assert one.estimate == few.estimate == 0.5
    assert few.high - few.low > one.high - one.low


def test_conditions_and_thinking_are_cells_of_their_own() -> None:
    kinds = ["similar_characters", GROUND_TRUTH]
    rows = rows_of(kinds) + rows_of(kinds[::-1], thinking=True)
    rows += rows_of(["partial_story"], condition="high_harm", level=None)
    frame = in_cell(error_kind(table(rows)), kind="incomplete", metric="share_of_errors")
    assert len(frame) == 3
    assert only(frame, condition="high_harm").estimate == 1


def test_without_errors_their_shares_are_unknown() -> None:
    found = by_metric(error_kind(table(rows_of([GROUND_TRUTH, None]))), kind="surface")
    assert (found["share"].estimate, found["share"].n_samples) == (0, 1)
    assert math.isnan(found["share_of_errors"].estimate)
    assert math.isnan(found["share_of_errors"].low)
    assert found["share_of_errors"].n_samples == 0


def test_cells_without_kinds_have_no_rows() -> None:
    unread = rows_of([None, None], model="m/two")
    assert error_kind(table(unread, answer("i", "B"))).empty
    assert list(error_kind(table(rows_of(OPTION_KINDS), unread))["model"].unique()) == ["m/one"]


def test_another_kind_is_counted_and_in_no_group() -> None:
    rows = rows_of(["similar_characters", "partial_story"])
    rows[0]["choice_kind"] = "another"
    frame = in_cell(error_kind(table(rows)), metric="share_of_errors")
    assert only(frame, kind="another").estimate == 0.5
    assert math.isnan(only(frame, kind="another").reference)
    assert only(frame, kind="surface").estimate == 0
    assert only(frame, kind="incomplete").estimate == 0.5
