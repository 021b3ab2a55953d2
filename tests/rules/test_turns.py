"""Rules T1-T7: a turn from the sum to the last card drawn, with the deck running short."""

import pytest

from companion.errors import BadInput, IllegalMove
from companion.rules.apply import apply, play
from companion.rules.moves import MakeSum
from companion.rules.round import Phase
from companion.rules.simulate import round_points
from companion.rules.verdict import Ruling
from tests.rules.positions import ask, cards, move, position


def test_t1_a_sum_joins_one_hand_card_with_table_cards_to_exactly_the_target() -> None:
    state = position("G5 R2 B1", "Y4 O6 P6", table="R1 Y3 P2", deck="B2#9")
    verdict = ask(state, "p1 sum G5 + R1 + Y3")
    assert (verdict.ruling, verdict.rules, verdict.points) == (Ruling.LEGAL, ("T1",), 8)
    wrong = ask(state, "p1 sum R2 + R1 + Y3")
    assert (wrong.ruling, wrong.reason) == (
        Ruling.ILLEGAL,
        "2 + 1 + 3 is 6, the target is 9",
    )


def test_t1_two_hand_cards_can_not_be_joined() -> None:
    state = position("G5 R2 B1", "Y4 O6 P6", table="R1 Y3", deck="B2#9")
    verdict = ask(state, "p1 sum G5 + B1 + Y3")
    assert (verdict.rules, verdict.reason) == (("T1",), "not on the table: B1")


def test_t1_a_sum_needs_a_card_of_the_players_own_hand_and_one_of_the_table() -> None:
    state = position("G5 R2 B1", "Y4 O6 P6", table="R1 Y3", deck="B2#9")
    verdict = ask(state, "p1 sum O6 + Y3")
    assert (verdict.rules, verdict.reason) == (("T1",), "O6 is not in the hand of p1")
    with pytest.raises(BadInput, match="one or more table cards"):
        MakeSum(0, cards("G5")[0], ())


def test_t2_the_target_is_on_the_decks_top_card_and_seven_once_it_is_gone() -> None:
    state = position("G5 R2", "Y4 O6 P6", table="R1 Y3", deck="B2#10")
    assert state.target == 10
    after = play(state, [move("p1 lay R2"), move("p1 draw B2")])
    assert (after.target, after.deck) == (7, ())
    verdict = ask(after, "p2 sum Y4 + Y3")
    assert (verdict.ruling, verdict.rules) == (Ruling.LEGAL, ("T1", "T2"))


def test_t2_an_unseen_target_makes_a_sum_unclear_only_where_it_matters() -> None:
    state = position("G5 R2", "Y4 O6 P6", table="R1 Y3", deck="B2#10")
    hidden = apply(
        apply(position("G5 R2 B4", "Y4", table="R1 Y3"), move("p1 lay R2")), move("p1 draw -")
    )
    assert hidden.target == 7
    assert ask(state, "p1 lay R2").legal


def test_t3_the_sum_said_aloud_is_checked_with_the_cards() -> None:
    state = position("G5 R2", "Y4 O6 P6", table="R1 Y3", deck="B2#9")
    good = ask(state, 'p1 sum G5 + R1 + Y3 said "5 and 1 is 6, and 3 is 9"')
    assert "D11" not in good.rules
    assert "D11" in ask(state, 'p1 sum G5 + R1 + Y3 said "5 and 1 is 7, and 3 is 9"').rules


def test_t4_the_cards_of_a_sum_lie_in_the_players_pile_until_the_end() -> None:
    state = position("G5 R2", "Y4 O6 P6", table="R1 Y3 B6", deck="B2#9")
    after = apply(state, move("p1 sum G5 + R1 + Y3"))
    assert after.seats[0].won == cards("G5 R1 Y3")
    assert (after.table, after.seats[0].hand) == (cards("B6"), cards("R2"))
    assert round_points(after)[0] == 8


def test_t5_a_tweak_takes_all_the_table_and_wins_the_top_card_of_the_stack() -> None:
    state = position("G5 R2", "Y4", table="R1 Y3", deck="B2#9", stack="T!bomb T!thief")
    verdict = ask(state, "p1 sum G5 + R1 + Y3 TWEAK")
    assert (verdict.wins_tweak, verdict.rules) == (True, ("T1", "T5"))
    after = apply(state, move("p1 sum G5 + R1 + Y3 TWEAK"))
    assert [str(card) for card in after.seats[0].has] == ["T!bomb"]
    assert len(after.stack) == 1


def test_t5_the_card_won_is_playable_from_a_later_turn_on() -> None:
    state = position("G5 R2", "Y4", table="R1 Y3", deck="B2#9 B3#8 B1#7", stack="T!joker")
    after = apply(state, move("p1 sum G5 + R1 + Y3 TWEAK"))
    verdict = ask(after, "p1 joker +1")
    assert (verdict.ruling, verdict.rules) == (Ruling.ILLEGAL, ("X1",))
    later = play(after, map(move, ["p1 draw B2 B3", "p1 fill B1", "p2 lay Y4", "p2 draw -"]))
    assert ask(later, "p1 joker +1").legal


