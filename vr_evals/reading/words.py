"""Reading a label that is a word of the benchmark's own, such as "polite"."""

import re

from vr_evals.reading.question import NO_LABELS, Labels, Question, fold

__all__ = ["leading_word", "lone_word"]

_ENDS = r"(?=\s*$|[.,;:!?)\]]+(?:\s|$)|\s?[–—]| (?:because|since|as)\b)"


def lone_word(text: str, question: Question) -> Labels:
    """The label that a text is, in whatever case and whatever joins its words.

    Args:
        text: Plain text, of which punctuation counts only where labels differ by it.
        question: The answers that were offered.
    """
    said = text.strip().casefold()
    for label in question.labels:
        if said == label.casefold():
            return frozenset({label})
    found = [label for label in question.labels if re.fullmatch(_spelled(label), fold(text))]
    if len(found) == 1:
        return frozenset(found)
    # the option's text is the label, without punctuation at its ends
    named = question.options.get(fold(text))
    return frozenset({named}) if named else NO_LABELS


def leading_word(text: str, question: Question) -> Labels:
    """The label that a text begins with ("polite, because …"), and others that it goes on to name.

    Args:
        text: Plain text: what stands in a tag or after a declaration.
        question: The answers that were offered.
    """
    said = re.split(r"\n|[.!?](?=\s)", text.strip(" \t\n*\"'“”‘’("), maxsplit=1)[0].casefold()
    longest_first = sorted(question.labels, key=len, reverse=True)
    begun = next((x for x in longest_first if re.match(_spelled(x) + _ENDS, said)), None)
    if begun is None:
        return NO_LABELS
    rest = said[len(begun) :]
    others = [
        x
        for x in longest_first
        if re.search(rf"(?<!\w){_spelled(x)}(?!\w)", rest)
        or (len(x) > len(begun) and re.match(rf"{_spelled(x)}(?!\w)", said))
    ]
    return frozenset({begun, *others})


def _spelled(label: str) -> str:
    """A pattern of a label, whose words may be joined by a hyphen or nothing."""
    return r"[\s_-]{0,3}".join(map(re.escape, label.casefold().split()))
