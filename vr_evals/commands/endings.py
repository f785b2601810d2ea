"""How a command ends: its exit code, and one line where it could not do what was asked."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import click

__all__ = ["is_prerequisite", "nothing_done", "one_line"]


class _NothingDone(click.ClickException):
    """What kept a command from doing anything."""

    exit_code = 2


@contextmanager
def nothing_done() -> Iterator[None]:
    """Make one line and exit code 2 of what keeps a command from doing anything."""
    from vr_evals.errors import InputError

    try:
        yield
    except InputError as error:
        raise _NothingDone(error.message) from None
    except Exception as error:
        # what eval_set raises before it runs, among other things
        if not is_prerequisite(error):
            raise
        raise _NothingDone(one_line(error)) from None


def is_prerequisite(error: Exception) -> bool:
    """Whether Inspect says with an error that something is missing for a run."""
    return type(error).__name__ == "PrerequisiteError"  # which is not public


def one_line(error: Exception) -> str:
    """The message of an error in one line, fit for a terminal."""
    from rich.errors import MarkupError
    from rich.text import Text

    from vr_evals.terminal import printable

    said = str(getattr(error, "message", error))
    if is_prerequisite(error):  # written for rich
        with suppress(MarkupError):  # of something that it quotes
            said = Text.from_markup(said).plain
    return printable(" ".join(said.split()).removeprefix("ERROR: "))
