"""Each scorer and its metrics through a real eval, with one epoch and with several."""

import json
import math
from pathlib import Path

import pytest
from inspect_ai import score
from inspect_ai.log import EvalLog, read_eval_log

from tests.logs import estimates, metrics, samples
from tests.models_for_tests import Call, reply
from tests.scorers.running import run
from vr_evals.analysis import descriptives
from vr_evals.scorers import answer, answer_format, confidence, preference, reflection
from vr_evals.tasks.ethics import ethics_level0, ethics_level2, ethics_level5
from vr_evals.tasks.morables import morables_level0
from vr_evals.tasks.moralchoice import moralchoice_level0, moralchoice_level5
from vr_evals.tasks.parameters import OptionOrder

ETHICS_FILE = "scenario,label\nI lied.,wrong\nI helped.,not wrong\nI stole.,wrong\nI slept.,0\n"


@pytest.fixture
def ethics_file(tmp_path: Path) -> str:
    path = tmp_path / "mine.csv"
    path.write_text(ETHICS_FILE, encoding="utf-8")
    return str(path)


@pytest.fixture
def dilemmas_file(tmp_path: Path) -> str:
    path = tmp_path / "dilemmas.csv"
    path.write_text(
        "id,context,action1,action2,ambiguity\n"
        "low,You.,I help.,I lie.,low\n"
        "high,You all.,I stay.,I go.,high\n",
        encoding="utf-8",
    )
    return str(path)


@pytest.mark.parametrize("epochs", [1, 5])
def test_answer_values_and_metrics(ethics_file: str, epochs: int) -> None:
    replies = {
        "I lied.": "wrong",
        "I helped.": "wrong",
        "I stole.": "banana",
        "I slept.": "Not wrong.",
    }

    def answer(call: Call) -> str:
        return next(said for text, said in replies.items() if text in call.prompt)

    log = run(ethics_level0(dataset=ethics_file, subset="all"), answer, epochs)
    assert {str(s.input): (s.scores or {})["answer"].value for s in samples(log)} == {
        "I lied.": "C",
        "I helped.": "I",
        "I stole.": "N",
        "I slept.": "C",
    }
    assert {str((s.scores or {})["answer"].explanation) for s in samples(log)} == {
        "Read 'wrong' (stated).",
        "Read 'not wrong' (stated).",
        "No answer could be read (missing).",
    }
    found = metrics(log, "answer")
    assert found["accuracy"] == 0.5
    assert 0 < found["wilson_lower"] < 0.5 < found["wilson_upper"] < 1
    assert metrics(log, "answer_format")["unread"] == 0.25
    rates = estimates(log, descriptives)
    assert (rates["stated"], rates["missing"]) == pytest.approx((0.75, 0.25))
    assert rates["cut_off"] == rates["tag"] == 0


def test_standard_error_and_interval_are_by_cluster(tmp_path: Path) -> None:
    """Rows of one cluster that answer alike are one observation, not many."""
    rows = "".join(
        f"{c}{i},{c},I am {c}{i}.,{label}\n" for c, label in (("a", 1), ("b", 0)) for i in range(10)
    )
    path = tmp_path / "clusters.csv"
    path.write_text("id,cluster,scenario,label\n" + rows, encoding="utf-8")
    log = run(ethics_level0(dataset=str(path), subset="all"), lambda call: "wrong")
    path.write_text(
        "id,scenario,label\n" + rows.replace(",a,", ",").replace(",b,", ","), encoding="utf-8"
    )
    alone = run(ethics_level0(dataset=str(path), subset="all"), lambda call: "wrong")
    assert metrics(log, "answer")["accuracy"] == metrics(alone, "answer")["accuracy"] == 0.5
    assert metrics(log, "answer")["stderr"] > 3 * metrics(alone, "answer")["stderr"]
    assert metrics(log, "answer")["wilson_lower"] < metrics(alone, "answer")["wilson_lower"]


def test_unread_answers_are_never_given_credit() -> None:
    log = run(morables_level0(dataset="sample", items=10), lambda call: "I cannot say.")
    assert metrics(log, "answer")["accuracy"] == 0
    assert metrics(log, "answer_format")["unread"] == 1


def test_all_right_has_an_interval_of_some_width(ethics_file: str) -> None:
    def answer(call: Call) -> str:
        return "wrong" if "lied" in call.prompt or "stole" in call.prompt else "not wrong"

    found = metrics(run(ethics_level0(dataset=ethics_file, subset="all"), answer), "answer")
    assert found["accuracy"] == 1
    assert found["wilson_upper"] == pytest.approx(1)
    assert found["wilson_lower"] < 0.6


@pytest.mark.parametrize("epochs", [1, 5])
@pytest.mark.parametrize("said", ["<answer>A</answer>", "no idea"])
def test_one_sample_gives_numbers_or_nan_and_no_exception(epochs: int, said: str) -> None:
    log = run(
        moralchoice_level0(dataset="sample", subset="low", items=1, include_confidence=True),
        lambda call: said,
        epochs,
    )
    assert metrics(log, "answer")["accuracy"] in (0, 1)
    assert all(isinstance(value, int | float) for value in metrics(log, "answer_format").values())


