"""Rounds that must add up, counted and put right with a phone in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.night.values import MatchNow
from companion.rules.cards import Colour
from companion.rules.editions import number_cards
from tests.night.fakes import FakeTable
from tests.server.browser import PATIENCE_MS, PHONE, looking
from tests.server.conftest import Served
from tests.server.test_browser import tap_card

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE_MS)


def match_of(served: Served) -> MatchNow:
    match = served.session.snapshot().match
    assert match is not None
    return match


def counted_but(served: Served, *texts: str, again: bool = False) -> None:
    """Ann and Bo have confirmed all of their two colours' cards but these; Ann has the red ones.

    That is the first round of a match, or with ``again`` the next one.
    """
    if not again:
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


def test_a_missing_card_takes_one_tap_and_one_tap_takes_that_back(
    phone: Page, served: Served
) -> None:
    # Given a round that three cards are missing from
    counted_but(served, "G6", "G1", "R5")
    phone.goto(f"{served.address}/count/")
    books = phone.locator("[data-part=books]")
    rows = books.locator(".lines li")
    expect(rows).to_have_count(3)
    # When the red five is Bo's, the one was left, and the six is lost
    rows.filter(has=phone.get_by_role("img", name="red 5")).get_by_role("button", name="Bo").click()
    expect(rows).to_have_count(2)
    one = rows.filter(has=phone.get_by_role("img", name="green 1"))
    one.get_by_role("button", name="Left on the table").click()
    expect(rows).to_have_count(1)
    rows.get_by_role("button", name="It is lost").click()
    # Then nobody has to confirm again, the lost one is named, and undo brings it back
    expect(books).to_contain_text("Said to be lost:")
    expect(phone.get_by_role("button", name="Close round 1")).to_be_visible()
    phone.get_by_role("button", name="Undo: G6 said to be lost").click()
    expect(rows).to_have_count(1)
    phone.get_by_role("button", name="Redo: G6 said to be lost").click()
    expect(rows).to_have_count(0)
    phone.get_by_role("button", name="Close round 1").click()
    expect(phone.locator(".score__total")).to_have_text(["24", "15"])
    assert match_of(served).rounds[0].missing == ("G6",)


def test_a_lost_card_is_not_asked_for_again_until_one_tap_says_that_it_is_found(
    phone: Page, served: Served
) -> None:
    # Given a round that was closed with a lost green six, and another one counted without it
    counted_but(served, "G6")
    served.session.lose_missing(["G6"])
    served.session.close_round()
    counted_but(served, "G6", again=True)
    phone.goto(f"{served.address}/count/")
    books = phone.locator("[data-part=books]")
    expect(books).to_contain_text("Said to be lost:")
    expect(books).not_to_contain_text("In nobody's pile")
    # When somebody finds it, then it is asked for like any other, and one tap loses it again
    books.get_by_role("button", name="green 6 is found again").click()
    expect(books).to_contain_text("In nobody's pile")
    books.get_by_role("button", name="It is lost").click()
    expect(books).not_to_contain_text("In nobody's pile")
    phone.get_by_role("button", name="Undo: G6 said to be lost").click()
    phone.get_by_role("button", name="Undo: G6 said to be found again").click()
    expect(books).to_contain_text("Said to be lost:")
    phone.get_by_role("button", name="Close round 2").click()
    expect(phone.locator(".score__total")).to_have_text(["58", "22"])
    assert [one.missing for one in match_of(served).rounds] == [("G6",), ("G6",)]


def test_a_card_counted_twice_takes_one_tap_where_it_is_wrong(phone: Page, served: Served) -> None:
    counted_but(served, "G4", "G2")
    served.session.start_count("Bo")
    # Given a card of Bo's that the camera takes for the red four, which is in Ann's pile
    table = FakeTable(served.session)
    table.shows([])
    table.shows(["R4"])
    served.session.add_batch("Bo")
    phone.goto(f"{served.address}/count/?seat=1")
    books = phone.locator("[data-part=books]")
    expect(books).to_contain_text("Counted too often:")
    # When Bo's is the green four, one of two that are missing
    books.get_by_role("button", name="Bo: it is green 4").click()
    # Then the books are in order, and the reading stays beside what was said
    expect(books).to_have_count(0)
    card = match_of(served).counting[1].cards[-1]
    assert (card.seen, card.card) == ("R4", "G4")
    phone.get_by_role("button", name=re.compile("^Undo")).click()
    books.get_by_role("button", name="Bo: red 4 is not here").click()
    expect(books).to_have_count(0)
    assert len(match_of(served).counting[1].cards) == 7


def test_a_round_of_an_ended_match_is_put_right_and_its_winner_follows(
    browser: Browser, served: Served
) -> None:
    # Given a match that Bo has won and that has ended, and another one that runs
    night = served.session
    night.start_match(["Ann", "Bo"], "65", threshold=10)
    for player, card in (("Ann", "R4"), ("Bo", "R5")):
        night.add_batch(player, [card])
        night.confirm_count(player, ["T!bomb", "T!thief", "T!thief"] if player == "Bo" else [])
    night.close_round()
    night.end_match()
    night.start_match(["Ann", "Cleo"], "65")
    with looking(browser, PHONE, refused=True) as phone:
        # When somebody opens its record and gives a card that does not exist
        phone.goto(f"{served.address}/night/")
        phone.get_by_role("link", name="Ann 3 · Bo 11 ★").click()
        expect(phone.get_by_text("Bo wins")).to_be_visible()
        phone.get_by_role("link", name="11", exact=True).click()
        phone.get_by_text("Put it right").click()
        phone.locator("[name=cards]").fill("R9")
        phone.get_by_role("button", name="Save; totals follow").click()
        # Then one sentence says so, and nothing has changed
        expect(phone.locator(".toast")).to_contain_text("R9")
        assert night.snapshot().earlier[0].totals == (3, 11)
        # When it is the right card, then totals, threshold and winner follow
        phone.locator("[name=cards]").fill("G1")
        phone.get_by_role("button", name="Save; totals follow").click()
        expect(phone.locator(".score__total")).to_have_text(["3", "7"])
        expect(phone.get_by_text("Bo wins")).to_have_count(0)
        expect(phone.get_by_text("ended early")).to_be_visible()
        expect(phone.locator("[data-part=scores]")).to_contain_text("3 to go")
    match = match_of(served)
    assert (match.players, match.rounds) == (("Ann", "Cleo"), ())


def test_a_t_card_that_the_table_saw_won_is_asked_after_and_never_waited_for(
    phone: Page, served: Served
) -> None:
    # Given a TWEAK that the table saw Bo make
    served.session.start_match(["Ann", "Bo"], "65")
    table = FakeTable(served.session)
    table.shows(["R1", "Y3"], deck="#9")
    table.shows(["", "", "B2", "P1"], deck="#8")
    # When his count is confirmed without a T! card
    phone.goto(f"{served.address}/count/")
    phone.get_by_role("button", name="Confirm Ann's count").click()
    asked = phone.locator("[data-gap]")
    words = "T! cards of Bo: 0 counted, but the story of the round tells of 1."
    expect(asked).to_contain_text(words)
    phone.get_by_role("button", name="Confirm Bo's count").click()
    # Then one line says so beside the button that closes the round, until it is told
    expect(phone.locator("[data-part=close]")).to_contain_text(words)
    expect(phone.get_by_role("button", name="Close round 1")).to_be_enabled()
    phone.get_by_role("link", name="Bo").click()
    phone.get_by_role("button", name="Open again").click()
    phone.get_by_role("button", name="One more: Joker").click()
    phone.get_by_role("button", name="Confirm Bo's count").click()
    expect(asked).to_have_count(0)
    phone.get_by_role("button", name="Close round 1").click()
    expect(phone.locator(".score__total")).to_have_text(["0", "2"])
