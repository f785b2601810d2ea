import math

import numpy as np
import pytest
from statsmodels.stats.contingency_tables import StratifiedTable

from vr_evals.stats.odds import Odds, common_odds, shift


def study(seed: int, items: int, epochs: int, pull: float) -> tuple[Odds, np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    own = generator.normal(0.5, 1.5, items)
    events, control = (
        generator.binomial(epochs, 1 / (1 + np.exp(-own - shift))).astype(float)
        for shift in (pull, 0)
    )
    n = np.full(items, float(epochs))
    return common_odds(events, n, control, n), events, control


def test_it_is_mantel_and_haenszels_but_for_the_half() -> None:
    found, events, control = study(0, 300, 5, 0.8)
    tables = [np.array([[a, 5 - a], [b, 5 - b]]) for a, b in zip(events, control, strict=True)]
    expected = StratifiedTable(tables)
    assert found.estimate == pytest.approx(expected.logodds_pooled, abs=0.01)
    one = shift(found, np.arange(300))
    assert one.stderr == pytest.approx(expected.logodds_pooled_se, rel=0.15)


def test_of_single_answers_it_is_that_of_the_pairs_that_differ() -> None:
    after, before = np.array([1.0] * 9 + [0] * 4 + [1] * 5), np.array([0.0] * 9 + [1] * 4 + [1] * 5)
    found = shift(common_odds(after, np.ones(18), before, np.ones(18)), np.arange(18))
    assert found.estimate == pytest.approx(math.log(9.5 / 4.5))
    assert found.stderr == pytest.approx(math.sqrt(1 / 9.5 + 1 / 4.5), rel=0.05)


@pytest.mark.parametrize(("items", "epochs"), [(200, 1), (60, 5)])
@pytest.mark.parametrize("pull", [0.0, 1.0])
def test_it_covers_the_shift_whatever_items_are_like(items: int, epochs: int, pull: float) -> None:
    covered, total = 0, 0.0
    for seed in range(200):
        found = shift(study(seed, items, epochs, pull)[0], np.arange(items))
        low, high = found.interval()
        covered += low <= pull <= high
        total += found.estimate
        assert (found.p < 0.05) == (low > 0 or high < 0)
    assert covered >= 182
    assert total / 200 == pytest.approx(pull, abs=0.08)


def test_a_difference_of_two_shifts_of_the_same_items() -> None:
    first, second = study(1, 80, 3, 1.0)[0], study(1, 80, 3, 1.0)[0]
    same = shift(first, np.arange(80), second)
    assert same.estimate == 0
    assert same.p == 1
    apart = shift(first, np.arange(80), study(1, 80, 3, -1.0)[0])
    assert apart.estimate == pytest.approx(2, abs=0.7)
    assert apart.p < 0.05
    assert apart.test == "mantel_haenszel"


def test_it_is_finite_where_nothing_or_everything_moves() -> None:
    ones, zeros = np.ones(20), np.zeros(20)
    still = shift(common_odds(ones, ones, ones, ones), np.arange(20))
    assert (still.estimate, still.p) == (0, 1)
    assert still.interval()[1] > 3
    moved = shift(common_odds(ones, ones, zeros, ones), np.arange(20))
    assert 3 < moved.estimate < 5
    assert moved.interval()[0] > 0


def test_nothing_and_one_cluster() -> None:
    none = np.zeros(0)
    empty = shift(common_odds(none, none, none, none), none.astype(int))
    assert math.isnan(empty.estimate)
    assert math.isnan(empty.p)
    one = shift(common_odds(np.ones(2), np.ones(2), np.zeros(2), np.ones(2)), np.zeros(2, int))
    assert one.estimate > 0
    assert np.isnan(one.interval()).all()
