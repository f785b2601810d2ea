"""The visible text of a reply: without reasoning, entities, invisible characters and markup.

All functions take linear time, whatever the text.
"""

import html
import re
import unicodedata
from dataclasses import dataclass
from html.entities import html5

__all__ = [
    "TOKEN_LIMIT",
    "Tag",
    "find_tags",
    "offered_together",
    "plain",
    "readable",
    "visible_text",
]

TOKEN_LIMIT = frozenset({"max_tokens", "model_length"})
"""The stop reasons of replies that were cut off."""

_NAMES = "think|thinking|thoughts?|reasoning|scratchpad|antthinking|seed:think"
_REASONING = re.compile(
    rf"(?P<opens><(?:{_NAMES}) ?>|\[think\]|◁think▷|<\|(?:start_thinking|begin_of_thought)\|>"
    r"|<\|channel\|?> ?(?:analysis|commentary|thought)\b)"
    rf"|</(?:{_NAMES}) ?>|\[/think\]|◁/think▷|<\|(?:end_thinking|end_of_thought)\|>"
    # channel formats: the final channel ends the others, even if a server dropped the tokens
    r"|<\|channel\|> ?final\b(?:[^<\n]{0,40}<\|message\|>)?|<channel\|>|assistantfinal",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(#[0-9]{1,7};|#[xX][0-9a-fA-F]{1,6};|[A-Za-z][A-Za-z0-9]{1,31};)")
# circled letters, full-width forms, mathematical letters; all of NFKC would turn 8² into 82
_LOOKALIKE = re.compile("[\u24b6-\u24e9\uff01-\uff5e\U0001d400-\U0001d7ff]")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069"
    "\ud800-\udfff\ufe00-\ufe0f\ufeff]"
)
_END_OF_TURN = re.compile(
    r"<\|(?:im_end|eot_id|eom_id|end|return|endoftext|end_of_text|end_of_turn)\|>"
    r"|</s>|<end_of_turn>|<eos>|\[/INST\]"
)
_OTHER_TOKEN = re.compile(r"<\|\w{1,40}\|>(?:assistant\b)?|<start_of_turn>(?:model\b)?|<s>|<bos>")
_STYLE_ELEMENT = re.compile(
    r"</?(?:b|i|u|em|strong|code|span|mark|su[bp])(?: [^<>]{0,200})?>", re.IGNORECASE
)
_BLOCK_ELEMENT = re.compile(
    r"</?(?:br|p|div|li|ul|ol|pre|h\d)(?: [^<>]{0,200}| ?/)?>", re.IGNORECASE
)
_STRUCK_OUT = re.compile(r"~~[^~\n]{1,500}~~|<(del|s|strike)>[^<\n]{1,500}</\1>", re.IGNORECASE)
# the answer at the end of a reply that never closed its reasoning, and a closing line
_LAST_WORDS = re.compile(
    r"< ?answer ?>[^<>]{1,200}< ?/ ?answer ?>\s*"
    r"(?:< ?confidence ?>[^<>]{1,60}< ?/ ?confidence ?>\s*)?(?:[ .*]{0,3}\n\W{0,3}(?!(?:but"
    r"|wait|hm+|no|actually|however|or|let|maybe|what)\b)[^<>\[\n?]{1,120}\s*)?[ .*]{0,3}(?:<["
    r"|/][^<>]{1,20}>\s*)?\Z",
    re.IGNORECASE,
)
_MAX_END = 600
_ESCAPED = re.compile(r"\\(?=[<>/*_`#~\"])")
# {"answer":"B","confidence":85}: each field is a line
_FIELD = re.compile(r"[{,]\s?\"([A-Za-z][\w -]{0,30})\"\s?:\s?")
# all white space except single blanks, which are most of it and stay unchanged
_SPACE = re.compile(r"\s*[^\S ]\s*|  +")

_BOXED = re.compile(r"\\(?:boxed|fbox)\b ?\{?")
_LATEX = re.compile(r"\\(?:text|math)[a-z]{0,10}\b|[\\{}$]")
# "**Answer: B** The report …": bold text becomes a separate line
_BOLD_END = re.compile(r"(?<=[\w.!?)])\*\*\s(?=[A-Z])")
_LINE_MARK = re.compile(r"^(?:[-+•·>#]+ )+", re.MULTILINE)
_OUTER_APOSTROPHE = re.compile(r"(?<!\w)'|'(?!\w)")
_MARKS = str.maketrans("’‘ʼ_", "''' ", '*`"“”„«»')

_TAG_MARK = re.compile(
    r"< ?(?:final[_ -]?)?(?P<opens>answer|confidence)(?:[_ -](?:score|level))?(?: [^<>]{0,80})?>"
    r"|< ?[/\\] ?\w{0,20} ?>?|<\Z",
    re.IGNORECASE,
)
_CONFIDENCE_ASKED = re.compile(
    r"\b(?:confidence|certainty)(?: (?:level|score|rating))?(?: ?\([^()\n]{1,40}\))?"
    r"[\s*_:=]{0,5}(?:is|of)?[\s*_:=]{0,3}\Z",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[\s*_~]{0,5}[\d.]{1,6} ?(?:%|/ ?\d{1,3})?[\s*_]{0,5}<")
_SEPARATORS = " \n\t,;:/|&+*_`\"“”'-()[]\\"
_CONJUNCTIONS = frozenset({"or", "and", "and/or", "vs", "oder", "und", "ou", "et", "o", "y", "或"})


@dataclass(frozen=True)
class Tag:
    """One answer or confidence tag.

    Attributes:
        content: Its content.
        start: Its start in the text.
        end: Its end; the length of the text if it is not closed.
        closed: Whether a closing tag follows, even if misspelt.
    """

    content: str
    start: int
    end: int
    closed: bool


def visible_text(completion: str, cut_off: bool = False) -> str:
    """Return a completion without the reasoning that some servers leave in it.

    Without marks of reasoning the completion is unchanged. Otherwise these are removed, with the
    white space around them: blocks of ``<think>`` and the like, also nested; the text before a
    closing mark without an opening one (which a template had); the text after an opening mark
    without a closing one; and all channels of channel formats except the final one. If a complete
    reply ends in its reasoning with a closed answer tag, that tag is visible.

    Args:
        completion: A reply.
        cut_off: Whether the reply was cut off, so that its end may not be its conclusion.
    """
    kept: list[str] = []
    position = block_start = surplus = 0
    inside = False
    for mark in _REASONING.finditer(completion):
        if not inside:
            kept.append(completion[position : mark.start()])
        if mark["opens"]:
            surplus = surplus + 1 if inside else 0
            block_start = block_start if inside else len(kept)
        elif not inside:
            # the outer end of a nested block, or of one that a template opened
            del kept[block_start if surplus else 0 :]
            surplus = max(surplus - 1, 0)
        inside = bool(mark["opens"])
        position = mark.end()
    if position == 0:
        return completion
    if not inside:
        kept.append(completion[position:])
    elif not cut_off and (end := _last_words(completion[position:])):
        kept.append(end)
    return "\n".join(piece.strip() for piece in kept if piece.strip())


def readable(completion: str, cut_off: bool = False) -> str:
    """Return the visible text in the form that answers are parsed from.

    Entities are decoded once; full-width and styled letters become plain; invisible characters,
    chat template tokens, struck-out text, HTML styling and text after the end of the turn are
    removed; each run of white space becomes one line end or one blank; each field of a JSON object
    begins a line.

    Args:
        completion: A reply.
        cut_off: Whether the reply was cut off.
    """
    text = _ENTITY.sub(_decoded, completion)
    text = _LOOKALIKE.sub(lambda letter: unicodedata.normalize("NFKC", letter[0]), text)
    text = visible_text(_INVISIBLE.sub("", text), cut_off)
    text = next((turn for turn in _END_OF_TURN.split(text) if turn.strip()), "")
    text = _OTHER_TOKEN.sub("\n", _ESCAPED.sub("", text))
    text = _FIELD.sub(r"\n\1: ", text)
    text = _STYLE_ELEMENT.sub("", _STRUCK_OUT.sub("", _BLOCK_ELEMENT.sub("\n", text)))
    return _SPACE.sub(_one_space, text).strip()


def plain(text: str) -> str:
    r"""Return readable text without markdown, LaTeX and quotation marks.

    A box becomes a declaration: ``\boxed{B}`` is ``answer: B``.

    Args:
        text: The result of `readable`, or a part of it.
    """
    text = _LATEX.sub(" ", _BOXED.sub(" answer: ", text))
    text = _LINE_MARK.sub("", _BOLD_END.sub("\n", text).translate(_MARKS))
    return _SPACE.sub(_one_space, _OUTER_APOSTROPHE.sub("", text)).strip()


def find_tags(text: str, name: str) -> list[Tag]:
    """Return all tags of a name, in order; an unclosed one may be a mention ("the <answer> tag").

    Args:
        text: The result of `readable`.
        name: ``answer`` or ``confidence``.
    """
    marks = list(_TAG_MARK.finditer(text))
    found = []
    for i, mark in enumerate(marks):
        if _name_of(text, mark, marks[i + 1 : i + 2]) != name:
            continue
        if i + 1 == len(marks):
            found.append(Tag(text[mark.end() :], mark.start(), len(text), closed=False))
            continue
        after = marks[i + 1]
        content = text[mark.end() : after.start()]
        if not after["opens"]:
            found.append(Tag(content, mark.start(), after.end(), closed=True))
        elif after["opens"].lower() != mark["opens"].lower():
            found.append(Tag(content, mark.start(), after.start(), closed=False))
        elif i + 2 == len(marks) and after.end() == len(text):
            # a closing tag that is written as an opening one
            return [*found, Tag(content, mark.start(), after.end(), closed=True)]
    return found


def _name_of(text: str, mark: re.Match[str], following: list[re.Match[str]]) -> str:
    """Return a tag's name: an answer tag with a number after "Confidence:" is a confidence."""
    name = (mark["opens"] or "").lower()
    if name == "answer" and following:
        before = text[max(0, mark.start() - 80) : mark.start()].rsplit("\n", 1)[-1]
        if _CONFIDENCE_ASKED.search(before) and _NUMBER.match(text, mark.end()):
            return "confidence"
    return name


def offered_together(between: str) -> bool:
    """Return whether text joins two statements as alternatives: ``A or B``, ``A, B``."""
    word = between.strip(_SEPARATORS).lower()
    return word in _CONJUNCTIONS or (not word and "\n" not in between)


def _last_words(text: str) -> str:
    """Return the answer at the end of reasoning, if nothing follows it."""
    end = text[-_MAX_END:]
    found = list(re.finditer(r"< ?answer ?>", end, re.IGNORECASE))
    last = _LAST_WORDS.match(end, found[-1].start()) if found else None
    return last[0].strip() if last else ""


def _decoded(entity: re.Match[str]) -> str:
    # html.unescape alone would turn "&nothing;" into "¬hing;"
    known = entity[1].startswith("#") or entity[1] in html5
    return html.unescape(entity[0]) if known else entity[0]


def _one_space(run: re.Match[str]) -> str:
    return "\n" if len(f"{run[0]}.".splitlines()) > 1 else " "
