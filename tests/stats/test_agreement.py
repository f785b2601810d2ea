import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from vr_evals.stats.agreement import (
    agreement,
    agreement_between,
    alpha,
    kappa,
    majority,
    mean_defined,
)

choices = st.lists(st.sampled_from(["A", "B", "C", None]), min_size=2, max_size=10)


@given(choices)
def test_agreement_is_the_share_of_pairs(epochs: list[str | None]) -> None:
    pairs = list(itertools.combinations(epochs, 2))
    assert agreement(epochs) == pytest.approx(sum(a == b for a, b in pairs) / len(pairs))


@given(st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=4), min_size=2, max_size=12))
def test_mean_agreement_is_the_one_in_fleiss_kappa(items: list[list[int]]) -> None:
    counts, _ = aggregate_raters(items, n_cat=3)
    mean = mean_defined(agreement(item) for item in items)
    chance = float(((counts.sum(axis=0) / counts.sum()) ** 2).sum())
    if chance < 1:
        assert (mean - chance) / (1 - chance) == pytest.approx(fleiss_kappa(counts), abs=1e-9)


@pytest.mark.parametrize(
    ("epochs", "expected"),
    [
        (["A"], math.nan),
        ([], math.nan),
        (["A", "A"], 1),
        (["A", "B"], 0),
        (["A", "A", "A", "B"], 0.5),
        (["A", None], 0),
        ([None, None], 1),
        (["A", "A", None, None], 1 / 3),
    ],
)
def test_agreement_by_hand(epochs: list[str | None], expected: float) -> None:
    assert agreement(epochs) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    ("epochs", "expected"),
    [
        ([], None),
        ([None, None], None),
        (["A"], "A"),
        (["A", "B"], None),
        (["B", "A"], None),
        (["B", "A", "B"], "B"),
        (["A", None, None], "A"),
        (["A", "B", None, None, None], None),
        (["C", "A", "A", "B", "B"], None),
    ],
)
def test_majority(epochs: list[str | None], expected: str | None) -> None:
    assert majority(epochs) == expected


@given(choices, st.integers(0, 9))
def test_majority_does_not_depend_on_order(epochs: list[str | None], shift: int) -> None:
    turned = epochs[shift:] + epochs[:shift]
    assert majority(turned) == majority(epochs) == majority(epochs[::-1])


def test_mean_defined() -> None:
    assert mean_defined([1, math.nan, 0]) == 0.5
    assert math.isnan(mean_defined([math.nan]))
    assert math.isnan(mean_defined([]))


@given(
    first=st.lists(st.sampled_from(["a", "b", None]), max_size=6),
    second=st.lists(st.sampled_from(["a", "b", None]), max_size=6),
)
def test_agreement_between_is_the_share_of_equal_pairs(
    first: list[str | None], second: list[str | None]
) -> None:
    pairs = [a == b for a in first for b in second]
    expected = sum(pairs) / len(pairs) if pairs else math.nan
    assert agreement_between(first, second) == pytest.approx(expected, nan_ok=True)
    assert agreement_between(second, first) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([], ["a"], math.nan),
        (["a"], ["a"], 1),
        (["a"], ["b"], 0),
        ([None], [None], 1),
        (["a", "a", "b"], ["a", "b"], 1 / 2),
        (["a", None], ["a", "b", None, None], 3 / 8),
    ],
)
def test_agreement_between_by_hand(
    first: list[str | None], second: list[str | None], expected: float
) -> None:
    assert agreement_between(first, second) == pytest.approx(expected, nan_ok=True)


@given(st.lists(st.lists(st.sampled_from("AB-"), min_size=2, max_size=4), min_size=2, max_size=8))
def test_alpha_is_krippendorffs(items: list[list[str]]) -> None:
    """Pairs by hand: of an item's epochs, each answer counting once, and of all answers."""
    pool = [choice for item in items for choice in item]
    apart = [[float(a != b) for a, b in itertools.permutations(item, 2)] for item in items]
    observed = sum(len(i) * sum(d) / len(d) for i, d in zip(items, apart, strict=True)) / len(pool)
    pairs = [float(a != b) for a, b in itertools.permutations(pool, 2)]
    expected = sum(pairs) / len(pairs)
    counts = np.array([[item.count(choice) for choice in "AB-"] for item in items], dtype=float)
    found = alpha(counts, range(len(items)))
    if not expected:
        assert math.isnan(found.estimate)
        return
    assert found.estimate == pytest.approx(1 - observed / expected)
    assert -1 <= found.low < found.high <= 1


def test_kappa_without_items_is_not_known() -> None:
    found = kappa(np.zeros((0, 3)), np.zeros((0, 3)), [])
    assert all(map(math.isnan, (found.estimate, found.low, found.high)))
