"""Exit codes of the commands, and the one line printed on invalid input."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import click

__all__ = ["is_prerequisite", "exit_on_input_error", "one_line"]


class _InputExit(click.ClickException):
    """An input error that ended a command before it did anything."""

    exit_code = 2


@contextmanager
def exit_on_input_error() -> Iterator[None]:
    """Turn an input error into one line and exit code 2."""
    from vr_evals.errors import InputError

    try:
        yield
    except InputError as error:
        raise _InputExit(error.message) from None
    except Exception as error:
        # what eval_set raises before it runs, among other things
        if not is_prerequisite(error):
            raise
        raise _InputExit(one_line(error)) from None


def is_prerequisite(error: Exception) -> bool:
    """Return whether an error is Inspect's error for a missing prerequisite."""
    return type(error).__name__ == "PrerequisiteError"  # which is not public


def one_line(error: Exception) -> str:
    """Return the message of an error as one line that is safe in a terminal."""
    from rich.errors import MarkupError
    from rich.text import Text

    from vr_evals.terminal import printable

    message = str(getattr(error, "message", error))
    if is_prerequisite(error):  # written for rich
        with suppress(MarkupError):  # of something that it quotes
            message = Text.from_markup(message).plain
    return printable(" ".join(message.split()).removeprefix("ERROR: "))
