"""LaTeX as a compiler reads it: a small parser of what commands write, and TeX if there is one."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

__all__ = ["check_latex", "compiled"]

_TOKEN = re.compile(r"\\(?:[A-Za-z]+|.)|[{}$&%#_^~\[\]\n]|[^\\{}$&%#_^~\[\]\n]+", re.DOTALL)
_COMMANDS = frozenset({f"\\{char}" for char in "\\{}$&#%_`'^~\"=."}) | frozenset(
    rf"\{name}"
    for name in (
        "AE",
        "L",
        "O",
        "H",
        "ae",
        "alpha",
        "begin",
        "bottomrule",
        "c",
        "caption",
        "cdot",
        "centering",
        "char",
        "chi",
        "cite",
        "dots",
        "emph",
        "end",
        "i",
        "kappa",
        "l",
        "label",
        "midrule",
        "multicolumn",
        "o",
        "oe",
        "pm",
        "r",
        "small",
        "ss",
        "surd",
        "textasciicircum",
        "textasciitilde",
        "textbackslash",
        "textbar",
        "textgreater",
        "textit",
        "textless",
        "times",
        "toprule",
        "u",
        "v",
    )
)


def check_latex(text: str) -> list[int]:
    """Check that a text is LaTeX that compiles, and return the cells of each row of its tables.

    Commands are known, braces, environments and mathematics are closed, no special character is
    bare, all is ASCII, and no line end takes what follows for its argument.
    """
    assert text.isascii()
    assert not re.search(r"\\\\\s*[*\[]", text), "an argument of a line end"
    depth, math, open_environments, cells, row = 0, False, [], [], 1
    tokens = iter(_TOKEN.findall(text))
    for token in tokens:
        if token == "%":
            while next(tokens, "\n") != "\n":
                pass
        elif token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
            assert depth >= 0, "a brace too many"
        elif token == "$":
            math = not math
        elif token == "&":
            assert "tabular" in open_environments, "& outside a table"
            row += 1
        elif token == r"\\":
            cells.append(row)
            row = 1
        elif token in "#_^":
            assert (math, token) == (True, "^"), f"bare {token}"
        elif token in (r"\begin", r"\end"):
            name = [next(tokens) for _ in range(3)][1]
            if token == r"\begin":
                open_environments.append(name)
            else:
                assert open_environments.pop() == name
        elif token.startswith("\\"):
            assert token in _COMMANDS, f"unknown command {token}"
    assert (depth, math, open_environments) == (0, False, [])
    return cells


def compiled(text: str, folder: Path) -> str | None:
    """The first error of pdflatex on a text; empty if there is none, None without pdflatex."""
    if not shutil.which("pdflatex"):
        return None
    source = folder / "paper.tex"
    source.write_text(
        "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n"
        f"{text}\n\\end{{document}}\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", source.name],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=300,
    )
    errors = [line for line in done.stdout.splitlines() if line.startswith("!")]
    return errors[0] if errors else "" if done.returncode == 0 else done.stdout[-300:]