def test_t6_without_a_sum_one_hand_card_is_laid() -> None:
    state = position("G5 R2", "Y4", table="R1", deck="B2#9")
    after = apply(state, move("p1 lay R2"))
    assert (after.table, after.seats[0].hand) == (cards("R1 R2"), cards("G5"))
    assert after.phase is Phase.DRAW


def test_t6_one_hand_card_is_played_in_every_turn_no_more_and_no_less() -> None:
    state = position("G5 R2", "Y4", table="R1 Y3", deck="B2#9 B3#9")
    early = ask(state, "p1 draw B2")
    assert (early.rules, early.reason) == (("T6", "T7"), "p1 plays a hand card before drawing")
    assert ask(state, "p1 pass").reason == "p1 plays one hand card in every turn (in hand: 2)"
    after = apply(state, move("p1 lay R2"))
    for line in ("p1 lay G5", "p1 pass"):
        assert ask(after, line).rules == ("T6",)
    assert ask(after, "p1 sum G5 + R1 + Y3").ruling is Ruling.ILLEGAL


def test_t7_the_turn_ends_with_three_cards_in_hand() -> None:
    state = position("G5 R2 B1", "Y4", table="R1", deck="B2#9 B3#10 B5#8")
    after = play(state, [move("p1 lay R2"), move("p1 draw B2")])
    assert after.seats[0].hand == cards("G5 B1 B2")
    assert (after.turn, after.phase, after.target) == (1, Phase.PLAY, 10)


def test_t7_no_more_and_no_fewer_than_up_to_three_are_drawn() -> None:
    state = apply(position("G5 R2 B1", "Y4", table="R1", deck="B2#9 B3#10"), move("p1 lay R2"))
    for line in ("p1 draw -", "p1 draw B2 B3"):
        verdict = ask(state, line)
        assert verdict.rules == ("T7",)
        assert verdict.reason.startswith("p1 draws 1, not ")
    assert ask(state, "p1 draw B3").reason == "the deck gives B2, not B3"


def test_t7_two_cards_fill_a_table_that_a_sum_emptied_hand_first_table_last() -> None:
    state = position("G5 R2 B1", "Y4", table="R1 Y3", deck="B2#9 B3#10 B5#8 B6#7")
    emptied = apply(state, move("p1 sum G5 + R1 + Y3 TWEAK"))
    early = ask(emptied, "p1 fill B2 B3")
    assert (early.rules, early.ruling) == (("T7",), Ruling.ILLEGAL)
    assert early.reason.startswith("hand first, table last")
    drawn = apply(emptied, move("p1 draw B2"))
    assert drawn.phase is Phase.FILL
    assert ask(drawn, "p1 fill B3").reason == "the emptied table takes 2 from the deck, not 1"
    filled = apply(drawn, move("p1 fill B3 B5"))
    assert (filled.table, filled.turn, filled.target) == (cards("B3 B5"), 1, 7)


def test_t7_a_table_that_was_not_emptied_is_not_filled() -> None:
    state = apply(position("G5 R2", "Y4", table="R1 Y3", deck="B2#8 B3#8"), move("p1 lay R2"))
    assert (
        ask(state, "p1 fill B2 B3").reason == "the table is filled only after a sum has emptied it"
    )


@pytest.mark.parametrize(
    ("deck", "lines", "hand", "table"),
    [
        ("", ["p1 draw -"], "R2", ""),
        ("B2#9", ["p1 draw B2"], "R2 B2", ""),
        ("B2#9 B3#7", ["p1 draw B2 B3"], "R2 B2 B3", ""),
        ("B2#9 B3#7 B5#8", ["p1 draw B2 B3", "p1 fill B5"], "R2 B2 B3", "B5"),
        ("B2#9 B3#7 B5#8 B6#8", ["p1 draw B2 B3", "p1 fill B5 B6"], "R2 B2 B3", "B5 B6"),
    ],
)
def test_t7_where_the_deck_runs_short_it_goes_as_far_as_it_goes(
    deck: str, lines: list[str], hand: str, table: str
) -> None:
    joined = "G3 + Y4" if not deck else "G5 + Y4"
    state = position(f"{joined[:2]} R2", "Y1", table="Y4", deck=deck)
    after = play(state, map(move, [f"p1 sum {joined} TWEAK", *lines]))
    assert after.seats[0].hand == cards(hand)
    assert (after.table, after.turn, after.phase) == (cards(table), 1, Phase.PLAY)


def test_no_illegal_move_is_carried_out() -> None:
    state = position("G5 R2", "Y4", table="R1 Y3", deck="B2#8")
    with pytest.raises(IllegalMove, match=r"illegal \(T1\): 5 \+ 1 \+ 3 is 9, the target is 8"):
        apply(state, move("p1 sum G5 + R1 + Y3"))


def test_a_seat_that_the_round_does_not_have_is_refused() -> None:
    state = position("G5 R2", "Y4", table="R1 Y3", deck="B2#8")
    with pytest.raises(BadInput, match="the round has p1 to p2, not p5"):
        ask(state, "p5 lay G5")


def test_d2_another_players_move_out_of_turn_is_refused() -> None:
    state = position("G5 R2", "Y4", table="R1 Y3", deck="B2#8")
    verdict = ask(state, "p2 lay Y4")
    assert (verdict.rules, verdict.reason) == (("D2",), "it is the turn of p1, not of p2")
