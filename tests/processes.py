"""Processes that tests start: none is waited for without end, none outlives its test."""

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["MARK", "PATIENCE", "completed", "kill", "started", "survivors"]

PATIENCE = 600.0
"""Seconds that a process may take on a machine that is busy with other things."""

MARK = "VR_EVALS_TESTED_BY"
"""A variable that whatever tests start inherits; its value is the id of the process they run in."""

_HELPERS = ("resource_tracker", "multiprocessing.forkserver")
"""What Python itself starts, and ends with the process that it serves."""


@contextlib.contextmanager
def started(
    command: Sequence[str | Path], *, patience: float = PATIENCE, **options: Any
) -> Iterator[subprocess.Popen[str]]:
    """Start a command in a group of its own, which is killed at the end.

    Args:
        command: The program and its arguments.
        patience: Seconds until it is killed in any case, so that no read or wait is without end.
        options: As ``subprocess.Popen`` takes them.
    """
    process = subprocess.Popen(command, text=True, start_new_session=True, **options)
    clock = threading.Timer(patience, kill, [process])
    clock.daemon = True
    clock.start()
    try:
        with process:
            try:
                yield process
            finally:
                kill(process)
    finally:
        clock.cancel()


def kill(process: subprocess.Popen[str]) -> None:
    """Kill a process and all of its group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def completed(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    input: str | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, with its output; what it leaves running is killed."""
    pipe = subprocess.PIPE
    streams = {"stdin": pipe, "stdout": pipe, "stderr": pipe}
    with started(command, cwd=cwd, env=env, **streams) as process:
        out, error = process.communicate(input or "", timeout=PATIENCE)
        return subprocess.CompletedProcess(command, process.returncode, out, error)


def survivors(seconds: float) -> dict[int, str]:
    """Processes that tests started and that still run.

    Args:
        seconds: How long they may take to end.

    Returns:
        Their commands by their ids; empty where there is no ``/proc``.
    """
    deadline = time.monotonic() + seconds
    while (found := dict(_running())) and time.monotonic() < deadline:
        time.sleep(0.1)
    return found


def _running() -> Iterator[tuple[int, str]]:
    mark = f"{MARK}={os.getpid()}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        # other people's cannot be read; one that ended has no environment
        with contextlib.suppress(OSError):
            command = (
                (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            )
            marked = mark in (folder / "environ").read_bytes().split(b"\0")
            parent = (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[1]
            ours = marked or parent == str(os.getpid())
            if command and ours and not any(helper in command for helper in _HELPERS):
                yield int(folder.name), command.strip()
