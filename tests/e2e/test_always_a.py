"""A respondent that always says A is at chance on the published rows, in whose files A is right."""

import pytest
from inspect_ai import eval as inspect_eval

from tests.hub import Hub


# tests/benchmarks/test_sources.py has the orders alone
@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "subset", "chance"),
    [("morables_level0", "mcqa", 0.2), ("moralchoice_level0", "low", 0.5)],
)
def test_always_a_is_at_chance(real_hub: Hub, task: str, subset: str, chance: float) -> None:
    [log] = inspect_eval(
        f"vr_evals/{task}",
        model="vr_sim/always_a",
        task_args={"subset": subset},
        log_realtime=False,
        score_display=False,
    )
    assert log.status == "success", log.error
    assert log.samples
    assert {(s.scores or {})["answer"].answer for s in log.samples} == {"A"}
    assert log.results
    accuracy = log.results.scores[0].metrics["accuracy"].value
    assert accuracy == pytest.approx(chance, abs=0.05)
    assert log.eval.metadata
    assert log.eval.metadata["repo"]
    assert log.eval.metadata["revision"]
