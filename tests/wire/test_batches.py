"""``--batch``: half the price, and the same samples, also if a batch expires or a request fails."""

from typing import Any

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import BatchConfig

from tests.wire.running import run, samples
from tests.wire.script import EXPIRED
from tests.wire.server import Failure, Reply, Wire

CLAUDE = "anthropic/claude-sonnet-4-5"
OF_THREE = BatchConfig(size=3, send_delay=60, tick=0.05)
SOON = BatchConfig(size=3, send_delay=0.5, tick=0.05)
FIRST, SECOND = Reply("<answer>A</answer>"), Reply("<answer>B</answer>")

pytestmark = pytest.mark.usefixtures("_no_waiting")


def batched(
    wire: Wire, task: str, script: Any = (), batch: BatchConfig = OF_THREE, **flags: Any
) -> EvalLog:
    return run(
        wire, task, CLAUDE, script, items=3, flags=flags | {"batch": batch, "max_samples": 3}
    )


def sizes(wire: Wire) -> list[int]:
    return [len(batch) for batch in wire.batches]


@pytest.mark.parametrize("task", ["morables_level5", "morables_level5_thinking"])
def test_both_passes_of_level_5_are_a_batch_each(wire: Wire, task: str) -> None:
    log = batched(wire, task, [FIRST] * 3 + [SECOND] * 3)
    assert sizes(wire) == [3, 3]
    for sample in samples(log):
        assert sample.metadata["as_run"]["first_pass"]["completion"] == FIRST.text
        assert sample.output.completion == SECOND.text
        assert sample.metadata["as_run"]["calls"] == 2


def test_an_expired_batch_is_sent_again(wire: Wire) -> None:
    log = batched(wire, "morables_level0", [EXPIRED] * 3)
    assert sizes(wire) == [3, 3]
    assert [sample.output.completion for sample in samples(log)] == [Reply().text] * 3


def test_a_request_of_a_batch_that_is_overloaded_is_sent_again_alone(wire: Wire) -> None:
    log = batched(wire, "morables_level0", [Reply(), Failure(529), Reply()], SOON)
    assert sum(sizes(wire)) == 4
    assert sizes(wire)[-1] == 1
    assert len(samples(log)) == 3


def test_a_rejected_request_of_a_batch_fails_its_own_sample(wire: Wire) -> None:
    script = [Reply(), Failure(400, "unknown field"), Reply()]
    log = batched(wire, "morables_level0", script, fail_on_error=False)
    assert sizes(wire) == [3]
    [failed] = [sample for sample in samples(log) if sample.error]
    assert failed.error
    assert "unknown field" in failed.error.message


@pytest.mark.slow
def test_conditions_of_the_authority_paradigm_share_batches(wire: Wire) -> None:
    flags = {"batch": BatchConfig(size=5, send_delay=60, tick=0.05), "max_samples": 5}
    log = run(wire, "morables_authority", CLAUDE, items=1, flags=flags)
    assert len(samples(log)) == 25
    assert sizes(wire) == [5] * 5
