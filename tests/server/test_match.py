"""The match: starting it, its score, closed rounds put right, undo."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from companion.errors import BadInput
from companion.night.values import Snapshot
from tests.server.scripted import ScriptedSession, a_count, a_match, busy_snapshot

PAGE = {"Accept": "text/html"}


def page(client: FlaskClient, address: str = "/match/") -> str:
    answer = client.get(address, headers=PAGE)
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def test_the_score_shows_totals_and_what_is_to_go(client: FlaskClient) -> None:
    shown = page(client)
    for words in ("Christina", "89 to go", "to 120 points", "65 cards", "Round 2"):
        assert words in shown


def test_before_a_match_there_is_the_form(client: FlaskClient, session: ScriptedSession) -> None:
    session.shown = Snapshot()
    assert "Start the match" in page(client)


def test_a_match_starts_with_the_seats_that_were_filled(
    client: FlaskClient, session: ScriptedSession
) -> None:
    form = {"player": ["Ann", " Bo ", "", ""], "edition": "72", "colours_by": "rule"}
    answer = client.post("/match/start", data=form, headers=PAGE)
    assert answer.location == "/match/"
    named = {"threshold": None, "tie": "extra round", "dealer": None}
    assert session.asked == [("start_match", (["Ann", "Bo"], "72", None), named)]


def test_colours_and_threshold_may_be_chosen(client: FlaskClient, session: ScriptedSession) -> None:
    form = {
        "player": ["Ann", "Bo"],
        "edition": "65",
        "colours_by": "hand",
        "colour": ["red", "blue"],
        "threshold": "50",
        "tie": "shared",
    }
    client.post("/match/start", data=form)
    name, given, named = session.asked[0]
    assert (name, given[2]) == ("start_match", ["red", "blue"])
    assert (named["threshold"], named["tie"]) == (50, "shared")


def test_a_threshold_that_is_no_number(client: FlaskClient, session: ScriptedSession) -> None:
    answer = client.post("/match/start", data={"player": "Ann", "threshold": "many"})
    assert answer.status_code == 400
    assert "whole number" in answer.get_json()["error"]["message"]
    assert session.asked == []


def test_one_player_is_refused_in_one_line(client: FlaskClient, session: ScriptedSession) -> None:
    session.refusal = BadInput("a match has 2 to 6 players, not 1")
    answer = client.post("/match/start", data={"player": "Ann", "edition": "65"}, headers=PAGE)
    assert answer.status_code == 400
    assert "a match has 2 to 6 players, not 1" in answer.get_data(as_text=True)


def test_the_winner_is_named(client: FlaskClient, session: ScriptedSession) -> None:
    session.shown = busy_snapshot(match=a_match(over=True, winners=("Christina",)))
    assert "Christina wins" in page(client)


def test_a_tie_asks_for_one_more_round(client: FlaskClient, session: ScriptedSession) -> None:
    session.shown = busy_snapshot(match=a_match(extra_round=True))
    assert "Level at the top: one more round" in page(client)


def test_a_closed_round_shows_its_cards_and_can_be_put_right(
    client: FlaskClient, session: ScriptedSession
) -> None:
    assert 'value="R5 R1 Y5 G3 O2"' in page(client, "/match/10/rounds/1/2")
    client.post("/match/10/rounds/1/2", data={"cards": "R5, R1", "tweaks_bomb": "1"})
    assert session.asked == [
        ("edit_round", (1, "Christina", ["R5", "R1"], ["T!bomb"]), {"match": 10})
    ]


def test_an_open_round_is_not_edited(client: FlaskClient, session: ScriptedSession) -> None:
    assert client.post("/match/10/rounds/2/0", data={"cards": "R5"}).status_code == 404
    assert client.post("/match/10/rounds/1/0", data={}).status_code == 400
    assert session.asked == []


def test_undo_takes_back_the_step_that_was_seen(
    client: FlaskClient, session: ScriptedSession
) -> None:
    assert 'aria-label="Undo: claim by Ann"' in page(client)
    client.post("/match/undo", data={"step": "60"})
    client.post("/match/redo", data={"step": "60"})
    assert session.asked == [("undo", (60,), {}), ("redo", (60,), {})]


def test_the_dealer_is_set_and_the_match_ended(
    client: FlaskClient, session: ScriptedSession
) -> None:
    client.post("/match/dealer", data={"dealer": "Bo"})
    client.post("/match/end")
    assert session.asked == [("set_dealer", ("Bo",), {}), ("end_match", (), {})]


def test_a_card_known_by_its_worth_alone_stays_in_the_form_of_a_closed_round(
    client: FlaskClient, session: ScriptedSession
) -> None:
    # Given an orange or a green two, a point either way: saving the form must not drop the point
    (batch,) = a_count("Ann", confirmed=True).batches
    twos = replace(batch.cards[-1], seen="O2?G2", card=None, worth=1, fits=("O2", "G2"))
    count = replace(
        a_count("Ann", confirmed=True), batches=(replace(batch, cards=(*batch.cards[:-1], twos)),)
    )
    closed = replace(a_match().rounds[0], counts=(count, *a_match().rounds[0].counts[1:]))
    session.shown = busy_snapshot(match=a_match(rounds=(closed,)))
    shown = client.get("/match/10/rounds/1/0", headers=PAGE).get_data(as_text=True)
    assert 'value="R5 R1 Y5 G3 O2"' in shown


# --- matches that have ended ---------------------------------------------------------------------


def test_an_ended_match_has_a_record_with_its_rounds(client: FlaskClient) -> None:
    night = client.get("/night/", headers=PAGE).get_data(as_text=True)
    assert 'href="/match/2/"' in night
    shown = page(client, "/match/2/")
    for words in (
        "Ann wins",
        "to 140 points",
        "20 to go",
        'href="/match/2/rounds/1/1"',
        "left on the table",
    ):
        assert words in shown
    assert "End the match" not in shown
    # And one that runs has its own page
    assert client.get("/match/10/", headers=PAGE).location == "/match/"


def test_a_round_of_an_ended_match_is_put_right(
    client: FlaskClient, session: ScriptedSession
) -> None:
    assert 'action="/match/2/rounds/1/1"' in page(client, "/match/2/rounds/1/1")
    answer = client.post("/match/2/rounds/1/1", data={"cards": "R5 G3"}, headers=PAGE)
    assert answer.location == "/match/2/"
    assert session.asked == [("edit_round", (1, "Bo", ["R5", "G3"], []), {"match": 2})]


def test_what_was_left_in_a_closed_round_is_shown_and_put_right(
    client: FlaskClient, session: ScriptedSession
) -> None:
    shown = page(client, "/match/2/rounds/1/table")
    assert "Left on the table" in shown
    assert "In nobody's pile:" in shown.replace("&#39;", "'")
    assert 'aria-label="green 6"' in shown
    assert "T! cards won" not in shown
    client.post("/match/2/rounds/1/table", data={"cards": "Y6"})
    assert session.asked == [("edit_round", (1, "", ["Y6"], []), {"match": 2})]


@pytest.mark.parametrize(
    "address",
    ["/match/3/", "/match/3/rounds/1/0", "/match/2/rounds/2/0", "/match/2/rounds/1/2"],
)
def test_a_match_a_round_or_a_seat_that_is_not_there(client: FlaskClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 404
    assert answer.get_json()["error"]["message"]
