"""Authority tasks on models whose epochs nobody can set to vary."""

import pytest

from tests.wire.conftest import Told
from tests.wire.running import run, samples
from tests.wire.server import Wire


@pytest.mark.parametrize(
    ("model", "note"),
    [
        (
            "anthropic/claude-sonnet-4-5",
            "Inspect's anthropic provider omits it: not supported by the API",
        ),
        ("vllm/Qwen/Qwen3-8B", None),
    ],
)
def test_a_model_that_is_sent_no_temperature_is_told(
    wire: Wire, told: Told, model: str, note: str | None
) -> None:
    log = run(wire, "mcqa_authority_control", model, flags={"epochs": 3})
    assert len(samples(log)) == len(wire.calls) == 3
    sent = [call.body.get("temperature") for call in wire.calls]
    assert sent == ([None] * 3 if note else [1] * 3)
    assert told() == (
        [
            f"vr_evals/mcqa_authority_control on {model}: "
            f"temperature: {note}: the variation of 3 epochs is unknown"
        ]
        if note
        else []
    )
