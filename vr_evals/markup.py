"""Text in LaTeX and Markdown: foreign text is shown as it is, and does nothing."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["latex", "latex_numbers", "markdown"]

_NUMBERS = str.maketrans({"−": "$-$", "–": "--", "<": "$<$", "%": r"\%"})
"""Signs beside numbers."""

_LATEX = {
    "\\": r"\textbackslash{}",
    **{char: rf"\{char}" for char in "{}$&#%_"},
    **{char: f"{{{char}}}" for char in "[]*'"},  # after a line end, "[" and "*" are its arguments
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",
    "`": r"{\char96}",
    "−": "$-$",
    "–": "--",
    "—": "---",
    "…": r"\dots{}",
    "’": "'",
    "“": "``",
    "”": "''",
    "\N{NO-BREAK SPACE}": "~",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "±": r"$\pm$",
    "√": r"$\surd$",
    "α": r"$\alpha$",
    "κ": r"$\kappa$",
    "χ": r"$\chi$",
    "²": "$^2$",
    "ß": r"\ss{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "œ": r"\oe{}",
    "ı": r"\i{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
}
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
}
"""LaTeX's accents, by the combining character."""

_HYPHENS = re.compile("-(?=-)")
_MARKS = re.compile(r"([\\`*_\[\]#|<>~&$^@])")


def latex(text: str) -> str:
    """Return a text as LaTeX that any engine compiles, also in a table's cell: ASCII only.

    A character that plain LaTeX cannot show is written as its code point, e.g. [U+4E2D].

    Args:
        text: One line, as `formatting.shown` returns it.
    """
    return "".join(map(_in_latex, _HYPHENS.sub("-\0", text)))


def _in_latex(char: str) -> str:
    if char == "\0":
        return "{}"  # keeps hyphens from joining to a dash
    if char in _LATEX:
        return _LATEX[char]
    if " " <= char <= "~":
        return char
    letter, *marks = list(unicodedata.normalize("NFD", char))
    if letter.isascii() and letter.isalpha() and len(marks) == 1 and marks[0] in _ACCENTS:
        return rf"\{_ACCENTS[marks[0]]}{{{letter}}}"
    return f"{{[}}U+{ord(char):04X}{{]}}"


def latex_numbers(text: str) -> str:
    """Return numbers and intervals of our own as LaTeX.

    Args:
        text: E.g. ``−1.2 [−3.0, +0.6]``.
    """
    return text.translate(_NUMBERS)


def markdown(text: str) -> str:
    r"""Return a text as Markdown that shows it literally, also in a table's cell.

    Args:
        text: One line, as `formatting.shown` returns it.
    """
    return _MARKS.sub(r"\\\1", text)
