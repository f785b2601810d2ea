import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import page_trend_test, permutation_test
from statsmodels.stats.contingency_tables import cochrans_q as statsmodels_q
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

from vr_evals.stats.paired import any_difference, cochran_q, holm, mcnemar, sign_flip, trend


@given(gained=st.integers(0, 60), lost=st.integers(0, 60))
def test_mcnemar_agrees_with_statsmodels(gained: int, lost: int) -> None:
    expected = statsmodels_mcnemar([[5, gained], [lost, 5]], exact=True).pvalue
    assert mcnemar(gained, lost) == pytest.approx(expected, rel=1e-9)
    assert mcnemar(gained, lost) == mcnemar(lost, gained)


@pytest.mark.parametrize(
    ("gained", "lost", "p"),
    [(0, 0, 1), (1, 0, 1), (5, 5, 1), (0, 6, 2 / 2**6), (10, 1, 24 / 2**11)],
)
def test_mcnemar_by_hand(gained: int, lost: int, p: float) -> None:
    assert mcnemar(gained, lost) == p


def test_mcnemar_with_many_items() -> None:
    assert 0 < mcnemar(1200, 1500) < 1e-7


def test_mcnemar_refuses_negative_counts() -> None:
    with pytest.raises(ValueError, match="negative"):
        mcnemar(-1, 3)


def brute_force_sign_flip(differences: list[float]) -> float:
    seen = abs(sum(differences))
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in itertools.product((-1, 1), repeat=len(differences))
    ]
    return sum(total >= seen - 1e-9 for total in sums) / len(sums)


@given(st.lists(st.integers(-5, 5).map(lambda x: x / 5), min_size=1, max_size=9))
def test_sign_flip_agrees_with_enumeration(differences: list[float]) -> None:
    assert sign_flip(differences) == pytest.approx(brute_force_sign_flip(differences))
    assert sign_flip([-d for d in differences]) == sign_flip(differences)


@given(gained=st.integers(0, 6), lost=st.integers(0, 6), kept=st.integers(1, 9))
def test_sign_flip_of_single_answers_is_mcnemar(gained: int, lost: int, kept: int) -> None:
    assert sign_flip([1] * gained + [-1] * lost + [0] * kept) == pytest.approx(
        mcnemar(gained, lost)
    )


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


@pytest.mark.parametrize("effect", [0.8, 1.2, 1.6])
def test_random_sign_flips_agree_with_the_exact_distribution(effect: float) -> None:
    differences = np.round(np.random.default_rng(5).normal(effect, 2.5, size=60)).astype(int)
    exact = exact_sign_flip(differences.tolist())
    error = math.sqrt(exact * (1 - exact) / 9999)
    assert sign_flip(differences / 5) == pytest.approx(exact, abs=4 * error + 1e-4)


def test_random_sign_flips_agree_with_scipy() -> None:
    differences = np.random.default_rng(5).normal(0.2, 0.5, size=60)
    expected = permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=50_000, rng=1
    ).pvalue
    assert sign_flip(differences, resamples=50_000) == pytest.approx(expected, abs=0.01)


def test_random_p_is_seeded_and_never_zero() -> None:
    differences = [1.0 + i / 100 for i in range(40)]
    assert sign_flip(differences, resamples=99, at_most=0) == 1 / 100
    assert sign_flip(differences, resamples=99, at_most=999) == 1 / 1000
    assert sign_flip(differences) == 1 / 100_000
    noise = np.random.default_rng(0).normal(size=30)
    assert sign_flip(noise, seed=1) == sign_flip(noise, seed=1) != sign_flip(noise, seed=2)


def test_more_patterns_are_drawn_where_none_of_the_first_is_a_hit() -> None:
    differences = [2] * 33 + [-1] * 16
    exact = exact_sign_flip(differences)
    assert 1e-5 < exact < 1e-4
    few, many = sign_flip(differences, at_most=0, seed=2), sign_flip(differences, seed=2)
    assert few == 1e-4
    assert many == pytest.approx(exact, abs=4 * math.sqrt(exact / 99_999) + 1e-5)
    unsure = np.random.default_rng(0).normal(size=30)
    assert sign_flip(unsure) == sign_flip(unsure, at_most=0)


def test_sign_flip_degenerate() -> None:
    assert math.isnan(sign_flip([]))
    assert sign_flip([0.0, 0.0]) == 1
    assert sign_flip([0.3]) == 1
    with pytest.raises(ValueError, match="finite"):
        sign_flip([0.1, math.nan])


def test_sign_flip_holds_its_level() -> None:
    """400 studies without a difference: about 5 % come out below 0.05."""
    generator = np.random.default_rng(2)
    rejections = sum(
        sign_flip(generator.normal(size=25), resamples=999, seed=i) <= 0.05 for i in range(400)
    )
    assert rejections / 400 == pytest.approx(0.05, abs=0.03)


binary_tables = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 1), min_size=k, max_size=k), min_size=1, max_size=30)
)


