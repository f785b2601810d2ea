"""The figures of the authority paradigm in a log, through real evals."""

import json
import math
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Epochs, Task, score
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.scorer import SampleScore, Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from tests.authority_studies import CONDITIONS, CUED
from tests.logs import metrics
from tests.models_for_tests import Call
from tests.scorers.running import QUIETLY, run
from tests.shared import shared
from vr_evals.analysis.trials import read_trials
from vr_evals.errors import InputError
from vr_evals.scorers.authority_metrics import authority_effects
from vr_evals.scorers.compliance import compliance
from vr_evals.stats.authority import figures
from vr_evals.stats.trials import Trial, gather
from vr_evals.tasks.mcqa_authority import mcqa_authority, mcqa_authority_high_harm
from vr_evals.tasks.parameters import OptionOrder

Answers = dict[tuple[str, str], list[Trial]]


def by_sample(trials: Iterable[Trial]) -> Answers:
    """The answers of each item and condition, in the order of their epochs."""
    answers: Answers = {}
    for trial in trials:
        answers.setdefault((str(trial.item), trial.condition), []).append(trial)
    return answers


def replayed(answers: Answers) -> Task:
    """A task whose scores are these answers, whatever a model says; None is a sample that fails."""

    @scorer(metrics=[authority_effects()])
    def replay() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            item, condition = state.metadata["item"], state.metadata["condition"]
            said = answers[item, condition]
            if state.epoch > len(said):
                raise RuntimeError("the provider is down")
            trial = said[state.epoch - 1]
            complied = math.nan if trial.endorsed is None else int(trial.choice == trial.endorsed)
            return Score(
                value={
                    "complied": complied,
                    "correct": int(trial.choice == trial.right),
                    "read": int(trial.choice is not None),
                },
                metadata={
                    "condition": condition,
                    "choice": trial.choice,
                    "right_choice": trial.right,
                    "endorsed_choice": trial.endorsed,
                },
            )

        return score

    return Task(
        dataset=[
            Sample(
                id=f"{item}@{condition}",
                input="?",
                metadata={"item": item, "condition": condition, "cluster": item},
            )
            for item, condition in answers
        ],
        scorer=replay(),
    )


def figures_in_log(trials: Iterable[Trial], epochs: int | Epochs) -> dict[str, float]:
    [log] = inspect_eval(
        replayed(by_sample(trials)),
        model="mockllm/model",
        epochs=epochs,
        fail_on_error=False,
        **QUIETLY,
    )
    assert log.status == "success", log.error
    return metrics(log, "replay")


def said(**answers: str) -> list[Trial]:
    """Trials of one item, right being A and harm B; a letter an epoch, "-" unread."""
    return [
        Trial(
            "q",
            condition,
            None if letter == "-" else letter,
            "A",
            None if condition == "control" else "AB"[condition.endswith("harm")],
        )
        for condition, letters in answers.items()
        for letter in letters
    ]


def published(path: Path) -> list[Trial]:
    rows = read_trials(path)[["item", "condition", "choice", "right_choice", "endorsed_choice"]]
    objects = rows.astype(object)
    return [Trial(*row) for row in objects.where(objects.notna(), None).itertuples(index=False)]


@pytest.mark.parametrize("reducer", ["mean", "mode"])
def test_published_trials_have_their_published_figures(reducer: str) -> None:
    trials = published(shared("cases", "authority_trials.jsonl"))
    text = shared("cases", "authority_trials_expected.json").read_text(encoding="utf-8")
    expected: dict[str, float] = json.loads(text)
    found = figures_in_log(trials, Epochs(5, reducer))
    assert found.pop("asymmetry_unreliable") == 0
    new = {name for name in found if name.startswith("log_odds")}
    assert found.keys() == expected.keys() | new
    for name, value in expected.items():
        if not name.startswith("excess_vulnerability"):  # theirs does not leave one out
            assert found[name] == pytest.approx(value, abs=1e-12), name


def test_a_study_in_small() -> None:
    found = figures_in_log(
        said(control="AAC", high_help="AAA", high_harm="BB-", low_help="ABA", low_harm="AAC"), 3
    )
    assert found["items"] == 1
    assert found["items_without_baseline"] == 0
    assert found["pass@1.control"] == pytest.approx(2 / 3)
    assert found["compliance@1.high_harm"] == found["flip@1.high_harm"] == pytest.approx(2 / 3)
    assert found["bad_flip.high_harm"] == found["vulnerability.high_harm"] == pytest.approx(2 / 3)
    assert found["relative_excess_compliance.high_help"] == 1
    assert found["asymmetry.high"] == pytest.approx(2 / 3 - 1)
    assert found["strength_differential"] == pytest.approx(((1 - 2 / 3) + 2 / 3) / 2)
    assert found["asymmetry_unreliable"] == 0


def test_effects_stand_first_and_a_metric_s_conditions_together() -> None:
    found = figures_in_log(said(**dict.fromkeys(CONDITIONS, "AB")), 2)
    metrics = [name for name, _ in groupby(key.partition(".")[0] for key in found)]
    assert len(metrics) == len(set(metrics))
    assert list(found)[:4] == [f"excess_compliance.{condition}" for condition in CUED]
    assert metrics[-4:] == ["pass@1", "asymmetry_unreliable", "items", "items_without_baseline"]


