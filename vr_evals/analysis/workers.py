"""Calls a function in several processes.

A process has all its tasks from the beginning and ends with the last, so that none waits for more
if the process that started it is killed.
"""

import multiprocessing
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from vr_evals.cpus import usable_cpus

__all__ = ["default_processes", "in_processes"]

Task = TypeVar("Task")
Result = TypeVar("Result")


def default_processes() -> int:
    """Return the number of processes that any script can start without harm.

    Where processes cannot be forked, each runs the user's script again, which only a script that
    expects it survives. On macOS, forking is possible but not safe.
    """
    return usable_cpus() if sys.platform == "linux" else 1


def in_processes(
    function: Callable[[Task], Result], tasks: Sequence[Task], count: int
) -> Iterator[Result]:
    """Yield the results of tasks, in the order in which they are done.

    The tasks of a process that dies, e.g. for lack of memory, have no result.

    Args:
        function: A function of a module. It must not raise.
        tasks: The tasks, the longest first.
        count: How many processes are started at most.
    """
    context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    processes: list[Any] = []
    open_ends: list[Any] = []
    try:
        for place in range(min(count, len(tasks))):
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(
                target=_work,
                args=(theirs, function, tasks[place::count], os.getpid()),
                daemon=True,
            )
            with warnings.catch_warnings():
                # on threads, which may hold locks: what the processes use of Python takes none
                warnings.simplefilter("ignore", DeprecationWarning)
                process.start()
            theirs.close()
            processes.append(process)
            open_ends.append(ours)
        while open_ends:
            ready: Any
            for ready in wait(open_ends):
                try:
                    yield ready.recv()
                except EOFError:
                    open_ends.remove(ready)
    finally:
        for process in processes:
            process.kill()
            process.join()


def _work(
    results: "Connection[Result, Any]",
    function: Callable[[Task], Result],
    tasks: Sequence[Task],
    parent: int,
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    for task in tasks:
        if os.getppid() != parent:
            return
        results.send(function(task))
