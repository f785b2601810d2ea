"""Finding where a reply declares its answer: "Final answer: …", "The answer is …", "I choose …"."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from vr_evals.reading.letters import leading_letter, stated_letter
from vr_evals.reading.question import NO_LABELS, Labels, Question, fold
from vr_evals.reading.verdicts import stated_verdict
from vr_evals.reading.voices import (
    SENTENCE_END,
    is_anothers_label,
    is_anothers_line,
    is_earlier,
    is_forced,
    is_kept,
    is_own,
    is_own_intro,
)
from vr_evals.reading.words import leading_word, lone_word
from vr_evals.visible import offered_together

__all__ = ["stated", "value"]


@dataclass(frozen=True)
class Offer:
    """Labels stated at one place of a text; none where an answer is named that is no label.

    Attributes:
        labels: The labels.
        start: Where the statement begins in the text.
        end: Where it ends.
        declared: Whether it is a declaration by itself ("Answer: B") and no part of a sentence.
        spoken: Whether the speaker says "I" or "my".
        begins: Whether it begins with a label.
    """

    labels: Labels
    start: int
    end: int
    declared: bool = True
    spoken: bool = False
    begins: bool = False


_QUALIFIER = (
    r"(?:(?:my|the|your|our|a|this|final|correct|best|better|right|overall|revised|updated|new"
    r"|current|considered|definitive"
    r"|definite|only|single|most|more|fitting|appropriate|accurate|suitable|plausible|ethical"
    r"|ethically|moral|morally|acceptable"
    r"|defensible|preferable|preferred|chosen|selected|ultimate|second-pass|second pass"
    r"|pass[ -]?2|post-reflection|short|quick|own"
    r"|clear|initial and final)[ -])"
)
_ABOUT = (
    r"(?:,? (?:after|upon|on|following) (?:further |careful |some |due )?(?:reflection"
    r"|consideration|thought|review),?"
    r"| (?:to|of|for|in|from) (?:(?:this|the|that|my|these|your) )?(?:\w+ )?(?:question"
    r"|questions|dilemma|problem|scenario|story|fable|tale|case"
    r"|situation|view|opinion|judgment|prompt|action|act|options|two|me|above)| here| now| today)"
)
_NAMED = re.compile(
    rf"(?P<own>\b{_QUALIFIER}{{1,6}}|)"
    r"(?P<noun>\b(?:answers?|verdict|judge?ment|ruling|choice|decision|conclusion|selection|pick"
    r"|option|moral|one|fit|match|response|label|determination|final(?= ?:)"
    r"|antwort|respuesta|r(?:é|e\u0301)ponse|risposta|resposta|ответ)\b"
    r"|答案|答え|选择|정답)"
    rf"(?: ?\((?P<note>[^()\n]{{1,40}})\))?{_ABOUT}?"
    r"(?:(?P<colon> ?(?:[:=→|]{1,3}|[-=]+>|[-–—](?= ))|(?=\n))"
    r"|(?P<lone>(?:(?<=answer)|(?<=verdict)|(?<=choice)) (?=[A-Z]\W{0,3}(?:\n|\Z)))"
    r"|(?P<verb> (?:is|would be|will be|must be|should be|has to be|seems to be|remains|stays"
    r"|has changed to|changes to|becomes"
    r"|es|ist|est|è)\b|是|为)(?: the same as [^:.\n]{1,60}:)?)"
    r"(?: (?:that|still|therefore|thus|clearly|simply|again|now|unchanged|definitely|certainly"
    r"|most|likely|probably)\b){0,3}[ \n]?:?\s?",
    re.IGNORECASE,
)
_CHOSEN = re.compile(
    r"\bI(?:'d|'ll|'m| would| will| am| must| have to|(?:'m| am) going to)?"
    r"(?: (?:still|therefore|thus|personally|ultimately|definitely|now|also|have to)\b){0,2}"
    r" (?:choose|choosing|pick|select|go(?:ing)? (?:with|for)|opt for|prefer|favou?r|vote for"
    r"|stick with"
    r"|stand by|maintain|keep|lean(?:ing)? towards?|recommend|say|answer|settle on|conclude)\b"
    r"(?: that)?(?: (?:my|the) (?:\w{1,15} ){0,2}(?:answer|choice)(?: of| is)?)?[:,]? ?"
    r"|我(?:会)?选(?:择)? ?"
    r"|\b(?:captured|conveyed|expressed|reflected|represented|summarized|summed up) by "
    r"|\b(?:corresponds to|matches|points to|leads (?:me )?to|brings me to"
    r"|aligns with) (?=(?:option|choice|answer)\b)"
)
# nouns that also head an argument: only with a label do they declare an answer
_WEAK = frozenset(
    {
        "choice",
        "conclusion",
        "decision",
        "moral",
        "option",
        "one",
        "fit",
        "match",
        "response",
        "label",
    }
)
# and these only where they are called the best, or mine
_WEAKEST = frozenset({"one", "fit", "match"})
_BEST = re.compile(r"\b(?:best|better|right|correct|final|my|most|more|only)\b", re.IGNORECASE)
_UPHELD = re.compile(r"\b(?:initial|original|previous|earlier|first)[ -]$", re.IGNORECASE)
_OF_SPEAKER = re.compile(r"\b(?:my|our)\b", re.IGNORECASE)
_FINAL = re.compile(r"\bfinal\b", re.IGNORECASE)
_CONDITION = re.compile(r"(?<!even )\b(?:if|unless)\b")
_RETRACTED = re.compile(
    r"\b(?:actually,? no|no,? wait|wait(?=[,.!…:–—-])|scratch that|on second thoughts?"
    r"|correction(?=:)|i take (?:that|it) back|i(?:'ve| have)? changed? my mind"
    r"|let me (?:reconsider|correct)"
    r"|i (?:(?:hereby|now|must|would|have to|therefore) )?(?:withdraw|retract|revoke|abandon)"
    r"|none of (?:the |these |those |them)?(?:(?:two|five|given|offered) )?(?:options?|answers?"
    r"|choices?|labels?|morals?)? ?(?:really |quite )?(?:fits?|works?|appl(?:y|ies)|is right"
    r"|is correct)"
    r"|yes,? (?:it|this|that) (?:does|did|has|would)"
    r"|(?:yes,? )?(?:it|this|that)(?: does| did| has)? (?:chang|alter|shift|overturn)(?:es|ed|e|s)?"
    r" my (?:view|mind|answer|opinion|judge?ment|verdict|position))\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)*")
# a heading, or the words before a colon that a line begins with
_HEADING = re.compile(
    r"\W{0,6}(?:(?:step |part )?\d{1,2}[.):]? )?\W{0,3}(?P<head>[^\n.!:?]{2,90})(?P<mark>[:?]|$)",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\b(?:counter\w*|oppos\w*|object\w*|the other\b|other (?:option|side|choice|answer|view)s?"
    r"|alternatives?|(?:strongest )?case for"
    r"|arguments?|against|disagree\w*|critic\w*|devil\w*|steel-?man\w*|imagine|hypothetical\w*"
    r"|what if|quot\w+|prompt|preamble)\b",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"\W{0,4}(?:option |choice )?\(?(?P<letter>[A-Z])\)?(?:[).:]| ?[-–—]) ", re.IGNORECASE
)
_LONE = re.compile(
    r"[\W_]{0,6}(?:(?:option|choice|answer|action|letter) )?\(?(?P<letter>[A-Z])(?!\w)\)?"
    r"(?P<ends>[^\w\s]{0,4}$|[).:](?= |$)| ?[-–—] | ?\()",
    re.IGNORECASE,
)
_LONE_VERDICT = re.compile(r"[\W_]{0,6}(?:not |morally |ethically |un)*wrong\W*$", re.IGNORECASE)
_WORD_LABEL = re.compile(r"[\W_]{0,10}(?:not[\W_]{1,3})?wrong\b", re.IGNORECASE)
_LETTER_LABEL = re.compile(
    r"[\W_]{0,10}(?:option |choice )?[\W_]{0,5}(?P<letter>[A-Z])(?!\w)", re.IGNORECASE
)
# "answer: A or answer: B"
_OR = re.compile(
    r"(?:\b(?:my|the|final) )*\b(?:answer|choice"
    r"|verdict) ?[:=]\W{0,5}(?:option )?[\w ]{1,9}\W{0,3} (?:or|and) *$",
    re.IGNORECASE,
)
# how much of a sentence is looked at to tell whose it is
_REACH = 300
# no reply declares more answers
_MOST = 300


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

    A declaration by itself ("Final answer: B") counts for more than one inside a sentence; of
    either kind the last one wins. What somebody else says, what was said before or is only supposed
    is no declaration. Where it names no single label, or is taken back in so many words ("Answer:
    A. Actually no, …"), what follows is read as a reply of its own; if that says nothing, a
    declaration taken back leaves every label open. A reply that declares nothing is read by its
    first and last line.

    Args:
        text: Plain text.
        question: The answers that were offered.
        cut_off: Whether the reply was cut off, so that its last line is not its conclusion.
    """
    text = re.sub(r"\bnot\nwrong\b", "not wrong", text, flags=re.IGNORECASE)
    text = _without_introduced(text)
    offers = list(_declarations(text, question))
    offer = _final(text, offers, cut_off)
    if offer is None:
        return _undeclared(text, question, cut_off)
    rest = text[offer.end :]
    if not offer.labels and offer.begins:
        # "wrong is too strong a word": it says something of a label
        return NO_LABELS
    if len(offer.labels) != 1:
        return _undeclared(rest, question, cut_off) or offer.labels
    if retraction := _RETRACTED.search(rest):
        again = _undeclared(rest[retraction.end() :], question, cut_off)
        return again or frozenset(question.labels)
    return offer.labels


