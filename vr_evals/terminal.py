"""Make foreign text safe for a terminal."""

import textwrap

__all__ = ["WIDTH", "printable", "shortened", "wrapped"]

WIDTH = 80
"""Columns of a narrow terminal."""


def printable(text: str) -> str:
    r"""Return a text in one line, with control and invisible characters escaped, e.g. ``\x1b``.

    Args:
        text: Any text, e.g. the name of a file, or a reply.
    """
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def shortened(text: str, length: int) -> str:
    """Return a text of at most a number of characters; the middle of a longer one is omitted.

    Args:
        text: Any text.
        length: Limit in characters, at least 3.
    """
    if len(text) <= length:
        return text
    kept = length - 3
    return f"{text[: kept - kept // 2]} … {text[len(text) - kept // 2 :]}"


def wrapped(text: str) -> str:
    """Return a sentence in lines of at most 80 characters, unless a word is longer.

    Args:
        text: Any text.
    """
    return "\n".join(textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False))
