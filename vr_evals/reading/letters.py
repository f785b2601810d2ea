"""Parse letters.

A letter counts only at the beginning of a tag or of the text after a declaration, on a separate
line, or in a sentence on which option is right. Elsewhere it may be an article, a pronoun or a
mention.
"""

import re

from vr_evals.reading.question import NO_LABELS, Labels, Question, fold
from vr_evals.reading.verdicts import sentences
from vr_evals.reading.voices import is_anothers_label, is_others, is_own

__all__ = ["leading_letter", "stated_letter"]

_JOINED = r"[/&+|]|\b(?:or|nor|and/or|and|oder|und|ou|et|o|y|vs\.?)\b"
_LETTER = re.compile(
    r"[\W_]{0,20}(?:(?:so|therefore|thus|hence)\b[,:]? )?"
    r"(?:(?:it's|it is|that's) (?=\(?[A-Z]\W*$))?"
    r"(?:(?:the |it's |it is )?(?:option|choice|answer|action|letter|选项)\b[\W_]{0,5})?"
    # Chinese, Japanese and Korean have no blank after a letter
    r"(?P<letter>[A-Z])(?![^\W\u2e80-\ud7ff]|')",
    re.IGNORECASE,
)
# before a blank the letter may be an article: "A fool and his gold are soon parted."
_ENDS = re.compile(
    r"[^\w\s+#%&/=|°]{0,9}(?:\s?$|\n)|[)\]}.,:;!?]{1,5} | ?[–—(]| -(?!>)|[)\]。，；：！）]"
    r"| (?:because|since|as|is|over|rather|instead|here)\b"
)
_SECOND = re.compile(
    rf"[\s,;:(){{}}\]]{{0,4}}(?P<joined>{_JOINED}|\b(?:possibly|maybe|perhaps)\b)?[\s(]{{0,2}}"
    r"(?:option |choice )?(?P<letter>[A-Z])(?![\w'])"
    rf"(?P<ends>[).,;:!?]|\s?$|,? ?(?:{_JOINED}))?",
    re.IGNORECASE,
)
_PAIR = re.compile(rf"\b([A-Z])\)? ?(?:{_JOINED}) ?\(?(?:option )?([A-Z])\b")
_HEADED = re.compile(
    r"\W{0,4}(?:(?:[Oo]ption|[Cc]hoice|[Aa]ction|[Aa]nswer) )?\(?(?P<letter>[A-Z])\)?(?:[).:]"
    r"|\s?$| ?[-–—] )"
)
# "B)" or "Option B:" at the end of several lines begins an item that is missing
_OPENS_ITEM = re.compile(r"^[^(]*[):]\W*$")
_ENDS_SENTENCE = re.compile(r"[.!?。！？][\s)]*$")
_BARE = re.compile(r"\W{0,4}[A-Z]\W{0,4}")
_ITEM = re.compile(r"\W{0,4}(?:step )?\d{1,2}[.):] |\W{0,4}[A-Z][\w' ]{2,40}: ", re.IGNORECASE)
_LISTED = re.compile(r"(?<!\w)([A-Z])[).:](?= )")
_IS_RIGHT = re.compile(
    r"(?:^|[,;:] |\b(?:but|and|yet|still|[Oo]ption|[Cc]hoice|[Aa]nswer|[Aa]ction|that|think"
    r"|believe|say|so|so is) )"
    r"\(?(?P<letter>[A-Z])\)?(?: ?\([^()\n]{1,200}\))?"
    r" (?:(?:is|remains|would be|seems|appears to be)"
    r"(?: (?:clearly|still|therefore|the|my|a|far|much|ultimately|overall)\b){0,3}"
    r" (?:(?:more|most) (?:morally |ethically )?"
    r"(?:acceptable|appropriate|accurate|defensible|ethical|fitting|justifiable|justified|moral)"
    r"|(?:morally |ethically )?(?:better|best|preferable|right|correct|stronger|strongest|closest"
    r"|wiser|wisest)|answer|moral)"
    r"(?: (?:answer|choice|option|one|course of action|action|moral|lesson|here|overall)\b){0,3}"
    r"(?=\W*$|[.,;:!—–]| (?:because|since|as|than|in this"
    r"|of (?:the|this|these)(?: two| five)? (?:story|fable|tale|options|choices|answers|two"
    r"|five))\b)"
    r"|best (?:captures|conveys|expresses|fits|matches|reflects|represents|summarizes)\b"
    r"|(?:captures|conveys|fits|reflects) (?:\w{1,15} ){1,6}best\b"
    r"|fits(?: best| better)?(?=\W*$|[.,;:!]))"
)
_IS_NAMED = re.compile(
    r"\b(?:action|answer|choice|lesson|moral|option)\b[^.,;:!?]{1,80} is (?:option )?"
    r"\(?(?P<letter>[A-Z])\)?(?=\W*$|[.,;:!—–]| (?:because|since)\b)"
)
# "B tells her the truth and is the right choice"
_AND_IS_RIGHT = re.compile(
    r"^(?:[Oo]ption |[Cc]hoice |[Aa]nswer )?(?P<letter>[A-Z]) [^.,;:!?]{1,80} and (?:is"
    r"|remains) (?:therefore |thus |clearly )?the "
    r"(?:more |most )?(?:right|correct|better|best|acceptable|ethical|moral|defensible"
    r"|justifiable) (?:choice|option|answer|one|action)\b"
)
# "A (telling her) is honest, but …", "A, though honest, hurts her"
_IS_SUBJECT = re.compile(
    r"\)? ?(?:\([^()\n]{1,200}\)|, [^,.;:\n]{1,80},|[–—] [^–—.\n]{1,80} [–—])"
    r" (?:(?:\w+ly|also|still|often) )?(?:are|can|could|did|does|had|has|is|may|might|must|should"
    r"|was|will|would|\w{3,20}(?<!because)(?<!thus)(?<!this)s)\b"
)
_TAKES_BACK = re.compile(
    r"^\W{0,4}(?:actually|no|wait|hmm|correction|on second thoughts?"
    r"|on reflection)\b[ ,:;.–—-]{0,4}(?:no\b[ ,:;.–—-]{0,4})?",
    re.IGNORECASE,
)
_WAIT = re.compile(
    r"\b(?:actually,? no|no,? wait|wait|scratch that|correction)\b[ ,:;.–—-]{0,4}", re.IGNORECASE
)
_MADE_BY = re.compile(
    r"\b(?:on|written|printed|listed|shown|posted|marked|by|from|made|given|offered|proposed|suggested|picked|endorsed)\b",
    re.IGNORECASE,
)
_NOT_SAID = re.compile(
    r"\b(?:some|someone|others|critics?|argue|if|whether|might|may|could|neither"
    r"|both(?! (?:sides|options|choices|courses|actions|cases|views|values|of them))"
    r"|initial(?:ly)?"
    r"|at first|intuition|wrong|incorrect|weaker|worse|worst|less|least)\b|\?$",
    re.IGNORECASE,
)


