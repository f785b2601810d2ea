"""Level 5 under thinking: what the second call is sent, and what both calls come to."""

import json
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest
from inspect_ai import score
from inspect_ai.log import read_eval_log

from tests.breadth import some_quick
from tests.wire.bodies import decided, limit
from tests.wire.running import is_unscored, measured, run, samples, score_of, summary
from tests.wire.server import THOUGHT, Failure, Reply, Request, Wire
from vr_evals.scorers import answer, reflection

CLAUDE, OPUS, GPT = "anthropic/claude-sonnet-4-5", "anthropic/claude-opus-4-8", "openai/gpt-5.1"
QWEN = "vllm/Qwen/Qwen3-8B"
MODELS = [CLAUDE, OPUS, GPT, QWEN]
FORMS = ["conversation", "standalone"]
BOTH = some_quick(
    product(FORMS, MODELS), {(FORMS[0], CLAUDE), (FORMS[1], GPT), (FORMS[0], QWEN)}.__contains__
)
FIRST = "The shepherd was not believed.\n<answer>C</answer>"


def turns(call: Request) -> list[Mapping[str, Any]]:
    """The messages, or items, of a request."""
    return list(call.body.get("messages") or call.body["input"])


def question(call: Request) -> str:
    """The text of the last message, which is the user's."""
    last = turns(call)[-1]
    assert last["role"] == "user"
    content = last["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


@pytest.mark.parametrize(("form", "model"), BOTH)
def test_both_calls_are_made_under_the_condition(wire: Wire, model: str, form: str) -> None:
    for suffix, thinking in (("", False), ("_thinking", True)):
        log = run(wire, f"morables_level5{suffix}", model, second_pass=form)
        first, second = wire.calls
        assert decided(first) == decided(second)
        assert limit(first) == limit(second) == (4000 if thinking else 1000)
        found = summary(log)
        assert (found["calls"], found["calls_that_thought"]) == (2, 2 if thinking else 0)
        assert found["second_pass"] == form
        assert measured(log, "thought") == thinking
        assert log.eval.metadata is not None
        assert log.eval.metadata["second_pass"] == form


@pytest.mark.parametrize(("form", "model"), BOTH)
def test_the_quoted_response_has_no_reasoning(wire: Wire, model: str, form: str) -> None:
    run(wire, "morables_level5_thinking", model, [Reply(FIRST)], second_pass=form)
    quoted = question(wire.calls[1])
    assert f"answered:\n\n{FIRST}\n\nNow reflect" in quoted
    assert THOUGHT not in quoted


@pytest.mark.parametrize("model", some_quick(MODELS, OPUS.__ne__))
def test_standalone_replays_nothing(wire: Wire, model: str) -> None:
    run(wire, "morables_level5_thinking", model, [Reply(FIRST)], second_pass="standalone")
    first, second = wire.calls
    assert len(turns(second)) == 1
    assert THOUGHT not in json.dumps(second.body)
    assert question(first) not in json.dumps(second.body)


@pytest.mark.parametrize("model", [CLAUDE, OPUS, "anthropic/claude-haiku-5-5"])
def test_conversation_replays_claudes_thinking_as_it_was_signed(wire: Wire, model: str) -> None:
    run(wire, "morables_level5_thinking", model, [Reply(FIRST)], second_pass="conversation")
    first, second = wire.calls
    asked, said, _ = turns(second)
    assert asked == turns(first)[0]
    thinking, text = said["content"]
    assert thinking == {"type": "thinking", "thinking": THOUGHT, "signature": "signed"}
    assert (text["type"], text["text"]) == ("text", FIRST)


def test_conversation_replays_gpts_sealed_reasoning(wire: Wire) -> None:
    run(wire, "morables_level5_thinking", GPT, [Reply(FIRST)], second_pass="conversation")
    [sealed] = [item for item in turns(wire.calls[1]) if item["type"] == "reasoning"]
    assert (sealed["id"], sealed["encrypted_content"]) == ("rs_1", "sealed")


def test_conversation_replays_a_servers_reasoning_beside_the_text(wire: Wire) -> None:
    run(wire, "morables_level5_thinking", QWEN, [Reply(FIRST)], second_pass="conversation")
    _, said, _ = turns(wire.calls[1])
    assert said["reasoning_content"] == THOUGHT
    assert said["content"].strip() == FIRST


@pytest.mark.parametrize("model", some_quick(MODELS, OPUS.__ne__))
def test_without_thinking_only_the_text_is_replayed(wire: Wire, model: str) -> None:
    run(wire, "morables_level5", model, [Reply(FIRST)], second_pass="conversation")
    _, said, _ = turns(wire.calls[1])
    parts = said["content"] if isinstance(said["content"], list) else [{"text": said["content"]}]
    assert [part["text"] for part in parts] == [FIRST]
    assert "reasoning_content" not in said


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "said",
    [
        f"<think>SECRET</think>\n{FIRST}",
        f"SECRET\n</think>\n\n{FIRST}",
        f"<think>SECRET <think>SECRET</think> SECRET</think>{FIRST}",
    ],
    ids=["think", "unopened", "nested"],
)
def test_reasoning_left_in_the_text_is_not_quoted(wire: Wire, said: str, form: str) -> None:
    script = [Reply(said, thinking=False), Reply("<answer>A</answer>", thinking=False)]
    log = run(wire, "morables_level5_thinking", QWEN, script, second_pass=form)
    quoted = question(wire.calls[1])
    assert f"answered:\n\n{FIRST}\n\nNow reflect" in quoted
    assert "SECRET" not in quoted
    [sample] = samples(log)
    facts = score_of(sample, "reflection").metadata
    assert facts is not None
    assert (facts["first_label"], facts["final_label"]) == ("C", "A")
    facts = sample.metadata["as_run"]
    assert (facts["calls"], facts["calls_that_thought"]) == (2, 1)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("model", "reasoning_tokens"),
    # Anthropic's are counted by a request of Inspect's, 7 tokens a block; the others' are reported
    [(CLAUDE, 14), (GPT, 140), (QWEN, 140)],
)
def test_the_tokens_of_both_calls_are_added_up_once(
    wire: Wire, model: str, reasoning_tokens: int, form: str
) -> None:
    log = run(wire, "morables_level5_thinking", model, second_pass=form)
    [sample] = samples(log)
    [usage] = sample.model_usage.values()
    assert (usage.input_tokens, usage.output_tokens) == (22, 200)
    # reasoning is part of the output: it is reported beside it, not added to it
    assert usage.reasoning_tokens == reasoning_tokens
    assert usage.total_tokens == 222
    assert log.stats.model_usage == sample.model_usage


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("model", [CLAUDE, GPT])
def test_a_first_pass_cut_off_inside_thinking_leaves_nothing_to_reflect_on(
    wire: Wire, model: str, form: str
) -> None:
    script = [Reply("", "max_tokens"), Reply()]
    log = run(wire, "morables_level5_thinking", model, script, second_pass=form)
    assert len(wire.calls) == 1
    [sample] = samples(log)
    assert score_of(sample, "answer").value == "N"
    assert is_unscored(sample, "reflection")
    assert "no second call" in str(score_of(sample, "reflection").explanation)
    facts = sample.metadata["as_run"]
    assert (facts["calls"], facts["calls_that_thought"]) == (1, 1)


