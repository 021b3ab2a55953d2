"""Stories about what a later still picture shows of what was asked, and what it does not show."""

from __future__ import annotations

import pytest

from companion.night.session import Session
from companion.rules.verdict import Ruling
from tests.night.fakes import FakeTable
from tests.night.test_doubts import newest, ruling, table

__all__ = ["table"]


def test_the_card_asked_for_decides_when_it_is_shown_and_is_no_play(
    session: Session, table: FakeTable
) -> None:
    # Given a claim that hangs on one doubtful card, which has been swept up
    table.shows(["R1", "Y3", "B2?B3"], deck="#9")
    asked = session.claim("Ann", "G5", ["R1", "B3"]).claims[0]
    assert asked.ask == "show me the card that is blue 2 or blue 3"
    table.shows(["", "Y3", ""], deck="#9")
    score = session.snapshot().story.running
    # When that card is laid before the camera
    table.shows(["", "Y3", "", "", "", "B3"], deck="#9")
    # Then it is decided, the first record stays, and nobody has played a card
    claim = newest(session)
    assert claim.ruling.ruling is Ruling.LEGAL
    assert (claim.verdict, claim.table) == (asked.verdict, asked.table)
    assert (claim.corrections[0].by, claim.corrections[0].seen) == ("camera", "B3")
    assert session.picture(claim.corrections[0].picture or "") == b"picture 40"
    assert session.snapshot().story.told[-1].tale.key == "nothing happened, it was misread"
    table.shows(["", "Y3"], deck="#9")
    assert session.snapshot().story.told[-1].tale.key == "nothing happened, it was misread"
    assert session.snapshot().story.running == score
    again = Session(session._ledger.journal).snapshot()
    assert (again.claims, again.story) == (session.snapshot().claims, session.snapshot().story)


def test_a_card_shown_that_makes_it_wrong_decides_too(session: Session, table: FakeTable) -> None:
    table.shows(["R1", "Y3", "B2?B3"], deck="#9")
    session.claim("Ann", "G5", ["R1", "B3"])
    table.shows(["", "Y3", ""], deck="#9")
    table.shows(["", "Y3", "", "", "B2"], deck="#9")
    assert newest(session).ruling.reason == "5 + 1 + 2 is 8, the target is 9"


def test_a_doubtful_card_that_still_lies_there_is_read_again(
    session: Session, table: FakeTable
) -> None:
    table.shows(["R1", "B2?B3"], deck="#9")
    session.claim("Ann", "G5", ["R1", "B3"])
    table.shows(["R1", "B3"], deck="#9")
    assert ruling(session) is Ruling.LEGAL
    assert newest(session).corrections[0].by == "camera"


@pytest.mark.parametrize(
    ("then", "deck"),
    [
        (["", "Y3", "", "", "B3"], "#8"),
        (["", "Y3", "", "", "B3", "O6"], "#9"),
        (["", "Y3", "", "", "P3"], "#9"),
        (["", "", "", "", "B3"], "#9"),
    ],
)
def test_the_next_players_card_is_not_taken_for_the_one_asked_for(
    session: Session, table: FakeTable, then: list[str], deck: str
) -> None:
    table.shows(["R1", "Y3", "B2?B3"], deck="#9")
    session.claim("Ann", "G5", ["R1", "B3"])
    table.shows(["", "Y3", ""], deck="#9")
    table.shows(then, deck=deck)
    assert ruling(session) is Ruling.UNCLEAR


@pytest.fixture
def late(session: Session) -> FakeTable:
    """The deck is gone; Ann's 3 joins a red one and a doubtful blue card, and both are swept."""
    session.start_match(["Ann", "Ben", "Cleo"], "65")
    table = FakeTable(session)
    table.shows(["R1", "Y3", "B2?B3"], deck="#9")
    table.shows(["R1", "Y3", "B2?B3"], deck="=7")
    asked = session.claim("Ann", "G3", ["R1", "B3"]).claims[0]
    assert asked.ask == "show me the card that is blue 2 or blue 3"
    table.shows(["", "Y3", ""], deck="=7")
    return table


def test_with_the_deck_gone_the_next_player_lays_the_very_card_that_was_asked_for(
    session: Session, late: FakeTable
) -> None:
    # Given no deck that could tell whether the turn has passed
    before = newest(session)
    # When Ben lays a blue three of his own
    late.shows(["", "Y3", "", "", "B3"], deck="=7")
    # Then it is his play, and the claim still waits
    assert newest(session) == before
    laid = session.snapshot().story.told[-1].tale.happenings
    assert [str(one) for one in laid] == ["B3 laid"]


