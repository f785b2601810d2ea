from __future__ import annotations

import math
from collections import Counter

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
    only,
    studies,
    table,
)
from tests.strategies import examples
from vr_evals.analysis.accuracy import accuracy, labels
from vr_evals.stats.intervals import wilson_clustered

KEYS = ("model", "benchmark", "level", "thinking")


@examples(8)
@given(studies())
def test_each_figure_is_what_plain_loops_make_of_it(rows: list[Row]) -> None:
    frame = accuracy(table(rows))
    cells = group(rows, *KEYS)
    assert len(frame) == 5 * len(cells)
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
            low, high = wilson_clustered(
                [float(counts(row)) for unit in units for row in unit],
                [row["cluster"] for unit in units for row in unit],
                weights=[1 / len(unit) for unit in units for _ in unit],
            )
            found = only(frame, metric=metric, **dict(zip(KEYS, key, strict=True)))
            assert found.estimate == pytest.approx(mean(means), nan_ok=True)
            assert found.low == pytest.approx(low, nan_ok=True)
            assert found.high == pytest.approx(high, nan_ok=True)
            assert found.n_items == len({row["item"] for row in used})
            assert found.n_samples == len(used)
        found = by_metric(frame, **dict(zip(KEYS, key, strict=True)))
        units = list(group(with_target, "item", "option_order").values())
        wanted = Counter(unit[0]["target"] for unit in units)
        most = max(wanted.values(), default=math.nan) / max(len(units), 1)
        assert found["majority_rate"].estimate == pytest.approx(most, nan_ok=True)
        recalls = [
            mean(
                [
                    mean([float(row["label"] == target) for row in unit])
                    for unit in units
                    if unit[0]["target"] == target
                ]
            )
            for target in wanted
        ]
        balanced = mean(recalls) if len(wanted) > 1 else math.nan
        row = found["balanced_accuracy"]
        assert row.estimate == pytest.approx(balanced, nan_ok=True)
        assert math.isnan(row.estimate) or row.low <= row.estimate <= row.high or len(units) < 2


def test_who_always_says_the_same_has_no_skill() -> None:
    """It says "not wrong" to 300 scenarios, of which a little more than half are not."""
    rows = [
        answer(f"i{n}", "not wrong", "not wrong" if n < 160 else "wrong", benchmark="ethics")
        for n in range(300)
    ]
    found = by_metric(accuracy(table(rows)))
    assert found["accuracy"].estimate == found["majority_rate"].estimate == pytest.approx(160 / 300)
    assert found["accuracy"].low < found["majority_rate"].estimate < found["accuracy"].high
    balanced = found["balanced_accuracy"]
    assert balanced.estimate == 0.5
    assert balanced.low < 0.5 < balanced.high
    counted = labels(table(rows))
    assert only(counted, label="not wrong", metric="given").estimate == 1
    assert only(counted, label="not wrong", metric="given").low < 1
    assert only(counted, label="wrong", metric="given").estimate == 0
    assert only(counted, label="wrong", metric="wanted").estimate == pytest.approx(140 / 300)


def test_where_all_targets_are_alike_nothing_is_balanced() -> None:
    found = by_metric(accuracy(table(answers("AAAB"))))
    assert math.isnan(found["balanced_accuracy"].estimate)
    assert found["majority_rate"].estimate == 1


def test_epochs_make_the_interval_shorter() -> None:
    """Answers that do not depend on the item: five of each are worth five times as many."""
    generator = np.random.default_rng(2)

    def length(epochs: int) -> float:
        said = generator.random((epochs, 100)) < 0.7
        rows = [answers("".join("BA"[int(x)] for x in row), epoch=n) for n, row in enumerate(said)]
        found = by_metric(accuracy(table(*rows)))["accuracy"]
        return float(found.high - found.low)

    assert length(5) < 0.55 * length(1)


def test_unread_answers_are_not_right_or_left_out() -> None:
    frame = accuracy(table(answers("AAB-")))
    found = {name: row.estimate for name, row in by_metric(frame).items()}
    assert [found[name] for name in ("accuracy", "accuracy_read", "read_rate")] == pytest.approx(
        [1 / 2, 2 / 3, 3 / 4]
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


def test_scores_without_a_target_have_an_accuracy_alone() -> None:
    frame = accuracy(table(answer("a", "A", right_choice=None, target=None, correct=True)))
    assert only(frame, metric="accuracy").estimate == 1
    for metric in ("balanced_accuracy", "majority_rate"):
        row = only(frame, metric=metric)
        assert math.isnan(row.estimate)
        assert row.n_samples == 0