def _without_introduced(text: str) -> str:
    """A text without the lines that the line above gives to somebody else ("The report says:")."""
    lines = text.split("\n")
    above = ["", *lines]
    return "\n".join(
        line
        for line, intro in zip(lines, above, strict=False)
        if not (intro.rstrip().endswith(":") and is_anothers_line(intro[-_REACH:]))
    )


def _final(text: str, offers: list[Offer], cut_off: bool) -> Offer | None:
    """The offer that stands, of those that a text makes (the last one first)."""
    groups = list(_groups(text, offers))
    declared = next((n for n, group in enumerate(groups) if group.declared), None)
    if declared is not None:
        final = groups[declared]
        again = [g for g in groups[:declared] if g.spoken and g.labels != final.labels]
        return replace(final, labels=final.labels.union(*(g.labels for g in again)))
    if cut_off:
        # what stands inside a sentence may have been a step on the way
        begins = text.split("\n", 1)[0]
        first = _first_sentence(begins)
        groups = [group for group in groups if group.end <= len(first)]
    if not groups:
        return None
    final = groups[0]
    others = [g for g in groups[1:] if g.labels != final.labels]
    if others and text.rfind("\n", 0, final.start) < text.rstrip().rfind("\n"):
        return replace(final, labels=final.labels.union(*(g.labels for g in others)))
    return final


