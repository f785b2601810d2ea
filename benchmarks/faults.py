"""Inject faults into real runs, and measure lost and duplicate samples and the messages.

    python -m benchmarks.faults [--fault ctrl-c] [--way all] [--folder kept] [--jobs 2]

Run it from the root of the repository. Each fault is injected into a run of ETHICS level 5 (two
calls per sample, by default 12 items × 2 epochs) of the real ``anthropic`` package on a local
server, in a separate process. Then the fault is removed, and the run is resumed: with ``vr-evals
run``, and with ``--way all`` also with ``inspect eval-set`` and ``inspect eval-retry``. The result
of ``read_logs`` is compared with that of a run without faults.

Prints a table in Markdown: samples answered before the fault, samples not asked again, samples
missing at the end, duplicates, whether all rows and metrics equal those of the run without faults,
exit codes, and the last lines of error messages.

Linux only. Faults of a disk mount a tmpfs, which needs root; otherwise they are skipped.
"""

import argparse
import re
import signal
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from threading import Lock
from typing import get_args

from benchmarks.disturbances import (
    becomes_read_only,
    can_mount,
    cut_off,
    disk_full,
    dying,
    hanging,
    move_logs_away,
    of_calls,
    read_only,
    signalled,
    too_many_requests,
    troubled,
    two_at_once,
)
from benchmarks.faulty_provider import Provider
from benchmarks.faulty_runs import Difference, Done, Left, Run, Size, Way, compare, headers, left
from tests.wire.script import DROPPED, Garbage

__all__ = ["FAULTS", "Fault", "Result", "strike", "undisturbed"]

ALL: tuple[Way, ...] = get_args(Way)


@dataclass(frozen=True)
class Fault:
    """A fault.

    Attributes:
        title: What happens.
        disturb: Runs it so that this happens, and mends the world.
        ways: How it is gone on with.
        size: How large the run is.
        flags: Flags of Inspect that the user gave.
        mounts: Whether a file system is mounted.
        mend: What else its user has to do before it can be gone on with, and is told.
    """

    title: str
    disturb: Callable[[Run], Done]
    ways: tuple[Way, ...] = ("eval-retry", "vr-evals-run")
    size: Size = Size()
    flags: tuple[str, ...] = ()
    mounts: bool = False
    mend: Callable[[Run], None] | None = None


@dataclass(frozen=True)
class Result:
    """What became of a run.

    Attributes:
        struck: The command that the fault struck.
        between: What the folder came to then, unfinished runs too; None where no log could be read.
        answered: Samples whose last call had been answered then.
        again: The command that went on, or told what to mend; None where all was done.
        kept: Samples that were not asked again.
        after: What the folder comes to in the end.
        difference: How that differs from an undisturbed run.
    """

    struck: Done
    between: Left | None
    answered: int
    again: Done | None
    kept: int
    after: Left
    difference: Difference


def strike(fault: Fault, way: Way, folder: Path) -> Result:
    """Strike a run, go on with it, and look at what is left.

    Args:
        fault: The fault.
        way: How it is gone on with.
        folder: An empty folder.
    """
    provider = Provider()
    run = Run(folder, provider, way, fault.size, fault.flags)
    struck = fault.disturb(run)
    time.sleep(2 * provider.delay)  # calls of a process that is dead are answered too
    answered = provider.replies["second"]
    between = left(run.logs, unfinished=True) if headers(run.logs) else None
    again = run.go_on()
    if fault.mend and again and again.code:
        fault.mend(run)
        run.go_on()
    provider.close()
    after = left(run.logs)
    return Result(
        struck=struck,
        between=between,
        answered=answered,
        again=again,
        kept=fault.size.samples - (provider.replies["second"] - answered),
        after=after,
        difference=compare(after, undisturbed(fault.size)),
    )


_ONE_AT_A_TIME = Lock()


def undisturbed(size: Size) -> Left:
    """What an undisturbed run comes to."""
    with _ONE_AT_A_TIME:
        return _undisturbed(size)


@lru_cache
def _undisturbed(size: Size) -> Left:
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder), Provider(), "eval-retry", size)
        done = run.complete()
        run.provider.close()
        found = left(run.logs)
    if len(found.rows) != size.samples:
        raise RuntimeError(done.shown)
    return found


KILL, CTRL_C = signal.SIGKILL, signal.SIGINT
OFTEN = ("--log-buffer", "5")
"""A log is written after each five samples, beside the first and the last time."""

