"""Measure the overhead of vr_evals over Inspect, as ratios in one interleaved run.

    python benchmarks/overhead.py [--items 1000] [--rounds 3] [--count]

Compares the CPU time of ETHICS level 2 and level 5 with plain ``generate()`` and ``match()`` on the
same number of items and model calls (a scripted model, no network), once with one scorer and once
with as many as the task has, because Inspect logs three events per scorer and sample; and the
import time of the registry with that of Inspect.

``--count`` counts Python function calls instead of CPU time, which does not depend on other work on
the machine.
"""

import argparse
import cProfile
import pstats
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser, Model, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import exact, includes, match
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

from vr_evals.tasks.ethics import ethics_level2, ethics_level5

REPLY = "It was not kind. " * 40 + "\n\nFinal answer: wrong"


def scripted_model() -> Model:
    """A model that says the same at once."""

    def output(*args: object) -> ModelOutput:
        said = ModelOutput.from_content("mockllm/model", REPLY)
        said.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return said

    return get_model("mockllm/model", custom_outputs=output, memoize=False)


@solver
def generate_twice() -> Solver:
    """Bare Inspect with as many calls as level 5."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state = await generate(state)
        state.messages.append(ChatMessageUser(content="Reflect."))
        return await generate(state)

    return solve


def bare(items: int, calls: int, scorers: int = 1) -> Task:
    """The floor: items of the same length, Inspect's own solver and scorers."""
    samples = [Sample(id=i, input=f"Scenario {i}: I did it.", target="wrong") for i in range(items)]
    return Task(
        dataset=samples,
        solver=generate() if calls == 1 else generate_twice(),
        scorer=[match(), includes(), exact()][:scorers],
    )


def write_items(path: Path, items: int) -> str:
    """A file of made-up scenarios."""
    rows = [f"Scenario {i}: I did it.,{'wrong' if i % 2 else 'not wrong'}" for i in range(items)]
    path.write_text("scenario,label\n" + "\n".join(rows), encoding="utf-8")
    return str(path)


def cpu_seconds(task: Callable[[], Task]) -> float:
    """CPU time of one eval, its dataset already loaded."""
    made = task()
    started = time.process_time()
    [log] = inspect_eval(made, model=scripted_model(), display="none", log_dir=tempfile.mkdtemp())
    if log.status != "success":
        raise SystemExit(f"the run failed: {log.error}")
    return time.process_time() - started


def function_calls(task: Callable[[], Task]) -> float:
    """Python function calls of one eval, in millions."""
    profile = cProfile.Profile()
    profile.runcall(cpu_seconds, task)
    calls: int = pstats.Stats(profile).total_calls  # type: ignore[attr-defined]  # missing in its stub
    return calls / 1e6


def import_seconds(module: str) -> float:
    """Wall time of a fresh interpreter that imports a module."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", f"import {module}"], check=True)
    return time.perf_counter() - started


def compare(
    title: str, ours: Callable[[], float], theirs: Callable[[], float], rounds: int, unit: str
) -> None:
    """Print the least of interleaved measurements, which other work disturbs least."""
    pairs = [(ours(), theirs()) for _ in range(rounds)]
    our, their = (min(column) for column in zip(*pairs, strict=True))
    print(f"{title}: {our:.2f} {unit} / {their:.2f} {unit} = {our / their:.3f}", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--count", action="store_true")
    options = parser.parse_args()
    items, rounds = options.items, 1 if options.count else options.rounds
    measure, unit = (function_calls, "million calls") if options.count else (cpu_seconds, "s")
    file = write_items(Path(tempfile.mkdtemp()) / "items.csv", items)
    for first in (lambda: bare(10, 1), partial(ethics_level5, dataset="sample", items=3)):
        cpu_seconds(first)  # the first eval of a process imports much

    for level, task, calls, own_scorers in (
        (2, ethics_level2, 1, 2),
        (5, ethics_level5, 2, 3),
    ):
        for scorers in (1, own_scorers):
            compare(
                f"ETHICS level {level} / {calls} generate() + {scorers} of Inspect's scorers",
                partial(measure, partial(task, dataset=file, subset="all")),
                partial(measure, partial(bare, items, calls, scorers)),
                rounds,
                unit,
            )
    compare(
        "import vr_evals._registry / import inspect_ai",
        lambda: import_seconds("vr_evals._registry"),
        lambda: import_seconds("inspect_ai"),
        3 * options.rounds,
        "s",
    )


if __name__ == "__main__":
    main()
