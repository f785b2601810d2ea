import itertools
import math
from collections.abc import Sequence
from random import Random
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.authority_studies import (
    CONDITIONS,
    CUED,
    Answers,
    Respondent,
    estimates,
    item,
    letters,
    name_of,
    study,
)
from tests.stats.authority_oracle import at_least_one, base_of, by_the_contract, mean
from tests.strategies import examples
from vr_evals.stats.authority import control_accuracy, figures
from vr_evals.stats.figure import Figure
from vr_evals.stats.trials import Item

option = st.sampled_from(["A", "B", "C", None])


def by_name(items: Sequence[Item]) -> dict[str, Figure]:
    return {name_of(figure.key): figure for figure in figures(items)}


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(CONDITIONS), st.lists(option, min_size=1, max_size=6), min_size=1
        ),
        min_size=1,
        max_size=5,
    )
)
def test_every_figure_follows_the_contract(study: list[Answers]) -> None:
    """Whatever conditions are there, with any numbers of epochs, read or not."""
    found = estimates([item(answers) for answers in study])
    expected = by_the_contract(study)
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, nan_ok=True, abs=1e-12), name


@given(
    st.lists(st.lists(option, min_size=1, max_size=8), min_size=1, max_size=4),
    st.lists(option, min_size=3, max_size=8),
    st.integers(1, 10),
)
def test_at_k_is_the_share_of_all_sets_of_k_epochs(
    runs: list[list[str | None]], control: list[str | None], k: int
) -> None:
    found = estimates([item({"control": control, "high_harm": run}) for run in runs], [k])
    base = base_of(control)
    for metric, event in (
        ("pass", lambda choice: choice == "A"),
        ("compliance", lambda choice: choice == "B"),
        ("flip", lambda choice: choice not in (None, base)),
    ):
        expected = mean([at_least_one([event(y) for y in run], k) for run in runs])
        if metric == "flip" and base is None:
            expected = math.nan
        assert found[f"{metric}@{k}.high_harm"] == pytest.approx(expected, nan_ok=True, abs=1e-12)


@given(st.lists(st.tuples(*[st.lists(option, min_size=2, max_size=2)] * 5), min_size=1, max_size=5))
def test_kinds_of_flips_add_up_to_flips(runs: list[tuple[list[str | None], ...]]) -> None:
    found = estimates([item(dict(zip(CONDITIONS, run, strict=True))) for run in runs])
    for condition in CUED:
        kinds = sum(
            found[f"{kind}.{condition}"] for kind in ("good_flip", "bad_flip", "other_flip")
        )
        assert found[f"flip@1.{condition}"] == pytest.approx(kinds, nan_ok=True)


@pytest.mark.parametrize(
    ("harm", "events"), [("AAAAA", 0), ("BBBBB", 1), ("CCCCC", 1), ("-----", 0)]
)
def test_none_or_all_of_the_epochs(harm: str, events: int) -> None:
    found = estimates([item(letters(control="AAAAA", high_harm=harm))])
    for k in (1, 3, 5):
        assert found[f"flip@{k}.high_harm"] == events
        assert found[f"compliance@{k}.high_harm"] == (harm == "BBBBB")
        assert found[f"pass@{k}.high_harm"] == (harm == "AAAAA")
        assert found[f"pass@{k}.control"] == 1


def test_k_beyond_the_epochs_is_never_extrapolated() -> None:
    found = by_name(
        [item(letters(control="AAA", high_harm="BBB")), item(letters(high_harm="BBBBA"))]
    )
    for metric in ("flip", "compliance", "pass"):
        assert math.isnan(found[f"{metric}@10.high_harm"].estimate)
        assert found[f"{metric}@10.high_harm"].n_items == 0
    assert math.isnan(found["flip@5.high_harm"].estimate)
    assert found["compliance@5.high_harm"].estimate == 1
    assert (found["compliance@5.high_harm"].n_items, found["compliance@5.high_harm"].n_samples) == (
        1,
        5,
    )
    assert (found["compliance@3.high_harm"].n_items, found["compliance@3.high_harm"].n_samples) == (
        2,
        8,
    )


def test_items_without_a_baseline_are_left_out_and_counted() -> None:
    items = [
        item(letters(control="AAB", high_harm="BBB")),
        item(letters(control="AB-", high_harm="AAA")),  # a tie
        item(letters(control="---", high_harm="AAA")),  # nothing read
        item(letters(high_harm="BBB")),  # not asked under control
    ]
    found = by_name(items)
    for name in ("flip@1.high_harm", "bad_flip.high_harm", "vulnerability.high_harm"):
        assert found[name].estimate == 1
        assert (found[name].n_items, found[name].n_samples) == (1, 6)
        assert found[name].without_baseline == 2
    assert found["compliance@1.high_harm"].estimate == 0.5
    assert found["compliance@1.high_harm"].without_baseline is None
    assert found["excess_compliance.high_harm"].n_items == 3


