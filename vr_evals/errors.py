"""The exception for invalid input."""

from typing import NoReturn

import click

from vr_evals.terminal import printable, shortened

__all__ = ["InputError", "stop"]

_MAX_CHARACTERS = 2000
"""Limit of a message."""


class InputError(click.ClickException, ValueError):
    """Invalid input: a parameter, a file, a row or a log.

    The message is one line with the thing, what was found and what was expected. As a
    ``ClickException`` it ends ``inspect`` and ``vr-evals`` with that line and exit code 1. Messages
    may quote files: control characters are escaped as in `printable`, and the middle of a very long
    message is omitted.
    """

    def __init__(self, message: str) -> None:
        super().__init__(shortened(printable(message), _MAX_CHARACTERS))


def stop(message: str) -> NoReturn:
    """Raise an `InputError` in a run so that Inspect shows it without a traceback.

    Raises:
        InputError: Always. Inspect prints errors of samples with rich, which omits the frames up to
            a guard: here, all of them. The log contains the full traceback, but not that of an
            error that this one replaces.
    """
    _rich_traceback_guard = True
    raise InputError(message) from None
