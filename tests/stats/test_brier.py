import math
from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss

from vr_evals.stats.brier import brier, brier_parts
from vr_evals.stats.calibration import reliability

Answers = tuple[list[float], list[int]]

answers = st.lists(st.tuples(st.floats(0, 100), st.integers(0, 1)), min_size=1, max_size=80).map(
    lambda rows: ([c for c, _ in rows], [y for _, y in rows])
)


@given(answers)
def test_brier_agrees_with_scikit_learn(data: Answers) -> None:
    confidence, correct = data
    expected = brier_score_loss(correct, np.array(confidence) / 100, pos_label=1)
    assert brier(*data) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("confidence", "correct", "expected"),
    [
        ([80], [1], 0.04),
        ([80], [0], 0.64),
        ([80, 80], [1, 0], 0.34),
        ([50] * 6, [1, 0, 1, 1, 1, 0], 0.25),
        ([100, 0], [1, 0], 0),
        ([], [], math.nan),
    ],
)
def test_brier_by_hand(confidence: list[float], correct: list[int], expected: float) -> None:
    assert brier(confidence, correct) == pytest.approx(expected, nan_ok=True)


@given(answers, st.sampled_from([1, 5, 10]))
def test_parts_add_up(data: Answers, bins: int) -> None:
    parts = brier_parts(*data, bins=bins)
    total = parts.reliability - parts.resolution + parts.uncertainty + parts.within_bins
    assert total == pytest.approx(brier(*data), abs=1e-12)
    assert min(parts.reliability, parts.resolution, parts.uncertainty) >= 0
    assert parts.resolution <= parts.uncertainty + 1e-12


@given(answers)
def test_parts_are_those_of_the_reliability_diagram(data: Answers) -> None:
    table, parts, n = reliability(*data), brier_parts(*data), len(data[0])
    gaps = table.accuracy - table.confidence / 100
    assert parts.reliability == pytest.approx(np.nansum(table.count * gaps**2) / n, abs=1e-12)
    spread = table.accuracy - np.mean(data[1])
    assert parts.resolution == pytest.approx(np.nansum(table.count * spread**2) / n, abs=1e-12)


@given(st.lists(st.tuples(st.sampled_from([5.0, 55, 65, 95]), st.integers(0, 1)), min_size=1))
def test_one_value_a_bin_is_murphys_own_decomposition(rows: list[tuple[float, int]]) -> None:
    parts = brier_parts([c for c, _ in rows], [y for _, y in rows])
    assert parts.within_bins == pytest.approx(0, abs=1e-12)


def test_parts_by_hand() -> None:
    """Right 8 of 10 at 80 and 2 of 10 at 60: calibrated above, 40 points off below."""
    parts = brier_parts([80] * 10 + [60] * 10, [1] * 8 + [0] * 2 + [1] * 2 + [0] * 8)
    assert astuple(parts) == pytest.approx((0.08, 0.09, 0.25, 0))


def test_parts_of_nothing() -> None:
    assert np.isnan(astuple(brier_parts([], []))).all()
