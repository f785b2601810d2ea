"""Exit codes of the commands, and the one line printed on invalid input."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

__all__ = ["exit_on_input_error"]


class _InputExit(click.ClickException):
    """An input error that ended a command before it did anything."""

    exit_code = 2


@contextmanager
def exit_on_input_error() -> Iterator[None]:
    """Turn an input error into one line and exit code 2."""
    from vr_evals.errors import InputError, is_prerequisite, one_line

    try:
        yield
    except InputError as error:
        raise _InputExit(error.message) from None
    except Exception as error:
        # what eval_set raises before it runs, among other things
        if not is_prerequisite(error):
            raise
        raise _InputExit(one_line(error)) from None
