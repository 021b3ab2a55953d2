"""Pictures: the live one with its outlines, and those kept as evidence."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from companion.table.values import Zones
from tests.server.scripted import JPEG, SHA, ScriptedSession, box


def test_the_live_picture_brings_its_outlines(
    client: FlaskClient, session: ScriptedSession
) -> None:
    session.live = (5, JPEG)
    answer = client.get("/picture/live")
    assert answer.data == JPEG
    assert answer.headers["X-Picture"] == "5"
    assert answer.headers["Cache-Control"] == "no-store"
    look = json.loads(answer.headers["X-Look"])
    assert [card["text"] for card in look["cards"]] == ["R1", "Y3", "P2", "B4?G4"]
    assert look["cards"][0]["quad"][0] == [0.2, 0.3]


def test_a_guessed_place_is_outlined_as_a_players(
    client: FlaskClient, session: ScriptedSession
) -> None:
    session.live = (5, JPEG)
    zones = Zones().put("pile ?1", box(0.8, 0.7)).put("faces Ann", box(0.1, 0.7))
    session.shown = replace(session.shown, zones=zones)
    look = json.loads(client.get("/picture/live").headers["X-Look"])
    labels = {zone["name"]: zone["label"] for zone in look["zones"]}
    assert labels == {"pile ?1": "Pile of a player (1)", "faces Ann": "T! cards of Ann"}


def test_a_picture_that_was_seen_is_not_sent_again(
    client: FlaskClient, session: ScriptedSession
) -> None:
    session.live = (5, JPEG)
    assert client.get("/picture/live?after=5").status_code == 204
    assert client.get("/picture/live?after=4").status_code == 200


def test_without_a_camera_there_is_no_live_picture(client: FlaskClient) -> None:
    answer = client.get("/picture/live")
    assert answer.status_code == 404
    assert "camera" in answer.get_json()["error"]["message"]


def test_a_kept_picture_is_the_same_for_ever(client: FlaskClient) -> None:
    answer = client.get(f"/picture/{SHA}.jpg")
    assert answer.data == JPEG
    assert "immutable" in answer.headers["Cache-Control"]
    again = client.get(f"/picture/{SHA}.jpg", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize("name", ["0" * 64, "x", "..", "A" * 64, "0" * 63])
def test_a_picture_that_is_not_there(client: FlaskClient, name: str) -> None:
    assert client.get(f"/picture/{name}.jpg").status_code == 404
