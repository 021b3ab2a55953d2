"""Debian's chromium, looking at a served night as a phone or as a television."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

PHONE = (360, 740)
TELEVISION = (1920, 1080)
PATIENCE_MS = 60_000
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser; its absence is a failure, unless ``COMPANION_NO_BROWSER=1`` allows it."""
    place = shutil.which("chromium")
    if os.environ.get("COMPANION_NO_BROWSER") == "1":
        pytest.skip("COMPANION_NO_BROWSER=1")
    if place is None:
        pytest.fail("no chromium: apt-get install chromium, or set COMPANION_NO_BROWSER=1")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=place, args=_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def looking(
    browser: Browser, size: tuple[int, int], *, refused: bool = False, locale: str = "en-GB"
) -> Iterator[Page]:
    """A page of its own that must stay without errors in its console, refusals apart if meant."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, locale=locale)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    try:
        yield page
    finally:
        context.close()
    if refused:
        complaints = [line for line in complaints if "status of 4" not in line]
    assert complaints == []
