"""Measure the CPU time of the report in one checkout relative to another.

    python benchmarks/page_cost.py BEFORE AFTER [--logs FOLDER] [--rounds 5] [--limit N]

``BEFORE`` and ``AFTER`` are checkouts with a ``.venv``. The logs are those of the README's demo
grid on ``vr_sim`` (72 logs, 2,424 samples), made once with ``AFTER``'s ``vr-evals`` if the folder
is empty. Each round makes the report in both, alternately, in a new process; the CPU time (user and
system) is without the imports of ``vr-evals --help``. Prints each round and the ratio of the
medians, with the range of the rounds' ratios.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

GRID = (
    *("run", "--benchmark", "all", "--levels", "0-5", "--thinking", "both"),
    *("--model", "vr_sim/careful", "--model", "vr_sim/overconfident"),
    *("--dataset", "sample", "-T", "include_confidence=true"),
)
BAR = 1.2


def main() -> None:
    """Make the logs, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--logs", type=Path, help="folder of logs, created if empty")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--limit", type=int, help="items per task, for a quick run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        logs = options.logs or Path(folder) / "logs"
        make_logs(options.after, logs, options.limit)
        rounds: list[tuple[float, float]] = []
        for number in range(options.rounds):
            first = number % 2
            seconds = [0.0, 0.0]
            for which in (first, 1 - first):
                checkout = (options.before, options.after)[which]
                seconds[which] = page_time(checkout, logs, Path(folder) / "page.html")
            rounds.append((seconds[0], seconds[1]))
            print(f"round {number + 1}: {seconds[0]:.2f} s, {seconds[1]:.2f} s", flush=True)
    before, after = (statistics.median(each) for each in zip(*rounds, strict=True))
    ratios = [late / early for early, late in rounds]
    ratio = after / before
    print(
        f"{before:.2f} s of CPU time before, {after:.2f} s after (medians of {options.rounds}): "
        f"ratio {ratio:.3f}, {min(ratios):.3f} to {max(ratios):.3f} by round"
    )
    sys.exit(ratio > BAR)


def make_logs(checkout: Path, folder: Path, limit: int | None) -> None:
    """Run the demo grid, unless the folder has logs."""
    if not any(folder.glob("*.eval")):
        more = ("--limit", str(limit)) if limit else ()
        command = [vr_evals(checkout), *GRID, "--log-dir", str(folder), *more]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    print(f"{len(list(folder.glob('*.eval')))} logs in {folder}", flush=True)


def page_time(checkout: Path, logs: Path, page: Path) -> float:
    """Seconds of CPU time of the page, without those of a command that does nothing."""
    made = cpu_time(checkout, "report", str(logs), "-o", str(page))
    return made - cpu_time(checkout, "--help")


def cpu_time(checkout: Path, *words: str) -> float:
    """Seconds of user and system time of a `vr-evals` command and its children."""
    before = os.times()
    command = [vr_evals(checkout), *words]
    subprocess.run(command, check=True, cwd=checkout, stdout=subprocess.DEVNULL)
    after = os.times()
    return (after.children_user - before.children_user) + (
        after.children_system - before.children_system
    )


def vr_evals(checkout: Path) -> str:
    """The command of a checkout."""
    return str(checkout.resolve() / ".venv" / "bin" / "vr-evals")


if __name__ == "__main__":
    main()
