"""How answers were stated, what they mention, and how sure they are, against plain loops."""

import pytest

from tests.analysis.frames import answer, table
from vr_evals.analysis import descriptives


def test_shares_and_confidences_by_cell() -> None:
    rows = [
        answer(
            item,
            label,
            level=5,
            answer_format=form,
            cut_off=cut_off,
            confidence=after,
            first_confidence=before,
            reflection=reflection,
        )
        for item, label, form, cut_off, before, after, reflection in (
            ("i1", "A", "tag", False, 60.0, 80.0, "kept"),
            ("i2", "B", "tag", False, 50.0, 40.0, "bad_flip"),
            ("i3", "A", "stated", True, None, 90.0, "good_flip"),
            ("i4", None, "missing", None, 10.0, 20.0, None),
        )
    ]
    found = descriptives(table(rows)).set_index("metric")
    estimates = found["estimate"].to_dict()
    assert estimates == pytest.approx(
        {
            "tag": 0.5,
            "stated": 0.25,
            "missing": 0.25,
            **dict.fromkeys(("empty", "refused", "ambiguous", "truncated"), 0),
            "cut_off": 1 / 3,
            "mean_confidence_right": 85,
            "mean_confidence_wrong": 40,
            "confidence_before": 55,
            "confidence_after": 60,
            "confidence_change_kept": 20,
            "confidence_change_flipped": -10,
        }
    )
    assert found["n_samples"]["cut_off"] == 3
    # one cluster has no interval
    several = found[(found["n_samples"] > 1)]
    assert (several["low"] <= several["estimate"]).all()
    assert (several["estimate"] <= several["high"]).all()


def test_mentions_are_by_condition() -> None:
    rows = [
        answer(item, "A", level=None, condition=condition, acknowledged=said)
        for condition, mentions in (
            ("control", ("none", "source")),
            ("high_harm", ("explicit",) * 2),
        )
        for item, said in zip(("i1", "i2"), mentions, strict=True)
    ]
    found = descriptives(table(rows)).set_index(["metric", "condition"])["estimate"]
    assert found["mentioned"].to_dict() == {"control": 0.5, "high_harm": 1}


def test_a_cell_without_any_of_it_has_no_rows() -> None:
    assert descriptives(table([answer("i1", "A", answer_format=None)])).empty
