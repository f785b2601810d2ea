"""Epochs and samples under ``--cache``: repetitions, not copies, in both passes of level 5."""

import random
from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog

from tests.logs import samples
from tests.models_for_tests import QUIETLY, Script

TASK = "vr_evals/ethics_level5"


def replies(log: EvalLog) -> list[str]:
    """The replies of both passes of every epoch."""
    return [
        reply
        for sample in samples(log)
        for reply in (
            sample.metadata["as_run"]["first_pass"]["completion"],
            sample.output.completion,
        )
    ]


@pytest.mark.parametrize("second_pass", ["conversation", "standalone"])
def test_each_epoch_and_condition_has_replies_of_its_own(
    second_pass: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path))
    drawn = random.Random(0)
    script = Script(lambda call: f"Final answer: wrong ({drawn.random()})")
    seen: set[str] = set()
    for task, temperature in ((TASK, 1), (TASK, 0.5), (f"{TASK}_thinking", None)):
        logs = [
            inspect_eval(
                task,
                model=script.model,
                task_args={"dataset": "sample", "items": 1, "second_pass": second_pass},
                epochs=3,
                cache=True,
                temperature=temperature,
                **QUIETLY,
            )[0]
            for _ in range(2)
        ]
        first, again = map(replies, logs)
        assert len({*first} - seen) == 6
        assert again == first, "it was not cached"
        seen |= {*first}
    assert len(script.calls) == len(seen) == 18


@pytest.mark.parametrize(
    ("tasks", "calls"),
    [
        (["ethics_level5"], 6),
        # two levels with one prompt: the noise floor of the design is their difference
        (["morables_level0", "morables_level1"], 6),
    ],
)
def test_samples_with_the_same_prompt_have_replies_of_their_own(
    tasks: list[str], calls: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At level 5, ``standalone``, the second prompt has nothing but the first response."""
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path))
    script = Script(lambda call: "Final answer: wrong")
    form = {"second_pass": "standalone"} if "5" in tasks[0] else {}
    for _ in range(2):
        for task in tasks:
            inspect_eval(
                f"vr_evals/{task}",
                model=script.model,
                task_args={"dataset": "sample", "items": 3, **form},
                max_samples=1,
                cache=True,
                **QUIETLY,
            )
        assert len(script.calls) == calls
