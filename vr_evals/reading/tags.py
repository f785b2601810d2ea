"""Parse answer tags: which is the answer, and which are mentions or suppositions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from vr_evals.reading.declarations import stated, value
from vr_evals.reading.question import NO_LABELS, Labels, Question, fold
from vr_evals.reading.voices import (
    SENTENCE_END,
    is_anothers_label,
    is_earlier,
    is_forced,
    is_kept,
    is_others,
    is_reported_after,
    is_supposed,
)
from vr_evals.visible import Tag, offered_together, plain

__all__ = ["tagged"]

Role = Literal["answer", "supposed", "rejected", "mention"]

# the content of a tag in a repeated instruction
_PLACEHOLDERS = frozenset(
    {"", "x", "letter", "label", "answer", "option", "choice"}
    | {f"your {noun}{here}" for noun in ("answer", "choice", "judgment") for here in ("", " here")}
)
_REACH = 300
_LABELLED = re.compile(r"(?P<label>[^:\n]{1,40}): ?(?P<value>[^:\n]{1,80})")
_NOT_CHOSEN = re.compile(
    r"\b(?:not|no|never|worst|weak\w*|wrong|incorrect|less|least|other|second|alternative\w*"
    r"|reject\w*|runner\w*|avoid)\b",
    re.IGNORECASE,
)
# right before a tag whose label is not chosen
_CONTRAST = re.compile(
    r"^>$|\b(?:rather than|instead of|in place of|not|over|than|unlike|as opposed to|opposed to"
    r"|versus|vs|against|isn't|wasn't|never|nor"
    r"|neither|except|but not|away from|ahead of|ahead|reject(?:s|ed|ing)?|rul(?:e|es|ed"
    r"|ing) out|dismiss(?:ed|es|ing)?|discard(?:ed|ing)?"
    r"|eliminat(?:e|ed|es|ing)|exclud(?:e|ed|es|ing)|avoid(?:ed|ing)?|beats?|outweighs?"
    r"|considered|(?:started|began) (?:out |off )?(?:with|at|from)|was tempted by"
    r"|tempted (?:by|to choose)"
    r"|almost (?:chose|picked|said)|nearly (?:chose|picked|said))"
    r"(?: (?:to )?(?:choos\w+|pick\w*|say\w*|select\w*|go(?:ing)? with|answer\w*))?(?: (?:the"
    r"|an?|option|choice|answer|other|one))*[ :(]*$",
    re.IGNORECASE,
)
_OTHER_OPTION = re.compile(
    r"\b(?:other|alternative|opposite|opposing|wrong|incorrect|worse|worst|weaker|rejected"
    r"|losing|second[- ]best|runner-up|runner up|tempting"
    r"|remaining|next best|next-best|less \w+) (?:\w+ )?(?:option|choice|answer|one|action"
    r"|candidate|contender|side)s?(?: \w+){0,2}[ ,:(–—-]*$"
    r"|\b(?:runner-up|runner up|second place|second choice|alternative)[ ,:(–—-]*(?:is"
    r"|would be)?[ :]*$",
    re.IGNORECASE,
)
# right after a tag whose label is not chosen
_REJECTED = re.compile(
    r"^[\s,(–—-]{0,3}(?!is my\b)(?:(?:which|though|while|however)[, ]+)?(?:would be|is|was"
    r"|seems|looks|feels|would|fails?|misses|ignores|overlooks"
    r"|falls short|comes|loses|has|may|might|could|cannot|can't|does not|doesn't)\b[^.!?\n]{0,80}?"
    r"\b(?:worse|weaker|worst|wrong|incorrect|less|too|not|n't|second|miss\w*|fail\w*|ignore\w*"
    r"|overlook\w*|tempting|unfair|close|plausible"
    r"|runner|short|lose\w*|harm\w*|narrow|broad|flaw\w*|mistak\w*|untenable|unacceptable"
    r"|defensible|appealing|attractive)\b",
    re.IGNORECASE,
)
_BECAUSE = re.compile(r"\b(?:because|since|as it|and it|but i|so i)\b", re.IGNORECASE)
# right after a tag that is the subject of its sentence: "<answer>B</answer> violates her privacy"
_PREDICATE = re.compile(
    r"[\s)*_`]{0,6}(?:, ?(?=(?:is|was|are|were|has|does|did|can|could|may|might|must|would|will"
    r"|means|seems|\w{2,9}n't|cannot)\b)|(?!(?:after|although|and|as|at|based|because|but|by"
    r"|despite|due|even|follow\w*|for|from|given|here|i|if|in|instead|it|my|not|now|on|or|over"
    r"|rather|since|so|than|that|therefore|this|though|to|unless|when|where|which|while|with)\b))"
    r"(?=[a-z])"
)
_PREFERRED = re.compile(
    r"\b(?:my|final|better|best|right|correct|prefer\w*|superior|closest|strong(?:er|est)"
    r"|kind(?:er|est)|fair(?:er|est)|wis(?:er|est)|safer|answers?|choose|chosen|wins|prevails|fits"
    r"|matches|captures|conveys|expresses|outweighs|beats|(?:more|most) (?:morally |ethically )?"
    r"(?:acceptable|accurate|appropriate|compassionate|compelling|convincing|defensible|ethical"
    r"|faithful|fitting|honest|humane|justifi\w+|moral|persuasive|plausible|respectful"
    r"|responsible|suitable))\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|no|never|only|merely|hardly|less|least|worse|worst|neither|nor|few|fails?|second"
    r"|next|part\w*|surface\w*|at first)\b|n't\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r";|,? (?:although|but|though|whereas|while|yet)\b|, (?:and|so)\b", re.IGNORECASE
)
_MY_ANSWER = re.compile(
    r"\bmy (?:\w+ ){0,2}(?:answer|choice|decision|pick|verdict)[ ,(:*]*$", re.IGNORECASE
)
# right before a tag of an option that is discussed
_ABOUT = re.compile(
    r"\b(?:appeal|arguments?|basis|benefits?|cases?|cons|drawbacks?|downsides?|evidence|grounds"
    r"|issues?|merits?|objections?|problems?|pros|reasons?|reasoning|support|trouble|values?)"
    r"(?: (?:can|could|may|might) be made)? (?:against|behind|for|in|of|to choose|with)"
    r"(?: option| choice)?[ :(]*$"
    r"|(?:^|[:,] ?)(?:by|following|for|in|on|under|with)(?: option| choice)?[ :(]*$",
    re.IGNORECASE,
)
# "it's tempting to say B", "I would have guessed B"
_NOT_SAID = re.compile(
    r"\b(?:tempting to|(?:could|might|would) have) (?:answer|choose|chosen|guess|pick|said|say"
    r"|select)(?:ed)?(?: option| choice)?[ :(]*$",
    re.IGNORECASE,
)
# "choosing B when in need could be excused"
_CHOOSING = re.compile(r"^\W*(?:choosing|picking|selecting|opting for)[ :(]*$", re.IGNORECASE)
_COPULA = re.compile(
    r"^(?! (?:as|because|since)\b).*\b(?:can|could|is|may|means|might|was|will|would)\b"
)
_EXPLAINED = re.compile(r"[\s)*_`]{0,6}(?::| ?[–—]| -) ?\w")
_ALMOST_CHANGED = re.compile(
    r"\b(?:considered|could|might|tempted|thought (?:about|of)|was about to)\b[^.!?\n]{0,40}"
    r"\b(?:chang|mov|revis|shift|switch)\w*\b[^.!?\n]{0,40}\bfrom[ :(]*$",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:actually|changed?|changing|correction|hm+|no(?=,)|on (?:further )?(?:reflection"
    r"|second thoughts?)|revis\w+|double[- ]?check\w*|re-?(?:consider|examin|evaluat|read|think)\w*"
    r"|scratch that|second look|sorry|wait)\b",
    re.IGNORECASE,
)
_IF_AFTER = re.compile(
    r"^[\s,;(–—-]{0,3}(?:but )?(?:only )?(?:if|unless|provided|assuming|when|in case"
    r"|in the (?:case|event)|as long as|so long as|given that|otherwise)\b",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"\b(?:otherwise|else|in (?:which|that) case|if not|if so)\b", re.IGNORECASE
)
_EXAMPLE = re.compile(r"\b(?:examples?|e\.g\.?|for instance|sample|format)[ ,:]*$", re.IGNORECASE)
_DEPENDS = re.compile(r"\bdepend(?:s|ing)? (?:up)?on\b", re.IGNORECASE)
# two tags with these words are answers to two questions
_VERSION = re.compile(
    r"^\W*as an? |\b(?:with|without|literal\w*|satir\w*|iron\w*|sarcas\w*|jok(?:e|ing|ingly)"
    r"|serious(?:ly)?"
    r"|legal(?:ly)?|morally|ethically|technically|strict(?:ly)?|loose(?:ly)?"
    r"|perspective|standpoint|point of view|(?:on|under|in) (?:the |one |this |that |another "
    r"|an? )?(?:\w+ )?(?:reading|interpretation|version|view|scenario|assumption)"
    r"|reading (?:\d|one|two|[ab])|interpretation (?:\d|one|two)|scenario (?:\d|one|two)"
    r"|case (?:\d|one|two)|read as|taken as|interpreted as|meant as"
    r"|in theory|in practice|for (?:the|a|an) \w+|utilitarian\w*|kantian\w*|deontolog\w*"
    r"|consequentialis\w*|when|before|after)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Statement:
    """A parsed answer tag.

    Attributes:
        labels: Its labels.
        tag: The tag.
        role: Its role in its sentence.
        alone: Whether it is on a separate line.
        version: Whether it is about one version of the question.
        discussed: Whether its sentence is about the option, and does not choose it.
        explained: Whether an explanation follows it, as in a list of options.
    """

    labels: Labels
    tag: Tag
    role: Role
    alone: bool
    version: bool
    discussed: bool
    explained: bool


def tagged(text: str, found: Sequence[Tag], question: Question) -> Labels | None:
    """Return the labels of the answer tags of a text, or None if it has none.

    The last tag wins, together with its alternatives. Rejected tags, and tags with other people's
    or earlier answers, are mentions; so are those that explain an answer which is not taken back
    ("<answer>A</answer> <answer>B</answer> would be theft"). Conditional tags with different labels
    are ambiguous.

    Args:
        text: The result of `readable`.
        found: Its answer tags.
        question: The answers of the question.
    """
    statements = _statements(text, found, question)
    answers = [one for one in statements if one.role == "answer"]
    supposed = [one for one in statements if one.role == "supposed"]
    if not answers and (rejected := [one for one in statements if one.role == "rejected"]):
        return NO_LABELS.union(*(one.labels for one in rejected))
    if answers:
        answers = _without_explanations(text, answers)
        last = answers[-1]
        later = [one for one in supposed if one.tag.start > last.tag.start]
        earlier = [one for one in supposed if one.tag.start < last.tag.start]
        if later and not last.alone and _differ(last, *later):
            return last.labels.union(*(one.labels for one in later))
        if earlier and _is_other_case(text, earlier[-1], last):
            return last.labels.union(*(one.labels for one in earlier))
        return _with_alternatives(text, answers, last)
    if supposed:
        return NO_LABELS.union(*(one.labels for one in supposed))
    return NO_LABELS if any(tag.closed for tag in found) else None


def _statements(text: str, found: Sequence[Tag], question: Question) -> list[Statement]:
    """Parse each tag, in order.

    Unclosed tags count if they contain a label; otherwise they are mentions. Placeholders
    ("LETTER") are skipped.
    """
    statements = []
    ends = [0, *(tag.end for tag in found)]
    starts = [*(tag.start for tag in found[1:]), len(text)]
    for tag, previous_end, next_start in zip(found, ends, starts, strict=False):
        content = plain(tag.content)
        labels = _labels(content, question)
        if not labels and tag.closed:
            labels = stated(content, question)
        if not labels and (not tag.closed or fold(content) in _PLACEHOLDERS):
            continue
        before = _line_before(text, previous_end, tag.start)
        after = text[tag.end : min(next_start, tag.end + _REACH)].split("\n", 1)[0]
        role = _role(before, after) if labels else "answer"
        sentence = SENTENCE_END.split(after, maxsplit=1)[0]
        above = text[max(previous_end, tag.start - _REACH) : tag.start].split("\n")[-2:-1]
        intro = above[0] if above and not before.strip() and above[0].endswith(":") else ""
        if labels and role == "answer" and intro and is_supposed(plain(intro)):
            role = "supposed"
        statements.append(
            Statement(
                labels,
                tag,
                role,
                alone=not after.strip(" .*_`") and len(before) < 60,
                version=bool(_VERSION.search(before + intro) or _VERSION.search(sentence[:60])),
                discussed=_is_discussed(before, sentence),
                explained=bool(_EXPLAINED.match(after)) and not before.strip(" .)"),
            )
        )
    for n in reversed(range(len(statements) - 1)):
        one, other = statements[n : n + 2]
        # "choosing between A and B is not easy" rejects neither or both
        between = text[one.tag.end : other.tag.start].strip()
        if other.role == "rejected" and between == "and":
            statements[n] = replace(one, role="rejected")
        # "I considered switching from A to B"
        if between == "to" and _ALMOST_CHANGED.search(
            plain(text[max(0, one.tag.start - _REACH) : one.tag.start])
        ):
            statements[n + 1] = replace(other, role="mention")
    return statements


def _is_discussed(before: str, after: str) -> bool:
    """Return whether the sentence of a tag is about its option and does not choose it."""
    if _MY_ANSWER.search(before):
        return False
    clause = _CLAUSE_END.split(after, maxsplit=1)[0]
    preferred = bool(_PREFERRED.search(clause)) and not _DENIED.search(clause)
    about = _ABOUT.search(before) or (_CHOOSING.match(before) and _COPULA.match(after))
    return not preferred and bool(_PREDICATE.match(after) or about)


def _without_explanations(text: str, answers: list[Statement]) -> list[Statement]:
    """Return tags without those that only explain an earlier answer."""
    explained = [one for one in answers if one.explained]
    listed = _differ(*explained)
    about: list[bool] = []
    for n in reversed(range(len(answers))):
        one, following = answers[n], answers[n + 1 : n + 2]
        between = text[one.tag.end : following[0].tag.start] if following else ""
        joined = bool(between.strip()) and offered_together(between)
        is_about = one.discussed or (listed and one.explained)
        about.append(about[-1] if joined else is_about)
    about.reverse()
    if not about[-1]:
        return answers
    last = max((n for n, one in enumerate(about) if not one), default=None)
    if last is None:
        labels = NO_LABELS.union(*(one.labels for one in answers))
        return [replace(answers[-1], labels=labels)]
    own = answers[: last + 1]
    changed = _CHANGED.search(text[answers[last].tag.end : answers[last + 1].tag.start])
    is_echo = len(_with_alternatives(text, own, own[-1])) > 1
    return answers if changed or is_echo else own


def _labels(content: str, question: Question) -> Labels:
    labels = value(content, question)
    labelled = _LABELLED.fullmatch(content)
    if labels or labelled is None or _NOT_CHOSEN.search(labelled["label"]):
        return labels
    if is_anothers_label(labelled["label"]):
        return NO_LABELS
    return value(labelled["value"], question)


def _line_before(text: str, start: int, end: int) -> str:
    """Return the part of a tag's sentence before it, after any other tag."""
    before = text[max(start, end - _REACH) : end]
    return plain(SENTENCE_END.split(before.replace(";", ".\n"))[-1]) if before else ""


