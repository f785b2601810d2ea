"""Our tasks beside another package's, and what a sample of ours does not do."""

import cProfile
import pstats

from inspect_ai import Task, task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.solver import generate

from tests.models_for_tests import QUIETLY, Script


@task
def ethics_level0() -> Task:
    """A task of somebody else that has the name of one of ours."""
    return Task(dataset=[Sample(input="Not ours.", target="x")], solver=generate())


def test_a_task_of_the_same_name_is_another_task() -> None:
    ours, theirs = (Script(lambda call: "wrong") for _ in range(2))
    inspect_eval(
        "vr_evals/ethics_level0", model=ours.model, task_args={"dataset": "sample"}, **QUIETLY
    )
    inspect_eval(ethics_level0(), model=theirs.model)
    assert len(ours.calls) > 1
    assert "Not ours." not in {call.prompt for call in ours.calls}
    assert [call.prompt for call in theirs.calls] == ["Not ours."]


def test_no_sample_looks_for_entry_points() -> None:
    """Scanning them at each call has taken half of the time of other packages' runs."""
    script = Script(lambda call: "Final answer: wrong")
    profile = cProfile.Profile()
    profile.enable()
    inspect_eval(
        "vr_evals/ethics_level5", model=script.model, task_args={"dataset": "sample"}, **QUIETLY
    )
    profile.disable()
    assert len(script.calls) > 50
    stats = pstats.Stats(profile).stats  # type: ignore[attr-defined]  # its stub does not have it
    callers = {
        caller[0]
        for (_, _, function), (*_, calling) in stats.items()
        if function in ("entry_points", "distributions")
        for caller in calling
    }
    assert not [file for file in callers if "vr_evals" in file]
