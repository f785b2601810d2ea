"""Commands as a user types them, and what ``vr-evals run`` leaves in a folder."""

import hashlib
from contextlib import suppress
from functools import partial
from pathlib import Path

from click.testing import CliRunner, Result
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from vr_evals.cli import main

__all__ = ["SMALL", "contents", "finished", "logs", "plan", "printed", "ran", "run", "typed"]

SMALL = (
    "--benchmark",
    "ethics",
    "--levels",
    "0",
    "--dataset",
    "sample",
    "--model",
    "vr_sim/careful",
)


def typed(*words: str | Path, **environment: str) -> Result:
    """What comes of words after ``vr-evals``."""
    return CliRunner().invoke(main, [str(word) for word in words], env=environment)


def printed(*words: str | Path, **environment: str) -> str:
    """What a command prints that succeeds."""
    result = typed(*words, **environment)
    assert result.exit_code == 0, (result.output, result.exception)
    return result.output


run = partial(typed, "run")
ran = partial(printed, "run")


def logs(folder: Path, header_only: bool = True) -> list[EvalLog]:
    return [read_eval_log(info, header_only=header_only) for info in list_eval_logs(str(folder))]


def finished(folder: Path) -> list[EvalLog]:
    """The logs that are finished; one that is being written cannot be read."""
    found = []
    for info in list_eval_logs(str(folder)):
        with suppress(Exception):
            found.append(read_eval_log(info, header_only=True))
    return [log for log in found if log.status == "success"]


def contents(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.eval")
    }


def plan(output: str) -> dict[str, list[str]]:
    """The rows of a plan: tasks, samples a task, epochs, models, samples, calls."""
    rows = [line.split() for line in output.splitlines()]
    start = next(i for i, row in enumerate(rows) if row[:1] == ["benchmark"])
    end = next(i for i, row in enumerate(rows) if row[:1] == ["models:"])
    return {row[0]: row[1:] for row in rows[start + 1 : end]}
