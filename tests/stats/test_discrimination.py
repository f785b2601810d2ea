import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from vr_evals.stats.discrimination import auroc, auroc_interval

Answers = tuple[list[float], list[int]]

both_classes = (
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 1)), min_size=2, max_size=80)
    .map(lambda rows: ([float(x) for x, _ in rows], [y for _, y in rows]))
    .filter(lambda data: 0 < sum(data[1]) < len(data[1]))
)


@given(both_classes)
def test_auroc_agrees_with_scikit_learn_with_ties(data: Answers) -> None:
    scores, positive = data
    assert auroc(scores, positive) == pytest.approx(roc_auc_score(positive, scores))


@given(both_classes)
def test_auroc_is_the_share_of_pairs(data: Answers) -> None:
    rows = list(zip(*data, strict=True))
    pairs = [(a, b) for a, is_a in rows if is_a for b, is_b in rows if not is_b]
    wins = sum((a > b) + (a == b) / 2 for a, b in pairs)
    assert auroc(*data) == pytest.approx(wins / len(pairs))


@given(both_classes)
def test_auroc_turns_round_with_labels_and_scores(data: Answers) -> None:
    scores, positive = data
    area = auroc(scores, positive)
    assert auroc(scores, [1 - y for y in positive]) == pytest.approx(1 - area)
    assert auroc([-x for x in scores], positive) == pytest.approx(1 - area)
    assert auroc(np.exp(scores), positive) == pytest.approx(area)  # only the order counts


@pytest.mark.parametrize(
    ("scores", "positive", "expected"),
    [
        ([90, 80, 70], [1, 1, 0], 1),
        ([10, 20, 90], [1, 1, 0], 0),
        ([80, 80, 80], [1, 0, 1], 0.5),
        ([80, 90], [1, 1], math.nan),
        ([80], [0], math.nan),
        ([], [], math.nan),
    ],
)
def test_auroc_by_hand(scores: list[float], positive: list[int], expected: float) -> None:
    assert auroc(scores, positive) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    ("scores", "positive"), [([1, 2], [1]), ([math.nan], [1]), ([1], [2]), ([[1]], [[1]])]
)
def test_bad_data_is_an_error(scores: list[float], positive: list[int]) -> None:
    with pytest.raises(ValueError, match="scores"):
        auroc(scores, positive)


def test_the_interval_of_an_area_covers() -> None:
    """200 studies of 30 items × 3 epochs whose confidence and correctness go with the item."""
    generator = np.random.default_rng(8)

    def study(items: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        ability = generator.standard_normal((items, 1))
        stated = np.round(ability + generator.standard_normal((items, 3)))
        right = 0.5 + ability + generator.standard_normal((items, 3)) > 0
        return stated.ravel(), right.ravel()

    truth = auroc(*study(30_000))
    clusters = np.repeat(np.arange(30), 3)
    found = [auroc_interval(*study(30), clusters) for _ in range(200)]
    assert np.mean([low <= truth <= high for low, high in found]) > 0.91


def test_classes_that_are_quite_apart_are_no_certainty() -> None:
    low, high = auroc_interval([1.0] * 10 + [2.0] * 10, [0] * 10 + [1] * 10, range(20))
    assert 0.6 < low < 0.95
    assert high == 1


def test_a_class_of_few_clusters_has_no_interval() -> None:
    scores, positive = [1.0, 2.0] * 10, [0, 1] * 4 + [1] * 12
    assert np.isnan(auroc_interval(scores, positive, range(20))).all()
    copies = [n // 5 for n in range(100)]  # 20 wrong answers, but of four items
    assert np.isnan(auroc_interval(scores * 5, [int(n >= 4) for n in copies], copies)).all()
