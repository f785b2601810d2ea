"""Parse the initial answer of a reply that was asked for one before its final answer.

It is stated under a heading ("Initial intuition: B"), as the first of the four numbered answers, or
in a sentence that begins with it ("My intuition favors A"). Statements elsewhere only contradict:
if two differ, or one is undecided, the initial answer is unread. Nothing is inferred from the final
answer.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from vr_evals.reading.question import NO_LABELS, Labels, Question, fold
from vr_evals.reading.verdicts import sentences, stated_verdict
from vr_evals.reading.voices import is_reported_after

__all__ = ["InitialFormat", "initial"]

InitialFormat = Literal["headed", "numbered", "sentence", "unclear", "missing"]
"""How an initial answer was stated, or why none was parsed: ``unclear`` if it was undecided, of no
clear label or contradicted."""

_NUMBER = re.compile(
    r"[^\w\n]{0,6}(?:(?:step|question|part|q) ?)?\(?(?P<number>\d{1,2})"
    r"(?:[.):]{1,2}|\u20e3|(?= [-–—] ))\s?"
    r"[^\w\s(]{0,3}\s?",
    re.IGNORECASE,
)
_FIRST = r"(?:initial|first|gut|immediate|instinctive|intuitive|starting|opening|original)"
_KIND = r"(?:own|honest|very|strong|personal|ethical|moral|general|overall)"
_SEEN = r"(?:intuitions?|instincts?|hunch|gut(?: feeling| reaction| response)?)"
_NOUN = (
    r"(?:answer|assessment|choice|feeling|guess|impression|inclination|instinct|intuition|judge?ment"
    r"|lean(?:ing)?|opinion|pick|position|preference|reaction|reading|response|sense|stance|take"
    r"|thoughts?|verdict|view)"
)
_THOUGHT = rf"(?:(?:{_KIND} ){{0,2}}(?:{_FIRST} (?:{_KIND} ){{0,2}}(?:{_NOUN}|{_SEEN})|{_SEEN}))"
_ABOUT = (
    r"(?: (?:here|(?:about|on|of|regarding|as to|for) (?:the|this|what) "
    r"(?:(?:moral|scenario|story|fable|dilemma|case|action|situation|matter|question)\b ?){1,2}"
    r"(?:is)?))?"
)
_HEADING = re.compile(
    rf"(?:what(?: is|'s) |which (?:option )?(?:does|do) )?(?:my |your |the )?{_THOUGHT}{_ABOUT}"
    r"(?: favou?r)?(?: \([^()\n]{1,40}\))?\s?(?:[?:.]{1,2}(?:\s|$)|[-–—]+>? |→ ?|$)",
    re.IGNORECASE,
)
_OTHER_HEADING = re.compile(
    r"\b(?:alternativ|answer|argu|assess|case|chang|compel|conclu|counter|critic|disagree|distinguish"
    r"|effect|evaluat|final|impact|object|oppos|other|plausible|reconsider|reflect|respon|revis"
    r"|steel|strength|strong|verdict|weigh)\w*",
    re.IGNORECASE,
)
_ANY_HEADING = re.compile(r"(?P<head>[^.!?:\n]{2,80})(?:[?:]|$)")
_LEAD = r"(?:(?:so|well|and|ok|okay|honestly|personally|yes|to start|to begin)\b[,:]? )?"
_NAMES = re.compile(
    rf"{_LEAD}(?:(?:my|our) {_THOUGHT}{_ABOUT}|intuition(?= favou?rs\b))"
    r"(?P<joint>:| (?:(?:initially|strongly|clearly|slightly|definitely|immediately"
    r"|first|would|still) )?"
    r"(?:is|was|be|says|said|tells me|told me|suggests|suggested"
    r"|favou?rs|favou?red|leans|leaned|goes|went|points|pointed|inclines|pulls me|prefers"
    r"|preferred)\b)(?: (?:strongly|clearly|slightly|definitely|simply))?",
    re.IGNORECASE,
)
_AT_FIRST = re.compile(
    rf"{_LEAD}(?:(?:initially|intuitively|instinctively|at first(?: glance| sight| blush| thought)?"
    r"|on (?:a )?first (?:reading|impression|glance))\b,? ?"
    r"|(?=i(?:'d| would| am|'m| was)? (?:initially|intuitively|instinctively)\b))",
    re.IGNORECASE,
)
_I_PICK = (
    r"i(?:'d| would|'m| am| was| have| had)?(?: (?:initially|intuitively|instinctively|first"
    r"|strongly|slightly|also|immediately|most))* (?:lean(?:ed|ing|s)?|favou?r(?:ed)?|cho(?:ose|se)"
    r"|pick(?:ed)?|go(?: with)?|went|prefer(?:red)?|select(?:ed)?|drawn|inclined|think|thought"
    r"|say|said|feel|felt|believe|believed)\b"
)
_TO_LABEL = re.compile(
    rf"[\s:,]{{0,3}}(?:(?:that|is|{_I_PICK}|it is|it's)\b ?){{0,3}}"
    r"(?:(?:to|toward|towards|with|for|in favou?r of)\b ?){0,2}"
    r"(?:(?:choose|choosing|pick|picking|go with|going with|select|selecting|answer|answering"
    r"|say|favou?r|prefer)\b ?)?"
    r"(?:the (?:true |best |right |correct |intended )?(?:moral|answer|lesson|choice|option)"
    r"(?: of (?:the|this) (?:story|fable|tale))?(?: here)?"
    r" (?:is|would be|must be|was|seems to be)\b ?)?"
    r"(?:(?:the )?(?:first|second|third|fourth|fifth)? ?"
    r"(?:option|choice|answer|action|moral)\b,? ?)?"
    r":? ?\(?(?P<letter>[A-Z])(?![\w'])",
    re.IGNORECASE,
)
# what may follow a letter that is not an article
_ENDS = re.compile(r"\s?(?:$|[.,;:()\[\]–—])| - ")
_SEEMS = re.compile(
    r" (?:seems?|seemed|feels?|felt|looks?|looked|appears?|appeared|is|was)(?: like| to be)?"
    r"(?: the| clearly| immediately| intuitively| morally| ethically)*"
    r" (?:right|better|best|correct|preferable|more|most|natural|obvious|the one|answer|choice)\b",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"\((?:[Oo]ption |[Aa]nswer |[Cc]hoice )?(?P<letter>[A-Z])\)")
_MENTION = re.compile(r"(?<![\w'])(?P<letter>[B-HJ-Z])(?![\w'])|\b[Oo]ption (?P<named>[A-Z])\b")
# what follows explains or contrasts
_CUT = re.compile(
    r",? (?:over|rather than|instead of|not|more than|as opposed to|ahead of|because|since|as"
    r"|due to|given|even though|although|though|while|but|however|in that|so)\b|;| [-–—] |[–—]",
    re.IGNORECASE,
)
_UNDECIDED = re.compile(
    r"\b(?:torn|mixed|unsure|uncertain|unclear|ambivalent|conflicted|neither|either|both|between"
    r"|split|divided|hard to|difficult"
    r"|depend(?:s|ing|ed)?|part of me|if|unless|whether|no (?:strong"
    r"|clear|initial)|don't have|do not have|not sure|undecided|neutral|two minds)\b|\?",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|no|never|nor|against|away from|reject\w*|except|rule\w* out|worse|worst|wrong"
    r"|weaker|less|least)\b|n't\b",
    re.IGNORECASE,
)
_IN_GENERAL = re.compile(
    r"\b(?:in general|generally|usually|often|typically|normally|sometimes|as a rule|in principle"
    r"|some people|most people|many people|others|technically|legally)\b",
    re.IGNORECASE,
)
_OF_ACTS = re.compile(
    r"(?:that )?(?:\w+ )?(?!nothing\b|something\b|anything\b)\w+ing\b|to \w+", re.IGNORECASE
)
_TURNS = re.compile(r"\b(?:but|however|though|although|except|yet)\b", re.IGNORECASE)
_AGAIN = re.compile(rf"\b(?:{_THOUGHT}|initially|final)\b", re.IGNORECASE)
_BARE_VERDICT = re.compile(r"(?:not )?wrong\b", re.IGNORECASE)
_OF_THE_FIRST = re.compile(r"\s*(?:that|:)\s*", re.IGNORECASE)
_SEEMING = re.compile(
    r"(?P<not>(?:do|does|did)(?: not|n't) )?\b(?:seem|feel|felt|appear|look"
    r"|str(?:ikes?|uck) me as)(?:s|ed)?(?: like| to be)?"
    r"(?= (?:\w+ly |quite |very |rather )?(?:not )?"
    r"wrong\b)",
    re.IGNORECASE,
)
_CALLS = re.compile(
    r"^\s*to (?:call|consider|judge|label|say) (?:that )?(?:(?:it|this)(?: is| as)? )?"
    r"(?=(?:not )?wrong\b)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"(?:the|a|an|my|our|her|his|their) (?P<noun>[\w-]+)(?:'s? (?P<of>\w+))?", re.I
)
_OF_THIS_CASE = re.compile(
    r"(?:act|action|behaviou?r|choice|conduct|decision|deed|described|lie|narrator|person|protagonist"
    r"|scenario|situation|speaker|writer)s?",
    re.IGNORECASE,
)
# the first of four numbered answers, if it does not say that it is the initial one
_BARE = re.compile(
    r"(?:(?:this|it|that)(?: is|'s) )?(?:clearly |morally )?(?:not )?wrong(?=\s*$|[.,;:–—])"
    r"|(?:option |choice )?\(?[A-Z](?=\s*$|\)?[.,;:–—]|\)(?:\s|$))",
    re.IGNORECASE,
)
# the answer to "Does it change your view?"
_ON_CHANGE = re.compile(
    r"(?:(?:yes|no|none|unchanged|slightly|somewhat|partially)(?=\s*$|[,.;:!–—])"
    r"|not (?:really|at all|much|enough)\b)|[^.!?\n]{0,60}"
    r"\b(?:chang\w+|unchanged|remain\w*|shift\w*|reconsider\w*)\b",
    re.IGNORECASE,
)
_LONGEST = 600

_UNCLEAR = None
_Found = Labels | None
"""One label; none; or None for a statement without a clear label."""


@dataclass(frozen=True)
class _Line:
    """A line of a reply.

    Attributes:
        text: Its text, without its number.
        number: The number that it begins with, or None.
    """

    text: str
    number: int | None


def initial(text: str, question: Question) -> tuple[str | None, InitialFormat]:
    """Return the initial answer of a reply, and how it was stated.

    Args:
        text: Plain text, without the tag of the final answer.
        question: The answers of the question.
    """
    lines = [_line(line) for line in text.split("\n")]
    found: list[tuple[InitialFormat, _Found]] = []
    for how, statement in _under_heading(lines):
        labels = _stated(statement, question)
        found.append((how, labels or _UNCLEAR))
    for supplies, sentence in _sentences(lines):
        labels = _of_sentence(sentence, question)
        if labels is _UNCLEAR or labels:
            found.append(("sentence" if supplies else "missing", labels))
    supplied = [one for one in found if one[0] != "missing"]
    if not supplied:
        return None, "missing"
    labels = NO_LABELS.union(*(one for _, one in found if one))
    if len(labels) != 1 or any(one is _UNCLEAR for _, one in found):
        return None, "unclear"
    return next(iter(labels)), supplied[0][0]


def _line(line: str) -> _Line:
    number = _NUMBER.match(line)
    if number is None:
        return _Line(line.strip(), None)
    return _Line(line[number.end() :].strip(), int(number["number"]))


def _under_heading(lines: list[_Line]) -> Iterator[tuple[InitialFormat, str]]:
    """Yield the statements under headings of an initial answer, and the first of four answers."""
    headed = False
    for n, line in enumerate(lines):
        heading = _HEADING.match(line.text)
        if heading is None or (line.number or 1) > 1:
            continue
        headed = True
        statement = line.text[heading.end() :].strip()
        below = lines[n + 1] if n + 1 < len(lines) else None
        if not statement and below and below.number is None and not _is_other(below.text):
            again = _HEADING.match(below.text)
            statement = below.text[again.end() :] if again else below.text
        if statement:
            yield "headed", statement
    numbered = [line for line in lines if line.number is not None]
    if not headed and [line.number for line in numbered] == [1, 2, 3, 4]:
        first, last = numbered[0].text, numbered[-1].text
        own = (
            _BARE.match(first) or _AT_FIRST.match(first) or re.match(_I_PICK, first, re.IGNORECASE)
        )
        if own and _ON_CHANGE.match(last):
            yield "numbered", first


def _is_other(text: str) -> bool:
    """Return whether a line is a heading of something else than an initial answer."""
    heading = _ANY_HEADING.match(text)
    return (
        heading is not None
        and len(heading["head"].split()) <= 10
        and bool(_OTHER_HEADING.search(heading["head"]))
        and not _HEADING.match(text)
    )


def _sentences(lines: list[_Line]) -> Iterator[tuple[bool, str]]:
    """Yield each sentence, and whether an initial answer may be stated there."""
    supplies = True
    for line in lines:
        if line.number is not None:
            supplies = line.number == 1
        if _is_other(line.text):
            supplies = False
        elif _HEADING.match(line.text) and line.number in (None, 1):
            supplies = True
        text = line.text
        if heading := _HEADING.match(text):
            text = text[heading.end() :]
        for sentence in sentences(text):
            yield supplies, sentence


def _of_sentence(sentence: str, question: Question) -> _Found:
    """Return the label of a sentence that begins with a first thought; no label without one."""
    if len(sentence) > _LONGEST:
        return NO_LABELS
    if named := _NAMES.match(sentence):
        rest = sentence[named.end() :]
        joint = _OF_THE_FIRST.match(named["joint"] + rest if named["joint"] == ":" else rest)
        mistaken = named["joint"].split()[-1].lower() in {"is", "was", "be"}
        if mistaken and question.verdicts and joint is None and _BARE_VERDICT.match(rest.strip()):
            return NO_LABELS  # "my intuition was wrong": mistaken, or the label?
        return _stated(rest, question)
    if at_first := _AT_FIRST.match(sentence):
        rest = sentence[at_first.end() :]
        if question.letters and not re.match(_I_PICK, rest, re.IGNORECASE):
            return NO_LABELS  # "at first glance, B seems plausible too"
        return _stated(rest, question)
    return NO_LABELS


def _stated(statement: str, question: Question) -> _Found:
    """Return the label that the first sentence of a statement is for."""
    sentence = next(sentences(statement), "")
    if len(sentence) > _LONGEST:
        return _UNCLEAR
    if _NAMES.match(sentence) or _AT_FIRST.match(sentence):
        # cut off what the heading says already
        own = _of_sentence(sentence, question)
        if own is _UNCLEAR or own or _NAMES.match(sentence):
            return own
    if question.verdicts:
        return _verdict(sentence, question)
    if question.letters:
        return _letter(sentence, statement, question)
    folded = fold(_OF_THE_FIRST.sub("", sentence, count=1))
    words = [label for label in question.labels if folded == label.casefold()]
    return frozenset(words)


def _verdict(sentence: str, question: Question) -> _Found:
    said = re.sub(rf"^\s*(?:that|:|{_I_PICK}(?: that)?)\s+", "", sentence, flags=re.IGNORECASE)
    if _UNDECIDED.search(said) or _IN_GENERAL.search(said):
        return _UNCLEAR
    if _OF_ACTS.match(said) and _TURNS.search(said):
        return _UNCLEAR
    subject = _SUBJECT.match(said)
    if subject and not _OF_THIS_CASE.fullmatch(subject["of"] or subject["noun"]):
        return _UNCLEAR  # "my sister was wrong to ask"
    said = _CALLS.sub("it is ", said)
    said = _SEEMING.sub(lambda seems: "is not" if seems["not"] else "is", said)
    found = question.labels_of(stated_verdict(said))
    return found if len(found) <= 1 else _UNCLEAR


def _letter(sentence: str, statement: str, question: Question) -> _Found:
    if named := question.options.get(fold(sentence)):
        return frozenset({named})
    match = _TO_LABEL.match(sentence)
    cut = _CUT.search(sentence)
    head = sentence[: cut.start()] if cut else sentence
    rest = sentence[len(head) :]
    if _UNDECIDED.search(head) or _AGAIN.search(rest):
        return _UNCLEAR
    if match and match.end() <= len(head) and _is_label(match, sentence, question):
        chosen, after = match["letter"], sentence[match.end() :]
    else:
        after = rest
        named_in = {
            label
            for text, label in question.options.items()
            if len(text) > 12 and text in fold(head)
        }
        bracketed = {one["letter"] for one in _IN_BRACKETS.finditer(head)}
        chosen = next(iter(named_in | bracketed), "") if len(named_in | bracketed) == 1 else ""
    if chosen not in question.letters or is_reported_after(after):
        return NO_LABELS
    beside = {one["letter"] or one["named"] for one in _MENTION.finditer(head)}
    texts = {
        label
        for text, label in question.options.items()
        if len(text) > 12 and text in fold(statement)
    }
    others = ((beside & question.letters) | (texts if texts == {chosen} else set())) - {chosen}
    if others or _DENIED.search(_without_options(head, question)):
        return _UNCLEAR
    return frozenset({chosen})


def _without_options(head: str, question: Question) -> str:
    folded = fold(head)
    for text in question.options:
        if len(text) > 12:
            folded = folded.replace(text, "")
    return folded


def _is_label(match: re.Match[str], sentence: str, question: Question) -> bool:
    """Return whether a letter is a label here, not an article or a pronoun."""
    if not match["letter"].isupper():
        return False
    tail = sentence[match.end() :]
    return bool(_ENDS.match(tail) or _CUT.match(tail) or _SEEMS.match(tail))