def leading_letter(text: str, question: Question) -> Labels:
    """Return the letters at the start of a text: ``B``, ``(b)``, ``Option B``, ``A or B``.

    Args:
        text: Plain text: the content of a tag, or the text after a declaration; lower case counts.
        question: The answers of the question.
    """
    match = _LETTER.match(text)
    letter = match["letter"].upper() if match else ""
    if match is None or letter not in question.letters:
        pair = _PAIR.search(text[:100])
        named = frozenset(pair.groups()) if pair else NO_LABELS
        return named if named <= question.letters else NO_LABELS
    tail = text[match.end() :]
    second = _SECOND.match(tail)
    if second and second["letter"].upper() in question.letters:
        # "B, A fool …" and "B or a similar …" go on with an article
        capital = second["letter"].isupper() and second["letter"] not in "AI"
        if second["ends"] is not None or (second["joined"] and capital):
            return frozenset({letter, second["letter"].upper()})
    named_by_text = question.options.get(fold(tail), letter)
    if _ENDS.match(tail) or fold(tail) in question.options:
        return frozenset({letter, named_by_text})
    return NO_LABELS


def stated_letter(text: str, question: Question, cut_off: bool = False) -> Labels:
    """Return the letter that a reply states without a declaration.

    Only the last line counts, or else the first: a single letter or option, or a sentence on which
    option is right. In a reply that was cut off only the first line counts.

    Args:
        text: Plain text.
        question: The answers of the question.
        cut_off: Whether the reply was cut off.
    """
    *before, last = text.split("\n")
    if cut_off:
        return _opening(before, question) if before and _BARE.fullmatch(before[0]) else NO_LABELS
    *_, last_sentence = ["", *sentences(last)]
    if not _ENDS_SENTENCE.search(last_sentence):
        rest = last.strip().removesuffix(last_sentence).rstrip()
        owned = not rest or (
            _BARE.fullmatch(last_sentence) and rest.endswith(".") and not is_others(rest)
        )
        last_sentence = last_sentence if owned else ""
    closing = _alone(last, question) or _alone(_TAKES_BACK.sub("", last_sentence), question)
    if closing and not (before and _OPENS_ITEM.search(last)):
        # the end of a list of options is not a choice
        return closing | (_alone(before[-1], question) if before else NO_LABELS)
    if not before:
        return _whole_reply(text, question) or _judged(text, question)
    if _alone(before[0], question):
        return _opening([*before, last], question)
    opening = NO_LABELS if _ITEM.match(before[0]) else _judged(before[0], question)
    return _judged(last, question) or opening