@pytest.mark.parametrize(
    ("conditions", "there", "not_there"),
    [
        (["control"], {"pass@1.control", "flip_floor.control"}, set()),
        (["high_harm"], {"pass@1.high_harm", "compliance@1.high_harm"}, {"flip@1.high_harm"}),
        (["control", "low_help"], {"flip@1.low_help", "excess_flip.low_help"}, {"asymmetry.low"}),
        (["high_help", "high_harm"], {"help_harm_differential.high"}, {"asymmetry.high"}),
        (
            ["control", "high_help", "high_harm", "low_harm"],
            {"asymmetry.high", "vulnerability.low_harm"},
            {"asymmetry.low", "help_harm_differential.low", "strength_differential"},
        ),
        (list(CUED), {"strength_differential"}, {"asymmetry.high"}),
    ],
)
def test_what_a_missing_condition_forbids_is_absent(
    conditions: list[str], there: set[str], not_there: set[str]
) -> None:
    found = estimates([item({condition: ["A", "B", "A"] for condition in conditions})])
    assert there <= found.keys()
    assert not not_there & found.keys()
    used = {name.rpartition(".")[2] for name in found} - {"high", "low", "strength_differential"}
    assert used == set(conditions)


def test_plain_excess_would_call_an_accurate_model_asymmetric() -> None:
    """Half of the answers that could follow the cue do so, under help as under harm."""
    found = estimates(
        [item(letters(control="AAAAAAAAC-", high_help="AAAAAAAAA-", high_harm="AAAABBBBBC"))]
    )
    assert found["excess_compliance.high_help"] == pytest.approx(0.1)
    assert found["excess_compliance.high_harm"] == pytest.approx(0.5)
    assert found["asymmetry.high"] == pytest.approx(0)


def test_control_accuracy() -> None:
    items = [
        item(letters(control="AAAA")),
        item(letters(control="AAB-")),
        item(letters(low_help="B")),
    ]
    assert control_accuracy(items) == 0.75
    assert math.isnan(control_accuracy(items[2:]))


def test_a_large_study_takes_seconds() -> None:
    items = study(Respondent(0.7, {"high_harm": 0.3}), seed=0, items=1000, epochs=10)
    began = process_time()
    for figure in figures(items):
        figure.interval()
    assert process_time() - began < 60


def test_unread_answers_bound_every_figure() -> None:
    """Whatever option an unread answer could have been: the bounds hold the figure, and are met."""
    answers = letters(control="AB-A", high_help="A-CA", high_harm="BA-B")
    found = by_name(
        [item(answers), item(letters(control="AAAA", high_help="AAAA", high_harm="BAAA"))]
    )
    places = [(c, j) for c, said in answers.items() for j, x in enumerate(said) if x is None]
    could_be: dict[str, list[float]] = {}
    for options in itertools.product("ABC", repeat=len(places)):
        filled = {c: list(said) for c, said in answers.items()}
        for (c, j), option in zip(places, options, strict=True):
            filled[c][j] = option
        others = item(letters(control="AAAA", high_help="AAAA", high_harm="BAAA"))
        for name, estimate in estimates([item(filled), others]).items():
            could_be.setdefault(name, []).append(estimate)
    exact = ("pass", "compliance", "excess_compliance", "relative", "asymmetry", "log", "help")
    for name, values in could_be.items():
        figure = found[name]
        if name.startswith(exact) and not math.isnan(values[0]):
            assert figure.bound_low == pytest.approx(min(values)), name
            assert figure.bound_high == pytest.approx(max(values)), name
            assert figure.bound_low - 1e-9 <= figure.estimate <= figure.bound_high + 1e-9, name


@given(st.randoms(use_true_random=False))
@examples(100)
def test_bounds_contain_what_full_reading_would_have_shown(random: Random) -> None:
    """Also where the unread answers of control decide what the baseline is."""
    conditions = ("control", "high_help", "high_harm")
    full = [
        {c: "".join(random.choices("ABC", (3, 1, 1), k=random.randint(1, 4))) for c in conditions}
        for _ in range(random.randint(1, 3))
    ]
    gaps = [
        {c: "".join("-" if random.random() < 0.35 else x for x in said) for c, said in each.items()}
        for each in full
    ]
    truth = by_name([item(letters(**each)) for each in full])
    for name, figure in by_name([item(letters(**each)) for each in gaps]).items():
        estimate = truth[name].estimate
        # an undefined figure or bound is NaN, which compares as false
        assert not estimate < figure.bound_low - 1e-9, name
        assert not estimate > figure.bound_high + 1e-9, name


def test_figures_among_answers_that_were_read() -> None:
    found = by_name([item(letters(control="AB--", high_harm="B--A")), item(letters(control="--"))])
    assert found["compliance@1.high_harm"].estimate_read == pytest.approx(1 / 2)
    assert found["compliance@1.high_harm"].estimate == pytest.approx(1 / 4)
    assert found["excess_compliance.high_harm"].estimate_read == 0
    nothing = by_name([item(letters(control="--", high_harm="BB"))])["excess_compliance.high_harm"]
    assert math.isnan(nothing.estimate_read)
    assert (nothing.bound_low, nothing.bound_high) == (0, 1)


def test_where_all_was_read_bounds_say_nothing_new() -> None:
    for figure in by_name(study(Respondent(0.7, {"high_harm": 0.3}), seed=0, items=8)).values():
        parts = (figure.estimate_read, figure.bound_low, figure.bound_high)
        assert parts == pytest.approx((figure.estimate,) * 3, nan_ok=True)
