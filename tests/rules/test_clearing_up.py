"""Rules K1-K3, D8, E1, E2: missed chances, lost turns, the end of a round."""

import pytest

from companion.rules.apply import apply, play
from companion.rules.house import HouseRules
from companion.rules.legal import legal_moves
from companion.rules.moves import Lay
from companion.rules.round import Phase
from companion.rules.simulate import round_points
from companion.rules.turn import missed_sums
from companion.rules.verdict import Ruling
from tests.rules.positions import ask, cards, move, position


def test_k1_the_sums_that_a_laid_card_gave_away_are_listed() -> None:
    state = position("G5 R3", "Y4", table="R1 Y3 B4", deck="B2#9")
    laid = move("p1 lay G5")
    assert isinstance(laid, Lay)
    assert [str(one) for one in missed_sums(state, laid)] == ["G5 + R1 + Y3", "G5 + B4"]
    assert missed_sums(state, Lay(0, cards("R3")[0])) == ()


def test_k1_who_lays_a_card_has_lost_the_chance_and_nobody_else_may_claim_it() -> None:
    state = position("G5 R2", "Y4 O5", table="R1 Y3", deck="B2#9")
    after = apply(state, move("p1 lay G5"))
    own = ask(after, "p1 sum R2 + R1 + Y3")
    assert (own.ruling, own.rules) == (Ruling.ILLEGAL, ("T6", "K1"))
    other = ask(after, "p2 sum O5 + R1 + Y3")
    assert (other.ruling, other.rules) == (Ruling.ILLEGAL, ("K1",))


def test_k2_a_player_left_with_no_cards_loses_the_turn_but_draws_up_to_three_first() -> None:
    state = position("G5 R2", "Y4", table="R1", deck="B2#9 B3#7 B5#8 P6#7 P4#7", has="T!thief")
    robbed = play(state, map(move, ["p1 thief p2 Y4", "p1 lay R2", "p1 draw B2 B3"]))
    assert (robbed.turn, robbed.seats[1].hand) == (1, ())
    assert [str(one) for one in legal_moves(robbed)] == ["p2 pass"]
    verdict = ask(robbed, "p2 pass")
    assert (verdict.rules, verdict.reason) == (("K2",), "p2 has no hand card and loses the turn")
    assert ask(robbed, "p2 lay P6").rules == ("T6", "K2")
    assert ask(robbed, "p2 draw B5 P6 P4").rules == ("K2", "T7")
    after = play(robbed, map(move, ["p2 pass", "p2 draw B5 P6 P4"]))
    assert (after.turn, after.seats[1].hand) == (0, cards("B5 P6 P4"))
    assert not after.seats[1].short


def test_d8_a_victim_draws_again_only_at_the_end_of_the_own_next_turn() -> None:
    deck = "B2#9 B3#7 B5#8 P6#7 P4#7"
    state = position("G5 R2 G1", "Y4 O6 O1", table="R1", deck=deck, has="T!bomb")
    bombed = apply(state, move("p1 bomb p2:O6"))
    assert (len(bombed.seats[1].hand), bombed.seats[1].short) == (2, True)
    theirs = play(bombed, map(move, ["p1 lay R2", "p1 draw B2", "p2 lay O1"]))
    assert len(theirs.seats[1].hand) == 1
    after = apply(theirs, move("p2 draw B3 B5"))
    assert (len(after.seats[1].hand), after.seats[1].short) == (3, False)


def test_d8_a_match_may_let_the_victim_draw_at_once() -> None:
    house = HouseRules(short_hand="drawn at once")
    given = {"table": "R1", "deck": "B2#9 B3#7", "has": "T!bomb", "house": house}
    state = position("G5 R2", "Y4 O6", **given)  # type: ignore[arg-type]
    after = apply(state, move("p1 bomb p2:O6"))
    assert after.seats[1].hand == cards("Y4 B2")
    assert (after.seats[1].short, after.target) == (False, 7)


def test_k3_with_the_deck_gone_nobody_draws_and_play_goes_on_till_every_hand_is_empty() -> None:
    state = position("G5 R2", "Y4", table="R1")
    assert state.target == 7
    laid = apply(state, move("p1 lay R2"))
    assert ask(laid, "p1 draw B2").rules == ("T7", "K3")
    over = play(
        laid, map(move, ["p1 draw -", "p2 lay Y4", "p2 draw -", "p1 sum G5 + R2", "p1 draw -"])
    )
    assert over.phase is Phase.OVER


def test_k3_a_player_without_cards_passes_while_others_play_on() -> None:
    state = position("G5", "Y4 O6", table="R1")
    turn = play(state, map(move, ["p1 lay G5", "p1 draw -", "p2 lay Y4", "p2 draw -"]))
    verdict = ask(turn, "p1 pass")
    assert (verdict.ruling, verdict.rules) == (Ruling.LEGAL, ("K3",))
    after = play(turn, map(move, ["p1 pass", "p1 draw -", "p2 lay O6", "p2 draw -"]))
    assert after.phase is Phase.OVER


def test_e1_the_round_is_over_when_the_deck_is_gone_and_every_hand_is_empty() -> None:
    state = position("G5", "", table="R1")
    over = play(state, map(move, ["p1 lay G5", "p1 draw -"]))
    assert (over.phase, legal_moves(over)) == (Phase.OVER, ())
    verdict = ask(over, "p2 pass")
    assert (verdict.ruling, verdict.rules) == (Ruling.ILLEGAL, ("E1",))


@pytest.mark.parametrize("deck", ["", "B2#8"])
def test_e1_it_is_not_over_while_a_card_is_left_to_draw_or_to_play(deck: str) -> None:
    state = position("G5", "" if deck else "Y4", table="R1", deck=deck)
    after = play(state, map(move, ["p1 lay G5", f"p1 draw {'B2' if deck else '-'}"]))
    assert (after.phase, after.turn) == (Phase.PLAY, 1)


def test_e2_cards_left_on_the_table_score_for_nobody() -> None:
    state = position("G5 R2", "", table="R5 R1")
    won_by_others = round_points(state)[1]
    over = play(
        state,
        map(
            move, ["p1 sum R2 + R5", "p1 draw -", "p2 pass", "p2 draw -", "p1 lay G5", "p1 draw -"]
        ),
    )
    assert over.phase is Phase.OVER
    assert round_points(over) == (3 + 5, won_by_others)
