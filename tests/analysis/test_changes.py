from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy.stats import permutation_test
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

from tests.analysis.frames import Row, answer, answers, group, mean, only, studies, table
from vr_evals.analysis.changes import changes
from vr_evals.stats.intervals import clustered_mean


def paired_by_hand(side: list[Row], reference: list[Row]) -> tuple[list[float], list[str], Any]:
    """Differences of the units that both sides have, their clusters, and counts."""
    units = [
        group([row for row in rows if row["target"] is not None], "item", "option_order")
        for rows in (side, reference)
    ]
    shared = sorted(set(units[0]) & set(units[1]))
    rates = [
        [mean([float(row["label"] == row["target"]) for row in unit[key]]) for key in shared]
        for unit in units
    ]
    items = {item for item, _ in shared}
    counts = {
        "n_items": len(items),
        "n_samples": sum(len(unit[key]) for unit in units for key in shared),
        "n_unpaired": len({item for unit in units for item, _ in unit} - items),
    }
    differences = [a - b for a, b in zip(*rates, strict=True)]
    return differences, [units[0][key][0]["cluster"] for key in shared], counts


def check(found: Any, side: list[Row], reference: list[Row]) -> None:
    """One row of a frame against plain loops, and its p-value against other libraries."""
    differences, clusters, counts = paired_by_hand(side, reference)
    assert found.estimate == pytest.approx(mean(differences), nan_ok=True)
    for name, count in counts.items():
        assert getattr(found, name) == count, name
    if not differences:
        assert math.isnan(found.p)
        return
    interval = clustered_mean(differences, clusters)
    if interval.n_clusters > 1 and interval.stderr > 1e-9:
        assert found.low == pytest.approx(max(interval.low, -1))
        assert found.high == pytest.approx(min(interval.high, 1))
    if len(set(clusters)) == len(clusters) and counts["n_samples"] == 2 * len(differences):
        assert found.test == "mcnemar"
        gained, lost = differences.count(1), differences.count(-1)
        expected = statsmodels_mcnemar([[0, gained], [lost, 0]], exact=True).pvalue
        assert found.p == pytest.approx(expected)
    else:
        assert found.test == "sign_flip"
        by_cluster: dict[str, list[float]] = {}
        for cluster, difference in zip(clusters, differences, strict=True):
            by_cluster.setdefault(cluster, []).append(difference)
        means = [mean(values) for values in by_cluster.values()]
        # all 2ⁿ sign patterns; whole numbers, so that equal sums are equal
        whole = np.round(np.array([*means, 0.0]) * 27720).astype(int)
        expected = permutation_test(
            (whole,), np.sum, permutation_type="samples", n_resamples=10_000
        ).pvalue
        assert found.p == pytest.approx(expected)


@settings(deadline=None, max_examples=25)
@given(studies())
def test_each_figure_is_what_plain_loops_make_of_it(rows: list[Row]) -> None:
    frame = changes(table(rows))
    cells = group(rows, "model", "level", "thinking")
    expected = 0
    for (model, level, thinking), side in cells.items():
        keys = {"model": model, "level": level, "thinking": thinking}
        for metric, reference in (
            ("change_from_level0", (model, 0, thinking) if level else None),
            ("change_from_thinking_off", (model, level, False) if thinking else None),
        ):
            if reference in cells:
                expected += 1
                found = only(frame, metric=metric, **keys)
                check(found, side, cells[reference])
    assert len(frame) == expected


@settings(deadline=None, max_examples=10)
@given(studies(levels=[0, 1, 2, 3, 5]))
def test_p_values_are_adjusted_within_a_metric(rows: list[Row]) -> None:
    for _, family in changes(table(rows)).groupby("metric"):
        tested = family.dropna(subset=["p"])
        if len(tested):
            expected = multipletests(tested["p"], method="holm")[1]
            assert tested["p_adjusted"].tolist() == pytest.approx(list(expected))
        assert family["p_adjusted"].isna().equals(family["p"].isna())


def test_by_hand() -> None:
    rows = table(answers("AAABBB-A"), answers("AAAAAABB", level=2))
    found = only(changes(rows))
    assert (found.metric, found.level, found.test) == ("change_from_level0", 2, "mcnemar")
    assert found.estimate == pytest.approx(2 / 8)  # an unread answer is there, and not right
    assert (found.n_items, found.n_samples, found.n_unpaired) == (8, 16, 0)
    assert found.p == pytest.approx(statsmodels_mcnemar([[3, 3], [1, 1]]).pvalue)


def test_only_what_both_sides_have_is_paired() -> None:
    few = [row for row in answers("BBBB", level=1) if row["item"] != "i0"]
    found = only(changes(table(answers("AAA"), few)))
    assert (found.estimate, found.n_items, found.n_unpaired) == (-1, 2, 2)


def test_no_common_item_is_a_row_without_a_figure() -> None:
    found = only(changes(table(answer("a", "A"), answer("b", "A", level=1))))
    assert math.isnan(found.estimate)
    assert math.isnan(found.p)
    assert (found.n_items, found.n_unpaired) == (0, 2)
    assert pd.isna(found.test)


