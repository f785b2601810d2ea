"""Parse declarations of an answer: "Final answer: …", "The answer is …", "I choose …"."""

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
class Candidate:
    """A candidate for the answer; its labels are empty if it names an answer that is not a label.

    Attributes:
        labels: The labels.
        start: Its start in the text.
        end: Its end.
        declared: Whether it is a separate declaration ("Answer: B"), not part of a sentence.
        spoken: Whether it contains "I" or "my".
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
    r"(?:,? in my (?:\w+ )?(?:view|opinion|judge?ment),?"
    r"|,? (?:after|upon|on|following) (?:further |careful |some |due )?(?:reflection"
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
    r"|has changed to|changes to|becomes|(?:has not|hasn't) changed(?= ?:)"
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
    r"|\bI(?: also| fully| completely| entirely)? (?:agree|concur|side) with [^.,:;!?\n]{1,50}: ?"
    r"(?=\W{0,3}(?:(?:[Oo]ption )?\(?[A-Z]\)?|(?:not )?wrong)\W{0,3}(?:\n|$))"
    r"|\bI(?:'m| am|'ll| will)?(?: \w+ly)? (?:chang(?:e|ing)|revis(?:e|ing)|switch(?:ing)?"
    r"|updat(?:e|ing)) (?:my (?:\w+ )?(?:answer|choice|verdict) )?(?:from [^.,;!?\n]{1,15} )?to "
    r"|\b(?:captured|conveyed|expressed|reflected|represented|summarized|summed up) by "
    r"|\b(?:corresponds to|matches|points to|leads (?:me )?to|brings me to"
    r"|aligns with) (?=(?:option|choice|answer)\b)"
)
# nouns that may also head an argument: they declare an answer only with a label
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
# and these only with words like "best" or "my"
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
# characters of a sentence before a statement that show whose it is
_REACH = 300
# limit of declarations in a reply
_MAX_DECLARATIONS = 300


def value(text: str, question: Question) -> Labels:
    """Parse the content of a tag, or the text after a declaration.

    Args:
        text: Plain text.
        question: The answers of the question.
    """
    if question.words:
        return lone_word(text, question) or leading_word(text, question)
    folded = fold(text)
    # "not-wrong" and "NotWrong" are spellings of the label; "C++" is not one of the letter C
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
    """Parse the answer of a reply without its tags.

    A separate declaration ("Final answer: B") takes precedence over one within a sentence; the last
    of either kind wins. Other people's, earlier and hypothetical statements are not declarations.
    If a declaration does not name a single label, or is retracted ("Answer: A. Actually no, …"),
    the text after it is parsed as a reply; if that has no answer, a retracted declaration leaves
    all labels open. In a reply without a declaration the first and last lines count.

    Args:
        text: Plain text.
        question: The answers of the question.
        cut_off: Whether the reply was cut off, so that its last line is not its conclusion.
    """
    text = re.sub(r"\bnot\nwrong\b", "not wrong", text, flags=re.IGNORECASE)
    text = _without_introduced(text)
    candidates = list(_declarations(text, question))
    candidate = _final(text, candidates, cut_off)
    if candidate is None:
        return _undeclared(text, question, cut_off)
    rest = text[candidate.end :]
    if not candidate.labels and candidate.begins:
        # "wrong is too strong a word": a statement about a label
        return NO_LABELS
    if len(candidate.labels) != 1:
        return _undeclared(rest, question, cut_off) or candidate.labels
    if retraction := _RETRACTED.search(rest):
        again = _undeclared(rest[retraction.end() :], question, cut_off)
        return again or frozenset(question.labels)
    return candidate.labels


def _without_introduced(text: str) -> str:
    """Remove lines that the line above attributes to somebody else ("The report says:")."""
    lines = text.split("\n")
    above = ["", *lines]
    return "\n".join(
        line
        for line, intro in zip(lines, above, strict=False)
        if not (intro.rstrip().endswith(":") and is_anothers_line(intro[-_REACH:]))
    )


def _final(text: str, candidates: list[Candidate], cut_off: bool) -> Candidate | None:
    """Return the final one of a text's candidates, which are in reverse order."""
    groups = list(_groups(text, candidates))
    declared = next((n for n, group in enumerate(groups) if group.declared), None)
    if declared is not None:
        final = groups[declared]
        again = [g for g in groups[:declared] if g.spoken and g.labels != final.labels]
        return replace(final, labels=final.labels.union(*(g.labels for g in again)))
    if cut_off:
        # a statement within a sentence may be an intermediate step
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


