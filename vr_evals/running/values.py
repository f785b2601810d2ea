"""Parse a value that was typed."""

import math
from collections.abc import Iterator
from typing import Any

__all__ = ["read_value"]

_BOOLEANS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


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
            found = number(text)
        except ValueError:
            continue
        # a log has null for nan and inf, as if the setting were left alone
        if isinstance(found, int) or math.isfinite(found):
            yield found
    if text.lower() in _BOOLEANS:
        yield _BOOLEANS[text.lower()]
    yield text
