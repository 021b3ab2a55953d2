from __future__ import annotations

import pytest

from companion.errors import BadInput, NotFound
from companion.night.session import Session
from companion.night.values import PlayerCount
from companion.vision.values import TableState
from tests.night.fakes import FakeTable


def count_of(session: Session, player: str) -> PlayerCount:
    match = session.snapshot().match
    assert match is not None
    return match.counting[match.players.index(player)]


@pytest.fixture
def table(session: Session) -> FakeTable:
    session.start_match(["Ann", "Ben"], "65")
    return FakeTable(session)


def test_a_pile_is_counted_by_tap_alone(session: Session) -> None:
    session.start_match(["Ann", "Ben"], "65")
    session.add_batch("Ann", ["R5", "G5", "r1"])
    session.add_batch("Ann", ["G1"])
    session.confirm_count("Ann", ["T!joker", "T!"])
    count = count_of(session, "Ann")
    assert (count.points, count.points_low, count.points_high) == (17, 17, 17)
    assert [(line.label, line.count) for line in count.lines] == [
        ("ordinary", 1), ("red", 1), ("five", 1), ("red five", 1), ("T!", 2),
    ]  # fmt: skip
    assert count.confirmed


def test_won_cards_before_the_camera_are_counted_with_their_picture(
    session: Session, table: FakeTable
) -> None:
    table.shows(["R5", "G5", "Y1"])
    session.add_batch("Ann")
    (batch,) = count_of(session, "Ann").batches
    assert batch.source == "camera"
    assert sorted(card.card or "" for card in batch.cards) == ["G5", "R5", "Y1"]
    assert batch.picture is not None
    assert session.picture(batch.picture) == b"picture 10"
    assert count_of(session, "Ann").points == 10


def test_a_doubtful_card_waits_and_its_points_are_a_range(
    session: Session, table: FakeTable
) -> None:
    table.shows(["R1", "R5?O5"])
    session.add_batch("Ann")
    count = count_of(session, "Ann")
    assert (count.points, count.points_low, count.points_high) == (3, 7, 8)
    with pytest.raises(BadInput, match=r"card 'R5\?O5' of Ann is doubtful"):
        session.confirm_count("Ann")
    (doubtful,) = count.doubtful
    session.correct_card("Ann", doubtful, "O5")
    card = count_of(session, "Ann").batches[0].cards[0]
    assert (card.seen, card.card, card.corrected, card.points) == ("R5?O5", "O5", True, 4)
    session.confirm_count("Ann")
    assert count_of(session, "Ann").points == 7


def test_a_card_that_is_none_of_ours_can_be_taken_out(session: Session, table: FakeTable) -> None:
    table.shows(["R1", "?"])
    session.add_batch("Ann")
    count = count_of(session, "Ann")
    assert (count.points_low, count.points_high) == (3, 8)
    session.remove_card("Ann", count.doubtful[0])
    assert count_of(session, "Ann").doubtful == ()
    assert [card.card for card in count_of(session, "Ann").batches[0].cards] == ["R1"]
    session.undo()
    assert count_of(session, "Ann").doubtful == count.doubtful


def test_the_same_cards_are_not_counted_twice(session: Session, table: FakeTable) -> None:
    table.shows(["R5", "G5", "Y1"])
    session.add_batch("Ann")
    with pytest.raises(BadInput, match="counted already"):
        session.add_batch("Ann")
    with pytest.raises(BadInput, match="counted already"):
        session.add_batch("Ben")
    table.shows(["R5", "G5", "Y1"])
    with pytest.raises(BadInput, match="counted already"):
        session.add_batch("Ben")
    table.shows(["", "", "", "O2", "O3"])
    session.add_batch("Ben")
    assert count_of(session, "Ben").points == 2


def test_a_batch_taken_back_can_be_counted_for_somebody_else(
    session: Session, table: FakeTable
) -> None:
    table.shows(["R5"])
    session.add_batch("Ann")
    session.undo()
    session.add_batch("Ben")
    assert count_of(session, "Ann").batches == ()
    assert count_of(session, "Ben").points == 5


def test_nothing_is_counted_while_the_table_moves_or_is_bare(
    session: Session, table: FakeTable
) -> None:
    with pytest.raises(BadInput, match="no picture comes in: tap the cards in instead"):
        session.add_batch("Ann")
    table.shows([])
    with pytest.raises(BadInput, match="no card lies before the camera"):
        session.add_batch("Ann")
    table.shows(["R5"])
    table.hides_under_a_hand()
    with pytest.raises(BadInput, match="wait till the cards lie still: something reaches"):
        session.add_batch("Ann")
    table.shows(["R5"], state=TableState.MOVING)
    with pytest.raises(BadInput, match="wait till the cards lie still: moving"):
        session.add_batch("Ann")


def test_backs_and_the_deck_score_for_nobody(session: Session, table: FakeTable) -> None:
    table.shows(["R5", "#8", "T!joker", "=7"], deck="#9")
    session.add_batch("Ann")
    assert [card.card for card in count_of(session, "Ann").batches[0].cards] == ["R5"]


def test_a_change_opens_a_confirmed_count_again(session: Session) -> None:
    session.start_match(["Ann", "Ben"], "65")
    session.add_batch("Ann", ["R5"])
    session.confirm_count("Ann", ["T!bomb"])
    session.start_count("Ann")
    assert not count_of(session, "Ann").confirmed
    assert count_of(session, "Ann").tweaks_won == ("T!bomb",)
    session.confirm_count("Ann", ["T!bomb"])
    session.add_batch("Ann", ["G1"])
    assert not count_of(session, "Ann").confirmed


@pytest.mark.parametrize("cards", [["R5", "R5"], ["R7"], ["P1"], ["=7"], [], "R5"])
def test_cards_that_cannot_be_won_are_refused(session: Session, cards: list[str]) -> None:
    session.start_match(["Ann", "Ben"], "65")
    before = session.snapshot()
    with pytest.raises(BadInput):
        session.add_batch("Ann", cards)
    assert session.snapshot() is before


def test_a_card_is_in_one_pile_only(session: Session) -> None:
    session.start_match(["Ann", "Ben"], "65")
    session.add_batch("Ann", ["R5", "R1", "G1"])
    with pytest.raises(BadInput, match="R5 exists once"):
        session.add_batch("Ben", ["R5"])
    session.add_batch("Ben", ["R1"])
    with pytest.raises(BadInput, match="R1 exists twice, but it is named 3 times"):
        session.correct_card("Ann", count_of(session, "Ann").batches[0].cards[2].id, "R1")


@pytest.mark.parametrize("tweaks", [["R5"], ["T!back"], ["T!bomb", "T!bomb"], ["T!wizard"]])
def test_t_cards_that_the_box_lacks_are_refused(session: Session, tweaks: list[str]) -> None:
    session.start_match(["Ann", "Ben"], "65")
    with pytest.raises(BadInput):
        session.confirm_count("Ann", tweaks)
    assert not count_of(session, "Ann").confirmed


def test_a_count_for_somebody_who_is_not_there_is_refused(session: Session) -> None:
    with pytest.raises(NotFound, match="no match is running"):
        session.add_batch("Ann", ["R5"])
    session.start_match(["Ann", "Ben"], "65")
    for command in (session.start_count, session.add_batch, session.confirm_count):
        with pytest.raises(NotFound, match="'Cleo' is not in this match: wanted one of Ann, Ben"):
            command("Cleo")
    with pytest.raises(NotFound, match=r"no card '1\.0' is counted for Ann"):
        session.correct_card("Ann", "1.0", "R5")