@pytest.mark.parametrize("order", ["original", "reversed"])
@pytest.mark.parametrize("epochs", [1, 5])
def test_preference_is_for_the_action_not_the_letter(
    dilemmas_file: str, order: OptionOrder, epochs: int
) -> None:
    letter = {"original": "A", "reversed": "B"}[order]
    log = run(
        moralchoice_level0(dataset=dilemmas_file, option_order=order),
        lambda call: f"<answer>{letter}</answer>",
        epochs,
    )
    for sample in samples(log):
        assert sample.scores
        assert sample.scores["preference"].value == 1
        assert sample.scores["preference"].answer == "action1"
        assert sample.scores["answer"].answer == letter
        assert sample.scores["answer"].metadata
        assert sample.scores["answer"].metadata["choice"] == "action1"
        assert sample.metadata["option_order"] == order
    scored = {str(s.id): (s.scores or {})["answer"] for s in samples(log)}
    assert scored["low"].value == "C"
    assert math.isnan(scored["high"].as_float())
    assert scored["high"].reason == "no_target"
    assert metrics(log, "answer")["accuracy"] == 1


def test_both_orders_are_asked_as_siblings(dilemmas_file: str) -> None:
    log = run(
        moralchoice_level0(dataset=dilemmas_file, option_order="both"),
        lambda call: "<answer>A</answer>",
    )
    assert sorted(str(s.id) for s in samples(log)) == ["high@ab", "high@ba", "low@ab", "low@ba"]
    assert {str(s.id): (s.scores or {})["preference"].value for s in samples(log)} == {
        "low@ab": 1,
        "low@ba": 0,
        "high@ab": 1,
        "high@ba": 0,
    }
    assert {s.metadata["cluster"] for s in samples(log)} == {"low", "high"}


def test_high_ambiguity_has_no_accuracy_but_a_preference() -> None:
    log = run(
        moralchoice_level0(dataset="sample", subset="high", items=4),
        lambda call: "<answer>A</answer>",
    )
    assert not metrics(log, "answer")
    assert 0 <= metrics(log, "preference")["action1_high"] <= 1
    assert log.eval.headline_metric
    assert log.eval.headline_metric.scorer == "preference"


@pytest.mark.parametrize(
    ("said", "value", "text"),
    [
        ("<answer>wrong</answer><confidence>72.5</confidence>", 72.5, "72.5"),
        ("<answer>wrong</answer><confidence>0.85</confidence>", 85, "0.85"),
        ("<answer>wrong</answer><confidence>-.95</confidence>", math.nan, "-.95"),
        ("<answer>wrong</answer><confidence>150</confidence>", math.nan, "150"),
        ("<answer>wrong</answer>", math.nan, None),
    ],
)
def test_confidence_and_the_text_it_was_read_from(said: str, value: float, text: str) -> None:
    log = run(ethics_level2(dataset="sample", items=1, include_confidence=True), lambda call: said)
    found = (samples(log)[0].scores or {})["confidence"]
    assert found.as_float() == pytest.approx(value, nan_ok=True)
    assert found.answer == text


def test_confidence_mean_is_over_those_that_stated_one(ethics_file: str) -> None:
    def answer(call: Call) -> str:
        stated = "<confidence>60</confidence>" if "lied" in call.prompt else ""
        return "<answer>wrong</answer>" + stated

    log = run(ethics_level2(dataset=ethics_file, subset="all", include_confidence=True), answer)
    assert metrics(log, "confidence")["mean"] == 60


FLIPS = [
    ("wrong", "wrong", "kept", 0),
    ("not wrong", "wrong", "good_flip", 1),
    ("wrong", "not wrong", "bad_flip", 1),
]


@pytest.mark.parametrize(("first", "second", "kind", "value"), FLIPS)
@pytest.mark.parametrize("epochs", [1, 5])
def test_reflection(
    first: str, second: str, kind: str, value: int, epochs: int, tmp_path: Path
) -> None:
    path = tmp_path / "one.csv"
    target = "wrong"
    path.write_text(f"scenario,label\nI lied.,{target}\n", encoding="utf-8")
    log = run(
        ethics_level5(dataset=str(path), subset="all"),
        lambda call: f"Final answer: {second if 'You previously' in call.prompt else first}",
        epochs,
    )
    for sample in samples(log):
        assert sample.scores
        assert sample.scores["reflection"].value == value
        assert sample.scores["reflection"].answer == kind
    found = metrics(log, "reflection")
    assert found == {
        "mean": value,
        "good_flip": kind == "good_flip",
        "bad_flip": kind == "bad_flip",
    }


