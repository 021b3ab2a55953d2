"""What the books settle in a count, and what the players need not be asked."""

from __future__ import annotations

import pytest

from companion.night.session import Session
from tests.night.fakes import FakeTable
from tests.night.test_counting import books_of, count_of, everything_but


@pytest.fixture
def table(session: Session) -> FakeTable:
    session.start_match(["Ann", "Ben"], "65")
    return FakeTable(session)


def test_a_tweak_card_of_some_kind_or_other_is_worth_its_points(
    session: Session, table: FakeTable
) -> None:
    # Given a T! card of which only the kind is in doubt
    table.shows([])
    table.shows(["R5", "T!joker?T!bomb"])
    session.add_batch("Ann")
    assert (count_of(session, "Ann").points, count_of(session, "Ann").doubtful) == (7, ())
    # Then it is won when the count is confirmed, and is the one that the players tell
    session.confirm_count("Ann")
    assert (count_of(session, "Ann").points, count_of(session, "Ann").tweaks_won) == (7, ("T!",))
    session.start_count("Ann")
    session.confirm_count("Ann", ["T!bomb"])
    assert (count_of(session, "Ann").points, count_of(session, "Ann").tweaks_won) == (
        7,
        ("T!bomb",),
    )


def test_a_round_closes_on_a_misread_card_where_no_point_hangs_on_it(
    session: Session, table: FakeTable
) -> None:
    # Given a whole round whose cards are all there, a green 3 of Ann's read as a green 2
    session.add_batch("Ben", everything_but("G3"))
    table.shows([])
    table.shows(["G2"])
    session.add_batch("Ann")
    (twice,) = books_of(session).twice
    assert (twice.card, twice.settled, [one.player for one in twice.holders]) == (
        "G2",
        True,
        ["Ann"],
    )
    for player in ("Ann", "Ben"):
        session.confirm_count(player, [])
    # Then the one that was only seen is the missing one, and nothing is asked
    match = session.close_round().match
    assert match is not None
    (card,) = match.rounds[0].counts[0].cards
    assert (card.seen, card.card, card.settled, match.rounds[0].points[0]) == ("G2", "G3", True, 1)


def faint_round(session: Session, table: FakeTable) -> None:
    """All cards are counted but a green 3, which Ann's batch shows faintly."""
    session.add_batch("Ben", everything_but("R5", "G3"))
    table.shows([])
    table.shows(["R5"], faint=["G3?G2"])
    session.add_batch("Ann")


def test_a_missing_card_that_a_batch_shows_faintly_counts(
    session: Session, table: FakeTable
) -> None:
    faint_round(session, table)
    _, card = count_of(session, "Ann").cards
    assert (card.seen, card.card, card.settled, card.faint) == ("G3?G2", "G3", True, True)
    assert (books_of(session).balanced, count_of(session, "Ann").points) == (True, 5 + 1)
    # And it stays when the count is confirmed and the round closed
    for player in ("Ann", "Ben"):
        session.confirm_count(player, [])
    match = session.close_round().match
    assert match is not None
    assert [card.card for card in match.rounds[0].counts[0].cards] == ["R5", "G3"]


def test_a_faint_card_counts_no_longer_once_it_turns_up_elsewhere(
    session: Session, table: FakeTable
) -> None:
    faint_round(session, table)
    session.add_batch("Ben", ["G3"])
    assert [card.card for card in count_of(session, "Ann").cards] == ["R5"]
    session.undo()
    assert [card.card for card in count_of(session, "Ann").cards] == ["R5", "G3"]


def test_a_faint_card_that_is_taken_out_stays_out(session: Session, table: FakeTable) -> None:
    faint_round(session, table)
    session.remove_card("Ann", count_of(session, "Ann").cards[1].id)
    assert [card.card for card in count_of(session, "Ann").cards] == ["R5"]
    assert books_of(session).missing == ("G3",)


def test_a_faint_card_is_what_the_players_say(session: Session, table: FakeTable) -> None:
    faint_round(session, table)
    session.correct_card("Ann", count_of(session, "Ann").cards[1].id, "G3")
    session.add_batch("Ben", ["T!joker"])
    card = count_of(session, "Ann").cards[1]
    assert (card.card, card.corrected, books_of(session).balanced) == ("G3", True, True)


def test_what_no_card_is_missing_for_is_not_counted(session: Session, table: FakeTable) -> None:
    session.add_batch("Ben", everything_but("R5"))
    table.shows([])
    table.shows(["R5"], faint=["G3"])
    session.add_batch("Ann")
    assert [card.card for card in count_of(session, "Ann").cards] == ["R5"]
    assert books_of(session).balanced


def test_where_a_count_is_confirmed_already_the_page_shows_where_the_card_may_be(
    session: Session, table: FakeTable
) -> None:
    # Given that Ann has confirmed her count before Ben has counted his cards
    table.shows([])
    table.shows(["R5"], faint=["G3?G2"])
    session.add_batch("Ann")
    session.confirm_count("Ann", [])
    session.add_batch("Ben", everything_but("R5", "G3"))
    # Then her points stay, the card is missing, and where it may be is shown
    books = books_of(session)
    assert (books.missing, count_of(session, "Ann").points) == (("G3",), 5)
    (perhaps,) = books.perhaps
    assert (perhaps.card, [holder.player for holder in perhaps.holders]) == ("G3", ["Ann"])
    assert perhaps.holders[0].quad is not None
    # And once it is said to be hers, nothing is
    session.find_missing("Ann", ["G3"])
    assert (books_of(session).perhaps, books_of(session).balanced) == ((), True)
