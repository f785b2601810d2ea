"""The main table has the figures of the comparisons beside each other."""

import math

import pandas as pd
import pytest

from tests.analysis.frames import answer, answers, in_cell, table
from vr_evals.analysis import main_table
from vr_evals.analysis.accuracy import accuracy
from vr_evals.analysis.changes import changes


def study() -> pd.DataFrame:
    return table(
        answers("AABB", level=0, thought=False, cut_off=False),
        answers("AAA-", level=1, thought=False, cut_off=True),
        answers("AAAA", level=1, thinking=True, thought=False),
        [answer(f"i{number}", "A", None, level=2) for number in range(2)],
    )


def test_figures_are_those_of_the_comparisons() -> None:
    rows = study()
    main = main_table(rows)
    assert main[["level", "thinking"]].to_numpy().tolist() == [
        [0, False],
        [1, False],
        [1, True],
        [2, False],
    ]
    right = in_cell(accuracy(rows), metric="accuracy")
    assert main["accuracy"].tolist()[:3] == right["estimate"].tolist()[:3] == [0.5, 0.75, 1.0]
    assert main["low"].tolist()[:3] == right["low"].tolist()[:3]
    changed = changes(rows)
    [from_level0] = in_cell(changed, metric="change_from_level0", level=1).to_dict("records")
    [from_off] = in_cell(changed, metric="change_from_thinking_off").to_dict("records")
    assert main.loc[1, "change_from_level0"] == from_level0["estimate"] == 0.25
    assert main.loc[1, "change_from_level0_p_adjusted"] == from_level0["p_adjusted"]
    assert main.loc[2, "change_from_thinking_off"] == from_off["estimate"] == 0.25


def test_what_to_believe_is_beside_them() -> None:
    main = main_table(study())
    assert main["read_rate"].tolist() == [1, 0.75, 1, 1]
    assert main["cut_off"].tolist()[:2] == [0, 1]
    assert main["as_asked"].tolist()[:3] == [1, 1, 0]
    assert math.isnan(main["as_asked"].tolist()[3])
    assert main["n_items"].tolist() == [4, 4, 4, 2]
    assert main["n_scored"].tolist() == [4, 4, 4, 0]


def test_settings_are_kept_apart() -> None:
    rows = table(answers("AB", version="1-A"), answers("BB", version="2-A"))
    main = main_table(rows)
    assert main["variant"].tolist() == ["version=1-A", "version=2-A"]
    assert main["accuracy"].tolist() == [0.5, 0.0]


def test_a_change_stands_by_its_cell_where_only_the_other_side_is_mixed() -> None:
    rows = table(
        answers("AB", level=0, version="1-A"),
        answers("BB", level=0, version="2-A"),
        answers("AA", level=1, version="1-A"),
    )
    main = main_table(rows).set_index(["level", "variant"])["change_from_level0"]
    assert main[1, ""] == 0.5
    assert main[0].isna().all()


@pytest.mark.parametrize("rows", [table([]), table(answer("i", None, None))])
def test_little_is_no_error(rows: pd.DataFrame) -> None:
    assert len(main_table(rows)) == len(rows)


def test_clusters_are_those_that_accuracy_rests_on() -> None:
    mixed = [answer(f"i{n}", "A", "A" if n < 3 else None, cluster=f"c{n // 2}") for n in range(8)]
    without = [answer(f"i{n}", "A", None, level=2) for n in range(5)]
    assert main_table(table(mixed, without))["n_clusters"].tolist() == [2, 5]
