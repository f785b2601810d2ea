"""Chromium, headless.

It is looked for on the path, in ``CHROMIUM``, and where playwright installs it. Without one these
tests are skipped, unless ``CI`` is set.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Error, sync_playwright

from tests.processes import PATIENCE


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    with sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(
                executable_path=found, args=["--no-sandbox"], timeout=1000 * PATIENCE
            )
        except Error as error:
            if os.environ.get("CI"):
                raise
            pytest.skip(f"no Chromium: {str(error).splitlines()[0]}")
        yield chromium
        chromium.close()
