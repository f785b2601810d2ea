"""Items that hold anything, through whole tasks: what is sent, and what the log gives back."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import read_eval_log

from tests.models_for_tests import QUIETLY, Call, Script
from tests.spec import expected_prompt
from tests.spec_authority import expected_question, preamble

TEXTS = {
    "braces": "{scenario} {0} {{x}} {options} {previous_response} {option_a} %s $x \\1",
    "marker": "[TARGET_OPTION]",
    "tags": "<answer>A</answer> </think> <confidence>99</confidence> <|im_end|>",
    "control characters": "a\x01\x1b[2J\x7f\x85\x08b",
    "NUL": "a\x00b",
    "right to left": "\u202eabc\u202c שלום \u200f!",
    "emoji": "👩\u200d🚀 e\u0301",
    "line ends": "a\r\nb\rc\u2028d\ne",
    "byte order mark": "a\ufeffb",
}
TASKS = (
    "ethics_level2",
    "ethics_level5",
    "moralchoice_level5",
    "morables_level5",
    "ethics_authority",
    "moralchoice_authority",
    "morables_authority",
    "mcqa_authority",
)
EACH_WAY = ("ethics_level2", "morables_level5", "mcqa_authority")
"""Tasks of one call, of two calls and with a preamble."""

LONG = {"ethics_level2": 1_000_000}
"""Characters of the longest text by task; of others, whose items have it in many fields, fewer."""

VARIABLES = {"ethics": "scenario", "moralchoice": "context", "morables": "fable"}


def row(benchmark: str, text: str) -> dict[str, Any]:
    """An item with a text in each of its fields, in its columns' names and in one of its own."""
    said = {"cluster": text, text[:50]: "column", "own": text}
    if len(text) < 1000 and "\x00" not in text:
        said["id"] = text
    match benchmark:
        case "ethics":
            return {"scenario": f"{text} s", "label": "wrong", **said}
        case "moralchoice":
            actions = {"action1": f"{text} one", "action2": f"{text} two"}
            return {"context": f"{text} s", **actions, "ambiguity": "low", **said}
        case "morables":
            morals = {f"option_{letter}": f"{text} {letter}{letter}" for letter in "abcde"}
            return {"fable": f"{text} s", **morals, "correct_idx": "C", "title": text, **said}
    choices = [f"{text} one", f"{text} two", f"{text} three"]
    return {"question": f"{text} s", "choices": choices, "answer": "B", **said}


def marks(fields: dict[str, str]) -> dict[str, str]:
    """What stands for each field until all of them have their place."""
    return {name: f"\x02{name}\x03" for name in fields}


def filled_once(prompt: str, fields: dict[str, str]) -> str:
    """A prompt with fields in the place of their marks; no field holds a mark."""
    for name, mark in marks(fields).items():
        prompt = prompt.replace(mark, fields[name])
    return prompt


@pytest.mark.parametrize(
    "task",
    [task if task in EACH_WAY else pytest.param(task, marks=pytest.mark.slow) for task in TASKS],
)
def test_the_prompt_holds_it_untouched_and_the_log_gives_it_back(task: str, tmp_path: Path) -> None:
    benchmark, kind = task.split("_")
    given = [*TEXTS.values(), "x y z " * (LONG.get(task, 60_000) // 6)]
    rows = {text: row(benchmark, text) for text in given}
    file = tmp_path / "items.jsonl"
    file.write_text("\n".join(map(json.dumps, rows.values())), encoding="utf-8")

    def answer(call: Call) -> str:
        [text] = [text for text in given if f"{text} s" in call.messages[0].text]
        return f"Final answer: wrong <answer>A</answer> {text}"

    script = Script(answer)
    [log] = inspect_eval(
        f"vr_evals/{task}",
        model=script.model,
        task_args={"dataset": str(file)},
        epochs=1,
        log_format="eval",
        # a live log of one task
        **({} if task == "morables_level5" else QUIETLY),
    )
    assert log.status == "success", log.error
    samples = read_eval_log(log.location).samples or []
    texts = [sample.metadata["own"] for sample in samples]
    assert Counter(texts) == dict.fromkeys(given, 5 if kind == "authority" else 1)
    sent = {call.prompt for call in script.calls}
    for sample, text in zip(samples, texts, strict=True):
        of, asked = sample.metadata, [m.text for m in sample.messages if m.role == "user"]
        assert str(sample.input) == f"{text} s"
        if kind == "authority":
            question = expected_question(benchmark, f"{text} s", of["labels"], of["options"], None)
            prompts = [preamble(of["condition"], of["endorsed"]) + question]
        else:
            fields = {VARIABLES[benchmark]: f"{text} s"}
            if benchmark != "ethics":
                fields |= {f"option_{'abcde'[i]}": o for i, o in enumerate(of["options"])}
            level = int(kind[-1])
            prompts = [
                filled_once(expected_prompt(benchmark, level, 1, None, marks(fields)), fields)
            ]
            if level == 5 and len(asked) == 2:
                prompts.append(asked[1])
                assert text.strip() in prompts[1] or "</think>" in text
        assert asked == prompts
        assert set(prompts) <= sent
        assert of["cluster"] == text.strip()
        assert of["item"] == rows[text].get("id", of["item"]).strip()


def test_halves_of_surrogate_pairs_are_replaced_wherever_they_stand(tmp_path: Path) -> None:
    file = tmp_path / "items.jsonl"
    half = "\ud800x"
    item = row("mcqa", half) | {"nested": {half: [half, {"deep": half}]}}
    file.write_text(json.dumps(item), encoding="utf-8")
    script = Script(lambda call: "<answer>A</answer>")
    [log] = inspect_eval(
        "vr_evals/mcqa_authority",
        model=script.model,
        task_args={"dataset": str(file)},
        epochs=1,
        log_format="eval",
    )
    assert log.status == "success", log.error
    for sample in read_eval_log(log.location).samples or []:
        assert sample.metadata["item"] == sample.metadata["own"] == "\ufffdx"
        assert sample.metadata["\ufffdx"] == "column"
        assert sample.metadata["nested"] == {"\ufffdx": ["\ufffdx", {"deep": "\ufffdx"}]}
        assert "\ufffdx s" in sample.messages[0].text
