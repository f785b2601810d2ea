"""Finding where a reply declares its answer: "Final answer: …", "The answer is …", "I choose …"."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from vr_evals.reading.letters import leading_letter, stated_letter
from vr_evals.reading.question import NO_LABELS, Labels, Question, fold
from vr_evals.reading.verdicts import stated_verdict
from vr_evals.reading.words import leading_word, lone_word
from vr_evals.visible import offered_together

__all__ = ["Offer", "last_offer", "stated", "value"]


@dataclass(frozen=True)
class Offer:
    """Labels stated at one place of a text; none where an answer is named that is no label."""

    labels: Labels
    start: int
    end: int


_NAMED = re.compile(
    r"(?:\b(?:my|the|your|our|final|correct|best|right|overall|revised|updated)[ -]){0,3}"
    r"(?P<noun>\b(?:answers?|verdict|judge?ment|ruling|choice|decision|conclusion|selection|pick"
    r"|option|moral|antwort|respuesta|r(?:é|e\u0301)ponse|risposta|resposta|ответ)\b"
    r"|答案|答え|选择|정답)"
    r"(?: ?\([^()\n]{1,40}\))?(?: (?:to|of|for|in|here)(?: \w{1,15}){0,2})?"
    r"(?:(?P<colon> ?(?:[:=→|]{1,3}|[-=]+>|[-–—](?= ))|(?=\n))"
    r"| (?:is|are|would be|will be|must be|should be|has to be|seems to be|remains|stays"
    r"|es|ist|est|è)\b|是|为)"
    r"(?: (?:that|still|therefore|thus|clearly|simply|again|now|unchanged|definitely|certainly"
    r"|most|likely|probably)\b){0,3}[ \n]?:?\s?",
    re.IGNORECASE,
)
_CHOSEN = re.compile(
    r"\bI(?:'d|'ll|'m| would| will| am| must| have to|(?:'m| am) going to)?"
    r"(?: (?:still|therefore|thus|personally|ultimately|definitely|now|also|have to)\b){0,2}"
    r" (?:choose|choosing|pick|select|go(?:ing)? with|opt for|prefer|favou?r|vote for|stick with"
    r"|stand by|maintain|keep|lean(?:ing)? towards?|recommend|say|answer|settle on|conclude)\b"
    r"(?: that)?(?: (?:my|the) (?:\w{1,15} ){0,2}(?:answer|choice)(?: of| is)?)?[:,]? ?"
    r"|我(?:会)?选(?:择)? ?"
    r"|\b(?:captured|conveyed|expressed|reflected|represented|summarized) by "
)
# nouns that also head an argument: only with a label do they declare an answer
_WEAK = frozenset({"choice", "conclusion", "decision", "moral", "option"})
_NOT_FINAL = re.compile(
    r"^\W*(?:you |i )?(?:initially|originally|previously|at first)\b"
    r"|\b(?:initial(?:ly)?|original(?:ly)?|previous(?:ly)?|earlier|first|another|other|alternative"
    r"|opposite|no)\b[^,;:()]*$"
    r"|\b(?:wrong|incorrect|weaker|worse|worst|second|next|(?:less|least)(?: \w+){0,2}) $",
    re.IGNORECASE,
)
_KEPT = re.compile(
    r"\b(?:stand by|maintain|keep|stick|retain|reaffirm|uphold|confirm)", re.IGNORECASE
)
_CONDITION = re.compile(r"(?<!even )\b(?:if|unless)\b")
_RETRACTED = re.compile(
    r"\b(?:actually,? no|no,? wait|wait(?=[,.!…:–—-])|scratch that|on second thoughts?"
    r"|correction(?=:)|i take (?:that|it) back|i(?:'ve| have)? changed? my mind"
    r"|let me (?:reconsider|correct))\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|(?<!:)\n")
_WORD_LABEL = re.compile(r"[\W_]{0,10}(?:not[\W_]{1,3})?wrong\b", re.IGNORECASE)
_LETTER_LABEL = re.compile(
    r"[\W_]{0,10}(?:option |choice )?[\W_]{0,5}(?P<letter>[A-Z])(?!\w)", re.IGNORECASE
)


def value(text: str, question: Question) -> Labels:
    """What the content of a tag, or what follows a declaration, says the answer is.

    Args:
        text: Plain text.
        question: The answers that were offered.
    """
    if question.words:
        return lone_word(text, question) or leading_word(text, question)
    folded = fold(text)
    # "not-wrong" and "NotWrong" are spellings of a word; "C++" is none of the letter C
    spelled = folded if question.letters else re.sub(r"[\W_]+", "", folded)
    for label in question.labels:
        if spelled == label.casefold().replace(" ", ""):
            return frozenset({label})
    if folded in question.options:
        return frozenset({question.options[folded]})
    if letter := leading_letter(text, question):
        return letter
    return question.labels_of(stated_verdict(text)) if question.verdicts else NO_LABELS


def stated(text: str, question: Question, cut_off: bool = False) -> Labels:
    """What a reply says the answer is, tags apart.

    The last declaration wins. Where it names no single label, or is taken back in so many words
    ("Answer: A. Actually no, …"), what follows is read as a reply of its own; if that says nothing,
    a declaration taken back leaves every label open. A reply that declares nothing is read by its
    first and last line.

    Args:
        text: Plain text.
        question: The answers that were offered.
        cut_off: Whether the reply was cut off, so that its last line is not its conclusion.
    """
    text = re.sub(r"\bnot\nwrong\b", "not wrong", text, flags=re.IGNORECASE)
    offer = last_offer(text, _declarations(text, question))
    if offer is None:
        return _undeclared(text, question, cut_off)
    rest = text[offer.end :]
    if len(offer.labels) != 1:
        return _undeclared(rest, question, cut_off) or offer.labels
    if retraction := _RETRACTED.search(rest):
        again = _undeclared(rest[retraction.end() :], question, cut_off)
        return again or frozenset(question.labels)
    return offer.labels


def last_offer(text: str, latest_first: Iterable[Offer]) -> Offer | None:
    """The last offer, together with those that it is an alternative to ("A or B").

    Args:
        text: What the offers were found in.
        latest_first: The offers; those before a single one are not asked for.
    """
    last: Offer | None = None
    start = 0
    for offer in latest_first:
        if last is None:
            last = offer
        elif offered_together(text[offer.end : start]):
            last = replace(last, labels=last.labels | offer.labels)
        else:
            break
        start = offer.start
    return last


def _undeclared(text: str, question: Question, cut_off: bool) -> Labels:
    if question.words:
        lines = [line for line in text.splitlines() if line.strip()]
        ends = lines[:1] if cut_off else lines[-1:] + lines[:1]
        return next(filter(None, (lone_word(line, question) for line in ends)), NO_LABELS)
    text = text.lstrip(" \n.,;:!?-–—)")
    letter = stated_letter(text, question, cut_off) if question.letters else NO_LABELS
    if letter or not question.verdicts:
        return letter
    return question.labels_of(stated_verdict(text, cut_off))


def _declarations(text: str, question: Question) -> Iterator[Offer]:
    """What a text declares, the last declaration first."""
    named = list(_NAMED.finditer(text))
    ends = [match.start() for match in named[1:]] + [len(text)] * bool(named)
    found = list(zip(named, ends, strict=True))
    found += [(match, match.end() + 200) for match in _CHOSEN.finditer(text)]
    for match, end in sorted(found, key=lambda pair: pair[0].start(), reverse=True):
        said = text[match.end() : end]
        read = _named if match.re is _NAMED else _chosen
        if offer := read(text, match, said, question):
            yield offer


def _named(text: str, match: re.Match[str], said: str, question: Question) -> Offer | None:
    """What a named answer is said to be, up to the next one or the end of its line."""
    before = _before(text, match)
    said = said.split("\n", 1)[0]
    noun = match["noun"].lower()
    if (
        not said.strip()
        or (_NOT_FINAL.search(before) and not _KEPT.search(before))
        or (noun in {"moral", "option"} and not question.letters)
        or _first_sentence(said).endswith("?")
    ):
        return None
    labels = value(re.sub(r"[ ,/]{1,3}(?:or|and)? ?$", "", said), question)
    if not labels and (noun in _WEAK or match["colon"] is None or before.strip()):
        return None
    return Offer(labels, match.start(), match.end() + _end(said, labels, question))


def _chosen(text: str, match: re.Match[str], said: str, question: Question) -> Offer | None:
    """What "I choose" goes on with, if that is a label."""
    said = _first_sentence(said)
    if (
        not _begins_with_label(said, question)
        or said.endswith("?")
        or _CONDITION.search(said)
        or _NOT_FINAL.search(_before(text, match))
    ):
        return None
    labels = (leading_letter if question.letters else value)(said, question)
    end = match.end() + _end(said, labels, question)
    return Offer(labels, match.start(), end) if labels else None


def _before(text: str, match: re.Match[str]) -> str:
    """The beginning of the sentence that a declaration stands in."""
    return _SENTENCE_END.split(text[max(0, match.start() - 80) : match.start()])[-1]


def _first_sentence(text: str) -> str:
    end = _SENTENCE_END.search(text)
    return text[: end.end()] if end else text


def _begins_with_label(said: str, question: Question) -> re.Match[str] | None:
    if question.words:
        words = "|".join(map(re.escape, sorted(question.labels, key=len, reverse=True)))
        return re.match(rf"\s{{0,3}}[\"'“‘*(]{{0,3}}(?:{words})(?!\w)", said, re.IGNORECASE)
    label = (_LETTER_LABEL if question.letters else _WORD_LABEL).match(said)
    known = label and (not question.letters or label["letter"].upper() in question.letters)
    return label if known else None


def _end(said: str, labels: Labels, question: Question) -> int:
    """Where the one label that text begins with ends, or else its first sentence."""
    label = _begins_with_label(said, question)
    return label.end() if label and len(labels) == 1 else len(_first_sentence(said))
