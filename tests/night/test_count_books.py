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
