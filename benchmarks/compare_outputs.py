"""What a change of the code makes of its numbers: none, if only words and names were to change.

    python benchmarks/compare_outputs.py logs FOLDER [--items 8]
    python benchmarks/compare_outputs.py dump LOGS FOLDER
    python benchmarks/compare_outputs.py compare BEFORE AFTER

``logs`` runs a small grid of both paradigms on `vr_sim`. ``dump`` writes, with the vr_evals that is
installed: the tidy table, every frame of the public functions of `vr_evals.analysis` and of the
report as .csv, and the report as .html. ``compare`` prints how two such folders differ: values,
columns or metrics that were renamed, added or dropped, and by section the numbers in the report's
text and in its charts. It ends with 1 if a value differs.
"""

import argparse
import html
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from inspect import signature
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pandas as pd

LEVELS = ("--levels", "0,1,2,5", "--thinking", "both", "-T", "include_confidence=true")
ORDERS = ("-T", "option_order=both", "--epochs", "3")
RUNS: Mapping[str, tuple[str, ...]] = {
    "levels": ("--benchmark", "all", *LEVELS, "--model", "vr_sim/careful"),
    "sloppy": ("--benchmark", "ethics", *LEVELS, "--model", "vr_sim/sloppy", "--epochs", "2"),
    "standalone": ("--benchmark", "ethics", "--levels", "5", "--model", "vr_sim/careful")
    + ("-T", "include_confidence=true", "-T", "second_pass=standalone"),
    "temperature": ("--benchmark", "ethics", "--levels", "2", "--model", "vr_sim/impulsive"),
    "warm": ("--benchmark", "ethics", "--levels", "0", "--model", "vr_sim/impulsive")
    + ("--temperature", "0.5"),
    "orders": ("--benchmark", "moralchoice", "--levels", "0", *ORDERS)
    + ("--model", "vr_sim/careful", "--model", "vr_sim/always_a"),
    "authority": ("--benchmark", "morables", "--paradigm", "authority", "--epochs", "3")
    + ("--model", "vr_sim/careful", "--model", "vr_sim/yes_man"),
    "crossed": ("--benchmark", "moralchoice", "--paradigm", "authority", "--epochs", "2")
    + ("--model", "vr_sim/yes_man", "--levels", "0,2", "-T", "include_confidence=true"),
}
"""Folders of logs, and what `vr-evals run` is given for each."""

_NUMBER = re.compile(r"(?<![\w.])[-+−]?\d+(?:,\d{3})*(?:\.\d+)?%?")
_SHOWN = 12
"""Differences of a kind that are printed."""


def main() -> None:
    """Do what the first argument says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    modes = parser.add_subparsers(dest="mode", required=True)
    for mode, folders in (
        ("logs", ("folder",)),
        ("dump", ("logs", "folder")),
        ("compare", ("before", "after")),
    ):
        added = modes.add_parser(mode)
        for folder in folders:
            added.add_argument(folder, type=Path)
        if mode == "logs":
            added.add_argument("--items", type=int, default=8)
    options = parser.parse_args()
    if options.mode == "logs":
        make_logs(options.folder, options.items)
    elif options.mode == "dump":
        dump(options.logs, options.folder)
    else:
        sys.exit(compare(options.before, options.after))


def make_logs(folder: Path, items: int) -> None:
    """Run the grid."""
    for name, words in RUNS.items():
        command = [str(Path(sys.executable).with_name("vr-evals")), "run", *words]
        command += ["--dataset", "sample", "-T", f"items={items}", "--log-dir", str(folder / name)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def dump(logs: Path, folder: Path) -> None:
    """Write every table and number that is made of some logs."""
    from vr_evals import analysis
    from vr_evals.report import page as report_page
    from vr_evals.report.results import compute

    folder.mkdir(parents=True, exist_ok=True)
    rows = analysis.read_logs(str(logs))
    frames = {"rows": rows}
    for name in analysis.__all__:
        made = getattr(analysis, name)
        if callable(made) and "table" in list(signature(made).parameters)[:1]:
            frames[f"analysis-{name}"] = made(rows)
    results = compute(rows)
    frames |= {f"report-{name}": frame for name, frame in results.frames.items()}
    for name, frame in frames.items():
        frame.to_csv(folder / f"{name}.csv", index=False)
    with patch.object(report_page, "compute", return_value=results):  # so it is computed once
        page = report_page.render(rows)
    (folder / "page.html").write_text(page, encoding="utf-8")
    print(f"{len(frames)} frames, {len(rows)} samples, {len(page):,} characters of the page")


def _sections(page: str) -> Iterator[tuple[str, str]]:
    """The anchor and the HTML of each section but the methods, which have no result."""
    for section in re.findall(r"<section .*?</section>", page, re.DOTALL):
        [anchor] = re.findall(r'\A<section id="([^"]+)"', section)
        if anchor != "methods":
            yield anchor, section


def _texts(page: str) -> Iterator[tuple[str, list[str]]]:
    """The numbers that each section's text and tables show, sorted."""
    for anchor, section in _sections(page):
        bare = re.sub(r"<figure .*?</figure>", " ", section, flags=re.DOTALL)
        yield anchor, sorted(_NUMBER.findall(html.unescape(re.sub(r"<[^>]+>", " ", bare))))


