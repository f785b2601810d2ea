"""Measure memory and time of a large run: does either grow with the number of items?

    python benchmarks/load.py [--items 20000]

Runs ETHICS level 2 on generated scenarios with a simulated respondent, and plain ``generate()`` and
``match()`` on as many items, each in a new process. Prints the resident memory at each tenth of the
run, and the CPU time per item.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from inspect_ai import eval as inspect_eval
from overhead import bare, scripted_model, write_items

from vr_evals.tasks.ethics import ethics_level2

_PAGE = 4096


def resident_megabytes() -> float:
    """Memory of this process that is in RAM."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE / 1e6


def run(kind: str, items: int) -> None:
    """One run in this process; prints its memory over time and its CPU time, as JSON."""
    folder = tempfile.mkdtemp()
    if kind == "vr_evals":
        file = write_items(Path(folder) / "items.csv", items)
        task, model = ethics_level2(dataset=file, subset="all"), "vr_sim/careful"
    else:
        task, model = bare(items, calls=1, scorers=2), scripted_model()
    curve: list[float] = [resident_megabytes()]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.5):
            curve.append(resident_megabytes())

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    started = time.process_time()
    [log] = inspect_eval(task, model=model, display="none", log_dir=folder)
    seconds = time.process_time() - started
    done.set()
    watcher.join()
    if log.status != "success":
        raise SystemExit(f"the run failed: {log.error}")
    print(json.dumps({"curve": curve, "seconds": seconds}))


def main() -> None:
    """Run both and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--kind", choices=["vr_evals", "bare"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.kind:
        run(options.kind, options.items)
        return
    for kind in ("vr_evals", "bare"):
        command = [sys.executable, __file__, "--kind", kind, "--items", str(options.items)]
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found = json.loads(out.splitlines()[-1])
        curve = found["curve"]
        tenths = [curve[min(len(curve) - 1, len(curve) * i // 10)] for i in range(11)]
        print(f"{kind}: MB at each tenth: {' '.join(f'{size:.0f}' for size in tenths)}")
        print(f"{kind}: {1000 * found['seconds'] / options.items:.2f} ms CPU an item", flush=True)


if __name__ == "__main__":
    main()
