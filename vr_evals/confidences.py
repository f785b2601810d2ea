"""Parse the stated confidence of a reply.

A confidence is a number from 0 to 100, in percent, stated in a ``<confidence>`` tag or in plain
words ("Confidence: 85", "I am 90% confident"). Other numbers do not count.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from vr_evals.reading.amounts import SCALE, Unread, amount
from vr_evals.reading.voices import (
    SENTENCE_END,
    is_anothers_label,
    is_earlier,
    is_forced,
    is_others,
    is_reported_after,
    is_supposed,
    is_supposed_after,
)
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

# the content of a tag in a repeated instruction
_PLACEHOLDERS = frozenset({"", "x", "n", "number", "score", "confidence", "your confidence"})
_AFTER_TAG = re.compile(r" ?(?:%|(?:/|out of) ?\d{1,3}\b)")
_ABOUT = (
    r"(?:(?:about|around|approximately|roughly|maybe|probably|perhaps|nearly|almost|only|~) ?){0,2}"
)
_OF_WHAT = r"(?: ?(?:%|percent\b|per cent\b)| ?(?:/|out of) ?[\d.,]{1,8})"
_LABELLED = re.compile(
    r"\b(?:confidence|certainty|置信度)(?: (?:level|score|rating))?"
    r"(?: (?:now|today|currently))?"
    r"(?: (?:after|upon|on) (?:further |careful )?reflection)?(?: (?:in"
    r"|about)(?: \w{1,15}){1,4})?(?: ?\([^()\n]{1,40}\))?"
    # after a colon anything is a confidence; after other words only a number, with nothing after it
    rf"(?: ?[:：=→|] ?(?=\S)|\n(?=[\d.,]{{1,8}}{_OF_WHAT}?[.]?$)"
    rf"|(?: (?:is|at|of|as)(?: now)?| ?[-–—])? ?(?={_ABOUT}[\d.,]{{1,8}}(?:{_OF_WHAT}|$|[.,;!)])))"
    r"(?P<value>[^\n]{1,200})",
    re.IGNORECASE | re.MULTILINE,
)
_IN_PROSE = re.compile(
    r"(?:\bI(?:'m| am|'d be|'d say| would say| would be| feel| remain| have) |\bwith "
    # or right after an answer: "C, 99% confident"
    r"|^(?:(?:[\w ]{2,20}: ?)?(?:(?:option )?[A-Z]|(?:not )?wrong)(?:[,.:;–—-]{1,2} ?| \())?)"
    rf"(?P<value>{_ABOUT}(?:[\d.,]{{1,8}}(?: ?(?:[-–]|to) ?[\d.,]{{1,8}})?"
    rf"|[a-z]{{3,9}}(?:[- ][a-z]{{3,5}})?){_OF_WHAT})"
    r" ?(?:confiden(?:t|ce)|certain(?:ty)?|sure)\b"
    # not "90% sure to win"
    r"(?=\W{0,9}$|[.,;:!)]| (?:in|about|of|with)\b"
    r"| that (?:this|it|my|option|the (?:answer|correct|right)))",
    re.IGNORECASE | re.MULTILINE,
)
# the words on a line before "confidence" that leave it the model's own, stated now
_OWN = frozenset(
    re.findall(
        r"\S+",
        """2 a about actually adjusted am an and answer as assign at but current estimate fair final
        give good have here high i i'd i'm in increased is it it's level low lowered medium
        moderate my new now now, numeric of our overall pass place post present put raised rate
        reasonable reduced reflection remaining remains report resulting revised say second set so
        stands state stated still strong that the therefore this thus updated with would your""",
    )
)
_WORD = re.compile(r"[\w']+")
_PART_END = re.compile(r"[,;:(|–—]| - | and (?=my\b)")
_PAST = re.compile(
    r"\((?:pre\b|before|initial|original|previous|earlier|first|old|pass 1)", re.IGNORECASE
)
_NOW = re.compile(
    r"\b(?:now|actually|revis\w+|on reflection|correction|instead|updat\w+)\b", re.IGNORECASE
)
# the end of the words that state a confidence
_VALUE_END = re.compile(
    r"[.;!](?=\s|$)| (?:because|since|as|given|but)\b|, ?(?=[A-Za-z ]{1,20}:)|[|]"
    r"|(?<=[\d%]) \((?!out)|,? (?:down|up) from\b"
)


@dataclass(frozen=True)
class Confidence:
    """The parsed confidence of a reply.

    Attributes:
        value: 0 to 100, or None if none was parsed.
        text: The words that state it, without markup, even if they have no valid value; None if
            nothing was stated.
        how: ``tag``, ``stated`` (in plain words) or ``missing``.
        reason: Why there is no value; None if there is one, or if nothing was stated in a complete
            reply.
        is_range: Whether the value is the midpoint of a range.
    """

    value: float | None
    text: str | None
    how: Literal["tag", "stated", "missing"]
    reason: Unread | None = None
    is_range: bool = False


def read_confidence(completion: str, *, stop_reason: str | None = None) -> Confidence:
    """Parse the confidence that a reply states last. Values are neither clamped nor imputed.

    Args:
        completion: The reply.
        stop_reason: Inspect's stop reason of the reply.
    """
    cut_off = stop_reason in TOKEN_LIMIT
    text = readable(completion, cut_off)
    how: Literal["tag", "stated"] = "tag"
    stated = _in_tags(text)
    if not stated:
        how, stated = "stated", _in_prose(text)
        # "Confidence: high" may be the heading of a discussion
        stated = [words for words in stated if amount(words).reason != "no_number"] or stated
    if not stated:
        return Confidence(None, None, "missing", "cut_off" if cut_off else None)
    words = stated[-1]
    # "85" may be the start of "85.5"; "85%" is complete
    is_last = plain(text).rstrip(".,").endswith(words.rstrip(".,"))
    if cut_off and is_last and not words.endswith("%"):
        return Confidence(None, words, how, "cut_off")
    parsed = amount(words)
    return Confidence(parsed.value, words, how, parsed.reason, parsed.is_range)


def category(value: float) -> Category:
    """Return the category of a confidence, by upper bound: 20 is ``very_low``, 20.5 is ``low``.

    Source: "Confidence Interpretation" in ``docs/spec/prompts.md``.

    Args:
        value: A confidence, 0 to 100.

    Raises:
        ValueError: The value is out of range or NaN.
    """
    if not 0 <= value <= 100:
        raise ValueError(f"invalid confidence {value!r}: expected a number from 0 to 100")
    return next(name for upper, name in _CATEGORIES if value <= upper)


def _in_tags(text: str) -> list[str]:
    """Return the contents of confidence tags, in order; of others' only if there are no own."""
    found: list[tuple[str, bool]] = []
    position, previous = 0, ""
    for tag in find_tags(text, "confidence"):
        content = _content(tag, text)
        if content is None:
            continue
        between = text[position : tag.start]
        alternative = position and between.strip() and offered_together(between)
        before = SENTENCE_END.split(between[-200:])[-1]
        found.append((f"{previous} or {content}" if alternative else content, _is_stated(before)))
        position, previous = tag.end, content
    return [words for words, own in found if own] or [words for words, _ in found]


