"""What becomes of a sample when a reply ends badly, or does not come at all."""

from typing import Any

import pytest
from inspect_ai import eval_retry, score
from inspect_ai.log import EvalLog, read_eval_log

from tests.wire.running import is_unscored, measured, run, samples, score_of
from tests.wire.server import DROPPED, Answer, Failure, Reply, Wire
from vr_evals.scorers import answer_format

CLAUDE, GPT, QWEN = "anthropic/claude-sonnet-4-5", "openai/gpt-5.1", "vllm/Qwen/Qwen3-8B"
MODELS = [CLAUDE, GPT, QWEN]


def read_as(log: EvalLog) -> tuple[Any, str | None, str | None]:
    """The first sample's value, label and ``answer_format``."""
    [sample, *_] = samples(log)
    found = score_of(sample, "answer")
    return found.value, found.answer, score_of(sample, "answer_format").answer


@pytest.mark.parametrize("model", MODELS)
def test_cut_off_inside_thinking_is_truncated_and_not_wrong(wire: Wire, model: str) -> None:
    log = run(wire, "morables_level0_thinking", model, [Reply("", "max_tokens")])
    assert read_as(log) == ("N", None, "truncated")
    facts = score_of(samples(log)[0], "answer_format").metadata
    assert facts is not None
    assert facts["cut_off"] is True
    assert facts["calls_that_thought"] == 1
    assert measured(log, "truncated") == measured(log, "N") == 1
    assert measured(log, "I") == 0


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("thinking", [False, True])
def test_a_plain_empty_reply_is_empty(wire: Wire, model: str, thinking: bool) -> None:
    log = run(wire, "morables_level0_thinking", model, [Reply("", thinking=thinking)])
    assert read_as(log) == ("N", None, "empty")


@pytest.mark.parametrize("model", MODELS)
def test_cut_off_inside_the_confidence_keeps_the_answer(wire: Wire, model: str) -> None:
    script = [Reply("<answer>A</answer>\n<confid", "max_tokens")]
    log = run(wire, "morables_level0", model, script, include_confidence=True)
    [sample] = samples(log)
    assert read_as(log)[1:] == ("A", "tag")
    facts = score_of(sample, "answer_format").metadata
    assert facts is not None
    assert facts["cut_off"] is True
    assert is_unscored(sample, "confidence")


@pytest.mark.parametrize("model", [*MODELS, "openai-api/service/gpt-4o"])
def test_a_refusal_is_refused_also_when_scored_again(wire: Wire, model: str) -> None:
    log = run(wire, "morables_level0", model, [Reply("Not this one.", "refusal")])
    assert read_as(log) == ("N", None, "refused")
    facts = score_of(samples(log)[0], "answer_format").metadata
    assert facts is not None
    assert facts["stop_reason"] == "content_filter"
    again = score(read_eval_log(log.location), answer_format(), action="overwrite")
    assert score_of(samples(again)[0], "answer_format").answer == "refused"


@pytest.mark.parametrize("model", [CLAUDE, GPT])
def test_a_refused_first_pass_is_reflected_on_and_recorded(wire: Wire, model: str) -> None:
    log = run(wire, "morables_level5", model, [Reply("Not this one.", "refusal"), Reply()])
    assert len(wire.calls) == 2
    assert read_as(log)[1:] == ("A", "tag")
    facts = score_of(samples(log)[0], "reflection").metadata
    assert facts is not None
    assert facts["first_stop_reason"] == "content_filter"
    assert facts["first_read_as"] == "refused"


LEAKS = {
    "summary or content of the API": Reply("<answer>A</answer>", thinking=True),
    "think": Reply("<think>So <answer>B</answer></think>\n<answer>A</answer>", thinking=False),
    "unopened": Reply("So <answer>B</answer>\n</think>\n\n<answer>A</answer>", thinking=False),
    "nested": Reply(
        "<think>So <think>or</think> <answer>B</answer></think> <answer>A</answer>", thinking=False
    ),
    "channels": Reply(
        "<|channel|>analysis<|message|><answer>B</answer><|end|><|start|>assistant"
        "<|channel|>final<|message|><answer>A</answer>",
        thinking=False,
    ),
}


@pytest.mark.parametrize("model", [*MODELS, "openai-api/service/house-model"])
@pytest.mark.parametrize("reply", LEAKS.values(), ids=LEAKS)
def test_an_answer_is_never_read_from_reasoning(wire: Wire, model: str, reply: Reply) -> None:
    log = run(wire, "morables_level0_thinking", model, [reply])
    assert read_as(log)[1:] == ("A", "tag")


