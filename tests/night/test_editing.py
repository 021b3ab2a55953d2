"""Closed rounds put right: earlier ones too, and those of matches that are over."""

from __future__ import annotations

import pytest

from companion.errors import BadInput, NotFound
from companion.night.session import Session
from companion.night.values import ON_TABLE, MatchNow
from tests.night.fakes import FakeTable


def match_of(session: Session) -> MatchNow:
    match = session.snapshot().match
    assert match is not None
    return match


def play(session: Session, ann: list[str], ben: list[str]) -> None:
    session.add_batch("Ann", ann)
    if ben:
        session.add_batch("Ben", ben)
    session.confirm_count("Ann")
    session.confirm_count("Ben")
    session.close_round()


@pytest.fixture
def over(session: Session) -> Session:
    """Ann has won by 11 to 9, after two rounds."""
    session.start_match(["Ann", "Ben"], "65", threshold=10)
    play(session, ["R5"], ["G5", "Y5"])
    play(session, ["R1", "R2"], ["G1"])
    return session


def test_an_edit_of_an_earlier_round_moves_the_winner(over: Session) -> None:
    assert match_of(over).winners == ("Ann",)
    over.edit_round(1, "Ann", ["G1"])
    match = over.edit_round(1, "Ben", ["G5", "Y5", "R5"]).match
    assert match is not None
    assert (match.totals, match.over, match.winners) == ((7, 14), True, ("Ben",))


def test_an_edit_takes_a_match_back_from_its_end_and_it_goes_on(over: Session) -> None:
    over.edit_round(2, "Ann", ["R1"])
    assert (match_of(over).over, match_of(over).totals) == (False, (8, 9))
    play(over, ["R1"], [])
    assert match_of(over).winners == ("Ann",)


def test_a_round_of_a_match_that_has_ended_is_put_right(over: Session) -> None:
    # Given that match, ended, and another one that runs
    first = match_of(over).id
    over.start_match(["Ann", "Cleo"], "65")
    # When its last round is put right
    over.edit_round(2, "Ann", ["O1"], match=first)
    # Then its winner follows, and the running match is as it was
    (earlier,) = over.snapshot().earlier
    assert (earlier.totals, earlier.winners) == ((6, 9), ())
    assert match_of(over).players == ("Ann", "Cleo")
    over.undo()
    assert over.snapshot().earlier[0].winners == ("Ann",)


def test_after_the_end_the_newest_match_is_edited_without_naming_it(over: Session) -> None:
    over.end_match()
    over.edit_round(2, "Ann", ["R1"])
    assert match_of(over).totals == (8, 9)
    assert match_of(over).ended is not None


def test_what_the_camera_read_stays_with_the_cards_that_are_kept(session: Session) -> None:
    # Given a count by camera, one card of which the players put right
    session.start_match(["Ann", "Ben"], "65")
    table = FakeTable(session)
    table.shows(["R5?O5", "G1", "Y1"])
    session.add_batch("Ann")
    session.correct_card("Ann", match_of(session).counting[0].doubtful[0], "O5")
    session.confirm_count("Ann")
    session.confirm_count("Ben")
    session.close_round()
    # When one of its cards goes and another comes
    session.edit_round(1, "Ann", ["O5", "G1", "R2"])
    count = match_of(session).rounds[0].counts[0]
    # Then the kept ones have their readings and their picture, and the new one was tapped
    assert [(card.seen, card.card) for card in count.cards] == [
        ("R5?O5", "O5"), ("G1", "G1"), ("R2", "R2"),
    ]  # fmt: skip
    assert [batch.source for batch in count.batches] == ["camera", "tap"]
    assert count.batches[0].picture is not None
    assert count.points == 8


def test_the_missing_and_the_left_follow_an_edit(over: Session) -> None:
    over.edit_round(1, ON_TABLE, ["Y1", "Y1"])
    closed = match_of(over).rounds[0]
    assert [card.card for card in closed.left.cards] == ["Y1", "Y1"]
    assert "Y1" not in closed.missing
    assert closed.points == (5, 8)


@pytest.mark.parametrize(
    ("cards", "tweaks", "sentence"),
    [
        (["R5", "G5"], [], "G5 exists once, but it is named 2 times"),
        (["P1"], [], "P1 is not in play: purple was left in the box"),
        (["R9"], [], "is no card"),
        (["R5"], ["T!bomb", "T!bomb"], "T!bomb exists once"),
    ],
)
def test_an_edit_that_breaks_the_deck_is_refused(
    over: Session, cards: list[str], tweaks: list[str], sentence: str
) -> None:
    before = over.snapshot()
    with pytest.raises(BadInput, match=sentence):
        over.edit_round(1, "Ann", cards, tweaks)
    assert over.snapshot() is before


def test_an_edit_of_what_is_not_there_is_refused(over: Session) -> None:
    with pytest.raises(NotFound, match="round 3 is not closed: wanted 1 to 2"):
        over.edit_round(3, "Ann", ["R5"])
    with pytest.raises(NotFound, match="there is no such match"):
        over.edit_round(1, "Ann", ["R5"], match=999)
    with pytest.raises(NotFound, match="'Cleo' is not in this match"):
        over.edit_round(1, "Cleo", ["R5"])
