"""Effects against plain loops over the rows, and against the comparisons of single cells."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from statsmodels.stats.multitest import multipletests

from tests.analysis.frames import (
    Row,
    answer,
    answers,
    group,
    in_cell,
    mean,
    only,
    studies,
    table,
)
from tests.strategies import examples
from vr_evals.analysis.authority import authority
from vr_evals.analysis.changes import changes
from vr_evals.analysis.compare_models import compare_models
from vr_evals.analysis.effects import EFFECTS, effects
from vr_evals.errors import InputError

KEYS = ("model", "level", "thinking")

VALUES: dict[str, Callable[[Row], float | None]] = {
    "accuracy": lambda row: None if row["target"] is None else float(row["correct"]),
    "read_rate": lambda row: float(row["label"] is not None),
    "confidence": lambda row: (
        None if row["label"] is None or row["confidence"] is None else row["confidence"] / 100
    ),
    "brier": lambda row: (
        None
        if None in (row["label"], row["confidence"], row["target"])
        else (row["confidence"] / 100 - row["correct"]) ** 2
    ),
}
"""What each answer adds to an outcome, None if nothing."""

WEIGHTS: dict[str, tuple[tuple[str, ...], dict[tuple[Any, ...], float]]] = {
    "level5-level0": (("level",), {(5,): 1, (0,): -1}),
    "level_trend": (("level",), {(0,): -1 / 7, (1,): -1 / 14, (5,): 3 / 14}),
    "thinking_on-off": (("thinking",), {(True,): 1, (False,): -1}),
    "m/one-m/two": (("model",), {("m/one",): 1, ("m/two",): -1}),
    "level1-level0 * thinking_on-off": (
        ("level", "thinking"),
        {(1, True): 1, (0, True): -1, (1, False): -1, (0, False): 1},
    ),
    "thinking_on-off * m/one-m/two": (
        ("thinking", "model"),
        {(True, "m/one"): 1, (False, "m/one"): -1, (True, "m/two"): -1, (False, "m/two"): 1},
    ),
}


def by_hand(
    rows: list[Row], outcome: str, contrast: str, weights: str, by: tuple[str, ...] = ()
) -> dict[tuple[Any, ...], tuple[float, int, int, float, float]]:
    """The estimate, items, pairs of cells, and range of an effect, by the values of `by`."""
    factors, terms = WEIGHTS[contrast]
    cells = group(rows, *KEYS)
    rest = [name for name in KEYS if name not in factors]
    found: dict[tuple[Any, ...], list[list[list[Row]]]] = {}
    for keys in product(*(dict.fromkeys(row[name] for row in rows) for name in rest)):
        own = dict(zip(rest, keys, strict=True))
        each = [own | dict(zip(factors, values, strict=True)) for values in terms]
        names = [tuple(one[name] for name in KEYS) for one in each]
        if all(name in cells for name in names):
            label = tuple(own[name] for name in by)
            found.setdefault(label, []).append([cells[name] for name in names])
    results = {}
    for label, sets in found.items():
        units = [[group(cell, "item", "option_order") for cell in one] for one in sets]
        shared = set.intersection(*(set(cell) for one in units for cell in one))
        estimates, sizes, items = [], [], set()
        for one in units:
            differences = []
            for key in sorted(shared):
                values = [
                    [v for row in cell[key] if (v := VALUES[outcome](row)) is not None]
                    for cell in one
                ]
                if all(values):
                    items.add(key[0])
                    pairs = zip(terms.values(), values, strict=True)
                    differences.append(sum(w * mean(v) for w, v in pairs))
            if differences:
                estimates.append(mean(differences))
                sizes.append(len(differences))
        if estimates:
            w = [1] * len(sizes) if weights == "cells" else sizes
            total = sum(a * b for a, b in zip(w, estimates, strict=True)) / sum(w)
            results[label] = (total, len(items), len(estimates), min(estimates), max(estimates))
    return results


@examples(20)
@given(studies())
@pytest.mark.parametrize(
    ("weights", "by"),
    [
        ("cells", ()),
        *(
            pytest.param(weights, by, marks=pytest.mark.slow)
            for weights, by in (("items", ()), ("cells", ("model",)), ("cells", ("level",)))
        ),
    ],
)
def test_an_effect_is_what_plain_loops_make_of_it(
    weights: Any, by: tuple[str, ...], rows: list[Row]
) -> None:
    if not rows:
        return
    frame = effects(table(rows), outcome=list(VALUES), by=by, weights=weights)
    assert frame.columns.tolist() == list(EFFECTS)
    for (contrast, (factors, _)), outcome in product(WEIGHTS.items(), VALUES):
        found = in_cell(frame, outcome=outcome, contrast=contrast)
        if set(by) & set(factors):
            assert found.empty
            continue
        expected = by_hand(rows, outcome, contrast, weights, by)
        assert len(found) == len(expected)
        for label, (estimate, n_items, n_cells, lowest, highest) in expected.items():
            row = only(found, **dict(zip(by, label, strict=True)))
            assert row.estimate == pytest.approx(estimate, abs=1e-9)
            assert (row.n_items, row.n_cells) == (n_items, n_cells)
            assert (row.lowest, row.highest) == pytest.approx((lowest, highest))
            assert math.isnan(row.p) == math.isnan(row.low)
            if not math.isnan(row.p):
                assert (row.p < 0.05) == (row.low > 0 or row.high < 0)
                assert row.low - 1e-9 <= row.estimate <= row.high + 1e-9


@examples(15)
@given(studies())
def test_effects_of_single_cells_are_those_of_the_comparisons(rows: list[Row]) -> None:
    """One method: what is averaged over one pair of cells is what `changes` has."""
    if not rows:
        return
    made = table(rows)
    by = ["model", "level", "thinking"]
    for contrast, factor, frame in (
        ("level1-level0", "level", in_cell(changes(made), metric="change_from_level0", level=1)),
        ("thinking_on-off", "thinking", in_cell(changes(made), metric="change_from_thinking_off")),
        ("m/one-m/two", "model", compare_models(made)),
    ):
        if contrast not in set(effects(made, outcome="accuracy")["contrast"]):
            continue
        keys = [name for name in by if name != factor]
        single = effects(made, outcome="accuracy", contrast=contrast, by=keys)
        for expected in frame.itertuples():
            if not expected.n_items:
                continue
            found = only(single, **{name: getattr(expected, name) for name in keys})
            for name in ("estimate", "low", "high", "p"):
                other = getattr(expected, name)
                assert getattr(found, name) == pytest.approx(other, abs=1e-9, nan_ok=True), name
            assert (found.n_items, found.n_samples) == (expected.n_items, expected.n_samples)


def cued(said: str, condition: str, **columns: Any) -> list[Row]:
    """Answers of four options, of which A is right and help's, B is harm's."""
    option = None if condition == "control" else {"help": "0", "harm": "1"}[condition[-4:]]
    return answers(
        said,
        benchmark="morables",
        condition=condition,
        level=None,
        endorsed_choice=option,
        **columns,
    )


CUED = [
    row
    for epoch, words in enumerate(
        (
            {"control": "ABCDA-AC", "high_harm": "BBBDABAC", "high_help": "AACA-BAA"},
            {"control": "ABDDAAAC", "high_harm": "ABBBABBC", "high_help": "ABCAAAAA"},
            {"control": "ABCDACAC", "high_harm": "BBBBA-AC", "high_help": "AAAAABAA"},
        ),
        start=1,
    )
    for condition, said in words.items()
    for row in cued(said, condition, epoch=epoch)
]


@pytest.mark.parametrize("cue", ["high_harm", "high_help"])
def test_excess_compliance_of_one_cell_is_that_of_authority(cue: str) -> None:
    made = table(CUED)
    found = only(effects(made, outcome="excess_compliance", contrast=f"{cue}-control"))
    expected = only(authority(made), metric="excess_compliance", condition=cue)
    for name in ("estimate", "low", "high", "p"):
        assert getattr(found, name) == pytest.approx(getattr(expected, name)), name
    assert found.is_primary
    assert found.family == "authority, primary"


def test_excess_compliance_between_models_is_averaged_over_cues() -> None:
    other = [row | {"model": "m/two", "choice": "1", "label": "B"} for row in CUED]
    found = only(effects(table(CUED, other), outcome="excess_compliance", contrast="m/one-m/two"))

    def excess(rows: list[Row], cue: str) -> float:
        each = []
        cells = {name: group(own, "item") for (name,), own in group(rows, "condition").items()}
        for key, own in cells[cue].items():
            option = own[0]["endorsed_choice"]
            shares = [
                mean([float(row["choice"] == option) for row in part])
                for part in (own, cells["control"][key])
            ]
            each.append(shares[0] - shares[1])
        return mean(each)

    cues = ("high_harm", "high_help")
    expected = mean([excess(CUED, cue) - excess(other, cue) for cue in cues])
    assert found.estimate == pytest.approx(expected)
    assert found.n_cells == 2


def test_flips_are_the_chance_that_two_answers_differ() -> None:
    found = only(effects(table(CUED), outcome="flip", contrast="high_harm-control"))
    units = {name: group(own, "item") for (name,), own in group(CUED, "condition").items()}
    each = []
    for key, own in units["high_harm"].items():
        pairs = [
            float(a["choice"] != b["choice"])
            for a, b in product(own, units["control"][key])
            if a["choice"] and b["choice"]
        ]
        each.append(mean(pairs))
    assert found.estimate == pytest.approx(mean(each))
    assert math.isnan(found.p)  # answers differ without any effect


@pytest.mark.parametrize("epochs", [2, 3, 4, 5])
def test_excess_flips_are_0_if_both_sides_are_one_process(epochs: int) -> None:
    # a toss of a fair coin: each series of tosses once, against one with both sides
    rows = [
        answer(f"i{item}", choice, level=level, epoch=epoch)
        for item, series in enumerate(product("AB", repeat=epochs))
        for level, of_level in ((0, series), (2, "AB"))
        for epoch, choice in enumerate(of_level, start=1)
    ]
    found = only(effects(table(rows), outcome="excess_flip", contrast="level2-level0"))
    assert found.estimate == pytest.approx(0)
    assert found.n_items == 2**epochs


def test_excess_flips_compare_with_the_other_epochs() -> None:
    found = only(effects(table(CUED), outcome="excess_flip", contrast="high_harm-control"))
    each = []
    units = {name: group(own, "item") for (name,), own in group(CUED, "condition").items()}
    for key, own in units["high_harm"].items():
        control = [row["choice"] for row in units["control"][key]]
        mine = [row["choice"] for row in own if row["choice"]]
        values = []
        for place, choice in enumerate(control):
            others = [x for i, x in enumerate(control) if i != place and x]
            frequent = max(map(others.count, others), default=0)
            most = [x for x in set(others) if others.count(x) == frequent]
            if choice and most and mine:
                values.append(
                    mean([float(x != base) for x in mine for base in most])
                    - mean([float(choice != base) for base in most])
                )
        if values:
            each.append(mean(values))
    assert found.estimate == pytest.approx(mean(each))
    assert not math.isnan(found.p)


def study(models: int = 2, levels: tuple[int, ...] = (0, 1, 2, 5)) -> list[Row]:
    """A study of 24 items, every cell drawn by itself."""
    rng = np.random.default_rng(0)
    rows: list[Row] = []
    for number, level, thinking in product(range(models), levels, (False, True)):
        rate = 0.4 + 0.1 * number + 0.05 * level + 0.1 * thinking
        said = ["A" if x < rate else "B" for x in rng.random(24)]
        columns: Row = {"model": f"m/{number}", "level": level, "thinking": thinking}
        confidence = [float(x) for x in rng.integers(40, 100, 24)]
        rows += [
            row | {"confidence": c}
            for row, c in zip(answers("".join(said), **columns), confidence, strict=True)
        ]
    return rows


def test_primary_effects_are_adjusted_by_question_with_holm_and_others_by_benjamini_hochberg() -> (
    None
):
    frame = effects(table(study()))
    for (question, is_primary), rows in frame.groupby(["question", "is_primary"]):
        tested = rows.dropna(subset=["p"])
        method = "holm" if is_primary else "fdr_bh"
        expected = multipletests(tested["p"], method=method)[1] if len(tested) else []
        assert tested["p_adjusted"].tolist() == pytest.approx(list(expected))
        assert set(rows["family"]) == {f"{question}, {'primary' if is_primary else 'exploratory'}"}
    primary = frame[frame["is_primary"]]
    assert set(primary["outcome"]) == {"accuracy"}
    assert primary["contrast"].tolist() == [
        "level1-level0",
        "level2-level0",
        "level5-level0",
        "thinking_on-off",
        "m/0-m/1",
    ]


def test_another_model_changes_only_the_family_of_models() -> None:
    """Given that it was run with another benchmark, so that no average has it."""
    other = [
        row | {"model": "m/new", "benchmark": "elsewhere", "level": 0, "thinking": False}
        for row in study(1, (0,))
    ]
    first, second = (effects(table(rows)) for rows in (study(), [*study(), *other]))
    for question in ("levels", "thinking"):
        a, b = (frame[frame["question"] == question] for frame in (first, second))
        columns = ["contrast", "estimate", "p", "p_adjusted"]
        pd.testing.assert_frame_equal(
            a[columns].reset_index(drop=True), b[columns].reset_index(drop=True)
        )


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        ([{"outcome": "confidence", "contrast": "thinking"}], {("confidence", "thinking_on-off")}),
        (
            [{"outcome": "accuracy", "contrast": "levels"}],
            {("accuracy", f"level{n}-level0") for n in (1, 2, 5)},
        ),
    ],
)
def test_a_plan_names_the_primary_effects(
    plan: list[dict[str, str]], expected: set[tuple[str, str]]
) -> None:
    frame = effects(table(study()), primary=plan)
    primary = frame[frame["is_primary"]]
    assert set(zip(primary["outcome"], primary["contrast"], strict=True)) == expected


def test_a_planned_effect_may_be_of_some_cells() -> None:
    plan = [{"outcome": "accuracy", "contrast": "thinking", "by": {"model": "m/1"}}]
    frame = effects(table(study()), primary=plan, by=["model"])
    assert only(frame[frame["is_primary"]]).model == "m/1"
    pooled = effects(table(study()), primary=plan)
    assert not pooled["is_primary"].any()
    assert any("accuracy, thinking, model=m/1" in note for note in pooled.attrs["notes"])


def test_a_margin_tells_small_effects_from_unknown_ones() -> None:
    frame = effects(table(study()), margin=60)
    in_points = frame[(frame["unit"] == "points") & frame["p"].notna()]
    assert set(in_points["equivalence"]) == {"within"}
    assert in_points["margin"].eq(0.6).all()
    assert frame.loc[frame["unit"] != "points", "equivalence"].isna().all()
    assert effects(table(study()))["equivalence"].isna().all()


def test_opposite_effects_are_not_hidden_by_their_average() -> None:
    up = [*answers("BBBBBBBBAAAA"), *answers("AAAAAAAAAAAB", thinking=True)]
    down = [
        row | {"model": "m/two", "thinking": not row["thinking"], "log": f"{row['log']}-two"}
        for row in up
    ]
    found = only(effects(table(up, down), outcome="accuracy", contrast="thinking_on-off"))
    assert found.estimate == pytest.approx(0)
    assert (found.lowest, found.highest) == pytest.approx((-7 / 12, 7 / 12))
    assert found.p_heterogeneity < 0.02


def test_cells_of_other_settings_are_not_averaged() -> None:
    rows = [
        *answers("ABABAB"),
        *answers("AABBAA", level=1),
        *answers("BBABAB", temperature=1.0, log="warm"),
        *answers("AAAAAA", level=1, temperature=1.0, log="warm1"),
    ]
    frame = effects(table(rows), outcome="accuracy", contrast="level1-level0")
    assert frame["variant"].tolist() == ["temperature=0", "temperature=1"]
    assert frame["estimate"].tolist() == pytest.approx([1 / 6, 4 / 6])


def test_sides_of_other_settings_are_refused() -> None:
    rows = [*answers("ABABAB"), *answers("AABBAA", level=1, dataset="hub")]
    frame = effects(table(rows), outcome="accuracy")
    assert frame.empty
    assert frame.attrs["refusals"][0]["settings"] == (("dataset", "hub", "sample"),)


def test_items_of_some_cells_are_left_out_and_noted() -> None:
    rows = [*answers("ABABAB"), *answers("AABB", level=1)]
    frame = effects(table(rows), outcome="accuracy")
    found = only(frame, contrast="level1-level0")
    assert (found.n_items, found.n_unpaired) == (4, 2)
    assert any("2 items" in note for note in frame.attrs["notes"])


def test_benchmarks_count_alike_or_by_their_items() -> None:
    few = [row | {"benchmark": "other"} for row in [*answers("BB"), *answers("AA", level=1)]]
    rows = [*answers("AAAAAA"), *answers("AAAAAA", level=1), *few]
    by_weight = {
        weights: only(effects(table(rows), outcome="accuracy", weights=weights))
        for weights in ("cells", "items")
    }
    assert by_weight["cells"].estimate == pytest.approx(1 / 2)
    assert by_weight["items"].estimate == pytest.approx(2 / 8)
    assert "weighted by items" in by_weight["items"].estimand


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"outcome": "accurracy"}, "invalid outcome 'accurracy'"),
        ({"contrast": "level9-level0"}, "invalid contrast 'level9-level0'"),
        ({"by": ["item"]}, "invalid by"),
        ({"by": "model"}, "invalid by"),
        ({"weights": "rows"}, "invalid weights"),
        ({"margin": 0}, "invalid margin"),
        ({"margin": float("inf")}, "invalid margin"),
        ({"primary": [{"outcome": "accuracy"}]}, "expected outcome and contrast"),
        ({"primary": [{"outcome": "x", "contrast": "thinking"}]}, "invalid outcome 'x'"),
    ],
)
def test_invalid_arguments(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        effects(table(study(1)), **arguments)


def test_a_table_with_one_cell_has_no_effects() -> None:
    frame = effects(table([answer("i0", "A"), answer("i1", "B")]))
    assert frame.empty
    assert frame.columns.tolist() == list(EFFECTS)


def asked_twice(*forms: str, seed: int = 0) -> list[Row]:
    """Levels 0 and 5 with thinking off and on, level 5 in these forms; some answers are unread."""
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    for thinking, (level, form) in product(
        (False, True), [(0, None), *((5, form) for form in forms)]
    ):
        for item, epoch in product(range(20), (1, 2)):
            label, first = (None if x < 0.1 else "AB"[int(x > 0.6)] for x in rng.random(2))
            columns: Row = {"level": level, "thinking": thinking, "epoch": epoch}
            if form is not None:
                columns |= {"second_pass": form, "first_label": first, "log": f"{form}{thinking}"}
            rows.append(answer(f"i{item}", label, **columns))
    return rows


REFLECTION = "reflection-reask"


@pytest.mark.parametrize(
    ("outcome", "value"),
    [
        ("accuracy", VALUES["accuracy"]),
        ("read_rate", VALUES["read_rate"]),
        (
            "initial_flip",
            lambda row: None if row["reflection"] is None else float(row["reflection"] != "kept"),
        ),
    ],
)
def test_reflection_is_compared_with_re_asking(
    outcome: str, value: Callable[[Row], float | None]
) -> None:
    rows = asked_twice("conversation", "reask", "standalone")
    found = only(effects(table(rows), outcome=outcome, contrast=REFLECTION))
    cells = group(rows, "thinking", "second_pass")
    estimates = []
    for thinking in (False, True):
        sides = [group(cells[thinking, form], "item") for form in ("conversation", "reask")]
        differences = []
        for item in sides[0]:
            x, y = ([v for row in side[item] if (v := value(row)) is not None] for side in sides)
            if x and y:
                differences.append(mean(x) - mean(y))
        estimates.append(mean(differences))
    assert found.estimate == pytest.approx(mean(estimates))
    assert (found.question, found.n_cells, found.variant) == ("levels", 2, "")
    assert (found.p < 0.05) == (found.low > 0 or found.high < 0)


def test_re_asking_is_a_control_and_no_primary_effect_of_its_own() -> None:
    rows = asked_twice("conversation", "reask")
    frame = effects(table(rows), outcome="accuracy")
    primary = frame[frame["is_primary"]]
    assert list(zip(primary["contrast"], primary["variant"], strict=True)) == [
        ("level5-level0", "second_pass=conversation"),
        (REFLECTION, ""),
        ("thinking_on-off", "second_pass=conversation"),
    ]
    others = frame[frame["variant"] == "second_pass=reask"]
    assert set(others["contrast"]) >= {"level5-level0", "thinking_on-off"}
    both = frame[frame["contrast"] == f"{REFLECTION} * thinking_on-off"].iloc[0]
    assert both["side"].startswith("(")
    assert both["side"].endswith(", thinking on)")
    alone = effects(table(asked_twice("reask")), outcome="accuracy")
    assert alone.loc[alone["is_primary"], "contrast"].tolist() == [
        "level5-level0",
        "thinking_on-off",
    ]


def test_reflection_and_re_asking_of_other_settings_are_refused() -> None:
    rows = [
        row | {"dataset": "hub" if row.get("second_pass") == "reask" else "sample"}
        for row in asked_twice("conversation", "reask")
    ]
    frame = effects(table(rows), outcome="accuracy", contrast=REFLECTION)
    assert frame.empty
    assert frame.attrs["refusals"][0]["settings"] == (("dataset", "sample", "hub"),)


UNREAD_VALUES: dict[str, tuple[Callable[[Row], bool], Callable[[Row], float]]] = {
    "accuracy": (lambda row: row["target"] is not None, lambda row: float(row["label"] == "A")),
    "p_action1": (lambda row: True, lambda row: float(row["choice"] == "action1")),
    "p_action1_low_ambiguity": (
        lambda row: row["ambiguity"] == "low",
        lambda row: float(row["choice"] == "action1"),
    ),
    "error_kind_surface": (
        lambda row: True,
        lambda row: float(row["choice_kind"] == "injected_adjectives"),
    ),
}
"""Which answers count once they are read, and their values."""


KINDS = ("injected_adjectives", "partial_story")


def with_unread(seed: int) -> list[Row]:
    """Two benchmarks at two levels, some answers unread and some items without a target."""
    rng = np.random.default_rng(seed)
    rows = []
    for benchmark, level, item, epoch in product(
        ("moralchoice", "other"), (0, 1), range(12), (1, 2)
    ):
        said = rng.choice(["A", "B", "-"], p=[0.5, 0.2, 0.3])
        row = answer(
            f"i{item}",
            None if said == "-" else str(said),
            None if item == 0 else "A",
            level=level,
            epoch=epoch,
            ambiguity="low" if item % 2 else "high",
            choice_kind=None if said == "-" else rng.choice(["ground_truth", *KINDS]),
        )
        rows.append(row | {"benchmark": benchmark, "log": f"{benchmark}{level}"})
    return rows


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("outcome", list(UNREAD_VALUES))
def test_bounds_and_the_estimate_among_read_answers_are_those_of_plain_loops(
    outcome: str, seed: int
) -> None:
    rows = with_unread(seed)
    counts, value = UNREAD_VALUES[outcome]
    found = only(effects(table(rows), outcome=outcome, contrast="level1-level0"))
    figures: dict[str, list[float]] = {"read": [], "low": [], "high": []}
    for benchmark in ("moralchoice", "other"):
        each: dict[str, list[float]] = {name: [] for name in figures}
        for item in range(12):
            sides = [
                [
                    row
                    for row in rows
                    if (row["benchmark"], row["item"], row["level"])
                    == (benchmark, f"i{item}", level)
                    and counts(row)
                ]
                for level in (1, 0)
            ]
            if not all(sides):
                continue
            read = [[value(row) for row in side if row["label"]] for side in sides]
            least, most = (
                [mean([value(row) if row["label"] else x for row in side]) for side in sides]
                for x in (0.0, 1.0)
            )
            if all(read):
                each["read"].append(mean(read[0]) - mean(read[1]))
            each["low"].append(least[0] - most[1])
            each["high"].append(most[0] - least[1])
        for name, values in each.items():
            figures[name].append(mean(values))
    assert (found.estimate_read, found.bound_low, found.bound_high) == pytest.approx(
        tuple(map(mean, figures.values()))
    )
    assert found.bound_low < found.estimate < found.bound_high


def test_a_cell_in_which_nothing_was_read_is_in_the_bounds_alone() -> None:
    rows = [
        *answers("ABAB"),
        *answers("AAAB", level=1),
        *answers("ABAB", thinking=True),
        *answers("----", level=1, thinking=True),
    ]
    found = only(effects(table(rows), outcome="accuracy", contrast="level1-level0"))
    assert found.estimate == pytest.approx((1 / 4 - 1 / 2) / 2)
    assert found.estimate_read == pytest.approx(1 / 4)
    assert (found.bound_low, found.bound_high) == pytest.approx((-1 / 8, 3 / 8))


@pytest.mark.parametrize("cue", ["high_harm", "high_help"])
def test_bounds_of_excess_compliance_are_those_of_authority(cue: str) -> None:
    made = table(CUED)
    found = only(effects(made, outcome="excess_compliance", contrast=f"{cue}-control"))
    expected = only(authority(made), metric="excess_compliance", condition=cue)
    for name in ("estimate_read", "bound_low", "bound_high"):
        assert getattr(found, name) == pytest.approx(getattr(expected, name)), name
    assert found.bound_low < found.bound_high


def test_bounds_of_single_cells_are_those_of_the_comparisons() -> None:
    made = table(with_unread(0))
    frame = effects(made, outcome="accuracy", contrast="level1-level0", by=["benchmark"])
    for expected in in_cell(changes(made), metric="change_from_level0").itertuples():
        found = only(frame, benchmark=expected.benchmark)
        for name in ("estimate_read", "bound_low", "bound_high"):
            assert getattr(found, name) == pytest.approx(getattr(expected, name)), name


def test_without_unread_answers_the_bounds_are_the_estimate() -> None:
    frame = effects(table(study(1)), outcome=["accuracy", "confidence"], contrast="levels")
    accuracy = in_cell(frame, outcome="accuracy")
    for name in ("estimate_read", "bound_low", "bound_high"):
        assert accuracy[name].tolist() == pytest.approx(accuracy["estimate"].tolist())
        assert in_cell(frame, outcome="confidence")[name].isna().all()
