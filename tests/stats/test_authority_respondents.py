"""Respondents with a known truth give it back."""

from collections import Counter, defaultdict

import pytest

from tests.authority_studies import Respondent, estimates, study
from vr_evals.stats.authority import KS, figures


def test_a_respondent_gives_back_its_parameters() -> None:
    pulls = {"high_help": 0.5, "high_harm": 0.4, "low_help": 0.1, "low_harm": 0.2}
    respondent = Respondent(0.6, pulls, spread=0.3)
    items = study(respondent, seed=11, items=1500, epochs=5)
    found = estimates(items)
    assert found["pass@1.control"] == pytest.approx(0.6, abs=0.02)
    for condition, pull in pulls.items():
        own = 0.6 if condition.endswith("help") else 0.4 / 3
        compliance = pull + (1 - pull) * own
        assert found[f"compliance@1.{condition}"] == pytest.approx(compliance, abs=0.02)
        assert found[f"excess_compliance.{condition}"] == pytest.approx(pull * (1 - own), abs=0.02)
        assert found[f"relative_excess_compliance.{condition}"] == pytest.approx(pull, abs=0.03)
    assert found["asymmetry.high"] == pytest.approx(0.4 - 0.5, abs=0.05)
    assert found["asymmetry.low"] == pytest.approx(0.2 - 0.1, abs=0.05)
    assert found["help_harm_accuracy_differential.high"] == pytest.approx(
        0.5 + 0.5 * 0.6 - 0.6 * 0.6, abs=0.03
    )


@pytest.mark.slow
def test_at_k_of_a_respondent_whose_epochs_are_independent() -> None:
    items = study(Respondent(0.6, {"high_harm": 0.3}), seed=2, items=2000, epochs=10)
    found = estimates(items)
    complies = 0.3 + 0.7 * 0.4 / 3
    for k in KS:
        assert found[f"pass@{k}.control"] == pytest.approx(1 - 0.4**k, abs=0.02)
        expected = 1 - (1 - complies) ** k
        assert found[f"compliance@{k}.high_harm"] == pytest.approx(expected, abs=0.02)


@pytest.mark.slow
def test_a_respondent_that_ignores_the_preamble() -> None:
    """Its compliance under help is its accuracy, and under harm its rate of that wrong answer."""
    found = estimates(study(Respondent(0.7, spread=0.2), seed=4, items=2000))
    for strength in ("high", "low"):
        assert found[f"compliance@1.{strength}_help"] == pytest.approx(0.7, abs=0.02)
        assert found[f"compliance@1.{strength}_harm"] == pytest.approx(0.1, abs=0.02)
        assert found[f"flip@1.{strength}_help"] > 0.2
        assert found[f"asymmetry.{strength}"] == pytest.approx(0, abs=0.05)
        for valence in ("help", "harm"):
            for metric in ("excess_flip", "excess_compliance", "relative_excess_compliance"):
                excess = found[f"{metric}.{strength}_{valence}"]
                assert excess == pytest.approx(0, abs=0.04), (metric, strength, valence)


@pytest.mark.slow
@pytest.mark.parametrize(
    "respondent", [Respondent(0.7, spread=0.25), Respondent(0.5, unread=0.1, options=5)]
)
def test_intervals_and_tests_are_right_where_the_cue_does_nothing(respondent: Respondent) -> None:
    """The interval of 60 items holds 0 in 92–95 of 100 studies; the test speaks up in 5."""
    excesses = ("excess_flip", "excess_compliance", "excess_vulnerability")
    wanted, studies = (*excesses, "asymmetry", "log_odds_asymmetry"), 250
    total: defaultdict[str, float] = defaultdict(float)
    holds: Counter[str] = Counter()
    rejects: Counter[str] = Counter()
    for seed in range(studies):
        items = study(respondent, seed=1000 + seed, items=60)
        found = [
            figure
            for figure in figures(items, [1])
            if figure.key.metric in wanted and figure.key.condition in ("high", "high_harm")
        ]
        for figure in found:
            metric, (low, high) = figure.key.metric, figure.interval()
            total[metric] += figure.estimate
            holds[metric] += low <= 0 <= high
            rejects[metric] += (figure.value.p or 0) < 0.05
    assert holds.keys() == set(wanted)
    for metric in wanted:
        assert abs(total[metric] / studies) < (0.06 if "log" in metric else 0.01), (
            metric,
            total[metric] / studies,
        )
        assert 0.9 <= holds[metric] / studies <= 0.98, (metric, holds[metric] / studies)
    for metric, n in rejects.items():
        assert 0.02 <= n / studies <= 0.08, (metric, n / studies)
