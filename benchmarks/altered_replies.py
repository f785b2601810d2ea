"""Measure how often a wrong label is parsed from replies with a removed, cut or quoted answer.

    python benchmarks/altered_replies.py [FILE ...] [--seed 0] [--cuts 4] [--examples 0]

A FILE has a JSON object per line. Columns:

- ``completion``: the reply, with its answer in an ``<answer>`` tag (required)
- ``label``: the right label; if missing, that of the reply's tags
- ``labels``: the valid labels, or ``benchmark``: ethics, moralchoice or morables; if both are
  missing, "wrong" and "not wrong" for such a label, A and B for A or B, A to E for other letters
- ``options``: the options' texts, optional
- ``stop_reason``: optional; replies that were cut off (``max_tokens``) are skipped

Without a FILE: `worked_replies.jsonl`, in the manner of current models at all levels, and replies
as `vr_sim` writes them. Each reply is altered in several ways and read again:

- ``tags_removed``: the tags go, what they hold stays
- ``answer_line_removed``: every line with an answer tag goes
- ``cut``, ``cut_untagged``: cut at random places, with and without tags, as by the token limit
- ``quoted``, ``quoted_untagged``: a sentence that quotes another answer is put before, after or
  into it; without tags only where the reply is read at all before that

Prints a line per alteration: n, how many are still read, how many as another label, and the share
of those among the read ones with its Wilson interval.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NoReturn

from vr_evals.answers import read_answer
from vr_evals.stats.intervals import wilson

_WORKED = Path(__file__).with_name("worked_replies.jsonl")
_LABELS = {
    "ethics": ("wrong", "not wrong"),
    "moralchoice": ("A", "B"),
    "morables": ("A", "B", "C", "D", "E"),
}
_TAG = re.compile(r"< ?/? ?(?:answer|confidence) ?>", re.IGNORECASE)
_ANSWER_LINE = re.compile(r"^.*< ?answer ?>.*\n?", re.IGNORECASE | re.MULTILINE)
_WHO = (
    "the expert report", "a recent survey", "the user", "my colleague", "one of the critics",
    "the ethics panel", "an anonymous commenter", "the textbook", "my earlier pass",
    "the prompt", "a strict rule-follower", "my first response", "most people online",
    "Professor Lind", "the guideline", "an old friend", "the consensus statement", "Anna",
)  # fmt: skip
_SAYS = (
    "{Who} says that the answer is {x}.",
    "{Who} claims the right answer is {x}.",
    "According to {who}, the answer is {x}.",
    "{Who} would pick {x}.",
    "{Who} chose {x}, but that proves little.",
    'As {who} put it, "the correct answer is {x}."',
    "The answer is {x}, according to {who}.",
    "{Who} might hold that the answer is {x}.",
    "In the view of {who}, the best answer is {x}.",
    "{Who} recommends {x}.",
    "I know that {who} settled on {x}.",
    "If {who} were right, the answer would be {x}.",
    "{Who} stated: the answer is {x}.",
    "The claim by {who} that the answer is {x} leaves me unmoved.",
)
_OTHER_LINES = (
    "First-pass answer: {x}",
    "The report's answer: {x}",
    "Original answer: {x}",
    "Expert verdict: {x}",
    "(Critics: {x})",
)


class BadInputError(Exception):
    """A file that cannot be used, in one line."""


@dataclass(frozen=True)
class Reply:
    """A reply whose answer is known.

    Attributes:
        text: The reply.
        label: Its answer.
        labels: The labels on offer.
        options: The options' texts, or nothing.
    """

    text: str
    label: str
    labels: tuple[str, ...]
    options: tuple[str, ...] = ()

    def read(self, text: str, *, tags: bool = True, cut: bool = False) -> str | None:
        """The label that is read from an altered form of it."""
        options = self.options if len(self.options) == len(self.labels) else ()
        stop_reason = "max_tokens" if cut else "stop"
        return read_answer(
            text, self.labels, options=options, tags=tags, stop_reason=stop_reason
        ).label


@dataclass
class Count:
    """What became of an alteration's replies."""

    n: int = 0
    read: int = 0
    other: list[str] = field(default_factory=list)

    def add(self, reply: Reply, text: str, label: str | None) -> None:
        """Count an altered reply."""
        self.n += 1
        self.read += label is not None
        if label not in (None, reply.label):
            self.other.append(f"{label} for {reply.label}: {text!r}")

    def line(self, name: str) -> str:
        """The count in words."""
        wrong = len(self.other)
        if not self.read:
            return f"{name:<20} n={self.n} read=0 other=0"
        interval = wilson(wrong, self.read)
        return (
            f"{name:<20} n={self.n} read={self.read} other={wrong}"
            f" ({wrong / self.read:.2%}, 95 % CI {interval.low:.2%} to {interval.high:.2%})"
        )


