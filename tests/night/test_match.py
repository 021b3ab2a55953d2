from __future__ import annotations

from typing import Any

import pytest

from companion.errors import BadInput, NotFound
from companion.night.session import Session
from companion.night.values import MatchNow, Snapshot


def play_round(session: Session, *piles: tuple[list[str], list[str]]) -> Snapshot:
    """Count and close a round: cards and T! cards of each player by seat."""
    match = running(session)
    for player, (cards, tweaks) in zip(match.players, piles, strict=True):
        if cards:
            session.add_batch(player, cards)
        session.confirm_count(player, tweaks)
    return session.close_round()


def running(session: Session) -> MatchNow:
    match = session.snapshot().match
    assert match is not None
    return match


def test_a_match_takes_colours_and_threshold_from_the_rules(session: Session) -> None:
    match = session.start_match(["Ann", "Ben", "Cleo"], "65").match
    assert match is not None
    assert match.colours == ("red", "orange", "yellow", "green")
    assert (match.threshold, match.dealer, match.round_number) == (120, "Ann", 1)
    assert match.totals == (0, 0, 0)
    assert match.to_go == (120, 120, 120)


def test_a_match_may_have_rules_of_its_own(session: Session) -> None:
    match = session.start_match(
        ["Ann", "Ben"],
        "72",
        threshold=50,
        tie="shared",
        dealer="Ben",
        house={"strict_speech": True},
    ).match
    assert match is not None
    assert (match.threshold, match.tie, match.dealer) == (50, "shared", "Ben")
    assert ("strict_speech", "True") in match.house
    verdict = session.claim(
        "Ann", "G5", ["R1"], spoken="5 and 1 is 6", table=["R1"], target=8
    ).claims[0]
    assert not verdict.ruling.legal