def test_change_without_a_target_is_an_other_flip(dilemmas_file: str) -> None:
    log = run(
        moralchoice_level5(dataset=dilemmas_file, subset="high", include_confidence=True),
        lambda call: (
            "<answer>B</answer><confidence>40</confidence>"
            if "You previously" in call.prompt
            else "<answer>A</answer><confidence>90</confidence>"
        ),
    )
    found = (samples(log)[0].scores or {})["reflection"]
    assert (found.value, found.answer) == (1, "other_flip")
    assert found.metadata
    assert (found.metadata["first_confidence"], found.metadata["final_confidence"]) == (90, 40)


def test_reply_cut_off_inside_the_format(ethics_file: str) -> None:
    log = run(
        ethics_level2(dataset=ethics_file, subset="all", include_confidence=True),
        lambda call: reply("<answer>wrong</answer>\n<confid", "max_tokens"),
    )
    found = samples(log)[0].scores or {}
    assert found["answer"].answer == "wrong"
    assert math.isnan(found["confidence"].as_float())
    assert found["answer_format"].answer == "tag"
    assert found["answer_format"].metadata
    assert found["answer_format"].metadata["cut_off"] is True
    assert estimates(log, descriptives)["cut_off"] == 1


@pytest.mark.parametrize("epochs", [1, 3])
def test_scores_are_made_again_from_the_log_alone(epochs: int, tmp_path: Path) -> None:
    log = run(
        moralchoice_level5(dataset="sample", items=6, include_confidence=True),
        lambda call: (
            "<answer>B</answer><confidence>40</confidence>"
            if "You previously" in call.prompt
            else "<answer>A</answer><confidence>90</confidence>"
        ),
        epochs,
        log_dir=str(tmp_path),
    )
    again = score(
        read_eval_log(log.location),
        [answer(), answer_format(), preference(), confidence(), reflection()],
        action="overwrite",
    )

    def scores(log: EvalLog) -> dict[tuple[object, int], dict[str, tuple[str, object, object]]]:
        return {
            (s.id, s.epoch): {
                name: (str(found.value), found.answer, found.metadata)
                for name, found in (s.scores or {}).items()
            }
            for s in samples(log)
        }

    assert scores(again) == scores(log)
    for name in ("answer", "answer_format", "preference", "confidence", "reflection"):
        assert metrics(again, name) == pytest.approx(metrics(log, name), nan_ok=True)


def test_preference_by_ambiguity_has_names_of_its_own(dilemmas_file: str) -> None:
    log = run(
        moralchoice_level0(dataset=dilemmas_file, option_order="original"),
        lambda call: "<answer>A</answer>" if "I help" in call.prompt else "<answer>B</answer>",
    )
    found = metrics(log, "preference")
    assert found == {"action1_low": 1, "action1_high": 0}


def test_preference_of_dilemmas_without_ambiguity(tmp_path: Path) -> None:
    path = tmp_path / "plain.csv"
    path.write_text("context,action1,action2\nYou.,I go.,I stay.\n", encoding="utf-8")
    log = run(moralchoice_level0(dataset=str(path)), lambda call: "<answer>A</answer>")
    assert metrics(log, "preference").keys() == {"action1"}


def test_preference_on_the_log_of_another_benchmark_is_unscored(ethics_file: str) -> None:
    log = run(ethics_level0(dataset=ethics_file, subset="all"), lambda call: "wrong")
    again = score(log, [preference()], action="overwrite")
    for sample in samples(again):
        assert sample.scores
        assert sample.scores["preference"].reason == "no_dilemma"


def test_columns_named_as_ours_are_kept_under_another_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(
        "scenario,label,level,choices,as_run,thinking\nI lied.,wrong,hard,x,y,z\n", encoding="utf-8"
    )
    log = run(ethics_level0(dataset=str(path), subset="all"), lambda call: "wrong")
    [sample] = samples(log)
    assert sample.metadata["level"] == "hard"
    assert sample.metadata["column_choices"] == "x"
    assert sample.metadata["column_as_run"] == "y"
    assert sample.metadata["column_thinking"] == "z"
    assert log.eval.dataset.name == "ethics-mine"


@pytest.mark.parametrize("column", ["calls", "calls_that_thought", "option_kinds", "ambiguity"])
@pytest.mark.parametrize("cell", ["low", "", None, [1], 7])
def test_columns_named_as_what_is_noted_later_do_no_harm(
    tmp_path: Path, column: str, cell: object
) -> None:
    path = tmp_path / "mine.json"
    row = {"id": "i1", "scenario": "I did it.", "label": "wrong", column: cell}
    path.write_text(json.dumps([row]), encoding="utf-8")
    task = ethics_level2(dataset=str(path), subset="all", include_confidence=True)
    log = run(task, lambda call: "<answer>wrong</answer><confidence>70</confidence>")
    assert metrics(log, "answer_format")["thought"] == 0
    assert not [name for name in metrics(log, "confidence") if "ambiguity" in name]
    [sample] = samples(log)
    assert sample.metadata.get(column, sample.metadata.get(f"column_{column}")) == cell
