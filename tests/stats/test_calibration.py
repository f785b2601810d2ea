import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vr_evals.stats.bootstrap import bootstrap_weights
from vr_evals.stats.brier import brier
from vr_evals.stats.calibration import (
    FIGURES,
    adaptive_ece,
    calibration_figures,
    ece,
    ece_floor,
    ece_interval,
    reliability,
)
from vr_evals.stats.confidence import mean_confidence, overconfidence
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
    assert adaptive_ece(confidence, correct) == pytest.approx(adaptive_ece(*data))


@given(answers)
def test_bounds(data: Answers) -> None:
    confidence, correct = data
    for figure in (ece(*data), adaptive_ece(*data)):
        assert abs(overconfidence(*data)) - 1e-9 <= figure <= 1 + 1e-9
    assert ece(*data, bins=1) == pytest.approx(abs(overconfidence(*data)))
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


def test_adaptive_bins_hold_equal_numbers() -> None:
    """With distinct confidences it is the mean of gaps of groups of ten, in order."""
    generator = np.random.default_rng(0)
    confidence = generator.permutation(np.linspace(41, 100, 100))
    correct = (generator.random(100) < 0.7).astype(int)
    order = np.argsort(confidence)
    gaps = (correct - confidence / 100)[order].reshape(10, 10).mean(axis=1)
    assert adaptive_ece(confidence, correct) == pytest.approx(np.abs(gaps).mean())


def test_adaptive_bins_keep_equal_confidences_together() -> None:
    confidence = [80] * 50 + [90] * 50
    correct = [1] * 40 + [0] * 10 + [1] * 45 + [0] * 5
    assert adaptive_ece(confidence, correct) == pytest.approx(0)


def test_nothing_is_undefined() -> None:
    assert math.isnan(ece([], []))
    assert math.isnan(adaptive_ece([], []))
    assert np.isnan(ece_floor([])).all()


def perfectly_calibrated(seed: int, n: int) -> tuple[NDArray[np.float64], NDArray[np.int_]]:
    generator = np.random.default_rng(seed)
    confidence = generator.choice([55.0, 70, 80, 90, 95, 100], size=n)
    return confidence, (generator.random(n) < confidence / 100).astype(int)


def test_floor_is_the_ece_of_the_perfectly_calibrated() -> None:
    confidence, _ = perfectly_calibrated(0, 200)
    generator = np.random.default_rng(7)
    simulated = [ece(confidence, generator.random(200) < confidence / 100) for _ in range(2000)]
    floor = ece_floor(confidence, simulations=2000)
    assert floor.mean == pytest.approx(np.mean(simulated), abs=0.002)
    assert floor.low == pytest.approx(np.quantile(simulated, 0.025), abs=0.004)
    assert floor.high == pytest.approx(np.quantile(simulated, 0.975), abs=0.004)


def test_floor_by_hand() -> None:
    """Certainty can't miss; one answer at 70 misses by 0.3 (p = 0.7) or by 0.7."""
    assert ece_floor([100, 0, 100]) == (0, 0, 0)
    floor = ece_floor([70], simulations=20_000)
    assert floor.mean == pytest.approx(0.7 * 0.3 + 0.3 * 0.7, abs=0.006)
    assert (floor.low, floor.high) == pytest.approx((0.3, 0.7))


def test_floor_is_seeded_and_falls_with_n() -> None:
    confidence, _ = perfectly_calibrated(1, 1600)
    assert ece_floor(confidence, seed=1) == ece_floor(confidence, seed=1)
    assert ece_floor(confidence, seed=1) != ece_floor(confidence, seed=2)
    ratio = ece_floor(confidence[:100]).mean / ece_floor(confidence).mean
    assert ratio == pytest.approx(4, rel=0.15)  # as 1/√n


def test_floor_holds_its_level() -> None:
    """400 perfectly calibrated studies of 150 answers: about 95 % lie within the quantiles."""
    hits = 0
    for seed in range(400):
        confidence, correct = perfectly_calibrated(seed, 150)
        floor = ece_floor(confidence, simulations=300, seed=seed)
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
    assert overconfidence(confidence, correct) == pytest.approx(over, abs=0.01)
    assert mean_confidence(confidence, correct).all == pytest.approx(82, abs=0.3)
    assert auroc(confidence, correct) == pytest.approx(true_auroc(np.array(accuracies)), abs=0.01)


def each_figure(data: Answers) -> list[float]:
    return [
        brier(*data),
        auroc(*data),
        mean_confidence(*data).all,
        overconfidence(*data),
    ]


@given(answers, st.integers(0, 1000))
def test_weights_are_repetitions(data: Answers, seed: int) -> None:
    weights = np.random.default_rng(seed).integers(0, 3, size=(4, len(data[0])))
    figures = calibration_figures(*data, weights)
    assert figures.shape == (4, len(FIGURES))
    for row, repeats in zip(figures, weights, strict=True):
        repeated = [float(c) for c in np.repeat(data[0], repeats)]
        expected = each_figure((repeated, [int(y) for y in np.repeat(data[1], repeats)]))
        assert row.tolist() == pytest.approx(expected, nan_ok=True)


def test_figures_are_bootstrapped_together() -> None:
    confidence, correct = perfectly_calibrated(3, 300)
    items = [f"item{i % 60}" for i in range(300)]
    bounds = bootstrap_weights(lambda w: calibration_figures(confidence, correct, w), items)
    assert bounds.shape == (2, len(FIGURES))
    low, high = (dict(zip(FIGURES, row, strict=True)) for row in bounds)
    figures = each_figure((confidence.tolist(), correct.tolist()))
    for name, figure in zip(FIGURES, figures, strict=True):
        assert low[name] < figure < high[name]


def test_figures_of_nothing() -> None:
    figures = calibration_figures([], [], np.ones((1, 0)))
    assert figures.shape == (1, len(FIGURES))
    assert np.isnan(figures).all()


@pytest.mark.parametrize("overconfident_by", [0, 0.02, 0.05, 0.2])
def test_interval_of_the_error_covers(overconfident_by: float) -> None:
    """300 studies of 60 items × 3 epochs: at least 95 % less two points and sampling error."""
    generator = np.random.default_rng(17)
    items = [f"item{i // 3}" for i in range(180)]
    hits = 0
    for study in range(300):
        confidence = generator.choice([65.0, 75, 85, 95], size=60).repeat(3)
        correct = generator.random(180) < confidence / 100 - overconfident_by
        low, high = ece_interval(confidence, correct, items, simulations=300, seed=study)
        assert 0 <= low <= ece(confidence, correct) <= 1
        hits += low <= overconfident_by <= high
    assert hits / 300 >= 0.92


def test_interval_of_the_error_narrows_and_is_seeded() -> None:
    def width(n: int, seed: int = 0) -> float:
        confidence, correct = perfectly_calibrated(5, n)
        low, high = ece_interval(confidence, correct, range(n), seed=seed)
        return high - low

    assert width(1600) < width(100) / 3
    assert width(100, seed=1) == width(100, seed=1) != width(100, seed=2)


@pytest.mark.parametrize("n", [0, 1])
def test_interval_of_the_error_undefined(n: int) -> None:
    assert np.isnan(ece_interval([80] * n, [1] * n, range(n))).all()
