"""What ``read_logs`` takes, in time and memory, beside Inspect's own ``samples_df``.

    python benchmarks/analysis_speed.py [--logs 40] [--items 1000] [--rounds 5] [--alone]

Runs MORABLES level 5 once, in thinking off and on, on a simulated respondent, and writes copies of
both logs that differ in ids, model and level. Then reads the folder with ``read_logs`` and with
``samples_df`` (nested paths into the summaries, which is its fastest way to the same columns) in
turn, each in a fresh process. Prints the wall times, the median of their ratios, and peak memory.
``--alone`` reads with ``read_logs`` only, for folders that are too large for ``samples_df``; the
copies then hold no full samples, which neither reader opens, to be made in good time.
"""

import argparse
import csv
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

MODELS = 10
"""Of how many models the copies say to be."""


def main() -> None:
    """Make the logs, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--logs", type=int, default=40)
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--read", choices=READERS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        print(json.dumps(measured(READERS[options.read], options.folder)))
        return
    with tempfile.TemporaryDirectory() as folder:
        write_logs(Path(folder), options.logs, options.items, full=not options.alone)
        print(f"{options.logs} logs of {options.items} samples: {megabytes(Path(folder)):.0f} MB")
        compare(Path(folder), ["read_logs"] if options.alone else list(READERS), options.rounds)


def compare(folder: Path, readers: list[str], rounds: int) -> None:
    """Read in turn, and print."""
    measures: dict[str, list[dict[str, float]]] = {reader: [] for reader in readers}
    for number in range(rounds):
        for reader in readers if number % 2 else readers[::-1]:
            measures[reader].append(in_fresh_process(reader, folder))
    for reader, found in measures.items():
        seconds = [one["seconds"] for one in found]
        print(
            f"{reader}: {found[0]['rows']:.0f} rows in {min(seconds):.2f} s at best, "
            f"{statistics.median(seconds):.2f} s in the middle, peak "
            f"{max(one['megabytes'] for one in found):.0f} MB"
        )
    if len(readers) > 1:
        ours, theirs = (measures[name] for name in ("read_logs", "samples_df"))
        ratios = [a["seconds"] / b["seconds"] for a, b in zip(ours, theirs, strict=True)]
        print(f"ratio: {statistics.median(ratios):.3f} in the middle of {len(ratios)}")


def in_fresh_process(reader: str, folder: Path) -> dict[str, float]:
    """One reading, in an interpreter of its own."""
    command = [sys.executable, __file__, "--read", reader, "--folder", str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def measured(read: Callable[[Path], int], folder: Path) -> dict[str, float]:
    """Seconds, rows and peak memory of one reading; the time to import is left out."""
    import pandas
    from inspect_ai.analysis import samples_df

    del pandas, samples_df
    started = time.perf_counter()
    rows = read(folder)
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": seconds, "rows": rows, "megabytes": peak}


def with_read_logs(folder: Path) -> int:
    """Read the tidy table."""
    from vr_evals.analysis import read_logs

    return len(read_logs(folder))


def with_samples_df(folder: Path) -> int:
    """Read what the tidy table is made of, with Inspect's frames alone."""
    from inspect_ai.analysis import Column, EvalColumn, SampleColumn, samples_df

    of_log = {
        "task": "eval.task",
        "model": "eval.model",
        "version": "eval.task_version",
        "arguments": "eval.task_args.seed",
        "temperature": "plan.config.temperature",
        "dataset": "eval.metadata.dataset",
        "subset": "eval.metadata.subset",
        "simulated": "eval.metadata.sample_data",
    }
    of_sample = {name: name for name in ("id", "epoch", "target", "working_time", "error")} | {
        f"sample_{name}": f"metadata.{name}"
        for name in (
            *("benchmark", "item", "cluster", "option_order", "labels", "choices", "ambiguity"),
            *("thinking", "include_confidence", "second_pass"),
        )
    }
    noted = {
        "answer": ("level", "choice", "read_as"),
        "answer_format": (
            *("cut_off", "stop_reason", "calls", "calls_that_thought", "simulated"),
            *("thinking_status", "temperature_status", "budget_status"),
        ),
        "confidence": (),
        "reflection": ("first_label", "first_choice", "first_correct", "first_confidence"),
    }
    for scorer, names in noted.items():
        of_sample[f"{scorer}_answer"] = f"scores.{scorer}.answer"
        of_sample[f"{scorer}_value"] = f"scores.{scorer}.value"
        of_sample |= {f"{scorer}_{name}": f"scores.{scorer}.metadata.{name}" for name in names}
    # the uuid comes by itself: named, it would have whole samples read
    columns: list[Column] = [EvalColumn(name, path=path) for name, path in of_log.items()]
    columns += [SampleColumn(name, path=path) for name, path in of_sample.items()]
    columns.append(SampleColumn("usage", path="model_usage"))
    return len(samples_df(str(folder), columns=columns, quiet=True))


