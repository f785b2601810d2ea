"""Both passes of level 5 in one cell."""

import re

__all__ = ["two_passes"]

_FIRST = re.compile(r"\s*\[PASS1\][ \t]*(?:\r?\n|\Z)")
_SECOND = re.compile(r"^\[PASS2\][ \t]*(?:\r?\n|\Z)", re.MULTILINE)


def two_passes(cell: str) -> tuple[str | None, str]:
    """Return the replies of the first and the second pass.

    Args:
        cell: ``[PASS1]``, the first reply, ``[PASS2]``, the second one, each on lines of their own;
            a later ``[PASS2]`` is part of the second reply.

    Returns:
        Both; the second is empty if it is missing. If the cell is not of this form, None and the
        cell.
    """
    start = _FIRST.match(cell)
    if start is None:
        return None, cell
    end = _SECOND.search(cell, start.end())
    if end is None:
        return cell[start.end() :].strip("\r\n"), ""
    return cell[start.end() : end.start()].strip("\r\n"), cell[end.end() :]
