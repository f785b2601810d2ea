from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from scipy.stats import norm
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

from tests.analysis.frames import Row, answer, answers, group, mean, only, studies, table
from tests.strategies import examples
from vr_evals.analysis.changes import changes
from vr_evals.stats.paired import holm


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
    if math.isnan(found.p):
        assert len(set(clusters)) == 1
        return
    assert (found.p < 0.05) == (found.low > 0 or found.high < 0)
    assert found.low <= found.estimate <= found.high
    assert found.low_simultaneous <= found.low < found.high <= found.high_simultaneous
    if len(set(clusters)) == len(clusters) and counts["n_samples"] == 2 * len(differences):
        assert found.test == "score"
        gained, lost = differences.count(1), differences.count(-1)
        expected = statsmodels_mcnemar(
            [[0, gained], [lost, 0]], exact=False, correction=False
        ).pvalue
        assert found.p == pytest.approx(expected if gained + lost else 1)
    read, least, most = bounds_by_hand(side, reference)
    assert found.estimate_read == pytest.approx(read, nan_ok=True)
    assert (found.bound_low, found.bound_high) == pytest.approx((least, most))


def bounds_by_hand(side: list[Row], reference: list[Row]) -> tuple[float, float, float]:
    """The difference among what was read, and with unread answers at their worst and best."""
    units = [
        group([row for row in rows if row["target"] is not None], "item", "option_order")
        for rows in (side, reference)
    ]
    shared = sorted(set(units[0]) & set(units[1]))

    def rate(rows: list[Row], unread: bool | None) -> float:
        used = [row for row in rows if unread is not None or row["label"] is not None]
        right = [unread if row["label"] is None else row["correct"] for row in used]
        return mean([float(bool(each)) for each in right])

    def difference(first: bool | None, second: bool | None) -> float:
        each = [rate(units[0][key], first) - rate(units[1][key], second) for key in shared]
        return mean([value for value in each if not math.isnan(value)])

    return difference(None, None), difference(False, True), difference(True, False)


@examples(8)
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


@examples(2)
@given(studies(levels=[0, 1, 2, 3, 5]))
def test_p_values_are_adjusted_within_a_metric(rows: list[Row]) -> None:
    for _, family in changes(table(rows)).groupby(["metric", "model"]):
        tested = family.dropna(subset=["p"])
        if len(tested):
            expected = multipletests(tested["p"], method="holm")[1]
            assert tested["p_adjusted"].tolist() == pytest.approx(list(expected))
        assert family["p_adjusted"].isna().equals(family["p"].isna())


def test_by_hand() -> None:
    rows = table(answers("AAABBB-A"), answers("AAAAAABB", level=2))
    found = only(changes(rows))
    assert (found.metric, found.level, found.test) == ("change_from_level0", 2, "score")
    assert found.estimate == pytest.approx(2 / 8)  # an unread answer is there, and not right
    assert (found.n_items, found.n_samples, found.n_unpaired) == (8, 16, 0)
    expected = statsmodels_mcnemar([[3, 3], [1, 1]], exact=False, correction=False).pvalue
    assert found.p == pytest.approx(expected)
    assert found.estimate_read == pytest.approx(2 / 7)
    assert (found.bound_low, found.bound_high) == pytest.approx((1 / 8, 2 / 8))


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
    assert found.p == 1


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
    assert (frame["p_adjusted"] == frame["p"]).all()  # one test a model, however many models
    assert holm(frame["p"]).min() > 0.05
    assert ((frame["low"] <= 0) & (frame["high"] >= 0)).mean() >= 0.88


def test_siblings_in_both_orders_are_one_cluster() -> None:
    rows = [
        answer(f"i{i}", label, option_order=order, level=level)
        for i in range(6)
        for level, label in ((0, "B"), (1, "A"))
        for order in ("original", "reversed")
    ]
    found = only(changes(table(rows)))
    assert (found.n_items, found.n_samples) == (6, 24)
    assert found.p == pytest.approx(2 * norm.sf(math.sqrt(6)))


