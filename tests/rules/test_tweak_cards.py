"""Rules X1-X6 with D5 and D6: the four T! cards, in both editions."""

import pytest

from companion.rules.apply import apply, play
from companion.rules.house import HouseRules
from companion.rules.round import State
from companion.rules.verdict import Ruling, Verdict
from tests.rules.positions import ask, cards, move, position

ALL = "T!thief T!joker T!shifter T!bomb"
pytestmark = pytest.mark.parametrize("edition", ["65", "72"])


def three(edition: str, **more: object) -> State:
    given: dict[str, object] = {"table": "R1 Y3", "deck": "B2#9 B3#7 B5#8", "has": ALL}
    given |= more
    return position("G5 R2", "Y4 O6", "P1 P5", edition=edition, **given)  # type: ignore[arg-type]


def refused(verdict: Verdict) -> tuple[str, ...]:
    assert verdict.ruling is Ruling.ILLEGAL
    return verdict.rules


def test_x1_one_tweak_card_a_turn_at_the_most(edition: str) -> None:
    after = apply(three(edition), move("p1 joker +1"))
    assert refused(ask(after, "p1 shifter B2")) == ("X1",)
    assert ask(after, "p1 shifter B2").reason == "one T! card a turn: T!joker is played already"


def test_x1_only_in_the_players_own_turn(edition: str) -> None:
    assert refused(ask(three(edition), "p2 joker +1")) == ("X1",)


def test_x1_as_help_towards_the_target_so_before_the_hand_card(edition: str) -> None:
    after = apply(three(edition), move("p1 lay R2"))
    assert refused(ask(after, "p1 joker +1")) == ("X1",)


def test_x1_a_tweak_card_that_was_not_won_can_not_be_played(edition: str) -> None:
    verdict = ask(three(edition, has="T!thief"), "p1 joker +1")
    assert refused(verdict) == ("T5",)
    assert verdict.reason == "p1 has no T!joker to play"


def test_x2_the_thief_puts_a_card_of_another_hand_on_the_table(edition: str) -> None:
    after = apply(three(edition), move("p1 thief p2 O6"))
    assert after.table == cards("R1 Y3 O6")
    assert after.seats[1].hand == cards("Y4")
    assert after.seats[1].short
    assert [str(card) for card in after.seats[0].used] == ["T!thief"]
    assert ask(after, "p1 sum R2 + R1 + O6").legal


def test_x2_the_thief_takes_from_another_hand_and_only_what_is_in_it(edition: str) -> None:
    state = three(edition)
    assert refused(ask(state, "p1 thief p1 R2")) == ("X2",)
    assert refused(ask(state, "p1 thief p2 P1")) == ("X2",)


def test_x2_the_card_goes_on_the_table_and_not_into_the_thiefs_hand(edition: str) -> None:
    after = apply(three(edition), move("p1 thief p2 O6"))
    assert after.seats[0].hand == cards("G5 R2")
    assert refused(ask(after, "p1 lay O6")) == ("T6",)


def test_x3_the_joker_is_one_more_or_one_less_for_this_turn(edition: str) -> None:
    up = apply(three(edition, deck="B2#8 B3#7 B5#8"), move("p1 joker +1"))
    verdict = ask(up, "p1 sum G5 + R1 + Y3 TWEAK")
    assert (verdict.wins_tweak, verdict.rules) == (True, ("T1", "X3", "T5"))
    wrong = ask(up, "p1 sum R2 + R1 + Y3")
    assert wrong.reason == "2 + 1 + 3 is 6, the target is 9 (8, Joker +1)"
    down = apply(three(edition), move("p1 joker -1"))
    assert ask(down, "p1 sum G5 + Y3").legal
    later = play(up, [move("p1 lay R2"), move("p1 draw B2 B3")])
    assert (later.change, later.target) == (0, 8)


def test_x4_the_shifter_puts_the_top_card_on_the_table_and_the_next_gives_the_target(
    edition: str,
) -> None:
    after = apply(three(edition), move("p1 shifter B2"))
    assert (after.table, after.target) == (cards("R1 Y3 B2"), 7)
    assert ask(after, "p1 sum R2 + Y3 + B2").legal


