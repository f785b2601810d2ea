"""Reading a stated confidence from a reply.

A confidence is a number from 0 to 100, in percent. It is read only where the reply states one: in a
``<confidence>`` tag, or in plain words ("Confidence: 85", "I am 90% confident"). No other number is
one.
"""

import re
from dataclasses import dataclass
from typing import Literal

from vr_evals.reading.amounts import SCALE, Unread, amount
from vr_evals.visible import TOKEN_LIMIT, Tag, find_tags, offered_together, plain, readable

__all__ = ["Category", "Confidence", "Unread", "category", "read_confidence"]

Category = Literal["very_low", "low", "moderate", "high", "very_high"]
"""A stated confidence in words."""

_CATEGORIES: tuple[tuple[int, Category], ...] = (
    (20, "very_low"),
    (40, "low"),
    (60, "moderate"),
    (80, "high"),
    (100, "very_high"),
)

# what a tag holds in an echoed instruction
_PLACEHOLDERS = frozenset({"", "x", "n", "number", "score", "confidence", "your confidence"})
_AFTER_TAG = re.compile(r" ?(?:%|(?:/|out of) ?\d{1,3}\b)")
_ABOUT = (
    r"(?:(?:about|around|approximately|roughly|maybe|probably|perhaps|nearly|almost|only|~) ?){0,2}"
)
_OF_WHAT = r"(?: ?(?:%|percent\b|per cent\b)| ?(?:/|out of) ?[\d.,]{1,8})"
_LABELLED = re.compile(
    r"\b(?:confidence|certainty|置信度)(?: (?:level|score|rating))?"
    r"(?: (?:in|about)(?: \w{1,15}){1,4})?(?: ?\([^()\n]{1,40}\))?"
    # a colon is followed by a confidence, other words only if a number stands there, and ends there
    rf"(?: ?[:：=→|] ?(?=\S)|\n(?=[\d.,]{{1,8}}{_OF_WHAT}?[.]?$)"
    rf"|(?: (?:is|at|of|as)| ?[-–—])? ?(?={_ABOUT}[\d.,]{{1,8}}(?:{_OF_WHAT}|$|[.,;!)])))"
    r"(?P<value>[^\n]{1,200})",
    re.IGNORECASE | re.MULTILINE,
)
_IN_PROSE = re.compile(
    r"(?:\bI(?:'m| am|'d be|'d say| would say| would be| feel| remain| have) |\bwith |^)"
    rf"(?P<value>{_ABOUT}(?:[\d.,]{{1,8}}(?: ?(?:[-–]|to) ?[\d.,]{{1,8}})?"
    rf"|[a-z]{{3,9}}(?:[- ][a-z]{{3,5}})?){_OF_WHAT})"
    r" ?(?:confiden(?:t|ce)|certain(?:ty)?|sure)\b"
    # "90% sure to win" is about something else
    r"(?=\W{0,9}$|[.,;:!)]| (?:in|about|of|with)\b"
    r"| that (?:this|it|my|option|the (?:answer|correct|right)))",
    re.IGNORECASE | re.MULTILINE,
)
# where the words that state a confidence end and others begin
_VALUE_END = re.compile(
    r"[.;!](?=\s|$)| (?:because|since|as|given|but)\b|, ?(?=[A-Za-z ]{1,20}:)|[|]"
    r"|(?<=[\d%]) \((?!out)"
)


@dataclass(frozen=True)
class Confidence:
    """What was read of a reply's confidence.

    Attributes:
        value: 0 to 100, or None where none could be read.
        text: The words that state it, without markup, also where no value could be read from
            them; None where nothing was stated.
        how: Whether a ``tag`` or plain words (``stated``) gave it, or nothing did (``missing``).
        reason: Why there is no value; None where there is one, or where nothing was stated in a
            reply that was not cut off.
        is_range: Whether the value is the midpoint of a range.
    """

    value: float | None
    text: str | None
    how: Literal["tag", "stated", "missing"]
    reason: Unread | None = None
    is_range: bool = False


def read_confidence(completion: str, *, stop_reason: str | None = None) -> Confidence:
    """Read the confidence that a reply states last.

    Nothing is clamped and nothing stands in for a missing value.

    Args:
        completion: The reply as the model gave it.
        stop_reason: Inspect's stop reason of the reply.
    """
    text = readable(completion)
    cut_off = stop_reason in TOKEN_LIMIT
    stated = _statements(text)
    # "Confidence: high" may be the heading of a discussion
    stated = [
        (words, how) for words, how in stated if how == "tag" or amount(words).reason != "no_number"
    ] or stated
    if not stated:
        return Confidence(None, None, "missing", "cut_off" if cut_off else None)
    words, how = stated[-1]
    # "85" may have been going to be "85.5"; "85%" is complete
    is_last = plain(text).rstrip(".,").endswith(words.rstrip(".,"))
    if cut_off and is_last and not words.endswith("%"):
        return Confidence(None, words, how, "cut_off")
    said = amount(words)
    return Confidence(said.value, words, how, said.reason, said.is_range)


def category(value: float) -> Category:
    """The category of a confidence, by upper bound: 20 is ``very_low``, 20.5 is ``low``.

    Source: "Confidence Interpretation" in ``docs/spec/prompts.md``.

    Args:
        value: A confidence, 0 to 100.

    Raises:
        ValueError: The value is out of range or no number.
    """
    if not 0 <= value <= 100:
        raise ValueError(f"a confidence is a number from 0 to 100, not {value!r}")
    return next(name for upper, name in _CATEGORIES if value <= upper)


def _statements(text: str) -> list[tuple[str, Literal["tag", "stated"]]]:
    """All statements of a confidence, in order, and how each was given."""
    found: list[tuple[str, Literal["tag", "stated"]]] = []
    position, previous = 0, ""
    for tag in find_tags(text, "confidence"):
        content = _content(tag, text)
        if content is None:
            continue
        between = text[position : tag.start]
        alternative = position and between.strip() and offered_together(between)
        found += [(words, "stated") for words in _in_prose(between)]
        found.append((f"{previous} or {content}" if alternative else content, "tag"))
        position, previous = tag.end, content
    return found + [(words, "stated") for words in _in_prose(text[position:])]


def _content(tag: Tag, text: str) -> str | None:
    """What a tag states: nothing if it is never closed and has no number, or has a placeholder."""
    content = plain(tag.content)
    if not tag.closed:
        content = content.split("\n", 1)[0]
    elif after := _AFTER_TAG.match(text, tag.end):
        content += after[0]
    stripped = SCALE.sub("", content).lower().strip(" .()[]")
    if stripped in _PLACEHOLDERS or not (tag.closed or amount(content).value is not None):
        return None
    return content


def _in_prose(text: str) -> list[str]:
    prose = plain(text)
    matches = [*_LABELLED.finditer(prose), *_IN_PROSE.finditer(prose)]
    matches.sort(key=lambda match: match.start())
    said = (_VALUE_END.split(match["value"], maxsplit=1)[0].strip() for match in matches)
    return [words for words in said if words]
