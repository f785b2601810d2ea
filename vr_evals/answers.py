"""Reading a model's answer from its reply."""

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
"""How an answer was given, or why none was read: the first that holds."""

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
# direct speech: its comma stands inside the quotation marks, its speaker follows
_SPEECH = re.compile(
    r"[\"“](?=[^\"“”\n]* [^\"“”\n]* )[^\"“”\n]{1,300},[\"”](?= (?!I\b))"
    r"|^[\"“](?=[^\"“”\n]* [^\"“”\n]* )[^\"“”\n]{1,300}[.!?][\"”](?= \S)",
    re.MULTILINE,
)
# whose full stop ends no sentence
_TITLE = re.compile(r"\b(Dr|Mr|Mrs|Ms|Prof|St|Rev)\.(?= )")
_LAST_NUMBER = re.compile(r"\n\W{0,3}\d{1,3}(?:\.\d{1,3})? ?%?\W{0,3}\Z")
_TAG = re.compile(r"< ?answer ?>[^<>]{0,200}< ?/ ?answer ?>", re.IGNORECASE)
_CONFIDENCE = re.compile(
    r"< ?confidence[^<>]{0,80}>[^<]{0,200}(?:</ ?confidence ?>)?"
    r"|^\W{0,9}(?:(?:my|your) )?confidence\b.*$",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True)
class Reading:
    """What was read from a reply.

    Attributes:
        label: One of the labels that were offered, or None where no answer could be read.
        format: How the answer was given, or why none was read: the first that holds of ``refused``
            (by the provider), ``empty``, ``refused`` (in words), ``tag``, ``stated``,
            ``ambiguous``, ``truncated`` and ``missing``.
        multiple_tags: Whether more than one answer tag stood in the visible text.
        cut_off: Whether the reply was stopped by the token limit.
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
    """Read which of the labels a reply gives as its final answer.

    Only visible text is read, and the last answer wins. Nothing is guessed: where a careful person
    could not say which label was meant, none is read. An answer tag counts for more than prose; in
    prose an answer is declared ("Final answer: …", "I choose …"), stands alone on the first or last
    line, or is the verdict of a sentence there ("This is not wrong."). What somebody else answered,
    what was answered before, and what is only supposed is no answer.

    Args:
        completion: The reply as the model gave it.
        labels: ``("wrong", "not wrong")`` or letters.
        options: The options' texts as shown, in the order of the labels; a reply may give one of
            them instead of its label.
        tags: Whether the model was asked for ``<answer>`` tags. Then the last tag decides, whatever
            else is said; otherwise a tag that holds no label leaves the answer to the prose.
        stop_reason: Inspect's stop reason of the reply.

    Raises:
        ValueError: There are options, but not one for each label.
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
    """The prose of a reply: without tags, confidences, and a number left alone at the end."""
    text = _TAG.sub("\n", _TITLE.sub(r"\1", _SPEECH.sub("", text)))
    prose = plain(_CONFIDENCE.sub("", text))
    return prose if question.words else _LAST_NUMBER.sub("", prose)


def letters(n: int) -> tuple[str, ...]:
    """The first n capital letters, which label n options.

    Args:
        n: How many, 2 to 26.

    Raises:
        ValueError: n is out of range.
    """
    if not 2 <= n <= 26:
        raise ValueError(f"{n} options cannot be lettered: 2 to 26 can")
    return tuple(chr(ord("A") + i) for i in range(n))


def _format(visible: str, read: Labels, how: AnswerFormat, stop_reason: str | None) -> AnswerFormat:
    if stop_reason == "content_filter":
        return "refused"
    if not visible:
        # nothing visible within the limit: the model was still thinking
        return "truncated" if stop_reason in TOKEN_LIMIT else "empty"
    if len(read) == 1:
        return how
    if _REFUSAL.search(plain(visible)):
        return "refused"
    if read:
        return "ambiguous"
    return "truncated" if stop_reason in TOKEN_LIMIT else "missing"


def _without_unfinished_word(text: str, question: Question) -> str:
    """A text that was cut off, without the word at its end.

    It may have been going on: "B" to "Both", "85" to "85.5". Only "wrong" is let stand: no label
    and hardly another word goes on from it.
    """
    end = re.match(r"\w*", text[::-1])
    word = end[0][::-1] if end else ""
    return text if question.verdicts and word.lower() == "wrong" else text.removesuffix(word)
