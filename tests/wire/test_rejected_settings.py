"""A setting that the provider rejected ends in one line; every other error passes as it is."""

from typing import Any

import pytest
from inspect_ai import eval_retry
from inspect_ai.log import read_eval_log

from tests.breadth import first_of_each
from tests.wire.running import run, samples
from tests.wire.server import Answer, Failure, Reply, Wire

CLAUDE, GPT, QWEN = "anthropic/claude-sonnet-4-5", "openai/gpt-5.1", "vllm/Qwen/Qwen3-8B"
NEW, HOUSE = "anthropic/claude-opus-6", "openai-api/service/o3"


def refused(message: str, param: str | None = None, status: int = 400) -> Failure:
    return Failure(status, message, sdk_retries=False, param=param)


# task, model, what the provider says, what it refuses of what was sent, what to try
REJECTIONS: list[tuple[str, str, Failure, str, str]] = [
    (
        "ethics_level0",
        "openai/gpt-4o",
        refused("Unsupported value: does not support 0 with this model.", "temperature"),
        "temperature=0",
        "--temperature",
    ),
    (
        "ethics_level0",
        HOUSE,
        refused("Unsupported parameter: 'temperature' is not supported with this model."),
        "temperature=0",
        "--temperature",
    ),
    (
        "ethics_level0",
        QWEN,
        refused("[{'loc': ['body', 'chat_template_kwargs'], 'msg': 'Extra'}]", status=422),
        'extra_body={"chat_template_kwargs": {"enable_thinking": false}}',
        "-T reasoning=flags",
    ),
    (
        "ethics_level0",
        NEW,
        refused("thinking.type.disabled is not supported for this model."),
        "reasoning_effort=none",
        "-T reasoning=flags",
    ),
    (
        "ethics_level0_thinking",
        CLAUDE,
        refused("thinking.enabled.budget_tokens: Input should be at most 1024"),
        "reasoning_tokens=2000",
        "-T thinking_budget",
    ),
    (
        "ethics_level0_thinking",
        CLAUDE,
        refused("max_tokens: 4000 > 2048, which is the maximum allowed number of output tokens"),
        "max_tokens=4000",
        "--max-tokens",
    ),
    (
        "ethics_level0",
        GPT,
        refused("max_output_tokens is too large: 1000.", "max_output_tokens"),
        "max_tokens=1000",
        "--max-tokens",
    ),
    (
        "ethics_level0",
        GPT,
        refused("Unsupported value: 'none' is not supported.", "reasoning.effort"),
        "reasoning_effort=none",
        "-T reasoning=flags",
    ),
]


@pytest.mark.parametrize(
    ("task", "model", "failure", "setting", "attempt"),
    first_of_each(REJECTIONS, lambda case: case[1].partition("/")[0], 2),
)
def test_a_refused_setting_ends_in_one_line(
    wire: Wire, task: str, model: str, failure: Failure, setting: str, attempt: str
) -> None:
    log = run(wire, task, model, [failure], items=3)
    assert log.status == "error"
    assert log.error is not None
    message = log.error.message
    assert message.startswith(f"{model}: the provider rejected {setting} (")
    assert failure.message in message
    assert f"; try {attempt}" in message or f"; try another {attempt}" in message
    assert "\n" not in message
    assert "Traceback" not in log.error.traceback_ansi
    assert "Request:" not in log.error.traceback
    assert len(wire.calls) == 1


def test_each_sample_has_the_line_where_errors_are_let_pass(wire: Wire) -> None:
    failure = refused("temperature: no", "temperature")
    flags = {"fail_on_error": False}
    log = run(wire, "ethics_level0", "openai/gpt-4o", [failure] * 2, items=2, flags=flags)
    assert log.samples
    for sample in log.samples:
        assert sample.error is not None
        assert sample.error.message.startswith("openai/gpt-4o: the provider rejected temperature=0")


@pytest.mark.parametrize("second_pass", ["conversation", "standalone"])
def test_a_second_pass_too(wire: Wire, second_pass: str) -> None:
    script: list[Answer] = [Reply(), refused("temperature: no", "temperature")]
    log = run(wire, "ethics_level5", "openai/gpt-4o", script, second_pass=second_pass)
    assert log.error is not None
    assert "the provider rejected temperature=0" in log.error.message


def test_the_users_own_flag_is_named(wire: Wire) -> None:
    failure = refused("Unsupported value: 'xhigh'", "reasoning.effort")
    flags = {"reasoning_effort": "xhigh"}
    log = run(wire, "ethics_level0", GPT, [failure], flags=flags, reasoning="flags")
    assert log.error is not None
    assert "the provider rejected reasoning_effort=xhigh" in log.error.message


OTHERS: list[tuple[str, Failure]] = [
    (GPT, refused("Invalid value for store.", "store")),
    (GPT, refused("the temperature here is fine", "store")),
    (CLAUDE, refused("messages.1.content.0.thinking: cannot be modified")),
    (CLAUDE, refused("no such setting")),
    (GPT, refused("temperature, no", "temperature", status=401)),
    (GPT, refused("temperature, no", "temperature", status=404)),
    ("openai/gpt-4o", refused("reasoning is not for you", "reasoning")),
]


@pytest.mark.parametrize(
    ("model", "failure"), first_of_each(OTHERS, lambda case: case[0].partition("/")[0], 2)
)
def test_other_errors_pass_unchanged(wire: Wire, model: str, failure: Failure) -> None:
    log = run(wire, "ethics_level0", model, [failure])
    assert log.error is not None
    assert "the provider rejected" not in log.error.message
    assert failure.message in log.error.message


@pytest.mark.usefixtures("_no_waiting")
def test_a_passing_fault_is_tried_again_whatever_it_says(wire: Wire) -> None:
    faults = [refused("temperature", "temperature", status=429), refused("thinking", status=529)]
    assert samples(run(wire, "ethics_level0", CLAUDE, [*faults, Reply()]))
    assert len(wire.calls) == 3


def test_a_run_that_was_refused_can_be_taken_up(wire: Wire) -> None:
    script: list[Answer] = [Reply(), refused("temperature: no", "temperature")]
    log = run(wire, "ethics_level0", "openai/gpt-4o", script, items=3)
    assert log.status == "error"
    wire.requests.clear()
    options: dict[str, Any] = {"max_samples": 1}
    [again] = eval_retry(read_eval_log(log.location), **options)
    assert len(samples(again)) == 3
    assert len(wire.calls) == 2