def _role(before: str, after: str) -> Role:
    """Return a tag's role, from the words of its sentence before and after it."""
    sentence = SENTENCE_END.split(after, maxsplit=1)[0]
    upheld = is_kept(before) or is_kept(sentence)
    if not before.strip() and not sentence.strip(" .*_`,;:)"):
        return "answer"
    if _CONTRAST.search(before) or _OTHER_OPTION.search(before):
        return "mention"
    if _EXAMPLE.search(before):
        return "mention"
    if not upheld and (is_reported_after(sentence) or is_earlier(before)):
        return "mention"
    if is_others(before) and not _own_turn(before):
        return "mention"
    if _DEPENDS.search(before):
        return "supposed"
    if ":" in before and is_anothers_label(before.rsplit(":", 1)[0]):
        return "mention"
    if (is_supposed(before) and not is_forced(before)) or _OTHERWISE.search(before):
        return "supposed"
    if _IF_AFTER.match(sentence) and not is_forced(sentence):
        return "supposed"
    if _NOT_SAID.search(before):
        return "rejected"
    rejected = _REJECTED.match(sentence)
    if rejected and not _BECAUSE.search(rejected[0]):
        return "rejected"
    return "answer"


def _own_turn(before: str) -> bool:
    """Return whether the speaker's own answer follows somebody else's in a sentence."""
    last = re.split(r"[,;:–—]| but | so ", before)[-1].strip()
    # "I note that experts endorse B" is theirs again
    return not is_others(last) and bool(
        re.match(r"(?:i|i'd|i'm|my|but|however|yet|so|therefore|still)\b", last, re.IGNORECASE)
    )


def _is_other_case(text: str, one: Statement, last: Statement) -> bool:
    """Return whether the last tag is the other side of a condition in the same sentence."""
    between = text[one.tag.end : last.tag.start]
    return (
        _differ(one, last)
        and len(between) <= 120
        and (not SENTENCE_END.search(between) or bool(_OTHERWISE.search(between)))
        and "\n\n" not in between
    )


def _differ(*statements: Statement) -> bool:
    return len({one.labels for one in statements}) > 1


def _with_alternatives(text: str, answers: Sequence[Statement], last: Statement) -> Labels:
    labels = last.labels
    following = last
    for one in reversed(answers[:-1]):
        between = text[one.tag.end : following.tag.start]
        beside = offered_together(re.sub(r"\([^()]{0,60}\)", "", between))
        both = one.version and following.version and between.count("\n") <= 1 and len(between) < 120
        if not (beside or both):
            break
        labels |= one.labels
        following = one
    return labels