def _opening(lines: list[str], question: Question) -> Labels:
    """Return the letter in a reply's first line, unless it is one of several headings."""
    headed = [_HEADED.match(line) for line in lines]
    letters = question.letters.intersection(head["letter"] for head in headed if head)
    alone = NO_LABELS.union(*(_alone(line, question) for line in lines))
    if len(letters) > 1 and not _BARE.fullmatch(lines[0]):
        return NO_LABELS
    return alone


def _alone(line: str, question: Question) -> Labels:
    if (folded := fold(line)) in question.options:
        return frozenset({question.options[folded]})
    match = _LETTER.match(line)
    if match is None or match["letter"] not in question.letters:
        return NO_LABELS
    text = fold(line[match.end() :])
    stands_alone = not text.strip("'>~-") or question.options.get(text) == match["letter"]
    return frozenset({match["letter"]}) if stands_alone else NO_LABELS


def _whole_reply(text: str, question: Question) -> Labels:
    """Return the letter at the start of a one-line reply, unless it discusses several letters."""
    match = _LETTER.match(text)
    tail = text[match.end() :] if match else ""
    if taken_back := _WAIT.search(tail):
        return leading_letter(tail[taken_back.end() :], question)
    if tail.startswith((" is", "?")) or _LISTED.search(tail) or _IS_SUBJECT.match(tail):
        return NO_LABELS
    return leading_letter(text, question)


def _judged(line: str, question: Question) -> Labels:
    letters = [
        match["letter"]
        for sentence in sentences(line)
        if not _NOT_SAID.search(sentence)
        for pattern in (_IS_RIGHT, _IS_NAMED, _AND_IS_RIGHT)
        for match in pattern.finditer(sentence)
        if _is_own_judgement(sentence, match)
    ]
    return question.letters.intersection(letters)


def _is_own_judgement(sentence: str, match: re.Match[str]) -> bool:
    before = sentence[: match.start("letter")]
    before = re.sub(r"\b(?:option|choice|answer|action)? ?\(?$", "", before, flags=re.IGNORECASE)
    if match.re is _IS_NAMED:
        if is_anothers_label(match[0]) or _MADE_BY.search(match[0]):
            return False
        before = sentence[: match.start()]
    return is_own(before, sentence[match.end() :])
