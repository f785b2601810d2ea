"""Shares of the categories of confidence, against plain loops; level checks likewise."""

from random import Random
from typing import Any

import pytest

from tests.analysis.frames import Row, answer, group, in_cell, mean, only, table
from vr_evals.analysis import confidence_category, level_check
from vr_evals.level_checks import LEVEL_CHECKS

CATEGORIES = ("very_low", "low", "moderate", "high", "very_high")


def study(seed: int) -> list[Row]:
    """Two levels; epochs differ in number, values may be missing."""
    random = Random(seed)
    rows = []
    for level in (0, 2):
        for number in range(6):
            for epoch in range(1, random.randint(1, 3) + 1):
                columns: dict[str, Any] = {
                    name: random.choice([True, False, None]) for name in LEVEL_CHECKS
                }
                columns["visible_words"] = random.choice([1, 50, None])
                columns["confidence_category"] = random.choice([*CATEGORIES, None])
                rows.append(answer(f"i{number}", "A", level=level, epoch=epoch, **columns))
    return rows


def by_item(rows: list[Row], name: str, value: object) -> float:
    return mean(
        [mean([row[name] == value for row in item]) for item in group(rows, "item").values()]
    )


@pytest.mark.parametrize("seed", range(3))
def test_shares_of_categories_are_those_of_plain_loops(seed: int) -> None:
    rows = study(seed)
    frame = confidence_category(table(rows))
    for (level,), of_cell in group(rows, "level").items():
        stated = [row for row in of_cell if row["confidence_category"]]
        found = in_cell(frame, level=level)
        assert list(found["category"]) == list(CATEGORIES)
        assert found["estimate"].sum() == pytest.approx(1)
        for name in CATEGORIES:
            row = only(frame, level=level, category=name)
            assert row.estimate == pytest.approx(by_item(stated, "confidence_category", name))
            assert (row.metric, row.n_samples) == ("share", len(stated))
            assert 0 <= row.low <= row.estimate <= row.high <= 1


@pytest.mark.parametrize("seed", range(3))
def test_shares_of_checks_are_those_of_plain_loops(seed: int) -> None:
    rows = study(seed)
    frame = level_check(table(rows))
    for (level,), of_cell in group(rows, "level").items():
        checked = [row for row in of_cell if row["visible_words"] is not None]
        for name in LEVEL_CHECKS:
            row = only(frame, level=level, metric=name)
            assert row.estimate == pytest.approx(by_item(checked, name, True))
            assert row.undetermined == pytest.approx(by_item(checked, name, None))
            assert row.n_samples == len(checked)
            assert 0 <= row.low <= row.estimate <= row.high <= 1
        words = only(frame, level=level, metric="visible_words")
        assert words.estimate == pytest.approx(mean([row["visible_words"] for row in checked]))


def test_without_confidences_or_checks_there_are_no_rows() -> None:
    assert confidence_category(table(answer("i", "A"))).empty
    assert level_check(table(answer("i", "A"))).empty