def test_x4_the_blue_seven_gives_the_target_if_that_was_the_last_card(edition: str) -> None:
    after = apply(three(edition, deck="B2#10"), move("p1 shifter B2"))
    assert (after.target, after.deck) == (7, ())
    verdict = ask(after, "p1 sum R2 + Y3 + B2")
    assert (verdict.ruling, verdict.rules) == (Ruling.LEGAL, ("T1", "T2"))


def test_x5_the_bomb_makes_every_other_player_put_one_card_on_the_table(edition: str) -> None:
    after = apply(three(edition), move("p1 bomb p2:Y4 p3:P1"))
    assert after.table == cards("R1 Y3 Y4 P1")
    assert [seat.hand for seat in after.seats] == [cards("G5 R2"), cards("O6"), cards("P5")]
    assert [seat.short for seat in after.seats] == [False, True, True]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("p1 bomb p2:Y4", "X5"),
        ("p1 bomb -", "X5"),
        ("p1 bomb p1:G5 p2:Y4 p3:P1", "X5"),
        ("p1 bomb p2:Y4 p3:O6", "X5"),
    ],
)
def test_x5_the_bomb_spares_its_player_and_nobody_else(edition: str, line: str, rule: str) -> None:
    assert refused(ask(three(edition), line)) == (rule,)


def test_x6_without_a_hand_card_no_tweak_card_can_be_played(edition: str) -> None:
    state = position("", "Y4 O6", table="R1", deck="B2#9", has=ALL, edition=edition)
    for line in ("p1 joker +1", "p1 thief p2 Y4", "p1 shifter B2", "p1 bomb p2:Y4"):
        assert refused(ask(state, line)) == ("X6",)


def test_d5_with_the_deck_gone_the_shifter_can_not_be_played(edition: str) -> None:
    state = three(edition, deck="")
    assert refused(ask(state, "p1 shifter B2")) == ("D5",)
    wasted = three(edition, deck="", house=HouseRules(shifter_without_deck="wasted"))
    after = apply(wasted, move("p1 shifter ?"))
    assert (after.table, len(after.seats[0].used)) == (wasted.table, 1)


def test_d6_a_thief_needs_a_victim_with_a_card(edition: str) -> None:
    given = {"table": "R1", "deck": "B2#9", "has": ALL, "edition": edition}
    state = position("G5 R2", "", "P1", **given)
    assert refused(ask(state, "p1 thief p2 ?")) == ("D6",)
    house = HouseRules(empty_victim="wasted")
    wasted = position("G5 R2", "", "P1", house=house, **given)
    after = apply(wasted, move("p1 thief p2 ?"))
    assert (after.table, after.seats[1].short) == (wasted.table, False)


def test_d6_a_bomb_passes_over_empty_hands(edition: str) -> None:
    state = position("G5 R2", "", "P1", table="R1", deck="B2#9", has=ALL, edition=edition)
    verdict = ask(state, "p1 bomb p3:P1")
    assert (verdict.ruling, verdict.rules) == (Ruling.LEGAL, ("X5", "D6"))
    assert refused(ask(state, "p1 bomb p2:Y4 p3:P1")) == ("D6",)
    alone = position("G5 R2", "", table="R1", deck="B2#9", has=ALL, edition=edition)
    assert ask(alone, "p1 bomb -").rules == ("X5", "D6")


def test_d7_a_card_may_be_laid_although_a_tweak_card_was_played(edition: str) -> None:
    after = apply(three(edition), move("p1 joker -1"))
    verdict = ask(after, "p1 lay R2")
    assert (verdict.ruling, verdict.rules) == (Ruling.LEGAL, ("T6", "D7"))


def test_d7_a_match_may_ask_for_a_sum_after_a_tweak_card(edition: str) -> None:
    state = three(edition, house=HouseRules(tweak_without_sum="refused"))
    helped = apply(state, move("p1 joker -1"))
    verdict = ask(helped, "p1 lay R2")
    assert refused(verdict) == ("D7",)
    assert verdict.reason == "after a T! card a sum has to be made: G5 + Y3 is possible"
    in_vain = apply(state, move("p1 joker +1"))
    assert ask(in_vain, "p1 lay R2").legal
