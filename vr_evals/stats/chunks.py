"""Simulating in chunks, so that memory stays small whatever the data."""

__all__ = ["chunks"]

_CELLS = 1_000_000
"""Numbers held at once: some dozens of megabytes."""


def chunks(total: int, width: int) -> list[int]:
    """Split rows into chunks that are held one after the other.

    Args:
        total: How many rows.
        width: Numbers in a row, at least 1.

    Returns:
        The rows of each chunk.
    """
    size = max(1, _CELLS // width)
    return [min(size, total - start) for start in range(0, total, size)]
