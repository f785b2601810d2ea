"""Every authority task, through a real eval: what reaches the model, and what comes out."""

import itertools
import json
import logging
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import score
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import CachePolicy

from tests.breadth import some_quick
from tests.hub import Hub
from tests.logs import samples
from tests.models_for_tests import QUIETLY, Call, Script
from tests.spec import expected_prompt
from tests.spec_authority import CONDITIONS, expected_question, preamble
from vr_evals.analysis import authority, read_logs
from vr_evals.benchmarks import Item, load_items
from vr_evals.benchmarks.mcqa import MCQA
from vr_evals.benchmarks.morables import ALL_MORABLES
from vr_evals.benchmarks.ordering import harmful_option
from vr_evals.conditions import SUFFIXES
from vr_evals.errors import InputError
from vr_evals.levels import Level
from vr_evals.scorers import acknowledgement, compliance
from vr_evals.tasks.ethics_authority import ethics_authority
from vr_evals.tasks.mcqa_authority import mcqa_authority
from vr_evals.tasks.morables_authority import morables_authority, morables_authority_high_harm
from vr_evals.tasks.moralchoice_authority import (
    moralchoice_authority,
    moralchoice_authority_high_help,
)

BENCHMARKS = ("ethics", "moralchoice", "morables", "mcqa")
VARIABLES = {"ethics": "scenario", "moralchoice": "context", "morables": "fable"}


def run(task: Any, script: Script, *, epochs: int = 1, **parameters: Any) -> EvalLog:
    given = {"dataset": "sample", "items": 2, **parameters}
    name = f"vr_evals/{task}" if isinstance(task, str) else task
    [log] = inspect_eval(
        name,
        model=script.model,
        task_args=given if isinstance(task, str) else {},
        epochs=epochs,
        **QUIETLY,
    )
    return log


def always(text: str) -> Script:
    return Script(lambda call: text)


WAYS_TO_ASK = [
    # the words of every combination are compared in tests/prompts; here each is sent once
    *itertools.product(BENCHMARKS, [None], [None, True, False]),
    *zip(
        [benchmark for benchmark in BENCHMARKS for _ in CONDITIONS],
        CONDITIONS * len(BENCHMARKS),
        itertools.cycle([None, True, False]),
        strict=False,
    ),
]


# all conditions of a benchmark, and a condition by itself
QUICK = {*zip(BENCHMARKS, [None] * 4, [None, True, False, True], strict=True)} | {
    ("ethics", "high_harm", False)
}


@pytest.mark.parametrize(
    ("benchmark", "condition", "confidence"), some_quick(WAYS_TO_ASK, QUICK.__contains__)
)
def test_the_prompt_that_reaches_the_model_is_the_documents(
    benchmark: str, condition: str | None, confidence: bool | None
) -> None:
    script = always("<answer>A</answer>" + "\n<confidence>80</confidence>" * (confidence is True))
    name = f"{benchmark}_authority" + (f"_{condition}" if condition else "")
    log = run(name, script, include_confidence=confidence)
    found = samples(log)
    assert len(found) == len(script.calls) == (2 if condition else 10)
    sent = {call.prompt for call in script.calls}
    for sample in found:
        of = sample.metadata
        expected = preamble(of["condition"], of["endorsed"]) + expected_question(
            benchmark, str(sample.input), of["labels"], of["options"], confidence
        )
        assert [m.text for m in sample.messages if m.role == "user"] == [expected]
        assert expected in sent
        assert of["labels"] == list("ABCDEFGHIJ"[: len(of["options"])])
        assert of["help_target"] == sample.target
        assert of["harm_target"] in of["labels"]
        assert of["harm_target"] != sample.target
        suffix = "" if condition else f"@{SUFFIXES[of['condition']]}"
        assert sample.id == of["item"] + suffix
        assert sample.scores is not None
        expected_scorers = {"compliance", "answer_format", "acknowledgement"}
        assert set(sample.scores) == expected_scorers | ({"confidence"} if confidence else set())
    assert {s.metadata["condition"] for s in found} == ({condition} if condition else {*CONDITIONS})
    config = script.calls[0].config
    assert (config.temperature, config.max_tokens) == (1, 1000)


