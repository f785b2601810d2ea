"""The exception for invalid input."""

from contextlib import suppress
from typing import NoReturn

import click

from vr_evals.terminal import printable, shortened

__all__ = ["InputError", "is_prerequisite", "not_installed", "one_line", "stop"]

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


def not_installed(what: str, package: str, extra: str) -> InputError:
    """Return the error for a package of an extra, with the command that installs it.

    Args:
        what: What needs it.
        package: Its name.
        extra: The extra that brings it.
    """
    return InputError(
        f"{what} needs {package}, which is not installed: pip install '.[{extra}]' in a clone of "
        "vr_evals"
    )


def is_prerequisite(error: Exception) -> bool:
    """Return whether an error is Inspect's error for a missing prerequisite."""
    return type(error).__name__ == "PrerequisiteError"  # which is not public


def one_line(error: Exception) -> str:
    """Return the message of an error as one line that is safe in a terminal."""
    from rich.errors import MarkupError
    from rich.text import Text

    message = str(getattr(error, "message", error))
    if is_prerequisite(error):  # written for rich
        with suppress(MarkupError):  # of something that it quotes
            message = Text.from_markup(message).plain
    return printable(" ".join(message.split()).removeprefix("ERROR: "))


def stop(message: str) -> NoReturn:
    """Raise an `InputError` in a run so that Inspect shows it without a traceback.

    Raises:
        InputError: Always. Inspect prints errors of samples with rich, which omits the frames up to
            a guard: here, all of them. The log contains the full traceback, but not that of an
            error that this one replaces.
    """
    _rich_traceback_guard = True
    raise InputError(message) from None
