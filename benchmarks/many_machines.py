"""Run a grid in one process and in shards, compare the tables, and measure the overhead.

    python benchmarks/many_machines.py [--models 10] [--samples 20] [--workers 8] [--kill 2]

The grid has 20 tasks per model (two benchmarks, levels 0 to 4, thinking off and on). Each call
sleeps for --latency seconds; each worker runs one task and one call at a time. With --kill, that
many shards are killed in the middle and started again; their time counts.
"""

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from vr_evals.analysis import read_logs
from vr_evals.models.personas import PERSONAS

MAIN = "from vr_evals.cli import main; main()"
OF_ONE_RUN = ["seconds", "uuid", "log"]
TASKS = 20
ONE_AT_A_TIME = ("--max-tasks", "1", "--max-connections", "1", "--display", "none")


def command(arguments: argparse.Namespace, log_dir: Path | str, *words: str) -> list[str]:
    """Return the command that runs the grid."""
    models = [
        word
        for name in list(PERSONAS)[: arguments.models]
        for word in ("--model", f"vr_sim/{name}")
    ]
    return [
        sys.executable, "-c", MAIN, "run", "--benchmark", "ethics,morables", "--levels", "0-4",
        "--thinking", "both", "--dataset", "sample", "--limit", str(arguments.samples),
        "-M", f"latency={arguments.latency}", *models, "--log-dir", str(log_dir), *words,
    ]  # fmt: skip


def start(words: Sequence[str], log: Path) -> subprocess.Popen[bytes]:
    """Start a process with its output in a file."""
    with log.open("ab") as out:
        return subprocess.Popen(words, stdout=out, stderr=out, start_new_session=True)


def finished(log_dir: Path) -> int:
    """Return the number of log files, the last of each shard unfinished."""
    return len(list(log_dir.glob("*.eval")))


def in_shards(arguments: argparse.Namespace, folder: Path, kill: int) -> float:
    """Run all shards at once, kill some once and start them again; return the seconds."""
    log_dir, count = folder / "logs", arguments.workers
    log_dir.mkdir(parents=True)
    words = [
        command(arguments, log_dir, *ONE_AT_A_TIME, "--shard", f"{i}/{count}")
        for i in range(1, count + 1)
    ]
    began = time.monotonic()
    running = [start(each, folder / f"{i}.txt") for i, each in enumerate(words, 1)]
    if kill:
        while finished(log_dir) < arguments.models * TASKS / 3:
            time.sleep(0.1)
        for index in range(kill):
            os.killpg(running[index].pid, signal.SIGKILL)
            running[index].wait()
            running[index] = start(words[index], folder / f"{index + 1}.txt")
            print(f"killed and started again: shard {index + 1}/{count}")
    codes = [process.wait() for process in running]
    last = start(
        command(arguments, log_dir, *ONE_AT_A_TIME, "--finish"), folder / "finish.txt"
    ).wait()
    seconds = time.monotonic() - began
    print(f"exit codes: {codes}, --finish {last}")
    return seconds


def rows(log_dir: Path | str) -> pd.DataFrame:
    """Return the tidy table without what differs between two runs."""
    table = read_logs(log_dir).drop(columns=OF_ONE_RUN)
    return table.sort_values(["model", "task", "sample_id", "epoch"], ignore_index=True)


def cpu() -> float:
    """Return the CPU seconds of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--models", type=int, default=10, help="20 cells each")
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--latency", type=float, default=0.05, help="seconds per call")
    parser.add_argument("--kill", type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        print(
            f"{arguments.models * TASKS} cells of {arguments.samples} samples, "
            f"{os.cpu_count()} CPUs"
        )
        began, used = time.monotonic(), cpu()
        words = command(arguments, folder / "one", *ONE_AT_A_TIME)
        one = start(words, folder / "one.txt").wait()
        alone = time.monotonic() - began
        print(f"1 worker: {alone:.0f} s, {cpu() - used:.0f} s of CPU, exit code {one}")
        used = cpu()
        together = in_shards(arguments, folder / "many", arguments.kill)
        print(f"{arguments.workers} workers: {together:.0f} s, {cpu() - used:.0f} s of CPU")
        print(f"{arguments.workers} workers / 1 worker: {together / alone:.2f}")
        expected, found = rows(folder / "one"), rows(folder / "many" / "logs")
        pd.testing.assert_frame_equal(expected, found)
        print(f"tables: {len(found)} rows, equal")


if __name__ == "__main__":
    main()
