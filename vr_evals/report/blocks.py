"""What a page is made of, before it is HTML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = [
    "Column",
    "Doubt",
    "Figure",
    "Key",
    "Panel",
    "Example",
    "Section",
    "Severity",
    "Table",
]

Severity = Literal["serious", "caution", "note"]


@dataclass(frozen=True)
class Doubt:
    """A reason to distrust figures.

    Attributes:
        severity: How much it can matter.
        text: What is the matter, and what it means for the figures.
        details: Which logs or cells it is about.
    """

    severity: Severity
    text: str
    details: tuple[str, ...] = ()


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
        rows: One text for each column.
        left_out: Rows that the page has no room for.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    left_out: int = 0


@dataclass(frozen=True)
class Key:
    """An entry of a figure's legend: its words and how its marks look.

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
    """One picture of a figure.

    Attributes:
        title: What tells it from the other panels.
        svg: The picture, ready to stand in HTML.
    """

    title: str
    svg: str


@dataclass(frozen=True)
class Figure:
    """A figure of one or more panels that share a legend.

    Attributes:
        title: What it shows.
        reading: How to read it, in a sentence or two.
        panels: The pictures.
        keys: The legend.
        left_out: Panels that the page has no room for.
        table: The numbers behind it.
        folded: Whether a reader has to open it.
    """

    title: str
    reading: str
    panels: tuple[Panel, ...]
    keys: tuple[Key, ...]
    left_out: int
    table: Table
    folded: bool = False


@dataclass(frozen=True)
class Example:
    """An item that is worth a look, with one of its samples.

    Attributes:
        title: The item, and where it is from.
        facts: Why it is shown.
        link: Address of the sample in a running `inspect view`; None where it is too long.
        place: Log file, sample id and epoch, in words.
        shown: Pairs of a heading and the text below it.
    """

    title: str
    facts: str
    link: str | None
    place: str
    shown: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Section:
    """A section of the page.

    Attributes:
        anchor: Its address within the page.
        title: Its heading.
        findings: What the numbers say, in sentences.
        figures: Its figures, each with the table behind it.
        tables: Other tables.
        doubts: Reasons to distrust figures.
        facts: Terms and what they are here.
        samples: Groups of items, each below a heading.
        command: What to type to see more.
        notes: Sentences on what was left out and why.
    """

    anchor: str
    title: str
    findings: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    samples: tuple[tuple[str, tuple[Example, ...]], ...] = ()
    command: str | None = None
    notes: tuple[str, ...] = ()
