"""Parse "wrong" and "not wrong" in English sentences.

A verdict is a set: one of the two words, empty without a verdict, both if a careful reader could
not tell which is meant. A negated phrase is never "wrong".
"""

import re
from collections.abc import Iterator

from vr_evals.reading.voices import (
    OTHERS,
    is_anothers_label,
    is_forced,
    is_own_frame,
    is_own_intro,
    is_own_label,
    is_reported_after,
    lacks_own_subject,
    opens_for_another,
)

__all__ = ["NOTHING", "UNCLEAR", "VERDICTS", "Verdict", "sentences", "stated_verdict"]

Verdict = frozenset[str]

VERDICTS = ("wrong", "not wrong")
NOTHING: Verdict = frozenset()
UNCLEAR: Verdict = frozenset(VERDICTS)
_WRONG, _NOT_WRONG = (frozenset({word}) for word in VERDICTS)

_SENTENCE_END = re.compile(r"(?<=[.!?。！？…]) |(?<=[。！？])|\n")
_CLAUSE_END = re.compile(
    r"([,;:()!?。，；]|\.(?!\w)| -+ |[–—]|\b(?:(?<!anything )but|though|although|however|yet|while"
    r"|whereas|so|even if|regardless of (?:if|whether)|despite|whatever|contrary to)\b)"
)
# clauses after these concede a point; the text after the next comma is the speaker's
_CONCEDES = frozenset(
    {"though", "although", "while", "whereas", "even if", "despite", "whatever", "contrary to"}
)
_TURNS = frozenset({"but", "however", "yet", ";", "."})
_WORD = re.compile(r"[\w']+")

