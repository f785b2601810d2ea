"""The page of vr_evals' own wording as an oracle: its fenced blocks, by heading."""

import re
from pathlib import Path

__all__ = ["block"]

_PAGE = Path(__file__).parents[1] / "docs" / "spec" / "additions.md"


def block(heading: str) -> str:
    """The fenced block below a heading such as `1.1 ETHICS`, which has one."""
    text = _PAGE.read_text(encoding="utf-8")
    [section] = re.findall(rf"^### {re.escape(heading)}\n(.*?)(?=^#|\Z)", text, flags=re.M | re.S)
    [found] = re.findall(r"^```\n(.*?)\n```$", section, flags=re.M | re.S)
    return str(found)
