"""Text without lone surrogates."""

__all__ = ["replace_lone_surrogates"]


def replace_lone_surrogates(text: str) -> str:
    """Return a text with each lone surrogate, which no log can contain, replaced by U+FFFD.

    Args:
        text: A reply, or a text read from JSON: both may have lone surrogates, as escapes.
    """
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