def test_differences_that_cancel_within_a_cluster_are_none() -> None:
    """1/6 − 1/6 in floating point is not 0, but no reason to reject anything."""
    rows = []
    for cluster in ("one", "two"):
        for name, level0, level1 in (("up", 2, 3), ("down", 3, 2)):
            for level, right in ((0, level0), (1, level1)):
                rows += [
                    answer(
                        cluster + name,
                        "A" if epoch <= right else "B",
                        level=level,
                        epoch=epoch,
                        cluster=cluster,
                    )
                    for epoch in range(1, 7)
                ]
    found = only(changes(table(rows)))
    assert (found.p, found.test) == (1, "sign_flip")


def test_the_same_answers_give_no_effect() -> None:
    found = only(changes(table(answers("AB-AB" * 8), answers("AB-AB" * 8, level=1))))
    assert (found.estimate, found.p) == (0, 1)
    assert found.low < 0 < found.high  # 40 items that did not change are no certainty


def test_a_respondent_without_an_effect_is_seldom_called_changed() -> None:
    generator = np.random.default_rng(3)
    rows = []
    for model in range(60):
        for level in (0, 1):
            said = "".join(generator.choice(["A", "B"], size=40))
            rows += answers(said, level=level, model=f"m/{model}")
    frame: Any = changes(table(rows))
    assert (frame["p"] < 0.05).mean() <= 0.1
    assert (frame["p_adjusted"] < 0.05).sum() == 0
    assert ((frame["low"] <= 0) & (frame["high"] >= 0)).mean() >= 0.88


def test_siblings_in_both_orders_are_one_cluster() -> None:
    rows = [
        answer(f"i{i}", label, option_order=order, level=level)
        for i in range(6)
        for level, label in ((0, "B"), (1, "A"))
        for order in ("original", "reversed")
    ]
    found = only(changes(table(rows)))
    assert found.test == "sign_flip"
    assert (found.n_items, found.n_samples) == (6, 24)
    assert found.p == 2 / 2**6


@pytest.mark.parametrize(
    ("reference", "side", "words"),
    [
        ({"temperature": 0.0}, {"temperature": 0.7}, "temperature (0.7 and 0)"),
        ({"version": "1-A"}, {"version": "2-A"}, "version (2-A and 1-A)"),
        ({}, {"variant": "seed=1"}, "seed (1 and default)"),
        ({"dataset": "hub"}, {"dataset": "x.csv"}, "dataset (x.csv and hub)"),
        (
            {"option_order": "seeded"},
            {"option_order": "original"},
            "option_order (original and seeded)",
        ),
    ],
)
def test_other_settings_are_not_compared_but_named(reference: Row, side: Row, words: str) -> None:
    frame = changes(table(answers("AAB", **reference), answers("AAA", level=1, **side)))
    assert len(frame) == 0
    assert frame.attrs["notes"] == [
        "m/one, moralchoice, level 1, thinking off: not compared with level 0, "
        f"since the settings differ: {words}."
    ]


def test_what_differs_by_design_is_compared() -> None:
    budget = "max_tokens=8000, thinking_budget=5000"
    rows = table(
        answers("AAB"),
        answers("AAA", thinking=True, variant=budget),
        answers("AAA", level=5, second_pass="conversation"),
        answers("AAA", level=5, thinking=True, variant=budget),
    )
    frame = changes(rows)
    assert len(frame) == 4
    assert frame.attrs["notes"] == []


def test_each_variant_is_compared_with_its_like() -> None:
    rows = table(
        answers("AAAA", temperature=0.0),
        answers("BBBB", temperature=0.7),
        answers("AAAB", level=1, temperature=0.0),
        answers("AAAB", level=1, temperature=0.7),
        answers("AAAB", level=1, temperature=1.0),
    )
    frame = changes(rows).set_index("variant")
    assert frame["estimate"].to_dict() == {"temperature=0": -0.25, "temperature=0.7": 0.75}
    assert frame.attrs["notes"] == [
        "m/one, moralchoice, level 1, thinking off, temperature=1: not compared with level 0, "
        "since the settings differ: temperature (1 and 0)."
    ]


def test_both_second_passes_are_compared_with_level_0() -> None:
    passes = ("conversation", "standalone")
    rows = table(
        answers("AAAA"), [answers("AAAB", level=5, second_pass=name) for name in passes][0]
    )
    assert changes(rows)["variant"].tolist() == [""]
    both = table(answers("AAAA"), *(answers("AAAB", level=5, second_pass=name) for name in passes))
    assert changes(both)["variant"].tolist() == [f"second_pass={name}" for name in passes]


def test_thinking_at_two_temperatures() -> None:
    rows = table(
        answers("AAAA", temperature=0.0),
        answers("AABB", temperature=1.0),
        answers("AAAB", thinking=True, temperature=None),
    )
    frame = changes(rows).set_index("variant")
    assert frame["estimate"].to_dict() == {"temperature=0": -0.25, "temperature=1": 0.25}
