"""Stories about the page that tells what happened."""

from __future__ import annotations

from dataclasses import replace

from flask.testing import FlaskClient

from companion.errors import BadInput
from companion.table.story import Story
from companion.table.story_values import Setting, Step
from companion.table.values import EventKind, TableEvent, parse_reading
from tests.server.scripted import ScriptedSession


def seen(kind: str, *cards: str, after: int | None = None) -> TableEvent:
    return TableEvent(EventKind(kind), 0.0, 0, tuple(map(parse_reading, cards)), after=after)


def played(session: ScriptedSession, *taken: str) -> None:
    story = Story(Setting(players=2, first=0))
    dealt = (seen("laid", "R1"), seen("laid", "Y3"), seen("target", after=9))
    story = story.saw(1, Step(dealt)).saw(4, Step((seen("laid", "G5"),)))
    session.shown = replace(session.shown, story=story.saw(5, Step((seen("taken", *taken),))))


def test_the_page_tells_sum_rule_and_running_score(
    client: FlaskClient, session: ScriptedSession
) -> None:
    played(session, "R1", "Y3")
    page = client.get("/table/").get_data(as_text=True)
    assert "a 5 from the hand, colour not seen, and R1 + Y3 make 9" in page
    assert '/rules/#T1"' in page
    assert ": 8-9</span>" in page


def test_other_tales_are_one_tap_away(client: FlaskClient, session: ScriptedSession) -> None:
    played(session, "R1", "Y3")
    page = client.get("/table/").get_data(as_text=True)
    assert 'action="/table/steps/5"' in page
    assert '<button name="tale" value="nothing happened, it was misread">' in page
    tap = {"tale": "nothing happened, it was misread"}
    assert client.post("/table/steps/5", data=tap).status_code == 200
    assert session.asked == [("choose_happening", (5, tap["tale"], None), {})]


def test_what_no_rule_allows_is_marked_in_words(
    client: FlaskClient, session: ScriptedSession
) -> None:
    played(session, "R1")
    page = client.get("/table/").get_data(as_text=True)
    assert "R1 taken, and no sum fits" in page
    assert "no rule allows it" in page
    assert "It counts all the same" in page


def test_a_choice_that_is_refused_says_why(client: FlaskClient, session: ScriptedSession) -> None:
    session.refusal = BadInput("that is none of the ways in which it can have happened")
    answer = client.post("/table/steps/5", data={"tale": "a goal"})
    assert answer.status_code == 400
    assert "none of the ways" in answer.get_json()["error"]["message"]
