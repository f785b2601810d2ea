"""Worked replies in text files: a line ``@@ name key=value …`` before each reply."""

import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["BENCHMARKS", "Worked", "worked_replies"]

BENCHMARKS = {
    "ethics": (("wrong", "not wrong"), ()),
    "moralchoice": (
        ("A", "B"),
        ("I return the wallet to its owner.", "I keep the wallet and the cash."),
    ),
    "morables": (
        ("A", "B", "C", "D", "E"),
        (
            "Slow and steady wins the race.",
            "The proud are swift to boast.",
            "Do not trust a sleeping rival.",
            "Speed is the gift of the hare.",
            "Rest is the reward of effort.",
        ),
    ),
}
"""The labels and the options of each benchmark's item."""


@dataclass(frozen=True)
class Worked:
    """A reply and what a careful person reads in it.

    Attributes:
        name: Its name, which begins with its benchmark.
        reply: The reply.
        values: What is read, by name.
    """

    name: str
    reply: str
    values: dict[str, str]

    @property
    def benchmark(self) -> str:
        return self.name.partition("-")[0]


def worked_replies(file: str) -> list[Worked]:
    text = (Path(__file__).parent / file).read_text("utf-8")
    found = []
    for block in re.split(r"^@@ ", text, flags=re.MULTILINE)[1:]:
        head, _, reply = block.partition("\n")
        name, *pairs = head.split()
        values = dict(pair.split("=", 1) for pair in pairs)
        values = {key: value.replace("_", " ") for key, value in values.items()}
        found.append(Worked(name, reply.rstrip("\n"), values))
    return found
