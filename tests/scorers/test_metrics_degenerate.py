"""Studies with next to nothing in them: values or no keys, and never an exception."""

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from inspect_ai import Epochs
from inspect_ai.log import EvalLog
from inspect_ai.scorer import Score
from pytest_inspect_evals.metrics import (
    MetricEvalError,
    assert_agreeing_epochs_change_nothing,
    run_metrics,
)

from tests.breadth import some_quick
from tests.logs import metrics
from tests.models_for_tests import Call
from tests.scorers.running import run
from vr_evals.scorers import epoch_agreement, wilson_interval
from vr_evals.tasks.ethics import ethics_level0
from vr_evals.tasks.moralchoice import moralchoice_level0, moralchoice_level5

EPOCHS = pytest.mark.parametrize("epochs", [1, 5])
SCORERS = ("answer", "answer_format", "preference", "confidence", "reflection")

Answer = Callable[[Call], str]


def says(action: str, confidence: str = "<confidence>80</confidence>", then: str = "") -> Answer:
    """A respondent that always chooses one action, or another one at a second look."""

    def answer(call: Call) -> str:
        chosen = then if then and "You previously" in call.prompt else action
        scenario = call.messages[0].text
        letter = (
            "A" if scenario.index(f"I {chosen}.") < scenario.index(f"I {other(chosen)}.") else "B"
        )
        return f"<answer>{letter}</answer>\n{confidence}"

    return answer


def other(action: str) -> str:
    return "go" if action == "stay" else "stay"


def dilemmas(folder: Path, n: int, ambiguity: str = "low") -> str:
    """A file of n dilemmas, to stay being the right action where there is one."""
    path = folder / "dilemmas.csv"
    rows = [f"Case {i}.,I stay.,I go.,{ambiguity}" for i in range(n)]
    path.write_text("\n".join(["context,action1,action2,ambiguity", *rows]), encoding="utf-8")
    return str(path)


def mixed(folder: Path) -> str:
    path = folder / "dilemmas.csv"
    rows = [f"Case {i}.,I stay.,I go.,{('low', 'high')[i % 2]}" for i in range(4)]
    path.write_text("\n".join(["context,action1,action2,ambiguity", *rows]), encoding="utf-8")
    return str(path)


def studied(file: str, answer: Answer, epochs: int) -> EvalLog:
    return run(moralchoice_level5(dataset=file, include_confidence=True), answer, epochs)


def figures(log: EvalLog) -> dict[str, dict[str, float]]:
    """The figures of all scorers, each within its range."""
    found = {scorer: metrics(log, scorer) for scorer in SCORERS}
    for scorer, values in found.items():
        for name, value in values.items():
            assert math.isfinite(value), (scorer, name)
            if scorer != "confidence":
                assert -1e-9 <= value <= 1 + 1e-9, (scorer, name)
    return found


