"""Stories about a night that tells what happened, and keeps what the players choose."""

from __future__ import annotations

import pytest

from companion.errors import BadInput, NotFound
from companion.night.session import Session
from companion.table.story_values import Deed
from companion.vision.values import TableState
from tests.night.fakes import FakeTable


@pytest.fixture
def table(session: Session) -> FakeTable:
    """Ann and Ben play, Ann deals, so Ben begins; two cards lie there, the target is 9."""
    session.start_match(["Ann", "Ben"], "65")
    table = FakeTable(session)
    table.shows(["R1", "Y3"], deck="#9")
    return table


def tales(session: Session) -> list[str]:
    return [str(told.tale) for told in session.snapshot().story.told]


def running(session: Session) -> list[str]:
    return [str(line) for line in session.snapshot().story.running]


def test_a_view_is_one_step_however_many_raw_events_it_has(
    session: Session, table: FakeTable
) -> None:
    table.shows(["", "", "B2", "P1"], deck="#8")
    assert tales(session) == [
        "R1, Y3 dealt; the target is now 9",
        "TWEAK: a 5 from the hand, colour not seen, and R1 + Y3 make 9; "
        "table filled with B2, P1; the target is now 8",
    ]
    assert running(session) == ["0", "10-11"]


def test_each_step_has_the_pictures_before_and_after(session: Session, table: FakeTable) -> None:
    table.shows(["R1", "Y3", "G5"], deck="#9")
    shown = session.snapshot()
    event = next(event for event in shown.events if event.id == shown.story.told[-1].id)
    assert session.picture(event.picture_before or "") == b"picture 10"
    assert session.picture(event.picture_after or "") == b"picture 20"


def test_a_choice_is_kept_undone_and_brought_again(session: Session, table: FakeTable) -> None:
    table.shows(["", "Y3"], deck="#9")
    told = session.snapshot().story.told[-1]
    wrong = next(t for t in told.others if t.happenings[0].deed is Deed.NOTHING)
    assert running(session) == ["0", "0"]
    story = session.choose_happening(told.id, player="Ann").story
    assert story.told[-1].tale.happenings[0].seat == 0
    session.choose_happening(told.id, wrong.key)
    assert running(session) == ["0", "0"]
    session.undo()
    assert session.snapshot().story.told[-1].tale.happenings[0].seat == 0
    session.redo()
    assert Session(session._ledger.journal).snapshot().story == session.snapshot().story


def test_the_raw_readings_stay_whatever_is_chosen(session: Session, table: FakeTable) -> None:
    table.shows(["R1", "Y3", "G5?B5"], deck="#9")
    before = session.snapshot()
    told = before.story.told[-1]
    session.choose_happening(told.id, told.others[0].key)
    assert session.snapshot().events == before.events
    assert before.events[0].text == "G5?B5 laid"


def test_a_camera_that_freezes_in_mid_turn_loses_no_turn(
    session: Session, table: FakeTable
) -> None:
    table.hides_under_a_hand()
    table.shows(["R1", "Y3"], deck="#9", state=TableState.NO_CAMERA)
    table.shows(["R1", "", "G5"], deck="#8")
    assert tales(session)[1] == (
        "a 6 from the hand, colour not seen, and Y3 make 9; G5 laid; the target is now 8"
    )
    assert running(session) == ["0", "2-4"]


def test_a_card_under_glare_for_ten_frames_is_no_sum(session: Session, table: FakeTable) -> None:
    table.shows(["R1", "Y3", "G5"], deck="#9")
    for _ in range(10):
        table.shows(["R1", "", "G5"], deck="#9")
    table.shows(["R1", "Y3", "G5"], deck="#9")
    assert tales(session)[-1] == "Y3 lay there all the time"
    assert running(session) == ["0", "0"]


def test_a_card_half_covered_and_read_in_doubt_is_no_happening(
    session: Session, table: FakeTable
) -> None:
    before = tales(session)
    table.shows(["R1", "Y3?O3"], deck="#9")
    table.shows(["R1", "?"], deck="#9")
    table.shows(["R1", "Y3"], deck="#9")
    assert tales(session) == before


def test_two_equal_cards_are_told_apart(session: Session, table: FakeTable) -> None:
    table.shows(["R1", "Y3", "R1"], deck="#9")
    table.shows(["R1", "Y3", ""], deck="#9")
    table.shows(["", "Y3", ""], deck="#9")
    story = session.snapshot().story
    assert [str(reading) for reading in story.standing.table] == ["Y3"]


def test_the_decks_last_card(session: Session, table: FakeTable) -> None:
    table.shows(["R1", "Y3", "G5"], deck="=7")
    table.shows(["", "", "G5"], deck="=7")
    assert tales(session)[1:] == [
        "G5 laid; the deck is gone, the target stays 7",
        "a 3 from the hand, colour not seen, and R1 + Y3 make 7",
    ]


def test_a_table_dealt_before_the_match_starts_belongs_to_it(session: Session) -> None:
    table = FakeTable(session)
    table.shows(["R1", "Y3"], deck="#9")
    session.start_match(["Ann", "Ben"], "65")
    table.shows(["", "Y3", ""], deck="#9")
    table.shows(["", "Y3", "G5"], deck="#9")
    seats = [told.tale.happenings[0].seat for told in session.snapshot().story.told]
    assert seats == [None, 1, None]


def test_a_new_round_begins_a_new_story(session: Session, table: FakeTable) -> None:
    table.shows(["", "Y3"], deck="#9")
    for player in ("Ann", "Ben"):
        session.add_batch(player, ["G1"])
        session.confirm_count(player)
    story = session.close_round().story
    assert (story.told, [line.high for line in story.running]) == ((), [0, 0])
    assert story.setting.first == 0


def test_another_dealer_tells_the_round_anew(session: Session, table: FakeTable) -> None:
    table.shows(["R1", "Y3", "G5"], deck="#9")
    story = session.set_dealer("Ben").story
    assert story.told[-1].tale.happenings[0].seat == 0


def test_a_choice_that_fits_nothing_leaves_all_as_it_was(
    session: Session, table: FakeTable
) -> None:
    before = session.snapshot()
    told = before.story.told[-1]
    with pytest.raises(BadInput, match="what happened, or who"):
        session.choose_happening(told.id)
    with pytest.raises(BadInput, match="none of the ways"):
        session.choose_happening(told.id, "a goal")
    with pytest.raises(NotFound, match="not of this round"):
        session.choose_happening(999, "a goal")
    with pytest.raises(NotFound, match="not in this match"):
        session.choose_happening(told.id, player="Zoe")
    assert session.snapshot() is before
