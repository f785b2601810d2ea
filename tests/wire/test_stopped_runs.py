"""Runs stopped before the first call: impossible conditions, budgets that leave no room."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.processes import completed
from tests.wire.bodies import decided, effort, limit
from tests.wire.conftest import Told
from tests.wire.running import as_run, measured, run, summary
from tests.wire.server import Wire

CLAUDE, GPT, QWEN = "anthropic/claude-sonnet-4-5", "openai/gpt-5.1", "vllm/Qwen/Qwen3-8B"

IMPOSSIBLE = [
    ("ethics_level0_thinking", "openai/gpt-4o", "on", "it does not think"),
    ("ethics_level0_thinking", "anthropic/claude-3-5-haiku-latest", "on", "it does not think"),
    ("morables_level5", "openai/gpt-5", "off", "it always thinks; reasoning_effort=minimal"),
    ("moralchoice_level0", "anthropic/claude-opus-5-5", "off", "it always thinks"),
]


@pytest.mark.parametrize(("task", "model", "condition", "why"), IMPOSSIBLE)
def test_an_impossible_condition_stops_the_run_before_its_first_call(
    wire: Wire, task: str, model: str, condition: str, why: str
) -> None:
    log = run(wire, task, model, items=3)
    assert log.status == "error"
    assert log.error is not None
    message = log.error.message
    assert message.startswith(f"thinking {condition} is not supported by {model}: {why}")
    assert "use -T allow_unhonoured=true" in message
    assert "\n" not in message
    # as Inspect displays it: the line alone, without a traceback
    assert "Traceback" not in log.error.traceback_ansi
    assert not wire.requests


@pytest.mark.parametrize(("task", "model", "condition", "why"), IMPOSSIBLE)
def test_an_impossible_condition_costs_nothing_where_errors_are_let_pass(
    wire: Wire, task: str, model: str, condition: str, why: str
) -> None:
    log = run(wire, task, model, items=3, flags={"fail_on_error": False})
    assert log.samples
    for sample in log.samples:
        assert sample.error is not None
        assert why in sample.error.message
    assert not wire.requests


@pytest.mark.parametrize(("task", "model", "condition", "why"), IMPOSSIBLE)
def test_an_impossible_condition_that_is_allowed_runs_and_is_flagged(
    wire: Wire, told: Told, task: str, model: str, condition: str, why: str
) -> None:
    log = run(wire, task, model, allow_unhonoured=True)
    calls = len(wire.calls)
    assert calls == (2 if "level5" in task else 1)
    asked = condition == "on"
    found = summary(log)
    assert found["thinking_asked"] is asked
    assert found["thinking_status"] == "impossible"
    assert f"reasoning: {why}" in as_run(log)["thinking_note"]
    assert found["calls_that_thought"] == (0 if asked else calls)
    assert measured(log, "thought") == (not asked)
    assert log.eval.metadata is not None
    assert log.eval.metadata["allow_unhonoured"] is True
    [message] = told()
    only = "but only 0 of 1 calls" if asked else f"but {calls} of {calls} calls"
    assert message == f"vr_evals/{task} on {model}: thinking was {condition}, {only} thought"


@pytest.mark.parametrize(
    ("parameters", "flags", "named"),
    [
        ({"thinking_budget": 4000}, {}, ("thinking_budget '4000'", "max_tokens=4000")),
        ({}, {"max_tokens": 2000}, ("thinking_budget '2000'", "max_tokens=2000")),
        ({"thinking_budget": 9000}, {"max_tokens": 8999}, ("'9000'", "=8999")),
    ],
)
@pytest.mark.parametrize("model", [CLAUDE, GPT, QWEN])
def test_a_budget_without_room_is_an_error_before_the_first_call(
    wire: Wire, model: str, parameters: dict[str, Any], flags: dict[str, Any], named: tuple[str]
) -> None:
    log = run(wire, "ethics_level5_thinking", model, flags=flags, **parameters)
    assert log.status == "error"
    assert log.error is not None
    assert all(name in log.error.message for name in named)
    assert "\n" not in log.error.message
    assert not wire.requests


def inspect_command(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Inspect's own command, with a key that opens nothing."""
    environment = os.environ | {
        "OPENAI_API_KEY": "dummy",
        "NO_PROXY": "127.0.0.1",
        "INSPECT_LOG_DIR": str(tmp_path),
        "COLUMNS": "300",
    }
    command = [sys.executable, "-m", "inspect_ai", "eval", *words, "--display", "plain"]
    return completed(
        [*command, "-T", "dataset=sample", "-T", "items=2"], env=environment, cwd=tmp_path
    )


@pytest.mark.slow
def test_the_flags_of_the_command(wire: Wire, tmp_path: Path) -> None:
    done = inspect_command(
        tmp_path, "vr_evals/ethics_level0", "--model", GPT,
        "--model-base-url", wire.base_url(GPT),
        "--temperature", "0.7", "--max-tokens", "300", "--reasoning-effort", "high",
    )  # fmt: skip
    assert len(wire.calls) == 2, done.stdout + done.stderr
    for call in wire.calls:
        assert decided(call) == {**effort("none"), "temperature": 0.7}
        assert limit(call) == 300
    assert "--reasoning-effort high ignored" in " ".join((done.stdout + done.stderr).split())


@pytest.mark.slow
def test_an_impossible_condition_on_the_command_line(wire: Wire, tmp_path: Path) -> None:
    done = inspect_command(
        tmp_path, "vr_evals/ethics_level0_thinking", "--model", "openai/gpt-4o",
        "--model-base-url", wire.base_url("openai/gpt-4o"),
    )  # fmt: skip
    shown = " ".join((done.stdout + done.stderr).split())
    assert "thinking on is not supported by openai/gpt-4o: it does not think; use -T allow" in shown
    assert "Traceback" not in shown
    assert not wire.requests