def _groups(text: str, latest_first: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yield the candidates, with alternatives joined ("A or B")."""
    group: Candidate | None = None
    for candidate in latest_first:
        if group and offered_together(text[candidate.end : group.start]):
            group = replace(
                group,
                labels=group.labels | candidate.labels,
                start=candidate.start,
                declared=group.declared or candidate.declared,
            )
            continue
        if group:
            yield group
        group = candidate
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


def _declarations(text: str, question: Question) -> Iterator[Candidate]:
    """Yield the declarations of a text, the last one first."""
    named = list(_NAMED.finditer(text))
    ends = [match.start() for match in named[1:]] + [len(text)] * bool(named)
    found = list(zip(named, ends, strict=True))
    found += [(match, match.end() + 200) for match in _CHOSEN.finditer(text)]
    asides = _asides(text)
    found.sort(key=lambda pair: pair[0].start(), reverse=True)
    for match, end in found[:_MAX_DECLARATIONS]:
        statement = text[match.end() : end]
        parse = _named_candidate if match.re is _NAMED else _chosen_candidate
        candidate = parse(text, match, statement, question)
        if candidate and (candidate.declared or not _is_aside(asides, candidate.start)):
            yield candidate


def _asides(text: str) -> list[tuple[int, bool]]:
    """Return the start of each section, and whether it is a first thought or another's view."""
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


def _named_candidate(
    text: str, match: re.Match[str], statement: str, question: Question
) -> Candidate | None:
    """Return the candidate after a noun, e.g. "answer:", up to the next one or the line's end."""
    before = _before(text, match)
    is_heading = match["colon"] is not None and "\n" in text[match.start("noun") : match.end()]
    statement, *following = statement.split("\n", 2)
    noun = match["noun"].lower()
    note = match["note"] or ""
    kept = is_kept(before) and _UPHELD.search(before)
    if kept:
        before = before[: kept.start()]
    if (
        not statement.strip()
        or (noun in {"moral", "option", "one", "fit", "match"} and not question.letters)
        or (noun in _WEAKEST and not _BEST.search(match["own"]))
        or (match["lone"] and not _FINAL.search(match["own"]))
        or (match["verb"] and match["own"].lower().startswith("your"))
        or is_anothers_label(note)
        or (_NAME.fullmatch(note) and not is_own_intro(note))
        or _first_sentence(statement).endswith("?")
        or not is_own(before, "" if is_heading else _after(statement, question))
    ):
        return None
    if is_heading:
        labels = _lone(statement, following, question) if not before.strip() else NO_LABELS
        if not labels:
            return None
    else:
        labels = value(re.sub(r"[ ,/]{1,3}(?:or|and)? ?$", "", statement), question)
    if not labels and (noun in _WEAK or match["colon"] is None or before.strip()):
        return None
    return Candidate(
        labels,
        match.start(),
        match.end() + _end(statement, labels, question),
        declared=match["colon"] is not None or _is_line(text, match, statement, labels, question),
        spoken=bool(_OF_SPEAKER.search(match["own"])),
        begins=bool(_begins_with_label(statement, question)),
    )


def _is_line(
    text: str, match: re.Match[str], statement: str, labels: Labels, question: Question
) -> bool:
    """Return whether a declaration is a whole line: "My answer is B."."""
    before = text[max(0, match.start() - _REACH) : match.start()].rstrip(" *")
    return (not before or before.endswith("\n")) and not statement[
        _end(statement, labels, question) :
    ].strip(" .!)")


def _chosen_candidate(
    text: str, match: re.Match[str], statement: str, question: Question
) -> Candidate | None:
    """Return the candidate after "I choose", if that is a label."""
    statement = _first_sentence(statement)
    spoken = match[0].startswith("I")
    if (
        not _begins_with_label(statement, question)
        or statement.endswith("?")
        or (_CONDITION.search(statement) and not is_forced(statement))
        or not is_own(_before(text, match) + "I" * spoken, _after(statement, question))
    ):
        return None
    labels = (leading_letter if question.letters else value)(statement, question)
    end = match.end() + _end(statement, labels, question)
    return Candidate(labels, match.start(), end, declared=False, spoken=spoken) if labels else None


def _lone(statement: str, following: Sequence[str], question: Question) -> Labels:
    """Return the label of a line under a heading, unless other options are listed too."""
    if question.words:
        return lone_word(statement, question)
    if question.verdicts and _LONE_VERDICT.match(statement):
        return value(statement, question)
    if fold(statement) in question.options:
        return frozenset({question.options[fold(statement)]})
    lone = _LONE.match(statement)
    if lone is None or lone["letter"].upper() not in question.letters:
        return NO_LABELS
    listed = [_LISTED.match(line) for line in following[:1]]
    beside = [*_LISTED.finditer(statement[lone.end("letter") + 1 :]), *filter(None, listed)]
    if any(other["letter"].upper() in question.letters for other in beside):
        return NO_LABELS
    return frozenset({lone["letter"].upper()})


def _before(text: str, match: re.Match[str]) -> str:
    """Return the sentence of a declaration, up to the declaration."""
    before = SENTENCE_END.split(text[max(0, match.start() - _REACH) : match.start()])[-1]
    return _OR.sub("", before)


def _after(statement: str, question: Question) -> str:
    """Return the rest of a sentence after its label."""
    label = _begins_with_label(statement, question)
    return _first_sentence(statement[label.end() :]) if label else ""


def _first_sentence(text: str) -> str:
    end = SENTENCE_END.search(text)
    return text[: end.end()] if end else text


def _begins_with_label(statement: str, question: Question) -> re.Match[str] | None:
    if question.words:
        words = "|".join(map(re.escape, sorted(question.labels, key=len, reverse=True)))
        return re.match(rf"\s{{0,3}}[\"'“‘*(]{{0,3}}(?:{words})(?!\w)", statement, re.IGNORECASE)
    label = (_LETTER_LABEL if question.letters else _WORD_LABEL).match(statement)
    known = label and (not question.letters or label["letter"].upper() in question.letters)
    return label if known else None


def _end(statement: str, labels: Labels, question: Question) -> int:
    """Return the end of the label that a text begins with, or else of its first sentence."""
    label = _begins_with_label(statement, question)
    return label.end() if label and len(labels) == 1 else len(_first_sentence(statement))
