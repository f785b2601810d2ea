"""What becomes of a sample when a reply ends badly, or does not come at all."""

from itertools import groupby
from statistics import mean
from typing import Any, Literal

import pytest
from inspect_ai import eval_retry, score
from inspect_ai.log import EvalLog, EvalSample, read_eval_log

from tests.breadth import some_quick
from tests.logs import estimates
from tests.wire.running import is_unscored, measured, run, samples, score_of
from tests.wire.server import DROPPED, Answer, Failure, Reply, Wire
from vr_evals.analysis import descriptives
from vr_evals.scorers import answer_format

CLAUDE, GPT, QWEN = "anthropic/claude-sonnet-4-5", "openai/gpt-5.1", "vllm/Qwen/Qwen3-8B"
MODELS = [CLAUDE, GPT, QWEN]
ENDS: tuple[Literal["max_tokens", "end"], ...] = ("max_tokens", "end")


def read_as(log: EvalLog) -> tuple[Any, str | None, str | None]:
    """The first sample's value, label and ``answer_format``."""
    return all_read_as(log)[0]


def as_asked(log: EvalLog) -> list[EvalSample]:
    """The samples in the order in which they were asked, one at a time."""
    return sorted(samples(log), key=lambda sample: sample.events[0].timestamp)


def all_read_as(log: EvalLog) -> list[tuple[Any, str | None, str | None]]:
    """Each sample's value, label and ``answer_format``, in the order in which they were asked."""
    return [
        (found.value, found.answer, score_of(sample, "answer_format").answer)
        for sample in as_asked(log)
        for found in [score_of(sample, "answer")]
    ]


@pytest.mark.parametrize("model", MODELS)
def test_cut_off_inside_thinking_is_truncated_and_not_wrong(wire: Wire, model: str) -> None:
    log = run(wire, "morables_level0_thinking", model, [Reply("", "max_tokens")])
    assert read_as(log) == ("N", None, "truncated")
    facts = score_of(samples(log)[0], "answer_format").metadata
    assert facts is not None
    assert facts["cut_off"] is True
    assert facts["calls_that_thought"] == 1
    assert estimates(log, descriptives)["truncated"] == 1


@pytest.mark.parametrize("model", MODELS)
def test_a_plain_empty_reply_is_empty(wire: Wire, model: str) -> None:
    script = [Reply("", thinking=thinking) for thinking in (False, True)]
    log = run(wire, "morables_level0_thinking", model, script, items=2)
    assert all_read_as(log) == [("N", None, "empty")] * 2


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


@pytest.mark.parametrize(
    "model", some_quick([*MODELS, "openai-api/service/gpt-4o"], {CLAUDE, GPT}.__contains__)
)
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


@pytest.mark.parametrize(
    "model", some_quick([*MODELS, "openai-api/service/house-model"], {CLAUDE, QWEN}.__contains__)
)
def test_an_answer_is_never_read_from_reasoning(wire: Wire, model: str) -> None:
    script = list(LEAKS.values())
    log = run(wire, "morables_level0_thinking", model, script, items=len(LEAKS))
    found = dict(zip(LEAKS, all_read_as(log), strict=True))
    assert {name: read[1:] for name, read in found.items()} == dict.fromkeys(LEAKS, ("A", "tag"))


@pytest.mark.parametrize("model", ["openai-api/service/house-model", QWEN])
def test_reasoning_alone_is_no_answer(wire: Wire, model: str) -> None:
    never_closed = "<think>Maybe <answer>B</answer>, but then"
    nothing_else = "<think>So <answer>B</answer></think>"
    expected = {
        Reply(said, stop, thinking=False): ("N", None, "empty" if stop == "end" else "truncated")
        for said in (never_closed, nothing_else)
        for stop in ENDS
    }
    log = run(wire, "morables_level0_thinking", model, expected, items=len(expected))
    assert all_read_as(log) == list(expected.values())


def test_an_answer_at_the_end_of_reasoning_counts_if_the_reply_ended_by_itself(wire: Wire) -> None:
    replies = [Reply("<think>So <answer>B</answer>", stop, thinking=False) for stop in ENDS]
    log = run(wire, "morables_level0_thinking", QWEN, replies, items=len(replies))
    # which option is B differs between items
    cut, ended = all_read_as(log)
    assert cut == ("N", None, "truncated")
    assert ended[1:] == ("B", "tag")


@pytest.mark.parametrize(
    ("model", "replies"),
    [
        # thinking of which the API gives a summary (OpenAI), or signed text (Anthropic)
        (GPT, {Reply(thinking=True): 1}),
        (CLAUDE, {Reply(thinking=True): 1}),
        (
            QWEN,
            {
                Reply(thinking=True): 1,
                Reply("<think>So.</think><answer>A</answer>", thinking=False): 1,
                Reply("So.</think><answer>A</answer>", thinking=False): 1,
                Reply("<think></think><answer>A</answer>", thinking=False): 0,
                Reply("<answer>A</answer>", thinking=False): 0,
            },
        ),
    ],
)
def test_thinking_is_seen_wherever_it_stands(
    wire: Wire, model: str, replies: dict[Reply, int]
) -> None:
    log = run(wire, "morables_level0_thinking", model, replies, items=len(replies))
    seen = [sample.metadata["as_run"]["calls_that_thought"] for sample in as_asked(log)]
    assert seen == list(replies.values())
    assert measured(log, "thought") == pytest.approx(mean(seen))


FAULTS: list[list[Answer]] = [
    [Failure(429)],
    [Failure(529)],
    [Failure(429, sdk_retries=False), Failure(529, sdk_retries=False)],
    [DROPPED],
]


@pytest.mark.parametrize("model", some_quick(MODELS, CLAUDE.__eq__))
@pytest.mark.usefixtures("_no_waiting")
def test_passing_faults_end_in_one_sample_each(wire: Wire, model: str) -> None:
    script = [answer for faults in FAULTS for answer in (*faults, Reply())]
    log = run(wire, "morables_level0_thinking", model, script, items=len(FAULTS))
    assert len(samples(log)) == len(FAULTS)
    for sample in samples(log):
        assert sample.error is None
        assert not sample.error_retries
        assert sample.metadata["as_run"]["calls"] == 1
        [usage] = sample.model_usage.values()
        assert usage.output_tokens == 100
    assert [read[1:] for read in all_read_as(log)] == [("A", "tag")] * len(FAULTS)
    # each is asked anew in the same words
    asked = [str(call.body) for call in wire.calls]
    assert [len(list(same)) for _, same in groupby(asked)] == [len(f) + 1 for f in FAULTS]


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
