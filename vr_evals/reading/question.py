"""The labels and options of a question, in the form that replies are compared with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vr_evals.reading.verdicts import VERDICTS
from vr_evals.visible import plain, readable

__all__ = ["NO_LABELS", "Labels", "Question", "fold"]

Labels = frozenset[str]
NO_LABELS: Labels = frozenset()


@dataclass(frozen=True)
class Question:
    """The answers of a question.

    Attributes:
        labels: The answer labels.
        letters: The labels that are letters; all of them or none.
        options: The label of each option's text, folded, except texts shared by two options.
        verdicts: The labels of "wrong" and "not wrong", if these are the labels or the options.
    """

    labels: tuple[str, ...]
    letters: Labels
    options: Mapping[str, str]
    verdicts: Mapping[str, str]

    @classmethod
    def of(cls, labels: Sequence[str], options: Sequence[str]) -> "Question":
        """Make a question.

        Args:
            labels: The answer labels.
            options: The options' texts as shown, in the order of the labels; may be empty.

        Raises:
            ValueError: The numbers of options and labels differ.
        """
        if options and len(options) != len(labels):
            raise ValueError(f"{len(options)} options for {len(labels)} labels: {labels!r}")
        texts = [fold(plain(readable(option))) for option in options]
        named = {
            text: label
            for text, label in zip(texts, labels, strict=False)
            if text and texts.count(text) == 1
        }
        words = named or {label: label for label in labels}
        return cls(
            labels=tuple(labels),
            letters=frozenset(labels if all(map(_is_letter, labels)) else ()),
            options=named,
            verdicts=words if set(words) == set(VERDICTS) else {},
        )

    @property
    def words(self) -> bool:
        """Whether the labels are words of the benchmark's own: neither letters nor verdicts."""
        return not self.letters and not self.verdicts

    def labels_of(self, verdicts: frozenset[str]) -> Labels:
        """Return the labels of a verdict in words."""
        return frozenset(self.verdicts[word] for word in verdicts if word in self.verdicts)


def _is_letter(label: str) -> bool:
    return len(label) == 1 and "A" <= label <= "Z"


def fold(text: str) -> str:
    """Return plain text in lower case, without repeated white space and outer punctuation."""
    return " ".join(text.casefold().split()).strip(" .,;:!?()[]")
