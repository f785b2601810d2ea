"""Text from elsewhere, made fit for a terminal."""

__all__ = ["printable"]


def printable(text: str) -> str:
    r"""A text in one line, with what a terminal might obey or hide written out, such as ``\x1b``.

    Args:
        text: A model's name, a file's, or a model's words.
    """
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
