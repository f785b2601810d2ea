"""Our tasks, run by Inspect with the real client packages: what is sent, and what the log says."""

from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.event import InfoEvent

from tests.breadth import some_quick
from tests.models_for_tests import QUIETLY, Script
from tests.wire.bodies import (
    ADAPTIVE,
    BETWEEN_TOOLS,
    BOUND,
    BUDGET,
    COLD,
    DISABLED,
    NOTHING,
    Sent,
    decided,
    effort,
    limit,
    template,
)
from tests.wire.conftest import Told
from tests.wire.running import as_run, measured, run, samples, summary
from tests.wire.server import Reply, Wire
from vr_evals.tasks.ethics import ethics_level0, ethics_level0_thinking

CLAUDE, GPT, QWEN = "anthropic/claude-sonnet-4-5", "openai/gpt-5.1", "vllm/Qwen/Qwen3-8B"


# model, off, on, status of the budget, and of temperature 0
CASES: list[tuple[str, Sent, Sent, str, str]] = [
    ("anthropic/claude-3-7-sonnet-latest", NOTHING, BUDGET, "honoured", "impossible"),
    (CLAUDE, NOTHING, BUDGET, "honoured", "impossible"),
    ("anthropic/claude-opus-4-8", DISABLED, ADAPTIVE, "approximated", "impossible"),
    ("anthropic/claude-sonnet-5-5", BETWEEN_TOOLS, BOUND, "approximated", "impossible"),
    (GPT, {**effort("none"), **COLD}, effort("low"), "approximated", "honoured"),
    ("openai/gpt-5.5", {**effort("none"), **COLD}, effort("low"), "approximated", "honoured"),
    (QWEN, {**template(False), **COLD}, template(True), "impossible", "honoured"),
]


@pytest.mark.parametrize(
    ("model", "off", "on", "budget", "cold"),
    some_quick(CASES, lambda case: case[0] in {CLAUDE, GPT, QWEN}),
    ids=[case[0] for case in CASES],
)
def test_each_condition_reaches_the_wire_and_the_log(
    wire: Wire,
    told: Told,
    model: str,
    off: Sent,
    on: Sent,
    budget: str,
    cold: str,
) -> None:
    for thinking, expected, suffix in ((False, off, ""), (True, on, "_thinking")):
        log = run(wire, f"ethics_level2{suffix}", model, items=3)
        assert len(samples(log)) == len(wire.calls) == 3
        for call in wire.calls:
            assert decided(call) == expected
            assert limit(call) == (4000 if thinking else 1000)
            assert not {"stop", "stop_sequences"} & call.body.keys()
        assert (
            summary(log).items()
            >= {
                "thinking_asked": thinking,
                "thinking_status": "honoured",
                "budget_status": budget if thinking else "not asked",
                "temperature_status": "honoured" if thinking else cold,
                "max_tokens_status": "honoured",
                "calls": 1,
                "calls_that_thought": int(thinking),
            }.items()
        )
        assert measured(log, "thought") == thinking
        assert log.eval.metadata is not None
        assert log.eval.metadata["thinking"] is thinking
        assert log.eval.metadata["thinking_budget"] == (2000 if thinking else 0)
        assert log.plan.config.temperature == (None if thinking else 0)
        assert log.plan.config.max_tokens == (4000 if thinking else 1000)
    assert not told()


@pytest.mark.parametrize(
    ("task", "model", "flags", "temperature", "max_tokens"),
    [
        ("ethics_level0", GPT, {"temperature": 0.7, "max_tokens": 300}, 0.7, 300),
        ("ethics_level0", QWEN, {"temperature": 0.7}, 0.7, 1000),
        ("ethics_level0", CLAUDE, {"max_tokens": 300}, None, 300),
        ("ethics_level5_thinking", QWEN, {"temperature": 0.6}, 0.6, 4000),
        ("ethics_level5_thinking", QWEN, {"max_tokens": 9000}, None, 9000),
        ("ethics_level0_thinking", CLAUDE, {"max_tokens": 2001}, None, 2001),
    ],
)
def test_the_users_temperature_and_max_tokens_win(
    wire: Wire,
    task: str,
    model: str,
    flags: dict[str, Any],
    temperature: float | None,
    max_tokens: int,
) -> None:
    for second_pass in ("conversation", "standalone") if "level5" in task else (None,):
        form: dict[str, Any] = {"second_pass": second_pass} if second_pass else {}
        log = run(wire, task, model, flags=flags, **form)
        assert len(wire.calls) == (2 if second_pass else 1)
        assert samples(log)
        for call in wire.calls:
            assert decided(call).get("temperature") == temperature
            assert limit(call) == max_tokens


@pytest.mark.parametrize("reasoning", ["condition", "flags"])
def test_a_temperature_that_is_not_sent_is_no_honoured_one(wire: Wire, reasoning: str) -> None:
    flags = {"temperature": 0.7}
    log = run(wire, "ethics_level0_thinking", GPT, flags=flags, reasoning=reasoning)
    assert summary(log)["temperature_status"] == "impossible"


