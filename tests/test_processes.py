"""The watch over processes: what a test leaves running is found, and ended."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import completed, started, survivors

SLEEP = "import time; time.sleep(600)"


def forget(options: str = "") -> str:
    """A script that starts another, says its id, and does not wait for it."""
    return f"""
import subprocess, sys
quiet = subprocess.DEVNULL
command = [sys.executable, "-c", {SLEEP!r}]
print(subprocess.Popen(command, stdout=quiet, stderr=quiet, {options}).pid)
"""


needs_proc = pytest.mark.skipif(not Path("/proc/self").exists(), reason="no /proc")


@needs_proc
def test_what_outlives_its_starter_is_found() -> None:
    forgotten = int(completed([sys.executable, "-c", forget("start_new_session=True")]).stdout)
    try:
        assert SLEEP in survivors(0)[forgotten]
    finally:
        os.kill(forgotten, signal.SIGKILL)
    assert forgotten not in survivors(60)


@needs_proc
def test_what_a_command_leaves_is_ended_with_it() -> None:
    left = int(completed([sys.executable, "-c", forget()]).stdout)
    assert left not in survivors(60)


def test_an_interrupt_reaches_what_tests_start_in_the_background_too() -> None:
    """A shell's background job ignores it, and so would all that it starts."""
    script = f"print('started', flush=True); {SLEEP}"
    with started([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == "started\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == -signal.SIGINT