def _charts(page: str) -> Iterator[tuple[str, list[list[str]]]]:
    """The numbers that place the marks of each chart of a section."""
    for anchor, section in _sections(page):
        charts = re.findall(r"<svg [^>]*role=\"img\".*?</svg>", section, re.DOTALL)
        yield (
            anchor,
            [
                [number for path in re.findall(r' d="([^"]+)"', chart) for number in _split(path)]
                for chart in charts
            ],
        )


def _split(path: str) -> list[str]:
    return re.findall(r"-?\d+(?:\.\d+)?", path)


def compare(before: Path, after: Path) -> bool:
    """Print how two dumps differ, and return whether a value does."""
    differs = False
    old, new = ({path.stem for path in each.glob("*.csv")} for each in (before, after))
    for name in sorted(old ^ new):
        print(f"{name}: {'dropped' if name in old else 'added'}")
    for name in sorted(old & new):
        frames = [pd.read_csv(each / f"{name}.csv", dtype=str) for each in (before, after)]
        differs |= _print(name, _differences(*(each.fillna("") for each in frames)))
    pages = [(each / "page.html").read_text(encoding="utf-8") for each in (before, after)]
    texts, charts = ([dict(read(page)) for page in pages] for read in (_texts, _charts))
    for anchor, numbers in texts[0].items():
        differs |= _print(f"{anchor}, text", _of_numbers(numbers, texts[1].get(anchor, [])))
    for anchor, drawn in charts[0].items():
        differs |= _print(f"{anchor}, charts", _of_charts(drawn, charts[1].get(anchor, [])))
    print("values differ" if differs else "no value differs")
    return differs


def _print(name: str, found: Iterator[tuple[bool, str]]) -> bool:
    listed = list(found)
    for _, line in listed[:_SHOWN]:
        print(f"{name}: {line}")
    if len(listed) > _SHOWN:
        print(f"{name}: and {len(listed) - _SHOWN} more")
    return any(matters for matters, _ in listed)


def _differences(old: pd.DataFrame, new: pd.DataFrame) -> Iterator[tuple[bool, str]]:
    """Lines on two frames, and whether each is about a value."""
    if len(old) != len(new):
        yield True, f"{len(old)} rows before, {len(new)} after"
        return
    dropped = [name for name in old if name not in new]
    added = [name for name in new if name not in old]
    for name in dropped:
        same = [other for other in added if old[name].equals(new[other].rename(name))]
        if same:
            added.remove(same[0])
        yield not same, f"column {name} " + (f"renamed {same[0]}" if same else "dropped")
    for name in added:
        yield False, f"column {name} added"
    for name in old.columns.intersection(new.columns):
        unlike = old[name] != new[name]
        pairs: Counter[tuple[Any, Any]] = Counter(
            zip(old.loc[unlike, name], new.loc[unlike, name], strict=True)
        )
        words = name in ("metric", "note", "condition", "comparison", "sample_id", "version")
        for (value, other), n in pairs.items():
            yield not words, f"{name}: {value!r} is now {other!r} ({n} rows)"


def _of_numbers(old: list[str], new: list[str]) -> Iterator[tuple[bool, str]]:
    gone, come = Counter(old) - Counter(new), Counter(new) - Counter(old)
    if gone:
        yield True, f"gone: {', '.join(sorted(gone.elements()))}"
    if come:
        yield True, f"new: {', '.join(sorted(come.elements()))}"


def _of_charts(old: list[list[str]], new: list[list[str]]) -> Iterator[tuple[bool, str]]:
    if len(old) != len(new):
        yield True, f"{len(old)} charts before, {len(new)} after"
    for place, (first, second) in enumerate(zip(old, new, strict=False)):
        if first != second:
            yield True, f"chart {place + 1}: marks or axes stand elsewhere"


if __name__ == "__main__":
    main()
