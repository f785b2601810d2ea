"""SVG that is safe to include in a page."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

__all__ = ["sanitize_svg"]

_SVG = "http://www.w3.org/2000/svg"
_KEPT = frozenset(
    {"svg", "g", "path", "line", "rect", "text", "tspan", "circle", "defs", "clipPath"}
)
_LOCAL = re.compile(r"url\(#([^)]+)\)")


def sanitize_svg(svg: str, anchor: str, title: str, description: str) -> str:
    """Remove everything but plain shapes and text, and add a title for screen readers.

    Links, images, scripts and styles are removed. Ids are made unique to the page.

    Args:
        svg: The drawing.
        anchor: Prefix of its ids.
        title: Its name.
        description: What it shows, for people who do not see it.
    """
    ElementTree.register_namespace("", _SVG)
    root = ElementTree.fromstring(svg)
    _clean(root, anchor)
    width, height = root.get("width", "0"), root.get("height", "0")
    root.attrib = {
        "viewBox": root.get("viewBox", f"0 0 {width} {height}"),
        "width": width,
        "height": height,
        "role": "img",
        "aria-labelledby": f"{anchor}-title {anchor}-text",
    }
    for place, (name, text) in enumerate((("title", title), ("desc", description))):
        element = ElementTree.Element(
            f"{{{_SVG}}}{name}", {"id": f"{anchor}-{'text' if place else name}"}
        )
        element.text = text
        root.insert(place, element)
    return ElementTree.tostring(root, encoding="unicode")


def _clean(element: Any, anchor: str) -> None:
    for child in list(element):
        if child.tag.removeprefix(f"{{{_SVG}}}") in _KEPT:
            _clean(child, anchor)
        else:
            element.remove(child)
    for name, value in list(element.attrib.items()):
        if name.startswith("{") or name.startswith("on") or name == "href":
            del element.attrib[name]
        elif name == "id":
            element.set(name, f"{anchor}-{value}")
        elif "url(" in value:
            element.set(name, _LOCAL.sub(rf"url(#{anchor}-\1)", value))
