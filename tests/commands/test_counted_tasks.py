"""Long prompts that are sent again, and what a grid would take in one line."""

from pathlib import Path

import pytest

from vr_evals.commands.counted_tasks import _repeated
from vr_evals.commands.printed_study_plan import short_form
from vr_evals.commands.sent_prompts import Message
from vr_evals.levels import Level
from vr_evals.running.grid import level_grid
from vr_evals.running.plan import Selection, plan_grid


@pytest.mark.parametrize(
    ("tokens", "second", "epochs", "repeated"),
    [
        (500, "x", 3, 0),
        (5000, "x", 1, 5000),
        (5000, "x", 3, 25_000),
        (5000, "y", 3, 10_000),
        (5000, None, 1, 0),
    ],
)
def test_tokens_of_long_prompts_that_were_sent_before(
    tokens: int, second: str | None, epochs: int, repeated: int
) -> None:
    calls = [[Message("user", said)] for said in ("x", second) if said]
    assert _repeated([tokens] * len(calls), calls, epochs) == repeated


def test_an_unreadable_file_of_prices_is_left_to_inspect(tmp_path: Path) -> None:
    cells = level_grid(["ethics"], [Level.DIRECT], [False], {"dataset": "sample", "items": "2"})
    plan = plan_grid(cells, ["vr_sim/careful"], Selection())
    plain = short_form(plan, {})
    assert plain.startswith("about ")
    assert short_form(plan, {"model_cost_config": str(tmp_path / "none.yaml")}) == plain
