"""From the logs of a large study to its page: CPU, wall time, memory and growth of each step.

    python benchmarks/million_rows.py [--rows 100000 1000000] [--models 34] [--folder FOLDER]

Made-up fables are run at levels 0–5 with thinking off and on, on a simulated respondent. Each log
is written again with more items by `write_eval_log`, and copied as that of other models, without
its full samples: items get other answers to the same target. `--folder` keeps the logs, or has
those of an earlier call. Each step has a process of its own: the table cold, in one process and in
as many as there are CPUs, and warm; all effects of the warm table; and its page. Printed are, of
the step alone, wall and CPU seconds (of all its processes), and the most memory that its largest
process ever held; then the exponent of each step's growth with the number of rows. It ends with 1
if a target is missed.
"""

import argparse
import json
import math
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from analysis_speed import megabytes, name_of_copy, run, write_copy, write_items

MOST_SECONDS = {"warm table": 15.0, "page": 120.0}
MOST_BYTES = 2e9
MOST_EXPONENT = 1.05
_RUN_ITEMS = 250
"""Items that are really run; more are copies of them."""

_LABELS = 5
"""Options of an item; the n-th item's answer is the n-th of them, over and over."""

_UNNOTICED = 60
"""Seconds by which logs are made older: what was just written is not kept."""


def main() -> None:
    """Measure each step of each size in a process of its own, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--models", type=int, default=34)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--steps", nargs="+", choices=list(STEPS), default=list(STEPS))
    parser.add_argument("--one", choices=list(STEPS), help=argparse.SUPPRESS)
    parser.add_argument("--logs", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measured(STEPS[options.one], options.logs)))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = options.folder or Path(name)
        found = [measure(folder, rows, options) for rows in sorted(options.rows)]
    missed = [step for step, limit in MOST_SECONDS.items() if _wall(found[-1], step) > limit]
    missed += [f"memory of {step}" for step, x in found[-1].items() if x["peak"] > MOST_BYTES]
    if len(found) > 1:
        missed += list(print_growth(found[-2], found[-1]))
    print(f"missed: {', '.join(missed) or 'nothing'}")
    sys.exit(bool(missed))


def measure(folder: Path, rows: int, options: argparse.Namespace) -> dict[str, dict[str, float]]:
    """All steps of one size."""
    logs = folder / str(rows)
    if not logs.exists():
        write_logs(logs, rows, options.models)
    print(f"{len(list(logs.iterdir()))} logs, {megabytes(logs):,.0f} MB", flush=True)
    found: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as cache:
        os.environ["VR_EVALS_CACHE"] = cache
        for step in options.steps:
            command = [sys.executable, __file__, "--one", step, "--logs", str(logs)]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            one = found[step] = json.loads(done.stdout)
            print(
                f"{int(one['rows']):>9,} rows, {step}: {one['wall']:.1f} s ({one['cpu']:.1f} s of "
                f"CPU), peak {one['peak'] / 1e6:,.0f} MB; load {os.getloadavg()[0]:.1f}",
                flush=True,
            )
    return found


def measured(step: Callable[[Path], tuple[int, float, float]], logs: Path) -> dict[str, float]:
    """A step in this process, without imports."""
    import vr_evals.analysis
    import vr_evals.report

    del vr_evals
    rows, wall, cpu = step(logs)
    unit = 1 if sys.platform == "darwin" else 1024
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    peak = max(resource.getrusage(each).ru_maxrss for each in who) * unit
    return {"rows": rows, "wall": wall, "cpu": cpu, "peak": peak}


def timed(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """What some work returns, and its wall and CPU seconds."""
    started, used = time.perf_counter(), sum(os.times()[:4])
    result = work()
    return result, time.perf_counter() - started, sum(os.times()[:4]) - used


def reading(**options: Any) -> Callable[[Path], tuple[int, float, float]]:
    """Measure `read_logs`."""

    def read(logs: Path) -> tuple[int, float, float]:
        from vr_evals.analysis import read_logs

        table, *seconds = timed(lambda: read_logs(logs, **options))
        return len(table), *seconds

    return read


def all_effects(logs: Path) -> tuple[int, float, float]:
    """Measure `effects` of the table."""
    from vr_evals.analysis import effects, read_logs

    table = read_logs(logs)
    _, *seconds = timed(lambda: effects(table))
    return len(table), *seconds


def page(logs: Path) -> tuple[int, float, float]:
    """Measure the page of the table, with its answers."""
    from vr_evals.analysis import read_logs
    from vr_evals.report import write_report

    table = read_logs(logs)
    with tempfile.TemporaryDirectory() as folder:
        _, *seconds = timed(lambda: write_report(table, Path(folder) / "report.html"))
    return len(table), *seconds


STEPS: dict[str, Callable[[Path], tuple[int, float, float]]] = {
    "cold table, one process": reading(cache=False, processes=1),
    "cold table": reading(),
    "warm table": reading(),
    "effects": all_effects,
    "page": page,
}


def print_growth(
    less: dict[str, dict[str, float]], more: dict[str, dict[str, float]]
) -> Iterator[str]:
    """Print the exponent of each step's CPU time, and yield the steps that grow too fast."""
    for step, large in more.items():
        small = less[step]
        exponent = math.log(large["cpu"] / small["cpu"]) / math.log(large["rows"] / small["rows"])
        print(f"{step:>24}: exponent {exponent:.2f}")
        if exponent > MOST_EXPONENT:
            yield f"growth of {step}"


