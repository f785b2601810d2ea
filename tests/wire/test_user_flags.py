"""The user's own flags beside a condition, and what the hooks tell of a run."""

import logging
from pathlib import Path
from typing import Any

import inspect_ai
import pytest
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.model import GenerateConfig, GenerateConfigArgs, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from tests.models_for_tests import QUIETLY
from tests.wire.server import Failure, Reply, Wire
from vr_evals.conditions import Settings
from vr_evals.hooks import install
from vr_evals.solvers.run_record import add_to_record
from vr_evals.solvers.thinking import describe, resolve
from vr_evals.solvers.user_config import run_config, send_only


@solver
def under_condition(thinking: bool, hold_back: bool = True, seen: Any = None) -> Solver:
    """Ask under a condition, and keep the config that stood before it."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        resolution = resolve(str(get_model()), thinking=thinking)
        add_to_record(state, **describe(resolution))
        if seen is not None:
            seen.append(run_config())
        if not hold_back:
            return await generate(state)
        send_only(resolution.config)
        return await generate(state, **resolution.config)

    return solve


@pytest.fixture
def log_dir(tmp_path: Path) -> str:
    install()
    install()  # once is enough
    return str(tmp_path)


def run(
    wire: Wire,
    log_dir: str,
    model: str,
    task_solver: Solver,
    settings: Settings | None = None,
    **flags: Any,
) -> list[dict[str, Any]]:
    """Run two samples; the bodies of the calls that this made."""
    wire.requests.clear()
    task = Task(
        dataset=[Sample(input="Is it wrong?"), Sample(input="Is this?")],
        solver=task_solver,
        config=GenerateConfig(temperature=0.0, max_tokens=4000),
        name="asking",
        metadata=settings.to_metadata() if settings else None,
    )
    (log,) = inspect_ai.eval(task, model=wire.model(model), log_dir=log_dir, **QUIETLY | flags)
    assert log.status == "success", log.error
    return [dict(call.body) for call in wire.calls]


@pytest.mark.parametrize(
    ("model", "thinking", "flags", "expected"),
    [
        ("claude-sonnet-4-5", False, {"reasoning_tokens": 9000}, {}),
        ("claude-sonnet-4-5", True, {"reasoning_tokens": 9000}, {"budget_tokens": 2000}),
        ("claude-sonnet-4-5", True, {"reasoning_effort": "high"}, {"budget_tokens": 2000}),
        ("claude-opus-4-6", True, {"reasoning_effort": "high"}, {"budget_tokens": 2000}),
        ("claude-opus-4-7", False, {"reasoning_tokens": 9000}, {"type": "disabled"}),
        ("claude-opus-4-7", True, {"reasoning_tokens": 9000}, {"type": "adaptive"}),
    ],
)
def test_the_condition_is_sent_whatever_the_flags(
    wire: Wire,
    log_dir: str,
    model: str,
    thinking: bool,
    flags: GenerateConfigArgs,
    expected: dict[str, Any],
) -> None:
    for body in run(wire, log_dir, f"anthropic/{model}", under_condition(thinking), **flags):
        sent = body.get("thinking", {})
        assert {name: sent.get(name) for name in expected or sent} == expected


def test_nothing_is_held_back_unless_a_condition_asks(wire: Wire, log_dir: str) -> None:
    asking = under_condition(True, hold_back=False)
    for body in run(wire, log_dir, "openai/gpt-5.1", asking, reasoning_effort="high"):
        assert body["reasoning"]["effort"] == "high"


def test_a_retry_is_sent_the_same(wire: Wire, log_dir: str) -> None:
    wire.script([Failure(529), Reply(), Failure(429), Reply()])
    bodies = run(
        wire, log_dir, "anthropic/claude-opus-4-6", under_condition(True), reasoning_effort="high"
    )
    assert [body["thinking"]["budget_tokens"] for body in bodies] == [2000] * 4


def test_a_solver_sees_the_config_that_stands_before_its_own(wire: Wire, log_dir: str) -> None:
    seen: list[GenerateConfig] = []
    asking = under_condition(True, seen=seen)
    run(wire, log_dir, "openai/gpt-5.1", asking, max_tokens=3000, reasoning_effort="high")
    assert len(seen) == 2
    for config in seen:
        assert config.max_tokens == 3000
        assert config.temperature == 0.0
        assert config.reasoning_effort == "high"


@pytest.mark.parametrize(
    ("settings", "flags", "told"),
    [
        (Settings(thinking=False), {"reasoning_effort": "none"}, False),
        (Settings(thinking=False), {"temperature": 0.7}, False),
        (Settings(thinking=False), {"reasoning_effort": "high"}, True),
        (Settings(thinking=False, reasoning="flags"), {"reasoning_effort": "high"}, False),
        (None, {"reasoning_effort": "high"}, False),
    ],
    ids=["same", "not of reasoning", "differing", "reasoning=flags", "not our task"],
)
def test_a_differing_flag_is_told_once_before_the_first_call(
    wire: Wire,
    log_dir: str,
    caplog: pytest.LogCaptureFixture,
    settings: Settings | None,
    flags: GenerateConfigArgs,
    told: bool,
) -> None:
    calls_when_told: list[int] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            calls_when_told.append(len(wire.calls))

    listener = Listener()
    logging.getLogger("vr_evals.hooks").addHandler(listener)
    run(wire, log_dir, "openai/gpt-5.1", under_condition(False), settings, **flags)
    logging.getLogger("vr_evals.hooks").removeHandler(listener)
    assert calls_when_told == ([0] if told else [])
    expected = (
        "asking on openai/gpt-5.1: --reasoning-effort high ignored: the thinking condition sets "
        "reasoning_effort=none; use -T reasoning=flags to apply your own flags"
    )
    messages = [record.getMessage() for record in caplog.records if record.name.startswith("vr_")]
    assert messages == ([expected] if told else [])


@pytest.mark.parametrize(
    ("thinking", "thinks", "warning"),
    [
        (False, [False, False], None),
        (True, [True, True], None),
        (False, [False, True], "thinking was off, but 1 of 2 calls thought"),
        (True, [False, False], "thinking was on, but only 0 of 2 calls thought"),
    ],
)
def test_a_run_that_did_not_think_as_asked_is_told(
    wire: Wire,
    log_dir: str,
    caplog: pytest.LogCaptureFixture,
    thinking: bool,
    thinks: list[bool],
    warning: str | None,
) -> None:
    wire.script([Reply(thinking=each) for each in thinks])
    with caplog.at_level(logging.WARNING, "vr_evals.hooks"):
        run(wire, log_dir, "anthropic/claude-opus-4-8", under_condition(thinking))
    told = [record.getMessage() for record in caplog.records if record.name == "vr_evals.hooks"]
    assert told == ([f"asking on anthropic/claude-opus-4-8: {warning}"] if warning else [])


def test_other_peoples_tasks_are_left_alone(
    wire: Wire, log_dir: str, caplog: pytest.LogCaptureFixture
) -> None:
    @solver
    def plain() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            return await generate(state)

        return solve

    wire.answer = lambda request: Reply(thinking=True)
    (first, _) = run(wire, log_dir, "openai/gpt-5.1", plain(), reasoning_effort="high")
    assert first["reasoning"]["effort"] == "high"
    assert not [record for record in caplog.records if record.name == "vr_evals.hooks"]
