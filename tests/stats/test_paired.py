import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import permutation_test
from statsmodels.stats.contingency_tables import cochrans_q
from statsmodels.stats.multitest import multipletests

from tests.strategies import examples
from vr_evals.stats.paired import _chance_of_hit, any_difference, holm


def brute_force_sign_flip(differences: list[float]) -> float:
    seen = abs(sum(differences))
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in itertools.product((-1, 1), repeat=len(differences))
    ]
    return sum(total >= seen - 1e-9 for total in sums) / len(sums)


def exact_sign_flip(differences: list[int]) -> float:
    """By adding one difference after the other to the distribution of the sum."""
    distribution = {0: 1.0}
    for d in differences:
        wider: dict[int, float] = {}
        for total, p in distribution.items():
            for moved in (total - d, total + d):
                wider[moved] = wider.get(moved, 0) + p / 2
        distribution = wider
    return sum(p for total, p in distribution.items() if abs(total) >= abs(sum(differences)))


binary_tables = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 1), min_size=k, max_size=k), min_size=1, max_size=30)
)


def brute_force_trend(table: NDArray[np.float64], levels: NDArray[np.float64]) -> float:
    contrast = levels - levels.mean()
    orders = [[np.dot(order, contrast) for order in itertools.permutations(row)] for row in table]
    totals = np.array([sum(combination) for combination in itertools.product(*orders)])
    return float(np.mean(np.abs(totals) >= abs((table @ contrast).sum()) - 1e-9))


@examples(30)  # the oracle is slow
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_agrees_with_statsmodels(p_values: list[float]) -> None:
    expected = multipletests(p_values, method="holm")[1]
    np.testing.assert_allclose(holm(p_values), expected)


def test_holm_does_not_count_tests_that_were_not_made() -> None:
    adjusted = holm([0.01, math.nan, 0.04])
    assert adjusted.tolist() == pytest.approx([0.02, math.nan, 0.04], nan_ok=True)
    assert holm([]).size == 0


@pytest.mark.parametrize("p", [-0.1, 1.1])
def test_holm_refuses_what_is_no_p_value(p: float) -> None:
    with pytest.raises(ValueError, match="within 0 and 1"):
        holm([0.5, p])


def brute_force_any_difference(table: NDArray[np.float64]) -> float:
    def spread(rows: tuple[tuple[float, ...], ...]) -> float:
        return float(np.var(np.sum(rows, axis=0)))

    seen = spread(tuple(map(tuple, table)))
    orders = [list(itertools.permutations(row)) for row in table]
    return float(np.mean([spread(rows) >= seen - 1e-9 for rows in itertools.product(*orders)]))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("rows", "columns"), [(4, 3), (3, 4), (7, 2)])
def test_any_difference_agrees_with_enumeration(seed: int, rows: int, columns: int) -> None:
    table = np.random.default_rng(seed).integers(0, 4, size=(rows, columns)) / 3
    expected = brute_force_any_difference(table)
    assert any_difference(table, seed=seed) == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("answers", [1, 3])
@pytest.mark.parametrize("seed", range(3))
def test_any_difference_agrees_with_scipy(answers: int, seed: int) -> None:
    """Single answers go by whole groups of like rows, several answers partly one by one."""
    generator = np.random.default_rng(seed)
    rates = np.clip(generator.random((60, 1)) + np.linspace(0, 0.12, 5), 0, 1)
    table = generator.binomial(answers, rates) / answers

    def spread(*columns: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
        return np.asarray(np.var(np.sum(columns, axis=axis), axis=0))

    expected = permutation_test(
        tuple(table.T),
        spread,
        permutation_type="samples",
        alternative="greater",
        n_resamples=4000,
        vectorized=True,
        rng=1,
    ).pvalue
    assert any_difference(table) == pytest.approx(expected, abs=0.035)


@pytest.mark.parametrize("conditions", [6, 7])
def test_any_difference_of_many_items_is_cochrans_q(conditions: int) -> None:
    """Up to six conditions go by groups of like rows, more of them row by row."""
    generator = np.random.default_rng(11)
    rates = np.linspace(0.5, 0.55, conditions)
    table = (generator.random((800, conditions)) < rates).astype(float)
    assert any_difference(table) == pytest.approx(cochrans_q(table).pvalue, abs=0.02)


def test_any_difference_finds_what_no_trend_shows() -> None:
    table = np.tile([0.0, 1.0, 0.0], (20, 1))
    assert any_difference(table) == pytest.approx(1 / 100_000)
    assert any_difference(table, seed=1) == any_difference(table, seed=1)


def test_any_difference_draws_nothing_where_no_order_can_be_a_hit() -> None:
    """Or a billion orders of thousands of items would be drawn here."""
    table = np.tile([0.0, 1.0, 0.0], (200, 1))
    assert any_difference(table, at_most=10**9) == pytest.approx(1e-9, rel=1e-6)


@pytest.mark.parametrize(("rows", "columns"), [(6, 3), (4, 4), (11, 2)])
def test_the_bound_of_the_chance_of_a_hit_holds(rows: int, columns: int) -> None:
    for seed in range(4):
        table = np.random.default_rng(seed).integers(0, 3, size=(rows, columns)) / 2
        table[0, 0], table[0, 1] = 0, 1
        totals = np.zeros((1, columns))
        for row in table[:5]:
            orders = np.array(list(itertools.permutations(row)))
            totals = (totals[:, None] + orders).reshape(-1, columns)
        spreads = totals.var(axis=1)
        for seen in np.quantile(spreads, [0.5, 0.9, 0.99, 1]):
            share = np.mean(spreads >= seen - 1e-9)
            assert share <= _chance_of_hit(table[:5], float(seen))


@pytest.mark.slow
def test_any_difference_holds_its_level() -> None:
    generator = np.random.default_rng(2)
    tables = (generator.random((400, 25, 6)) < generator.random((400, 25, 1))).astype(float)
    rejections = sum(any_difference(table, resamples=199) <= 0.05 for table in tables)
    assert rejections / 400 == pytest.approx(0.05, abs=0.03)


def test_any_difference_degenerate() -> None:
    assert any_difference([[1, 1, 1], [0, 0, 0]]) == 1
    for shape in ((0,), (0, 6), (2, 1)):
        assert math.isnan(any_difference(np.zeros(shape)))
    with pytest.raises(ValueError, match="finite"):
        any_difference([[0.0, 1.0], [0.0, math.nan]])


def test_any_difference_needs_items_and_conditions() -> None:
    with pytest.raises(ValueError, match="two axes, items and conditions; got 1"):
        any_difference([1.0, 0.0])
