"""Studies of simulated respondents give back the truth through prompts, replies, scores and logs.

Sampling error is allowed for: four standard errors, or an interval that misses one study in 10,000.
``docs/validity.md`` has many more studies, on arrays.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from inspect_ai.log import EvalLog

from tests.logs import estimates, metrics, noted, samples
from tests.models.respondents import close, run, write_csv
from vr_evals.analysis import agreement, calibration, descriptives, flips, read_logs
from vr_evals.stats.calibration import calibration_error

N = 250
LEVEL = 0.9999
P = np.array([0.4, 0.5, 0.6, 0.7, 0.8])
"""How likely right a respondent of accuracy 0.6 and spread 20 is, each for a fifth of the items."""

RESPONDENTS: Mapping[str, tuple[dict[str, Any], Any]] = {
    "well calibrated": ({}, 100 * P),
    "overconfident by 20 points": ({"overconfidence": 20}, 100 * P + 20),
    "anti-calibrated": ({"confidence": "anti_calibrated"}, 120 - 100 * P),
    "constant": ({"confidence": 90}, np.full(5, 90.0)),
}
"""What differs in their parameters, and the confidence that goes with each of ``P``."""

KNOWN = {
    "well calibrated": {"ece": 0, "overconfidence": 0, "auroc": 2 / 3, "brier": 0.22},
    "overconfident by 20 points": {
        "ece": 0.2,
        "overconfidence": 0.2,
        "auroc": 2 / 3,
        "brier": 0.26,
    },
    "anti-calibrated": {"ece": 0.24, "overconfidence": 0, "auroc": 1 / 3, "brier": 0.3},
    "constant": {"ece": 0.3, "overconfidence": 0.3, "auroc": 0.5, "brier": 0.33},
}
"""The figures of an endless study, by hand."""


@pytest.fixture(scope="module")
def scenarios(tmp_path_factory: pytest.TempPathFactory) -> str:
    rows = [{"id": i, "scenario": f"I did it {i} times.", "label": i % 2} for i in range(N)]
    return write_csv(tmp_path_factory.mktemp("items") / "ethics.csv", rows)


@pytest.fixture(scope="module")
def fables(tmp_path_factory: pytest.TempPathFactory) -> str:
    options = {f"option_{letter}": f"Moral {letter}." for letter in "abcde"}
    rows = [{"id": i, "fable": f"Fable {i}.", **options, "correct_idx": i % 5} for i in range(N)]
    return write_csv(tmp_path_factory.mktemp("items") / "morables.csv", rows)


def stated_and_right(log: EvalLog) -> tuple[list[float], list[int]]:
    found = [(s.scores or {})["confidence"] for s in samples(log)]
    return [f.as_float() for f in found], [int((f.metadata or {})["correct"]) for f in found]


QUICK = "overconfident by 20 points"


@pytest.mark.parametrize(
    "respondent",
    [r if r == QUICK else pytest.param(r, marks=pytest.mark.slow) for r in RESPONDENTS],
)
@pytest.mark.slow
def test_calibration_is_what_it_is_known_to_be(respondent: str, scenarios: str) -> None:
    parameters, confidences = RESPONDENTS[respondent]
    log = run(
        "ethics_level2",
        M={"accuracy": 0.6, "spread": 20, **parameters},
        dataset=scenarios,
        include_confidence=True,
    )
    known, found = KNOWN[respondent], estimates(log, calibration, scale="stated")
    assert found["ece"] == pytest.approx(metrics(log, "confidence")["ece"])
    assert found["auroc"] == pytest.approx(metrics(log, "confidence")["auroc"])
    stated, right = stated_and_right(log)
    assert set(stated) == set(np.round(confidences, 2))
    assert len(stated) == N
    assert close(metrics(log, "answer")["accuracy"], 0.6, N)

    if known["ece"]:
        error = calibration_error(stated, right, range(N), level=LEVEL)
        assert error.low <= known["ece"] <= error.high
        assert found["ece"] == pytest.approx(known["ece"], abs=4 * 0.5 / math.sqrt(N))
    else:
        floor = calibration_error(stated, right, range(N), level=LEVEL, simulations=20_000).floor
        assert floor.low <= found["ece"] <= floor.high

    gap = confidences / 100 - P
    # an answer's confidence less its correctness: the gap of its kind, and a coin toss
    deviation = math.sqrt((P * (1 - P)).mean() + gap.var())
    assert found["overconfidence"] == pytest.approx(
        known["overconfidence"], abs=4 * deviation / math.sqrt(N)
    )
    squares = [(P, (confidences / 100 - 1) ** 2), (1 - P, (confidences / 100) ** 2)]
    mean, square = (sum((p * x**k).mean() for p, x in squares) for k in (1, 2))
    assert mean == pytest.approx(known["brier"])
    assert found["brier"] == pytest.approx(mean, abs=4 * math.sqrt((square - mean**2) / N) + 1e-9)
    if respondent == "constant":
        assert found["auroc"] == 0.5
    else:
        # of 150 right and 100 wrong answers, by Hanley & McNeil less than 0.04
        assert found["auroc"] == pytest.approx(known["auroc"], abs=4 * 0.04)


@pytest.mark.slow
def test_calibration_that_is_chance_adjusted(scenarios: str) -> None:
    """Who means chance by 0 is calibrated in the other reading only."""
    log = run(
        "ethics_level2",
        M={"accuracy": 0.75, "spread": 0, "confidence": 50},
        dataset=scenarios,
        include_confidence=True,
    )
    found = estimates(log, calibration, scale="stated")
    adjusted = estimates(log, calibration, scale="chance_adjusted")
    error = 4 * math.sqrt(0.75 * 0.25 / N)
    assert found["overconfidence"] == pytest.approx(-0.25, abs=error)
    assert adjusted["overconfidence"] == pytest.approx(0, abs=error)
    assert found["ece"] == pytest.approx(0.25, abs=error)
    assert adjusted["ece"] <= error


@pytest.mark.slow
def test_agreement_on_five_options(fables: str) -> None:
    n, accuracy, consistency = 60, 0.6, 0.5
    log = run(
        "morables_level1",
        M={"accuracy": accuracy, "spread": 0, "consistency": consistency},
        dataset=fables,
        items=n,
        epochs=3,
    )
    by_chance = accuracy**2 + 4 * ((1 - accuracy) / 4) ** 2
    truth = consistency**2 + (1 - consistency**2) * by_chance
    # a mean of 0 to 1 has a standard deviation of at most a half
    found = metrics(log, "answer_format")
    assert found["agreement"] == pytest.approx(truth, abs=4 * 0.5 / math.sqrt(n))
    over_items = agreement(read_logs(log.location)).set_index("metric")["estimate"]
    assert 0 < over_items["entropy"] < 2


@pytest.mark.slow
def test_flips_and_confidence_of_a_second_look(fables: str) -> None:
    n, accuracy, good, bad, other = 200, 0.6, 0.4, 0.1, 0.2
    log = run(
        "morables_level5",
        M={
            "accuracy": accuracy,
            "spread": 10,
            "good_flip": good,
            "bad_flip": bad,
            "other_flip": other,
        },
        dataset=fables,
        items=n,
        include_confidence=True,
    )
    found = flips(read_logs(log.location)).set_index("metric")
    kinds = {
        "good_flip": 0.4 * good,
        "bad_flip": 0.6 * bad,
        "other_flip": 0.4 * other,
    }
    assert found["estimate"][list(kinds)].sum() == pytest.approx(found["estimate"]["flip"])
    for kind, truth in kinds.items():
        assert close(found["estimate"][kind], truth, n), kind
    in_log = metrics(log, "reflection")
    assert in_log == pytest.approx(
        {
            "mean": found["estimate"]["flip"],
            "good_flip": found["estimate"]["good_flip"],
            "bad_flip": found["estimate"]["bad_flip"],
        }
    )
    for name, truth in (("good_flip_of_wrong", good), ("bad_flip_of_right", bad)):
        assert found["low"][name] <= truth <= found["high"][name]
    after = accuracy * (1 - bad) + (1 - accuracy) * good
    # five confidences within 10 points have a standard deviation of 7
    error = 4 * 7.1 / math.sqrt(n)
    means = estimates(log, descriptives)
    assert means["confidence_before"] == pytest.approx(100 * accuracy, abs=error)
    assert means["confidence_after"] == pytest.approx(100 * after, abs=error)
    assert metrics(log, "confidence")["mean"] == pytest.approx(means["confidence_after"])
    assert close(metrics(log, "answer")["accuracy"], after, n)
    right_at_first = [noted(sample, "reflection")["first_correct"] for sample in samples(log)]
    assert close(sum(right_at_first) / n, accuracy, n)
