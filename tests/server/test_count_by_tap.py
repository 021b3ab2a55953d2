"""A round that must add up, counted with a phone in a real browser on a real session."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.night.values import MatchNow
from companion.rules.cards import Colour
from companion.rules.editions import number_cards
from tests.server.browser import PATIENCE_MS, PHONE, chromium, looking
from tests.server.conftest import Served
from tests.server.test_browser import tap_card

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def phone(browser: Browser, served: Served) -> Iterator[Page]:
    with looking(browser, PHONE) as page:
        yield page
    assert served.port


def match_of(served: Served) -> MatchNow:
    match = served.session.snapshot().match
    assert match is not None
    return match


def counted_but(served: Served, *texts: str) -> None:
    """Ann and Bo have confirmed all of their two colours' cards but these; Ann has the red ones."""
    served.session.start_match(["Ann", "Bo"], "65", ["red", "green"])
    for player, colour in (("Ann", Colour.RED), ("Bo", Colour.GREEN)):
        cards = [str(card) for card in number_cards((colour,))]
        for text in texts:
            if text in cards:
                cards.remove(text)
        served.session.add_batch(player, cards)
        served.session.confirm_count(player)


def test_what_was_left_on_the_table_is_counted_and_missed_no_longer(
    phone: Page, served: Served
) -> None:
    # Given a round in which a green six is in nobody's pile
    counted_but(served, "G6")
    phone.goto(f"{served.address}/count/")
    expect(phone.locator("[data-part=books]")).to_contain_text("In nobody's pile")
    # When it is tapped in as left on the table
    phone.get_by_role("link", name="Left on the table").click()
    expect(phone.get_by_role("heading", name="Left on the table")).to_be_visible()
    tap_card(phone, "add", "G6")
    # Then nothing is missing, nobody has a point more, and the round closes on it
    expect(phone.locator("[data-part=list] .won .card")).to_have_count(1)
    expect(phone.locator("[data-part=books]")).to_have_count(0)
    undo = phone.get_by_role("button", name=re.compile("^Undo"))
    expect(undo).to_have_accessible_name("Undo: cards left on the table counted")
    undo.click()
    expect(phone.locator("[data-part=books]")).to_be_visible()
    redo = phone.get_by_role("button", name=re.compile("^Redo"))
    expect(redo).to_have_accessible_name("Redo: cards left on the table counted")
    redo.click()
    expect(phone.locator("[data-part=books]")).to_have_count(0)
    phone.get_by_role("button", name="Close round 1").click()
    expect(phone.locator(".score__total")).to_have_text(["29", "11"])
    (closed,) = match_of(served).rounds
    assert [card.card for card in closed.left.cards] == ["G6"]
    assert closed.missing == ()
