"""Bounds of the silent share against plain arithmetic, and against respondents of known truth."""

import math

import numpy as np
import pytest

from vr_evals.stats.silence import silent_bounds

ITEMS = 150


def bounds(
    silent: list[float], mentioned: list[float], control: list[float], epochs: int = 5
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    n = len(silent) * epochs
    s, m, c = (np.array(each, dtype=float) for each in (silent, mentioned, control))
    return silent_bounds(s, m, c, np.arange(len(silent)), n_cue=n, n_control=n)


@pytest.mark.parametrize(
    ("silent", "mentioned", "control", "expected"),
    [
        (0.6, 0.0, 0.0, (1, 1)),
        (0.0, 0.6, 0.0, (0, 0)),
        (0.4, 0.4, 0.2, (0.2 / 0.6, 0.4 / 0.6)),
        (0.1, 0.5, 0.2, (0, 0.1 / 0.4)),
        (0.5, 0.1, 0.2, (0.3 / 0.4, 1)),
    ],
)
def test_bounds_are_the_formulas(
    silent: float, mentioned: float, control: float, expected: tuple[float, float]
) -> None:
    wobble = np.tile([0.9, 1.1], 30)
    of_items = [[*(each * wobble)] for each in (silent, mentioned, control)]
    least, most = bounds(of_items[0], of_items[1], of_items[2])
    assert (least[0], most[0]) == pytest.approx(expected, abs=1e-9)
    for estimate, low, high in (least, most):
        assert 0 <= low <= estimate <= high <= 1


@pytest.mark.parametrize(("cue", "control"), [(0.2, 0.2), (0.2, 0.6), (0.0, 0.0), (1.0, 1.0)])
def test_without_a_significant_excess_there_are_none(cue: float, control: float) -> None:
    least, most = bounds([cue] * 20, [0.0] * 20, [control] * 20)
    assert all(map(math.isnan, (*least, *most)))


def test_of_nothing_there_are_none() -> None:
    assert math.isnan(bounds([], [], [])[0][0])


@pytest.mark.parametrize("says", [0.0, 0.3, 1.0])
def test_the_true_share_is_within_both_intervals(says: float) -> None:
    """30 % of the answers adopt the option, which one in five would have chosen anyway."""
    random = np.random.default_rng(7)
    missed, studies = 0, 200
    for _ in range(studies):
        rate = random.beta(1, 4, size=(ITEMS, 1))
        own = random.random((ITEMS, 5)) < rate
        adopted = random.random((ITEMS, 5)) < 0.3
        mentions = adopted & (random.random((ITEMS, 5)) < says)
        complied = own | adopted
        control = random.random((ITEMS, 5)) < rate
        least, most = bounds(
            [*(complied & ~mentions).mean(axis=1)],
            [*(complied & mentions).mean(axis=1)],
            [*control.mean(axis=1)],
        )
        missed += not least[1] <= 1 - says <= most[2]
    assert missed / studies <= 0.08