def by_item(log: EvalLog) -> dict[str, dict[str, EvalSample]]:
    """The samples of each item, by condition."""
    found: dict[str, dict[str, EvalSample]] = {}
    for sample in samples(log):
        found.setdefault(sample.metadata["item"], {})[sample.metadata["condition"]] = sample
    return found


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_only_the_preamble_differs_between_conditions(benchmark: str) -> None:
    log = run(f"{benchmark}_authority", always("<answer>A</answer>"))
    for conditions in by_item(log).values():
        asked = {name: s.messages[0].text for name, s in conditions.items()}
        control = asked["control"]
        assert control.startswith("Answer the following multiple-choice question.")
        cues = {name: text.removesuffix(control) for name, text in asked.items()}
        assert cues.pop("control") == ""
        for name, cue in cues.items():
            assert asked[name] == cue + control
            assert cue.endswith(".\n")
            endorsed = conditions[name].metadata["endorsed"]
            assert cue.count(f"option {endorsed}.") == 1
            # no command, no justification, no experimental rules
            assert not re.search(
                r"\b(must|should|follow|choose|select|because|since|therefore|evidence|reason"
                r"|allowed|permitted|experiment|ignore)\b",
                cue,
                re.IGNORECASE,
            )
        for strength in ("high", "low"):
            blank = [
                cues[f"{strength}_{valence}"].replace(
                    f"option {conditions[f'{strength}_{valence}'].metadata['endorsed']}.", ""
                )
                for valence in ("help", "harm")
            ]
            assert blank[0] == blank[1]
            harm = {conditions[f"{s}_harm"].metadata["endorsed"] for s in ("high", "low")}
            assert harm == {conditions["control"].metadata["harm_target"]}


@pytest.mark.parametrize(
    ("benchmark", "level"),
    some_quick(
        itertools.product(VARIABLES, range(len(Level))),
        {("ethics", 2), ("moralchoice", 4), ("morables", 5)}.__contains__,
    ),
)
def test_crossed_with_a_level(benchmark: str, level: int) -> None:
    # each level, and each benchmark, with and without; every word of it is in tests/prompts
    confidence = True if (level + list(VARIABLES).index(benchmark)) % 2 else None
    tags = benchmark != "ethics" or confidence
    label = "wrong" if benchmark == "ethics" else "A"
    script = always(f"<answer>{label}</answer>" if tags else f"Final answer: {label}")
    log = run(f"{benchmark}_authority", script, level=level, include_confidence=confidence)
    for sample in samples(log):
        of = sample.metadata
        variables = {VARIABLES[benchmark]: str(sample.input)}
        endorsed = of["endorsed"]
        if benchmark == "ethics":
            assert of["labels"] == ["wrong", "not wrong"]
            endorsed = f'"{endorsed}"'
        else:
            variables |= {f"option_{'abcde'[i]}": o for i, o in enumerate(of["options"])}
        first = expected_prompt(benchmark, level, 1, confidence, variables)
        prompts = [preamble(of["condition"], endorsed) + first]
        if level == 5:
            said = {"previous_response": sample.messages[1].text}
            prompts.append(expected_prompt(benchmark, 5, 2, confidence, said))
        assert [m.text for m in sample.messages if m.role == "user"] == prompts
        assert sample.scores is not None
        assert sample.scores["compliance"].answer == label
        assert ("reflection" in sample.scores) == (level in (4, 5))
        assert (sample.scores["compliance"].metadata or {})["level"] == level


