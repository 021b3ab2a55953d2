from __future__ import annotations

import pytest

from companion.errors import BadInput, NotFound
from companion.night.journal import Journal
from companion.night.session import Session
from companion.night.values import ON_TABLE, BooksNow, PlayerCount
from companion.rules.cards import Colour
from companion.rules.editions import number_cards
from companion.vision.values import TableState
from tests.night.fakes import FakeTable


def count_of(session: Session, player: str) -> PlayerCount:
    match = session.snapshot().match
    assert match is not None
    return match.counting[match.players.index(player)]


def books_of(session: Session) -> BooksNow:
    match = session.snapshot().match
    assert match is not None
    return match.books


def everything_but(*texts: str) -> list[str]:
    """The cards of two players' round in the 65-card edition, but these."""
    colours = (Colour.RED, Colour.ORANGE, Colour.YELLOW, Colour.GREEN)
    cards = [str(card) for card in number_cards(colours)]
    for text in texts:
        cards.remove(text)
    return cards


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


def test_the_tray_must_be_seen_clear_between_batches(session: Session, table: FakeTable) -> None:
    # Given a batch that was counted, and other cards laid in its place at once
    table.shows(["R5", "G5", "Y1"])
    session.add_batch("Ann")
    table.shows(["", "", "", "O2", "O3"])
    assert session.snapshot().tray_full
    # Then nothing counts by camera, but everything by tap
    with pytest.raises(BadInput, match="so that the tray is seen clear, or tap the next cards in"):
        session.add_batch("Ben")
    session.add_batch("Ben", ["O2"])
    # Until the tray was seen clear
    table.shows([])
    assert not session.snapshot().tray_full
    table.shows(["", "", "", "O3"])
    session.add_batch("Ben")
    assert count_of(session, "Ben").points == 2


def test_after_a_restart_the_tray_must_be_seen_clear_as_well(
    session: Session, table: FakeTable, journal: Journal
) -> None:
    table.shows(["R5", "G5"])
    session.add_batch("Ann")
    again = FakeTable(Session(journal))
    again.shows(["", "", "", "O2"])
    with pytest.raises(BadInput, match="seen clear"):
        again.session.add_batch("Ann")


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


# --- the books ---------------------------------------------------------------------------------


def test_one_doubtful_card_is_settled_by_the_books_and_marked(
    session: Session, table: FakeTable
) -> None:
    # Given a five that is red or orange, with the red one in another pile
    table.shows(["R5?O5"])
    session.add_batch("Ann")
    assert count_of(session, "Ann").doubtful
    session.add_batch("Ben", ["R5"])
    # Then it is the orange one, beside its raw reading, and can be confirmed
    (card,) = count_of(session, "Ann").cards
    assert (card.seen, card.card, card.settled, card.corrected) == ("R5?O5", "O5", True, False)
    session.confirm_count("Ann")
    assert count_of(session, "Ann").points == 4
    # And where the ground for it is taken back, it is open again, but not once confirmed
    session.undo()
    session.undo()
    assert count_of(session, "Ann").doubtful


def test_a_confirmed_count_stands_as_it_was_confirmed(session: Session, table: FakeTable) -> None:
    table.shows(["R5?O5"])
    session.add_batch("Ann")
    session.add_batch("Ben", ["R5"])
    session.confirm_count("Ann")
    session.remove_card("Ben", count_of(session, "Ben").cards[0].id)
    ann = count_of(session, "Ann")
    assert (ann.confirmed, ann.points, ann.cards[0].settled) == (True, 4, True)


def test_a_card_read_for_two_players_is_seen_twice_with_both_pictures(
    session: Session, table: FakeTable
) -> None:
    # Given one red five, read in both piles
    table.shows(["R5", "G1"])
    session.add_batch("Ann")
    table.shows([])
    table.shows(["", "", "R5", "G2"])
    session.add_batch("Ben")
    (twice,) = books_of(session).twice
    assert (twice.card, twice.exists) == ("R5", 1)
    assert [holder.player for holder in twice.holders] == ["Ann", "Ben"]
    pictures = [holder.picture for holder in twice.holders]
    assert [session.picture(str(name)) for name in pictures] == [b"picture 10", b"picture 30"]
    # Then the round cannot be closed on it
    session.confirm_count("Ann")
    session.confirm_count("Ben")
    sentence = "R5 exists once, but it is counted more often, for Ann and Ben: say which is right"
    with pytest.raises(BadInput, match=sentence):
        session.close_round()
    # Until somebody says what the other one is
    session.correct_card("Ben", twice.holders[1].card_id, "O5")
    session.confirm_count("Ben")
    assert books_of(session).twice == ()
    session.close_round()


