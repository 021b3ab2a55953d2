"""House readings D3, D4, D9, D10, and what a match may choose instead.

D1 is in test_match, D2 in test_setting_up, D5-D7 in test_tweak_cards, D8 in test_clearing_up,
D11 in test_spoken.
"""

from companion.rules.apply import apply, play
from companion.rules.house import HouseRules
from companion.rules.round import Phase, State
from companion.rules.verdict import Ruling
from tests.rules.positions import ask, move, position


def ready(house: HouseRules | None = None, stack: str = "T!joker") -> State:
    return position(
        "G5 R2 O4",
        "Y4",
        table="R1 Y3",
        deck="B2#9 B3#7 B5#8",
        stack=stack,
        house=house or HouseRules(),
    )


def test_d3_tweak_said_late_counts_until_the_player_draws() -> None:
    silent = apply(ready(), move("p1 sum G5 + R1 + Y3"))
    assert silent.unsaid
    verdict = ask(silent, "p1 says TWEAK")
    assert (verdict.wins_tweak, verdict.rules) == (True, ("T5", "D3"))
    said = apply(silent, move("p1 says TWEAK"))
    assert [str(card) for card in said.seats[0].has] == ["T!joker"]
    drawn = apply(silent, move("p1 draw B2"))
    late = ask(drawn, "p1 says TWEAK")
    assert (late.ruling, late.rules) == (Ruling.ILLEGAL, ("D3",))


def test_d3_a_match_may_ask_for_the_word_with_the_sum() -> None:
    silent = apply(ready(HouseRules(late_tweak="with the sum")), move("p1 sum G5 + R1 + Y3"))
    assert ask(silent, "p1 says TWEAK").rules == ("D3",)


def test_d3_tweak_can_be_said_once_and_only_where_it_is_due() -> None:
    said = apply(ready(), move("p1 sum G5 + R1 + Y3 TWEAK"))
    assert ask(said, "p1 says TWEAK").rules == ("T5",)
    assert ask(ready(), "p1 says TWEAK").ruling is Ruling.ILLEGAL


def test_d4_with_the_stack_empty_the_cards_of_the_sum_are_won_all_the_same() -> None:
    state = ready(stack="")
    verdict = ask(state, "p1 sum G5 + R1 + Y3 TWEAK")
    assert (verdict.ruling, verdict.rules) == (Ruling.LEGAL, ("T1", "T5", "D4"))
    assert (verdict.wins_tweak, verdict.points) == (False, 8)
    after = apply(state, move("p1 sum G5 + R1 + Y3 TWEAK"))
    assert (after.seats[0].has, len(after.seats[0].won)) == ((), 3)
    silent = apply(state, move("p1 sum G5 + R1 + Y3"))
    assert ask(silent, "p1 says TWEAK").rules == ("D3", "D4")


def test_d4_a_match_may_refuse_a_tweak_that_wins_nothing() -> None:
    state = ready(HouseRules(empty_stack="no sum"), stack="")
    assert ask(state, "p1 sum G5 + R1 + Y3 TWEAK").ruling is Ruling.ILLEGAL
    silent = apply(state, move("p1 sum G5 + R1 + Y3"))
    assert ask(silent, "p1 says TWEAK").ruling is Ruling.ILLEGAL


def test_d9_tweak_said_with_a_card_left_lets_the_sum_stand_on_its_own() -> None:
    state = position("G5 R2", "Y4", table="R1 Y3 P4", deck="B2#9", stack="T!joker")
    verdict = ask(state, "p1 sum G5 + P4 TWEAK")
    assert (verdict.ruling, verdict.rules) == (Ruling.LEGAL, ("T1", "D9"))
    after = apply(state, move("p1 sum G5 + P4 TWEAK"))
    assert (after.seats[0].has, len(after.stack), after.emptied) == ((), 1, False)


def test_d10_without_the_word_the_table_is_filled_up_all_the_same() -> None:
    state = ready()
    after = play(state, map(move, ["p1 sum G5 + R1 + Y3", "p1 draw B2"]))
    assert (after.seats[0].has, after.phase) == ((), Phase.FILL)
    assert ask(after, "p1 fill B3 B5").legal


def test_d10_a_match_may_give_the_tweak_card_without_the_word() -> None:
    state = ready(HouseRules(tweak_not_said="T! card"))
    verdict = ask(state, "p1 sum G5 + R1 + Y3")
    assert (verdict.wins_tweak, verdict.rules) == (True, ("T1", "D10"))
    after = apply(state, move("p1 sum G5 + R1 + Y3"))
    assert [str(card) for card in after.seats[0].has] == ["T!joker"]
    assert not after.unsaid


def test_a_tweak_card_that_the_stack_did_not_give_is_refused() -> None:
    state = ready()
    assert ask(state, "p1 sum G5 + R1 + Y3 TWEAK wins T!joker").legal
    other = ask(state, "p1 sum G5 + R1 + Y3 TWEAK wins T!bomb")
    assert (other.ruling, other.reason) == (Ruling.ILLEGAL, "the stack gives T!joker, not T!bomb")
    none = ask(state, "p1 sum G5 + R1 + Y3 wins T!joker")
    assert none.rules == ("T5",)
