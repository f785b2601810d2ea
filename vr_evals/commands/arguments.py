"""Parse values typed on the command line."""

from collections.abc import Iterable, Iterator
from typing import Any

import click

__all__ = ["assignments", "read_value"]

_BOOLEANS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


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


def read_value(text: str, hint: Any) -> Any:
    """Parse a text as a value of a type.

    Args:
        text: What was typed.
        hint: The type.

    Raises:
        ValueError: The text is not a value of that type.
    """
    from pydantic import TypeAdapter, ValidationError

    adapter: TypeAdapter[Any] = TypeAdapter(hint)
    for candidate in _candidates(text):
        try:
            return adapter.validate_python(candidate, strict=True)
        except ValidationError:
            continue
    raise ValueError(text)


def _candidates(text: str) -> Iterator[int | float | bool | str]:
    for number in (int, float):
        try:
            yield number(text)
        except ValueError:
            continue
    if text.lower() in _BOOLEANS:
        yield _BOOLEANS[text.lower()]
    yield text
