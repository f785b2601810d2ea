"""A page as its reader meets it: its tags, texts and links."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

__all__ = ["Page", "read"]

_VOID = {"meta", "link", "br", "hr", "img", "input"}


@dataclass
class Page:
    """What a parser found.

    Attributes:
        tags: Each opening tag with its attributes.
        headings: Level and text of each heading.
        texts: The text of each section, by its id.
        left_open: Tags that were never closed.
    """

    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    headings: list[tuple[int, str]] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    left_open: list[str] = field(default_factory=list)

    def attributes(self, name: str) -> list[str]:
        """Every value of an attribute."""
        return [
            value or "" for _, found in self.tags for key, value in found.items() if key == name
        ]

    def section(self, name: str) -> str:
        """The text of a section, with single blanks."""
        return " ".join(self.texts[name].split())


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()
        self.open: list[str] = []
        self.section = ""
        self.heading: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.page.tags.append((tag, dict(attrs)))
        if tag not in _VOID:
            self.open.append(tag)
        if tag == "section":
            self.section = str(dict(attrs)["id"])
            self.page.texts[self.section] = ""
        if tag in {"h1", "h2", "h3", "h4"}:
            self.heading = []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.page.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> closes another tag"
        if tag == "section":
            self.section = ""
        if self.heading is not None and tag in {"h1", "h2", "h3", "h4"}:
            self.page.headings.append((int(tag[1]), "".join(self.heading)))
            self.heading = None

    def handle_data(self, data: str) -> None:
        if self.section:
            self.page.texts[self.section] += data + " "
        if self.heading is not None:
            self.heading.append(data)


def read(page: str) -> Page:
    """Parse a page, which must close every tag that it opens."""
    parser = _Parser()
    parser.feed(page)
    parser.close()
    parser.page.left_open = parser.open
    return parser.page