READERS: Mapping[str, Callable[[Path], int]] = {
    "read_logs": with_read_logs,
    "samples_df": with_samples_df,
}


def write_logs(folder: Path, logs: int, items: int, full: bool) -> None:
    """Run two evals and write the copies."""
    runs = [run(items, thinking) for thinking in (False, True)]
    for number in range(logs):
        model, log = divmod(number, max(1, logs // MODELS))
        write_copy(runs[log % 2], folder / f"{number:04d}.eval", number, f"vr_sim/m{model}", full)


def run(items: int, thinking: bool) -> Path:
    """One real log of two-pass samples."""
    from inspect_ai import eval as inspect_eval

    folder = Path(tempfile.mkdtemp())
    file = folder / "items.csv"
    with file.open("w", encoding="utf-8", newline="") as opened:
        writer = csv.writer(opened)
        letters = [f"option_{letter}" for letter in "abcde"]
        writer.writerow(["id", "fable", *letters, "correct_idx"])
        for i in range(items):
            morals = [f"Moral {letter} of fable {i}, in a few words." for letter in "abcde"]
            writer.writerow([f"fable-{i}", f"Fable {i}. " + "It was so. " * 60, *morals, i % 5])
    [log] = inspect_eval(
        "vr_evals/morables_level5" + ("_thinking" if thinking else ""),
        model="vr_sim/careful",
        task_args={"dataset": str(file), "include_confidence": True},
        log_dir=str(folder),
        display="none",
        log_realtime=False,
        score_display=False,
    )
    if log.status != "success":
        raise SystemExit(f"the run failed: {log.error}")
    return Path(log.location.removeprefix("file://"))


def write_copy(source: Path, target: Path, number: int, model: str, full: bool) -> None:
    """Copy a log as another run, with its full samples as they are or without them."""

    def other_samples(summaries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [one | {"uuid": f"{one['uuid'][:-4]}{number:04d}"} for one in summaries]

    def other_run(header: dict[str, Any]) -> dict[str, Any]:
        for name in ("eval_id", "run_id", "task_id"):
            header["eval"][name] = f"{header['eval'][name][:-4]}{number:04d}"
        # runs that differ in nothing would be repetitions, of which one is read
        header["eval"]["metadata"]["subset"] = f"part {number}"
        header["eval"]["model"] = model
        return header

    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for entry in old.infolist():
            if entry.filename.startswith("samples/") and not full:
                continue
            content = old.read(entry)
            if entry.filename in ("header.json", "_journal/start.json"):
                content = json.dumps(other_run(json.loads(content))).encode()
            elif entry.filename == "summaries.json":
                content = json.dumps(other_samples(json.loads(content))).encode()
            new.writestr(entry, content, compress_type=entry.compress_type)


def megabytes(folder: Path) -> float:
    """Size of the files of a folder."""
    return sum(file.stat().st_size for file in folder.iterdir()) / 2**20


if __name__ == "__main__":
    main()
