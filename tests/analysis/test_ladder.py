from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from statsmodels.stats.contingency_tables import cochrans_q

from tests.analysis.frames import Row, answers, group, in_cell, mean, only, studies, table
from tests.strategies import examples
from vr_evals.analysis.changes import changes
from vr_evals.analysis.flips import flips
from vr_evals.analysis.ladder import SAME_PROMPT, ladder, noise_floor
from vr_evals.levels import Level
from vr_evals.prompts import LevelPrompts
from vr_evals.prompts.ethics import PROMPTS as ETHICS
from vr_evals.prompts.morables import PROMPTS as MORABLES
from vr_evals.prompts.moralchoice import PROMPTS as MORALCHOICE
from vr_evals.stats.paired import any_difference

Units = dict[tuple[Any, ...], float]


def unit_rates(cell: list[Row]) -> Units:
    with_target = [row for row in cell if row["target"] is not None]
    return {
        key: mean([float(row["label"] == row["target"]) for row in unit])
        for key, unit in group(with_target, "item", "option_order").items()
    }


def by_cluster(values: dict[tuple[Any, ...], list[float]], rows: list[Row]) -> list[list[float]]:
    """Means of clusters, in the order of their names."""
    clusters: dict[tuple[Any, ...], str] = {
        (row["item"], row["option_order"]): row["cluster"] for row in rows
    }
    members: dict[str, list[list[float]]] = {}
    for key, value in values.items():
        members.setdefault(clusters[key], []).append(value)
    return [[mean(column) for column in zip(*members[c], strict=True)] for c in sorted(members)]


@examples(15)
@given(studies(models=["m/one"], levels=[0, 1, 2, 5]))
def test_each_figure_is_what_plain_loops_make_of_it(rows: list[Row]) -> None:
    frame = ladder(table(rows))
    cells = {key: unit_rates(cell) for key, cell in group(rows, "level", "thinking").items()}
    for thinking in (False, True):
        listed = [rates for key, rates in sorted(cells.items()) if key[1] == thinking]
        found = in_cell(frame, metric="level_effect", thinking=thinking)
        assert len(found) == (len(listed) > 1)
        for row in found.itertuples():
            shared = set.intersection(*map(set, listed))
            values = {key: [rates[key] for rates in listed] for key in sorted(shared, key=str)}
            means = [mean(list(column)) for column in zip(*values.values(), strict=True)]
            expected = max(means) - min(means) if means else math.nan
            assert row.estimate == pytest.approx(expected, nan_ok=True)
            rates = np.array(by_cluster(values, rows)).reshape(-1, len(listed)).round(12)
            assert row.p == pytest.approx(any_difference(rates), nan_ok=True)
            assert row.n_items == len({item for item, _ in shared})
            every = {item for rates in listed for item, _ in rates}
            assert row.n_unpaired == len(every) - row.n_items
    for level in (1, 2, 5):
        square = [(level, True), (0, True), (level, False), (0, False)]
        found = in_cell(frame, metric="thinking_by_level", level=level)
        assert len(found) == all(key in cells for key in square)
        for row in found.itertuples():
            listed = [cells[key] for key in square]
            shared = set.intersection(*map(set, listed))
            values = {
                key: [listed[0][key] - listed[1][key] - (listed[2][key] - listed[3][key])]
                for key in sorted(shared, key=str)
            }
            assert row.estimate == pytest.approx(
                mean([value for (value,) in values.values()]), nan_ok=True
            )
            if not math.isnan(row.p):
                assert (row.p < 0.05) == (row.low > 0 or row.high < 0)


def study_of_levels(effects: list[float], seed: int, n: int = 60, **columns: Any) -> list[Row]:
    """Single answers of a respondent whose accuracy at each level is ½ plus an effect."""
    generator = np.random.default_rng(seed)
    rows = []
    for level, effect in enumerate(effects):
        said = np.where(generator.random(n) < 0.5 + effect, "A", "B")
        rows += answers("".join(said), level=level, **columns)
    return rows


def test_an_effect_of_one_level_is_found_by_one_test() -> None:
    found = only(ladder(table(study_of_levels([0, 0, 0, 0.4, 0, 0], 1))), level=None)
    assert found.levels == "0, 1, 2, 3, 4, 5"
    assert found.p < 0.01
    assert found.test == "permutation"


