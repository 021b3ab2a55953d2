from __future__ import annotations

import threading
from pathlib import Path

import pytest

from companion.errors import BadInput
from companion.night.director import Director, Line, perform, read_script
from companion.night.session import Session
from tests.night.fakes import DECK, FakeTable

SCRIPT = """
{"at_s": 0.0, "do": "zones", "deck": [[0, 0.5], [0.2, 0.5], [0.2, 1], [0, 1]], "table": null}
{"at_s": 0.1, "do": "start_match", "players": ["Ann", "Ben"], "edition": "65", "colours": ["red", "blue", "green", "yellow"]}

{"at_s": 2.0, "do": "claim", "player": "Ann", "hand": "G5", "taken": ["R1", "Y3"], "said_tweak": true, "spoken": "5 and 1 is 6, and 3 is 9", "tweak": null}
{"at_s": 3.0, "do": "count_batch", "player": "Ann"}
{"at_s": 4.0, "do": "confirm", "player": "Ann", "tweaks": ["T!joker"]}
{"at_s": 4.1, "do": "confirm", "player": "Ben", "tweaks": []}
{"at_s": 5.0, "do": "close_round"}
"""  # noqa: E501


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.jsonl"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


def test_a_script_plays_a_round_through_the_sessions_own_commands(
    session: Session, script: Path
) -> None:
    table = FakeTable(session)
    for line in read_script(script):
        if line.do == "claim":
            table.shows(["R1", "Y3"], deck="#9")
        if line.do == "count_batch":
            table.shows(["", "", "G5", "R1", "Y3"])
        perform(session, line)
    shown = session.snapshot()
    assert shown.zones.deck == DECK
    assert shown.claims[0].ruling.wins_tweak
    assert shown.match is not None
    assert shown.match.totals == (10, 0)


def test_steps_come_when_the_clip_is_there_and_a_refused_one_is_passed_over(
    session: Session, caplog: pytest.LogCaptureFixture
) -> None:
    position_s: list[float | None] = [None]
    lines = [
        Line(1.0, "close_round"),
        Line(2.0, "start_match", {"players": ["Ann", "Ben"], "edition": "65"}),
    ]
    director = Director(session, lines, lambda: position_s[0]).start()
    assert session.wait(0, timeout_s=0.2) is None
    position_s[0] = 1.5
    assert session.wait(0, timeout_s=0.3) is None
    position_s[0] = 2.0
    news = session.wait(0, timeout_s=5.0)
    director.stop()
    assert news is not None
    assert news.match is not None
    assert "close_round was refused: no match is running" in caplog.text


def test_a_claim_waits_a_little_for_the_eyes(session: Session) -> None:
    session.start_match(["Ann", "Ben"], "65")
    table = FakeTable(session)
    lines = [Line(0.0, "claim", {"player": "Ann", "hand": "G5", "taken": ["R1"]})]
    director = Director(session, lines, lambda: 1.0).start()
    assert session.wait(1, timeout_s=0.3) is None
    table.shows(["R1"], deck="#9")
    while not session.snapshot().claims:
        assert session.wait(session.snapshot().id, timeout_s=5.0)
    director.stop()
    assert session.snapshot().claims[0].evidence == "camera"


def test_the_clip_is_held_until_the_eyes_have_settled_on_what_it_shows(session: Session) -> None:
    # Given a table that the eyes saw before the last card came, and a clip that has gone on
    session.start_match(["Ann", "Ben"], "65")
    table = FakeTable(session)
    table.shows(["R1"], deck="#9")
    held: list[bool] = []
    lines = [Line(0.0, "claim", {"player": "Ann", "hand": "G5", "taken": ["R1", "Y3"]})]
    director = Director(session, lines, lambda: 1.0, held.append).start()
    # When the claim is due, then the clip stops and nothing is judged on the old view
    assert session.wait(session.snapshot().id, timeout_s=0.3) is None
    assert held == [True]
    # When the eyes have caught up, then it is judged and the clip goes on
    table.shows(["R1", "Y3"], deck="#9")
    while not session.snapshot().claims:
        assert session.wait(session.snapshot().id, timeout_s=5.0)
    while not director.finished:
        threading.Event().wait(0.01)
    assert held == [True, False]
    assert session.snapshot().claims[0].ruling.ruling.value == "legal"


def test_a_director_can_be_stopped_in_mid_script(session: Session) -> None:
    director = Director(session, [Line(99.0, "close_round")], lambda: 1.0).start()
    director.stop()
    assert director.finished
    assert not any(thread.name == "director" for thread in threading.enumerate())


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{half", "line 1: wanted a JSON object with at_s and do"),
        ("[]", "line 1: wanted a JSON object"),
        ('{"at_s": 1}', "line 1: wanted a JSON object"),
        ('{"at_s": 1, "do": "dance"}', "'dance' is none of start_match, zones"),
    ],
)
def test_a_broken_script_is_one_line(tmp_path: Path, text: str, wanted: str) -> None:
    path = tmp_path / "script.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=wanted):
        read_script(path)
    with pytest.raises(BadInput, match="No such file"):
        read_script(tmp_path / "nowhere")


def test_a_step_that_lacks_something_is_refused(session: Session) -> None:
    with pytest.raises(BadInput, match="the step claim lacks 'player'"):
        perform(session, Line(0.0, "claim"))
