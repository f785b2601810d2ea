from __future__ import annotations

import itertools
import math
from collections import Counter
from statistics import stdev

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import entropy as scipy_entropy
from sklearn.metrics import cohen_kappa_score

from tests.analysis.frames import Row, answer, answers, group, in_cell, mean, only, studies, table
from tests.strategies import examples
from vr_evals.analysis.agreement import agreement, agreement_between_models

KEYS = ("model", "level", "thinking")


@examples(8)
@given(studies(levels=[0, 1]))
def test_each_figure_is_what_plain_loops_make_of_it(rows: list[Row]) -> None:
    frame = agreement(table(rows))
    for key, cell in group(rows, *KEYS).items():
        found = in_cell(frame, **dict(zip(KEYS, key, strict=True)))
        units = [u for u in group(cell, "item", "option_order").values() if len(u) > 1]
        pairs = [
            mean([a["choice"] == b["choice"] for a, b in itertools.combinations(unit, 2)])
            for unit in units
        ]
        bits = [
            float(scipy_entropy(list(Counter(row["choice"] for row in unit).values()), base=2))
            for unit in units
        ]
        if all(row["choice"] is None for row in cell):
            units, pairs, bits = [], [], []
        for metric, values in (("agreement", pairs), ("entropy", bits)):
            row = only(found, metric=metric)
            assert row.estimate == pytest.approx(mean(values), nan_ok=True, abs=1e-12)
            assert row.n_items == len({unit[0]["item"] for unit in units})
            assert row.n_samples == sum(map(len, units))

        with_target = [row for row in cell if row["target"] is not None]
        epochs = sorted({row["epoch"] for row in with_target})
        accuracies = [
            mean([row["label"] == row["target"] for row in with_target if row["epoch"] == epoch])
            for epoch in epochs
        ]
        by_epoch = in_cell(found, metric="accuracy_of_epoch")
        assert by_epoch["epoch"].tolist() == epochs
        assert by_epoch["estimate"].tolist() == pytest.approx(accuracies)
        spread = only(found, metric="accuracy_sd_over_epochs")
        expected = stdev(accuracies) if len(accuracies) > 1 else math.nan
        assert spread.estimate == pytest.approx(expected, nan_ok=True, abs=1e-12)


def test_by_hand() -> None:
    rows = table(answers("AAB", epoch=1), answers("ABB", epoch=2), answers("AB-", epoch=3))
    frame = agreement(rows)
    assert only(frame, metric="agreement").estimate == pytest.approx((1 + 1 / 3 + 1 / 3) / 3)
    thirds = -(1 / 3 * math.log2(1 / 3) + 2 / 3 * math.log2(2 / 3))
    assert only(frame, metric="entropy").estimate == pytest.approx(2 * thirds / 3)
    by_epoch = in_cell(frame, metric="accuracy_of_epoch")
    assert by_epoch["estimate"].tolist() == pytest.approx([2 / 3, 1 / 3, 1 / 3])
    spread = only(frame, metric="accuracy_sd_over_epochs")
    assert spread.estimate == pytest.approx(1 / math.sqrt(27))


def test_orders_of_an_item_are_no_epochs() -> None:
    rows = [
        answer("i", label, option_order=order, epoch=epoch)
        for order, label in (("original", "A"), ("reversed", "A"))
        for epoch in (1, 2)
    ]
    found = only(agreement(table(rows)), metric="agreement")
    assert (found.estimate, found.n_items) == (1, 1)


def test_epochs_are_compared_on_the_same_items() -> None:
    rows = [answer("one", "A"), answer("one", "A", epoch=2), answer("two", "B")]
    found = in_cell(agreement(table(rows)), metric="accuracy_of_epoch")
    assert found["estimate"].tolist() == [1, 1]


def test_always_the_same_is_no_certainty() -> None:
    frame = agreement(table(answers("A" * 20), answers("A" * 20, epoch=2)))
    alike, bits = only(frame, metric="agreement"), only(frame, metric="entropy")
    assert alike.estimate == alike.high == 1
    assert 0.8 < alike.low < 0.95
    assert bits.estimate == bits.low == 0
    assert bits.high > 0.05


def test_chance_is_not_agreement() -> None:
    """Answers that do not depend on the item: the same in 82 % of pairs, and nothing beyond."""
    generator = np.random.default_rng(3)
    said = np.where(generator.random((5, 200)) < 0.9, "A", "B")
    frame = agreement(table(*(answers("".join(row), epoch=n) for n, row in enumerate(said))))
    assert only(frame, metric="agreement").estimate == pytest.approx(0.82, abs=0.03)
    beyond = only(frame, metric="agreement_alpha")
    assert beyond.estimate == pytest.approx(0, abs=0.05)
    assert beyond.low < 0 < beyond.high


def test_who_never_answers_does_not_agree() -> None:
    frame = agreement(table(answers("---", epoch=1), answers("---", epoch=2)))
    for metric in ("agreement", "agreement_alpha", "entropy"):
        assert math.isnan(only(frame, metric=metric).estimate)
        assert only(frame, metric=metric).n_items == 0


def test_two_models_agree_beyond_chance() -> None:
    generator = np.random.default_rng(4)
    one, other = ("".join(row) for row in np.where(generator.random((2, 200)) < 0.9, "A", "B"))
    copied = agreement_between_models(table(answers(one), answers(one, model="m/two")))
    assert only(copied, metric="agreement").estimate == 1
    assert only(copied, metric="agreement_kappa").estimate == 1
    assert only(copied, metric="agreement_kappa").low < 1
    frame = agreement_between_models(table(answers(one), answers(other, model="m/two")))
    both = [(a, b) for a, b in zip(one, other, strict=True)]
    assert only(frame, metric="agreement").estimate == pytest.approx(
        mean([a == b for a, b in both])
    )
    found = only(frame, metric="agreement_kappa")
    assert found.estimate == pytest.approx(cohen_kappa_score(list(one), list(other)))
    assert found.low < 0 < found.high
    assert (found.model, found.versus, found.n_items) == ("m/one", "m/two", 200)
    silent = agreement_between_models(table(answers(one), answers("-" * 200, model="m/two")))
    assert silent["estimate"].isna().all()
