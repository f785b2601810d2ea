"""Text from elsewhere, made fit for a terminal."""

__all__ = ["printable", "shortened"]


def printable(text: str) -> str:
    r"""A text in one line, with what a terminal might obey or hide written out, such as ``\x1b``.

    Args:
        text: A model's name, a file's, or a model's words.
    """
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def shortened(text: str, length: int) -> str:
    """A text of at most a number of characters, the middle of a longer one left out.

    Args:
        text: Any text.
        length: At most so many characters, at least 3.
    """
    if len(text) <= length:
        return text
    kept = length - 3
    return f"{text[: kept - kept // 2]} … {text[len(text) - kept // 2 :]}"
