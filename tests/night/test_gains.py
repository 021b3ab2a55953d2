"""T! cards counted beside those that the story of the round tells of."""

from __future__ import annotations

import pytest

from companion.night.gains import TweakGap, tweak_gaps
from companion.night.session import Session
from tests.night.fakes import FakeTable


def gaps(session: Session) -> tuple[TweakGap, ...]:
    shown = session.snapshot()
    assert shown.match is not None
    return tweak_gaps(shown.match, shown.story)


@pytest.fixture
def tweaked(session: Session) -> Session:
    """Ben has begun with a TWEAK that the table saw, and the table was cleared for counting."""
    session.start_match(["Ann", "Ben"], "65")
    table = FakeTable(session)
    table.shows(["R1", "Y3"], deck="#9")
    table.shows(["", "", "B2", "P1"], deck="#8")
    return session


def test_too_few_and_too_many_tweak_cards_are_named(tweaked: Session) -> None:
    assert gaps(tweaked) == (TweakGap("Ben", 0, 1, 1),)
    tweaked.confirm_count("Ben", ["T!joker", "T!"])
    tweaked.confirm_count("Ann", ["T!bomb"])
    assert gaps(tweaked) == (TweakGap("Ann", 1, 0, 0), TweakGap("Ben", 2, 1, 1))
    # And the round closes all the same, with the next one's story empty
    tweaked.close_round()
    assert gaps(tweaked) == ()


def test_what_agrees_is_not_named(tweaked: Session) -> None:
    tweaked.confirm_count("Ben", ["T!joker"])
    tweaked.confirm_count("Ann")
    assert gaps(tweaked) == ()


def test_another_tale_chosen_at_the_table_is_believed(tweaked: Session) -> None:
    told = tweaked.snapshot().story.told[-1]
    unsaid = next(tale for tale in told.others if "D10" in tale.happenings[0].rules)
    tweaked.choose_happening(told.id, unsaid.key)
    assert gaps(tweaked) == ()


def test_without_a_camera_nothing_is_said(session: Session) -> None:
    session.start_match(["Ann", "Ben"], "65")
    session.confirm_count("Ann", ["T!bomb"])
    assert gaps(session) == ()
