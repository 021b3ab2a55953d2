"""What people do with a phone, in a real browser, on a real session without camera or model."""

from __future__ import annotations

import re
import statistics
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.night.session import Session
from companion.table.values import Zones
from tests.server.browser import PATIENCE_MS, PHONE, TELEVISION, looking
from tests.server.conftest import Served, serving
from tests.server.scripted import JPEG, ScriptedSession, box, busy_snapshot
from tests.server.tap_to_verdict import BAR_MS, line_of, measured

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE_MS)

PAGES = (
    "/table/",
    "/table/?edit=table",
    "/table/claims/39",
    "/count/",
    "/count/?fix=50.0",
    "/match/",
    "/match/?new=1",
    "/match/10/rounds/1/0",
    "/match/2/",
    "/match/2/rounds/1/table",
    "/night/",
    "/rules/",
)


def tap_card(part: Page, pad: str, card: str) -> None:
    """Tap a colour and then a value on the pad of a part of the page."""
    part.locator(f"[data-part={pad}] [name=colour][value={card[0]}]").check(force=True)
    part.locator(f"[data-part={pad}] [name=value][value='{card[1]}']").click()


def count(page: Page, cards: list[str]) -> None:
    for number, card in enumerate(cards, start=1):
        tap_card(page, "add", card)
        expect(page.locator("[data-part=list] .won .card")).to_have_count(number)


def test_a_round_is_played_and_counted_by_tap(phone: Page, served: Served) -> None:
    # Given a match started on the phone
    phone.goto(f"{served.address}/match/")
    seats = phone.locator("[name=player]")
    seats.nth(0).fill("Ann")
    seats.nth(1).fill("Bo")
    phone.get_by_role("button", name="Start the match").click()
    expect(phone.get_by_role("heading", name="Round 1")).to_be_visible()

    # When both players' cards are tapped in, T! cards too
    phone.get_by_role("link", name="Count this round").click()
    count(phone, ["R5", "R1", "Y5", "G3"])
    phone.get_by_role("button", name="One more: Joker").click()
    phone.get_by_role("button", name="Confirm Ann's count").click()
    expect(phone.get_by_role("button", name="Confirm Bo's count")).to_be_visible()
    count(phone, ["R2"])
    phone.get_by_role("button", name="Confirm Bo's count").click()
    phone.get_by_role("button", name="Close round 1").click()

    # Then the totals stand on the score board: 5 + 3 + 4 + 1 + 2, and 3
    expect(phone.locator(".score__total")).to_have_text(["15", "3"])
    assert served.session.snapshot().match.totals == (15, 3)  # type: ignore[union-attr]


def test_a_counted_card_is_put_right_by_tap(phone: Page, served: Served) -> None:
    served.session.start_match(["Ann", "Bo"], "65")
    served.session.add_batch("Ann", ["R5"])
    phone.goto(f"{served.address}/count/")
    phone.get_by_role("link", name="Change red 5").click()
    tap_card(phone, "fix", "R4")
    expect(phone.get_by_role("link", name="Change red 4")).to_be_visible()
    expect(phone.locator("[data-points]")).to_have_text("3")
    phone.get_by_role("link", name="Change red 4").click()
    phone.get_by_role("button", name="Take it out of the count").click()
    expect(phone.get_by_text("No card counted yet.")).to_be_visible()


def test_a_claim_is_made_by_tap_and_judged(phone: Page, served: Served) -> None:
    # Given a table entered by tap
    served.session.start_match(["Ann", "Bo"], "65")
    phone.goto(f"{served.address}/table/")
    phone.get_by_role("link", name="Change").click()
    tap_card(phone, "now", "R1")
    expect(phone.locator("[data-cards] .card")).to_have_count(1)
    tap_card(phone, "now", "Y3")
    expect(phone.locator("[data-cards] .card")).to_have_count(2)
    phone.locator("[data-part=now] [name=target][value='9']").click()
    expect(phone.locator("[data-target]")).to_have_text("9")

    # When Ann claims green 5 with both, and says TWEAK
    claim = phone.locator("[data-claim]")
    claim.locator("[name=player][value=Ann]").check(force=True)
    claim.locator("[name=hand_colour][value=G]").check(force=True)
    claim.locator("[name=hand_value][value='5']").check(force=True)
    for card in claim.locator("[name=taken]").all():
        card.check(force=True)
    claim.locator("[name=said_tweak]").check(force=True)
    claim.get_by_role("button", name="Judge it").click()

    # Then the verdict is a big word with a sign and one sentence
    verdict = phone.locator("[data-verdict]")
    expect(verdict).to_have_attribute("data-verdict", "legal")
    expect(verdict).to_contain_text("5 + 1 + 3 is 9, the target is 9")
    expect(verdict).to_contain_text("✓")


def test_what_one_phone_does_the_other_shows_and_nobody_loses_what_they_type(
    browser: Browser, served: Served
) -> None:
    served.session.start_match(["Ann", "Bo"], "65")
    served.session.set_table(["R1", "Y3"], 9)
    with looking(browser, PHONE) as one, looking(browser, TELEVISION) as other:
        one.goto(f"{served.address}/table/")
        other.goto(f"{served.address}/table/")
        one.locator("[data-claim] [name=taken][value=Y3]").check(force=True)
        one.locator("[name=spoken]").fill("1 and 3")
        one.locator("[name=said_tweak]").check(force=True)
        served.session.set_table(["R1", "Y3", "B2"], 8)
        for page in (one, other):
            expect(page.locator("[data-target]")).to_have_text("8")
            expect(page.locator("[data-cards] .card")).to_have_count(3)
        expect(one.locator("[data-claim] [name=taken]")).to_have_count(3)
        expect(one.locator("[data-claim] [name=taken][value=Y3]")).to_be_checked()
        expect(one.locator("[name=said_tweak]")).to_be_checked()
        assert one.locator("[name=spoken]").input_value() == "1 and 3"


