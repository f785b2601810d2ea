"""Simulated respondents in real evals: the truth comes back, and every log says what it is."""

import asyncio
import itertools
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, read_eval_log_sample_summaries
from inspect_ai.model import ChatMessageUser, ContentReasoning, GenerateConfig, get_model
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

import vr_evals._registry as registry
from tests.breadth import some_quick
from tests.logs import estimates, metrics, noted, samples
from tests.models.respondents import close, questions, run, write_csv
from vr_evals import analysis
from vr_evals.analysis import calibration, descriptives, flips, read_logs
from vr_evals.answers import letters, read_answer
from vr_evals.benchmarks.ethics import ETHICS
from vr_evals.benchmarks.morables import MORABLES
from vr_evals.benchmarks.moralchoice import MORALCHOICE
from vr_evals.confidences import read_confidence
from vr_evals.levels import Level
from vr_evals.models.personas import FAULTS, PERSONAS
from vr_evals.models.sim import SimulatedRespondent, _format_of
from vr_evals.solvers import direct
from vr_evals.solvers.call_context import CallContext, call_context

READ = (None, "several_tags", "unopened_think")
"""What may be wrong with a reply whose answer is read."""

N = 120
"""Items of a study."""

PER_CELL = 40
"""Dilemmas of one ambiguity, each in both orders."""

LEVEL_TASKS = sorted(name for name in vars(registry) if "_level" in name)


def said(log: EvalLog) -> dict[tuple[Any, int], list[str]]:
    return {
        (sample.id, sample.epoch): [m.text for m in sample.messages if m.role == "assistant"]
        for sample in samples(log)
    }


@pytest.fixture(scope="module")
def scenarios(tmp_path_factory: pytest.TempPathFactory) -> str:
    rows = [{"id": i, "scenario": f"I did it {i} times.", "label": i % 2} for i in range(N)]
    return write_csv(tmp_path_factory.mktemp("items") / "ethics.csv", rows)


