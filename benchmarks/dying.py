"""A command that is killed, as by ``kill -9``, at a moment that only the command itself knows.

    python -m benchmarks.dying scoring 5 inspect eval ...
    python -m benchmarks.dying writing 2 vr-evals run ...

``scoring 5`` is when the fifth sample is about to be scored, ``writing 2`` when the second version
of a log has been written beside the first and is about to take its place.
"""

import os
import signal
import sys
from importlib.metadata import entry_points
from itertools import count

from inspect_ai.hooks import Hooks, SampleScoring, hooks

__all__ = ["die_while_scoring", "die_while_writing"]


def die_while_scoring(nth: int) -> None:
    """Die when the nth sample is about to be scored."""
    counted = count(1)

    class Dying(Hooks):
        async def on_sample_scoring(self, data: SampleScoring) -> None:
            if next(counted) == nth:
                _die()

    hooks("dying", "dies while it scores")(Dying)


def die_while_writing(nth: int) -> None:
    """Die when the nth version of a log is about to take the last one's place."""
    counted = count(1)

    def watch(event: str, args: tuple[object, ...]) -> None:
        # Inspect writes a file beside the log, then renames it
        if event == "os.rename" and str(args[1]).endswith(".eval") and next(counted) == nth:
            _die()

    sys.addaudithook(watch)


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    """Run a command of this environment."""
    moment, nth, command, *words = sys.argv[1:]
    {"scoring": die_while_scoring, "writing": die_while_writing}[moment](int(nth))
    [found] = entry_points(group="console_scripts", name=command)
    sys.argv = [command, *words]
    found.load()()


if __name__ == "__main__":
    main()
