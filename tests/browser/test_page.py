"""The page in a real browser, headless: wide and narrow, light and dark, and printed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pandas as pd
import pytest
from playwright.sync_api import Browser, Dialog, Page

from tests.processes import PATIENCE
from tests.report.studies import authority_study, hostile_study, ladder_study
from vr_evals.report import write_report

STUDIES: dict[str, Callable[[], pd.DataFrame]] = {
    "ladder": ladder_study,
    "authority": authority_study,
    "hostile": hostile_study,
}
WIDTHS = (390, 1400)
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


def pages(*quick: str) -> pytest.MarkDecorator:
    """A test for the page of each study; those that are not named are slow."""
    return pytest.mark.parametrize(
        "address",
        [pytest.param(name, marks=[] if name in quick else pytest.mark.slow) for name in STUDIES],
        indirect=True,
        scope="module",
    )


@pytest.fixture(scope="module")
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("page") / "report.html"
    write_report(STUDIES[request.param](), path)
    return path.as_uri()


@pages("ladder", "hostile")
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_asked_for_said_or_cut(browser: Browser, address: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    said: list[str] = []
    asked: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        said.append(dialog.message)
        dialog.dismiss()

    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", dismiss)
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address, timeout=1000 * PATIENCE)
    assert too_wide(page) == 0
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        assert too_wide(page) == 0
    assert said == []
    assert asked == [address]
    # the smallest text of a figure as it is drawn, in CSS pixels
    drawn = page.evaluate(
        "Math.min(...[...document.querySelectorAll('.panel svg')].map(svg =>"
        " 12 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width))"
    )
    assert drawn >= 11
    page.close()


@pages("ladder")
def test_marks_of_figures_are_seen_on_both_backgrounds(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address, timeout=1000 * PATIENCE)
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        colors = page.evaluate(
            "[getComputedStyle(document.body).backgroundColor, ...new Set("
            "[...document.querySelectorAll('.panel svg text, .panel svg [stroke=\"#0072b2\"]')]"
            ".map(mark => { const style = getComputedStyle(mark);"
            " return mark.tagName == 'text' ? style.fill : style.stroke }))]"
        )
        background, *marks = map(luminance, colors)
        assert marks
        for mark in marks:
            low, high = sorted((background, mark))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (scheme, colors)
    page.close()


@pages("ladder")
def test_answers_are_seen_at_once(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.goto(address, timeout=1000 * PATIENCE)
    box = page.locator("#answers dd").first.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 900
    assert not page.locator("#accuracy").is_visible()
    page.close()


@pages("ladder")
def test_a_click_or_a_link_opens_a_section_without_a_script(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address, timeout=1000 * PATIENCE)
    section = page.locator("#accuracy")
    assert not section.is_visible()
    page.locator("#accuracy-heading").click()
    assert section.is_visible()
    assert not page.locator("#methods").is_visible()
    page.locator("nav a[href='#methods']").click()
    assert page.locator("#methods").is_visible()
    # its heading, too, is in view
    box = page.locator("#methods-heading").bounding_box()
    assert box is not None
    assert box["y"] >= 0
    page.close()
    fresh = context.new_page()
    fresh.goto(f"{address}#flips", timeout=1000 * PATIENCE)
    assert fresh.locator("#flips").is_visible()
    assert not fresh.locator("#accuracy").is_visible()
    context.close()


@pages("ladder")
def test_a_print_is_as_folded_as_the_screen(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address, timeout=1000 * PATIENCE)
    page.emulate_media(media="print")
    assert page.locator("#answers").is_visible()
    assert not page.locator("#accuracy").is_visible()
    assert len(page.pdf(format="A4")) > 10_000
    page.close()


@pytest.mark.slow
def test_a_full_page_has_nothing_folded(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "full.html"
    write_report(ladder_study(("m/one",), (0, 1), (False,), items=4, epochs=1), path, full=True)
    page = browser.new_page()
    page.goto(path.as_uri(), timeout=1000 * PATIENCE)
    page.emulate_media(media="print")
    assert page.locator("details:not([open])").count() == 0
    assert page.locator("#accuracy table").first.is_visible()
    page.close()


def too_wide(page: Page) -> int:
    """By how many pixels the page scrolls sideways."""
    return int(page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))


def luminance(color: str) -> float:
    """Relative luminance of an `rgb(r, g, b)`, after WCAG 2."""
    channels = [int(part) / 255 for part in color[4:-1].split(",")[:3]]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