def _wall(found: dict[str, dict[str, float]], step: str) -> float:
    return found[step]["wall"] if step in found else 0.0


def write_logs(folder: Path, rows: int, models: int) -> None:
    """Write the logs of a study with at least some rows."""
    from inspect_ai.log import read_eval_log, write_eval_log

    cells = list(product(range(6), (False, True)))
    items = math.ceil(rows / len(cells) / models / _LABELS) * _LABELS
    file = write_items(Path(tempfile.mkdtemp()) / "items.csv", min(items, _RUN_ITEMS))
    offsets = [
        _LABELS * random.Random(model).randrange(items // _LABELS) for model in range(models)
    ]
    part = folder.with_name(folder.name + ".part")
    part.mkdir(parents=True)
    for place, cell in enumerate(cells):
        log = run(file, *cell)
        first = log.with_name(f"more-{log.name}")
        write_eval_log(more_items(read_eval_log(str(log)), items), str(first))
        for model, offset in enumerate(offsets):
            number = place * models + model
            target = part / name_of_copy(log, number)
            write_copy(first, target, number, f"vr_sim/m{model:02d}", full=False, offset=offset)
            os.utime(target, (time.time() - _UNNOTICED,) * 2)
    part.rename(folder)


def more_items(source: Any, items: int) -> Any:
    """A log with more items, which have other answers to the same target."""
    rng = random.Random(items)
    rounds = len(source.samples) // _LABELS
    samples = [other_sample(source.samples, item, rng.randrange(rounds)) for item in range(items)]
    spec = source.eval
    dataset = spec.dataset.model_copy(
        update={"samples": items, "sample_ids": [sample.id for sample in samples]}
    )
    counts = {"total_samples": items, "completed_samples": items}
    return source.model_copy(
        update={
            "eval": spec.model_copy(update={"dataset": dataset}),
            "results": source.results.model_copy(update=counts),
            "samples": samples,
            "reductions": None,
        }
    )


def other_sample(samples: Any, item: int, rounds: int) -> Any:
    """A sample as that of another item, with the answer to an item of the same target."""
    own = samples[item % len(samples)]
    answered = samples[(item + rounds * _LABELS) % len(samples)]
    name = f"fable-{item}"
    return own.model_copy(
        update={
            "id": name,
            "uuid": f"{own.uuid[:-10]}{item:06d}0000",
            "metadata": own.metadata | {"item": name, "cluster": name},
            "scores": answered.scores,
            # no reader of summaries opens these
            "messages": [],
            "events": [],
            "store": {},
            "attachments": {},
        }
    )


if __name__ == "__main__":
    main()