@pytest.mark.parametrize("model", ["openai-api/service/house-model", QWEN])
@pytest.mark.parametrize(
    "said",
    ["<think>Maybe <answer>B</answer>, but then", "<think>So <answer>B</answer></think>"],
    ids=["never closed", "nothing else"],
)
@pytest.mark.parametrize(("stop", "expected"), [("max_tokens", "truncated"), ("end", "empty")])
def test_reasoning_alone_is_no_answer(
    wire: Wire, model: str, said: str, stop: Any, expected: str
) -> None:
    log = run(wire, "morables_level0_thinking", model, [Reply(said, stop, thinking=False)])
    assert read_as(log) == ("N", None, expected)


@pytest.mark.parametrize(
    ("stop", "expected"), [("end", ("I", "B", "tag")), ("max_tokens", ("N", None, "truncated"))]
)
def test_an_answer_at_the_end_of_reasoning_counts_if_the_reply_ended_by_itself(
    wire: Wire, stop: Any, expected: tuple[str, str | None, str]
) -> None:
    reply = Reply("<think>So <answer>B</answer>", stop, thinking=False)
    assert read_as(run(wire, "morables_level0_thinking", QWEN, [reply])) == expected


@pytest.mark.parametrize(
    ("model", "reply", "seen"),
    [
        # thinking of which the API gives a summary (OpenAI), or signed text (Anthropic)
        (GPT, Reply(thinking=True), 1),
        (CLAUDE, Reply(thinking=True), 1),
        (QWEN, Reply(thinking=True), 1),
        (QWEN, Reply("<think>So.</think><answer>A</answer>", thinking=False), 1),
        (QWEN, Reply("So.</think><answer>A</answer>", thinking=False), 1),
        (QWEN, Reply("<think></think><answer>A</answer>", thinking=False), 0),
        (QWEN, Reply("<answer>A</answer>", thinking=False), 0),
    ],
)
def test_thinking_is_seen_wherever_it_stands(
    wire: Wire, model: str, reply: Reply, seen: int
) -> None:
    log = run(wire, "morables_level0_thinking", model, [reply])
    assert measured(log, "thinking_observed") == seen


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    "faults",
    [
        [Failure(429)],
        [Failure(529)],
        [Failure(429, sdk_retries=False), Failure(529, sdk_retries=False)],
        [DROPPED],
    ],
    ids=["429", "529", "429 and 529 by Inspect", "dropped"],
)
@pytest.mark.usefixtures("_no_waiting")
def test_passing_faults_end_in_one_sample(wire: Wire, model: str, faults: list[Answer]) -> None:
    log = run(wire, "morables_level0_thinking", model, [*faults, Reply()])
    [sample] = samples(log)
    assert sample.error is None
    assert not sample.error_retries
    assert read_as(log)[1:] == ("A", "tag")
    assert len(wire.calls) == len(faults) + 1
    assert len({str(call.body) for call in wire.calls}) == 1
    assert sample.metadata["as_run"]["calls"] == 1
    [usage] = sample.model_usage.values()
    assert usage.output_tokens == 100


HARD = Failure(400, "no such setting", sdk_retries=False)


@pytest.mark.parametrize("model", MODELS)
def test_a_hard_error_loses_no_finished_sample(wire: Wire, model: str) -> None:
    script: list[Answer] = [Reply(), HARD, Reply()]
    log = run(wire, "morables_level0", model, script, items=3, flags={"fail_on_error": False})
    errors = [sample.error.message for sample in samples(log) if sample.error]
    finished = [sample for sample in samples(log) if not sample.error]
    assert len(wire.calls) == 3
    assert len(errors) == 1
    assert "no such setting" in errors[0]
    assert [score_of(sample, "answer").answer for sample in finished] == ["A", "A"]
    assert log.results is not None
    assert log.results.completed_samples == 2


@pytest.mark.parametrize("model", [CLAUDE, GPT])
def test_a_hard_error_that_ends_the_run_leaves_a_log_to_go_on_from(wire: Wire, model: str) -> None:
    script: list[Answer] = [Reply(), HARD]
    log = run(wire, "morables_level0", model, script, items=3)
    assert log.status == "error"
    assert log.error is not None
    assert "no such setting" in log.error.message
    kept = read_eval_log(log.location)
    assert kept.samples
    [finished] = [sample for sample in kept.samples if sample.error is None]
    assert score_of(finished, "answer").answer == "A"

    wire.requests.clear()
    [again] = eval_retry(kept, max_samples=1)
    assert len(samples(again)) == 3
    assert len(wire.calls) == 2
    assert finished.uuid in {sample.uuid for sample in samples(again)}


@pytest.mark.parametrize("task", ["morables_level0", "morables_level5"])
def test_a_limit_before_the_first_reply_is_scored_as_empty(wire: Wire, task: str) -> None:
    flags = {"message_limit": 1}
    log = run(wire, task, GPT, flags=flags, include_confidence=True)
    assert not wire.calls
    assert read_as(log) == ("N", None, "empty")
    assert is_unscored(samples(log)[0], "confidence")
