"""What makes a cell; and what every comparison does with odd tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.frames import Row, answer, answers, in_cell, studies, table
from tests.strategies import examples
from vr_evals.analysis.accuracy import accuracy
from vr_evals.analysis.agreement import agreement
from vr_evals.analysis.calibration import calibration, reliability
from vr_evals.analysis.cell import variant_of
from vr_evals.analysis.cells import cells
from vr_evals.analysis.changes import changes
from vr_evals.analysis.compare_models import compare_models
from vr_evals.analysis.flips import flips
from vr_evals.analysis.ladder import ladder, noise_floor
from vr_evals.analysis.preference import preference
from vr_evals.errors import InputError

COMPARISONS: list[Callable[[pd.DataFrame], pd.DataFrame]] = [
    accuracy,
    agreement,
    calibration,
    changes,
    compare_models,
    flips,
    ladder,
    noise_floor,
    preference,
    reliability,
]


def accuracies(frame: pd.DataFrame) -> dict[str, float]:
    """Accuracy by variant."""
    rows = in_cell(accuracy(frame), metric="accuracy").itertuples()
    return {row.variant: row.estimate for row in rows}


def test_one_cell_has_no_variant() -> None:
    assert accuracies(table(answers("AAB-"))) == {"": 0.5}


@pytest.mark.parametrize(
    ("one", "other", "variants"),
    [
        ({"temperature": 0.0}, {"temperature": 0.7}, ("temperature=0", "temperature=0.7")),
        ({"temperature": None}, {"temperature": 1.0}, ("temperature=unset", "temperature=1")),
        ({"version": "1-A"}, {"version": "2-A"}, ("version=1-A", "version=2-A")),
        ({"dataset": "hub"}, {"dataset": "x.csv"}, ("dataset=hub", "dataset=x.csv")),
        ({}, {"variant": "seed=1"}, ("", "seed=1")),
        ({}, {"variant": "stop_seqs=['a, b'], top_p=0.5"}, ("", "stop_seqs=['a, b'], top_p=0.5")),
        (
            {"settings": '{"system_message": "Be brief, top_p=0.5"}'},
            {"settings": '{"system_message": "Be brief", "top_p": 0.5}'},
            (
                'system_message="Be brief, top_p=0.5"',
                'system_message="Be brief", top_p=0.5',
            ),
        ),
        (
            {"settings": '{"system_message": "default"}'},
            {},
            ('system_message="default"', ""),
        ),
        (
            {"settings": '{"top_p": "0.5"}'},
            {"settings": '{"top_p": 0.5}'},
            ('top_p="0.5"', "top_p=0.5"),
        ),
        ({"subset": "unset"}, {"subset": None}, ('subset="unset"', "subset=unset")),
        (
            {"temperature": 0.1234567},
            {"temperature": 0.1234568},
            ("temperature=0.1234567", "temperature=0.1234568"),
        ),
        (
            {"settings": '{"option_order": "seeded"}', "option_order": "original"},
            {"settings": '{"option_order": "both"}', "option_order": "original"},
            ("option_order=seeded", "option_order=both"),
        ),
        (
            {"include_confidence": None},
            {"include_confidence": True},
            ("include_confidence=unset", "include_confidence=true"),
        ),
        (
            {"level": 5, "second_pass": "conversation"},
            {"level": 5, "second_pass": "standalone"},
            ("second_pass=conversation", "second_pass=standalone"),
        ),
        (
            {"temperature": 0.0, "subset": "low"},
            {"temperature": 0.7, "subset": "all"},
            ("subset=low, temperature=0", "subset=all, temperature=0.7"),
        ),
        (
            {"option_order": "seeded", "log": "a"},
            {"option_order": "original", "log": "b"},
            ("option_order=seeded", "option_order=original"),
        ),
    ],
)
def test_mixed_settings_are_split_and_named(
    one: Row, other: Row, variants: tuple[str, str]
) -> None:
    rows = table(answers("AAAA", **one), answers("ABBB", **other))
    assert accuracies(rows) == {variants[0]: 1.0, variants[1]: 0.25}


@pytest.mark.parametrize(
    ("orders", "asked"),
    [
        (["seeded", "seeded"], "seeded"),
        (["seeded", "original"], "seeded"),  # an item whose options refer to each other
        (["original", "reversed"], "reversed"),
        (["original", "original"], "original"),
    ],
)
def test_order_asked_for_is_that_of_the_run(orders: list[str], asked: str) -> None:
    rows = table(
        answer(f"i{number}", "A", option_order=order) for number, order in enumerate(orders)
    )
    (cell,) = cells(rows, ()).cells
    assert cell.settings["option_order"] == asked


def test_an_item_in_two_orders_of_one_run_was_asked_in_both() -> None:
    rows = [answer("i0", "A", option_order=order) for order in ("original", "reversed")]
    rows.append(answer("i1", "A", option_order="original"))
    (cell,) = cells(table(rows), ()).cells
    assert cell.settings["option_order"] == "both"


_SETTINGS = st.dictionaries(
    st.sampled_from(["seed", "system_message", "top_p", "stop_seqs"]),
    st.text() | st.integers() | st.floats(allow_nan=False) | st.booleans() | st.lists(st.text()),
)


@given(_SETTINGS, _SETTINGS)
def test_no_two_settings_are_called_the_same(one: Row, other: Row) -> None:
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    if same or one != other:  # 1, 1.0 and True are equal
        assert (variant_of(one) == variant_of(other)) == same
    assert (variant_of(one) or "").isprintable()


def test_settings_that_are_no_json_are_one_line() -> None:
    for text in ("seed=1", "[1]"):
        with pytest.raises(InputError, match="column settings: expected a JSON object"):
            cells(table(answers("A", settings=text)), ())


def test_both_runs_in_one_order_each_are_not_in_both() -> None:
    rows = [
        answer("i0", "A", option_order="original", log="a"),
        answer("i0", "A", option_order="reversed", log="b"),
    ]
    assert {cell.variant for cell in cells(table(rows), ()).cells} == {
        "option_order=original",
        "option_order=reversed",
    }


def test_samples_in_error_are_left_out_and_counted() -> None:
    rows = table(answers("AAB"), answer("i9", None, error="boom"))
    found = accuracy(rows)
    assert found["n_samples"].tolist() == [3, 3, 0, 3, 3]
    assert found.attrs["notes"] == ["Samples left out since they ended in an error: 1."]


def test_missing_columns_are_named() -> None:
    with pytest.raises(InputError, match="missing column cluster, correct"):
        accuracy(table(answers("AB")).drop(columns=["correct", "cluster"]))


def test_rows_without_an_item_are_refused() -> None:
    rows = table(answers("AB"))
    rows.loc[0, "item"] = pd.NA
    with pytest.raises(InputError, match="missing item"):
        accuracy(rows)


def test_without_clusters_items_are_the_clusters() -> None:
    rows = table(answers("AAB-", epoch=1), answers("ABBA", epoch=2))
    without = rows.copy()
    without["cluster"] = pd.Series([None] * len(rows), dtype="string")
    pd.testing.assert_frame_equal(accuracy(without), accuracy(rows))


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_an_empty_table_gives_an_empty_frame_of_the_same_columns(
    comparison: Callable[[pd.DataFrame], pd.DataFrame],
) -> None:
    rows = table(
        answers("AAB-", benchmark="morables", confidence=80.0),
        answers("AABA", benchmark="morables", confidence=80.0, level=1),
        answers("AABA", benchmark="morables", model="m/two"),
    )
    full, empty = comparison(rows), comparison(rows[:0])
    assert len(full) > 0
    assert len(empty) == 0
    assert dict(empty.dtypes.items()) == dict(full.dtypes.items())
    assert empty.attrs["notes"] == []


@pytest.mark.parametrize("comparison", COMPARISONS)
@pytest.mark.parametrize(
    "rows",
    [
        answers("---", target="A", confidence=50.0),
        [answer("i0", "A", None, ambiguity="high", confidence=90.0)],
        [answer("i0", "A", first_label=None, level=5), answer("i0", "A")],
        [answer("i0", None, first_label=None, level=5, thinking=True, second_pass=None)],
        [answer("i0", "wrong", "wrong", benchmark="ethics", option_order="original")],
        [answer("i0", "A", level=None, thinking=None, condition="control")],
        [answer("i0", "A", option_order="original"), answer("i0", "A", option_order="reversed")],
    ],
)
def test_degenerate_cells_give_no_exception(
    comparison: Callable[[pd.DataFrame], pd.DataFrame], rows: list[Row]
) -> None:
    frame = comparison(table(rows))
    numbers = frame[[name for name in ("low", "estimate", "high") if name in frame]].dropna()
    assert (numbers["low"] <= numbers["high"]).all()


@examples(2)
@given(studies())
def test_the_order_of_rows_is_no_matter(rows: list[Row]) -> None:
    frame = table(rows)
    other = frame.sort_values(["item", "epoch", "model", "level"], ignore_index=True)
    for comparison in COMPARISONS:
        pd.testing.assert_frame_equal(comparison(frame), comparison(other))


@examples(5)
@given(studies())
def test_estimates_lie_within_their_intervals(rows: list[Row]) -> None:
    for comparison in (accuracy, agreement, changes, compare_models, flips, preference):
        frame = comparison(table(rows)).dropna(subset=["estimate", "low"])
        assert (frame["low"] <= frame["estimate"] + 1e-9).all()
        assert (frame["estimate"] <= frame["high"] + 1e-9).all()
        assert (frame["n_items"] > 0).all()


def test_tables_are_left_as_they_are() -> None:
    rows = table(answers("AAB-", confidence=80.0), answers("AABA", level=1))
    before: Any = rows.copy(deep=True)
    for comparison in COMPARISONS:
        comparison(rows)
    pd.testing.assert_frame_equal(rows, before)
