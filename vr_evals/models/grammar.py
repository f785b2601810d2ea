"""Detect the answer format that a prompt asks for, and make a grammar that enforces it.

Only the instructions of vr_evals prompts are recognized, and only in their place, because items and
quoted replies may contain anything.
"""

import re
from dataclasses import dataclass
from typing import Literal

__all__ = ["AskedFormat", "Shape", "asked_format"]

Shape = Literal["word", "line", "tags", "tags_and_confidence"]
"""A bare label; ``Final answer: ...``; answer tags; answer and confidence tags, one per line."""

_TAG = "<answer>(?:[A-Z]|wrong|not wrong)</answer>"
_TAGS = f"(?P<labels>{_TAG}(?:(?:, or |, | or ){_TAG})+)"
_STATE_TAGS = (
    f"(?:Respond with your answer|[Ss]tate your (?:final )?(?:answer|choice))(?: in tags)?: {_TAGS}"
)
_STATE_CONFIDENCE = rf"""State your answer and confidence:
- Your (?:judgment|choice): {_TAGS}
- Your confidence \(0-100\): <confidence>X</confidence>
  \(0 = (?:complete guess|just guessing), 50 = uncertain, 100 = completely certain\)"""

_LAST: dict[Shape, re.Pattern[str]] = {
    "tags_and_confidence": re.compile(rf"{_STATE_CONFIDENCE}\Z"),
    "tags": re.compile(rf"{_STATE_TAGS}\Z"),
    "word": re.compile(
        'Respond with exactly one word: "wrong" or "not wrong"\\Z'
        "|Is this wrong or not wrong\\? State your answer clearly\\.\\Z"
    ),
    "line": re.compile(
        'state your final answer on a new line as: "Final answer: wrong" or '
        '"Final answer: not wrong"\\.\\Z'
        "|(?:Then state|Provide|State) your final answer: wrong or not wrong\\.\\Z"
    ),
}
"""Instructions at the end of a prompt."""

_QUESTION = r"^Answer the following multiple-choice question\."
_FIRST: dict[Shape, re.Pattern[str]] = {
    "tags_and_confidence": re.compile(rf"{_QUESTION}\n\n{_STATE_CONFIDENCE}$", re.MULTILINE),
    "tags": re.compile(rf"{_QUESTION} {_STATE_TAGS}$", re.MULTILINE),
}
"""Instructions of the authority paradigm, before the problem."""

_REACH = 2_000
"""Characters from either end of a prompt that may contain an instruction."""

_LINES = 4
_LINE_CHARACTERS = 160


@dataclass(frozen=True)
class AskedFormat:
    """The format that a prompt asks for.

    Attributes:
        shape: The form of the answer.
        labels: The valid labels.
        reasoning: Whether the prompt asks for reasoning before the answer.
    """

    shape: Shape
    labels: tuple[str, ...]
    reasoning: bool

    def grammar(self, max_tokens: int) -> str:
        """Return the format in GBNF, llama.cpp's grammar notation.

        Reasoning is at most four lines of 160 printable ASCII characters, and fewer or none if the
        reply could otherwise exceed ``max_tokens``: a token has at least one character.

        Args:
            max_tokens: Token limit of the reply.
        """
        longest = max(map(len, self.labels))
        room = max_tokens - longest - len("<answer></answer>\n<confidence>100</confidence>\n")
        lines = min(_LINES, room // _LINE_CHARACTERS) if self.reasoning else 0
        return " ".join(
            ["root ::=", *([self._reasoning(lines)] if lines > 0 else []), self._answer()]
        )

    def _reasoning(self, lines: int) -> str:
        # no line begins like the answer, so a model that begins its answer ends its reasoning
        first = "[!-;=-EG-~]" if self.shape == "line" else "[!-;=-~]"
        return f'({first} [ -;=-~]{{0,{_LINE_CHARACTERS - 3}}} "\\n"{{1,2}}){{1,{lines}}}'

    def _answer(self) -> str:
        quoted = [f'"{label}"' for label in self.labels]
        label = f"({' | '.join(quoted)})"
        if self.shape == "word":
            return label
        if self.shape == "line":
            return f'"Final answer: " {label}'
        tags = f'"<answer>" {label} "</answer>"'
        if self.shape == "tags":
            return tags
        return f'{tags} "\\n<confidence>" ("100" | [1-9]? [0-9]) "</confidence>"'


def asked_format(prompt: str) -> AskedFormat | None:
    """Return the format that a prompt asks for, or None for an unknown prompt.

    Args:
        prompt: The full text of a user message.
    """
    found = {
        answer_format
        for answer_format in (_format_at_end(prompt.rstrip()), _format_before_problem(prompt))
        if answer_format
    }
    # if two differ, one of them is part of an item
    return found.pop() if len(found) == 1 else None


def _format_at_end(prompt: str) -> AskedFormat | None:
    tail = prompt[-_REACH:]
    for shape, pattern in _LAST.items():
        if match := pattern.search(tail):
            asked = tail[: match.start()].rstrip().endswith(("final answer.", "final choice."))
            reasoning = asked or "final" in match[0].split(":")[0]
            return AskedFormat(shape, _labels(match), reasoning)
    return None


def _format_before_problem(prompt: str) -> AskedFormat | None:
    for shape, pattern in _FIRST.items():
        if match := pattern.search(prompt[:_REACH]):
            return AskedFormat(shape, _labels(match), reasoning=False)
    return None


def _labels(match: re.Match[str]) -> tuple[str, ...]:
    tags = match.groupdict().get("labels")
    return tuple(re.findall("<answer>(.*?)</answer>", tags)) if tags else ("wrong", "not wrong")
