"""The table's page: what is shown, claims, the table by tap, and the deck's place."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

import pytest
from flask.testing import FlaskClient

from companion.errors import BadClaim
from companion.night.values import Snapshot
from companion.rules.verdict import Ruling
from companion.table.places import TOO_MANY
from companion.table.values import Zones
from tests.server.scripted import ScriptedSession, a_claim, box, busy_snapshot

PAGE = {"Accept": "text/html"}


def page(client: FlaskClient, address: str = "/table/") -> str:
    answer = client.get(address, headers=PAGE)
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def test_the_table_shows_target_cards_sums_events_and_verdict(client: FlaskClient) -> None:
    shown = page(client)
    assert "data-target>9<" in shown
    for name in ("red 1", "yellow 3", "purple 2", "perhaps blue 4"):
        assert f'aria-label="{name}"' in shown
    assert "8+ points" in shown
    for event in ("G5 laid", "R1 and Y3 taken", "target 9 → 7"):
        assert event in shown
    assert "Legal" in shown
    assert "5 + 1 + 3 is 9, the target is 9" in shown


@pytest.mark.parametrize(
    ("ruling", "word", "sign"),
    [
        (Ruling.LEGAL, "Legal", "✓"),
        (Ruling.ILLEGAL, "Illegal", "✕"),
        (Ruling.UNCLEAR, "Can&#39;t tell", "?"),
    ],
)
def test_a_verdict_is_a_word_with_a_sign(
    client: FlaskClient, session: ScriptedSession, ruling: Ruling, word: str, sign: str
) -> None:
    session.shown = busy_snapshot(claims=(a_claim(ruling),))
    shown = page(client)
    assert f"</span>{word}</p>" in shown
    assert f'aria-hidden="true">{sign}</span>{word}' in shown


def test_a_claim_tells_what_was_tapped(client: FlaskClient, session: ScriptedSession) -> None:
    tapped = {
        "player": "Ann",
        "hand_colour": "G",
        "hand_value": "5",
        "taken": ["R1", "Y3"],
        "said_tweak": "1",
        "tweak": "joker+1",
        "spoken": "5 and 1 and 3 is 9",
        "key": "abc",
    }
    answer = client.post("/table/claim", data=tapped)
    assert answer.get_json() == {"id": 61}
    named = {"said_tweak": True, "tweak": "joker+1", "spoken": "5 and 1 and 3 is 9", "key": "abc"}
    assert session.asked == [("claim", ("Ann", "G5", ["R1", "Y3"]), named)]


def test_a_plain_form_goes_back_to_the_page(client: FlaskClient) -> None:
    tapped = {"player": "Ann", "hand_colour": "G", "hand_value": "5"}
    answer = client.post("/table/claim", data=tapped, headers=PAGE)
    assert (answer.status_code, answer.location) == (303, "/table/")


def test_half_a_hand_card_is_asked_for_again(client: FlaskClient, session: ScriptedSession) -> None:
    answer = client.post("/table/claim", data={"player": "Ann", "hand_colour": "G"})
    assert answer.status_code == 400
    assert "tap both" in answer.get_json()["error"]["message"]
    assert session.asked == []


def test_a_claim_that_cannot_be_judged_says_why(
    client: FlaskClient, session: ScriptedSession
) -> None:
    session.refusal = BadClaim("there is no still picture to judge on")
    answer = client.post("/table/claim", data={"player": "Ann", "hand": "G5"})
    assert answer.status_code == 400
    assert answer.get_json() == {"error": {"message": "there is no still picture to judge on"}}


def test_a_card_tapped_joins_the_table(client: FlaskClient, session: ScriptedSession) -> None:
    client.post("/table/set", data={"colour": "R", "value": "5"})
    assert session.asked == [
        ("set_table", (["R1", "Y3", "P2", "B4", "R5"], 9), {"deck_gone": False})
    ]


def test_a_card_is_taken_away(client: FlaskClient, session: ScriptedSession) -> None:
    client.post("/table/set", data={"remove": "Y3"})
    assert session.asked == [("set_table", (["R1", "P2", "B4"], 9), {"deck_gone": False})]


def test_a_card_that_is_not_there_cannot_be_taken_away(client: FlaskClient) -> None:
    assert client.post("/table/set", data={"remove": "G6"}).status_code == 404


def test_with_the_deck_gone_the_target_is_seven(
    client: FlaskClient, session: ScriptedSession
) -> None:
    client.post("/table/set", data={"target": "9", "deck_gone": "1"})
    assert session.asked[0][1][1] == 7
    assert session.asked[0][2] == {"deck_gone": True}


def test_the_deck_is_marked_by_two_corners(client: FlaskClient, session: ScriptedSession) -> None:
    client.post("/table/zones", data={"deck": "0.5 0.6 0.25 0.2"})
    assert session.asked == [
        ("set_zones", (((0.25, 0.2), (0.5, 0.2), (0.5, 0.6), (0.25, 0.6)),), {})
    ]


@pytest.mark.parametrize("deck", ["0.5", "0 0 2 1", "a b c d", "nan 0 1 1", "0.1 0.1 0.1 0.1"])
def test_a_box_that_is_none_is_refused(
    client: FlaskClient, session: ScriptedSession, deck: str
) -> None:
    assert client.post("/table/zones", data={"deck": deck}).status_code == 400
    assert session.asked == []


def test_a_claim_has_a_page_with_its_rules(client: FlaskClient) -> None:
    shown = page(client, "/table/claims/40")
    assert "What lay there" in shown
    assert "joins exactly one hand card" in shown


def test_a_claim_is_put_right(client: FlaskClient, session: ScriptedSession) -> None:
    put_right = {"hand": "G5", "taken": "R1 Y3", "table": "R1 Y3 P2", "target": "8"}
    client.post("/table/claims/40", data=put_right | {"said_tweak_shown": "1"})
    name, given, named = session.asked[0]
    assert (name, given) == ("correct_claim", (40,))
    assert named["table"] == ["R1", "Y3", "P2"]
    assert named["target"] == 8
    assert named["said_tweak"] is False


def test_no_such_claim(client: FlaskClient) -> None:
    assert client.get("/table/claims/999").status_code == 404


def test_without_a_match_and_a_camera_the_page_still_stands(
    client: FlaskClient, session: ScriptedSession
) -> None:
    session.shown = Snapshot()
    shown = page(client)
    assert "Start a match" in shown
    assert "data-view" not in shown


def test_what_people_typed_is_never_markup(client: FlaskClient, session: ScriptedSession) -> None:
    bad = "<script>alert(1)</script>"
    session.shown = busy_snapshot(trouble=bad)
    assert bad not in page(client)


def test_a_zone_is_set_by_its_four_corners_or_forgotten(
    client: FlaskClient, session: ScriptedSession
) -> None:
    client.post("/table/zones", data={"zone": "pile Ann", "quad": "0 0 0.5 0 0.5 0.5 0 0.5"})
    client.post("/table/zones", data={"zone": "tray"})
    corners = ((0.0, 0.0), (0.5, 0.0), (0.5, 0.5), (0.0, 0.5))
    assert session.asked == [
        ("set_zone", ("pile Ann", corners), {}),
        ("set_zone", ("tray", None), {}),
    ]
    refused = client.post("/table/zones", data={"zone": "tray", "quad": "0 0 2 0 2 2 0 2"})
    assert refused.status_code == 400


def test_what_is_in_doubt_about_the_zones_is_said_and_a_guessed_place_can_be_forgotten(
    client: FlaskClient, session: ScriptedSession
) -> None:
    zones = Zones().put("pile ?1", box(0.8, 0.7)).put("pile Zoe", box(0.1, 0.7))
    session.shown = replace(session.shown, zones=zones, zones_note=TOO_MANY)
    shown = unescape(page(client, "/table/?edit=table"))
    assert TOO_MANY in shown
    for words in ("Forget: Pile of a player (1)", "Forget: Pile of Zoe", "Add: Pile of Ann"):
        assert words in shown