def _groups(text: str, latest_first: Iterable[Offer]) -> Iterator[Offer]:
    """The offers, those joined that are alternatives ("A or B")."""
    group: Offer | None = None
    for offer in latest_first:
        if group and offered_together(text[offer.end : group.start]):
            group = replace(
                group,
                labels=group.labels | offer.labels,
                start=offer.start,
                declared=group.declared or offer.declared,
            )
            continue
        if group:
            yield group
        group = offer
    if group:
        yield group


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
    asides = _asides(text)
    found.sort(key=lambda pair: pair[0].start(), reverse=True)
    for match, end in found[:_MOST]:
        said = text[match.end() : end]
        read = _named if match.re is _NAMED else _chosen
        offer = read(text, match, said, question)
        if offer and (offer.declared or not _is_aside(asides, offer.start)):
            yield offer


def _asides(text: str) -> list[tuple[int, bool]]:
    """Where a section of a text begins, and whether it is about a first thought or another view."""
    sections = []
    position = 0
    for line in text.split("\n"):
        head = _HEADING.match(line)
        if head and (head["mark"] or len(line) < 60):
            words = head["head"]
            sections.append((position, bool(_ASIDE.search(words)) or is_earlier(words)))
        elif re.match(r"\W{0,6}(?:step )?\d{1,2}[.):] ", line, re.IGNORECASE):
            sections.append((position, False))
        position += len(line) + 1
    return sections


