"""The page in its other languages, in a real browser; Hebrew turns round all but cards and sums."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.server.browser import PATIENCE_MS, PHONE, TELEVISION, looking
from tests.server.conftest import Served, serving
from tests.server.scripted import JPEG, ScriptedSession, busy_snapshot
from tests.server.test_browser import PAGES

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE_MS)

PLACES = """([selector, texts]) => {
    const line = document.querySelector(selector);
    const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    const node = walk.nextNode();
    let from = 0;
    return texts.map((text) => {
        const at = node.data.indexOf(text, from);
        from = at + text.length;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + text.length);
        return range.getBoundingClientRect().x;
    });
}"""


def places(page: Page, selector: str, texts: list[str]) -> list[float]:
    """How far from the left pieces of one line of text stand, each after the one before."""
    found: list[float] = page.evaluate(PLACES, [selector, texts])
    return found


@pytest.mark.parametrize("size", [PHONE, TELEVISION], ids=["360", "1920"])
@pytest.mark.parametrize(("locale", "direction"), [("he-IL", "rtl"), ("hu-HU", "ltr")])
def test_no_page_scrolls_sideways(
    browser: Browser, locale: str, direction: str, size: tuple[int, int]
) -> None:
    session = ScriptedSession(busy_snapshot(), live=(5, JPEG))
    with serving(session) as served, looking(browser, size, locale=locale) as page:
        for address in PAGES:
            page.goto(served.address + address)
            assert page.evaluate("document.documentElement.dir") == direction
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= size[0], f"{address} is {wide} px wide"


def test_cards_sums_and_ranges_read_as_ever(browser: Browser) -> None:
    session = ScriptedSession(busy_snapshot(), live=(5, JPEG))
    with serving(session) as served, looking(browser, PHONE, locale="he-IL") as page:
        # The page begins at the right, and so does its first card
        page.goto(f"{served.address}/table/claims/40")
        xs = [card.bounding_box() for card in page.locator(".verdict .card").all()]
        assert [box["x"] for box in xs if box] == sorted((b["x"] for b in xs if b), reverse=True)
        # but 5 + 1 + 3 is read from the left
        sums = places(page, ".verdict__body .strong", ["5", "1", "3"])
        assert sums == sorted(sums)
        # and the letter of a card stands at its left, its points at its right
        page.goto(f"{served.address}/count/?seat=0")
        card = page.locator(".won .card").first
        letter = card.locator(".card__letter").bounding_box()
        points = card.locator(".card__points").bounding_box()
        assert letter is not None
        assert points is not None
        assert letter["x"] < points["x"]
        # and a range has its lower end at the left
        low, high = places(page, "[data-points] bdi", ["14", "16"])
        assert low < high


def test_a_refusal_is_one_line_in_hebrew(browser: Browser, served: Served) -> None:
    served.session.start_match(["Ann", "Bo"], "65")
    with looking(browser, PHONE, refused=True, locale="he-IL") as phone:
        phone.goto(f"{served.address}/table/")
        phone.locator("[data-claim] [name=player][value=Ann]").check(force=True)
        phone.locator("[data-claim] [name=hand_colour][value=G]").check(force=True)
        phone.get_by_role("button", name="לשפוט").click()
        expect(phone.locator(".toast")).to_have_text("הקלף מהיד: צריך צבע וערך, הקישו את שניהם")
