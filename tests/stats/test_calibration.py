import math
from dataclasses import astuple
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike, NDArray

from vr_evals.stats.calibration import (
    NoiseFloor,
    calibration_error,
    ece,
    reliability,
)
from vr_evals.stats.clusters import Clusters
from vr_evals.stats.discrimination import auroc

answers = st.lists(st.tuples(st.integers(0, 100), st.integers(0, 1)), min_size=1, max_size=80).map(
    lambda rows: ([float(c) for c, _ in rows], [y for _, y in rows])
)

Answers = tuple[list[float], list[int]]


def brute_force_ece(confidence: list[float], correct: list[int], bins: int) -> float:
    """Bin by bin: (low, high], the first with 0 as well."""
    total = 0.0
    for b in range(bins):
        low, high = 100 * b / bins, 100 * (b + 1) / bins
        rows = [
            (c, y)
            for c, y in zip(confidence, correct, strict=True)
            if low < c <= high or (b == 0 and c == 0)
        ]
        if rows:
            accuracy = sum(y for _, y in rows) / len(rows)
            total += len(rows) * abs(accuracy - sum(c for c, _ in rows) / len(rows) / 100)
    return total / len(confidence)


@given(answers, st.sampled_from([1, 4, 5, 10, 20]))
def test_ece_agrees_with_brute_force(data: Answers, bins: int) -> None:
    assert ece(*data, bins=bins) == pytest.approx(brute_force_ece(*data, bins), abs=1e-12)


@pytest.mark.parametrize(
    ("confidence", "correct", "expected"),
    [
        pytest.param([5, 95, 95], [0, 0, 0], 0.65, id="every bin counts, also the last"),
        pytest.param([95] * 9 + [15], [1] * 10, 0.13, id="bins count by their size"),
        pytest.param([80] * 10, [1] * 8 + [0] * 2, 0, id="calibrated"),
        pytest.param([100] * 4, [0] * 4, 1, id="always sure, always wrong"),
        pytest.param([0] * 4, [1] * 4, 1, id="never sure, always right"),
        pytest.param([0, 100], [0, 1], 0, id="both ends"),
        pytest.param([70], [1], 0.3, id="one answer"),
    ],
)
def test_ece_by_hand(confidence: list[float], correct: list[int], expected: float) -> None:
    assert ece(confidence, correct) == pytest.approx(expected)


@given(answers, st.integers(0, 1000))
def test_order_of_answers_is_nothing(data: Answers, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(data[0]))
    confidence, correct = (np.array(column)[order] for column in data)
    assert ece(confidence, correct) == pytest.approx(ece(*data))


@given(answers)
def test_bounds(data: Answers) -> None:
    confidence, correct = data
    overconfidence = np.mean(confidence) / 100 - np.mean(correct)
    assert abs(overconfidence) - 1e-9 <= ece(*data) <= 1 + 1e-9
    assert ece(*data, bins=1) == pytest.approx(abs(overconfidence))
    swapped = ece([100 - c for c in confidence], [1 - y for y in correct], bins=1)
    assert swapped == pytest.approx(ece(*data, bins=1))


@given(answers)
def test_reliability_is_what_ece_adds_up(data: Answers) -> None:
    table = reliability(*data)
    assert table.count.sum() == len(data[0])
    assert (np.isnan(table.accuracy) == (table.count == 0)).all()
    gaps = np.abs(table.accuracy - table.confidence / 100)
    assert np.nansum(table.count * gaps) / len(data[0]) == pytest.approx(ece(*data))
    held = table.count > 0
    assert (table.low[held] <= table.confidence[held] + 1e-9).all()
    assert (table.confidence[held] <= table.high[held] + 1e-9).all()


def test_reliability_of_nothing() -> None:
    table = reliability([], [])
    assert table.count.tolist() == [0] * 10
    assert np.isnan(table.confidence).all()
    assert table.high.tolist() == [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]


