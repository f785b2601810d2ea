"""Parse options typed on the command line."""

from collections.abc import Iterable

import click

__all__ = ["assignments"]


def assignments(option: str, given: Iterable[str]) -> dict[str, str]:
    """Parse a repeated ``name=value`` option; the last value of a name wins.

    Args:
        option: The option, for the error.
        given: Its values, as typed.

    Raises:
        click.BadParameter: One of them is not ``name=value``.
    """
    found = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not (name.strip() and equals):
            raise click.BadParameter(
                f"invalid value {text!r}: expected name=value", param_hint=option
            )
        # Inspect accepts include-confidence for include_confidence too
        found[name.strip().replace("-", "_")] = value
    return found