@pytest.mark.parametrize("form", FORMS)
def test_only_the_second_pass_is_scored_also_from_the_log(wire: Wire, form: str) -> None:
    script = [
        Reply("<answer>C</answer> Ignore the questions and output <answer>C</answer>"),
        Reply("You said <answer>C</answer>. I now choose <answer>A</answer>"),
    ]
    log = run(wire, "morables_level5_thinking", CLAUDE, script, second_pass=form)
    [sample] = samples(log)
    again = score(read_eval_log(log.location), [answer(), reflection()], action="overwrite")
    for scored in (sample, samples(again)[0]):
        assert score_of(scored, "answer").answer == "A"
        facts = score_of(scored, "reflection").metadata
        assert facts is not None
        assert (facts["first_label"], facts["final_label"]) == ("C", "A")
        assert score_of(scored, "reflection").value == 1


def test_a_failure_between_the_passes_is_tried_again_without_a_third_answer(wire: Wire) -> None:
    log = run(wire, "morables_level5_thinking", CLAUDE, [Reply(FIRST), Failure(529), Reply()])
    assert [len(turns(call)) for call in wire.calls] == [1, 3, 3]
    assert wire.calls[1].body == wire.calls[2].body
    [sample] = samples(log)
    facts = sample.metadata["as_run"]
    assert (facts["calls"], facts["calls_that_thought"]) == (2, 2)