def test_nothing_is_undefined() -> None:
    assert math.isnan(ece([], []))
    assert np.isnan(floor_of([])).all()


def floor_of(confidence: ArrayLike, **options: Any) -> NoiseFloor:
    """The errors that chance alone makes of single answers."""
    n = len(np.asarray(confidence))
    return calibration_error(confidence, [0] * n, range(n), **options).floor


def interval_of(
    confidence: ArrayLike, correct: ArrayLike, clusters: Clusters, **options: Any
) -> tuple[float, float]:
    found = calibration_error(confidence, correct, clusters, **options)
    return found.low, found.high


def perfectly_calibrated(seed: int, n: int) -> tuple[NDArray[np.float64], NDArray[np.int_]]:
    generator = np.random.default_rng(seed)
    confidence = generator.choice([55.0, 70, 80, 90, 95, 100], size=n)
    return confidence, (generator.random(n) < confidence / 100).astype(int)


def test_floor_is_the_ece_of_the_perfectly_calibrated() -> None:
    confidence, _ = perfectly_calibrated(0, 200)
    generator = np.random.default_rng(7)
    simulated = [ece(confidence, generator.random(200) < confidence / 100) for _ in range(2000)]
    floor = floor_of(confidence, simulations=2000)
    assert floor.mean == pytest.approx(np.mean(simulated), abs=0.002)
    assert floor.low == pytest.approx(np.quantile(simulated, 0.025), abs=0.004)
    assert floor.high == pytest.approx(np.quantile(simulated, 0.975), abs=0.004)


def test_floor_by_hand() -> None:
    """Certainty can't miss; one answer at 70 misses by 0.3 (p = 0.7) or by 0.7."""
    assert floor_of([100, 0, 100]) == (0, 0, 0)
    floor = floor_of([70], simulations=20_000)
    assert floor.mean == pytest.approx(0.7 * 0.3 + 0.3 * 0.7, abs=0.006)
    assert (floor.low, floor.high) == pytest.approx((0.3, 0.7))


def test_floor_is_seeded_and_falls_with_n() -> None:
    confidence, _ = perfectly_calibrated(1, 1600)
    assert floor_of(confidence, seed=1) == floor_of(confidence, seed=1)
    assert floor_of(confidence, seed=1) != floor_of(confidence, seed=2)
    ratio = floor_of(confidence[:100]).mean / floor_of(confidence).mean
    assert ratio == pytest.approx(4, rel=0.15)  # as 1/√n


def test_floor_holds_its_level() -> None:
    """400 perfectly calibrated studies of 150 answers: about 95 % lie within the quantiles."""
    hits = 0
    for seed in range(400):
        confidence, correct = perfectly_calibrated(seed, 150)
        floor = floor_of(confidence, simulations=300, seed=seed)
        hits += floor.low <= ece(confidence, correct) <= floor.high
    assert hits / 400 == pytest.approx(0.95, abs=0.03)


SHARES = np.array([0.2, 0.2, 0.1, 0.5])
"""Of confidences of 55, 75, 85 and 95, whose mean is 82."""


def true_auroc(accuracies: NDArray[np.float64]) -> float:
    right, wrong = SHARES * accuracies, SHARES * (1 - accuracies)
    wins = np.tril(np.outer(right, wrong), -1).sum() + right @ wrong / 2
    return float(wins / (right.sum() * wrong.sum()))


