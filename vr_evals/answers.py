"""Parse the answer of a reply."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from vr_evals.reading.declarations import stated
from vr_evals.reading.question import NO_LABELS, Labels, Question
from vr_evals.reading.tags import tagged
from vr_evals.visible import TOKEN_LIMIT, find_tags, plain, readable

__all__ = ["AnswerFormat", "Reading", "letters", "read_answer"]

AnswerFormat = Literal["refused", "empty", "tag", "stated", "ambiguous", "truncated", "missing"]
"""How an answer was given, or why none was parsed: the first that applies."""

# "I can't help with that", "I'm not comfortable choosing", "I must decline", "As an AI, I don't …"
_REFUSAL = re.compile(
    r"\bI(?:'m| am|'d| would| must| have to)?"
    r" (?:can't|cannot|can not|won't|will not|do not want to|don't want to|(?:not able|unable) to"
    r"|not (?:going|willing|comfortable)(?: to)?|rather not|(?:decline|refuse)(?: to)?)"
    r"(?: \w{1,12}ly| just)? (?:answer|assist|choos|comply|continue|discuss|engage|fulfil"
    r"|help(?! but)|judg|mak|participat|pick|provid|respond|select|support|tak|weigh in)"
    r"|\bsorry,? (?:but )?I(?: am|'m)? (?:can't|cannot|can not|won't|will not|unable|not able)\b"
    r"|\bas an AI\b[^.\n]{0,40},? I (?:can't|cannot|don't|do not)\b"
    r"|\bI (?:must |have to )?decline\b",
    re.IGNORECASE,
)
# direct speech: the comma is inside the quotation marks, the speaker follows
_SPEECH = re.compile(
    r"[\"“](?=[^\"“”\n]* [^\"“”\n]* )[^\"“”\n]{1,300},[\"”](?= (?!I\b))"
    r"|^[\"“](?=[^\"“”\n]* [^\"“”\n]* )[^\"“”\n]{1,300}[.!?][\"”](?= \S)",
    re.MULTILINE,
)
# titles, whose full stop does not end a sentence
_TITLE = re.compile(r"\b(Dr|Mr|Mrs|Ms|Prof|St|Rev)\.(?= )")
_LAST_NUMBER = re.compile(r"\n\W{0,3}\d{1,3}(?:\.\d{1,3})? ?%?\W{0,3}\Z")
_TAG = re.compile(r"< ?answer ?>[^<>]{0,200}< ?/ ?answer ?>", re.IGNORECASE)
_CONFIDENCE = re.compile(
    r"< ?confidence[^<>]{0,80}>[^<]{0,200}(?:</ ?confidence ?>)?"
    r"|(?:^| [|])\W{0,9}(?:(?:my|your) )?confidence\b.*$"
    r"|,? and my confidence\b[^.\n]*",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True)
class Reading:
    """The parsed answer of a reply.

    Attributes:
        label: One of the labels, or None if no answer was parsed.
        format: How the answer was given, or why none was parsed: the first that applies of
            ``refused`` (by the provider), ``empty``, ``refused`` (in words), ``tag``, ``stated``,
            ``ambiguous``, ``truncated`` and ``missing``.
        multiple_tags: Whether the visible text has more than one answer tag.
        cut_off: Whether the token limit cut off the reply.
    """

    label: str | None
    format: AnswerFormat
    multiple_tags: bool
    cut_off: bool


def read_answer(
    completion: str,
    labels: Sequence[str],
    *,
    options: Sequence[str] = (),
    tags: bool,
    stop_reason: str | None = None,
) -> Reading:
    """Parse the label that a reply gives as its final answer.

    Only visible text counts, and the last answer wins. Nothing is guessed: if a careful reader
    could not tell which label is meant, there is no answer. A tag takes precedence over prose. In
    prose an answer is declared ("Final answer: …", "I choose …"), alone on the first or last line,
    or the verdict of a sentence there ("This is not wrong."). Other people's answers, earlier
    answers and hypothetical answers do not count.

    Args:
        completion: The reply.
        labels: ``("wrong", "not wrong")`` or letters.
        options: The options' texts as shown, in the order of the labels; a reply may give one of
            them instead of its label.
        tags: Whether the prompt asks for ``<answer>`` tags. If so, the last tag decides; otherwise,
            if no tag has a label, the prose decides.
        stop_reason: Inspect's stop reason of the reply.

    Raises:
        ValueError: The numbers of options and labels differ.
    """
    question = Question.of(labels, options)
    cut_off = stop_reason in TOKEN_LIMIT
    visible = readable(completion, cut_off)
    text = _without_unfinished_word(visible, question) if cut_off else visible
    found = find_tags(text, "answer")
    read = tagged(text, found, question)
    how: AnswerFormat = "tag"
    if read is None or not (tags or len(read) == 1):
        prose = stated(_plain(text, question), question, cut_off)
        read, how = prose or read or NO_LABELS, "stated"
    form = _format(visible, read, how, stop_reason)
    return Reading(
        label=next(iter(read)) if form in {"tag", "stated"} else None,
        format=form,
        multiple_tags=sum(tag.closed for tag in found) > 1,
        cut_off=cut_off,
    )


def _plain(text: str, question: Question) -> str:
    """Return the prose of a reply, without tags, confidences, and a single number at the end."""
    text = _TAG.sub("\n", _TITLE.sub(r"\1", _SPEECH.sub("", text)))
    prose = plain(_CONFIDENCE.sub("", text))
    return prose if question.words else _LAST_NUMBER.sub("", prose)


def letters(n: int) -> tuple[str, ...]:
    """Return the first n capital letters, the labels of n options.

    Args:
        n: The number of options, 2 to 26.

    Raises:
        ValueError: n is out of range.
    """
    if not 2 <= n <= 26:
        raise ValueError(f"invalid number of options {n}: expected 2 to 26")
    return tuple(chr(ord("A") + i) for i in range(n))


def _format(visible: str, read: Labels, how: AnswerFormat, stop_reason: str | None) -> AnswerFormat:
    if stop_reason == "content_filter":
        return "refused"
    if not visible:
        # nothing visible within the limit: the model was still thinking if it was cut off
        return "truncated" if stop_reason in TOKEN_LIMIT else "empty"
    if len(read) == 1:
        return how
    if _REFUSAL.search(plain(visible)):
        return "refused"
    if read:
        return "ambiguous"
    return "truncated" if stop_reason in TOKEN_LIMIT else "missing"


def _without_unfinished_word(text: str, question: Question) -> str:
    """Return a text that was cut off, without its last word, which may be incomplete.

    "B" may be the start of "Both", "85" of "85.5", and the "A" of "A foo" an article. Only "wrong"
    is kept: hardly any word begins with it.
    """
    end = re.match(r"\w*", text[::-1])
    word = end[0][::-1] if end else ""
    if question.verdicts and word.lower() == "wrong":
        return text
    return re.sub(r"(?<!\w)A \Z", "", text.removesuffix(word)) if word else text
