"""How the report grows with the rows of its table: seconds of each step, and peak memory.

    python benchmarks/page_growth.py [--rows 10000 100000 1000000] [--models 34] [--profile FILE]

The table is made in memory, as `read_logs` would give it: models × levels 0–5 × thinking off and
on × items of ETHICS, with stated confidence and both passes of level 5. Each size has a process of
its own, which makes the table, then the page. Printed are wall and CPU seconds, the peak memory of
the process and what of it is the table, and the CPU seconds of each step at the two largest sizes
with their growth: the exponent of the number of rows. It ends with 1 if the largest page takes
more than `MOST_SECONDS` or `MOST_BYTES`.
"""

import argparse
import cProfile
import json
import math
import resource
import subprocess
import sys
import time
from itertools import product

import numpy as np
import pandas as pd

from vr_evals.analysis.columns import COLUMNS

MOST_SECONDS = 120
MOST_BYTES = 2e9
LEVELS = range(6)
_NOTED = 0.5
"""Seconds of the largest page from which on a step has a line of its own."""


def main() -> None:
    """Measure each size in a process of its own, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--models", type=int, default=34)
    parser.add_argument("--profile", metavar="FILE", help="profile the only size into a file")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one, options.models)))
        return
    if options.profile:
        rows = table(options.rows[0], options.models)
        with cProfile.Profile() as profile:
            seconds_by_step(rows)
        profile.dump_stats(options.profile)
        return
    found = []
    for rows in sorted(options.rows):
        words = [sys.executable, __file__, "--one", str(rows), "--models", str(options.models)]
        done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True)
        found.append(json.loads(done.stdout))
        print_size(found[-1])
    if len(found) > 1:
        print_growth(found[-2], found[-1])
    sys.exit(found[-1]["seconds"] > MOST_SECONDS or found[-1]["peak"] > MOST_BYTES)


def table(rows: int, models: int, seed: int = 0) -> pd.DataFrame:
    """A tidy table of at least some rows, with every column that the logs of such a study fill."""
    cells = list(product(range(models), LEVELS, (False, True)))
    items = max(1, math.ceil(rows / len(cells)))
    rng = np.random.default_rng(seed)
    parts = [_cell(items, *cell, rng) for cell in cells]
    columns = {}
    for column in COLUMNS:
        pieces = [
            pd.Series(part[column.name], dtype=column.dtype, index=range(items))
            if column.name in part
            else pd.Series([None] * items, dtype=column.dtype)
            for part in parts
        ]
        columns[column.name] = pd.concat(pieces, ignore_index=True)
    made = pd.DataFrame(columns, copy=False)
    made.attrs = {"logs": [], "skipped": [], "notes": [], "left_out": []}
    return made


def _cell(
    items: int, model: int, level: int, thinking: bool, rng: np.random.Generator
) -> dict[str, object]:
    """The columns of a log; models and levels differ in accuracy, and models are overconfident."""
    verdicts = np.array(["wrong", "not wrong"], dtype=object)
    target = np.arange(items) % 2
    right = rng.random(items) < 0.6 + 0.005 * model + 0.02 * level + 0.03 * thinking
    read = rng.random(items) < 0.99
    label = np.where(read, verdicts[np.where(right, target, 1 - target)], None)
    names = [f"ethics-{item:05d}" for item in range(items)]
    log = f"logs/{model}-{level}-{thinking}.eval"
    found: dict[str, object] = {
        "model": f"provider/model-{model:02d}",
        "task": f"ethics_level{level}" + "_thinking" * thinking,
        "benchmark": "ethics",
        "level": level,
        "thinking": thinking,
        "item": names,
        "sample_id": names,
        "epoch": 1,
        "cluster": names,
        "option_order": "original",
        "n_options": 2,
        "label": label,
        "choice": label,
        "target": verdicts[target],
        "right_choice": verdicts[target],
        "correct": right & read,
        "answer_format": np.where(read, "tag", "missing"),
        "cut_off": False,
        "visible_words": rng.integers(2, 200, items),
        "answer_only": level == 0,
        "reasoned": level > 0,
        "confidence": np.where(read, rng.integers(50, 101, items).astype(float), np.nan),
        "confidence_category": np.where(read, "high", None),
        "stop_reason": "stop",
        "input_tokens": rng.integers(60, 200, items),
        "output_tokens": rng.integers(10, 400, items),
        "reasoning_tokens": 0,
        "seconds": rng.random(items),
        "calls": 1 + (level == 5),
        "calls_that_thought": (1 + (level == 5)) * thinking,
        "thought": thinking,
        "thinking_status": "honoured",
        "temperature_status": "honoured",
        "budget_status": "not asked",
        "served_model": f"model-{model:02d}",
        "include_confidence": True,
        "temperature": None if thinking else 0.0,
        "version": "2-A",
        "dataset": "hub",
        "subset": "short",
        "sample_data": False,
        "simulated": False,
        "complete": True,
        "uuid": [f"{model:02d}{level}{thinking:d}{item:05d}" for item in range(items)],
        "log": log,
    }
    if level == max(LEVELS):
        first_right = np.where(rng.random(items) < 0.9, right, ~right)
        first = verdicts[np.where(first_right, target, 1 - target)]
        flips = np.where(right, "good_flip", "bad_flip")
        found |= {
            "second_pass": "conversation",
            "first_label": first,
            "first_choice": first,
            "first_correct": first_right,
            "first_format": "tag",
            "first_confidence": rng.integers(50, 101, items).astype(float),
            "reflection": np.where(read, np.where(first == label, "kept", flips), None),
        }
    return found


def seconds_by_step(rows: pd.DataFrame) -> dict[str, float]:
    """Make the page, and return the CPU seconds of each step."""
    from vr_evals.report.page import SECTIONS, render

    steps: dict[str, float] = {}
    begun = [("checking", time.process_time())]

    def on_progress(what: str, done: int, total: int) -> None:
        end()
        is_section = what.startswith("section ")
        name = SECTIONS[done].__name__ if is_section else what
        begun.append((name, time.process_time()))

    def end() -> None:
        name, start = begun.pop()
        steps[name] = steps.get(name, 0.0) + time.process_time() - start

    page = render(rows, progress=on_progress)
    end()
    print(f"{len(page):,} characters", file=sys.stderr)
    return steps


def measure(rows: int, models: int) -> dict[str, object]:
    """The figures of one size, in this process."""
    made = table(rows, models)
    before = _peak()
    start, cpu = time.perf_counter(), time.process_time()
    steps = seconds_by_step(made)
    return {
        "rows": len(made),
        "table": int(made.memory_usage(deep=True).sum()),
        "before": before,
        "seconds": time.perf_counter() - start,
        "cpu": time.process_time() - cpu,
        "peak": _peak(),
        "steps": steps,
    }


def _peak() -> int:
    """Bytes that this process held at most."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def print_size(found: dict) -> None:
    """One size: its totals."""
    print(
        f"{found['rows']:>9,} rows: {found['seconds']:.1f} s ({found['cpu']:.1f} s of CPU), "
        f"peak {found['peak'] / 1e6:,.0f} MB, {found['before'] / 1e6:,.0f} MB before the page "
        f"(table {found['table'] / 1e6:,.0f} MB)",
        flush=True,
    )


def print_growth(less: dict, more: dict) -> None:
    """The steps of the two largest sizes, and the exponent of each."""
    scale = math.log(more["rows"] / less["rows"])
    total = [("all", less["cpu"], more["cpu"])]
    steps = [(name, less["steps"][name], seconds) for name, seconds in more["steps"].items()]
    steps = [step for step in steps if step[2] >= _NOTED]
    for name, before, after in total + sorted(steps, key=lambda step: -step[2]):
        exponent = math.log(after / before) / scale
        print(f"{name:>24} {before:8.2f} s {after:8.2f} s   exponent {exponent:.2f}")


if __name__ == "__main__":
    main()