def _is_aside(sections: list[tuple[int, bool]], position: int) -> bool:
    n = bisect_right(sections, (position, True))
    return n > 0 and sections[n - 1][1]


def _named(text: str, match: re.Match[str], said: str, question: Question) -> Offer | None:
    """What a named answer is said to be, up to the next one or the end of its line."""
    before = _before(text, match)
    is_heading = match["colon"] is not None and "\n" in text[match.start("noun") : match.end()]
    said, *following = said.split("\n", 2)
    noun = match["noun"].lower()
    note = match["note"] or ""
    kept = is_kept(before) and _UPHELD.search(before)
    if kept:
        before = before[: kept.start()]
    if (
        not said.strip()
        or (noun in {"moral", "option", "one", "fit", "match"} and not question.letters)
        or (noun in _WEAKEST and not _BEST.search(match["own"]))
        or (match["lone"] and not _FINAL.search(match["own"]))
        or (match["verb"] and match["own"].lower().startswith("your"))
        or is_anothers_label(note)
        or (_NAME.fullmatch(note) and not is_own_intro(note))
        or _first_sentence(said).endswith("?")
        or not is_own(before, "" if is_heading else _after(said, question))
    ):
        return None
    if is_heading:
        labels = _lone(said, following, question) if not before.strip() else NO_LABELS
        if not labels:
            return None
    else:
        labels = value(re.sub(r"[ ,/]{1,3}(?:or|and)? ?$", "", said), question)
    if not labels and (noun in _WEAK or match["colon"] is None or before.strip()):
        return None
    return Offer(
        labels,
        match.start(),
        match.end() + _end(said, labels, question),
        declared=match["colon"] is not None or _is_line(text, match, said, labels, question),
        spoken=bool(_OF_SPEAKER.search(match["own"])),
        begins=bool(_begins_with_label(said, question)),
    )


def _is_line(
    text: str, match: re.Match[str], said: str, labels: Labels, question: Question
) -> bool:
    """Whether a declaration is a whole line: "My answer is B."."""
    before = text[max(0, match.start() - _REACH) : match.start()].rstrip(" *")
    return (not before or before.endswith("\n")) and not said[_end(said, labels, question) :].strip(
        " .!)"
    )


def _chosen(text: str, match: re.Match[str], said: str, question: Question) -> Offer | None:
    """What "I choose" goes on with, if that is a label."""
    said = _first_sentence(said)
    spoken = match[0].startswith("I")
    if (
        not _begins_with_label(said, question)
        or said.endswith("?")
        or (_CONDITION.search(said) and not is_forced(said))
        or not is_own(_before(text, match) + "I" * spoken, _after(said, question))
    ):
        return None
    labels = (leading_letter if question.letters else value)(said, question)
    end = match.end() + _end(said, labels, question)
    return Offer(labels, match.start(), end, declared=False, spoken=spoken) if labels else None


def _lone(said: str, following: Sequence[str], question: Question) -> Labels:
    """The label that a line under a heading is, or begins with if no other option is listed too."""
    if question.words:
        return lone_word(said, question)
    if question.verdicts and _LONE_VERDICT.match(said):
        return value(said, question)
    if fold(said) in question.options:
        return frozenset({question.options[fold(said)]})
    lone = _LONE.match(said)
    if lone is None or lone["letter"].upper() not in question.letters:
        return NO_LABELS
    listed = [_LISTED.match(line) for line in following[:1]]
    beside = [*_LISTED.finditer(said[lone.end("letter") + 1 :]), *filter(None, listed)]
    if any(other["letter"].upper() in question.letters for other in beside):
        return NO_LABELS
    return frozenset({lone["letter"].upper()})


def _before(text: str, match: re.Match[str]) -> str:
    """The beginning of the sentence that a declaration stands in."""
    before = SENTENCE_END.split(text[max(0, match.start() - _REACH) : match.start()])[-1]
    return _OR.sub("", before)


def _after(said: str, question: Question) -> str:
    """The sentence after its label."""
    label = _begins_with_label(said, question)
    return _first_sentence(said[label.end() :]) if label else ""


def _first_sentence(text: str) -> str:
    end = SENTENCE_END.search(text)
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