def test_with_the_deck_gone_the_card_is_laid_back_where_it_lay(
    session: Session, late: FakeTable
) -> None:
    late.shows(["", "Y3", "B3"], deck="=7")
    claim = newest(session)
    assert claim.ruling.ruling is Ruling.LEGAL
    assert (claim.corrections[0].by, claim.corrections[0].seen) == ("camera", "B3")
    assert session.snapshot().story.told[-1].tale.key == "nothing happened, it was misread"
    late.shows(["", "Y3"], deck="=7")
    assert session.snapshot().story.told[-1].tale.key == "nothing happened, it was misread"


@pytest.mark.parametrize(
    "views",
    [
        [["", "", "B3"]],
        [["", "Y3", "B3", "O6"]],
        [["", "Y3", "P2"]],
        [["", "Y3", "", "P2"], ["", "Y3", "B3", "P2"]],
        [["", "", ""], ["", "", "B3"]],
    ],
)
def test_with_the_deck_gone_a_card_in_that_place_decides_only_while_nobody_has_played(
    session: Session, late: FakeTable, views: list[list[str]]
) -> None:
    for cards in views:
        late.shows(cards, deck="=7")
    assert ruling(session) is Ruling.UNCLEAR


def test_with_the_deck_gone_the_next_players_card_is_no_hand_card(session: Session) -> None:
    session.start_match(["Ann", "Ben"], "65")
    table = FakeTable(session)
    table.shows(["R1", "Y3"], deck="#9")
    table.shows(["R1", "Y3"], deck="=7")
    table.shows(["R1", ""], deck="=7")
    claim = session.doubt().claims[0]
    assert claim.ask == "tell me the card from the hand: a 4 makes it right"
    table.shows(["R1", "", "", "O4"], deck="=7")
    assert ruling(session) is Ruling.UNCLEAR
    assert session.tell_claim(claim.id, "hand", "4").claims[0].ruling.legal


def test_after_the_next_players_turn_a_card_in_the_same_place_is_another_one(
    session: Session, table: FakeTable
) -> None:
    table.shows(["R1", "Y3", "B2?B3"], deck="#9")
    session.claim("Ann", "G5", ["R1", "B3"])
    table.shows(["", "Y3", ""], deck="#9")
    table.shows(["", "Y3", "", "P2"], deck="#8")
    table.shows(["", "Y3", "B3", "P2"], deck="#10")
    assert ruling(session) is Ruling.UNCLEAR


def test_a_twin_laid_beside_the_doubtful_card_decides_nothing(
    session: Session, table: FakeTable
) -> None:
    table.shows(["R1", "B2?B3"], deck="#9")
    session.claim("Ann", "G5", ["R1", "B3"])
    table.shows(["R1", "B2?B3", "B3"], deck="#9")
    assert ruling(session) is Ruling.UNCLEAR


def test_the_top_of_the_deck_is_looked_at_again(session: Session, table: FakeTable) -> None:
    table.shows(["R1", "B3"], deck="#8?#9")
    assert session.claim("Ann", "G5", ["R1", "B3"]).claims[0].ask == (
        "show me the top card of the deck: it is 8 or 9"
    )
    table.shows(["R1", "B3"], deck="#9")
    assert ruling(session) is Ruling.LEGAL


def test_the_hand_card_that_makes_it_right_decides_when_it_is_shown(
    session: Session, table: FakeTable
) -> None:
    table.shows(["R1", ""], deck="#9")
    claim = session.doubt().claims[0]
    assert claim.ask == "tell me the card from the hand: a 6 makes it right"
    table.shows(["R1", "", "", "O6"], deck="#9")
    assert ruling(session) is Ruling.LEGAL
    assert [str(card) for card in newest(session).ruling.won] == ["O6", "Y3"]


def test_the_players_word_comes_before_what_is_shown(session: Session, table: FakeTable) -> None:
    table.shows(["R1", "B2?B3"], deck="#9")
    claim = session.claim("Ann", "G5", ["R1", "B3"]).claims[0]
    session.tell_claim(claim.id, "card", "B2", 1)
    assert ruling(session) is Ruling.ILLEGAL
    table.shows(["R1", "B3"], deck="#9")
    assert ruling(session) is Ruling.ILLEGAL
    session.undo()
    assert newest(session).ruling == claim.ruling


def test_a_claim_made_after_the_next_players_turn_is_judged_on_what_lay_there_before(
    session: Session, table: FakeTable
) -> None:
    # Given a sum swept up, and the next player's card in the gap, before anybody claims
    table.shows(["R1", "Y3", "B2?B3"], deck="#9")
    table.shows(["", "Y3", ""], deck="#9")
    table.shows(["", "Y3", "B3"], deck="#8")
    session.claim("Ann", "G5", ["R1", "B3"])
    # When the table is looked at again, then that card is none of the claim's
    table.shows(["", "Y3", "B3", "O6"], deck="#8")
    assert ruling(session) is Ruling.UNCLEAR
