from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
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
from tests.strategies import examples
from vr_evals.analysis.calibration import ambiguity, calibration, reliability
from vr_evals.stats.calibration import calibration_error
from vr_evals.stats.discrimination import auroc_interval
from vr_evals.stats.intervals import difference_from_rate, score_mean
from vr_evals.stats.paired import holm

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


@examples(12)
@given(studies(models=["m/one"], levels=[0, 1]))
def test_each_figure_is_what_plain_loops_make_of_it(rows: list[Row]) -> None:
    frame = calibration(table(rows), simulations=20)
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
                "ece_floor": figures["ece_floor"],  # simulated
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
    items = [f"i{i // 3:02}" for i in range(90)]
    rows = [
        answer(item, "A" if ok else "B", confidence=c, epoch=1 + i % 3)
        for i, (item, ok, c) in enumerate(zip(items, right, confidence, strict=True))
    ]
    found = by_metric(calibration(table(rows), seed=5), scale="stated")
    error = calibration_error(confidence, right, items, seed=5)
    squares = score_mean((confidence / 100 - right) ** 2, items)
    average = score_mean(confidence, items, (0, 100))
    over = difference_from_rate(confidence / 100, right, items)
    for metric, low, high in (
        ("ece", error.low, error.high),
        ("ece_floor", error.floor.low, error.floor.high),
        ("brier", squares.low, squares.high),
        ("auroc", *auroc_interval(confidence, right, items)),
        ("mean_confidence", average.low, average.high),
        ("overconfidence", over.low, over.high),
    ):
        assert [found[metric].low, found[metric].high] == pytest.approx([low, high]), metric
    assert [found["ece"].p, found["overconfidence"].p] == pytest.approx([error.p, over.p])
    backwards = by_metric(calibration(table(rows[::-1]), seed=5), scale="stated")
    assert found["ece"].p == pytest.approx(backwards["ece"].p)


def test_all_tests_of_calibration_are_one_family() -> None:
    rows = [
        answer(f"i{i}", "AB"[i % 4 == 0], confidence=80.0, level=level)
        for i in range(60)
        for level in (0, 1)
    ]
    frame = calibration(table(rows))
    tested = frame[frame["p"].notna()]
    assert set(tested["metric"]) == {"ece", "overconfidence"}
    assert tested["p_adjusted"].tolist() == pytest.approx(holm(tested["p"].to_numpy()).tolist())


def calibrated_study(seed: int, copies: float) -> list[Row]:
    """100 items × 5 epochs that are right as often as stated; epochs repeat the item's own draw."""
    generator = np.random.default_rng(seed)
    confidence = generator.choice([55.0, 65.0, 75.0, 85.0, 95.0], size=(100, 1)).repeat(5, axis=1)
    own, kept = generator.random((100, 1)), generator.random((100, 5)) < copies
    right = np.where(kept, own, generator.random((100, 5))) < confidence / 100
    return [
        answer(f"i{i}", "BA"[int(right[i, j])], confidence=confidence[i, j], epoch=j + 1)
        for i in range(100)
        for j in range(5)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "copies",
    [pytest.param(0.0, marks=pytest.mark.slow), 0.7, pytest.param(1.0, marks=pytest.mark.slow)],
)
def test_a_calibrated_respondent_is_seldom_called_miscalibrated(copies: float) -> None:
    """40 null studies; the floor of independent answers called 61 % and more of them so."""
    flagged = 0
    for seed in range(40):
        frame = calibration(table(calibrated_study(seed, copies)), simulations=200, seed=seed)
        found = by_metric(frame, scale="stated")["ece"]
        assert (found.low > 0) == (found.p < 0.05)
        flagged += found.low > 0
    assert flagged <= 5


def test_no_interval_is_of_no_length_where_all_are_right() -> None:
    frame = calibration(table(answers("A" * 20, confidence=95.0)))
    found = in_cell(frame, scale="stated")
    shown = found[found["metric"] != "auroc"]
    assert (shown["high"] > shown["low"]).all()
    over = by_metric(found)["overconfidence"]
    assert over.low < -0.05 < 0 < over.high
    assert not (found["p"] < 0.05).any()


def test_one_wrong_answer_says_nothing_of_discrimination() -> None:
    rows = [answer(f"i{i}", "AB"[i == 0], confidence=50.0 + 2 * i) for i in range(20)]
    frame = calibration(table(rows))
    found = by_metric(frame, scale="stated")["auroc"]
    assert found.estimate == 1
    assert math.isnan(found.low)
    assert any("AUROC has no interval in 1 cell" in note for note in frame.attrs["notes"])


def test_confidence_against_ambiguity() -> None:
    stated = {"low": [90.0, 80.0, 95.0, 60.0] * 5, "high": [50.0, 30.0, 90.0, 60.0] * 5}
    rows = [
        answer(f"{kind}{i}", "A", "A" if kind == "low" else None, ambiguity=kind, confidence=c)
        for kind, values in stated.items()
        for i, c in enumerate(values)
    ]
    found = by_metric(ambiguity(table(rows)))
    estimates = {name: row.estimate for name, row in found.items()}
    assert estimates == pytest.approx(
        {
            "confidence_low_ambiguity": 81.25,
            "confidence_high_ambiguity": 57.5,
            "confidence_low_minus_high": 23.75,
            "auroc_low_ambiguity": roc_auc_score([1] * 20 + [0] * 20, sum(stated.values(), [])),
            "in_band_low_ambiguity": 0.75,
            "in_band_high_ambiguity": 0.75,
            "in_band": 0.75,
        }
    )
    assert all(row.low < row.estimate < row.high for row in found.values())
    assert found["in_band"].n_items == 40
    assert len(ambiguity(table(answers("AB", confidence=80.0)))) == 0


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


@examples(15)
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
