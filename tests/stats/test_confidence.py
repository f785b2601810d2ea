import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vr_evals.stats.confidence import (
    bin_index,
    chance_adjusted,
    probabilities,
)


@pytest.mark.parametrize(
    ("confidence", "options", "adjusted"),
    [(0, 2, 50), (0, 5, 20), (50, 2, 75), (50, 5, 60), (100, 2, 100), (100, 5, 100), (30, 1, 100)],
)
def test_chance_adjusted(confidence: float, options: int, adjusted: float) -> None:
    assert chance_adjusted([confidence], options).tolist() == [adjusted]


@given(st.lists(st.floats(0, 100), max_size=20), st.integers(1, 26))
def test_chance_adjusted_keeps_order_and_range(confidence: list[float], options: int) -> None:
    adjusted = chance_adjusted(sorted(confidence), options)
    assert (np.diff(adjusted) >= 0).all()
    assert ((adjusted >= 100 / options - 1e-8) & (adjusted <= 100)).all()


def test_chance_adjusted_takes_each_items_options() -> None:
    assert chance_adjusted([0, 0], [2, 4]).tolist() == [50, 25]
    with pytest.raises(ValueError, match="option"):
        chance_adjusted([50], 0)


@pytest.mark.parametrize(
    ("confidence", "correct"),
    [
        ([101], [1]),
        ([-1], [1]),
        ([math.nan], [1]),
        ([50], [0.5]),
        ([50], [math.nan]),
        ([50, 60], [1]),
        ([[50]], [[1]]),
    ],
)
def test_bad_data_is_an_error(confidence: list[float], correct: list[float]) -> None:
    with pytest.raises(ValueError, match=r"confidences|outcomes"):
        probabilities(confidence, correct)


@pytest.mark.parametrize("bins", [1, 7, 10, 15, 20])
def test_bins_are_right_closed(bins: int) -> None:
    """Bounds belong to the bin below, whatever floating point makes of them; 0 to the first."""
    bounds = np.array([100 * i / bins for i in range(bins + 1)]) / 100
    assert bin_index(bounds, bins).tolist() == [0, *range(bins)]
    assert bin_index(bounds[:-1] + 1e-6, bins).tolist() == [*range(bins)]


def test_every_whole_confidence_is_in_its_bin() -> None:
    p, _ = probabilities(range(101), [0] * 101)
    assert bin_index(p, 10).tolist() == [0, *(i for i in range(10) for _ in range(10))]
