import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from vr_evals.stats.discrimination import auroc, weighted_auroc

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


@given(both_classes, st.integers(0, 1000))
def test_weights_agree_with_scikit_learn(data: Answers, seed: int) -> None:
    scores, positive = np.array(data[0]), np.array(data[1], dtype=float)
    weights = np.random.default_rng(seed).random((3, len(scores))) + 0.1
    expected = [roc_auc_score(positive, scores, sample_weight=w) for w in weights]
    assert weighted_auroc(scores, positive, weights).tolist() == pytest.approx(expected)


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
