"""What the players answer where the books name a card, each one step beside the raw readings."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.errors import BadInput, NotFound
from companion.night.session import Session
from companion.night.values import ON_TABLE, BooksNow, MatchNow
from companion.rules.cards import Colour
from companion.rules.editions import number_cards
from tests.night.fakes import FakeTable


def match_of(session: Session) -> MatchNow:
    match = session.snapshot().match
    assert match is not None
    return match


def books_of(session: Session) -> BooksNow:
    return match_of(session).books


def points_of(session: Session) -> list[int]:
    return [count.points for count in match_of(session).counting]


def all_confirmed(session: Session) -> bool:
    return all(count.confirmed for count in match_of(session).counting)


@pytest.fixture
def short(session: Session) -> Session:
    """Red and green are played; Ann's red and Ben's green cards are confirmed, three missing."""
    session.start_match(["Ann", "Ben"], "65", ["red", "green"])
    for player, colour, gone in (("Ann", Colour.RED, ("R5",)), ("Ben", Colour.GREEN, ("G1", "G6"))):
        cards = [str(card) for card in number_cards((colour,))]
        for text in gone:
            cards.remove(text)
        session.add_batch(player, cards)
        session.confirm_count(player)
    assert books_of(session).missing == ("R5", "G1", "G6")
    return session


def test_a_missing_card_is_somebodys_and_the_count_stays_confirmed(short: Session) -> None:
    before = short.snapshot()
    short.find_missing("Ben", ["R5"])
    assert (points_of(short), all_confirmed(short)) == ([24, 15], True)
    assert books_of(short).missing == ("G1", "G6")
    assert short.undo().match == before.match


def test_missing_cards_were_left_on_the_table(short: Session) -> None:
    short.find_missing(ON_TABLE, ["R5", "G1", "G6"])
    assert (points_of(short), books_of(short).balanced) == ([24, 10], True)
    assert [card.card for card in match_of(short).left.cards] == ["R5", "G1", "G6"]


def test_lost_cards_are_missing_no_longer_but_stay_in_the_closed_round(short: Session) -> None:
    shown = short.lose_missing(["R5", "G1"])
    assert shown.undo is not None
    assert shown.undo.text == "R5, G1 said to be lost"
    assert (books_of(short).missing, books_of(short).lost) == (("G6",), ("R5", "G1"))
    short.undo()
    assert (books_of(short).missing, books_of(short).lost) == (("R5", "G1", "G6"), ())
    short.redo()
    short.find_missing("Ann", ["G6"])
    assert books_of(short).balanced
    short.close_round()
    assert match_of(short).rounds[0].missing == ("R5", "G1")


def test_a_lost_card_that_turns_up_in_a_pile_is_not_lost(short: Session) -> None:
    short.lose_missing(["R5", "G1"])
    short.add_batch("Ann", ["R5"])
    assert (books_of(short).lost, books_of(short).twice) == (("G1",), ())
    assert books_of(short).missing == ("G6",)
    # And in the next round only what is lost still is
    short.confirm_count("Ann")
    short.close_round()
    assert match_of(short).lost == ("G1",)


def counted_whole(session: Session, *but: str) -> None:
    """A round of two colours in which Ann and Ben count and confirm all cards but these."""
    for player, colour in (("Ann", Colour.RED), ("Ben", Colour.GREEN)):
        cards = [str(card) for card in number_cards((colour,))]
        for text in but:
            if text in cards:
                cards.remove(text)
        session.add_batch(player, cards)
        session.confirm_count(player)


def test_what_is_lost_is_not_asked_for_in_the_next_rounds(short: Session) -> None:
    # Given a round that was closed with a red five and one green one lost
    short.lose_missing(["R5", "G1"])
    short.find_missing("Ben", ["G6"])
    short.close_round()
    closed = match_of(short).rounds
    # When the next round is counted without them, then its books are in order at once
    assert books_of(short).lost == ("R5", "G1")
    counted_whole(short, "R5", "G1")
    assert (books_of(short).missing, books_of(short).lost) == ((), ("R5", "G1"))
    assert books_of(short).balanced
    # And where the other green one is missing too, that one is asked for
    short.remove_card("Ben", match_of(short).counting[1].cards[0].id)
    assert books_of(short).missing == ("G1",)
    short.undo()
    short.close_round()
    assert [one.missing for one in match_of(short).rounds] == [("R5", "G1"), ("R5", "G1")]
    assert match_of(short).rounds[:1] == closed
    assert Session(short._ledger.journal).snapshot().match == match_of(short)


def test_a_card_found_again_is_asked_for_and_closed_rounds_stay(short: Session) -> None:
    short.lose_missing(["R5", "G1", "G6"])
    short.close_round()
    closed, totals = match_of(short).rounds, match_of(short).totals
    shown = short.find_lost(["R5"])
    assert shown.undo is not None
    assert shown.undo.text == "R5 said to be found again"
    counted_whole(short, "R5", "G1", "G6")
    assert (books_of(short).missing, books_of(short).lost) == (("R5",), ("G1", "G6"))
    assert (match_of(short).rounds, match_of(short).totals) == (closed, totals)
    # And one tap each way, with undo, as often as anybody likes
    short.lose_missing(["R5"])
    assert books_of(short).lost == ("R5", "G1", "G6")
    short.find_lost(["R5", "G6"])
    assert books_of(short).missing == ("R5", "G6")
    short.undo()
    assert books_of(short).balanced


def test_the_next_match_with_the_same_box_remembers_what_is_lost(short: Session) -> None:
    # Given two cards lost, in a match that ends before its round is closed
    short.lose_missing(["R5", "G6"])
    short.end_match()
    ended = match_of(short)
    # When the next match is played without green, then only the red one is spoken of
    short.start_match(["Ann", "Cleo"], "65", ["red", "blue"])
    assert (match_of(short).lost, books_of(short).lost) == (("R5", "G6"), ("R5",))
    short.start_match(["Ann", "Cleo"], "65", ["red", "green"])
    assert books_of(short).lost == ("R5", "G6")
    assert short.snapshot().earlier[-1] == ended
    # And the other box has all its cards
    short.start_match(["Ann", "Cleo"], "72")
    assert match_of(short).lost == ()


def test_a_lost_card_is_in_no_hand_when_the_story_ends_a_round(short: Session) -> None:
    short.lose_missing(["R5", "G1"])
    assert short.snapshot().story.setting.cards == 18
    short.close_round()
    assert short.snapshot().story.setting.cards == 16


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        (["G6"], "G6 is not said to be lost: look at the books again"),
        (["R5", "R5"], "R5 is not said to be lost"),
        ([], "wanted a lost card"),
        (["R9"], "is no card"),
    ],
)
def test_what_nobody_lost_is_not_found_again(
    short: Session, cards: list[str], sentence: str
) -> None:
    before = short.lose_missing(["R5"])
    with pytest.raises(BadInput, match=sentence):
        short.find_lost(cards)
    assert short.snapshot() is before


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        (["R4"], "R4 is not missing: look at the books again"),
        (["G1", "G1"], "G1 is not missing"),
        (["G1", "G6"], "say of one missing card at a time whose it is"),
        ([], "wanted a missing card"),
        (["R9"], "is no card"),
        ("R5", "cards are a list of texts"),
    ],
)
def test_an_answer_to_nothing_that_was_asked_is_refused(
    short: Session, cards: list[str], sentence: str
) -> None:
    before = short.snapshot()
    with pytest.raises(BadInput, match=sentence):
        short.find_missing("Ann", cards)
    assert short.snapshot() is before


def test_two_phones_answer_at_once_and_the_second_is_told(short: Session) -> None:
    short.find_missing("Ann", ["R5"])
    tries: list[Callable[[], object]] = [
        lambda: short.find_missing("Ben", ["R5"]),
        lambda: short.find_missing(ON_TABLE, ["R5"]),
        lambda: short.lose_missing(["R5"]),
    ]
    for again in tries:
        with pytest.raises(BadInput, match="R5 is not missing: look at the books again"):
            again()
    with pytest.raises(NotFound, match="'Cleo' is not in this match"):
        short.find_missing("Cleo", ["G1"])


def test_a_missing_card_is_the_one_of_which_only_the_worth_was_known(session: Session) -> None:
    # Given a green one or two of Ben's, a point either way, and both of them missing
    session.start_match(["Ann", "Ben"], "65", ["red", "green"])
    table = FakeTable(session)
    cards = [str(card) for card in number_cards((Colour.RED, Colour.GREEN))]
    cards.remove("G1")
    cards.remove("G2")
    session.add_batch("Ann", cards)
    table.shows(["G1?G2"])
    session.add_batch("Ben")
    session.confirm_count("Ann")
    session.confirm_count("Ben")
    assert books_of(session).missing == ("G1", "G2")
    # When the two is said to be his, then that card is it, and no card more
    session.find_missing("Ben", ["G2"])
    (card,) = match_of(session).counting[1].cards
    assert (card.seen, card.card, card.corrected) == ("G1?G2", "G2", True)
    assert (books_of(session).missing, all_confirmed(session)) == (("G1",), True)


@pytest.fixture
def twice(session: Session) -> Session:
    """The red five was read in both piles, and both are confirmed."""
    session.start_match(["Ann", "Ben"], "65")
    table = FakeTable(session)
    table.shows(["R5", "G1"])
    session.add_batch("Ann")
    table.shows([])
    table.shows(["", "", "R5", "G2"])
    session.add_batch("Ben")
    session.confirm_count("Ann")
    session.confirm_count("Ben")
    return session


def holders(session: Session) -> list[tuple[str, str]]:
    return [(one.player, one.card_id) for seen in books_of(session).twice for one in seen.holders]


def test_a_card_counted_twice_is_taken_out_where_it_is_wrong(twice: Session) -> None:
    before = twice.snapshot()
    _, (player, card_id) = holders(twice)
    twice.settle_twice(player, card_id)
    assert (points_of(twice), books_of(twice).twice) == ([6, 1], ())
    assert all_confirmed(twice)
    with pytest.raises(NotFound, match="no longer counted too often"):
        twice.settle_twice("Ann", "2.0")
    assert twice.undo().match == before.match


def test_a_card_counted_twice_is_another_one_and_keeps_its_reading(twice: Session) -> None:
    _, (player, card_id) = holders(twice)
    twice.settle_twice(player, card_id, "O5")
    card = next(one for one in match_of(twice).counting[1].cards if one.id == card_id)
    assert (card.seen, card.card, card.corrected) == ("R5", "O5", True)
    assert (points_of(twice), all_confirmed(twice)) == ([6, 5], True)
    twice.close_round()


def test_a_place_where_nothing_is_counted_twice_is_refused(twice: Session) -> None:
    before = twice.snapshot()
    with pytest.raises(NotFound, match="no longer counted too often: look at the books again"):
        twice.settle_twice("Ann", "99.0")
    with pytest.raises(BadInput, match="is no card"):
        twice.settle_twice(*holders(twice)[0], "R9")
    assert twice.snapshot() is before
