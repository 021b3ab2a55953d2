"""Errors have one shape for scripts and a page for people; commands come from this page only."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.errors import CameraError, JournalError
from companion.night.values import Step
from tests.server.scripted import ScriptedSession

WRONG = [
    ("GET", "/nowhere", 404),
    ("GET", "/table/claims/999", 404),
    ("GET", "/picture/live", 404),
    ("GET", "/match/10/rounds/9/0", 404),
    ("DELETE", "/table/", 405),
    ("GET", "/table/claim", 405),
    ("POST", "/count/0/add", 400),
    ("POST", "/count/77/look", 404),
]


@pytest.mark.parametrize(("method", "address", "code"), WRONG)
def test_every_refusal_has_the_one_shape(
    client: FlaskClient, method: str, address: str, code: int
) -> None:
    answer = client.open(address, method=method)
    assert answer.status_code == code
    told = answer.get_json()
    assert list(told) == ["error"]
    assert list(told["error"]) == ["message"]
    assert "\n" not in told["error"]["message"]


def test_people_get_a_page(client: FlaskClient) -> None:
    answer = client.get("/nowhere", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert "That did not work" in answer.get_data(as_text=True)


def test_too_much_at_once_is_refused(client: FlaskClient, session: ScriptedSession) -> None:
    answer = client.post("/match/start", data={"player": "x" * 100_000})
    assert answer.status_code == 413
    assert "message" in answer.get_json()["error"]
    assert session.asked == []


@pytest.mark.parametrize("error", [JournalError("the database is locked"), CameraError("black")])
def test_a_broken_promise_is_a_503(
    client: FlaskClient, session: ScriptedSession, error: JournalError
) -> None:
    session.refusal = error
    answer = client.post("/count/0/look")
    assert answer.status_code == 503
    assert answer.get_json() == {"error": {"message": str(error)}}


def test_a_bug_is_a_500_in_the_same_shape(app: Flask, session: ScriptedSession) -> None:
    def broken() -> str:
        raise ZeroDivisionError("a bug")

    app.add_url_rule("/broken", view_func=broken)
    answer = app.test_client().get("/broken")
    assert answer.status_code == 500
    assert "safe in the journal" in answer.get_json()["error"]["message"]


def test_the_page_of_a_problem_leans_on_nothing_that_could_be_broken(
    app: Flask, session: ScriptedSession
) -> None:
    session.shown = replace(session.shown, undo=Step(1, "claim", "", "%(broken)s"))
    answer = app.test_client().get("/table/", headers={"Accept": "text/html"})
    assert answer.status_code == 500
    assert "safe in the journal" in answer.get_data(as_text=True)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_another_website_gives_no_commands(
    client: FlaskClient, session: ScriptedSession, headers: dict[str, str]
) -> None:
    answer = client.post("/match/end", headers=headers)
    assert answer.status_code == 403
    assert session.asked == []


def test_our_own_page_gives_commands(client: FlaskClient, session: ScriptedSession) -> None:
    own = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/match/end", headers=own).status_code == 200
    assert [name for name, _, _ in session.asked] == ["end_match"]


def test_every_answer_keeps_strangers_out(client: FlaskClient) -> None:
    for address in ("/table/", "/health", "/nowhere"):
        headers = client.get(address).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
