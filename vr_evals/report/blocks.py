"""What a page consists of, before it is HTML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = [
    "EVERY_ANSWER",
    "Answer",
    "Chart",
    "Column",
    "Example",
    "Key",
    "PageWarning",
    "Panel",
    "Section",
    "Severity",
    "Table",
]

Severity = Literal["serious", "caution", "note"]

EVERY_ANSWER = ("every answer",)
"""What a warning about all samples touches."""


@dataclass(frozen=True)
class Answer:
    """What a study found on one of its questions.

    Attributes:
        question: The question, in a few words.
        sentences: The answer.
    """

    question: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class PageWarning:
    """A reason not to trust some of the numbers.

    Attributes:
        severity: How much it can matter.
        text: What was found, and what it means for the numbers.
        details: The logs or cells it is about.
        touches: The questions or results that it makes less certain.
    """

    severity: Severity
    text: str
    details: tuple[str, ...] = ()
    touches: tuple[str, ...] = ()


@dataclass(frozen=True)
class Column:
    """A column of a table; numbers are aligned to the right."""

    heading: str
    number: bool = False


@dataclass(frozen=True)
class Table:
    """A table of texts.

    Attributes:
        caption: What it shows.
        columns: Its columns.
        rows: One text per column.
        left_out: Number of rows beyond the page's limit.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    left_out: int = 0


@dataclass(frozen=True)
class Key:
    """An entry of a chart's legend: its label and how its marks look.

    Attributes:
        label: The words.
        color: A colour in hexadecimal.
        dash: Lengths of strokes and gaps; empty for a solid line.
        shape: An SVG path around the origin.
    """

    label: str
    color: str
    dash: tuple[int, ...]
    shape: str


@dataclass(frozen=True)
class Panel:
    """One picture of a chart.

    Attributes:
        title: What distinguishes it from the other panels.
        svg: The picture, safe to include in HTML.
    """

    title: str
    svg: str


@dataclass(frozen=True)
class Chart:
    """A chart of one or more panels that share a legend.

    Attributes:
        title: What it shows.
        how_to_read: One to four sentences.
        panels: The pictures.
        legend: The series.
        left_out: Number of panels beyond the page's limit.
        table: The numbers behind it.
        folded: Whether a reader has to open it.
        anchor: What tells it from the other charts of a page.
    """

    title: str
    how_to_read: str
    panels: tuple[Panel, ...]
    legend: tuple[Key, ...]
    left_out: int
    table: Table
    folded: bool = False
    anchor: str = ""


@dataclass(frozen=True)
class Example:
    """An item worth a look, with one of its samples.

    Attributes:
        title: The item and its benchmark.
        reason: Why it is shown.
        link: Address of the sample in a running `inspect view`; None if it is too long.
        place: Log file, sample id and epoch.
        texts: Pairs of a heading and the text below it.
    """

    title: str
    reason: str
    link: str | None
    place: str
    texts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Section:
    """A section of the page.

    Attributes:
        anchor: Its address within the page.
        title: Its heading.
        answers: Answers to the questions of the study.
        findings: Sentences on the results.
        charts: Its charts, each with the table behind it.
        tables: Other tables.
        warnings: Reasons not to trust some of the numbers.
        facts: Pairs of a term and its value.
        examples: Groups of items, each below a heading.
        command: What to type to see more.
        notes: Sentences on what was left out and why.
        folded: Whether a reader has to open it, by a click or a link to it.
    """

    anchor: str
    title: str
    answers: tuple[Answer, ...] = ()
    findings: tuple[str, ...] = ()
    charts: tuple[Chart, ...] = ()
    tables: tuple[Table, ...] = ()
    warnings: tuple[PageWarning, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    examples: tuple[tuple[str, tuple[Example, ...]], ...] = ()
    command: str | None = None
    notes: tuple[str, ...] = ()
    folded: bool = True