@pytest.mark.parametrize(
    ("players", "edition", "colours", "more", "wanted"),
    [
        (["Ann"], "65", None, {}, "2 to 6 players"),
        (list("ABCDEFG"), "65", None, {}, "2 to 6 players"),
        (["Ann", "ann "], "65", None, {}, "same name"),
        (["Ann", " "], "65", None, {}, "name has 1 to 40 letters"),
        (["Ann", "x" * 41], "65", None, {}, "name has 1 to 40 letters"),
        ("Ann", "65", None, {}, "list of names"),
        (["Ann", "Ben"], "66", None, {}, '"65" or "72"'),
        (["Ann", "Ben"], "65", ["blue", "green"], {}, "red is always in play"),
        (["Ann", "Ben"], "65", ["red", "pink"], {}, "'pink' is no colour"),
        (["Ann", "Ben"], "72", ["red", "blue"], {}, "all six colours"),
        (["Ann", "Ben"], "65", None, {"threshold": 0}, "threshold is a number of points"),
        (["Ann", "Ben"], "65", None, {"tie": "fight"}, "extra round or shared"),
        (["Ann", "Ben"], "65", None, {"dealer": "Cleo"}, "dealer is one of Ann, Ben"),
        (["Ann", "Ben"], "65", None, {"house": {"jokers": "wild"}}, "'jokers' is no house rule"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused_in_one_line(
    session: Session, players: Any, edition: str, colours: Any, more: Any, wanted: str
) -> None:
    before = session.snapshot()
    with pytest.raises(BadInput, match=wanted) as caught:
        session.start_match(players, edition, colours, **more)
    assert "\n" not in str(caught.value)
    assert session.snapshot() is before


def test_the_deal_passes_to_the_right_after_each_round(session: Session) -> None:
    session.start_match(["Ann", "Ben", "Cleo"], "65")
    dealers = [running(session).dealer]
    for _ in range(3):
        play_round(session, (["R1"], []), ([], []), ([], []))
        dealers.append(running(session).dealer)
    assert dealers == ["Ann", "Cleo", "Ben", "Ann"]
    assert [one.dealer for one in running(session).rounds] == ["Ann", "Cleo", "Ben"]


def test_the_players_may_say_who_deals(session: Session) -> None:
    session.start_match(["Ann", "Ben"], "65")
    session.set_dealer("Ben")
    play_round(session, (["R1"], []), ([], []))
    assert running(session).rounds[0].dealer == "Ben"
    assert running(session).dealer == "Ann"


def test_a_round_closes_on_confirmed_counts_only(session: Session) -> None:
    session.start_match(["Ann", "Ben"], "65")
    session.add_batch("Ann", ["R5"])
    session.confirm_count("Ann")
    before = session.snapshot()
    with pytest.raises(BadInput, match="the count of Ben is not confirmed yet"):
        session.close_round()
    assert session.snapshot() is before


def test_a_match_is_won_at_the_threshold_and_takes_no_more_rounds(session: Session) -> None:
    session.start_match(["Ann", "Ben"], "65", threshold=10)
    play_round(session, (["R5", "G5"], ["T!joker"]), (["B1"] if False else ["G1"], []))
    match = running(session)
    assert match.totals == (11, 1)
    assert (match.over, match.winners, match.to_go) == (True, ("Ann",), (0, 9))
    with pytest.raises(BadInput, match="the match is decided, Ann won"):
        session.start_count("Ben")


def test_level_at_the_top_asks_for_an_extra_round_or_is_shared(session: Session) -> None:
    session.start_match(["Ann", "Ben"], "65", threshold=3)
    play_round(session, (["R1"], []), (["R1"], []))
    assert running(session).extra_round
    assert not running(session).over
    session.start_match(["Ann", "Ben"], "65", threshold=3, tie="shared")
    play_round(session, (["R1"], []), (["R1"], []))
    assert running(session).winners == ("Ann", "Ben")


def test_an_edited_round_moves_the_winner_backwards(session: Session) -> None:
    session.start_match(["Ann", "Ben"], "65", threshold=20)
    play_round(session, (["R5", "G5"], []), (["R1"], []))
    play_round(session, (["R5", "G5", "R3"], []), (["R1", "R2"], []))
    assert running(session).winners == ("Ann",)
    session.edit_round(1, "Ann", ["G1"])
    assert running(session).totals == (13, 9)
    assert running(session).winners == ()
    session.edit_round(1, "Ben", ["R5", "G5", "O5"], ["T!bomb"])
    assert running(session).winners == ("Ben",)
    assert running(session).rounds[0].edited
    session.undo()
    session.undo()
    assert running(session).winners == ("Ann",)
    assert not running(session).rounds[0].edited


@pytest.mark.parametrize(
    ("number", "player", "cards", "wanted"),
    [
        (2, "Ann", ["R5"], "round 2 is not closed"),
        (1, "Cleo", ["R5"], "'Cleo' is not in this match"),
        (1, "Ben", ["R5"], "R5 exists once, but it is named 2 times"),
        (1, "Ben", ["P1"], "P1 is not in play"),
        (1, "Ben", ["#9"], "#9 scores for nobody"),
        (1, "Ben", ["R9"], "is no card"),
    ],
)
def test_an_edit_that_breaks_the_deck_changes_nothing(
    session: Session, number: int, player: str, cards: list[str], wanted: str
) -> None:
    session.start_match(["Ann", "Ben"], "65")
    play_round(session, (["R5"], []), (["R1"], []))
    before = session.snapshot()
    with pytest.raises(BadInput, match=wanted):
        session.edit_round(number, player, cards)
    assert session.snapshot() is before


def test_a_new_match_ends_the_one_that_runs(session: Session) -> None:
    session.start_match(["Ann", "Ben"], "65")
    play_round(session, (["R5"], []), (["R1"], []))
    night = session.start_match(["Ann", "Cleo"], "72").matches
    assert [line.players for line in night] == [("Ann", "Cleo"), ("Ann", "Ben")]
    assert night[0].ended is None
    assert night[1].ended is not None
    assert night[1].totals == (5, 3)
    session.end_match()
    with pytest.raises(NotFound, match="no match is running"):
        session.start_count("Ann")
