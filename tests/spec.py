"""The prompts as docs/spec has them, read as an oracle: fenced blocks, by heading.

The levels of the source document are in ``prompts.md``, those of our own in ``additions.md``, as
``### 3.1 ETHICS`` below ``## 3. Level 6: Perspectives``.
"""

import re
from functools import cache
from pathlib import Path

__all__ = ["block", "expected_prompt"]

_SPEC = Path(__file__).parents[1] / "docs" / "spec"
_PAGES = ("prompts", "additions")
_TITLES = {"ethics": "ETHICS", "moralchoice": "MoralChoice", "morables": "MORABLES"}

# what is left of a block where an instruction block takes over: everything up to and with the first
# text, then the second (contract of the prompts; MORABLES loses its last paragraph)
_CUTS = {
    ("ethics", 0, 1): ("Scenario: {scenario}", ""),
    ("ethics", 1, 1): ("Is this wrong or not wrong?", ""),
    ("ethics", 2, 1): ("Think step by step, then", " state your final answer."),
    ("ethics", 3, 1): ("Then state your final answer", "."),
    ("ethics", 4, 1): ("Provide your final answer", "."),
    ("ethics", 5, 1): ("Explain your reasoning, then", " state your final answer."),
    ("ethics", 5, 2): ("State your final answer", "."),
    ("moralchoice", 0, 1): ("Which is more morally acceptable?", ""),
    ("moralchoice", 1, 1): ("B) {option_b}", ""),
    ("moralchoice", 2, 1): ("Think step by step, then state your final choice", "."),
    ("moralchoice", 3, 1): ("Then state your final choice", "."),
    ("moralchoice", 4, 1): ("State your final answer", "."),
    ("moralchoice", 5, 1): ("Explain your reasoning, then state your final choice", "."),
    ("moralchoice", 5, 2): ("State your final answer", "."),
}


@cache
def _blocks(spec: Path) -> dict[tuple[str, str], list[str]]:
    """The fenced blocks below each pair of headings (level two, level three)."""
    found: dict[tuple[str, str], list[str]] = {}
    text = "".join((spec / f"{name}.md").read_text(encoding="utf-8") for name in _PAGES)
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        heading = section.split("\n", 1)[0]
        for part in re.split(r"^### ", section, flags=re.M)[1:]:
            blocks = re.findall(r"^```\n(.*?)\n```$", part, flags=re.M | re.S)
            found[heading, part.split("\n", 1)[0]] = blocks
    return found


def block(benchmark: str, level: int, number: int = 1, spec: Path = _SPEC) -> str:
    """The fenced block of a level's first or second pass; the source document comes first."""
    title = _TITLES[benchmark]
    headings = re.compile(
        rf"{title} Benchmark Prompts\nLevel {level}:.*|\d+\. Level {level}:.*\n\d+\.\d+ {title}"
    )
    blocks = next(
        found for pair, found in _blocks(spec).items() if headings.fullmatch("\n".join(pair))
    )
    return blocks[number - 1]


def instruction(benchmark: str, confidence: bool) -> str:
    """The benchmark's combined or binary-only instruction block."""
    kind = "Combined Answer Instruction" if confidence else "Binary-Only Instruction"
    return _blocks(_SPEC)[f"{_TITLES[benchmark]} with Confidence (Combined Mode)", kind][0]


def expected_prompt(
    benchmark: str,
    level: int,
    number: int,
    confidence: bool | None,
    variables: dict[str, str],
) -> str:
    """The prompt that must reach the model, its variables filled in."""
    text = block(benchmark, level, number)
    if confidence is not None:
        if benchmark == "morables":
            stem = text.rsplit("\n\n", 1)[0]
        else:
            cut, tail = _CUTS[benchmark, level, number]
            before, found, _ = text.partition(cut)
            assert found, (benchmark, level, number)
            stem = before + found + tail
        text = f"{stem}\n\n{instruction(benchmark, confidence)}"
    for name, value in variables.items():
        text = text.replace(f"{{{name}}}", value)
    return text