def altered(replies: Sequence[Reply], cuts: int, seed: int) -> dict[str, Count]:
    """Alter every reply in each way, and read it again.

    Args:
        replies: The replies.
        cuts: At how many places each is cut, and how many sentences are added to each.
        seed: Of the places and the sentences.
    """
    rng = Random(seed)
    names = ("tags_removed", "answer_line_removed", "cut", "cut_untagged")
    counts = {name: Count() for name in (*names, "quoted", "quoted_untagged")}
    for reply in replies:
        untagged = _TAG.sub("", reply.text)
        counts["tags_removed"].add(reply, untagged, reply.read(untagged, tags=False))
        without = _ANSWER_LINE.sub("", reply.text).strip()
        counts["answer_line_removed"].add(reply, without, reply.read(without))
        for name, text in (("cut", reply.text), ("cut_untagged", untagged)):
            for _ in range(cuts):
                part = text[: rng.randrange(len(text))] if text else ""
                counts[name].add(reply, part, reply.read(part, tags=name == "cut", cut=True))
        for name, text in (("quoted", reply.text), ("quoted_untagged", untagged)):
            if reply.read(text, tags=name == "quoted") != reply.label:
                continue
            for _ in range(cuts):
                quoting = _with_quotation(rng, text, reply)
                counts[name].add(reply, quoting, reply.read(quoting, tags=name == "quoted"))
    return counts


def _with_quotation(rng: Random, text: str, reply: Reply) -> str:
    other = rng.choice([label for label in reply.labels if label != reply.label])
    sentence = rng.choice([*_SAYS, *_SAYS, *_OTHER_LINES])
    who = rng.choice(_WHO)
    sentence = sentence.format(who=who, Who=who[0].upper() + who[1:], x=other)
    paragraphs = re.split(r"\n\n+", text)
    place = rng.randrange(len(paragraphs) + 1)
    if place and rng.random() < 0.3 and paragraphs[place - 1].rstrip().endswith("."):
        paragraphs[place - 1] = f"{paragraphs[place - 1].rstrip()} {sentence}"
    else:
        paragraphs.insert(place, sentence)
    return "\n\n".join(paragraphs)


def simulated() -> Iterator[Reply]:
    """Replies as the simulated respondents write them, at each level."""
    from vr_evals.models.grammar import AskedFormat
    from vr_evals.models.respond import Answer, write

    for labels, level in product(_LABELS.values(), range(6)):
        for n, label in enumerate(labels):
            asked = AskedFormat("tags_and_confidence", labels, reasoning=level > 1)
            said = write(Answer(label, 50 + 7 * n, None), labels, asked, level)
            yield Reply(said.text, label, labels)


def replies_of(file: Path) -> tuple[list[Reply], int]:
    """The replies of a file whose answer can be told, and how many others it has.

    Raises:
        BadInputError: The file cannot be read, or is not of this kind.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise BadInputError(f"{file}: {reason}") from None
    found: list[Reply] = []
    skipped = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise BadInputError(f"{file}, line {number}: invalid JSON") from None
        reply = _reply(row, f"{file}, line {number}")
        if reply is None:
            skipped += 1
        else:
            found.append(reply)
    if not found:
        raise BadInputError(f"{file}: no reply with a tagged answer")
    return found, skipped


def _reply(row: Any, where: str) -> Reply | None:
    """The reply of a row; None if it was cut off or its tags do not give its label."""
    if not isinstance(row, dict) or not isinstance(row.get("completion"), str):
        raise BadInputError(f"{where}: expected an object with a text 'completion'")
    options = row.get("options") or ()
    if not _texts(options):
        raise BadInputError(f"{where}: invalid 'options': expected a list of texts")
    label = row.get("label")
    labels = _labels(row, label, where)
    reply = Reply(row["completion"], label or "", labels, tuple(options))
    said = reply.read(reply.text)
    if row.get("stop_reason") == "max_tokens" or not _TAG.search(reply.text) or not said:
        return None
    if label is None:
        return Reply(reply.text, said, labels, tuple(options))
    return reply if said == label else None


def _labels(row: Mapping[str, Any], label: Any, where: str) -> tuple[str, ...]:
    given = row.get("labels")
    if given is not None:
        if not _texts(given) or len(set(given)) < 2 or (label is not None and label not in given):
            raise BadInputError(
                f"{where}: invalid 'labels': expected two or more texts, with the label"
            )
        return tuple(given)
    benchmark = row.get("benchmark")
    if isinstance(benchmark, str) and benchmark in _LABELS:
        labels = _LABELS[benchmark]
    elif label is None:
        raise BadInputError(
            f"{where}: expected 'labels', 'label', or 'benchmark': {', '.join(_LABELS)}"
        )
    else:
        labels = next((some for some in _LABELS.values() if label in some), ())
    if label is not None and label not in labels:
        raise BadInputError(
            f"{where}: invalid 'label' {label!r}: expected one of {', '.join(labels)}"
        )
    return labels


def _texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(text, str) for text in value)


def _stop(message: str) -> NoReturn:
    print(message, file=sys.stderr)
    raise SystemExit(2)


def main() -> None:
    """Alter and read as the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cuts", type=int, default=4, help="cuts, and quoted sentences, per reply")
    parser.add_argument("--examples", type=int, default=0, help="number of wrong examples to print")
    given = parser.parse_args()
    if given.cuts < 1:
        _stop(f"invalid --cuts '{given.cuts}': expected 1 or more")
    sources: dict[str, list[Reply]] = {}
    try:
        for file in given.files or [_WORKED]:
            sources[file.name], skipped = replies_of(file)
            if skipped:
                print(f"{file.name}: {skipped} replies skipped (no tag with the label, or cut off)")
    except BadInputError as error:
        _stop(str(error))
    if not given.files:
        sources["vr_sim"] = list(simulated())
    for name, replies in sources.items():
        print(f"{name}: {len(replies)} replies")
        for alteration, count in altered(replies, given.cuts, given.seed).items():
            print(count.line(alteration))
            for example in count.other[: given.examples]:
                print(f"    {example}")


if __name__ == "__main__":
    main()