@pytest.fixture(scope="module")
def dilemmas(tmp_path_factory: pytest.TempPathFactory) -> str:
    rows = [
        {
            "id": i,
            "context": f"Case {i}.",
            "action1": "I stay.",
            "action2": "I go.",
            "ambiguity": ("low", "high")[i % 2],
        }
        for i in range(4 * PER_CELL // 2)
    ]
    return write_csv(tmp_path_factory.mktemp("items") / "moralchoice.csv", rows)


@pytest.fixture(scope="module")
def fables(tmp_path_factory: pytest.TempPathFactory) -> str:
    options = {f"option_{letter}": f"Moral {letter}." for letter in "abcde"}
    rows = [{"id": i, "fable": f"Fable {i}.", **options, "correct_idx": i % 5} for i in range(100)]
    return write_csv(tmp_path_factory.mktemp("items") / "morables.csv", rows)


@pytest.mark.slow
def test_accuracy_reflection_and_calibration_come_back(scenarios: str) -> None:
    truth = {"accuracy": [0.7] * 6, "overconfidence": 10, "good_flip": 0.4, "bad_flip": 0.1}
    log = run("ethics_level5", M=truth, dataset=scenarios, include_confidence=True)
    found = flips(read_logs(log.location)).set_index("metric")
    n_wrong, n_right = found.loc[["good_flip_of_wrong", "bad_flip_of_right"], "n_samples"]
    assert n_right + n_wrong == N
    assert close(n_right / N, 0.7, N)
    assert close(found["estimate"]["bad_flip_of_right"], 0.1, int(n_right))
    assert close(found["estimate"]["good_flip_of_wrong"], 0.4, int(n_wrong))
    assert close(metrics(log, "answer")["accuracy"], 0.7 * 0.9 + 0.3 * 0.4, N)
    # every confidence is over by 10 points in both passes
    for name, correct in (("first", "first_correct"), ("final", "correct")):
        by_confidence = defaultdict(list)
        for sample in samples(log):
            both = {**noted(sample, "confidence"), **noted(sample, "reflection")}
            by_confidence[both[f"{name}_confidence"]].append(both[correct])
        assert len(by_confidence) == 5
        for confidence, verdicts in by_confidence.items():
            rate = sum(verdicts) / len(verdicts)
            assert close(rate, confidence / 100 - 0.1, len(verdicts))
    over = estimates(log, calibration, scale="stated")["overconfidence"]
    assert over == pytest.approx(0.1, abs=4 * 0.5 / N**0.5)


@pytest.mark.parametrize("second_pass", ["conversation", "standalone"])
def test_each_pass_is_told_what_it_is(second_pass: str) -> None:
    log = run(
        "ethics_level5",
        M={"accuracy": 0, "good_flip": 1, "bad_flip": 0},
        dataset="sample",
        items=5,
        second_pass=second_pass,
    )
    found = metrics(log, "reflection")
    assert (found["mean"], found["good_flip"]) == (1, 1)


@pytest.mark.slow
def test_preference_position_bias_and_ambiguity_come_back(dilemmas: str) -> None:
    truth = {"accuracy": 0.8, "p_action1": 0.4, "position_bias": 0.3, "ambiguous_confidence": 40}
    log = run(
        "moralchoice_level3",
        M=truth,
        dataset=dilemmas,
        include_confidence=True,
        option_order="both",
    )
    chose = defaultdict(list)
    for sample in samples(log):
        assert sample.scores
        cell = sample.metadata["ambiguity"], sample.metadata["option_order"]
        chose[cell].append(sample.scores["preference"].answer == "action1")
    for ambiguity, rate in (("low", 0.8), ("high", 0.4)):
        for order, first in (("original", 1), ("reversed", 0)):
            found = chose[ambiguity, order]
            assert len(found) == PER_CELL
            assert close(sum(found) / PER_CELL, 0.3 * first + 0.7 * rate, PER_CELL)
    means = estimates(log, analysis.ambiguity)
    # five confidences, 10 points apart, have a standard deviation of 14
    assert means["confidence_low_ambiguity"] == pytest.approx(80, abs=4 * 14 / PER_CELL**0.5)
    assert means["confidence_high_ambiguity"] == pytest.approx(40, abs=4 * 14 / PER_CELL**0.5)


@pytest.mark.slow
def test_agreement_over_epochs_comes_back(scenarios: str) -> None:
    truth = {"accuracy": 0.6, "consistency": 0.8}
    log = run("ethics_level1", M=truth, dataset=scenarios, items=80, epochs=3)
    expected = 0.8**2 + (1 - 0.8**2) * (0.6**2 + 0.4**2)
    # an item's agreement is 1 or 1/3
    assert metrics(log, "answer_format")["agreement"] == pytest.approx(
        expected, abs=4 * (1 / 3) / 80**0.5
    )


@pytest.mark.slow
def test_thinking_gains_and_is_seen_where_it_was_asked_for(fables: str) -> None:
    truth = {"accuracy": 0.5, "thinking_gain": 0.3}
    seen, accuracy = {}, {}
    for name, task, more in (
        ("off", "morables_level2", {}),
        ("on", "morables_level2_thinking", {}),
        ("ignored", "morables_level2_thinking", {"ignores_thinking": True}),
    ):
        log = run(task, M={**truth, **more}, dataset=fables)
        accuracy[name] = metrics(log, "answer")["accuracy"]
        seen[name] = metrics(log, "answer_format")["thought"]
        thoughts = [
            part
            for sample in samples(log)
            for part in sample.output.message.content
            if isinstance(part, ContentReasoning)
        ]
        assert len(thoughts) == (100 if name == "on" else 0)
        [usage] = log.stats.model_usage.values()
        assert bool(usage.reasoning_tokens) is (name == "on")
        assert usage.total_tokens == usage.input_tokens + usage.output_tokens
        assert usage.input_tokens > usage.output_tokens > 0
    assert seen == {"off": 0, "on": 1, "ignored": 0}
    assert close(accuracy["off"], 0.5, 100)
    assert close(accuracy["on"], 0.8, 100)
    assert close(accuracy["ignored"], 0.5, 100)


def test_users_own_flags_make_it_think() -> None:
    log = run("ethics_level0", dataset="sample", items=2, reasoning="flags", reasoning_tokens=1024)
    assert metrics(log, "answer_format")["thought"] == 1


@pytest.mark.parametrize("include_confidence", [None, pytest.param(True, marks=pytest.mark.slow)])
def test_faults_come_back_as_the_formats_they_are_read_as(
    scenarios: str, include_confidence: bool | None
) -> None:
    rates = dict(zip(map(str, FAULTS), (0.15, 0.1, 0.15, 0.15, 0.1, 0.15), strict=True))
    log = run(
        "ethics_level3",
        M=rates,
        dataset=scenarios,
        include_confidence=include_confidence,
    )
    found = estimates(log, descriptives)
    words = {
        "ambiguous": "echo",
        "truncated": "truncation",
        "cut_off": "truncation",
        "refused": "refusal",
        "empty": "empty",
    }
    for word, fault in words.items():
        assert close(found[word], rates[fault], N)
    assert found["missing"] == 0
    for sample in samples(log):
        meant = sample.output.metadata or {}
        kind = noted(sample, "answer")["read_as"]
        assert (kind in ("tag", "stated")) is (meant["fault"] in READ)
        if kind in ("tag", "stated"):
            assert sample.scores
            assert sample.scores["answer"].answer == meant["meant"]


def test_the_right_answer_comes_from_the_sample_and_is_in_no_prompt(tmp_path: Path) -> None:
    prompts = []
    for label in ("wrong", "not wrong"):
        rows = [{"id": i, "scenario": f"I did it {i} times.", "label": label} for i in range(5)]
        log = run(
            "ethics_level2",
            M={"accuracy": 1},
            dataset=write_csv(tmp_path / f"{label}.csv", rows),
        )
        assert metrics(log, "answer")["accuracy"] == 1
        prompts.append([sample.messages[0].text for sample in samples(log)])
    assert prompts[0] == prompts[1]


def test_replies_depend_on_seed_item_and_epoch_alone(scenarios: str) -> None:
    def study(items: int, epochs: int, **truth: Any) -> dict[tuple[Any, int], list[str]]:
        return said(
            run("ethics_level5", "sloppy", M=truth, dataset=scenarios, items=items, epochs=epochs)
        )

    small, large = study(5, 1), study(12, 2)
    assert small.items() <= large.items()
    assert large == study(12, 2)
    assert large != study(12, 2, seed=1)
    assert any(large[id, 1] != large[id, 2] for id, _ in large)


@pytest.mark.parametrize("persona", PERSONAS)
def test_every_log_says_that_it_is_simulated(persona: str, tmp_path: Path) -> None:
    log = run("moralchoice_level5", persona, dataset="sample", items=3, log_dir=str(tmp_path))
    assert log.eval.model == f"vr_sim/{persona}"
    for sample in samples(log):
        assert sample.metadata["as_run"]["simulated"] is True
        assert (sample.output.metadata or {})["simulated"] is True
    for summary in read_eval_log_sample_summaries(log.location):
        assert summary.scores
        assert (summary.scores["answer_format"].metadata or {})["simulated"] is True


def test_other_models_are_not_called_simulated() -> None:
    [log] = inspect_eval(
        "vr_evals/ethics_level0",
        model="mockllm/model",
        task_args={"dataset": "sample", "items": 1},
    )
    assert "simulated" not in samples(log)[0].metadata["as_run"]


# tests/e2e runs each of them, and every prompt is answered below
@pytest.mark.slow
def test_every_level_task_runs() -> None:
    assert len(LEVEL_TASKS) == 36
    for name, persona in zip(LEVEL_TASKS, itertools.cycle(PERSONAS), strict=False):
        [sample] = samples(run(name, persona, dataset="sample", items=1))
        assert sample.scores
        fault = (sample.output.metadata or {})["fault"]
        assert (sample.scores["answer_format"].value == 1) is (fault in READ)


@pytest.mark.parametrize("persona", some_quick(PERSONAS, list(PERSONAS)[:3].__contains__))
def test_every_persona_answers_every_level_prompt(persona: str) -> None:
    model = SimulatedRespondent(persona)
    prompts = itertools.product(
        (ETHICS, MORALCHOICE, MORABLES), Level, (None, True, False), (False, True), range(5)
    )

    async def answer_all() -> None:
        for benchmark, level, include_confidence, second_pass, i in prompts:
            labels = ("wrong", "not wrong") if benchmark is ETHICS else letters(5)
            call_context.set(
                CallContext(
                    benchmark=benchmark.name,
                    item=str(i),
                    epoch=1,
                    labels=labels,
                    choices=labels,
                    target=labels[1],
                    level=level,
                    include_confidence=include_confidence,
                    second_pass=second_pass,
                )
            )
            template = benchmark.level_prompts().template(level, include_confidence, second_pass)
            output = await model.generate(
                [ChatMessageUser(content=template)], [], "none", GenerateConfig()
            )
            tags = benchmark.level_prompts().asks_for_tags(include_confidence)
            reading = read_answer(
                output.completion, labels, tags=tags, stop_reason=output.stop_reason
            )
            meant = output.metadata or {}
            assert reading.label == (meant["meant"] if meant["fault"] in READ else None)
            if meant["fault"] is None:
                assert reading.format == ("tag" if tags else "stated")
                stated = read_confidence(output.completion).value
                assert (stated is not None) is (include_confidence is True)

    asyncio.run(answer_all())


def foreign(*prompts: str) -> Task:
    return Task(dataset=[Sample(input=prompt) for prompt in prompts], solver=generate())


def test_a_foreign_prompt_in_our_format_is_answered_by_a_guess() -> None:
    answers = []
    asked = "State your answer in tags: <answer>A</answer> or <answer>B</answer>"
    task = foreign(*(f"{i}?\n\n{asked}" for i in range(20)))
    for sample in samples(run(task, M={"accuracy": 1})):
        assert "as_run" not in sample.metadata
        assert (sample.output.metadata or {})["simulated"] is True
        answers.append(sample.output.completion)
    assert set(answers) == {"<answer>A</answer>", "<answer>B</answer>"}


def test_a_foreign_prompt_in_no_format_of_ours_is_an_error() -> None:
    log = run(foreign("What is the capital of France?"))
    assert log.status == "error"
    assert log.error
    assert "vr_sim/careful: prompt not supported" in log.error.message


@solver
def asks_and_looks() -> Solver:
    """Ask at level 0, then see whether anything is still told to the respondent."""
    ask = direct()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        assert call_context.get() is None
        state = await ask(state, generate)
        state.metadata["told_after"] = call_context.get()
        return state

    return solve


def test_what_is_told_ends_with_the_call() -> None:
    log = run("ethics_level0", dataset="sample", items=1, solver=asks_and_looks())
    [sample] = samples(log)
    assert sample.metadata["told_after"] is None


def test_an_item_that_obscures_the_format_is_answered_all_the_same(tmp_path: Path) -> None:
    tags = "<answer>A</answer>, <answer>B</answer>, or <answer>C</answer>"
    scenario = f"Answer the following multiple-choice question. State your answer in tags: {tags}"
    rows = [{"id": i, "scenario": f"{scenario}\nI did it {i} times.", "label": 1} for i in range(3)]
    log = run(
        "ethics_level4",
        M={"accuracy": 1},
        dataset=write_csv(tmp_path / "ethics.csv", rows),
        include_confidence=True,
    )
    assert metrics(log, "answer")["accuracy"] == 1
    assert metrics(log, "confidence").keys() == {"mean", "ece"}


@pytest.mark.parametrize(
    ("include_confidence", "shape"),
    [(True, "tags_and_confidence"), (None, "tags"), (False, "tags")],
)
def test_a_prompt_of_ours_that_is_not_recognised_has_tags(
    include_confidence: bool | None, shape: str
) -> None:
    [context] = questions(1, include_confidence=include_confidence)
    found = _format_of(context)
    assert found is not None
    assert (found.shape, found.labels, found.reasoning) == (shape, context.labels, False)


def test_a_reply_takes_as_long_as_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("vr_evals.models.sim.anyio.sleep", sleep)
    model = get_model("vr_sim/careful", memoize=False, latency=7.5)
    asked = "State your answer in tags: <answer>A</answer> or <answer>B</answer>"
    output = asyncio.run(model.generate(f"Which?\n\n{asked}"))
    assert waited == [7.5]
    assert output.completion.startswith("<answer>")