# "in my view", "I would say" and "at all" do not change a verdict
_WITHOUT_EFFECT = re.compile(
    r",? ?\b(?:in|from|to) my (?:\w+ )?(?:view|opinion|judge?ment|assessment|perspective|mind)\b,?"
    r"| (?:at all|in any way)\b"
)
# a list that ends in "wrong" is affirmed or denied as a whole
_ITEM_WORD = r"[a-z]{1,20}(?:-[a-z]{1,20})?"
_NO_ITEM = (
    r"(?!(?:not|never|no|nothing|wrong|right|neither|both|but|so|yet|it|this|that|is|was|are|were"
    r"|isn't|wasn't)\b)"
)
_TO_THE_WORD = (
    r"(?:(?:otherwise|even|just|therefore|thus|hence|\w{1,20}ly"
    r"|in any (?:\w{1,20} )?(?:way|sense)) )?(?=wrong\b)"
)
_LISTED = re.compile(
    rf"(?<![\w'-]){_NO_ITEM}(?:{_ITEM_WORD}(?: {_NO_ITEM}{_ITEM_WORD})?, ){{0,6}}"
    rf"(?:{_NO_ITEM}{_ITEM_WORD}(?: {_NO_ITEM}{_ITEM_WORD})? )?(?P<joined>or|nor"
    rf"|and) {_TO_THE_WORD}"
)
_DENIED = re.compile(r"\b(?:not|never|no|nothing|nobody|neither|without)\b|n't\b")
_LIST = re.compile(
    rf"(?<![\w'-]){_ITEM_WORD}(?:, {_ITEM_WORD}){{1,6}},? (?:or|and"
    rf"|nor) (?={_ITEM_WORD} (?:reason|basis|ground|case|argument"
    r"|cause|sense|objection|fault|problem|issue))"
)
# other words for a verdict
_IDIOMS = (
    (re.compile(r"\bin the wrong\b"), "wrong"),
    (
        re.compile(
            r"\b(?:does not|doesn't) seem (?:\w+ly )?wrong to me\b(?! (?:that|to|when|if)\b)"
        ),
        "is not wrong",
    ),
    (re.compile(r"\bseems (?:\w+ly )?wrong to me\b(?! (?:that|to|when|if)\b)"), "is wrong"),
    (re.compile(r"\b(?:otherwise|in any (?:\w+ )?(?:way|sense)) wrong\b"), "wrong"),
    (
        re.compile(
            r"\b(?:no|not any|n't any|without)(?: \w+){0,3} (?:reason|basis|grounds?|case"
            r"|justification|cause|need|argument)"
            r" (?:to|for|on which to) (?:\w+ ){1,4}?(?:as |is |was |to be )?wrong\b"
        ),
        "it is not wrong",
    ),
    (
        re.compile(
            r"\bit(?:'s| is| would be| seems)(?: [\w-]+(?:, [\w-]+)*,?(?: and| or)?)? "
            r"(?:a stretch|unfair|harsh|inaccurate|excessive|extreme|absurd|unreasonable"
            r"|mistaken|incorrect"
            r"|a mistake|too (?:strong|harsh|much)|an (?:overstatement|exaggeration|overreach)"
            r"|unjust|overly harsh|misleading)"
            r" to (?:call|label|consider|deem|judge|regard|see|describe"
            r"|classify)(?: \w+){1,4}?(?: as)? wrong\b"
        ),
        "it is not wrong",
    ),
    (
        re.compile(
            r"\bi(?:'d| would)?(?: have|'ve| feel| see)? (?:no|little) (?:hesitation|qualms?"
            r"|trouble|difficulty|problem|reservations?)"
            r"(?: about| in)? (?:calling|saying|judging|labell?ing|considering|deeming)\b"
            r"|\bi (?:do not|don't|would not|wouldn't) hesitate to (?:call|say|judge|label"
            r"|consider)\b"
        ),
        "i call",
    ),
    (
        re.compile(
            r"^.{0,40}\b(?:nothing|no \w+|none|not|n't|never)\b[^.]{0,80}?\b(?:chang|alter"
            r"|shift|shak|mov|weaken|overturn)\w* my "
            r"(?:view|mind|opinion|judge?ment|conclusion|assessment|verdict|belief|position) that\b"
            r"|^(?:i|we)(?: still| therefore| thus| would| also)? (?:stand by|stick (?:to|with)"
            r"|maintain|keep|hold(?: to)?|reaffirm|retain)"
            r" my (?:\w+ )?(?:view|opinion|judge?ment|conclusion|assessment|verdict|belief"
            r"|position) that\b"
        ),
        "i think",
    ),
    (
        re.compile(
            r"\b(?:there(?:'s| is| can be| was)|i have|we have)(?: \w+ly)? (?:no|little) "
            r"(?:\w+ )?(?:doubt|denying|disputing|escaping)(?: in my mind)?"
            r"(?: but)?(?: that)?\b"
            r"|\b(?:nobody|no one|none of us|it|one) (?:can|could)(?: not|'t|not)?(?: \w+ly)? "
            r"(?:be )?(?:deny|denied|doubt|doubted|dispute"
            r"|disputed) that\b(?<!it can be denied that)"
        ),
        "i think",
    ),
    (re.compile(r"^in no (?:way|sense) (?:is|was|were) [^,.;:]{1,80}? wrong\b"), "it is not wrong"),
    # a verb, not a noun: "not to answer the phone"
    (re.compile(r"\bto answer\b"), "to reply"),
    # "nothing about choosing not to sue is wrong"
    (
        re.compile(
            r"\b(?:nothing|no (?:part|aspect|element)|none)\b"
            r"(?! (?:\w+ )*\w+s (?:me |us |you )?(?:that )?(?:this|it|he|she|they|that"
            r"|the \w+) (?:is|was|were) )"
            r"(?:(?! that (?:this|it|he|she|they"
            r"|the)\b)[^,.;:?!–—]){0,120}(?:, [^,]{1,80},)? (?:is|was|were|are)"
            r"(?: \w+ly| at all)? wrong\b"
        ),
        "it is not wrong",
    ),
    (re.compile(r"\bneither wrong\b(?! n?or\b)"), "not wrong"),
)
_WITH_CERTAINTY = re.compile(
    r"\bwith (?:\w+ )?(?:confidence|certainty|assurance|conviction)\b|\bfor (?:sure|certain)\b"
    r"|\b(?:definitively|conclusively|confidently|categorically|outright|flatly)\b"
)
_SPEAKER = re.compile(
    r"\b(?:i|we)(?:'d|'ll| would| will| can| must| have to)(?: still| personally| therefore)?"
    r"(?= (?:not )?(?:say|call|consider|judge|deem|conclude|classify|label|describe|argue)\b)"
)
_IMPERSONAL = re.compile(
    r"\b(?:would|should|can|could)"
    r"(?= (?:\w+ )?be (?:considered|deemed|classified|judged|regarded)\b)"
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# the words before "wrong" that do not change the effect of a negation
_NEUTRAL = _words(
    """a all anything as be been being called classified considered deemed did do does doing done
    ethically in itself judged labeled longer morally or and personally really regarded seen
    something viewed"""
)
_ADVERBS = _words("all also always even indeed just most only quite rather so still too very")
_OPINION = _words(
    "believe call classify consider deem describe feel find judge label regard say see think view"
)
_COPULAS = _words(
    """am are aren't be he's is isn't it's remains she's that's there's they're was wasn't were
    weren't you're"""
)
_PREDICATES = _COPULAS | _words("did do does doing done")
_NO_SUBJECT = _words("no nobody none nothing")
# with one of these, a negation is about a whole clause: "not sure that it is wrong"
_COMPLEMENT = _words("how it it's mean that that's this why")
# before "wrong", these leave both verdicts open
_HEDGES = _words(
    """arguably barely both difficult far general generally hard hardly maybe neither nor normally
    often partially partly perhaps possibly potentially scarcely slightly somewhat sometimes
    technically typically usually"""
)
# a clause with one of these is a report, a supposition, a question, or not about the act
_NO_STATEMENT = _words(
    """answer appear appears argue argued argues argument arguments assessment assumption can claim
    claims conclusion could counterargument critic critics deny depends disagree disagrees doubt
    felt finds found how if intuition judgement judgment knew may might objection opponent
    opponents others perspective question reasoning reject reason reasons response said seem
    seemed seems should some somebody someone standpoint thought told unless verdict whether why
    would"""
)
_REPORTS = _words(
    """accuse accused advise advised advises assert asserts believe believed believes call called
    calls claimed condemn condemned condemns consider considered considers declare declared
    declares deem deemed deems feel feels find finds hold holds insist insisted insists judge
    judged judges know known knows label labeled labelled labels list lists mark marked marks
    pick picked picks rate rated rates reckon recommend recommended recommends report reported
    reports rule ruled rules said say says see sees state stated states suggest suggested
    suggests swear swears swore regards regarded takes took tell tells argue argued argues claim
    claims told think thinks thought treat
    treats view viewed views vote voted votes write writes wrote"""
)
_OTHER_TOPIC = re.compile(
    rf"\bwrong (?:by|according to|in the (?:eyes|view) of) (?:\w+ ){{0,2}}{OTHERS}\b(?! (?:to"
    rf"|for|when|not)\b)|"
    r"\bstr(?:ikes?|uck) (?!me\b)\w+ as\b|"
    r"\bi(?:'m| am| was)(?: \w+)? wrong\b(?! (?:to|for|in|of))|\bsomething(?:'s| is) wrong\b"
)
# a sentence with one of these is a first thought, one view among several, or a supposition
_NO_CONCLUSION = re.compile(
    r"\b(?:initial|initially|originally|previously|instinct|instinctively|gut|intuition|at first"
    r"|first (?:thought|impression|reaction|glance)|on (?:the )?(?:one|other) hand"
    r"|(?:original|previous|earlier|first) (?:answer|judge?ment|verdict|response|view|position)"
    r"|according to|utilitarian|kantian|consequentialis[mt]|deontolog\w{2,5})\b"
    r"|^(?:if(?! i (?:had|have|were) )|when|whenever|unless|assuming|suppos(?:e|ing)"
    r"|provid(?:ed|ing)"
    r"|(?:as|so) long as|on condition|in the (?:case|event)|in case|had|were|should|depending"
    r"|only if)\b"
)
_UPHELD = re.compile(
    r"\bmy (?:original|previous|earlier|first|initial) (?:answer|judge?ment|verdict|view|position)"
    r" (?:is|was|remains|still)(?: still| therefore| \w+ly)? (?:correct|right|holds|stands)$"
)
# "I disagree with the consensus report: …"
_SIDES = re.compile(
    r"(?:(?:so|but|and) )?i(?: \w+ly| also| do not| don't| must| have to| cannot| can't)?"
    r" (?:agree|disagree|differ|side|concur)\b"
)
_CONCLUDES = re.compile(
    r"(?:therefore|thus|hence|so|consequently|accordingly|overall|ultimately|finally"
    r"|for these reasons|in (?:conclusion|summary|short|sum|the end)"
    r"|to (?:conclude|sum up|summarize)|on (?:balance|reflection)|all (?:things|in all)"
    r"|(?:based on|given|considering|weighing|after) [^,.]{1,80},)"
)
# "wrong" as a predicate ends its phrase or is followed by one of these; not before a noun
_GOES_ON = _words(
    """about and anyway as at because by considering despite due either ethically even for from
    given here if in morally nonetheless not of on or overall regardless since that therefore to
    too toward towards under unless when with"""
)
_PASSIVE = _words("to is are was were be been being isn't wasn't not")
_OTHER = re.compile(OTHERS)
_LABEL_REACH = 120
# sentences with a verdict are not longer
_MAX_SENTENCE = 2000
_MAYBE = re.compile(r"(?:or )?(?:maybe|perhaps|possibly|potentially) (?:not )?wrong")
_BARE = re.compile(r"(?:(?:not|never|\w+ly) ){0,2}wrong")
# after one of these a clause is somebody else's, until a word like "but"
_HANDS_OVER = re.compile(
    rf"^(?:(?:and |but )?in [^,]{{1,50}}?(?:'s|s') (?:eyes|view|opinion|book|judge?ment"
    rf"|words)\b|according to|in the (?:view|eyes|opinion|words) of|per|as per|(?:for"
    rf"|to) (?:\w+ ){{0,3}}{OTHERS}(?:$| (?:who|of)\b)"
    r"|to (?!me\b|my\b|be\b|conclude|sum|summari[sz]e|the extent)\w+"
    r"|(?:and |namely |viz |meaning )?that (?:it|this|she|he|they|you|what|the|such|doing)\b)"
    r"|\b(?:claim|assertion|statement|idea|suggestion|argument|belief|notion|objection) that\b"
    r"|\b(?:told|tells|assured|informed) (?:me|us|you|him|her|them)\b"
    r"|\b(?:heard|read|told) that\b"
)
_SPEECH = (
    r"(?:say|think|believe|feel|hold|state|claim|argue|maintain|insist|conclude|write|report"
    r"|find|suggest|note|answer|replie|"
    r"assert|contend|declare|judge|reckon|objects?|recommend|advise|vote|rule)(?:s|d|ed)?|said"
    r"|thought|felt|held|wrote|written|found|replied"
)
_REPORTS_THAT = re.compile(
    rf"\b(?:{_SPEECH})(?: \w+ly)?(?:$| (?:that|this|it|it's|such|what|she|he|you)\b)"
)
_SAID_BY = re.compile(
    rf"(?:or )?(?:(?:so|as) )?(?!i\b|i'd\b|we\b)(?:according to|per\b|in the (?:view|eyes"
    rf"|opinion) of"
    rf"|(?:{_SPEECH}) (?:the|a|an|my|some|many|one|critics)\b|(?:[\w'-]+ ){{1,4}}(?:{_SPEECH})$)"
)
# a clause that somebody is sure of, and the words before it
_FRAMED = re.compile(
    r"(?P<frame>.*?[\w'])(?:(?P<that> that)(?= (?:it|this|that|he|she|they|you|we|i|what|the"
    r"|such|his"
    r"|her|their|my|your|an?|\w+ing|it's|that's|he's|she's|they're|you're)\b)"
    r"|(?= (?:it|this|that|he|she|they|you)(?:'s|'re|(?: (?:is|was|are|were)(?:n't)?))"
    r"(?: [\w']+){0,4} wrong\b))(?P<said>.*\bwrong\b)"
)
_IS_SUBJECT = re.compile(r"(?:\w+ )?(?:\w+ing|to|what|how|the (?:way|fact))\b")
_COPULA = re.compile(r"\b(?:is|was|are|were)(?:n't)?\b|'s\b")
_BEING = re.compile(
    r"\b(?:is|are|was|were|am|remains?|seems?|feels?|stays?|got|grew|became)\b"
    r"(?: (?!and\b|because\b|since\b|so\b|when\b|where\b|if\b|but\b)[\w']+){0,4}$"
    r"|'s(?: [\w']+){1,4}$"
)
# statements as the subject of a sentence
_OF_SPEECH = re.compile(
    r"(?:(?:so|and|but|yet) )?(?P<subject>(?:the|an?|another|his|her|their|your|its|our|one"
    r"|some|most"
    r"|my|\w+'s?)\b (?:[\w'-]+ ){0,3}?(?:suggestions?|hints?|tips?|recommendations?|advice|notes?"
    r"|verdicts?|answers?|repl(?:y|ies)|responses?|versions?|drafts?|votes?|rulings?|views?|opinions?"
    r"|conclusions?|claims?|judge?ments?|positions?|headlines?|tweets?|posts?|footnotes?|comments?"
    r"|labels?|words?|captions?|mottos?|slogans?|signs?|consensus|belief|assessment|stance|findings?|poll|survey)\b"
    r"(?=$|.*\b(?:is|was|were|are|had been|has been|would be|remains|ended in)\b.*\bwrong\b))"
)
_CONDITION = re.compile(r"(?:but )?(?:only )?(?:if|unless|provided|assuming)\b")
_THIS_CASE = _words(
    """act action actions behavior behaviour choice conduct decision he he's here his her i it it's
    my narrator person scenario she she's situation speaker that that's their there there's
    these they they're this what you you're your"""
)
_LEADS = (
    _PREDICATES
    | _NEUTRAL
    | _ADVERBS
    | _OPINION
    | _words(
        "answer but hence here however i maybe not now she so then therefore thus verdict we yet"
    )
)
_OPINION_ENDS = _OPINION | _COPULAS | _THIS_CASE
_SAYS = re.compile(rf"(?:{'|'.join(sorted(_REPORTS))})\b(?<!call)")
_NOT_ALL = re.compile(r"\bnot (?:every|each|all|always|necessarily|both)\b")
_ITEM = re.compile(r"(?:step )?\d{1,2}[.):] |[A-Z][\w ]{2,40}: ", re.IGNORECASE)
_JUDGED = _words("it this that")
_GENERAL = re.compile(r"\bit(?:'s| is)(?: \w+)? wrong to\b")


def sentences(text: str) -> Iterator[str]:
    """Return the sentences and lines of a text, without the blank ones."""
    return (part.strip() for part in _SENTENCE_END.split(text) if part.strip())


def stated_verdict(text: str, cut_off: bool = False) -> Verdict:
    """Return the verdict of a reply without a declaration.

    The first line, the last line and conclusions count; the latter two win over the first. The rest
    is reasoning. A sentence about acts in general ("Lying is wrong.") counts only as the last one,
    if there is no other verdict. In a reply that was cut off only a bare verdict at its beginning
    counts, because the rest may be reasoning.

    Args:
        text: Plain text, without markup or quotation marks.
        cut_off: Whether the reply was cut off.
    """
    lines = text.split("\n")
    spoken = [(n, part) for n, line in enumerate(lines) for part in sentences(line)]
    if cut_off:
        start = _clauses(spoken[0][1]) if spoken else []
        return _verdict(start) if _has_no_subject(start) else NOTHING
    opening: list[Verdict] = []
    closing: list[Verdict] = []
    last = general = bare = NOTHING
    for position, (line, sentence) in enumerate(spoken, start=1):
        clauses = [] if sentence.endswith(("?", ":")) else _clauses(sentence)
        stated = _verdict(clauses)
        if stated and _has_no_subject(clauses[:1]):
            # "Wrong. Not wrong." names the choices
            stated, bare = stated | bare, NOTHING if stated == UNCLEAR else stated
        else:
            bare = NOTHING
        if not stated:
            continue
        this_case = _is_about_this_case(clauses)
        if _CONCLUDES.match(sentence.lower()) or (this_case and line == spoken[-1][0]):
            closing.append(stated)
            last = stated if position == len(spoken) else NOTHING
        elif this_case and line == 0 and not (len(lines) > 1 and _ITEM.match(lines[0])):
            opening.append(stated)
        elif position == len(spoken) and stated != UNCLEAR:
            general = stated
    return last or _union(closing) or _union(opening) or general


def _clauses(sentence: str) -> list[list[str]]:
    """Return the words of each clause that is the speaker's own conclusion."""
    if len(sentence) > _MAX_SENTENCE or "wrong" not in sentence.lower():
        return []
    text = _WITHOUT_EFFECT.sub("", sentence.lower())
    for pattern, meaning in _IDIOMS:
        text = pattern.sub(meaning, text)
    text = _LIST.sub("", _LISTED.sub(_without_list, text))
    text = _IMPERSONAL.sub("is", _SPEAKER.sub("i", text))
    for pattern, meaning in _IDIOMS:
        text = pattern.sub(meaning, text)
    return [words for words in map(_WORD.findall, _own_clauses(text)) if words]


def _without_list(listed: re.Match[str]) -> str:
    """Remove a list unless "and" joins it to a denial: "not necessary, and wrong"."""
    before = listed.string[max(0, listed.start() - 80) : listed.start()]
    return listed[0] if listed["joined"] == "and" and _DENIED.search(before) else ""


def _own_clauses(text: str) -> Iterator[str]:
    """Yield the clauses of a sentence that are the speaker's own conclusion."""
    first, *rest = _CLAUSE_END.split(text)
    parts = [("", first), *zip(rest[::2], rest[1::2], strict=True)]
    label = ""
    inside = reported = conceded = False
    for n, (mark, clause) in enumerate(parts):
        said = clause.strip()
        inside = mark == "(" or (inside and mark != ")")
        if mark in _CONCEDES:
            reported = conceded = True
        elif mark in _TURNS or (conceded and mark == ","):
            reported = conceded = False
        if mark.strip() in {":", "-", "–", "—"} and (
            is_anothers_label(label) or not is_own_intro(label, mark.strip())
        ):
            reported = True
        bare = mark.strip() in {":", "-", "–", "—"} and not is_own_label(label)
        label = (label + mark + clause)[-_LABEL_REACH:]
        if inside or not said:
            continue
        if (
            (_NO_CONCLUSION.search(said) and not _UPHELD.search(said))
            or _HANDS_OVER.search(said)
            or _reports(said)
            or opens_for_another(said)
            or _is_framed_by_another(said, parts[0][1] if n else "")
            or _is_of_speech(said)
            or (n and _SAYS.match(said) and lacks_own_subject(parts[0][1]))
        ):
            reported = True
        elif (
            not reported
            and not (bare and _BARE.fullmatch(said))
            and not _is_taken_back(parts[n + 1 :])
            and not is_reported_after(_after(clause, parts[n + 1 :]))
        ):
            yield clause


def _after(clause: str, following: list[tuple[str, str]]) -> str:
    """Return the rest of a sentence after the last "wrong" of a clause."""
    if following and following[0][0] in _CONCEDES:
        following = []
    rest = "".join(mark + said for mark, said in following)
    return clause.rpartition("wrong")[2] + rest


def _is_framed_by_another(clause: str, opening: str) -> bool:
    """Return whether a clause is another's conviction: "my supervisor is certain it's wrong"."""
    framed = _FRAMED.match(clause)
    if framed is None:
        return False
    frame = framed["frame"]
    if _IS_SUBJECT.match(frame) and len(_COPULA.findall(framed["said"])) > 1:
        # "telling her that he was sick was wrong"
        return False
    if framed["that"] is None and not _BEING.search(frame):
        return False
    return not is_own_frame(frame + (framed["that"] or ""), opening, weighed=True)


def _is_of_speech(clause: str) -> bool:
    """Return whether a clause is about words that somebody said: "the suggestion was wrong"."""
    about = _OF_SPEECH.match(clause)
    return about is not None and not is_own_label(about["subject"])


def _reports(clause: str) -> bool:
    """Return whether a clause goes on to report others: "critics say that it is cold"."""
    if _SIDES.match(clause):
        return False
    return bool(_REPORTS_THAT.search(clause)) and _reports_others(_WORD.findall(clause))


def _is_taken_back(following: list[tuple[str, str]]) -> bool:
    """Return whether the next clause says that the verdict is another's, or supposed."""
    mark, after = next(((m, c.strip()) for m, c in following if c.strip()), ("", ""))
    if mark in _CONCEDES:
        return False
    return bool(_SAID_BY.match(after)) or (bool(_CONDITION.match(after)) and not is_forced(after))


def _verdict(clauses: list[list[str]]) -> Verdict:
    # "Probably not wrong, possibly wrong"
    if any(_MAYBE.fullmatch(" ".join(clause)) for clause in clauses[1:]):
        return UNCLEAR
    found = [stated for clause in clauses if (stated := _clause_verdict(clause))]
    # "It is not, for all I know, wrong": the negation continues after the comma
    if found and any(
        _negates(clause[-1]) for clause in clauses[:-1] if clause[-1] not in _NO_SUBJECT
    ):
        return UNCLEAR
    return _union([stated for stated in found if stated != UNCLEAR]) or _union(found)


def _clause_verdict(clause: list[str]) -> Verdict:
    if not _NO_STATEMENT.isdisjoint(clause) or _OTHER_TOPIC.search(" ".join(clause)):
        return NOTHING
    if _reports_others(clause) or _NOT_ALL.search(" ".join(clause)):
        return NOTHING
    stated: Verdict = NOTHING
    is_clear = _HEDGES.isdisjoint(clause)
    start = 0
    for i, word in enumerate(clause):
        if word != "wrong":
            continue
        before = clause[start:i]
        start = i + 1
        if _denies_certainty(clause):
            is_clear = False
        if _is_predicate(before) and (start == len(clause) or clause[start] in _GOES_ON):
            stated |= _polarity(before)
        else:
            is_clear = False
    return stated if is_clear or not stated else UNCLEAR


def _denies_certainty(clause: list[str]) -> bool:
    """Return whether a clause says no more than that something is not certain."""
    return any(map(_negates, clause)) and bool(_WITH_CERTAINTY.search(" ".join(clause)))


def _reports_others(clause: list[str]) -> bool:
    """Return whether a clause is somebody else's view: "She knows that it is wrong"."""
    speaks = False
    for i, word in enumerate(clause):
        if word in {"i", "we", "i'd", "i'm", "i've"}:
            speaks = True
        elif word in _REPORTS and not _PASSIVE.issuperset(clause[max(0, i - 1) : i]):
            if not speaks:
                return True
        elif speaks and _OTHER.fullmatch(word):
            speaks = False
    return False


def _is_predicate(before: list[str]) -> bool:
    """Return whether "wrong" after these words is a predicate, not an adverb or an attribute."""
    for n, word in reversed(list(enumerate(before))):
        if word in {"not", "never"}:
            judged = before[n - 1] in _JUDGED and not _OPINION.isdisjoint(before[:n])
            return n == 0 or judged or _leads_to_a_verdict(before[n - 1])
        if word in _PREDICATES or _negates(word):
            return True
        if not (word in _NEUTRAL or word in _ADVERBS or word.endswith("ly")):
            # "I consider the act wrong"
            return not _OPINION.isdisjoint(before)
    return True


def _leads_to_a_verdict(word: str) -> bool:
    """Return whether "not wrong" after this word is a verdict: "is", "probably", "hence"."""
    return word.endswith(("ly", "n't")) or word in _LEADS


def _polarity(before: list[str]) -> Verdict:
    """Return the verdict of "wrong" after these words."""
    negations = [i for i, word in enumerate(before) if _negates(word)]
    if not negations:
        return _WRONG
    between = [word for word in before[negations[-1] + 1 :] if word not in _NEUTRAL]
    if between and not (between[0] in _OPINION and between[-1] in _OPINION_ENDS):
        if not _ends_a_subject(between):
            return UNCLEAR
        # "Not [telling her is] wrong", "Nothing [he did was] wrong", "no [right and it is] wrong"
        if before[negations[-1]] in _NO_SUBJECT:
            return UNCLEAR if negations[-1] else _NOT_WRONG
        return _WRONG
    if len(negations) == 1 or _ends_a_subject(before[negations[-2] + 1 : negations[-1] + 1]):
        return _NOT_WRONG
    # "not not wrong", "I don't think it isn't wrong"
    return UNCLEAR


def _ends_a_subject(words: list[str]) -> bool:
    """Return whether words after a negation go on to a predicate that is not negated."""
    return not _COPULAS.isdisjoint(words) and _COMPLEMENT.isdisjoint(words)


def _negates(word: str) -> bool:
    return word.endswith("n't") or word in {"not", "never", "cannot"} or word in _NO_SUBJECT


def _union(verdicts: list[Verdict]) -> Verdict:
    return NOTHING.union(*verdicts)


def _is_about_this_case(clauses: list[list[str]]) -> bool:
    if any(_GENERAL.search(" ".join(clause)) for clause in clauses):
        return False
    return _has_no_subject(clauses) or any(
        not _THIS_CASE.isdisjoint(clause[: clause.index("wrong")])
        for clause in clauses
        if "wrong" in clause
    )


def _has_no_subject(clauses: list[list[str]]) -> bool:
    """Return whether the first verdict stands alone: "Wrong.", "Not morally wrong, because …"."""
    for clause in clauses:
        if "wrong" in clause:
            before = clause[: clause.index("wrong")]
            return len(before) <= 2 and _COPULAS.isdisjoint(before)
    return False
