"""The one exception for input that a person can mend."""

from typing import NoReturn

import click

from vr_evals.terminal import printable, shortened

__all__ = ["InputError", "stop"]

_LONGEST = 2000
"""Characters of a message."""


class InputError(click.ClickException, ValueError):
    """Bad input: a parameter, a file, a row or a log.

    The message is one line that names the thing, what was found and what was wanted. As a
    ``ClickException`` it ends ``inspect`` and ``vr-evals`` with that line and exit code 1. What it
    quotes of a file may be anything: it is written out as `printable` does, and the middle of a
    very long message is left out.
    """

    def __init__(self, message: str) -> None:
        super().__init__(shortened(printable(message), _LONGEST))


def stop(message: str) -> NoReturn:
    """Raise an `InputError` from within a run, where Inspect would show it below a traceback.

    Raises:
        InputError: Always. Inspect shows the error of a sample by means of rich, which leaves out
            the frames up to a guard: here, all of them. The log keeps the whole traceback, but not
            that of an error in whose place this one is raised.
    """
    _rich_traceback_guard = True
    raise InputError(message) from None
