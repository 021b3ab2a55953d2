"""Worked examples, played through by hand in both editions, move by move as a record has them."""

import pytest

from companion.rules.legal import legal_moves
from companion.rules.match import MatchRules, standing
from companion.rules.record import Record, parse_record
from companion.rules.round import Phase, State
from companion.rules.simulate import check_end, round_points
from tests.rules.positions import ask, cards, move, position

both = pytest.mark.parametrize("edition", ["65", "72"])


def played(start: State, *lines: str) -> State:
    """The end of a record, which reads back from its own text and replays the same."""
    record = Record(start, tuple(map(move, lines)))
    assert parse_record(str(record)).end() == record.end()
    return record.end()


@both
def test_the_deck_runs_out_in_mid_draw(edition: str) -> None:
    # p1 plays the only hand card, should draw three, and the deck has two: T7, then K3.
    start = position("R2", "Y4 O3", table="B4 G1", deck="P1#7 P5#10", edition=edition)
    after = played(start, "p1 sum R2 + B4 + G1 TWEAK", "p1 draw P1 P5")
    assert after.seats[0].hand == cards("P1 P5")
    assert (after.table, after.target, after.turn) == ((), 7, 1)
    # the table is empty and the deck gone, so p2 can only lay
    assert {str(one) for one in legal_moves(after)} == {"p2 lay Y4", "p2 lay O3"}
    end = played(
        after,
        *("p2 lay O3", "p2 draw -", "p1 lay P1", "p1 draw -"),
        *("p2 sum Y4 + O3", "p2 draw -", "p1 lay P5", "p1 draw -"),
    )
    assert end.phase is Phase.OVER
    check_end(end)
    # R2 3, B4 1, G1 1, the T! card 2
    assert round_points(end)[0] == 3 + 1 + 1 + 2
    assert end.table == cards("P1 P5")


@both
def test_the_deck_runs_out_in_mid_fill(edition: str) -> None:
    # one card to the hand, one of the two to the table, and the deck is gone
    start = position("R2 R5 G5", "Y4 O3", table="B4 G1", deck="P1#7 P5#10", edition=edition)
    after = played(start, "p1 sum R2 + B4 + G1 TWEAK", "p1 draw P1", "p1 fill P5")
    assert after.seats[0].hand == cards("R5 G5 P1")
    assert (after.table, after.deck, after.target, after.turn) == (cards("P5"), (), 7, 1)


@both
def test_the_deck_runs_out_on_a_shifter(edition: str) -> None:
    start = position("R2 R5", "Y4 O3", table="B4", deck="G1#10", has="T!shifter", edition=edition)
    assert ask(start, "p1 sum R2 + B4").reason == "2 + 4 is 6, the target is 10"
    after = played(start, "p1 shifter G1")
    # the blue 7 gives the target, and the sum that it allows is a TWEAK
    verdict = ask(after, "p1 sum R2 + B4 + G1 TWEAK")
    assert (verdict.rules, verdict.wins_tweak) == (("T1", "T2", "T5"), True)
    end = played(after, "p1 sum R2 + B4 + G1 TWEAK", "p1 draw -")
    assert (end.seats[0].hand, end.table, end.turn) == (cards("R5"), (), 1)
    assert ask(end, "p1 shifter ?").rules == ("X1",)


@both
def test_a_bomb_empties_a_hand_and_its_owner_loses_a_turn(edition: str) -> None:
    deck = "P1#9 P5#8 G2#8 Y6#9 G4#10 O6#7"
    start = position("R2 R5", "Y4", "O3 O4", table="B4", deck=deck, has="T!bomb", edition=edition)
    after = played(start, "p1 bomb p2:Y4 p3:O3", "p1 sum R5 + B4", "p1 draw P1 P5")
    assert (after.turn, after.seats[1].hand, after.target) == (1, (), 8)
    # K2: no card to play, but three to draw before the turn passes on
    after = played(after, "p2 pass", "p2 draw G2 Y6 G4")
    assert (after.turn, after.seats[1].hand, after.seats[1].short) == (2, cards("G2 Y6 G4"), False)
    # D8: p3 plays with one card fewer and draws up to three at the end of that turn
    assert (after.seats[2].hand, after.seats[2].short) == (cards("O4"), True)
    after = played(after, "p3 sum O4 + O3", "p3 draw O6")
    assert (after.seats[2].hand, after.seats[2].short) == (cards("O6"), False)


