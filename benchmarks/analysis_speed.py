"""Measure the time of reading, comparing and the report, against Inspect's frames and plain pandas.

    python benchmarks/analysis_speed.py [--logs 40] [--items 1000] [--reading] [--alone]

Runs MORABLES at the levels, with thinking off and on, on a simulated respondent, and copies these
logs as other models. Each reader then reads the folder in a new process, alternately:

- ``ours``: ``read_logs``, the comparisons, then the report;
- ``by hand``: ``samples_df`` (nested paths into the summaries, the fastest way to the same
  columns), then the plain tables of ``by_hand.py``.

Prints the wall time of each step, the medians of the ratios, the peak of memory, and the largest
difference of estimates. ``--reading`` measures reading alone, in all ways: the summaries as raw
JSON (the floor), ``read_logs`` cold in one process, in several, and in several with all summaries
read by Inspect, and warm, and ``samples_df`` in its two modes; a ratio is of wall times in one
round, to the faster mode. ``--alone`` skips Inspect's frames, for folders too large for them; the
copies are then without full samples, which no reader opens, to save time.
"""

import argparse
import csv
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

Steps = dict[str, float]
"""Seconds of each step, in order."""


def main() -> None:
    """Make the logs, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--logs", type=int, default=40)
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--levels", default="5", help="levels, e.g. 5 or 0-5")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--reading", action="store_true")
    parser.add_argument("--read", choices=[*READERS, *WAYS], help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        print(json.dumps(measured({**READERS, **WAYS}[options.read], options.folder)))
        return
    first, _, last = options.levels.partition("-")
    levels = range(int(first), int(last or first) + 1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_logs(folder, options.logs, options.items, levels, full=not options.alone)
        print(f"{options.logs} logs of {options.items} samples: {megabytes(folder):.0f} MB")
        if options.reading:
            compare_ways(folder, options.rounds, options.alone)
            return
        compare(folder, ["ours"] if options.alone else list(READERS), options.rounds)


def compare(folder: Path, readers: list[str], rounds: int) -> None:
    """Measure in turn, and print."""
    measures: dict[str, list[dict[str, Any]]] = {reader: [] for reader in readers}
    for number in range(rounds):
        for reader in readers if number % 2 else readers[::-1]:
            measures[reader].append(in_fresh_process(reader, folder))
    for reader, found in measures.items():
        steps = ", ".join(
            f"{step} {statistics.median(one['steps'][step] for one in found):.1f} s"
            for step in found[0]["steps"]
        )
        peak = max(one["megabytes"] for one in found)
        print(f"{reader}: {found[0]['rows']} rows; {steps}; peak {peak:.0f} MB")
    if len(readers) > 1:
        compare_steps(measures["ours"], measures["by hand"])


def compare_ways(folder: Path, rounds: int, alone: bool) -> None:
    """Measure all ways of reading in turn, and print."""
    ways = [way for way in WAYS if not (alone and way.startswith("samples_df"))]
    with tempfile.TemporaryDirectory() as cache:
        os.environ["VR_EVALS_CACHE"] = cache
        for log in folder.iterdir():  # a log just written is not kept
            os.utime(log, (time.time() - 60,) * 2)
        in_fresh_process("warm", folder)
        measures: dict[str, list[dict[str, Any]]] = {way: [] for way in ways}
        for number in range(rounds):
            for way in ways if number % 2 else ways[::-1]:
                measures[way].append(in_fresh_process(way, folder))
    for way, found in measures.items():
        wall, cpu = (
            statistics.median(one["steps"][step] for one in found) for step in ("wall", "cpu")
        )
        ratios = [
            one["steps"]["wall"]
            / min(measures[other][place]["steps"]["wall"] for other in ways if other in INSPECT)
            for place, one in enumerate(found)
            if not alone
        ]
        ratio = f"; ratio {statistics.median(ratios):.3f}" if ratios else ""
        peak = max(one["megabytes"] for one in found)
        print(
            f"{way}: {found[0]['rows']} rows; wall {wall:.2f} s, CPU {cpu:.2f} s; "
            f"peak {peak:.0f} MB{ratio}"
        )


def compare_steps(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> None:
    """Print the ratios, and the largest difference of the estimates."""
    for title, steps in (("read", ("read",)), ("read and compare", ("read", "compare"))):
        ratios = [
            sum(a["steps"][step] for step in steps) / sum(b["steps"][step] for step in steps)
            for a, b in zip(ours, theirs, strict=True)
        ]
        print(f"{title}: ratio {statistics.median(ratios):.3f} in the middle of {len(ratios)}")
    estimates, by_hand = ours[0]["estimates"], theirs[0]["estimates"]
    apart = {
        name: abs(estimates[name] - value) for name, value in by_hand.items() if value == value
    }
    farthest = max(apart, key=lambda name: apart[name])
    print(f"{len(apart)} estimates by hand, at most {apart[farthest]:.1e} from ours: {farthest}")


def in_fresh_process(reader: str, folder: Path) -> dict[str, Any]:
    """One measurement, in an interpreter of its own."""
    command = [sys.executable, __file__, "--read", reader, "--folder", str(folder)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def measured(reader: Callable[[Path], dict[str, Any]], folder: Path) -> dict[str, Any]:
    """What a reader found, and the peak of its memory; the time to import is left out."""
    import by_hand
    import pandas
    from inspect_ai.analysis import samples_df

    import vr_evals.analysis
    import vr_evals.report

    del by_hand, pandas, samples_df, vr_evals
    found = reader(folder)
    return found | {"megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def ours(folder: Path) -> dict[str, Any]:
    """The tidy table, the comparisons and the page of vr_evals."""
    from vr_evals import analysis
    from vr_evals.report import write_report

    started = time.perf_counter()
    rows = analysis.read_logs(folder, cache=False)
    read = time.perf_counter()
    compared = [
        getattr(analysis, name)(rows)
        for name in ("accuracy", "changes", "flips", "agreement", "calibration", "compare_models")
    ]
    done = time.perf_counter()
    with tempfile.TemporaryDirectory() as page:
        write_report(rows, Path(page) / "report.html")
    steps = {
        "read": read - started,
        "compare": done - read,
        "page": time.perf_counter() - done,
    }
    return {"rows": len(rows), "steps": steps, "estimates": named_estimates(compared)}


def pandas_by_hand(folder: Path) -> dict[str, Any]:
    """Inspect's frame of the samples, and plain tables made of it."""
    from by_hand import plain_tables

    started = time.perf_counter()
    rows = read_samples(folder)
    read = time.perf_counter()
    compared = plain_tables(rows)
    steps = {"read": read - started, "compare": time.perf_counter() - read}
    return {"rows": len(rows), "steps": steps, "estimates": named_estimates(compared)}


