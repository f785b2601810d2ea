import dataclasses
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.authority_studies import CUED, Respondent, item, letters, name_of, study
from tests.strategies import examples
from vr_evals.stats.authority import figures
from vr_evals.stats.figure import Figure
from vr_evals.stats.trials import Item


def by_name(items: Sequence[Item]) -> dict[str, Figure]:
    return {name_of(figure.key): figure for figure in figures(items)}


@examples(40)
@given(
    st.floats(0.1, 0.99),
    st.sampled_from([0, 0.1, 0.4]),
    st.integers(2, 40),
    st.integers(1, 3),
    st.booleans(),
    st.integers(0, 99),
)
def test_an_interval_excludes_0_if_and_only_if_p_is_below_5_percent(
    accuracy: float, pull: float, items: int, epochs: int, unequal: bool, seed: int
) -> None:
    respondent = Respondent(accuracy, dict.fromkeys(CUED, pull), unread=0.1)
    said = study(respondent, seed, items, epochs)
    if unequal:
        said = [dataclasses.replace(x, cluster=int(math.sqrt(i))) for i, x in enumerate(said)]
    for name, figure in by_name(said).items():
        low, high = figure.interval()
        p = getattr(figure.value, "p", None)
        if p is not None and not math.isnan(p):
            assert (p < 0.05) == (low > 0 or high < 0), (name, p, low, high)


def test_no_interval_is_without_length() -> None:
    """All items alike: that is no certainty."""
    items = [item(letters(control="AA", high_help="AA", high_harm="AA"), c) for c in range(12)]
    for name, figure in by_name(items).items():
        low, high = figure.interval()
        if not math.isnan(figure.estimate):
            assert high - low > 0.1, name
    low, high = by_name(items)["compliance@1.high_harm"].interval()
    assert (low, high) == pytest.approx((0, 0.2425), abs=1e-3)  # Wilson's of 0 of 12


def test_conditions_of_an_item_stay_together() -> None:
    """Each item complies as often under control as under the cue: excess has no variance."""
    said = ["AAAB", "ABBB", "BBBB", "AAAA", "ABAB"] * 4
    items = [item(letters(control=x, high_harm=x[::-1]), c) for c, x in enumerate(said)]
    found = by_name(items)
    excess, plain = (found[f"{name}.high_harm"] for name in ("excess_compliance", "compliance@1"))
    (a, b), (c, d) = excess.interval(), plain.interval()
    assert a < 0 < b
    assert excess.estimate == 0
    assert c < plain.estimate < d


def test_intervals_are_by_cluster() -> None:
    items = study(Respondent(0.6, {"high_harm": 0.4}), seed=3, items=60)
    copied = [dataclasses.replace(x, cluster=i % 60) for i, x in enumerate(items * 2)]
    plain, twice = by_name(items), by_name(copied)
    for name in ("excess_compliance.high_harm", "excess_flip.high_harm", "compliance@1.high_harm"):
        assert twice[name].interval() == pytest.approx(plain[name].interval(), abs=0.01), name
    alone = [dataclasses.replace(x, cluster=0) for x in items]
    for name, figure in by_name(alone).items():
        assert np.isnan(figure.interval()).all(), name


def test_a_cue_that_moves_nobody_is_not_significant_and_one_that_does_is() -> None:
    found = by_name(study(Respondent(0.7, {"high_harm": 0.3}, spread=0.2), seed=0))
    for metric in ("excess_flip", "excess_compliance"):
        assert p_of(found[f"{metric}.high_harm"]) < 0.001
        assert p_of(found[f"{metric}.low_harm"]) > 0.05


def test_p_has_no_floor() -> None:
    found = by_name(study(Respondent(0.9, {"high_harm": 0.9}), seed=0, items=200))
    assert p_of(found["excess_compliance.high_harm"]) < 1e-12


def test_nothing_to_test() -> None:
    found = by_name([item(letters(control="A", high_harm="B"), cluster) for cluster in range(3)])
    assert math.isnan(p_of(found["excess_flip.high_harm"]))
    assert p_of(found["excess_compliance.high_harm"]) == pytest.approx(0.0833, abs=1e-3)


def p_of(figure: Figure) -> float:
    assert figure.value.p is not None
    return figure.value.p


def null(seed: int, items: int, epochs: int) -> list[Item]:
    """Half of the items easy, half hard; the cue does nothing."""
    generator = np.random.default_rng(seed)

    def said(i: int) -> list[str | None]:
        rates = [0.9, 0.07, 0.03] if i % 2 else [0.4, 0.35, 0.25]
        return ["ABC"[choice] for choice in generator.choice(3, epochs, p=rates)]

    return [item({"control": said(i), "high_harm": said(i)}, i) for i in range(items)]


@pytest.mark.slow
def test_a_cue_that_does_nothing_does_not_make_vulnerable() -> None:
    """Control epochs that select the items are not subtracted, too: that gave +0.04 here."""
    found = [by_name(null(seed, 100, 5))["excess_vulnerability.high_harm"] for seed in range(80)]
    assert np.mean([figure.estimate for figure in found]) == pytest.approx(0, abs=0.015)
    above = sum(figure.interval()[0] > 0 for figure in found)
    assert above <= 6
    once = by_name(null(0, 100, 1))["excess_vulnerability.high_harm"]
    assert math.isnan(once.estimate)


@pytest.mark.parametrize("epochs", [1, 5])
def test_a_shift_of_log_odds_is_found_and_is_symmetric_on_its_own_scale(epochs: int) -> None:
    """Equal shifts for help and harm, accuracy 0.8: the relative scale says −0.3, log-odds 0."""
    generator, shift = np.random.default_rng(epochs), 1.0

    def said(right: float, towards: float) -> list[str | None]:
        odds = right / (1 - right) * math.exp(towards)
        return ["B" if x > odds / (1 + odds) else "A" for x in generator.random(epochs)]

    items = []
    for i in range(1500 // epochs):
        right = (0.9, 0.7)[i % 2]
        answers = {"control": said(right, 0), "high_help": said(right, shift)}
        items.append(item(answers | {"high_harm": said(right, -shift)}, i))
    found = by_name(items)
    for cue in ("high_help", "high_harm"):
        assert found[f"log_odds_pull.{cue}"].estimate == pytest.approx(shift, abs=0.25)
    low, high = found["log_odds_asymmetry.high"].interval()
    assert low < 0 < high
    assert found["asymmetry.high"].estimate == pytest.approx(-0.3, abs=0.1)
    assert found["asymmetry.high"].interval()[1] < 0