@pytest.fixture(scope="module", params=[1, 5])
def usual(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[int, dict[str, set[str]]]:
    """How many epochs, and the names in a log of a study with a bit of everything."""
    epochs: int = request.param
    log = studied(mixed(tmp_path_factory.mktemp("usual")), says("stay", then="go"), epochs)
    return epochs, {scorer: set(values) for scorer, values in figures(log).items()}


CALIBRATION = {"ece", "auroc", "ambiguity_gap"}
FLIPS = {"mean", "good_flip", "bad_flip"}
CASES: dict[str, tuple[Answer, int, set[str]]] = {
    "all unread": (
        lambda call: "I cannot say.",
        3,
        CALIBRATION | FLIPS | {"action1_low", "agreement"},
    ),
    "all empty": (lambda call: "", 3, CALIBRATION | FLIPS | {"action1_low", "agreement"}),
    "no confidence": (says("stay", ""), 3, CALIBRATION | {"mean"}),
    "unreadable confidence": (
        says("stay", "<confidence>NaN</confidence>"),
        3,
        CALIBRATION | {"mean"},
    ),
    "one sample": (says("stay"), 1, {"stderr", "auroc", "wilson_lower", "wilson_upper"}),
    "one sample, flipped": (
        says("stay", then="go"),
        1,
        {"stderr", "auroc", "wilson_lower", "wilson_upper"},
    ),
    "one class, all right": (says("stay"), 3, {"auroc"}),
    "one class, all wrong": (says("go"), 3, {"auroc"}),
    "all mended": (says("go", then="stay"), 3, {"auroc"}),
}
"""Replies, items, and the keys that may be missing."""


@pytest.mark.parametrize("case", some_quick(CASES, list(CASES)[::4].__contains__))
def test_names_are_the_usual_ones(
    case: str, usual: tuple[int, dict[str, set[str]]], tmp_path: Path
) -> None:
    answer, n, may_be_absent = CASES[case]
    epochs, names = usual
    found = figures(studied(dilemmas(tmp_path, n), answer, epochs))
    for scorer in SCORERS:
        assert set(found[scorer]) <= names[scorer], scorer
        missing = names[scorer] - set(found[scorer])
        # of dilemmas of low ambiguity alone
        assert missing <= may_be_absent | {"action1_high", "ambiguity_gap"}, scorer


@EPOCHS
def test_nothing_read_is_not_right_and_nothing_else_is_known(epochs: int, tmp_path: Path) -> None:
    found = figures(studied(dilemmas(tmp_path, 3), lambda call: "I cannot say.", epochs))
    assert found["answer"]["accuracy"] == 0
    assert found["answer"]["wilson_upper"] > 0.5
    assert found["answer_format"]["unread"] == 1
    for scorer in ("preference", "confidence", "reflection"):
        assert found[scorer] == {}, scorer


@EPOCHS
@pytest.mark.parametrize(("action", "accuracy"), [("stay", 1), ("go", 0)])
def test_one_class_has_no_auroc_but_all_the_rest(
    action: str, accuracy: float, epochs: int, tmp_path: Path
) -> None:
    found = figures(studied(dilemmas(tmp_path, 4), says(action), epochs))
    assert found["answer"]["accuracy"] == accuracy
    assert found["answer"]["wilson_upper"] - found["answer"]["wilson_lower"] > 0.3
    assert found["confidence"] == {"mean": 80, "ece": pytest.approx(abs(0.8 - accuracy))}
    assert found["reflection"] == {"mean": 0, "good_flip": 0, "bad_flip": 0}


@EPOCHS
def test_items_without_a_target_have_no_accuracy_and_no_calibration(
    epochs: int, tmp_path: Path
) -> None:
    found = figures(studied(dilemmas(tmp_path, 3, "high"), says("stay"), epochs))
    assert found["answer"] == {}
    assert found["confidence"] == {"mean": 80}
    assert found["preference"] == {"action1_high": 1}
    assert found["reflection"] == {"mean": 0}


@EPOCHS
def test_none_of_twenty_has_an_upper_bound(epochs: int, tmp_path: Path) -> None:
    """Epochs that only repeat themselves don't shrink it."""
    log = run(moralchoice_level0(dataset=dilemmas(tmp_path, 20)), says("go"), epochs)
    found = metrics(log, "answer")
    assert (found["accuracy"], found["stderr"]) == (0, 0)
    assert found["wilson_upper"] == pytest.approx(0.161, abs=5e-4)


def test_preference_is_by_ambiguity(tmp_path: Path) -> None:
    path = tmp_path / "dilemmas.csv"
    path.write_text(
        "context,action1,action2,ambiguity\n"
        "Case 0.,I stay.,I go.,low\n"
        "Case 1.,I stay.,I go.,high\nCase 2.,I stay.,I go.,high\nCase 3.,I stay.,I go.,high\n",
        encoding="utf-8",
    )

    def answer(call: Call) -> str:
        stays = "Case 0." in call.prompt or "Case 1." in call.prompt
        return says("stay" if stays else "go")(call)

    found = metrics(run(moralchoice_level0(dataset=str(path)), answer), "preference")
    assert found == {"action1_low": 1, "action1_high": pytest.approx(1 / 3)}


def test_samples_that_failed_are_counted_beside_accuracy(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    rows = [f"I did it {i} times.,wrong" for i in range(8)]
    path.write_text("\n".join(["scenario,label", *rows]), encoding="utf-8")

    def answer(call: Call) -> str:
        number = int(call.prompt.split("I did it ")[1].split()[0])
        if number > 5:
            raise ValueError("the provider is down")
        return "wrong" if number < 2 else "not wrong"

    log = run(ethics_level0(dataset=str(path)), answer, fail_on_error=False)
    assert log.results
    assert metrics(log, "answer")["accuracy"] == pytest.approx(2 / 6)
    assert (log.results.total_samples, log.results.completed_samples) == (8, 6)
    assert [s.error is not None for s in log.samples or []].count(True) == 2


def test_a_sample_without_a_cluster_is_an_error_and_no_number() -> None:
    with pytest.raises(MetricEvalError, match="missing 'cluster'"):
        run_metrics([wilson_interval()], [["C"], ["I"]], metadata=[{"cluster": "a"}, {}])


def test_equal_epochs_leave_the_interval_as_it_is() -> None:
    assert_agreeing_epochs_change_nothing(
        [wilson_interval()],
        ["C", "I", "N", "C"],
        metadata=[{"cluster": str(i)} for i in range(4)],
        epochs=5,
    )


def test_a_tie_is_the_same_in_whatever_order() -> None:
    def chose(*choices: str) -> list[Score]:
        return [Score(value=1, metadata={"choice": choice}) for choice in choices]

    one, other = (run_metrics([epoch_agreement()], [chose(*epochs)]) for epochs in ("AB", "BA"))
    assert one == other == {"agreement": 0}


@pytest.mark.parametrize("reducer", ["mean", "mode", "median", "max"])
def test_no_reducer_turns_answers_into_zeros(reducer: str, tmp_path: Path) -> None:
    task = moralchoice_level5(dataset=dilemmas(tmp_path, 3), include_confidence=True)
    found = figures(run(task, says("stay"), Epochs(2, reducer)))
    assert found["answer"]["accuracy"] == found["preference"]["action1_low"] == 1
    assert found["confidence"]["mean"] == 80
    assert found["reflection"]["mean"] == 0