@example([[1, 1, 1], [0, 0, 0]])
@given(binary_tables)
def test_cochran_q_agrees_with_statsmodels(table: list[list[int]]) -> None:
    test = cochran_q(table)
    assert test.df == len(table[0]) - 1
    if all(len(set(row)) == 1 for row in table):
        assert (test.statistic, test.p) == (0, 1)
        return
    expected = statsmodels_q(np.array(table))
    assert test.statistic == pytest.approx(expected.statistic, abs=1e-9)
    assert test.p == pytest.approx(expected.pvalue, abs=1e-9)


def test_cochran_q_of_two_conditions_is_mcnemars_chi_square() -> None:
    table = [[1, 0]] * 9 + [[0, 1]] * 4 + [[1, 1]] * 7
    expected = statsmodels_mcnemar([[7, 9], [4, 0]], exact=False, correction=False)
    assert cochran_q(table).statistic == pytest.approx(expected.statistic)


@pytest.mark.parametrize(("table", "df"), [([], 0), (np.zeros((0, 3)), 2), ([[1], [0]], 0)])
def test_cochran_q_undefined(table: list[list[int]], df: int) -> None:
    test = cochran_q(table)
    assert math.isnan(test.statistic)
    assert math.isnan(test.p)
    assert test.df == df


@pytest.mark.parametrize("table", [[[0, 2]], [[0, 0.5]], [[0, math.nan]], [0, 1]])
def test_cochran_q_refuses_other_tables(table: list[object]) -> None:
    with pytest.raises(ValueError, match="table"):
        cochran_q(np.array(table, dtype=float))


def brute_force_trend(table: NDArray[np.float64], levels: NDArray[np.float64]) -> float:
    contrast = levels - levels.mean()
    orders = [[np.dot(order, contrast) for order in itertools.permutations(row)] for row in table]
    totals = np.array([sum(combination) for combination in itertools.product(*orders)])
    return float(np.mean(np.abs(totals) >= abs((table @ contrast).sum()) - 1e-9))


@pytest.mark.parametrize("seed", range(4))
def test_trend_agrees_with_enumeration(seed: int) -> None:
    generator = np.random.default_rng(seed)
    table = generator.integers(0, 4, size=(4, 4)) / 4 + np.arange(4) * 0.1
    levels = np.array([0.0, 1, 2, 4])
    test = trend(table, list(levels), seed=seed)
    assert test.p == pytest.approx(brute_force_trend(table, levels), abs=0.015)
    assert test.slope == pytest.approx(np.polyfit(levels, table.mean(axis=0), 1)[0])


def test_trend_on_ranks_is_pages_test() -> None:
    generator = np.random.default_rng(3)
    ranks = (generator.normal(size=(12, 5)) + np.arange(5) * 0.2).argsort(axis=1).argsort(axis=1)
    page = page_trend_test(ranks + 1, ranked=True, method="exact").pvalue
    assert trend(ranks).p == pytest.approx(2 * page, abs=0.01)  # Page's test is one-sided


def test_trend_of_two_levels_is_the_sign_flip() -> None:
    table = np.random.default_rng(8).random((9, 2))
    assert trend(table).p == pytest.approx(sign_flip(table[:, 1] - table[:, 0]), abs=0.015)


def test_trend_is_blind_to_the_items_own_levels_and_to_direction() -> None:
    table = np.random.default_rng(4).random((10, 6))
    shifted = table + np.arange(10)[:, None]
    assert trend(shifted).p == trend(table).p
    assert trend(-table).slope == pytest.approx(-trend(table).slope)
    assert trend(table, seed=1) == trend(table, seed=1)


def test_trend_degenerate() -> None:
    assert trend([[1, 1, 1], [0, 0, 0]]).slope == pytest.approx(0)
    assert trend([[1, 1, 1], [0, 0, 0]]).p == 1
    for shape in ((0,), (0, 6), (2, 1)):
        test = trend(np.zeros(shape))
        assert math.isnan(test.slope)
        assert math.isnan(test.p)


def test_trend_refuses_bad_tables() -> None:
    with pytest.raises(ValueError, match="finite"):
        trend([[0.0, 1.0], [0.0, math.nan]])
    with pytest.raises(ValueError, match="3 levels but 2 columns"):
        trend([[0, 1]], [0, 1, 2])


@settings(max_examples=30)  # the oracle is slow
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
    assert any_difference(table) == pytest.approx(cochran_q(table).p, abs=0.02)


def test_any_difference_of_two_conditions_is_the_sign_flip() -> None:
    table = np.random.default_rng(8).random((9, 2))
    expected = sign_flip(table[:, 1] - table[:, 0])
    assert any_difference(table) == pytest.approx(expected, abs=0.015)


def test_any_difference_finds_what_no_trend_shows() -> None:
    table = np.tile([0.0, 1.0, 0.0], (20, 1))
    assert any_difference(table) == pytest.approx(1 / 100_000)
    assert trend(table).p > 0.5
    assert any_difference(table, seed=1) == any_difference(table, seed=1)


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