def test_of_single_answers_it_is_cochrans_q() -> None:
    rows = study_of_levels([0, 0.05, 0, 0.1, 0, 0], 3, n=300)
    found = only(ladder(table(rows)), metric="level_effect")
    right = [[row["correct"] for row in cell] for cell in group(rows, "level").values()]
    assert found.p == pytest.approx(cochrans_q(np.array(right, dtype=float).T).pvalue, abs=0.03)


@pytest.mark.slow
def test_without_an_effect_it_seldom_finds_one() -> None:
    rows = [
        row
        for model in range(60)
        for row in study_of_levels([0] * 6, 100 + model, n=30, model=f"m/{model}")
    ]
    frame: Any = ladder(table(rows))
    assert (frame["p"] < 0.05).mean() <= 0.1
    assert (frame["p_adjusted"] >= frame["p"]).all()


def test_the_interaction_by_hand() -> None:
    rows = table(
        answers("AABB"),
        answers("AAAB", level=2),
        answers("AABB", thinking=True),
        answers("BBBB", level=2, thinking=True),
    )
    found = only(ladder(rows), metric="thinking_by_level")
    assert found.level == 2
    assert found.estimate == pytest.approx(-0.5 - 0.25)
    assert (found.n_items, found.n_samples) == (4, 16)
    assert pd.isna(found.thinking)
    assert found.p > 0.05
    assert found.low < 0 < found.high
    assert found.low >= -2


def test_both_forms_of_level_5_have_their_own_ladder() -> None:
    rows = table(
        answers("AABB"),
        answers("AAAB", level=5, second_pass="conversation"),
        answers("BBBB", level=5, second_pass="standalone"),
    )
    frame = ladder(rows).set_index("variant")
    assert frame["estimate"].to_dict() == {
        "second_pass=conversation": 0.25,
        "second_pass=standalone": 0.5,
    }


def test_levels_of_other_settings_are_left_out_and_named() -> None:
    rows = table(answers("AAB"), answers("AAA", level=1), answers("BBB", level=2, temperature=1.0))
    frame = ladder(rows)
    assert frame["levels"].tolist() == ["0, 1"]
    assert "level 2, thinking off: not compared with level 0" in frame.attrs["notes"][0]


def test_one_level_is_no_ladder() -> None:
    assert len(ladder(table(answers("AAB")))) == 0


@pytest.mark.parametrize("confidence", [None, False, True])
@pytest.mark.parametrize(
    ("benchmark", "prompts"),
    [("ethics", ETHICS), ("moralchoice", MORALCHOICE), ("morables", MORABLES)],
)
def test_same_prompts_are_those_that_are_the_same(
    benchmark: str, prompts: LevelPrompts, confidence: bool | None
) -> None:
    if benchmark != "morables" and confidence is not None:
        pytest.skip("their levels differ in the clause that the instruction replaces")
    same = [
        (int(a), int(b))
        for a in Level
        for b in Level
        if a < b and prompts.template(a, confidence) == prompts.template(b, confidence)
    ]
    assert same == [pair for name, pair in SAME_PROMPT.items() if name == benchmark]


def test_noise_floor_is_the_change_between_levels_of_one_prompt() -> None:
    rows = table(
        answers("AABBC", benchmark="morables"),
        answers("AABAD", benchmark="morables", level=1),
        answers("EEEEE", benchmark="morables", level=2),
        answers("AABB"),
        answers("BBBB", level=1),
    )
    frame = noise_floor(rows)
    assert set(frame["benchmark"]) == {"morables"}
    assert set(frame["level"]) == {1}
    figures = frame.set_index("metric")["estimate"]
    assert figures["change_from_level0"] == pytest.approx(0.2)
    assert figures["flip"] == pytest.approx(0.4)
    assert figures["other_flip"] == pytest.approx(0.2)
    whole = in_cell(changes(rows), benchmark="morables", level=1)
    assert frame["p"][:1].tolist() == whole["p"].tolist()
    expected = in_cell(flips(rows), benchmark="morables", level=1)["estimate"].tolist()
    assert frame["estimate"][1:].tolist() == pytest.approx(expected, nan_ok=True)