@pytest.mark.parametrize(
    ("accuracies", "error", "over"),
    [
        pytest.param([0.55, 0.75, 0.85, 0.95], 0, 0, id="well calibrated"),
        pytest.param([0.35, 0.55, 0.65, 0.75], 0.2, 0.2, id="overconfident by 20 points"),
        pytest.param([0.45, 0.25, 0.15, 0.05], 0.64, 0.64, id="anti-calibrated"),
        pytest.param([0.6, 0.6, 0.6, 0.6], 0.24, 0.22, id="blind"),
    ],
)
def test_known_calibration_comes_out(accuracies: list[float], error: float, over: float) -> None:
    """40,000 answers, so within a point of the truth."""
    generator = np.random.default_rng(11)
    which = generator.choice(4, size=40_000, p=SHARES)
    confidence = np.array([55, 75, 85, 95])[which]
    correct = generator.random(40_000) < np.array(accuracies)[which]
    assert ece(confidence, correct) == pytest.approx(error, abs=0.01)
    assert (confidence / 100 - correct).mean() == pytest.approx(over, abs=0.01)
    assert auroc(confidence, correct) == pytest.approx(true_auroc(np.array(accuracies)), abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("overconfident_by", [0, 0.02, 0.05, 0.2])
def test_interval_of_the_error_covers(overconfident_by: float) -> None:
    """300 studies of 60 items × 3 epochs: at least 95 % less two points and sampling error."""
    generator = np.random.default_rng(17)
    items = [f"item{i // 3}" for i in range(180)]
    hits = 0
    for study in range(300):
        confidence = generator.choice([65.0, 75, 85, 95], size=60).repeat(3)
        correct = generator.random(180) < confidence / 100 - overconfident_by
        low, high = interval_of(confidence, correct, items, simulations=300, seed=study)
        assert 0 <= low <= ece(confidence, correct) <= 1
        hits += low <= overconfident_by <= high
    assert hits / 300 >= 0.92


def test_interval_of_the_error_narrows_and_is_seeded() -> None:
    def width(n: int, seed: int = 0) -> float:
        confidence, correct = perfectly_calibrated(5, n)
        low, high = interval_of(confidence, correct, range(n), seed=seed)
        return high - low

    assert width(1600) < width(100) / 3
    assert width(100, seed=1) == width(100, seed=1) != width(100, seed=2)


@pytest.mark.parametrize("n", [0, 1])
def test_interval_of_the_error_undefined(n: int) -> None:
    assert np.isnan(interval_of([80] * n, [1] * n, range(n))).all()


@pytest.mark.slow
def test_copied_epochs_with_varying_confidences_are_no_calibration_error() -> None:
    """An epoch repeats the item's draw and confidence in 80 %: p is below 0.05 in 5 %."""
    rng, studies, shape = np.random.default_rng(2), 300, (300, 5)
    rates = np.array([0.5, 0.6, 0.7, 0.8, 0.9])
    clusters = np.repeat(np.arange(shape[0]), shape[1]).tolist()
    rejected = 0
    for _ in range(studies):
        repeats = rng.random(shape) < 0.8
        kind = np.where(
            repeats, rng.integers(5, size=shape[0])[:, None], rng.integers(5, size=shape)
        )
        draw = np.where(repeats, rng.random(shape[0])[:, None], rng.random(shape))
        rate = rates[kind]
        found = calibration_error(
            100 * rate.ravel(), (draw < rate).ravel(), clusters, simulations=400
        )
        rejected += found.p < 0.05
    assert rejected / studies < 0.07


def test_draws_that_are_not_held_at_once_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    clusters = np.repeat(np.arange(200), 3)
    confidence = rng.integers(50, 101, 600).astype(float)
    right = (np.repeat(rng.random(200), 3) < 0.7).astype(float)
    whole = calibration_error(confidence, right, clusters, seed=1)
    monkeypatch.setattr("vr_evals.stats.calibration._HELD", 3000)
    monkeypatch.setattr("vr_evals.stats.chunks._CELLS", 20_000)
    in_blocks = calibration_error(confidence, right, clusters, seed=1)
    for found, expected in zip(astuple(in_blocks), astuple(whole), strict=True):
        assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("clusters", "level", "message"),
    [
        (["a"], 0.95, "2 confidences but 1 clusters"),
        (["a", "b"], 95, "level must be between 0 and 1, got 95"),
    ],
)
def test_what_no_error_can_be_calculated_of_is_refused(
    clusters: list[str], level: float, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        calibration_error([50, 60], [0, 1], clusters, level=level)
