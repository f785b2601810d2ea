"""Text whose every character is one."""

__all__ = ["whole"]


def whole(text: str) -> str:
    """A text in which half of a surrogate pair, which no log can hold, is U+FFFD.

    Args:
        text: A reply, or a text that JSON gave: both may hold halves, as escapes.
    """
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