def test_a_refusal_is_one_line_and_leaves_all_as_it_was(browser: Browser, served: Served) -> None:
    served.session.start_match(["Ann", "Bo"], "65")
    before = served.session.snapshot()
    with looking(browser, PHONE, refused=True) as phone:
        phone.goto(f"{served.address}/table/")
        phone.locator("[data-claim] [name=player][value=Ann]").check(force=True)
        phone.locator("[data-claim] [name=hand_colour][value=G]").check(force=True)
        phone.get_by_role("button", name="Judge it").click()
        expect(phone.locator(".toast")).to_have_text(re.compile("tap both"))
        expect(phone.locator("[name=hand_colour][value=G]")).to_be_checked()
    assert served.session.snapshot() == before


def test_undo_takes_the_last_card_back(phone: Page, served: Served) -> None:
    served.session.start_match(["Ann", "Bo"], "65")
    served.session.add_batch("Ann", ["R5"])
    phone.goto(f"{served.address}/count/")
    expect(phone.locator(".won .card")).to_have_count(1)
    phone.get_by_role("button", name=re.compile("^Undo")).click()
    expect(phone.get_by_text("No card counted yet.")).to_be_visible()
    phone.get_by_role("button", name=re.compile("^Redo")).click()
    expect(phone.locator(".won .card")).to_have_count(1)


def test_without_scripts_the_forms_still_work(browser: Browser, served: Served) -> None:
    served.session.start_match(["Ann", "Bo"], "65")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{served.address}/count/")
    tap_card(page, "add", "R5")
    expect(page.locator(".won .card")).to_have_count(1)
    context.close()


def busy_with_a_picture() -> Session:
    return ScriptedSession(busy_snapshot(), live=(5, JPEG))


@pytest.mark.parametrize("size", [PHONE, (390, 844), TELEVISION], ids=["360", "390", "1920"])
def test_no_page_scrolls_sideways_and_touch_targets_are_large(
    browser: Browser, size: tuple[int, int]
) -> None:
    with serving(busy_with_a_picture()) as served, looking(browser, size) as page:
        for address in PAGES:
            page.goto(served.address + address)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= size[0], f"{address} is {wide} px wide"
            small = page.evaluate(
                """() => [...document.querySelectorAll("button, .button, .choice, .tile, .tabs a")]
                    .filter((thing) => thing.offsetParent)
                    .map((thing) => [thing.outerHTML.slice(0, 80), thing.offsetHeight])
                    .filter(([, height]) => height < 44)"""
            )
            assert small == [], address


def test_the_outlines_lie_on_the_picture_and_a_tap_ticks_the_card(browser: Browser) -> None:
    with serving(busy_with_a_picture()) as served, looking(browser, PHONE) as page:
        page.goto(f"{served.address}/table/")
        card = page.locator("[data-view] .outlines [data-card=Y3]")
        expect(card.locator("text")).to_have_text("Y3 ★")
        card.locator("polygon").last.click(force=True)
        expect(page.locator("[data-claim] [name=taken][value=Y3]")).to_be_checked()
        expect(card).to_have_class(re.compile("picked"))


@pytest.mark.parametrize("zone_name", ["deck", "pile ?1"])
def test_a_zone_is_dragged_on_the_picture_and_moved_by_arrow_keys(
    browser: Browser, zone_name: str
) -> None:
    shown = replace(busy_snapshot(), zones=Zones().put(zone_name, box(0.4, 0.4)))
    session = ScriptedSession(shown, live=(5, JPEG))
    with serving(session) as served, looking(browser, PHONE) as page:
        page.goto(f"{served.address}/table/?edit=table")
        page.locator("details", has_text="Zones").locator("summary").click()
        page.locator("[data-edit-zones]").click()
        zone = page.locator(f"[data-zone='{zone_name}'] polygon")
        expect(zone).to_have_attribute("tabindex", "0")
        place = zone.bounding_box()
        assert place is not None
        x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 30, y + 10, steps=4)
        with page.expect_response("**/table/zones"):
            page.mouse.up()
        expect(page.locator("svg.zones[data-held]")).to_have_count(0)
        page.locator(f"[data-zone='{zone_name}'] circle").first.focus()
        with page.expect_response("**/table/zones"):
            page.keyboard.press("ArrowLeft")
    asked = [given for command, given, _ in session.asked if command == "set_zone"]
    (name, dragged), (_, nudged) = asked
    assert name == zone_name
    assert dragged[0][0] > 0.42
    assert dragged[0][1] > 0.4
    assert nudged[0][0] < dragged[0][0]
    assert nudged[2] == dragged[2]


def test_a_verdict_is_on_the_page_soon_after_the_tap(browser: Browser, tmp_path: Path) -> None:
    times_ms = measured(browser, 6, tmp_path)
    assert statistics.median(times_ms) <= BAR_MS, line_of(times_ms)
