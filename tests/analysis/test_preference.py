from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from scipy.stats import norm

from tests.analysis.frames import Row, answer, by_metric, group, in_cell, mean, only, studies, table
from tests.strategies import examples
from vr_evals.analysis.preference import preference
from vr_evals.stats.intervals import wilson_clustered

KEYS = ("model", "level", "thinking")


def sibling_groups(cell: list[Row]) -> list[tuple[list[Row], list[Row]]]:
    """The answers read to each item that has some in either order."""
    found = []
    for (_,), rows in sorted(group(cell, "item").items()):
        read = [row for row in rows if row["label"] is not None]
        orders = group(read, "option_order")
        sides = orders.get(("original",)), orders.get(("reversed",))
        if sides[0] and sides[1]:
            found.append((sides[0], sides[1]))
    return found


@examples(8)
@given(studies(levels=[0, 1]))
def test_preference_is_what_plain_loops_make_of_it(rows: list[Row]) -> None:
    frame = preference(table(rows))
    for key, cell in group(rows, *KEYS).items():
        found = in_cell(frame, metric="p_action1", **dict(zip(KEYS, key, strict=True)))
        dilemmas = [row for row in cell if row["benchmark"] == "moralchoice"]
        by_ambiguity = group(dilemmas, "ambiguity")
        assert len(found) == len(by_ambiguity)
        for (ambiguity,), part in by_ambiguity.items():
            read = [row for row in part if row["label"] is not None]
            units = list(group(read, "item", "option_order").values())
            means = [mean([row["choice"] == "action1" for row in unit]) for unit in units]
            row = only(found, ambiguity=ambiguity)
            assert row.estimate == pytest.approx(mean(means), nan_ok=True)
            assert (row.low, row.high) == pytest.approx(
                wilson_clustered(
                    [float(row["choice"] == "action1") for unit in units for row in unit],
                    [row["cluster"] for unit in units for row in unit],
                    weights=[1 / len(unit) for unit in units for _ in unit],
                ),
                nan_ok=True,
            )
            assert row.n_items == len({unit[0]["item"] for unit in units})
            assert row.n_samples == len(read)


@examples(8)
@given(studies(levels=[0, 1]))
def test_positions_are_what_plain_loops_make_of_them(rows: list[Row]) -> None:
    frame = preference(table(rows))
    for key, cell in group(rows, *KEYS).items():
        found = in_cell(frame, **dict(zip(KEYS, key, strict=True)))
        if cell[0]["option_order"] == "seeded":
            check_letters(found, cell)
            continue
        siblings = sibling_groups(cell)
        same = [
            mean([a["choice"] == b["choice"] for a, b in itertools.product(*sides)])
            for sides in siblings
        ]
        consistency = in_cell(found, metric="order_consistency")
        assert consistency["estimate"].tolist() == pytest.approx([mean(same)], nan_ok=True)
        assert consistency["n_items"].tolist() == [len(siblings)]
        biases = in_cell(found, metric="position_bias")
        if cell[0]["benchmark"] == "morables" or not siblings:
            assert len(biases) == 0
        else:
            shares = [
                mean([mean([row["label"] == "A" for row in side]) for side in sides]) - 0.5
                for sides in siblings
            ]
            assert biases["estimate"].tolist() == pytest.approx([mean(shares)])
            assert biases["letter"].isna().all()
            assert biases["n_samples"].tolist() == [sum(map(len, itertools.chain(*siblings)))]


def check_letters(found: pd.DataFrame, cell: list[Row]) -> None:
    biases = in_cell(found, metric="position_bias")
    read = [row for row in cell if row["label"] is not None]
    units = list(group(read, "item").values())
    letters = "AB" if cell[0]["benchmark"] == "moralchoice" else "ABCDE"
    assert biases["letter"].tolist() == (list(letters) if units else [])
    for row in biases.itertuples():
        values = []
        for unit in units:
            target = unit[0]["target"]
            expected = 1 / len(letters) if target is None else target == row.letter
            values.append(mean([one["label"] == row.letter for one in unit]) - expected)
        assert row.estimate == pytest.approx(mean(values))
        assert row.n_items == len(units)
        assert row.n_samples == len(read)


