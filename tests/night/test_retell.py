"""Stories about evidence that is told again: what happened between its views, by the law."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.night.bundle import Bundle, read_bundle, save_bundle
from companion.night.retell import (
    NO_MATCH,
    ONE_CLAIM,
    RECORDED,
    TAPPED,
    StoryLine,
    recorded,
    replayed,
    retold,
)
from companion.night.session import Session
from companion.settings import Settings
from companion.table.values import EventKind, TableEvent, parse_reading
from tests.night.fakes import FakeTable

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def night(session: Session) -> Session:
    """A night in which nothing has happened yet; every view has a picture of its own."""
    return session


@pytest.fixture
def table(night: Session) -> FakeTable:
    """Ann and Ben play, Ben begins; R1 and Y3 lie there, and the target is 9."""
    night.start_match(["Ann", "Ben"], "65")
    table = FakeTable(night)
    table.shows(["R1", "Y3"], deck="#9")
    return table


def packed(night: Session, claim: int | None = None) -> Path:
    """The file of one claim, or of the whole night."""
    address = str(night._ledger.journal._engine.url)
    path = Path(address.removeprefix("sqlite:///")).with_name("night.zip")
    save_bundle(path, claim, Settings(database=address))
    return path


def bundle_of(night: Session, claim: int | None = None) -> Bundle:
    return read_bundle(packed(night, claim))


def told(bundle: Bundle) -> list[str]:
    return [line.event for line in retold(bundle).lines.values()]


def test_a_round_is_told_as_the_live_table_told_it(night: Session, table: FakeTable) -> None:
    # Given a TWEAK, a card laid, and cards that no sum can take
    table.shows(["", "", "B2", "P1"], deck="#8")
    table.shows(["", "", "B2", "P1", "G5"], deck="#8")
    table.shows(["", "", "B2", "P1", "", "O4", "Y6"], deck="#8")
    # When the night's evidence is told again
    bundle = bundle_of(night)
    # Then each step has the live table's tales, with who did it and by which rules
    story = night.snapshot().story
    lines = [line for line in retold(bundle).lines.values() if isinstance(line, StoryLine)]
    assert [line.told for line in lines] == list(story.told)
    assert told(bundle) == [
        "R1, Y3 dealt (S2); the target is now 9 (T2)",
        "P2: TWEAK: a 5 from the hand, colour not seen, and R1 + Y3 make 9 (T1 T5); "
        "table filled with B2, P1 (T7); the target is now 8 (T2)",
        "P1: G5 laid (T6)",
        "P2: a 3 from the hand, colour not seen, and G5 make 8 (T1); P1: O4 laid (T6); "
        "P2: Y6 laid (T6)",
    ]
    assert retold(bundle).lacks == ()


def test_the_story_stands_between_the_events_and_is_wanted_by_name(
    night: Session, table: FakeTable
) -> None:
    table.shows(["R1", "Y3", "G5"], deck="#9")
    bundle = bundle_of(night)
    plain, lacks = replayed(bundle)
    assert [line.event for line in plain] == ["R1 laid", "Y3 laid", "target ? → 9", "G5 laid"]
    assert lacks == ()
    lines, _ = replayed(bundle, story=True)
    assert [line.event for line in lines] == [
        "R1 laid",
        "Y3 laid",
        "target ? → 9",
        "R1, Y3 dealt (S2); the target is now 9 (T2)",
        "G5 laid",
        "P2: G5 laid (T6)",
    ]


def test_what_the_players_chose_and_what_was_only_glare_is_told_so(
    night: Session, table: FakeTable
) -> None:
    # Given a card that was out of sight for a moment, and one laid by another player than thought
    table.shows(["R1", ""], deck="#9")
    table.shows(["R1", "Y3"], deck="#9")
    table.shows(["R1", "Y3", "G5"], deck="#9")
    step = night.snapshot().story.told[-1]
    night.choose_happening(step.id, player="Ann")
    thief = next(tale for tale in step.others if "Thief" in tale.key)
    night.choose_happening(step.id, thief.key)
    # Then the last word on each step is the one that is told
    glare, back, chosen = told(bundle_of(night))[1:]
    assert glare.endswith("taken back, for its cards were seen there again")
    assert back == "Y3 lay there all the time"
    assert chosen == "P1: Thief: G5 to the table (T5), no rule allows it; as chosen"


def test_the_other_ways_it_can_have_been_are_told_too(night: Session, table: FakeTable) -> None:
    table.shows(["R1", ""], deck="#9")
    lines, _ = replayed(bundle_of(night), story=True)
    line = list(lines)[-1]
    assert isinstance(line, StoryLine)
    others = [f"or: {tale}" for tale in night.snapshot().story.told[-1].others]
    assert others
    assert [text.strip() for text in str(line).splitlines()[1:]] == others
    found = line.to_json()["story"]
    assert found["happenings"][0]["player"] == "P2"
    assert (found["entered"], found["chosen"], found["returned"]) == (True, False, False)
    assert found["others"][-1] == "nothing happened, it was misread"


def test_a_round_that_began_unseen_is_told_with_what_it_lacks(night: Session) -> None:
    # Given a table that is looked at in the midst of its round, before anybody said who plays
    table = FakeTable(night)
    table.shows(["R1", "Y3", "B2"], deck="#9")
    table.shows(["R1", "Y3", ""], deck="#9")
    assert retold(bundle_of(night)).lacks == (NO_MATCH,)
    night.start_match(["Ann", "Ben"], "65")
    table.shows([], deck=None)
    table.shows(["R1", "Y3", "B2"], deck="#9")
    table.shows(["R1", "Y3", ""], deck="#9")
    # Then the file says that nobody knows whose turn it was
    found = retold(bundle_of(night))
    assert any("was not seen from its deal on" in lack for lack in found.lacks)
    assert told(bundle_of(night))[-1] == (
        "a 6 from the hand, colour not seen, and B2 make 8, with a Joker (T1 X3)"
    )


def test_a_night_by_tap_has_no_story(night: Session) -> None:
    night.start_match(["Ann", "Ben"], "65")
    night.claim("Ann", "G5", ["R1", "Y3"], table=["R1", "Y3"], target=9)
    for found in (bundle_of(night), bundle_of(night, night.snapshot().claims[0].id)):
        assert retold(found).lines == {}
        assert retold(found).lacks == (TAPPED,)


def test_the_file_of_one_claim_tells_its_play_and_says_what_it_lacks(
    night: Session, table: FakeTable
) -> None:
    # Given a claim in the midst of a round, whose doubtful card was shown afterwards
    table.shows(["R1", "Y3", "B2?B3"], deck="#9")
    table.shows(["R1", "Y3", "B2?B3", "O4"], deck="#9")
    claim = night.claim("Ben", "G5", ["R1", "B3"]).claims[0].id
    table.shows(["", "Y3", "", "O4"], deck="#9")
    table.shows(["", "Y3", "", "O4", "B3"], deck="#9")
    table.shows(["", "Y3", "", "O4"], deck="#9")
    # When that one claim is told again
    found = retold(bundle_of(night, claim))
    # Then its play is told on the table that the claim saw, and the card shown is no play
    play, shown, away = (line.event for line in found.lines.values())
    assert play == "P2: a 6 from the hand, colour not seen, and R1 + B2?B3 make 9 (T1)"
    others = [str(tale) for tale in next(iter(found.lines.values())).told.others]
    assert "a 5 from the hand, colour not seen, and R1 + B2?B3 make 9" in others
    assert shown == "nothing happened, it was misread; as chosen"
    assert away == "nothing happened, it was misread; as chosen"
    # And what led to that table is named, and not told
    before = f"the view before that of claim {claim} is not in the report: O4 laid is not told"
    assert found.lacks == (ONE_CLAIM, before)


def test_a_claim_that_no_later_view_follows_has_no_play_to_tell(
    night: Session, table: FakeTable
) -> None:
    claim = night.claim("Ben", "G5", ["R1", "Y3"], said_tweak=True).claims[0].id
    found = retold(bundle_of(night, claim))
    assert found.lines == {}
    assert found.lacks[-1] == (
        f"no view after that of claim {claim} is in the report: its play is not told"
    )
    assert table.number == 10


def test_a_hand_card_that_lay_beside_the_sum_is_told_as_one(
    night: Session, table: FakeTable
) -> None:
    table.shows(["R1", "Y3", "G5"], deck="#9")
    claim = night.claim("Ben", "G5", ["R1", "Y3"], said_tweak=True).claims[0].id
    table.shows([], deck="#9")
    (line,) = retold(bundle_of(night, claim)).lines.values()
    assert line.event == "P2: TWEAK: G5 and R1 + Y3 make 9 (T1 T5)"


def test_a_recording_is_told_as_it_goes_and_knows_no_players() -> None:
    def seen(kind: str, frame: int, *cards: str, after: int | None = None) -> TableEvent:
        readings = tuple(map(parse_reading, cards))
        return TableEvent(EventKind(kind), frame / 10, frame, readings, after=after)

    happened = [
        seen("laid", 10, "R1"),
        seen("laid", 10, "Y3"),
        seen("target", 10, after=9),
        seen("taken", 50, "R1", "Y3"),
    ]
    lines, lacks = recorded(happened, story=True)
    assert [line.event for line in lines][3:] == [
        "R1, Y3 dealt (S2); the target is now 9 (T2)",
        "R1 and Y3 taken",
        "TWEAK: a 5 from the hand, colour not seen, and R1 + Y3 make 9 (T1 T5)",
    ]
    assert lacks == (RECORDED,)
    plain, _ = recorded(happened)
    assert [line.to_json() for line in plain][-1] == {
        "at_s": 5.0,
        "event": "R1 and Y3 taken",
        "frame": 50,
    }


def test_the_command_prints_the_story_and_says_what_is_lacking_apart_from_it(
    night: Session, table: FakeTable
) -> None:
    claim = night.claim("Ben", "G5", ["R1", "Y3"], said_tweak=True).claims[0].id
    table.shows(["", ""], deck="#8")
    path = packed(night, claim)
    ours = {name: value for name, value in os.environ.items() if not name.startswith("COMPANION_")}
    command = [sys.executable, "-m", "companion", "replay", str(path), "--story", "--json"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=ours | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    (story,) = [line for line in lines if "story" in line]
    assert story["story"]["happenings"][0]["player"] == "P2"
    assert story["event"].startswith("P2: TWEAK: a 5 from the hand")
    assert f"companion: {ONE_CLAIM}" in done.stderr.splitlines()
