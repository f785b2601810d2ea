"""Runs of ETHICS level 5 that can be disturbed and gone on with, and what is left of them."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pandas as pd
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from benchmarks.faulty_provider import PATIENCE, Provider
from vr_evals.analysis import read_logs

__all__ = ["Difference", "Done", "Left", "Run", "Size", "Way", "compare", "finish", "left"]

Way = Literal["eval-retry", "eval-set", "vr-evals-run"]
"""How a run is gone on with; ``eval-retry`` goes on with ``inspect eval``."""

_ROOT = Path(__file__).parents[1]
_MODEL = "anthropic/claude-sonnet-4-5"


@dataclass(frozen=True)
class Done:
    """A command that ended.

    Attributes:
        code: Its exit code; negative for a signal.
        shown: All that it wrote.
    """

    code: int
    shown: str


@dataclass(frozen=True)
class Size:
    """How large a run is.

    Attributes:
        items: Items.
        epochs: Repetitions of each.
    """

    items: int = 12
    epochs: int = 2

    @property
    def samples(self) -> int:
        """How many samples it has."""
        return self.items * self.epochs


@dataclass(frozen=True)
class Run:
    """A run, and a folder in which its user types commands.

    Attributes:
        folder: The folder.
        provider: Where the model is served.
        way: How it is started and gone on with.
        size: How large it is.
        flags: Flags of Inspect.
    """

    folder: Path
    provider: Provider
    way: Way
    size: Size = Size()
    flags: tuple[str, ...] = ()

    @property
    def logs(self) -> Path:
        """The folder of logs."""
        return self.folder / "logs"

    @property
    def data(self) -> Path:
        """Where Inspect keeps what it has not yet written to a log."""
        return self.folder / "data" / "inspect_ai"

    @property
    def command(self) -> list[str]:
        """What the user types."""
        start = {
            "eval-retry": "inspect eval vr_evals/ethics_level5",
            "eval-set": "inspect eval-set vr_evals/ethics_level5 --retry-attempts 2",
            "vr-evals-run": "vr-evals run --benchmark ethics --levels 5 --retry-attempts 2",
        }
        return [
            *start[self.way].split(),
            *("-T", "dataset=sample", "-T", f"items={self.size.items}"),
            *("-T", "include_confidence=true", "--epochs", str(self.size.epochs)),
            *("--model", _MODEL, "--max-connections", "4", "--log-dir", str(self.logs)),
            *("--display", "plain", *self.flags),
        ]

    def start(self, dying: tuple[str, int] | None = None) -> "subprocess.Popen[str]":
        """Start it.

        Args:
            dying: When it kills itself; see ``dying.py``.
        """
        return self._start(self.command, dying)

    def complete(self, dying: tuple[str, int] | None = None) -> Done:
        """Run it to its end."""
        return finish(self.start(dying))

    def go_on(self) -> Done | None:
        """Go on with it; None where there is nothing to go on with."""
        if self.way != "eval-retry":
            return self.complete()
        logs = headers(self.logs)
        if not logs:
            return self.complete()
        if logs[-1].status == "success":
            return None
        words = ("inspect", "eval-retry", logs[-1].location, "--log-dir", str(self.logs))
        return finish(self._start([*words, "--display", "plain"]))

    def _start(
        self, words: list[str], dying: tuple[str, int] | None = None
    ) -> "subprocess.Popen[str]":
        self.logs.mkdir(parents=True, exist_ok=True)
        command = [str(Path(sys.executable).with_name(words[0])), *words[1:]]
        if dying is not None:
            moment, nth = dying
            command = [sys.executable, "-m", "benchmarks.dying", moment, str(nth), *words]
        variables = {k: v for k, v in os.environ.items() if not k.startswith(("INSPECT_", "ANTHR"))}
        return subprocess.Popen(
            # what is started in the background ignores Ctrl-C, and so do its children
            ["env", "--default-signal=INT", *command],
            cwd=self.folder,
            env={
                **variables,
                "ANTHROPIC_BASE_URL": self.provider.url,
                "ANTHROPIC_API_KEY": "opens-nothing",
                "NO_PROXY": "127.0.0.1",
                "XDG_DATA_HOME": str(self.data.parent),
                "PYTHONPATH": str(_ROOT),
                "COLUMNS": "300",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            start_new_session=True,
        )


def finish(running: "subprocess.Popen[str]") -> Done:
    """Wait for a command, which is killed where it takes too long."""
    try:
        shown, _ = running.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(running.pid, signal.SIGKILL)
        shown, _ = running.communicate()
    return Done(running.returncode, shown)


def headers(logs: Path) -> list[EvalLog]:
    """The headers of the logs in a folder that can be read, the oldest first."""
    found = []
    for info in sorted(list_eval_logs(str(logs)), key=lambda info: info.name):
        with suppress(Exception):  # whatever Inspect's readers make of a broken file
            found.append(read_eval_log(info, header_only=True))
    return found


@dataclass(frozen=True)
class Left:
    """What a folder of logs comes to.

    Attributes:
        rows: The tidy table without what no two runs share.
        figures: Every metric of the logs that are read, by task, scorer and name.
        skipped: Why other logs are not read, by their name.
        notes: What the table says of itself.
    """

    rows: pd.DataFrame
    figures: dict[tuple[str, str, str], float]
    skipped: dict[str, str]
    notes: tuple[str, ...]


_OF_A_RUN = ["seconds", "uuid", "log"]
_KEY = ["model", "task", "sample_id", "epoch"]


def left(logs: Path, *, unfinished: bool = False) -> Left:
    """Read a folder of logs."""
    table = read_logs(logs, unfinished=unfinished)
    figures = {}
    for used in table.attrs["logs"]:
        results = read_eval_log(used["log"], header_only=True).results
        for score in results.scores if results else []:
            for name, metric in score.metrics.items():
                figures[used["task"], score.scorer, name] = metric.value
    return Left(
        rows=table.drop(columns=_OF_A_RUN).sort_values(_KEY, ignore_index=True),
        figures=figures,
        skipped={Path(one["log"]).name: one["reason"] for one in table.attrs["skipped"]},
        notes=tuple(table.attrs["notes"]),
    )


@dataclass(frozen=True)
class Difference:
    """How a folder differs from that of an undisturbed run.

    Attributes:
        lost: Samples that are missing.
        twice: Rows beyond one a sample.
        equal: Whether every row and every metric is the same.
    """

    lost: int
    twice: int
    equal: bool


def compare(disturbed: Left, calm: Left) -> Difference:
    """Compare what is left of a disturbed run with what an undisturbed one comes to."""
    found = list(map(tuple, disturbed.rows[_KEY].to_numpy()))
    wanted = set(map(tuple, calm.rows[_KEY].to_numpy()))
    # as text, for NaN is equal to nothing
    figures = [repr(sorted(one.figures.items())) for one in (disturbed, calm)]
    return Difference(
        lost=len(wanted - set(found)),
        twice=len(found) - len(set(found)),
        equal=disturbed.rows.equals(calm.rows) and figures[0] == figures[1],
    )