def _is_stated(before: str) -> bool:
    """Return whether a confidence after these words of its sentence is the model's own, now."""
    clause = plain(before).rsplit(";", 1)[-1]
    return not (
        is_earlier(clause)
        or is_others(clause)
        or is_anothers_label(clause.rsplit(":", 1)[0] if ":" in clause else "")
        or (is_supposed(clause) and not is_forced(clause))
    )


def _content(tag: Tag, text: str) -> str | None:
    """Return a tag's content, or None for a placeholder or an unclosed tag without a number."""
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
    """Return confidences in prose, in order: full lines if there are any, and corrections."""
    prose = plain(text)
    matches = [*_LABELLED.finditer(prose), *_IN_PROSE.finditer(prose)]
    matches.sort(key=lambda match: match.start())
    found = list(_own_statements(prose, matches))
    lines = [n for n, (_, before) in enumerate(found) if not before]
    if lines:
        found = found[: lines[-1] + 1] + [
            (words, before) for words, before in found[lines[-1] + 1 :] if _NOW.search(before)
        ]
    return [words for words, _ in found]


def _own_statements(prose: str, matches: list[re.Match[str]]) -> Iterator[tuple[str, str]]:
    """Yield the words of each statement that is the model's own, and the words before them."""
    for match in matches:
        words = _VALUE_END.split(match["value"], maxsplit=1)[0].strip()
        before = SENTENCE_END.split(prose[max(0, match.start() - 300) : match.start()])[-1]
        before += match[0][: match.start("value") - match.start()] if match.re is _IN_PROSE else ""
        after = SENTENCE_END.split(prose[match.end() :][:120], maxsplit=1)[0]
        if match.re is _LABELLED:
            after = match["value"][len(words) :]
        last = _PART_END.split(before.lower().lstrip("0123456789.) "))[-1]
        own = all(word in _OWN for word in _WORD.findall(last))
        asked = is_supposed_after(after) and not is_forced(after)
        own = own and not _PAST.search(match[0][: match.start("value") - match.start()])
        if words and own and _is_stated(before) and not asked and not is_reported_after(after):
            yield words, before.strip("|-–—:.( ")