def named_estimates(frames: list["pd.DataFrame"]) -> dict[str, float]:
    """The estimates of frames of comparisons, by what they are of."""
    keys = ("metric", "comparison", "scale", "model", "versus", "level", "thinking")
    found = {}
    for frame in frames:
        used = [name for name in keys if name in frame]
        for row in frame.to_dict("records"):
            found[" ".join(str(row[name]) for name in used)] = float(row["estimate"])
    return found


def read_samples(folder: Path, parallel: bool = False) -> "pd.DataFrame":
    """What the tidy table is made of, with Inspect's frames alone."""
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
    return samples_df(str(folder), columns=columns, quiet=True, parallel=parallel)


def timed(read: Callable[[Path], int]) -> Callable[[Path], dict[str, Any]]:
    """Measure a way of reading: wall time, and CPU time with that of the processes it started."""

    def cpu() -> float:
        return sum(os.times()[:4])

    def measure(folder: Path) -> dict[str, Any]:
        started, used = time.perf_counter(), cpu()
        rows = read(folder)
        steps = {"wall": time.perf_counter() - started, "cpu": cpu() - used}
        return {"rows": rows, "steps": steps}

    return measure


def read_raw(folder: Path) -> int:
    """Parse the summaries and headers as JSON, and drop them."""
    rows = 0
    for file in folder.iterdir():
        with zipfile.ZipFile(file) as log:
            json.loads(log.read("header.json"))
            rows += len(json.loads(log.read("summaries.json")))
    return rows


