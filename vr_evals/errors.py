"""The one exception for input that a person can mend."""

import click

__all__ = ["InputError"]


class InputError(click.ClickException, ValueError):
    """Bad input: a parameter, a file, a row or a log.

    The message is one line that names the thing, what was found and what was wanted. As a
    ``ClickException`` it ends ``inspect`` and ``vr-evals`` with that line and exit code 1.
    """
