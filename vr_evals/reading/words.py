"""Parse labels that are the benchmark's own words, e.g. "polite"."""

import re

from vr_evals.reading.question import NO_LABELS, Labels, Question, fold

__all__ = ["leading_word", "lone_word"]

_ENDS = r"(?=\s*$|[.,;:!?)\]]+(?:\s|$)|\s?[–—]| (?:because|since|as)\b)"


def lone_word(text: str, question: Question) -> Labels:
    """Return the label that equals a text, ignoring case and what joins its words.

    Args:
        text: Plain text; punctuation counts only if labels differ by it.
        question: The answers of the question.
    """
    folded = text.strip().casefold()
    for label in question.labels:
        if folded == label.casefold():
            return frozenset({label})
    found = [label for label in question.labels if re.fullmatch(_spelled(label), fold(text))]
    if len(found) == 1:
        return frozenset(found)
    # the option's text is the label, without outer punctuation
    named = question.options.get(fold(text))
    return frozenset({named}) if named else NO_LABELS


def leading_word(text: str, question: Question) -> Labels:
    """Return the label that a text begins with ("polite, because …"), and others in it.

    Args:
        text: Plain text: the content of a tag, or the text after a declaration.
        question: The answers of the question.
    """
    sentence = re.split(r"\n|[.!?](?=\s)", text.strip(" \t\n*\"'“”‘’("), maxsplit=1)[0].casefold()
    longest_first = sorted(question.labels, key=len, reverse=True)
    first = next((x for x in longest_first if re.match(_spelled(x) + _ENDS, sentence)), None)
    if first is None:
        return NO_LABELS
    rest = sentence[len(first) :]
    others = [
        x
        for x in longest_first
        if re.search(rf"(?<!\w){_spelled(x)}(?!\w)", rest)
        or (len(x) > len(first) and re.match(rf"{_spelled(x)}(?!\w)", sentence))
    ]
    return frozenset({first, *others})


def _spelled(label: str) -> str:
    """Return a pattern of a label, whose words may be joined by a hyphen or nothing."""
    return r"[\s_-]{0,3}".join(map(re.escape, label.casefold().split()))
