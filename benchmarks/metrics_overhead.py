"""Measure the cost of the metrics: the same scorers with and without them, interleaved.

    python benchmarks/metrics_overhead.py [--items 1000] [--epochs 5] [--rounds 3]

Runs ETHICS level 5 with a confidence on a simulated respondent, alternately with all metrics and
with Inspect's own only. Prints the CPU time of each pair and the median of the ratios. Inspect
recomputes metrics during a run, so they count several times.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from inspect_ai import Task, task_with
from inspect_ai import eval as inspect_eval
from inspect_ai.model import get_model
from inspect_ai.scorer import (
    Metric,
    Score,
    Scorer,
    Target,
    accuracy,
    frequency,
    mean,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from vr_evals.scorers import answer, answer_format, confidence, reflection
from vr_evals.tasks.ethics import ethics_level5


def write_items(path: Path, items: int) -> str:
    """A file of made-up scenarios."""
    rows = [f"Scenario {i}: I did it.,{'wrong' if i % 2 else 'not wrong'}" for i in range(items)]
    path.write_text("scenario,label\n" + "\n".join(rows), encoding="utf-8")
    return str(path)


def with_metrics(make: Callable[[], Scorer], metrics: list[Metric]) -> Scorer:
    """A scorer with other metrics."""

    @scorer(metrics=metrics, name=make.__name__)
    def other() -> Scorer:
        inner = make()

        async def score(state: TaskState, target: Target) -> Score | None:
            return await inner(state, target)

        return score

    return other()


def without_ours(task: Task) -> Task:
    """The task with Inspect's own metrics alone."""
    own = [mean(), stderr(cluster="cluster")]
    return task_with(
        task,
        scorer=[
            with_metrics(
                answer, [accuracy(), stderr(cluster="cluster"), frequency(["C", "I", "N"])]
            ),
            with_metrics(answer_format, own),
            with_metrics(confidence, own),
            with_metrics(reflection, own),
        ],
    )


def cpu_seconds(task: Task, epochs: int) -> float:
    """CPU time of one eval, its items already loaded."""
    model = get_model("vr_sim/careful", memoize=False)
    started = time.process_time()
    [log] = inspect_eval(
        task, model=model, epochs=epochs, display="none", log_dir=tempfile.mkdtemp()
    )
    if log.status != "success":
        raise SystemExit(f"the run failed: {log.error}")
    return time.process_time() - started


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp())

    def task(items: int) -> Task:
        file = write_items(folder / f"{items}.csv", items)
        return ethics_level5(dataset=file, include_confidence=True)

    cpu_seconds(task(10), 1)  # the first eval of a process imports much
    ratios = []
    for number in range(options.rounds):
        # in turn first and second, so that neither always meets a fuller memory
        measured = {}
        for ours in (True, False) if number % 2 else (False, True):
            made = task(options.items)
            measured[ours] = cpu_seconds(made if ours else without_ours(made), options.epochs)
        ratios.append(measured[True] / measured[False])
        print(
            f"with our metrics {measured[True]:.2f} s, without {measured[False]:.2f} s: "
            f"{ratios[-1]:.3f}",
            flush=True,
        )
    print(
        f"{options.items} items x {options.epochs} epochs, median of {options.rounds}: "
        f"{statistics.median(ratios):.3f}"
    )


if __name__ == "__main__":
    main()
