from __future__ import annotations

import math

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
    only,
    studies,
    table,
)
from vr_evals.analysis.accuracy import accuracy
from vr_evals.stats.intervals import wilson_clustered

KEYS = ("model", "benchmark", "level", "thinking")


@settings(deadline=None, max_examples=25)
@given(studies())
def test_each_figure_is_what_plain_loops_make_of_it(rows: list[Row]) -> None:
    frame = accuracy(table(rows))
    cells = group(rows, *KEYS)
    assert len(frame) == 3 * len(cells)
    for key, cell in cells.items():
        with_target = [row for row in cell if row["target"] is not None]
        read = [row for row in with_target if row["label"] is not None]
        for metric, used, counts in (
            ("accuracy", with_target, lambda row: row["label"] == row["target"]),
            ("accuracy_read", read, lambda row: row["label"] == row["target"]),
            ("read_rate", cell, lambda row: row["label"] is not None),
        ):
            units = list(group(used, "item", "option_order").values())
            means = [mean([float(counts(row)) for row in unit]) for unit in units]
            low, high = wilson_clustered(means, [unit[0]["cluster"] for unit in units])
            found = only(frame, metric=metric, **dict(zip(KEYS, key, strict=True)))
            assert found.estimate == pytest.approx(mean(means), nan_ok=True)
            assert found.low == pytest.approx(low, nan_ok=True)
            assert found.high == pytest.approx(high, nan_ok=True)
            assert found.n_items == len({row["item"] for row in used})
            assert found.n_samples == len(used)


def test_unread_answers_are_not_right_or_left_out() -> None:
    frame = accuracy(table(answers("AAB-")))
    assert dict(zip(frame["metric"], frame["estimate"], strict=True)) == pytest.approx(
        {"accuracy": 1 / 2, "accuracy_read": 2 / 3, "read_rate": 3 / 4}
    )


def test_epochs_are_averaged_before_items() -> None:
    rows = [answer("often", "B", epoch=epoch) for epoch in range(1, 10)] + [answer("once", "A")]
    assert accuracy(table(rows))["estimate"][0] == 0.5


def test_dilemmas_without_a_target_have_no_accuracy() -> None:
    rows = [answer("low", "A", "A"), answer("high", "A", None), answer("high2", None, None)]
    found = by_metric(accuracy(table(rows)))
    assert found["accuracy"].n_items == 1
    assert found["read_rate"].estimate == pytest.approx(2 / 3)
    only_high = by_metric(accuracy(table(answer("high", "A", None))))
    assert math.isnan(only_high["accuracy"].estimate)
    assert only_high["accuracy"].n_items == 0


def test_all_right_is_no_certainty() -> None:
    found = accuracy(table(answers("A" * 20)))
    assert found["low"][0] == pytest.approx(0.839, abs=5e-4)


def test_authority_conditions_are_cells() -> None:
    rows = table(
        answers("AAAA", level=None, condition="control"),
        answers("ABBB", level=None, condition="high_harm"),
    )
    frame = in_cell(accuracy(rows), metric="accuracy")
    assert frame["condition"].tolist() == ["control", "high_harm"]
    assert frame["estimate"].tolist() == [1, 0.25]
    assert frame["level"].isna().all()
