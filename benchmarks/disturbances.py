"""How a run is disturbed. Each function runs it to its end, and mends the world again."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.faulty_provider import Pass
from benchmarks.faulty_runs import Done, Run, finish
from tests.wire.script import DROPPED, Answer, Failure

__all__ = [
    "becomes_read_only",
    "can_mount",
    "cut_off",
    "disk_full",
    "dying",
    "hanging",
    "move_logs_away",
    "of_calls",
    "read_only",
    "signalled",
    "too_many_requests",
    "troubled",
    "two_at_once",
]

Trouble = Callable[[int], Answer | None]
"""What is answered to the nth call in place of a reply; None is the reply."""


def signalled(run: Run, which: Pass, nth: int, signals: Sequence[signal.Signals]) -> Done:
    """Send signals when it asks for the nth first or second pass."""
    run.provider.hold(which, nth)
    running = run.start()
    run.provider.wait()
    for one in signals:
        os.killpg(running.pid, one)
        time.sleep(0.3)
    done = finish(running) if signal.SIGKILL in signals else None
    run.provider.release()
    return done or finish(running)


def dying(run: Run, moment: str, nth: int) -> Done:
    """Let it kill itself at a moment that no one else can see."""
    return run.complete((moment, nth))


def cut_off(run: Run, part: float) -> Done:
    """Kill it, and keep only the first part of its log."""
    done = signalled(run, "second", 15, [signal.SIGKILL])
    [log] = run.logs.glob("*.eval")
    data = log.read_bytes()
    log.write_bytes(data[: int(len(data) * part)])
    return done


def move_logs_away(run: Run) -> None:
    """Do what is said of a log that cannot be read."""
    for log in run.logs.glob("*.eval"):
        log.rename(run.folder / log.name)


def two_at_once(run: Run) -> Done:
    """Start it again in another terminal while it runs."""
    run.provider.delay = 1
    run.provider.hold("first", 1)
    first = run.start()
    run.provider.wait()
    run.provider.release()
    second = run.start()
    done = [finish(first), finish(second)]
    run.provider.delay = 0
    return Done(max(one.code for one in done), "\n".join(one.shown for one in done))


def troubled(run: Run, trouble: Callable[[], Trouble]) -> Done:
    """Run it with a provider that is in trouble, and well afterwards."""
    run.provider.trouble = trouble()
    done = run.complete()
    run.provider.trouble = lambda nth: None
    return done


def of_calls(answer: Callable[[], Answer], which: Callable[[int], bool]) -> Callable[[], Trouble]:
    """Trouble with some calls."""
    return lambda: lambda nth: answer() if which(nth) else None


def hanging() -> Answer:
    """Say nothing for a long time."""
    time.sleep(20)
    return DROPPED


def too_many_requests(seconds: float) -> Trouble:
    """429 from the ninth call on, until some seconds later."""
    started: list[float] = []

    def answer(nth: int) -> Answer | None:
        if nth == 9:
            started.append(time.monotonic())
        over = not started or time.monotonic() > started[0] + seconds
        return None if over else Failure(429, "slow down")

    return answer


def can_mount() -> bool:
    """Whether a file system can be mounted here."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            with _mounted(Path(folder), "size=1m"):
                return True
        except (OSError, subprocess.CalledProcessError):
            return False


@contextmanager
def _mounted(folder: Path, options: str) -> Iterator[None]:
    """A tmpfs; what was in it stays when it is gone."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    with tempfile.TemporaryDirectory() as kept:
        try:
            yield
        finally:
            subprocess.run(["cp", "-a", f"{folder}/.", kept], check=True)
            subprocess.run(["umount", str(folder)], check=True)
            subprocess.run(["cp", "-a", f"{kept}/.", str(folder)], check=True)


def disk_full(run: Run, folder: Callable[[Run], Path], size: str) -> Done:
    """Run it with a folder on a small disk."""
    with _mounted(folder(run), f"size={size}"):
        return run.complete()


def read_only(run: Run) -> Done:
    """Run it where no log can be written."""
    with _mounted(run.logs, "ro"):
        return run.complete()


def becomes_read_only(run: Run) -> Done:
    """Make the folder of logs read-only in the middle."""
    with _mounted(run.logs, "size=64m"):
        run.provider.hold("second", 13)
        running = run.start()
        run.provider.wait()
        subprocess.run(["mount", "-o", "remount,ro", str(run.logs)], check=True)
        run.provider.release()
        return finish(running)