@pytest.mark.parametrize(
    ("task", "model", "flags", "expected"),
    [
        ("ethics_level0", CLAUDE, {"reasoning_tokens": 3000}, NOTHING),
        ("ethics_level0", GPT, {"reasoning_effort": "high"}, {**effort("none"), **COLD}),
        ("ethics_level0_thinking", CLAUDE, {"reasoning_tokens": 3000}, BUDGET),
        ("ethics_level0_thinking", GPT, {"reasoning_effort": "high"}, effort("low")),
    ],
)
def test_the_condition_is_sent_and_a_differing_flag_is_told(
    wire: Wire,
    told: Told,
    task: str,
    model: str,
    flags: dict[str, Any],
    expected: Sent,
) -> None:
    run(wire, task, model, flags=flags)
    assert [decided(call) for call in wire.calls] == [expected]
    [message] = told()
    assert message.startswith(f"vr_evals/{task} on {model}: --reasoning-")
    assert "ignored: the thinking condition sets" in message
    assert "use -T reasoning=flags" in message


@pytest.mark.parametrize(
    ("task", "model", "flags", "expected"),
    [
        (
            "ethics_level0_thinking",
            CLAUDE,
            {"reasoning_tokens": 3000},
            {"thinking": {**BUDGET["thinking"], "budget_tokens": 3000}},
        ),
        ("ethics_level0_thinking", GPT, {"reasoning_effort": "high"}, effort("high")),
        ("ethics_level0", GPT, {}, {"reasoning": {"summary": "auto"}, **COLD}),
        # what the condition could not have on this model, the user may ask for
        ("ethics_level0", "openai/gpt-5", {"reasoning_effort": "minimal"}, effort("minimal")),
    ],
)
def test_with_reasoning_flags_the_users_flags_decide(
    wire: Wire,
    told: Told,
    task: str,
    model: str,
    flags: dict[str, Any],
    expected: Sent,
) -> None:
    log = run(wire, task, model, flags=flags, reasoning="flags")
    assert [decided(call) for call in wire.calls] == [expected]
    found = summary(log)
    assert found["thinking_status"] == "approximated"
    assert "the user's own flags decide" in as_run(log)["thinking_note"]
    assert found["reasoning"] == "flags"
    assert not [message for message in told() if "ignored: the thinking condition sets" in message]


def test_conditions_and_models_side_by_side_do_not_mix(wire: Wire) -> None:
    tasks = [make(dataset="sample", items=4) for make in (ethics_level0, ethics_level0_thinking)]
    logs = inspect_eval(
        tasks,
        model=[wire.model(CLAUDE), wire.model(GPT)],
        max_tasks=4,
        reasoning_tokens=3000,
        **QUIETLY,
    )
    assert len(wire.calls) == 16
    for call in wire.calls:
        model, thinking = call.body["model"], limit(call) == 4000
        if model == "gpt-5.1":
            assert decided(call) == (effort("low") if thinking else {**effort("none"), **COLD})
        else:
            assert decided(call) == (BUDGET if thinking else NOTHING)
    for log in logs:
        assert log.eval.metadata is not None
        assert summary(log)["thinking_asked"] is log.eval.metadata["thinking"]
        assert as_run(log)["thinking_family"] == (
            "GPT-5.1 to 5.4" if log.eval.model == GPT else "Claude 4.0 to 4.5"
        )


def test_a_budget_of_ones_own_is_sent(wire: Wire) -> None:
    run(wire, "ethics_level0_thinking", CLAUDE, thinking_budget=1024)
    assert wire.calls[0].body["thinking"]["budget_tokens"] == 1024


@pytest.mark.parametrize(
    ("task", "thinks", "observed", "warning"),
    [
        ("ethics_level0", [True, False, True], 2 / 3, "thinking was off, but 2 of 3 calls thought"),
        ("ethics_level0_thinking", [True, False, True], 2 / 3, "on, but only 2 of 3 calls thought"),
    ],
)
def test_a_run_that_did_not_think_as_asked_is_measured_and_told(
    wire: Wire,
    told: Told,
    task: str,
    thinks: list[bool],
    observed: float,
    warning: str,
) -> None:
    script = [Reply(thinking=each) for each in thinks]
    log = run(wire, task, "anthropic/claude-opus-4-8", script, items=3)
    assert measured(log, "thought") == pytest.approx(observed)
    [message] = told()
    assert message.endswith(warning)
    lines = [e.data for sample in samples(log) for e in sample.events if isinstance(e, InfoEvent)]
    assert lines == (
        ["Thinking was on, but this call did not think."]
        if "_thinking" in task
        else ["Thinking was off, but this call thought."] * 2
    )


def test_a_model_that_takes_the_condition_and_ignores_it_is_told(
    told: Told,
) -> None:
    [log] = inspect_eval(
        "vr_evals/ethics_level0_thinking",
        model=Script(lambda call: "wrong").model,
        task_args={"dataset": "sample", "items": 3},
        **QUIETLY,
    )
    assert len(samples(log)) == 3
    assert measured(log, "thought") == 0
    assert told() == [
        "vr_evals/ethics_level0_thinking on mockllm/model: "
        "thinking was on, but only 0 of 3 calls thought"
    ]
