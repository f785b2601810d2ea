"""Drawings within a page."""

from xml.etree import ElementTree

from vr_evals.report.svg import sanitize_svg

DRAWING = """
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
     width="40" height="20" viewBox="0 0 40 20" onload="alert(1)">
  <defs><clipPath id="clip0"><rect width="4" height="4"/></clipPath></defs>
  <script>alert(1)</script><style>* { fill: url(http://x) }</style>
  <a xlink:href="http://example.org"><path d="M0,0"/></a><image xlink:href="http://example.org"/>
  <g clip-path="url(#clip0)" onclick="alert(1)"><path d="M0,0h4"/><text>a &lt; b</text></g>
</svg>
"""


def test_a_drawing_has_a_name_ids_of_its_own_and_nothing_that_acts() -> None:
    found = sanitize_svg(DRAWING, "f-1", "Title <b>", "Words & more")
    root = ElementTree.fromstring(found)
    assert root.get("role") == "img"
    assert root.get("viewBox") == "0 0 40 20"
    assert root.get("aria-labelledby") == "f-1-title f-1-text"
    tags = [element.tag.split("}")[1] for element in root.iter()]
    assert tags == ["svg", "title", "desc", "defs", "clipPath", "rect", "g", "path", "text"]
    assert root[0].text == "Title <b>"
    assert root[1].text == "Words & more"
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not {name for name in attributes if "href" in name or name.startswith("on")}
    assert 'id="f-1-clip0"' in found
    assert 'clip-path="url(#f-1-clip0)"' in found
    assert "alert" not in found
