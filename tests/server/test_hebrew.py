"""The page in Hebrew: turned round, no sentence left in English, numbers and cards in order."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.errors import BadInput, Phrase, listed
from companion.night.journal import Journal
from companion.night.session import Session
from companion.night.values import Step
from companion.server import create_app
from companion.server.language import isolated
from companion.server.notices import NOTICES, notice
from companion.server.wording import words
from companion.settings import Settings
from tests.server.scripted import ScriptedSession
from tests.server.texts import WEB

HEBREW = {"Accept": "text/html", "Accept-Language": "he"}
PAGES = (
    "/table/",
    "/table/?edit=table",
    "/table/claims/38",
    "/table/claims/39",
    "/table/claims/40",
    "/count/?seat=0",
    "/count/?seat=1",
    "/count/?seat=table",
    "/match/",
    "/match/?new=1",
    "/match/2/",
    "/match/10/rounds/1/0",
    "/night/",
    "/rules/",
    "/nowhere",
)
NAMES = {"Companion", "TWEAK", "Ann", "Bo", "Christina", "http"}
SIGN = re.compile(r"(T!|[A-Z])?\w?\d*|[ROYGBP]")
"""A card's or a colour's letter, the id of a rule, a T! card."""


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Session]:
    journal = Journal.open(f"sqlite:///{tmp_path / 'night.db'}")
    yield Session(journal)
    journal.close()


def english_in(page: str) -> list[str]:
    """The words in Latin letters that are no names, cards or rules."""
    body = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", page, flags=re.DOTALL)
    spoken = re.findall(
        r'\b(?:alt|aria-label|placeholder|title|data-lost|data-hint)="([^"]*)"', body
    )
    text = html.unescape(" ".join([re.sub(r"<[^>]*>", " ", body), *spoken]))
    return [
        w for w in re.findall(r"[A-Za-z][\w!]*", text) if not SIGN.fullmatch(w) and w not in NAMES
    ]


@pytest.mark.parametrize("address", PAGES)
def test_a_page_in_hebrew_runs_from_right_to_left_and_has_no_english_in_it(
    client: FlaskClient, address: str
) -> None:
    page = client.get(address, headers=HEBREW).get_data(as_text=True)
    assert '<html lang="he" dir="rtl">' in page
    assert english_in(page) == []


def test_a_verdict_keeps_its_sum_in_order(client: FlaskClient) -> None:
    page = client.get("/table/claims/40", headers=HEBREW).get_data(as_text=True)
    assert "\u20685 + 1 + 3\u2069 זה \u20689\u2069, היעד הוא \u20689\u2069" in page


def test_verdicts_of_every_kind_have_no_english_in_them(night: Session) -> None:
    night.start_match(["Ann", "Bo"], "65")
    night.set_table(["R1", "Y3"], 9)
    claims: list[tuple[str, list[str], dict[str, Any]]] = [
        ("G5", ["R1", "Y3"], {"said_tweak": True, "spoken": "1 ועוד 3 זה 5, ועוד 5 זה 9"}),
        ("G4", ["R1", "Y3"], {"tweak": "joker-1"}),
        ("G4", ["R1", "Y3"], {"tweak": "joker+1", "table": ["R1", "Y3", "B2"], "target": None}),
        ("G4", [], {"tweak": "thief"}),
        ("5", ["R1"], {}),
    ]
    client = create_app(night, Settings()).test_client()
    for hand, taken, more in claims:
        claim = night.claim("Ann", hand, taken, **more).claims[0]
        for address in (f"/table/claims/{claim.id}", "/table/"):
            page = client.get(address, headers=HEBREW).get_data(as_text=True)
            assert english_in(page) == [], claim.ruling.reason


def test_in_english_nothing_is_wrapped(client: FlaskClient) -> None:
    page = client.get("/table/claims/40", headers={"Accept": "text/html"}).get_data(as_text=True)
    assert "5 + 1 + 3 is 9, the target is 9" in page
    assert "\u2068" not in page


def test_a_refusal_of_the_session_is_said_in_hebrew(night: Session) -> None:
    # Given a match without a camera
    night.start_match(["Ann", "Bo"], "65")
    client = create_app(night, Settings()).test_client()
    # When cards before the camera are to be counted, then a Hebrew reader is told so in Hebrew
    hebrew = client.post("/count/0/look", headers={"Accept-Language": "he"})
    assert hebrew.status_code == 400
    assert hebrew.get_json() == {"error": {"message": "לא מגיעה תמונה: הקישו את הקלפים במקום זה"}}
    # and English for any other
    english = client.post("/count/0/look")
    assert english.get_json() == {
        "error": {"message": "no picture comes in: tap the cards in instead"}
    }


def test_a_refusal_names_cards_players_and_steps_in_hebrew(night: Session) -> None:
    night.start_match(["Ann", "Bo"], "65")
    night.start_count("Bo")
    client = create_app(night, Settings()).test_client()

    def told(address: str, **data: str) -> str:
        answer = client.post(address, data=data, headers={"Accept-Language": "he"})
        message = str(answer.get_json()["error"]["message"])
        return re.sub("[\u2068\u2069]", "", message)

    assert told("/count/close") == "הספירה של Ann ו־Bo עוד לא אושרה"
    assert told("/match/undo", step="1") == (
        'משהו קרה מאז: הפעולה האחרונה היא עכשיו "הספירה של Bo נפתחה"'
    )
    assert told("/count/0/add", card="B9").startswith("'B9' הוא לא קלף: ")
    assert told("/count/0/add", card="P4") == "P4 לא במשחק: הצבע סגול נשאר בקופסה"


def test_the_problem_page_speaks_the_readers_language(client: FlaskClient) -> None:
    page = client.get("/nowhere", headers=HEBREW).get_data(as_text=True)
    assert "אין דף כזה" in page


def test_phrases_within_phrases_are_said_in_the_same_language(app: Flask) -> None:
    error = BadInput(
        "no card %(card)r is counted for %(whose)s", card="1.2", whose=Phrase("the table")
    )
    assert str(error) == "no card '1.2' is counted for the table"
    with app.test_request_context(headers={"Accept-Language": "he"}):
        assert words(error.said) == "הקלף \u2068'1.2'\u2069 לא נספר אצל \u2068השולחן\u2069"
        row = listed(["Ann", Phrase("the table"), "Bo"])
        assert isinstance(row, Phrase)
        assert re.sub("[\u2068\u2069]", "", words(row)) == "Ann, השולחן ו־Bo"
        assert isolated("+1, 7-10, T!joker") == "\u2068+1\u2069, 7-10, \u2068T!joker\u2069"


def test_a_step_that_undo_would_take_back_is_named_in_hebrew(
    app: Flask, session: ScriptedSession
) -> None:
    step = Step(60, "claim", "claim by Ann", "claim by %(player)s", (("player", "Ann"),))
    session.shown = replace(session.shown, undo=step)
    page = app.test_client().get("/table/", headers=HEBREW).get_data(as_text=True)
    assert "ביטול: תביעה של \u2068Ann\u2069" in page


def test_what_the_eyes_say_is_found_again(app: Flask) -> None:
    with app.test_request_context(headers={"Accept-Language": "he"}):
        assert notice("the table is moving") == "השולחן בתנועה"
        both = notice("bring the camera closer: cards are 14 px; glare on 2 cards")
        assert re.sub("[\u2068\u2069]", "", both) == (
            "קרבו את המצלמה: הקלפים בגודל 14 פיקסלים; סנוור על 2 קלפים"
        )
        assert notice("something else") == "something else"
    with app.test_request_context():
        assert notice("glare on 2 cards") == "glare on 2 cards"


@pytest.mark.parametrize("text", NOTICES)
def test_every_notice_is_one_that_a_room_gives(text: str) -> None:
    begin = re.split(r"%\(|one card", text)[0]
    rooms = [WEB.parent / "companion" / room for room in ("vision", "night")]
    assert any(begin in file.read_text("utf-8") for room in rooms for file in room.glob("*.py"))
