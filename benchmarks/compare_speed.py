"""How long `compare_logs` takes on 40 logs of 1,000 samples, as a ratio to Inspect's `samples_df`.

Usage: python benchmarks/compare_speed.py [--logs 40] [--samples 1000]
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
from inspect_ai.analysis import samples_df
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalResults,
    EvalSample,
    EvalSpec,
    write_eval_log,
)
from inspect_ai.scorer import Score

from vr_evals.analysis import compare_logs


def made_log(number: int, n: int) -> EvalLog:
    """A log of a model that is right by chance."""
    right = np.random.default_rng(number).random(n) < 0.5 + number / 200
    samples = [
        EvalSample(
            id=item + 1,
            epoch=1,
            input=f"question {item}",
            target="right",
            scores={"match": Score(value="C" if right[item] else "I")},
        )
        for item in range(n)
    ]
    ids: list[str | int] = [sample.id for sample in samples]
    spec = EvalSpec(
        created="2026-01-01T00:00:00+00:00",
        task="made",
        model=f"mockllm/model{number:02}",
        dataset=EvalDataset(name="made", samples=n, sample_ids=ids),
        config=EvalConfig(),
    )
    results = EvalResults(total_samples=n, completed_samples=n)
    return EvalLog(eval=spec, status="success", results=results, samples=samples)


def main() -> None:
    """Print both times and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--logs", type=int, default=40)
    parser.add_argument("--samples", type=int, default=1000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(given.logs):
            write_eval_log(made_log(number, given.samples), str(Path(folder) / f"{number}.eval"))
        seconds = {}
        for name, read in (("samples_df", samples_df), ("compare_logs", compare_logs)):
            started = time.process_time()
            read(folder)
            seconds[name] = time.process_time() - started
    for name, taken in seconds.items():
        print(f"{name}: {taken:.1f} s of CPU")
    print(f"ratio: {seconds['compare_logs'] / seconds['samples_df']:.2f}")


if __name__ == "__main__":
    main()