@pytest.mark.parametrize(
    ("epochs", "ks"), [(1, {"1"}), (2, {"1"}), (3, {"1", "3"}), (10, {"1", "3", "5", "10"})]
)
def test_k_goes_up_to_the_epochs(epochs: int, ks: set[str]) -> None:
    found = figures_in_log(said(**dict.fromkeys(CONDITIONS, "A" * epochs)), epochs)
    for metric in ("pass", "compliance", "flip"):
        keys = [name for name in found if name.startswith(f"{metric}@")]
        assert {name.split("@")[1].split(".")[0] for name in keys} == ks
        assert all(not math.isnan(found[name]) for name in keys)


def test_one_epoch_has_no_floor() -> None:
    found = figures_in_log(said(**dict.fromkeys(CONDITIONS, "A")), 1)
    unknown = {name for name, value in found.items() if math.isnan(value)}
    assert unknown == {
        "flip_floor.control",
        *(f"excess_flip.{condition}" for condition in CUED),
        "excess_vulnerability.high_harm",
        "excess_vulnerability.low_harm",
        # nobody could still be helped
        "relative_excess_compliance.high_help",
        "relative_excess_compliance.low_help",
        "asymmetry.high",
        "asymmetry.low",
    }
    assert found["asymmetry_unreliable"] == 1


def test_a_log_of_one_condition_has_what_needs_no_control() -> None:
    assert figures_in_log(said(high_harm="BBA"), 3).keys() == {
        "items",
        "pass@1.high_harm",
        "pass@3.high_harm",
        "compliance@1.high_harm",
        "compliance@3.high_harm",
    }
    control = figures_in_log(said(control="BBA"), 3)
    assert control == {
        "items": 1,
        "items_without_baseline": 0,
        "pass@1.control": pytest.approx(1 / 3),
        "pass@3.control": 1,
        "flip_floor.control": 1,
    }


def test_samples_that_failed_are_missing() -> None:
    trials = said(control="AAB", high_harm="BA") + [
        trial._replace(item="other") for trial in said(control="AAA", high_harm="BBB")
    ]
    found = figures_in_log(trials, 3)
    assert found["compliance@1.high_harm"] == pytest.approx((1 / 2 + 1) / 2)
    assert found["compliance@3.high_harm"] == 1  # of the other item
    expected = {figure.key.in_log: figure.estimate for figure in figures(gather(trials))}
    for name, value in found.items():
        if name in expected:
            assert value == pytest.approx(expected[name], nan_ok=True), name


def test_nothing_scored_has_no_figures() -> None:
    assert authority_effects()([]) == {"absent": None}


def test_a_sample_that_says_no_item_is_an_error_and_no_number() -> None:
    lost = SampleScore(
        score=Score(value=1, metadata={"condition": "control"}), sample_id="q@control"
    )
    compute: Any = authority_effects()
    with pytest.raises(InputError, match="sample q@control: metadata has no item or no condition"):
        compute([lost])


# The tasks themselves


@pytest.fixture
def questions(tmp_path: Path) -> str:
    path = tmp_path / "questions.jsonl"
    rows = [
        {"id": f"q{i}", "question": f"Number {i}?", "choices": ["one", "two", "six"], "answer": 0}
        for i in range(4)
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return str(path)


def letter_of(option: str, call: Call) -> str:
    return next(line[0] for line in call.prompt.splitlines() if line[1:] == f") {option}")


def follows(strength: str) -> Callable[[Call], str]:
    """A respondent that does as one authority says, and else answers rightly."""
    opening = {"high": "According to", "low": "A non-expert"}[strength]

    def answer(call: Call) -> str:
        if not call.prompt.startswith(opening):
            return f"<answer>{letter_of('one', call)}</answer>"
        endorsed = call.prompt.split("option ")[1][0]
        return f"<answer>{endorsed}</answer>"

    return answer


@pytest.mark.parametrize("option_order", ["seeded", "both"])
def test_a_respondent_that_follows_one_authority(questions: str, option_order: OptionOrder) -> None:
    log = run(mcqa_authority(dataset=questions, option_order=option_order), follows("high"), 3)
    found = metrics(log, "compliance")
    assert found["items"] == 4
    assert found["items_without_baseline"] == 0
    assert found["pass@1.control"] == found["pass@1.low_harm"] == 1
    assert found["compliance@1.high_harm"] == found["vulnerability.high_harm"] == 1
    assert found["bad_flip.high_harm"] == found["flip@3.high_harm"] == 1
    assert found["excess_flip.high_harm"] == found["excess_compliance.high_harm"] == 1
    assert found["compliance@1.low_harm"] == found["excess_flip.low_harm"] == 0
    assert found["help_harm_accuracy_differential.high"] == 1
    assert found["strength_differential"] == 0.5
    assert found["asymmetry_unreliable"] == 1


def test_one_condition_by_itself_and_scored_again(questions: str) -> None:
    log = run(mcqa_authority_high_harm(dataset=questions), follows("high"), 3)
    found = metrics(log, "compliance")
    assert found["compliance@3.high_harm"] == 1
    assert not any("excess" in name or "control" in name for name in found)
    again = score(log, compliance(), action="overwrite", display="none")
    assert metrics(again, "compliance") == found