@pytest.mark.parametrize(
    ("task", "parameters", "problem"),
    [
        (
            moralchoice_authority_high_help,
            {"subset": "high"},
            "-T subset=high: not supported in a single condition",
        ),
        (
            moralchoice_authority_high_help,
            {"design": "extended"},
            "-T design: not a parameter of moralchoice_authority_high_help",
        ),
        (
            moralchoice_authority,
            {"design": "wide"},
            "invalid -T design 'wide': expected standard or extended",
        ),
        (moralchoice_authority, {"subset": "all"}, "missing right option"),
        (mcqa_authority, {"level": 1}, "-T level: not a parameter of mcqa_authority"),
        (
            morables_authority,
            {"level": len(Level)},
            f"invalid -T level '{len(Level)}': expected 0, 1, 2",
        ),
        (morables_authority, {"thinking_budget": 1500}, "missing -T thinking=true"),
        (morables_authority, {"second_pass": "standalone"}, "missing -T level=5"),
        (
            ethics_authority,
            {"level": 2, "option_order": "both"},
            "-T option_order=both: not supported with -T level",
        ),
        (mcqa_authority, {"subset": "philosophy"}, "not supported with dataset=sample"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    task: Any, parameters: dict[str, Any], problem: str
) -> None:
    with pytest.raises(InputError, match=re.escape(problem)):
        task(dataset="sample", **parameters)


def test_variant_with_more_options_serves_authority_alone(real_hub: Hub) -> None:
    items = load_items(ALL_MORABLES, "hub", "pre_inj").items
    assert max(len(item.options) for item in items) > 5
    log = run(
        "morables_authority_high_harm",
        always("<answer>F</answer>"),
        dataset="hub",
        subset="pre_inj",
    )
    assert all("F) " in sample.messages[0].text for sample in samples(log))
    with pytest.raises(InputError, match=r"-T level=2: item .* options, expected 5"):
        morables_authority_high_harm(subset="pre_inj", level=2)


def test_harmful_target_is_fair_and_the_same_everywhere() -> None:
    items = [
        Item(f"q{i}", "?", tuple("pqrst"), i % 5, tuple(range(5)), f"q{i}") for i in range(2000)
    ]
    drawn = [harmful_option(item, 0) for item in items]
    assert all(harm != item.target for harm, item in zip(drawn, items, strict=True))
    # over the wrong options in file order: 500 expected each, 4 standard deviations
    places = Counter(
        [i for i in range(5) if i != item.target].index(harm)
        for harm, item in zip(drawn, items, strict=True)
    )
    assert all(abs(count - 500) < 78 for count in places.values())
    assert drawn == [harmful_option(item, 0) for item in items]
    other = [harmful_option(item, 1) for item in items]
    assert 0.5 < sum(a != b for a, b in zip(drawn, other, strict=True)) / 2000 < 0.95


def test_harmful_target_is_the_same_in_every_order_and_task() -> None:
    def harms(log: EvalLog) -> dict[str, set[object]]:
        found: dict[str, set[object]] = {}
        for sample in samples(log):
            noted = (sample.scores or {})["compliance"].metadata or {}
            found.setdefault(sample.metadata["item"], set()).add(noted["harm_choice"])
        return found

    say_a = always("<answer>A</answer>")
    both = harms(run("morables_authority", say_a, option_order="both"))
    alone = harms(run("morables_authority_low_harm", say_a, option_order="original"))
    assert both == alone
    assert {len(choices) for choices in both.values()} == {1}


def test_compliance_of_each_kind_of_answer() -> None:
    def answer(call: Call) -> str:
        return {1: "<answer>A</answer>", 2: "<answer>E</answer>", 3: "I cannot say."}[
            epochs[call.prompt]
        ]

    epochs: Counter[str] = Counter()

    def counted(call: Call) -> str:
        epochs[call.prompt] += 1
        return answer(call)

    log = run("morables_authority", Script(counted), epochs=3)
    for sample in samples(log):
        assert sample.scores is not None
        found = sample.scores["compliance"]
        assert isinstance(found.value, dict)
        complied = found.value["complied"]
        if sample.metadata["condition"] == "control":
            assert isinstance(complied, float)
            assert math.isnan(complied)
        else:
            assert complied == int(found.answer == sample.metadata["endorsed"])
        assert found.value["correct"] == int(found.answer == sample.target)
        assert found.value["read"] == int(found.answer is not None)
        assert found.metadata is not None
        assert (found.metadata["choice"] is None) == (found.answer is None)
    again = score(log, [compliance(), acknowledgement()], action="overwrite")
    for before, after in zip(samples(log), samples(again), strict=True):
        assert before.scores is not None
        assert after.scores is not None
        for name in ("compliance", "acknowledgement"):
            assert before.scores[name].model_dump_json() == after.scores[name].model_dump_json()


def test_a_user_s_file_of_questions(tmp_path: Path) -> None:
    rows = [
        {"question": "By letter?", "choices": ["yes", "no", "maybe"], "answer": "b"},
        {"question": "By index?", "choices": '["yes", "no"]', "answer": 1},
        {"question": "By text?", "choices": ["yes", "no"], "answer": "No"},
        {"id": "mine", "question": "Kept?", "choices": ["x", "y"], "answer": "0", "topic": "q"},
        {"question": "Two ways?", "choices": ["1", "0"], "answer": "1"},
        {"question": "None of them?", "choices": ["yes", "no"], "answer": "perhaps"},
        {"question": "One only?", "choices": ["yes"], "answer": "yes"},
    ]
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    loaded = load_items(MCQA, str(path), "moral_disputes")
    assert [item.options[item.target or 0].casefold() for item in loaded.items] == ["no"] * 3 + [
        "x"
    ]
    assert loaded.items[3].id == "mine"
    assert loaded.items[3].metadata == {"topic": "q"}
    assert loaded.origin["skipped_rows"] == 3
    script = always("<answer>A</answer>")
    log = run("mcqa_authority_control", script, dataset=str(path), items=None)
    assert len(samples(log)) == 4


def test_index_counted_from_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    rows = [{"question": f"q{i}", "choices": ["yes", "no"], "answer": i} for i in (1, 2)]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    with pytest.raises(InputError, match="invalid answer 1 to 2: expected an index counted from 0"):
        load_items(MCQA, str(path), "moral_disputes")


def test_index_that_could_count_from_either_is_asked_about(tmp_path: Path) -> None:
    path = tmp_path / "either.jsonl"
    options = ["yes", "no", "maybe", "never"]
    rows = [{"question": f"q{i}", "choices": options, "answer": i} for i in (1, "2", 3.0)]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    with pytest.raises(
        InputError, match="ambiguous answer: indices 1 to 3 may count from 0 or"
    ) as caught:
        load_items(MCQA, str(path), "moral_disputes")
    assert "1 is B if it counts from 0, A if from 1" in caught.value.message
    for further in ({"answer": 0}, {"answer": "yes"}):
        more = [*rows, {"question": "more", "choices": options} | further]
        path.write_text("\n".join(map(json.dumps, more)), encoding="utf-8")
        if further["answer"] == 0:
            loaded = load_items(MCQA, str(path), "moral_disputes")
            assert [item.target for item in loaded.items] == [1, 2, 3, 0]
        else:
            with pytest.raises(InputError, match="may count from 0 or"):
                load_items(MCQA, str(path), "moral_disputes")


def test_hostile_items_reach_the_model_as_they_are(tmp_path: Path) -> None:
    hostile = "{question} {options} [TARGET_OPTION] %s </answer> \u202e {0}"
    row = {"question": hostile, "choices": [hostile + "1", "{options}"], "answer": 0}
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    log = run("mcqa_authority", always("<answer>A</answer>"), dataset=str(path), items=None)
    for sample in samples(log):
        of = sample.metadata
        question = expected_question("mcqa", hostile, ["A", "B"], of["options"], None)
        # the oracle fills in by replacing, which hostile text may defeat: compare around it
        assert sample.messages[0].text == preamble(of["condition"], of["endorsed"]) + (
            question.split("\n")[0] + f"\n{hostile}\n\nA) {of['options'][0]}\nB) {of['options'][1]}"
        )


@pytest.mark.parametrize(
    ("model", "flags", "warning"),
    [
        (
            "mockllm/model",
            {"epochs": 5, "temperature": 0},
            "the 5 epochs of an item are nearly copies",
        ),
        (
            "mockllm/model",
            {"epochs": 3, "seed": 7},
            "seed 7: if the provider honours it, the 3 epochs",
        ),
        ("mockllm/model", {"epochs": 1}, "1 epoch: no noise floor of flips"),
        (
            "mockllm/model",
            {"epochs": 2, "cache": CachePolicy(per_epoch=False)},
            "cache without per_epoch",
        ),
        ("mockllm/model", {"epochs": 2}, None),
    ],
)
def test_a_degenerate_design_is_warned_of(
    model: str, flags: dict[str, Any], warning: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "vr_evals.hooks")
    task = mcqa_authority(dataset="sample", items=1)
    answering = always("<answer>A</answer>").model
    [log] = inspect_eval(task, model=answering, **QUIETLY | flags)
    assert log.status == "success", log.error
    said = [r.getMessage() for r in caplog.records if r.name == "vr_evals.hooks"]
    assert len(said) == (warning is not None)
    assert warning is None or warning in said[0]


@pytest.mark.slow
def test_a_simulated_respondent_gives_back_its_pulls() -> None:
    [log] = inspect_eval(
        ethics_authority(dataset="sample"),
        model="vr_sim/careful",
        model_args={
            "accuracy": 0.7, "pull_high_help": 0.5, "pull_high_harm": 0.4,
            "pull_low_help": 0.2, "pull_low_harm": 0.0, "consistency": 0.0,
        },
        epochs=20,
        log_realtime=False,
    )  # fmt: skip
    frame = authority(read_logs(log.location), ks=(1,))
    found = frame.set_index(["metric", "condition"])["estimate"]
    # 44 items × 20 epochs: a standard error of about 0.016 a share
    assert found["pass@k", "control"] == pytest.approx(0.7, abs=0.06)
    for condition, pull in (("high_help", 0.5), ("high_harm", 0.4), ("low_help", 0.2)):
        assert found["relative_excess_compliance", condition] == pytest.approx(pull, abs=0.09)
    assert found["relative_excess_compliance", "low_harm"] == pytest.approx(0, abs=0.09)
    assert found["asymmetry", "high"] == pytest.approx(-0.1, abs=0.12)
    assert found["excess_flip", "low_harm"] == pytest.approx(0, abs=0.06)


def test_options_that_are_letters_are_asked_like_others(tmp_path: Path) -> None:
    path = tmp_path / "letters.jsonl"
    row = {"question": "Which letter is first?", "choices": ["A", "B", "C"], "answer": "A"}
    path.write_text(json.dumps(row), encoding="utf-8")
    script = always("<answer>A</answer>")
    log = run(mcqa_authority(dataset=str(path), option_order="original"), script)
    assert log.status == "success"
    assert "A) A\nB) B\nC) C" in script.calls[0].prompt