def test_what_players_say_is_taken_though_the_camera_took_another_card_for_it(
    session: Session, table: FakeTable
) -> None:
    table.shows(["R5"])
    session.add_batch("Ann")
    session.add_batch("Ben", ["R5"])
    assert [twice.card for twice in books_of(session).twice] == ["R5"]
    session.correct_card("Ann", count_of(session, "Ann").cards[0].id, "O5")
    assert books_of(session).twice == ()


def test_a_round_adds_up_with_what_was_left_on_the_table(session: Session) -> None:
    session.start_match(["Ann", "Ben"], "65")
    session.add_batch("Ann", everything_but("R1", "G2", "Y6"))
    assert books_of(session).missing == ("R1", "Y6", "G2")
    session.add_batch(ON_TABLE, ["Y6", "G2"])
    assert (books_of(session).missing, books_of(session).balanced) == (("R1",), False)
    session.add_batch("Ben", ["R1"])
    assert books_of(session).balanced
    session.confirm_count("Ann")
    session.confirm_count("Ben")
    match = session.close_round().match
    assert match is not None
    (closed,) = match.rounds
    assert ([card.card for card in closed.left.cards], closed.missing) == (["Y6", "G2"], ())
    assert (match.left.cards, match.books) == ((), BooksNow())


def test_what_is_in_no_pile_is_named_in_the_closed_round(session: Session) -> None:
    session.start_match(["Ann", "Ben"], "65")
    session.add_batch("Ann", everything_but("R1", "G2"))
    session.confirm_count("Ann")
    session.confirm_count("Ben")
    match = session.close_round().match
    assert match is not None
    assert match.rounds[0].missing == ("R1", "G2")


def test_a_colour_left_in_the_box_is_a_doubt_however_sure_the_eyes_were(
    session: Session, table: FakeTable
) -> None:
    table.shows(["P2", "R1"])
    session.add_batch("Ann")
    count = count_of(session, "Ann")
    assert [card.seen for card in count.cards if card.doubtful] == ["P2"]
    with pytest.raises(BadInput, match="card 'P2' of Ann is doubtful"):
        session.confirm_count("Ann")


def test_cards_worth_the_same_are_not_asked_about(session: Session, table: FakeTable) -> None:
    # Given an orange or a green two: a point either way
    table.shows(["O2?G2"])
    session.add_batch("Ann")
    (card,) = count_of(session, "Ann").cards
    assert (card.card, card.worth, card.settled, card.fits) == (None, 1, True, ("O2", "G2"))
    assert (count_of(session, "Ann").points, count_of(session, "Ann").doubtful) == (1, ())
    # When it is confirmed, then it keeps its worth through closing and an edit of other cards
    session.confirm_count("Ann")
    session.confirm_count("Ben")
    session.close_round()
    match = session.edit_round(1, "Ann", ["O2", "R1"]).match
    assert match is not None
    assert match.totals == (4, 0)
    assert [card.seen for card in match.rounds[0].counts[0].cards] == ["O2?G2", "R1"]


# --- T! cards ----------------------------------------------------------------------------------


def test_tweak_cards_in_a_batch_are_counted_once_with_those_told(
    session: Session, table: FakeTable
) -> None:
    # Given a table seen clear, so that what is laid there then is to be counted
    table.shows([])
    table.shows(["R5", "T!joker"])
    session.add_batch("Ann")
    assert count_of(session, "Ann").points == 7
    # When fewer are told than were counted, it is refused; one of any kind stands for it
    with pytest.raises(BadInput, match="T!joker of Ann is counted but not told"):
        session.confirm_count("Ann", [])
    session.confirm_count("Ann", ["T!", "T!bomb"])
    count = count_of(session, "Ann")
    assert (count.points, sorted(count.tweaks_won)) == (9, ["T!bomb", "T!joker"])


def test_more_tweak_cards_than_the_box_has_are_refused_over_all_players(
    session: Session, table: FakeTable
) -> None:
    table.shows([])
    table.shows(["R5", "T!bomb"])
    session.add_batch("Ann")
    session.confirm_count("Ann")
    with pytest.raises(BadInput, match="T!bomb exists once, but it is named 2 times"):
        session.confirm_count("Ben", ["T!bomb"])
