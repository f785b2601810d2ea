"""Check what a visible reply shows of what its level asks for.

Each check is true, false or undetermined (None), by rules that prefer undetermined: true needs an
explicit sign, and false a reply that is nothing but an answer. Reasoning that is not visible does
not count.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from vr_evals.reading.question import Question, fold
from vr_evals.visible import TOKEN_LIMIT, find_tags, plain, readable

__all__ = ["LEVEL_CHECKS", "LevelCheck", "check_level"]

LEVEL_CHECKS = ("answer_only", "reasoned", "named_principles", "both_sides")
"""The names of the checks."""

_WORD = re.compile(r"\w[\w'-]*")
_CONFIDENCE = re.compile(
    r"^\W{0,9}(?:(?:my|your) )?(?:confidence|certainty)\b[^\n]{0,60}$", re.IGNORECASE | re.MULTILINE
)
_STATING = frozenset(
    re.findall(
        r"[\w']+",
        """a acceptable act action an and answer answers are as be behavior behaviour best better
        case certain choice choose chose chosen conclusion confidence correct decision
        described dilemma ethically fable final for go here i i'd i'm in is it it's
        judgement judgment label level moral morally more most my not of option options
        or our overall pick right say scenario select so state story sure that the
        therefore think this to verdict with would wrong your""",
    )
)
_BECAUSE = re.compile(
    r"\b(?:because|since|therefore|thus|hence|however|although|though|whereas|but|given that"
    r"|due to|so that|which means)\b",
    re.IGNORECASE,
)
_MOST_WORDS_OF_ANSWER = 40
_REST_OF_MORE = 12
_REST_OF_REASONS = 9
_REST_OF_ANY_REASONS = 30
"""Words beside the answer: from how many a reply is more than an answer, and reasoned, with and
without a word such as ``because``."""

_MARK = r"[^\w\n]{0,6}(?:(?:step )?\d{1,2}[.):]{1,2} ?)?[^\w\n]{0,4}"
_NAMED_THINGS = r"(?:principles?|values?|virtues|characters?)"
_PRINCIPLES_HEADING = re.compile(
    rf"{_MARK}(?:(?:identify(?:ing)?|list(?:ing)?|what|which) )?(?:(?:the|relevant|key|main|core"
    r"|central|important|ethical|moral|competing|underlying|involved|and|or|their|actions?"
    rf"|considerations?)[, ]+){{0,6}}{_NAMED_THINGS}"
    rf"(?:(?: and| or|,|/)? (?:the |their )?(?:actions?|considerations|roles|{_NAMED_THINGS}))?"
    r"(?: (?:at stake|involved|here|in play|identified|for|supporting|behind|favou?ring|relevant"
    r"|that support|support)(?: (?:option |choice )?[A-Z]\b)?)?\s?[?:.]?(?: ?$|(?<=[:?.]) )",
    re.IGNORECASE,
)
_PRINCIPLES_SENTENCE = re.compile(
    r"\b(?<!no )(?:(?:the|two|three|several|key|main|relevant|core|central|ethical|moral) ){1,5}"
    rf"{_NAMED_THINGS}(?: (?:here|involved|at stake|in play|at play|in this \w+|of the story"
    r"|of this \w+))?(?: (?:are|is|include|includes)\b(?! (?:not|none|clear|simple))|:)"
    r"|\bprinciples? of (?!the\b|a\b|this\b)\w+|\bvalues? of (?!the\b|a\b|this\b)\w+"
    r"|\b(?:values|principles|virtues) (?:such as|like) \w+"
    rf"|\bidentify the (?:\w+ ){{0,2}}{_NAMED_THINGS}[^.:\n]{{0,30}}: ?\w+"
    rf"|\b(?:values|principles) at stake: ?\w+",
    re.IGNORECASE,
)
_OTHER_SIDE_HEADING = re.compile(
    rf"{_MARK}(?:(?:the|a|an|my|make|what|strongest|best|possible|main|key|would|other|most|strong)"
    r" ){0,4}(?:counter-?arguments?|counterpoints?|opposing (?:views?|side|arguments?|perspective)"
    r"|objections?|disagreement|devil'?s advocate|steel-?man(?:ning)?(?: of)?"
    r"|someone who disagrees(?: would argue| might argue| might say| would say)?"
    r"|case for(?: the)?(?: other| option| choice)*|other (?:plausible )?options?"
    r"|alternatives?|values (?:supporting|for|that support)|values support)"
    r"(?: (?:option |choice )?[A-Z]\b| option| side| argue| view| options"
    r"| that might seem plausible| might argue)?\s?[?:.]?(?: ?$|(?<=[:?.]) )",
    re.IGNORECASE,
)
_OTHER_SIDE_SENTENCE = re.compile(
    r"\b(?:someone|somebody|a person|people|those|one|critics?|a critic|others|an? opponent"
    r"|an? defender|an? skeptic|opponents|defenders|skeptics)(?: (?:who|that)"
    r" (?:might |may |would )?(?:disagrees?|objects?))? (?:might|could|would|may|can)"
    r"(?: also| well| reasonably)?"
    r" (?:argue|say|object|point out|claim|contend|counter|respond|reply|maintain)"
    r"(?: that)?,?(?: [\w'-]+,?){4}"
    r"|\bthe (?:strongest|best) case for (?:the other )?(?:option |choice )?(?:[A-Z]|option|it|the "
    r"other)\b[^.\n]{0,20}(?: is| would be|:)(?: [\w'-]+,?){4}"
    r"|\b(?:a|the|one|another) (?:\w+ )?counter-?argument (?:is|would be|might be)(?: [\w'-]+,?){4}"
    r"|\bon the other hand\b,?(?: [\w'-]+,?){5}"
    r"|\boptions? [A-Z](?:,? (?:and|or) [A-Z])? (?:also )?(?:might|may|could|can)?(?: also)? ?"
    r"(?:seems?|be|appears?|is|are)(?: also)? (?:plausible|tempting)\b(?:,? [\w'-]+){3}",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"\W*(?:none|n/a|nothing|no\b|not applicable|there (?:is|are) no(?:ne)?)\b", re.IGNORECASE
)
_LONGEST_LINE = 4_000


@dataclass(frozen=True)
class LevelCheck:
    """What a visible reply shows.

    Attributes:
        visible_words: Its number of words; tags do not count.
        answer_only: Whether it is nothing but an answer (and a confidence), as level 0 asks.
        reasoned: Whether it gives reasons, as levels 2 to 5 ask.
        named_principles: Whether it names principles, values or characters, as level 3 asks.
        both_sides: Whether it makes a case for another answer, as level 4 asks.
    """

    visible_words: int
    answer_only: bool | None = None
    reasoned: bool | None = None
    named_principles: bool | None = None
    both_sides: bool | None = None


def check_level(
    completion: str,
    labels: Sequence[str],
    *,
    options: Sequence[str] = (),
    prompt: str = "",
    stop_reason: str | None = None,
    refused: bool = False,
) -> LevelCheck:
    """Check what a reply shows.

    Args:
        completion: The reply.
        labels: ``("wrong", "not wrong")`` or letters.
        options: The options' texts as shown, in the order of the labels.
        prompt: The prompt; lines that the reply repeats do not count as its own.
        stop_reason: Inspect's stop reason of the reply. One that was cut off is never a mere
            answer.
        refused: Whether it is a refusal; then only words are counted.

    Raises:
        ValueError: The numbers of options and labels differ.
    """
    question = Question.of(labels, options)
    cut_off = stop_reason in TOKEN_LIMIT
    visible = readable(completion, cut_off)
    words = len(_WORD.findall(plain(re.sub(r"</?[^<>]{1,80}>", " ", visible))))
    if refused or not words:
        return LevelCheck(words)
    asked = {fold(line) for line in plain(readable(prompt)).split("\n")}
    asked |= {_MARKED.sub("", line) for line in asked}
    lines = plain(_CONFIDENCE.sub("", _without_tags(visible))).split("\n")
    own = [line[:_LONGEST_LINE] for line in lines if not _repeats(line, asked)]
    texts = [_without_options(line, question) for line in own]
    rest = sum(
        word.lower() not in _STATING and word.upper() not in question.letters
        for line in texts
        for word in _WORD.findall(line)
    )
    answer_only = rest == 0 and words <= _MOST_WORDS_OF_ANSWER and not cut_off
    reasoned = rest >= _REST_OF_ANY_REASONS or (
        rest >= _REST_OF_REASONS and any(map(_BECAUSE.search, texts))
    )
    return LevelCheck(
        visible_words=words,
        answer_only=True if answer_only else False if reasoned or rest >= _REST_OF_MORE else None,
        reasoned=True if reasoned else False if answer_only else None,
        named_principles=_found(
            lines, asked, _PRINCIPLES_HEADING, _PRINCIPLES_SENTENCE, 1, answer_only
        ),
        both_sides=_found(lines, asked, _OTHER_SIDE_HEADING, _OTHER_SIDE_SENTENCE, 2, answer_only),
    )


_MARKED = re.compile(r"^[^\w\n]{0,4}\d{1,2}[.):] ?")


def _repeats(line: str, asked: set[str]) -> bool:
    folded = fold(line)
    return bool(folded) and (folded in asked or _MARKED.sub("", folded) in asked)


def _without_tags(text: str) -> str:
    """Return a text without answers and confidences in tags."""
    spans = sorted(
        (tag.start, tag.end)
        for name in ("answer", "confidence")
        for tag in find_tags(text, name)
        if tag.closed
    )
    kept, position = [], 0
    for start, end in spans:
        kept.append(text[position:start])
        position = max(position, end)
    return " ".join([*kept, text[position:]])


def _without_options(line: str, question: Question) -> str:
    folded = " ".join(line.casefold().split())
    for option in question.options:
        folded = folded.replace(option, " ")
    return folded


def _found(
    lines: Sequence[str],
    asked: set[str],
    heading: re.Pattern[str],
    sentence: re.Pattern[str],
    least: int,
    answer_only: bool,
) -> bool | None:
    """Return whether lines have a section with content, or a sentence, of a kind.

    Args:
        lines: Plain text.
        asked: Folded lines of the prompt.
        heading: What the line of a section begins with.
        sentence: What a sentence contains.
        least: Words that a section needs.
        answer_only: Whether the reply is nothing but an answer.
    """
    if answer_only:
        return False
    for n, full in enumerate(lines):
        line = full[:_LONGEST_LINE]
        if head := heading.match(line):
            content = line[head.end() :].strip()
            below = lines[n + 1][:_LONGEST_LINE] if n + 1 < len(lines) else ""
            if not content and not _repeats(below, asked) and not heading.match(below):
                content = below
            if len(_WORD.findall(content[:200])) >= least and not _NONE.match(content):
                return True
        elif not _repeats(line, asked) and sentence.search(line):
            return True
    return None