def both_orders(says: str, n: int = 12, **columns: Any) -> list[Row]:
    """A respondent who says a letter, or is of one mind about the actions, in both orders."""
    rows = []
    for i, order in itertools.product(range(n), ("original", "reversed")):
        preferred = "A" if (order == "original") == (i % 3 > 0) else "B"
        label = preferred if says == "what it prefers" else says
        rows.append(answer(f"i{i}", label, None, option_order=order, ambiguity="high", **columns))
    return rows


@pytest.mark.parametrize(("says", "bias"), [("A", 0.5), ("B", -0.5)])
def test_who_always_says_a_letter_has_all_the_bias_there_is(says: str, bias: float) -> None:
    found = by_metric(preference(table(both_orders(says))))
    assert found["position_bias"].estimate == bias
    assert found["position_bias"].p == pytest.approx(2 * norm.sf(math.sqrt(12)))
    assert found["order_consistency"].estimate == 0
    assert found["p_action1"].estimate == 0.5


def test_who_knows_what_they_prefer_has_no_bias() -> None:
    found = by_metric(preference(table(both_orders("what it prefers"))))
    assert found["position_bias"].estimate == 0
    assert found["position_bias"].p == 1
    assert found["position_bias"].low < 0 < found["position_bias"].high
    assert found["order_consistency"].estimate == 1
    assert found["p_action1"].estimate == pytest.approx(2 / 3)


def test_bias_tests_of_all_cells_are_one_family() -> None:
    frame = preference(table(both_orders("A"), both_orders("A", level=1)))
    tested = in_cell(frame, metric="position_bias")
    assert tested["p_adjusted"].tolist() == pytest.approx([4 * norm.sf(math.sqrt(12))] * 2)
    assert in_cell(frame, metric="p_action1")["p_adjusted"].isna().all()


def test_who_always_says_a_letter_of_five_shows_under_drawn_orders() -> None:
    targets = "ABCDE" * 8
    rows = [answer(f"i{i}", "A", target, benchmark="morables") for i, target in enumerate(targets)]
    frame = preference(table(rows)).set_index("letter")
    assert frame["estimate"].to_dict() == pytest.approx({"A": 0.8} | dict.fromkeys("BCDE", -0.2))


def test_an_accurate_respondent_under_drawn_orders_has_no_bias() -> None:
    generator = np.random.default_rng(0)
    targets = generator.choice(list("ABCDE"), size=100)
    rows = [answer(f"i{i}", t, t, benchmark="morables") for i, t in enumerate(targets)]
    assert preference(table(rows))["estimate"].abs().max() == 0


@pytest.mark.parametrize("order", ["original", "reversed"])
def test_in_one_order_alone_position_is_not_told_from_preference(order: str) -> None:
    frame = preference(table(answer(f"i{i}", "A", option_order=order) for i in range(9)))
    assert frame["metric"].tolist() == ["p_action1"]


def test_verdicts_have_no_position() -> None:
    rows = table(answer("i", "wrong", "wrong", benchmark="ethics", option_order="original"))
    assert len(preference(rows)) == 0


def test_dilemmas_of_which_nothing_was_read() -> None:
    frame = preference(table(answer("i", None, ambiguity="low")))
    assert frame["metric"].tolist() == ["p_action1"]
    assert math.isnan(frame["estimate"].item())
    assert frame["n_items"].item() == 0


@examples(20)
@given(studies(levels=[0, 1]))
def test_the_interval_of_the_bias_is_that_of_its_test(rows: list[Row]) -> None:
    found = in_cell(preference(table(rows)), metric="position_bias")
    for row in found[found["p"].notna() & found["low"].notna()].itertuples():
        assert (row.low > 0 or row.high < 0) == (row.p < 0.05)
        assert row.high > row.low