@pytest.mark.parametrize(
    ("reference", "side", "words"),
    [
        ({"temperature": 0.0}, {"temperature": 0.7}, "temperature (0.7 and 0)"),
        ({"version": "1-A"}, {"version": "2-A"}, "version (2-A and 1-A)"),
        ({}, {"settings": '{"seed": 1}'}, "seed (1 and default)"),
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
        f"because settings differ: {words}."
    ]


def test_what_differs_by_design_is_compared() -> None:
    budget = '{"max_tokens": 8000, "thinking_budget": 5000}'
    rows = table(
        answers("AAB"),
        answers("AAA", thinking=True, settings=budget),
        answers("AAA", level=5, second_pass="conversation"),
        answers("AAA", level=5, thinking=True, settings=budget),
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
        "because settings differ: temperature (1 and 0)."
    ]
    assert frame.attrs["refusals"] == [
        {
            "cell": "m/one, moralchoice, level 1, thinking off, temperature=1",
            "versus": "level 0",
            "settings": (("temperature", "1", "0"),),
        }
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


def test_answers_that_cannot_be_read_do_not_make_a_change() -> None:
    """A tenth of a level's answers is unread, all on hard items: the true change is 0."""
    generator = np.random.default_rng(1)
    rows = []
    for item in range(200):
        hard = item < 100
        for level in (0, 1):
            for epoch in (1, 2, 3):
                right = generator.random() < (0.5 if hard else 0.95)
                unread = level == 1 and hard and generator.random() < 0.2
                label = None if unread else "A" if right else "B"
                rows.append(answer(f"i{item}", label, level=level, epoch=epoch))
    found = only(changes(table(rows)))
    assert found.high < 0
    assert found.estimate_read == pytest.approx(0, abs=0.03)
    assert found.bound_low < 0 < found.bound_high


def test_estimate_and_test_agree_where_clusters_are_unequal() -> None:
    """Twelve clusters of one item gain, one of forty loses: the mean over items is below 0."""
    rows = []
    for item in range(52):
        cluster = f"c{min(item, 12)}"
        labels = "BA" if item < 12 else "AB" if item % 2 else "AA"
        for level in (0, 1):
            rows.append(answer(f"i{item}", labels[level], level=level, cluster=cluster))
    found = only(changes(table(rows)))
    assert found.estimate < 0
    assert found.low < 0 < found.high
    assert found.p > 0.05


def test_other_models_do_not_change_what_is_significant() -> None:
    rows = [*answers("AAABBBBBBB"), *answers("AAAAAAAABB", level=1), *answers("AB" * 5, level=2)]
    others = [
        row
        for n in range(10)
        for level in (0, 1, 2)
        for row in answers("AB" * 5, level=level, model=f"m/{n}")
    ]
    alone, among = changes(table(rows)), changes(table(rows, others))
    among = among[among["model"] == "m/one"]
    assert among["p_adjusted"].tolist() == alone["p_adjusted"].tolist()


def test_thinking_is_compared_with_thinking_off_at_its_temperature() -> None:
    on = answers("AABB", thinking=True)
    cold, warm = answers("AAAA"), answers("BBBB", temperature=1.0)
    metric = {"metric": "change_from_thinking_off"}
    row = only(changes(table(on, cold)), **metric)
    assert (row.estimate, row.is_same_temperature) == (-0.5, False)
    both = changes(table(on, cold, warm))
    row = only(both, **metric, variant="temperature=1")
    assert (row.estimate, row.is_same_temperature) == (0.5, True)
    assert not only(both, **metric, variant="temperature=0").is_same_temperature
    given = [answers("AABB", thinking=True, temperature=1.0), warm]
    assert only(changes(table(*given)), **metric).is_same_temperature
