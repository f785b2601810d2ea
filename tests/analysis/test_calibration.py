from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.metrics import brier_score_loss, roc_auc_score

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
from vr_evals.analysis.calibration import calibration, reliability
from vr_evals.stats.bootstrap import bootstrap_weights
from vr_evals.stats.calibration import FIGURES, calibration_figures, ece_interval
from vr_evals.stats.calibration import ece_floor as floor_of

KEYS = ("model", "level", "thinking")


def usable(cell: list[Row]) -> list[Row]:
    return [
        row
        for row in cell
        if row["confidence"] is not None and row["label"] is not None and row["target"] is not None
    ]


def as_read(row: Row, scale: str) -> float:
    """The confidence as a probability."""
    stated = float(row["confidence"]) / 100
    chance = 1 / row["n_options"]
    return stated if scale == "stated" else chance + (1 - chance) * stated


def ece_by_hand(p: list[float], y: list[int]) -> float:
    bins: dict[int, list[float]] = {}
    for confidence, right in zip(p, y, strict=True):
        number = max(math.ceil(round(confidence * 10, 9)) - 1, 0)
        bins.setdefault(number, []).append(right - confidence)
    return sum(abs(sum(gaps)) for gaps in bins.values()) / len(p) if p else math.nan


@settings(deadline=None, max_examples=12)
@given(studies(models=["m/one"], levels=[0, 1]))
def test_each_figure_is_what_plain_loops_make_of_it(rows: list[Row]) -> None:
    frame = calibration(table(rows), resamples=20)
    for key, cell in group(rows, *KEYS).items():
        stated = [row for row in cell if row["confidence"] is not None]
        used = usable(cell)
        y = [int(row["label"] == row["target"]) for row in used]
        for scale in ("stated", "chance_adjusted"):
            found = in_cell(frame, scale=scale, **dict(zip(KEYS, key, strict=True)))
            assert len(found) == (6 if stated else 0)
            if not stated:
                continue
            p = [as_read(row, scale) for row in used]
            figures = {name: row.estimate for name, row in by_metric(found).items()}
            both = len(set(y)) == 2
            expected = {
                "ece": ece_by_hand(p, y),
                "ece_floor": floor_of([100 * round(x, 11) for x in sorted(p)]).mean,
                "brier": brier_score_loss(y, p) if p else math.nan,
                "auroc": roc_auc_score(y, p) if both else math.nan,
                "mean_confidence": 100 * mean(p),
                "overconfidence": mean(p) - mean([float(right) for right in y]),
            }
            assert figures == pytest.approx(expected, nan_ok=True, abs=1e-9)
            assert set(found["n_items"]) == {len({row["item"] for row in used})}
            assert set(found["n_samples"]) == {len(used)}
            assert set(found["n_left_out"]) == {len(stated) - len(used)}


def test_intervals_are_those_of_the_answers_one_by_one() -> None:
    generator = np.random.default_rng(4)
    confidence = generator.choice([20.0, 60.0, 85.0, 100.0], size=90)
    right = generator.random(90) < confidence / 130
    items = [f"i{i // 3}" for i in range(90)]
    rows = [
        answer(item, "A" if ok else "B", confidence=c, epoch=1 + i % 3)
        for i, (item, ok, c) in enumerate(zip(items, right, confidence, strict=True))
    ]
    found = by_metric(calibration(table(rows), seed=5), scale="stated")
    figures = bootstrap_weights(
        lambda weights: calibration_figures(confidence, right, weights), items, resamples=20_000
    )
    for name, low, high in zip(FIGURES, *figures, strict=True):
        assert [found[name].low, found[name].high] == pytest.approx([low, high], rel=0.05, abs=0.01)
    expected = ece_interval(confidence, right, items, resamples=20_000)
    assert [found["ece"].low, found["ece"].high] == pytest.approx(
        list(expected), rel=0.05, abs=0.01
    )
    floor = floor_of(np.sort(confidence), seed=5)
    row = found["ece_floor"]
    assert [row.estimate, row.low, row.high] == list(floor)


def test_by_hand() -> None:
    rows = table(answer("a", "A", confidence=80.0), answer("b", "B", confidence=80.0))
    found = by_metric(calibration(rows), scale="stated")
    assert found["brier"].estimate == pytest.approx(0.34)
    assert found["overconfidence"].estimate == pytest.approx(0.3)
    assert found["mean_confidence"].estimate == 80


def test_what_cannot_be_calibrated_is_counted() -> None:
    rows = table(
        answer("a", "A", confidence=80.0),
        answer("b", None, confidence=80.0),
        answer("c", "A", None, ambiguity="high", confidence=80.0),
        answer("d", "A"),
    )
    found = calibration(rows)
    assert set(found["n_samples"]) == {1}
    assert set(found["n_left_out"]) == {2}


def test_without_confidence_there_are_no_rows() -> None:
    assert len(calibration(table(answers("AAB")))) == 0


def test_a_calibrated_respondent_lies_within_the_floor() -> None:
    generator = np.random.default_rng(1)
    confidence = generator.choice([60.0, 75.0, 90.0], size=500)
    rows = [
        answer(f"i{i}", "A" if generator.random() < c / 100 else "B", confidence=c)
        for i, c in enumerate(confidence)
    ]
    found = by_metric(calibration(table(rows)), scale="stated")
    assert found["ece_floor"].low <= found["ece"].estimate <= found["ece_floor"].high
    assert found["overconfidence"].low < 0 < found["overconfidence"].high


@settings(deadline=None, max_examples=15)
@given(studies(levels=[0, 1]))
def test_reliability_is_what_plain_loops_make_of_it(rows: list[Row]) -> None:
    frame = reliability(table(rows))
    for key, cell in group(rows, *KEYS).items():
        for scale in ("stated", "chance_adjusted"):
            bins: dict[float, list[Row]] = {}
            for row in usable(cell):
                number = max(math.ceil(round(as_read(row, scale) * 10, 9)) - 1, 0)
                bins.setdefault(10.0 * number, []).append(row)
            found = in_cell(frame, scale=scale, **dict(zip(KEYS, key, strict=True)))
            assert found["bin_low"].tolist() == sorted(bins)
            for bin_ in found.itertuples():
                members = bins[bin_.bin_low]
                right = [float(row["label"] == row["target"]) for row in members]
                assert bin_.n_samples == len(members)
                assert bin_.accuracy == pytest.approx(mean(right))
                assert bin_.confidence == pytest.approx(
                    100 * mean([as_read(row, scale) for row in members])
                )