@both
def test_a_thiefs_victim_plays_the_next_turn_one_card_short(edition: str) -> None:
    deck = "P1#9 P5#8 G2#8 Y6#9 G4#10"
    start = position("R2 R5 B1", "Y4 O3 O4", table="B4", deck=deck, has="T!thief", edition=edition)
    # the target is 9: R5 + Y4 with the stolen card
    after = played(start, "p1 thief p2 Y4", "p1 sum R5 + Y4", "p1 draw P1")
    assert (after.seats[1].hand, after.seats[1].short) == (cards("O3 O4"), True)
    assert ask(after, "p2 lay Y4").rules == ("T6",)
    after = played(after, "p2 sum O4 + B4 TWEAK", "p2 draw P5 G2", "p2 fill Y6 G4")
    assert (len(after.seats[1].hand), after.seats[1].short) == (3, False)
    assert after.seats[1].won[-2:] == cards("O4 B4")


@both
def test_a_tweak_with_the_last_cards_ends_the_round(edition: str) -> None:
    start = position("R5", "", table="B1 G1", edition=edition)
    before = round_points(start)
    end = played(start, "p1 sum R5 + B1 + G1 TWEAK", "p1 draw -")
    assert (end.phase, end.table) == (Phase.OVER, ())
    # red five 5, two ordinary ones, and the T! card that was never played (P4)
    assert round_points(end) == (5 + 1 + 1 + 2, before[1])
    check_end(end)


@both
def test_a_whole_turn_in_words(edition: str) -> None:
    # the sum of the rule sheets, said step by step: 1 and 3 is 4, and 2 is 6, and 3 is 9
    start = position("O1 R5", "Y4", table="G3 B2 P3", deck="P1#9 P5#8 G2#8 Y6#9", edition=edition)
    said = 'said "1 and 3 is 4, and 2 is 6, and 3 is 9. TWEAK!"'
    verdict = ask(start, f"p1 sum O1 + G3 + B2 + P3 {said}")
    assert verdict.reason == ("1 + 3 + 2 + 3 is 9, the target is 9, and no card is left: a TWEAK")
    after = played(start, f"p1 sum O1 + G3 + B2 + P3 {said}", "p1 draw P1 P5", "p1 fill G2 Y6")
    assert (after.table, len(after.seats[0].has)) == (cards("G2 Y6"), 1)


def test_a_match_that_two_players_end_at_once_goes_to_the_higher_total() -> None:
    rules = MatchRules(players=4)
    rounds = ((30, 25, 10, 12), (35, 30, 5, 10), (20, 22, 20, 20))
    assert not standing(rules, rounds).over
    end = standing(rules, (*rounds, (16, 25, 10, 9)))
    assert (end.totals[:2], end.winners) == ((101, 102), (1,))


def test_a_tie_at_the_top_plays_one_more_round_and_then_another_if_it_must() -> None:
    rules = MatchRules(players=2)
    rounds: tuple[tuple[int, ...], ...] = ((40, 40), (40, 40), (30, 30), (30, 30))
    assert (standing(rules, rounds).extra_round, standing(rules, rounds).winners) == (True, ())
    rounds += ((20, 20),)
    assert standing(rules, rounds).extra_round
    rounds += ((21, 20),)
    assert (standing(rules, rounds).over, standing(rules, rounds).winners) == (True, (0,))