def read_ours(**options: Any) -> Callable[[Path], int]:
    """Read with ``read_logs``."""

    def read(folder: Path) -> int:
        from vr_evals.analysis import read_logs

        return len(read_logs(folder, **options))

    return read


def read_by_inspect(folder: Path) -> int:
    """Read with ``read_logs``, in which Inspect reads all summaries."""
    from vr_evals.analysis import summaries

    summaries.read_summaries_as_json = lambda _: None
    return read_ours(cache=False)(folder)


WAYS: Mapping[str, Callable[[Path], dict[str, Any]]] = {
    "raw JSON": timed(read_raw),
    "cold, one process": timed(read_ours(cache=False, processes=1)),
    "cold": timed(read_ours(cache=False)),
    "cold, without JSON": timed(read_by_inspect),
    "warm": timed(read_ours()),
    "samples_df": timed(lambda folder: len(read_samples(folder))),
    "samples_df, parallel": timed(lambda folder: len(read_samples(folder, parallel=True))),
}
INSPECT = ("samples_df", "samples_df, parallel")

READERS: Mapping[str, Callable[[Path], dict[str, Any]]] = {
    "ours": ours,
    "by hand": pandas_by_hand,
}


def write_logs(folder: Path, logs: int, items: int, levels: range, full: bool) -> None:
    """Run an eval for each cell and write the copies."""
    file = write_items(Path(tempfile.mkdtemp()) / "items.csv", items)
    runs = [run(file, level, thinking) for level in levels for thinking in (False, True)]
    for number in range(logs):
        model, cell = divmod(number, len(runs))
        target = folder / name_of_copy(runs[cell], number)
        write_copy(runs[cell], target, number, f"vr_sim/m{model}", full)


def name_of_copy(source: Path, number: int) -> str:
    """A name as Inspect gives it: of a file with another, it reads the header to list it."""
    return f"{source.stem[:-4]}{number:04d}{source.suffix}"


def write_items(file: Path, items: int) -> Path:
    """Made-up fables."""
    with file.open("w", encoding="utf-8", newline="") as opened:
        writer = csv.writer(opened)
        letters = [f"option_{letter}" for letter in "abcde"]
        writer.writerow(["id", "fable", *letters, "correct_idx"])
        for i in range(items):
            morals = [f"Moral {letter} of fable {i}, in a few words." for letter in "abcde"]
            writer.writerow([f"fable-{i}", f"Fable {i}. " + "It was so. " * 60, *morals, i % 5])
    return file


def run(file: Path, level: int, thinking: bool) -> Path:
    """One real log."""
    from inspect_ai import eval as inspect_eval

    [log] = inspect_eval(
        f"vr_evals/morables_level{level}" + ("_thinking" if thinking else ""),
        model="vr_sim/careful",
        task_args={"dataset": str(file), "include_confidence": True},
        log_dir=tempfile.mkdtemp(),
        display="none",
        log_realtime=False,
        score_display=False,
    )
    if log.status != "success":
        raise SystemExit(f"the run failed: {log.error}")
    return Path(log.location.removeprefix("file://"))


def write_copy(
    source: Path, target: Path, number: int, model: str, full: bool, offset: int = 0
) -> None:
    """Copy a log as another run, with its full samples as they are or without them.

    Each sample has the scores of the one that stands `offset` after it.
    """

    def other_samples(summaries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        scored = summaries[offset:] + summaries[:offset]
        return [
            one | {"uuid": f"{one['uuid'][:-4]}{number:04d}", "scores": other["scores"]}
            for one, other in zip(summaries, scored, strict=True)
        ]

    def other_run(header: dict[str, Any]) -> dict[str, Any]:
        for name in ("eval_id", "run_id", "task_id"):
            header["eval"][name] = f"{header['eval'][name][:-4]}{number:04d}"
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
