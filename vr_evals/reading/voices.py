"""Detect whose statement it is: the model's own and current, or another's, earlier or hypothetical.

The words before and after a statement in its sentence decide. Before a statement within a sentence,
only words known to leave it the model's own are accepted ("So I think that …"), because there are
too many ways to quote somebody to list them.
"""

import re

__all__ = [
    "OTHERS",
    "REPORTS",
    "SENTENCE_END",
    "is_anothers_label",
    "is_anothers_line",
    "is_anothers_view",
    "is_earlier",
    "is_forced",
    "is_kept",
    "is_others",
    "is_own",
    "is_own_frame",
    "is_own_intro",
    "is_own_label",
    "is_reported_after",
    "is_supposed",
    "is_supposed_after",
    "lacks_own_subject",
    "opens_for_another",
]

SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n")

# fmt: off
OTHERS = (
    r"(?:(?:he|she|they|him|her|them|you|who|one|most|many|some|several|others|another|plenty"
    r"|few|half)\b(?!')"
    r"|(?:every|some|any|no)(?:one|body)\b|people|persons?|(?:nine|eight|seven"
    r"|[0-9]+) (?:out of|in|of) "
    r"|(?:reports?|stud(?:y|ies)|surveys?|polls?|papers?|articles?|panel(?:ist)?s?|committees?"
    r"|boards?|councils?"
    r"|experts?|specialists?|professors?|teachers?|tutors?|lecturers?|supervisors?|boss"
    r"|managers?|colleagues?"
    r"|coworkers?|co-workers?|friends?|neighbou?rs?|classmates?|roommates?|mother|father|mum"
    r"|mom|dad|sister|brother|uncle|aunt"
    r"|grand(?:mother|father|ma|pa)|wife|husband|partner|critics?|reviewers?|referees?|readers?"
    r"|commenters?"
    r"|commentators?|comment(?:s|ary)?|forums?|threads?|posts?|posters?|bloggers?|blogs?|users?"
    r"|prompts?|preambles?|guidelines?"
    r"|guidance|guides?|handbooks?|manuals?|textbooks?|books?|codes?|polic(?:y|ies)|sources?"
    r"|authorit(?:y|ies)|consensus"
    r"|majority|minority|opponents?|objectors?|objections?|skeptics?|sceptics?|advocates?"
    r"|proponents?|defenders?|detractors?|philosophers?"
    r"|ethicists?|moralists?|theologians?|utilitarians?|kantians?|deontologists?"
    r"|consequentialists?|rule-followers?"
    r"|judges?|jur(?:y|ies|ors?)|courts?|church|priests?|pastors?|rabbis?|clergy|lawyers?"
    r"|doctors?|nurses?|physicians?"
    r"|answer keys?|keys?|rubrics?|models?|assistants?|chatbots?|bots?|ai|llms?|graders?"
    r"|annotators?|raters?|labell?ers?|crowd(?:workers)?|participants?"
    r"|respondents?|students?|scholars?|researchers?|scientists?|academics?|analysts?"
    r"|consultants?|historians?|strangers?|guests?|hosts?"
    r"|(?:dr|mr|mrs|ms|prof|rev|sir|lady)(?= \w)|observers?|outsiders?|bystanders?"
    r"|interlocutors?|voices?|voters?|public|society|institutes?|universit(?:y|ies)|association"
    r"|organi[sz]ations?"
    r"|agenc(?:y|ies)|commissions?|bod(?:y|ies)|team|groups?|headlines?|newspapers?|journals?"
    r"|magazines?|websites?|internet|reddit|twitter|wikipedia|google|chatgpt|gpt\S*|claude"
    r"|gemini|kant|aristotle|mill|bentham|aesop"
    r"|authors?|writers?|editors?|narrators?|speakers?|notes?|messages?|emails?|letters?|memos?"
    # "Statement 1" is a part of the question
    r"|(?<!both )(?<!two )(?<!all )statements?(?! (?:\d|[ivx]+\b))|assertions?|claims?"
    r"|suggestions?|recommendations?|hints?|tips?|quotes?"
    r"|quotations?|citations?|endorsements?|advice)\b)"
)
REPORTS = (
    r"(?:say(?:s|ing)?|said|claim(?:s|ed|ing)|claim|holds?|held|suggest(?:s|ed|ing)?|stat(?:e"
    r"|es|ed|ing)|recommend(?:s|ed|ing|ation)?"
    r"|choos(?:e|es|ing)|chose|chosen|pick(?:s|ed|ing)?|argu(?:e|es|ed|ing)|believ(?:e|es|ed"
    r"|ing)|think(?:s|ing)?|thought|feels?|felt"
    r"|finds?|found|report(?:s|ed|edly)|conclud(?:e|es|ed)|advis(?:e|es|ed)|advocat(?:e|es|ed)"
    r"|assert(?:s|ed|ing|ion)?|insist(?:s|ed)?"
    r"|maintain(?:s|ed)|mention(?:s|ed)?|not(?:es|ed)|propos(?:e|es|ed)|writ(?:e|es|ing|ten)"
    r"|wrote|tell(?:s|ing)?|told|answer(?:s|ed)"
    r"|vot(?:e|es|ed)|endors(?:e|es|ed|ing)|favou?r(?:s|ed)?|prefer(?:s|red)?|declar(?:e|es|ed)"
    r"|deem(?:s|ed)?|judg(?:e|es|ed)|consider(?:s|ed)"
    r"|call(?:s|ed)|label(?:s|ed|led)|mark(?:s|ed)|rat(?:es|ed)|rank(?:s|ed)|select(?:s|ed)?"
    r"|opt(?:s|ed)?|go(?:es)? (?:with|for)|went (?:with|for)"
    r"|puts?|gives?|gave|given|list(?:s|ed)|names?|named|point(?:s|ed)? (?:to|out)|lean(?:s"
    r"|ed)?|sid(?:es|ed) with|back(?:s|ed)|defend(?:s|ed)?"
    r"|treat(?:s|ed)|sees?|saw|seen|view(?:s|ed)|regard(?:s|ed)|identif(?:y|ies|ied)"
    r"|indicat(?:e|es|ed)|impl(?:y|ies|ied)|reads?|alleg(?:e|es|ed|edly)"
    r"|contend(?:s|ed)?|urg(?:e|es|ed)|warn(?:s|ed)?|submit(?:s|ted)|quot(?:e|es|ed|ing)"
    r"|cit(?:e|es|ed)|object(?:s|ed)?|counter(?:s|ed)?|repl(?:y|ies|ied)"
    r"|respond(?:s|ed)?|ask(?:s|ed)|agree(?:s|d)|com(?:e|es)|came|land(?:s|ed)|settl(?:e|es|ed)"
    r"|rul(?:e|es|ed)|decid(?:e|es|ed)|express(?:es|ed)|supports?|supported|denounc(?:e|es|ed)"
    r"|condemn(?:s|ed)?|"
    r"assum(?:e|es|ed)|describ(?:e|es|ed)|classif(?:y|ies|ied)|show(?:s|ed|n)?|has it|swears?"
    r"|reckons?|guess(?:es|ed)|expect(?:s|ed)|want(?:s|ed))\b"
)
SPEAKS = (
    r"(?:says?|said|claims?|claimed|argues?|argued|thinks?|thought|believes?|believed|writes?"
    r"|wrote|suggests?|suggested|insists?|insisted"
    r"|reports?|states?|stated|maintains?|maintained|tells?|told|puts? it|recommends?"
    r"|recommended)\b"
)
# fmt: on
_IGNORE_CASE = re.IGNORECASE
_OTHERS_SAY = re.compile(
    rf"\b{OTHERS}(?:[^.!?\n;]{{0,60}}?\b)?{REPORTS}"
    rf"|\baccording to\b|\bin the (?:view|eyes|opinion|words|judge?ment) of\b|\bas per\b"
    rf"|^(?:\W*)per\b"
    rf"|\b(?:{OTHERS})(?:'s|')? (?:\w+ ){{0,2}}(?:answer|verdict|view|opinion|choice|pick"
    rf"|judge?ment|conclusion|"
    r"position|ruling|decision|vote|option|recommendation|response|selection|preference"
    r"|assessment|stance|case|finding)s?\b"
    r"|\b[\w-]+(?:'s|s') (?:\w+ ){0,2}(?:answer|verdict|view|opinion|choice|pick|judge?ment"
    r"|conclusion|position"
    r"|ruling|decision|vote|option|recommendation|response|selection|preference|assessment"
    r"|stance|statement|claim|assertion)\b"
    rf"|\b(?:for|to|from) (?:a|an|the|any|my|your|some)? ?(?:\w+ ){{0,2}}{OTHERS}"
    r"|\b(?:answer|verdict|view|opinion|choice|pick|judge?ment|conclusion|position|ruling"
    r"|decision|vote|recommendation|claim|assertion|statement|idea|suggestion|argument|belief"
    r"|notion)"
    rf" (?:of|from|by|in|given by|offered by|made by|that) (?:a|an|the|my|your"
    rf"|some)? ?(?:\w+ ){{0,2}}{OTHERS}"
    r"|\b(?:claim|assertion|statement|idea|suggestion|argument|belief|notion|objection|view"
    r"|opinion|advice|recommendation) that\b"
    rf"|\b(?:told|advised|informed|assured|asked|urged|heard|read)\b"
    r"|\b(?:utilitarian|kantian|consequentialist|deontological|legal|religious)\b",
    _IGNORE_CASE,
)
_LABEL_OF_OTHERS = re.compile(
    rf"\b{OTHERS}|\w(?<!\bit)(?<!\bthat)(?<!\bhere)(?<!\bthere)(?:'s|s')(?!\w)|\b{REPORTS} *$",
    _IGNORE_CASE,
)
_MY_OWN = re.compile(
    r"\b(?:i(?:'d| would| must| do)?(?: (?:\w+ly|also|still|too|do|would|tend to))? "
    r"(?:agree|concur|side|disagree|differ|dissent|endorse|share|join|follow|accept)"
    r"|i (?:do not|don't|cannot|can't|will not|won't|would not|wouldn't) "
    r"(?:agree|share|accept|follow|see it|go along|think so|buy)"
    r"|(?:same|just|exactly) as|like (?:the|my|your)|in (?:line|agreement|accord) with|based on"
    r"|following|given|(?:simply|plainly|bluntly|briefly) put|one thing|"
    r"(?:is|are) (?:quite |clearly |absolutely |surely )?(?:right|correct)|unlike|contrary to"
    r"|despite|in spite of|regardless|whatever|no matter|notwithstanding|against|whereas|while"
    r"|(?:al|even )?though"
    r"|even if|pace|setting aside|leaving aside|having (?:read|weighed|considered)"
    r"|after (?:reading|weighing|considering))\b",
    _IGNORE_CASE,
)
_EARLIER = re.compile(
    r"\b(?:initial|original|previous|earlier|first|prior|former|old|past|preliminary|tentative"
    r"|opening|starting|"
    r"baseline|provisional|pre-reflection|immediate)[ -](?:\w+ ){0,2}?"
    r"(?:answers?|choices?|pick|guess|intuition|response|thoughts?|preference|verdict"
    r"|judge?ment|view|position|"
    r"reaction|impression|instinct|inclination|decision|selection|option|conclusion|feeling"
    r"|lean(?:ing)?|assessment|"
    r"moral|take|draft|attempt|call|pass|round|reply|confidence|certainty|stance|analysis"
    r"|reasoning|one|glance|blush|sight)\b"
    r"|\b(?:initially|originally|previously|formerly|intuitively|instinctively|earlier"
    r"|beforehand)\b|\bat first\b"
    r"|\b(?:pass|round|attempt|draft|step|stage|turn|try)[ -]?(?:1|one|i)\b(?! *[.)])|\b(?:1st"
    r"|first)[ -](?:pass|round|attempt|draft|stage|turn|try)\b"
    r"|\b(?:gut|instinct|intuitions?|hunch)\b|\bbefore (?:reflect|reflection|thinking|weighing"
    r"|considering)\w*"
    r"|\b(?:used to|had (?:been|said|chosen|picked|answered|selected))\b"
    r"|^\W*(?:\d{1,2}[.)] )?(?:initial|original|previous|earlier|first|prior|former|old)\W*$",
    _IGNORE_CASE,
)
_KEPT = re.compile(
    r"\b(?:stand(?:s|ing)? (?:by|firm)?|still|maintain|keep(?:ing)?|stick(?:ing)?|retain"
    r"|reaffirm|uphold|confirm(?:ed)?|remains?|"
    r"unchanged|holds?|correct|no change|part ways|change (?:it|my))\b",
    _IGNORE_CASE,
)
_SUPPOSED = re.compile(
    r"(?<!even )(?<!as )(?<!see )(?<!only )\bif\b|\b(?:unless|suppos(?:e|ing)|assuming|imagine"
    r"|provided|in case|had (?:he|she|it|they|i|you|we|the|this|that)"
    r"|were (?:he|she|it|they|i|you|we|the|this|that)|should (?:he|she|it|they|i|you|we|the"
    r"|this|that)|whether|hypothetically|in (?:which|that) case)\b"
    r"|^\W*(?:when|whenever|once|were|had|should|only if)\b",
    _IGNORE_CASE,
)
_FORCED = re.compile(
    r"\b(?:(?:if|when) (?:i(?:'m| am| were| was)? ?(?:have|had|must|forced|pressed|pushed|asked"
    r"|made|required|need|am|were)?\b(?: to)?[^,.;]{0,30}"
    r"\b(?:choose|pick|decide|answer|say|select|one|forced|pressed|pushed|asked)|forced|pressed"
    r"|pushed|asked|anything|only one|one must|it comes to|we (?:must|have to)))\b",
    _IGNORE_CASE,
)
_SUPPOSED_AFTER = re.compile(
    r"^[^.!?\n]{0,80}?(?<!even )(?<!as )\b(?:only )?(?:if|unless|provided|assuming|depending"
    r"|otherwise|in case)\b",
    _IGNORE_CASE,
)
_REPORTED_AFTER = re.compile(
    rf"^[\s,;–—)('-]{{0,5}}(?:or )?(?:(?:so|as|at least|or so) )?"
    rf"(?:(?:according to|per|in the (?:view|eyes|opinion|words) of)\b"
    rf"|(?:say|says|said|writes|wrote|claim|claims|claimed|argue|argues|argued|insist|insists"
    rf"|insisted|thinks?|runs?|goes|states?|stated|reads?|holds?|told|reported|suggests?)\b"
    rf"|(?<=[,;–—(-] )(?!because\b|since\b|for\b|and\b|but\b|when\b|whatever\b|no matter\b"
    rf"|although\b|though\b|while\b|even\b|so\b|i\b)"
    rf"(?:\w+ ){{0,3}}?{OTHERS}(?: \w+){{0,2}} {SPEAKS}"
    rf"|(?<=[,;–—(-] )(?!because\b|since\b|i\b|we\b|as i\b|whatever\b|no matter\b|although\b"
    rf"|though\b|while\b|even\b|so i\b)[\w' .-]{{1,60}}? {SPEAKS}[ .]*$"
    rf"|(?:is|was|were) (?:only |just |also |merely )?(?:what|the (?:\w+ )?(?:answer|choice"
    rf"|view|verdict|pick) (?:of|from|in|given|that)|{OTHERS}|the (?:\w+ ){{0,2}}{OTHERS}|their"
    rf"|his|her|your|my (?:first|initial|original|earlier|previous))"
    rf"|(?:by|for) (?:\w+ ){{0,2}}{OTHERS})",
    _IGNORE_CASE,
)
# words of a point of view, and whose they may be to be the model's
_VIEWPOINT = re.compile(
    r"^(?:(?:and|but|so|yet|even|at least|just|perhaps|seen|viewed|looked at|taken|judged) )?"
    r"(?:in|from|by|on|under|through|to (?=(?:the|an?|his|her|their|your|its|many|most|some"
    r"|any|[\w-]+'s?)\b)) (?!(?:view|light|terms) of\b|that\b)"
    r"(?P<holder>(?:[\w'-]+ ){0,5}?)(?:views?|viewpoint|eyes?|opinions?|minds?|judge?ment|book"
    r"|standpoint|perspective|point of view|angle|stance|estimation|reckoning|reading|lights"
    r"|accounts?|lens|words"
    r"|telling|thinking|beliefs?|conviction|ears|playbook|position|camp|wisdom)\b"
    r"(?P<of> of (?!(?:this|these|the (?:\w+ )?(?:story|fable|tale|text|case|facts|scenario"
    r"|passage|ending))\b))?",
    _IGNORE_CASE,
)
_CONCERNED = re.compile(
    r"^(?:(?:and|but|so|yet) )?(?:(?:as|so|in so|insofar|inasmuch) (?:far )?as (?!(?:i|we|this|that"
    r"|it|my|the (?:act|action|scenario|case|question|story|morals?|ethic\w*|facts))\b)[^,]*"
    r"\b(?:concerned|goes?|tells?|knows?|sees?)\b"
    r"|(?:if|when) you (?:ask|listen|believe|trust|go by|follow)\b(?! me\b)"
    r"|(?:just )?ask(?:ed|ing)? (?!me\b)|(?:at least )?to hear\b"
    r"|among (?!these\b|them\b|those\b|all\b|the (?:\w+ )?(?:options|two|five|choices"
    r"|answers)\b)|(?:judging|going) by\b|per\b|as per\b|where (?!i\b)"
    r"|in (?:another|a different|some|many|most|certain|other)\b|[^,]*\b(?:reported|supposed"
    r"|alleged|purported|ostensib)ly?\b"
    r"|according to (?!me\b|my\b)"
    r"|(?:so|or so) (?!i\b)[^,]{1,40} (?:says?|thinks?|claims?|believes?)$)",
    _IGNORE_CASE,
)
# "not B as the note suggests" reports no more than B
_DENIED_AFTER = re.compile(
    r"^[\s,;–—(-]{0,3}(?:and |but )?(?:not|rather than|instead of)\b", _IGNORE_CASE
)
# what goes on with a verb was in the middle of a sentence: "their line, this is wrong, is popular"
_EMBEDDED_AFTER = re.compile(
    r"^\s*[,–—-]+ ?(?:is|was|were|has|had|does|did|(?:is|was|does|did|has)n't|fails|failed|seems"
    r"|looks|remains|rests|ignores|misses|overlooks|carries|strikes|sounds|cannot|can't|won't|will"
    r"|may|might|must|should)\b"
)
_TURN = re.compile(
    r"\b(?:but|whatever|no matter|regardless|even if|contrary to|though|although|while"
    r"|whereas|because|however|despite|i|we)\b"
)
# speech before its speaker, in any later part of the sentence
_SAID_BY = re.compile(
    rf"(?:or )?(?:(?:so|as|or so) )?(?:according to|per\b|in the (?:view|eyes|opinion|words) of"
    rf"|{SPEAKS} (?!me\b|nothing\b|something\b|that\b|it\b|so\b|to\b)[\w']"
    rf"|(?!i\b|i'd\b|we\b|it\b|this\b|that\b|he\b|she\b)(?:[\w'-]+ ){{1,4}}{SPEAKS}\W*$)",
    _IGNORE_CASE,
)
_DANGLING = re.compile(r"(?:convinced|certain|sure|confident|persuaded|positive)\b", _IGNORE_CASE)
# what has its subject in an earlier part of the sentence
_NO_SUBJECT = re.compile(
    r"(?:that|namely|viz|meaning|is|are|was|remains?|seems?|appears?|thinks?|believes?|says?|feels?"
    r"|holds?|would|suggests?|points?|indicates?|shows?|tells?|follows?)\b",
    _IGNORE_CASE,
)
_OWN_SUBJECT = re.compile(
    r"(?:(?:so|thus|therefore|hence|and|but|yet|overall|still|now) )?(?:i|i'd|i'm|i've|i'll|we|it"
    r"|it's|this|my (?:(?:final|own|honest|overall|considered|present|current) )*(?:view|opinion"
    r"|judge?ment|conclusion|verdict|answer|choice|position|take|sense|feeling)|one thing"
    r"|the (?:fact|truth|point|upshot|bottom line))\b(?!')",
    _IGNORE_CASE,
)
# the opening of a sentence that is somebody else's view
_OPENS_FOR = re.compile(
    r"^(?:according to|per|as per|in the (?:view|eyes|opinion|words|judge?ment|book) of"
    r"|in [^,.]{1,50}?(?:'s|s') (?:view|eyes|opinion|words|judge?ment|book|reading)"
    r"|for (?!\w+ing\b|what\b|example\b|instance\b|me\b|my\b|these\b|this\b|those\b|that\b"
    r"|all\b|now\b|such\b|both\b"
    r"|the (?:\w+ ){0,2}reasons?\b)"
    r"|to (?!me\b|my\b|conclude|sum|summari[sz]e|be\b|answer|decide|find|choose|determine)"
    rf"|as (?!i\b|far as i\b|a result|such|always|well|it\b)[^,.]{{1,60}}? (?:{SPEAKS}|puts?\b"
    rf"|put it\b"
    rf"|has it\b|holds?\b|notes?\b|noted\b|points? out))",
    _IGNORE_CASE,
)
_SPEAKING = re.compile(
    r"\b(?:says?|said|argue[sd]?|thinks?|writes?|wrote|insist(?:s|ed)|state[sd]|maintain(?:s"
    r"|ed)|tells?|told|claimed|believe[sd]?"
    r"|suggest(?:s|ed)|recommend(?:s|ed)|conclude[sd]?|puts? it|has it|answered|replie[sd]|adds"
    r"|added|runs|reads|holds|goes|noted|warns?)"
    r"(?: it| that| thus| so| this)?[ ,:]*$",
    _IGNORE_CASE,
)
_I_SPEAK = re.compile(
    rf"\b(?:i|we)(?:'d|'m)?(?: \w+){{0,3}} {REPORTS}(?: it| that| thus| so| this)?[ ,:]*$",
    _IGNORE_CASE,
)
_MY_ANSWER = re.compile(
    r"\W*(?:(?:so|thus|therefore)\b[, ]*)?(?:(?:here|this)(?:'s| is) )?my (?:final |own |current )?"
    r"(?:answer|choice|verdict|decision|conclusion)\b",
    _IGNORE_CASE,
)
_MARKS = re.compile(r"^[\W_]{0,12}(?:(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)] +)?[\W_]{0,6}", _IGNORE_CASE)
_BREAK = re.compile(r"[,;:(|–—]| - ")
_TURNS = re.compile(
    r"^(?:(?:but|however|yet|still|nevertheless|nonetheless|instead|though|i|my)\b)",
    _IGNORE_CASE,
)
_OPENS_CONCESSION = re.compile(
    r"^(?:although|though|even though|while|whereas|despite|in spite of|contrary to|unlike"
    r"|whatever|regardless|no matter|notwithstanding|even if|against)\b",
    _IGNORE_CASE,
)
# "the view that the answer is B" does not show whose view it is
_CLAUSE_OF_A_NOUN = re.compile(
    r"\b(?:the|a|an|any|this) (?:\w+ )?(?:view|opinion|conclusion|verdict|judge?ment|decision"
    r"|answer|assessment|"
    r"case|reason|thinking|fact|facts|point|story|response) that$"
)
_AGREES = re.compile(
    r"^(?:(?:so|and|but|yes|here|overall) )?(?:i|we)(?:'d| would| must| do| have to)?(?: \w+ly"
    r"| also| still| therefore)? "
    r"(?:agree|concur|side)\b(?!.*\bnot\b)|\b(?:the )?same as\b",
    _IGNORE_CASE,
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# the words before a statement that leave it the model's own
_OWN = _words(
    """endgültige finale letzte definitiva
    so thus therefore hence then and but yet however still now here overall ultimately finally
    clearly accordingly consequently again instead also indeed in conclusion summary short sum time
    end my this case view opinion judgment judgement on balance reflection i i'd i'll i'm i've
    think believe feel say would argue conclude concluded maintain that it it's follows means
    mean is clear makes why which to me we can must have for these reasons reason given all above as
    such with upon of them two both options after consideration considering everything weighing
    honestly frankly personally am confident sure certain convinced inclined lean toward towards
    final actually yes well okay ok right at last assessment thinking hold the a an day things
    considered be decide decision remains taken together carefully more further closer look by
    process elimination step response only fairly quite very rather strongly firmly answer
    verdict nevertheless nonetheless likewise similarly because since says let us go select give
    state suggest submit offer propose find judge consider see fable story moral ending scenario
    dilemma facts evidence text itself whole suggests points shows indicates tells leads leading
    there story's under circumstances situation choose pick ethically morally simply put plainly
    briefly best lesson theme message central idea main core stand keep stick retain reaffirm
    uphold confirm change changed changing seem seems appears strikes
    最终 最终的 我的 我 正确 正确的 所以 因此
    认为 revise revising update updating part ways settle"""
)
_LABELS = _words(
    """my the your our a final overall rating tl dr tldr label classification assessment result
    outcome evaluation determination judgment judgement verdict answer conclusion conclude
    decision ruling ethical ethically moral morally status category pass round 2 two second step
    summary sum short in on balance reflection after upon so thus therefore hence ultimately
    bottom line takeaway view opinion take stance position call response reply correct right
    best new revised updated current considered is are would be it this that as for of act
    action scenario case weighing weighted reasoning analysis application applying and all
    things now actually no wait correction to question choice 1 3 4 5 6 7 8 9 change effect
    impact note i say think believe wrong or not"""
)


# these leave a frame the model's own: they deny or weaken the framed clause
_WEIGHED = _words(
    """not don't do does did doesn't didn't can't cannot couldn't wouldn't won't isn't aren't
    never no nothing nobody neither nor anything call consider deem judged considered regard
    obvious evident plain true fair important safe enough also just only really still truth
    point upshot bottom line problem thing things way bit pretty absolutely perfectly completely
    doubt hard difficult easy fact see argue unlikely likely possible probably perhaps maybe
    arguably
    always often sometimes even though personally therefore strongly genuinely hesitate
    whether how why what one agree admit accept grant concede would've i've we we're"""
)
_WEIGHING = re.compile(r"(?:(?:so|after|by|on) )?\w{2,}ing\b", _IGNORE_CASE)
_SPEAKERS = _words("yes no honestly frankly principles principle conclusion hmm well okay")
# the holder of a view is the model if only these words name it
_HOLDERS = _words(
    """my our own a an the any every this that both all either humble honest considered personal
    moral ethical morally ethically purely strictly simple plain general overall closer close
    careful second third fair whatever my closest every fresh"""
)


def is_own(before: str, after: str = "") -> bool:
    """Return whether a statement within a sentence is the model's own and current.

    Args:
        before: The sentence up to the statement, as plain text.
        after: The text from the statement's end on.
    """
    before = _MARKS.sub("", before)
    before = before.rsplit(";", 1)[-1].lstrip()
    breaks = list(_BREAK.finditer(before))
    rest, mark, last = before, "", before
    if breaks:
        end = breaks[-1]
        rest, mark, last = before[: end.start()], end[0], before[end.end() :]
    else:
        rest = ""
    last = last.strip().lower()
    if not _AGREES.search(last) and not is_own_frame(last, rest):
        return False
    if is_reported_after(after) or (is_supposed_after(after) and not is_forced(after[:80])):
        return False
    if not rest:
        return True
    if (is_supposed(rest) and not is_forced(rest)) or is_earlier(rest):
        return False
    spoken = re.match(r"(?:i|i'd|i'm|i'll|my)\b", last) and re.match(r"(?:for|to) ", rest, re.I)
    if (_OPENS_FOR.match(rest) and not spoken) or (
        _SPEAKING.search(rest) and not _I_SPEAK.search(rest)
    ):
        return False
    if any(is_anothers_view(part.strip()) for part in _BREAK.split(rest)):
        return False
    if mark.strip() in {":", "–", "—", "-", "("} and not is_own_intro(rest, mark):
        return False
    if mark.strip() in {":", "–", "—", "-"} and _LABEL_OF_OTHERS.search(rest):
        return bool(_MY_OWN.search(rest))
    if is_others(rest):
        return bool(_TURNS.match(last))
    return True


def is_own_frame(frame: str, opening: str = "", weighed: bool = False) -> bool:
    """Return whether the frame of a statement leaves it the model's own: "I think that".

    A subject, reporter or holder of an opinion other than the model, "this" or the act makes the
    statement theirs, so only known words are accepted.

    Args:
        frame: The words between the last break of the sentence and the statement, in lower case.
        opening: The sentence before that.
        weighed: Whether the frame may deny or weaken the statement.
    """
    known = _OWN | _WEIGHED if weighed else _OWN
    certain = re.sub(r"\bno doubt\b", "", frame)
    words = [word.strip("'") for word in re.findall(r"[\w']+", certain)]
    if not all(word in known or (weighed and word.endswith("ly")) for word in words):
        return False
    if _CLAUSE_OF_A_NOUN.search(frame) or frame.endswith("the given"):
        return False
    return not _DANGLING.match(frame) and not (
        opening and _NO_SUBJECT.match(frame) and lacks_own_subject(opening)
    )


def lacks_own_subject(clause: str) -> bool:
    """Return whether a clause does not begin with the model, "this" or the model's view."""
    return not _OWN_SUBJECT.match(clause.strip())


def opens_for_another(clause: str) -> bool:
    """Return whether a sentence that begins with this clause is somebody else's: "for the crew"."""
    return bool(_OPENS_FOR.match(clause)) or is_anothers_view(clause)


def is_anothers_view(clause: str) -> bool:
    """Return whether a clause attributes the rest: "as far as the reviewers are concerned"."""
    if _CONCERNED.match(clause):
        return True
    view = _VIEWPOINT.match(clause)
    if view is None:
        return False
    holder = re.findall(r"[\w']+", view["holder"].lower())
    return bool(view["of"]) or not all(word in _HOLDERS for word in holder)


def is_own_intro(label: str, mark: str = ":") -> bool:
    """Return whether words before a colon or a dash may introduce a statement of the model's own.

    A name or a title may be the speaker, and before a colon so may any other subject.
    """
    last = _BREAK.split(label)[-1].strip()
    words = re.findall(r"[\w']+", last.lower())
    # "so the lesson is …" has a subject of its own
    if all(word in _OWN or word in _LABELS or word in _WEIGHED for word in words[:4]):
        return True
    if not (_SPEAKERS.isdisjoint(words) and lacks_own_subject(last)) or _MY_OWN.search(label):
        return True
    if mark == ":":
        return bool(_WEIGHING.match(label))
    return mark != "(" and len(words) > 3


def is_own_label(text: str) -> bool:
    """Return whether words before a colon name the model's own verdict ("Ethical assessment")."""
    words = re.findall(r"[\w']+", text.lower())
    return len(words) <= 12 and all(word in _LABELS for word in words)


def is_anothers_label(text: str) -> bool:
    """Return whether words before a colon name somebody else's or an earlier verdict."""
    if is_forced(text) or _I_SPEAK.search(text) or _MY_ANSWER.match(text):
        return False
    theirs = _LABEL_OF_OTHERS.search(text) and not _MY_OWN.search(text)
    return bool(theirs) or is_earlier(text)


def is_anothers_line(text: str) -> bool:
    """Return whether an introductory line is about another's or an earlier answer."""
    return bool(text) and (is_anothers_label(text) or is_others(text))


def is_others(text: str) -> bool:
    """Return whether a clause is somebody else's view, which the model does not adopt."""
    if not _OTHERS_SAY.search(text):
        return False
    return not (_MY_OWN.search(text) or _OPENS_CONCESSION.match(text.strip()))


def is_earlier(text: str) -> bool:
    """Return whether words are about a first thought or an earlier answer that is not kept."""
    return bool(_EARLIER.search(text)) and not _KEPT.search(text)


def is_kept(text: str) -> bool:
    """Return whether words confirm an earlier answer."""
    return bool(_KEPT.search(text))


def is_supposed(text: str) -> bool:
    """Return whether words before a statement make it hypothetical."""
    return bool(_SUPPOSED.search(text))


def is_supposed_after(text: str) -> bool:
    """Return whether a condition follows a statement in its sentence."""
    return bool(_SUPPOSED_AFTER.match(text))


def is_forced(text: str) -> bool:
    """Return whether a condition has no effect: "if I have to choose"."""
    return bool(_FORCED.search(text))


def is_reported_after(text: str) -> bool:
    """Return whether the words after a statement attribute it: ", says the report"."""
    if _DENIED_AFTER.match(text):
        return False
    if _REPORTED_AFTER.match(text):
        return True
    if _EMBEDDED_AFTER.match(text):
        return True
    first, *parts = (part.strip() for part in _BREAK.split(_TURN.split(text, maxsplit=1)[0]))
    return any(map(is_anothers_view, (first, *parts))) or any(map(_SAID_BY.match, parts))