FAULTS = {
    "kill-first-pass": Fault(
        "kill −9 in a first pass",
        partial(signalled, which="first", nth=15, signals=[KILL]),
        ALL,
    ),
    "kill-between": Fault(
        "kill −9 between the passes",
        partial(signalled, which="second", nth=9, signals=[KILL]),
        ALL,
    ),
    "kill-scoring": Fault("kill −9 while scoring", partial(dying, moment="scoring", nth=9), ALL),
    "kill-writing": Fault(
        "kill −9 while the log is written, in the middle",
        partial(dying, moment="writing", nth=3),
        ALL,
        flags=OFTEN,
    ),
    "kill-at-the-end": Fault(
        "kill −9 while the log is written for the last time",
        partial(dying, moment="writing", nth=6),
        ALL,
        flags=OFTEN,
    ),
    "log-cut-off": Fault(
        "a killed run's log cut off in the middle",
        partial(cut_off, part=0.5),
        ALL,
        mend=move_logs_away,
    ),
    "log-empty": Fault("a killed run's log emptied", partial(cut_off, part=0), mend=move_logs_away),
    "disk-full": Fault(
        "logs on a disk of 100 kB",
        partial(disk_full, folder=lambda run: run.logs, size="100k"),
        ALL,
        flags=OFTEN,
        mounts=True,
    ),
    "disk-full-data": Fault(
        "Inspect's own data on a disk of 300 kB",
        partial(disk_full, folder=lambda run: run.data, size="300k"),
        mounts=True,
    ),
    "read-only": Fault("a read-only folder of logs", read_only, mounts=True),
    "becomes-read-only": Fault(
        "a folder of logs that becomes read-only in the middle",
        becomes_read_only,
        flags=OFTEN,
        mounts=True,
    ),
    "hangs-at-times": Fault(
        "each fifth of the first 20 calls hangs; `--attempt-timeout 2`",
        partial(troubled, trouble=of_calls(hanging, lambda nth: nth % 5 == 0 and nth <= 20)),
        flags=("--attempt-timeout", "2"),
    ),
    "hangs": Fault(
        "every call from the 9th on hangs; `--attempt-timeout 2 --timeout 4`",
        partial(troubled, trouble=of_calls(hanging, lambda nth: nth >= 9)),
        ALL,
        flags=("--attempt-timeout", "2", "--timeout", "4"),
    ),
    "resets-at-times": Fault(
        "each fifth connection is reset",
        partial(troubled, trouble=of_calls(lambda: DROPPED, lambda nth: nth % 5 == 0)),
    ),
    "resets": Fault(
        "every connection from the 9th on is reset; `--max-retries 1`",
        partial(troubled, trouble=of_calls(lambda: DROPPED, lambda nth: nth >= 9)),
        flags=("--max-retries", "1"),
    ),
    **{
        f"garbage-{name}": Fault(
            f"every reply from the 9th on is {what}",
            partial(troubled, trouble=of_calls(partial(Garbage, body), lambda nth: nth >= 9)),
        )
        for name, what, body in (
            ("page", "a web page", "<html>Bad gateway</html>"),
            ("half", "half a JSON text", '{"id": "msg_1", "type": "mess'),
            ("empty", "`{}`", "{}"),
        )
    },
    "429": Fault(
        "429 for a minute",
        partial(troubled, trouble=lambda: too_many_requests(60)),
        ("vr-evals-run",),
    ),
    "two-at-once": Fault("the same command in another terminal meanwhile", two_at_once, ALL),
    "max-samples": Fault(
        "640 samples, `--max-samples 500 --max-connections 500`; kill −9 in the 600th second pass",
        partial(signalled, which="second", nth=600, signals=[KILL]),
        ("vr-evals-run",),
        Size(items=32, epochs=20),
        ("--max-samples", "500", "--max-connections", "500"),
    ),
    "epochs": Fault(
        "`--epochs 20`; kill −9 in the middle",
        partial(signalled, which="second", nth=60, signals=[KILL]),
        size=Size(items=6, epochs=20),
    ),
    "ctrl-c": Fault("Ctrl-C", partial(signalled, which="second", nth=9, signals=[CTRL_C]), ALL),
    "ctrl-c-twice": Fault(
        "Ctrl-C twice", partial(signalled, which="second", nth=9, signals=[CTRL_C] * 2), ALL
    ),
}

_HEAD = (
    *("fault", "gone on with", "answered", "kept", "lost", "twice", "equal"),
    *("codes", "told", "then"),
)
_NAMES_A_FAULT = re.compile(r"(?:Error|ERROR|error|nterrupted|stopped|Did not)\b")


def told(done: Done | None) -> str:
    """The last lines that name a fault."""
    lines = [line.strip() for line in done.shown.splitlines()] if done else []
    found = [line for line in lines if _NAMES_A_FAULT.search(line)]
    return " ⏎ ".join(line[:160].replace("|", "/") for line in list(dict.fromkeys(found))[-2:])


def main() -> None:
    """Strike, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fault", action="append", choices=FAULTS, help="a fault; repeatable")
    parser.add_argument("--way", choices=[*ALL, "all"], default="vr-evals-run")
    parser.add_argument("--folder", type=Path, help="keep logs and output here")
    parser.add_argument("--jobs", type=int, default=2, help="concurrent runs")
    options = parser.parse_args()
    mounts = can_mount()
    tries = [
        (name, way)
        for name in options.fault or FAULTS
        for way in FAULTS[name].ways
        if options.way in (way, "all") and (mounts or not FAULTS[name].mounts)
    ]
    if not mounts:
        print("no file system can be mounted: faults of a disk are left out\n")
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(options.jobs) as pool:
        folder = (options.folder or Path(temporary)).absolute()
        for cells in (_HEAD, ["---"] * len(_HEAD)):
            print(f"| {' | '.join(cells)} |")
        for line in pool.map(partial(_line, folder), *zip(*tries, strict=True)):
            print(line, flush=True)


def _line(folder: Path, name: str, way: Way) -> str:
    fault, place = FAULTS[name], folder / name / way
    place.mkdir(parents=True)
    result = strike(fault, way, place)
    (place / "struck.txt").write_text(result.struck.shown, encoding="utf-8")
    if result.again:
        (place / "again.txt").write_text(result.again.shown, encoding="utf-8")
    differs, again = result.difference, "–" if result.again is None else result.again.code
    cells = [
        fault.title,
        f"`{way.replace('evals-', 'evals ')}`",
        result.answered,
        result.kept,
        differs.lost,
        differs.twice,
        "yes" if differs.equal else "**no**",
        f"{result.struck.code}, {again}",
        told(result.struck),
        told(result.again),
    ]
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main()
