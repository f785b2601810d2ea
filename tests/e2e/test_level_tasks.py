"""Every level task, through a real eval: what reaches the model, and what comes out."""

import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, EvalSample

from tests.breadth import some_quick
from tests.logs import samples
from tests.models_for_tests import QUIETLY, Script
from tests.spec import expected_prompt

BENCHMARKS = ("ethics", "moralchoice", "morables")
DATA = Path(__file__).parents[2] / "vr_evals" / "data"
VARIABLES = {"ethics": "scenario", "moralchoice": "context", "morables": "fable"}


def run(task: str, script: Script, **parameters: Any) -> EvalLog:
    [log] = inspect_eval(
        f"vr_evals/{task}", model=script.model, task_args=parameters, limit=2, **QUIETLY
    )
    return log


def variables(benchmark: str, sample: EvalSample) -> dict[str, str]:
    """The template variables of a sample, from the shipped file itself."""
    rows = map(json.loads, (DATA / f"{benchmark}.jsonl").read_text(encoding="utf-8").splitlines())
    row = next(row for row in rows if row["id"] == sample.metadata["item"])
    filled = {VARIABLES[benchmark]: row[VARIABLES[benchmark]]}
    if benchmark != "ethics":
        filled |= {f"option_{'abcde'[i]}": o for i, o in enumerate(sample.metadata["options"])}
        file_order = (
            [row["action1"], row["action2"]]
            if benchmark == "moralchoice"
            else [row[f"option_{letter}"] for letter in "abcde"]
        )
        assert sorted(file_order) == sorted(sample.metadata["options"])
    return filled


# the words of every combination are compared in tests/prompts; here each task is asked once, and
# each benchmark in each way
WAYS_TO_ASK = [
    (benchmark, level, thinking, (None, True, False)[(number + level + thinking) % 3])
    for number, benchmark in enumerate(BENCHMARKS)
    for level in range(6)
    for thinking in (False, True)
]


@pytest.mark.parametrize(
    ("benchmark", "level", "thinking", "confidence"),
    # one pass, an initial answer, two passes
    some_quick(WAYS_TO_ASK, lambda way: (way[1], way[2]) in {(0, False), (4, False), (5, True)}),
)
def test_the_prompt_that_reaches_the_model_is_the_documents(
    benchmark: str, level: int, thinking: bool, confidence: bool | None
) -> None:
    answer = "Final answer: wrong" if benchmark == "ethics" else "<answer>A</answer>"
    if confidence is not None:
        answer = "<answer>wrong</answer>" if benchmark == "ethics" else "<answer>A</answer>"
    if confidence:
        answer += "\n<confidence>80</confidence>"
    script = Script(lambda call: answer)
    name = f"{benchmark}_level{level}" + ("_thinking" if thinking else "")
    parameters = {} if confidence is None else {"include_confidence": confidence}
    log = run(name, script, dataset="sample", **parameters)

    found = samples(log)
    assert len(script.calls) == len(found) * (2 if level == 5 else 1)
    asked = {call.prompt for call in script.calls}
    for sample in found:
        filled = variables(benchmark, sample)
        prompts = [expected_prompt(benchmark, level, 1, confidence, filled)]
        if level == 5:
            said = {"previous_response": answer}
            prompts.append(expected_prompt(benchmark, level, 2, confidence, said))
        assert [m.text for m in sample.messages if m.role == "user"] == prompts
        assert set(prompts) <= asked
        assert sample.scores is not None
        expected = {"answer", "answer_format"}
        expected |= {"preference"} if benchmark == "moralchoice" else set()
        expected |= {"confidence"} if confidence else set()
        expected |= {"reflection"} if level in (4, 5) else set()
        assert set(sample.scores) == expected
        assert sample.scores["answer_format"].value == 1
        if confidence:
            assert sample.scores["confidence"].value == 80
        assert sample.metadata["as_run"]["level"] == level

    config = script.calls[0].config
    assert config.max_tokens == (4000 if thinking else 1000)
    assert config.temperature == (None if thinking else 0)
    assert config.stop_seqs is None
    assert log.eval.metadata is not None
    assert log.eval.metadata["thinking"] is thinking
    assert log.eval.metadata["level"] == level
    assert log.eval.metadata["sample_data"] is True
