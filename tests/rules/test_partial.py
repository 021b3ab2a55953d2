"""Partial knowledge: a referee sees the table and the deck's top, not the hands."""

from dataclasses import replace

from companion.rules.apply import apply
from companion.rules.cards import Tweak, TweakCard
from companion.rules.house import HouseRules
from companion.rules.legal import legal_moves, unseen
from companion.rules.moves import MakeSum
from companion.rules.round import DeckCard, State
from companion.rules.verdict import Ruling
from tests.rules.positions import ask, cards, move, position

HIDDEN = (None, None, None)


def seen_from_outside(**more: object) -> State:
    """p1 has G5 R2 O4 and p2 Y4 O6 P6, but nobody sees them; the deck shows 9."""
    given: dict[str, object] = {"table": "R1 Y3", "deck": "B2#9 B3#7 B5#8"} | more
    full = position("G5 R2 O4", "Y4 O6 P6", **given)  # type: ignore[arg-type]
    return replace(
        full,
        seats=tuple(replace(seat, hand=HIDDEN) for seat in full.seats),
        deck=(DeckCard(None, 9), *[DeckCard()] * (len(full.deck) - 1)),
    )


def test_a_sum_is_judged_by_the_card_that_was_shown_not_by_the_hand() -> None:
    verdict = ask(seen_from_outside(), "p1 sum G5 + R1 + Y3 TWEAK")
    assert (verdict.ruling, verdict.won) == (Ruling.LEGAL, cards("G5 R1 Y3"))
    after = apply(seen_from_outside(), move("p1 sum G5 + R1 + Y3 TWEAK"))
    assert after.seats[0].hand == (None, None)


def test_a_card_of_which_every_copy_is_seen_elsewhere_can_not_be_in_a_hand() -> None:
    state = seen_from_outside(table="R1 Y3 G6")
    verdict = ask(state, "p1 sum G6 + Y3")
    assert (verdict.ruling, verdict.rules) == (Ruling.ILLEGAL, ("C1",))
    assert verdict.reason == "every G6 is seen elsewhere, so p1 can't have one"


def test_drawing_unseen_cards_leaves_the_target_unclear_until_it_is_seen() -> None:
    laid = apply(seen_from_outside(), move("p1 lay R2"))
    blind = apply(laid, move("p1 draw ?"))
    assert blind.target is None
    verdict = ask(blind, "p2 sum Y4 + Y3")
    assert (verdict.ruling, verdict.rules) == (Ruling.UNCLEAR, ("T1", "T2"))
    assert ask(blind, "p2 sum Y4 + R1").ruling is Ruling.ILLEGAL
    assert ask(blind, "p2 lay Y4").legal
    told = apply(laid, move("p1 draw ? top #7"))
    assert told.target == 7
    assert ask(told, "p2 sum Y4 + Y3").legal


def test_a_joker_on_an_unseen_target_is_allowed_and_its_sum_is_unclear() -> None:
    state = replace(seen_from_outside(has="T!joker"), deck=(DeckCard(),) * 3)
    helped = apply(state, move("p1 joker +1"))
    verdict = ask(helped, "p1 sum G5 + R1 + Y3")
    assert verdict.reason == (
        "5 + 1 + 3 is 9: right if the target is 9 (8, Joker +1), but the target is not seen"
    )


def test_what_a_thief_a_shifter_or_a_fill_put_on_the_table_has_to_be_named() -> None:
    state = seen_from_outside(has="T!thief T!shifter")
    for line in ("p1 thief p2 ?", "p1 shifter ?"):
        verdict = ask(state, line)
        assert verdict.ruling is Ruling.UNCLEAR
        assert verdict.reason.startswith("unclear until the card")
    assert ask(state, "p1 thief p2 O6").legal
    assert ask(state, "p1 shifter P4").ruling is Ruling.ILLEGAL, "P4 lies in a won pile"
    known = apply(state, move("p1 shifter B2 top #7"))
    assert (known.table, known.target) == (cards("R1 Y3 B2"), 7)


def test_the_cards_of_a_fill_have_to_be_named() -> None:
    state = apply(seen_from_outside(), move("p1 sum G5 + R1 + Y3 TWEAK"))
    drawn = apply(state, move("p1 draw ?"))
    assert ask(drawn, "p1 fill -").ruling is Ruling.UNCLEAR
    assert ask(drawn, "p1 fill B3 B5").legal
    assert ask(drawn, "p1 fill B3 B3").rules == ("C1",)


def test_the_kind_of_a_won_tweak_card_may_be_told() -> None:
    state = seen_from_outside()
    blind = replace(state, stack=(TweakCard(),) * 10)
    told = apply(blind, move("p1 sum G5 + R1 + Y3 TWEAK wins T!bomb"))
    assert told.seats[0].has == (TweakCard(Tweak.BOMB),)
    untold = apply(blind, move("p1 sum G5 + R1 + Y3 TWEAK"))
    assert untold.seats[0].has == (TweakCard(),)


def test_a_kind_that_is_used_up_can_not_be_won() -> None:
    state = seen_from_outside(has="T!bomb")
    blind = replace(state, stack=(TweakCard(),) * 9)
    verdict = ask(blind, "p1 sum G5 + R1 + Y3 TWEAK wins T!bomb")
    assert (verdict.ruling, verdict.rules) == (Ruling.ILLEGAL, ("C3",))


def test_a_tweak_card_whose_kind_was_not_read_may_be_any() -> None:
    state = seen_from_outside(has="T!joker")
    unread = replace(state, seats=(replace(state.seats[0], has=(TweakCard(),)), state.seats[1]))
    after = apply(unread, move("p1 joker -1"))
    assert ([str(card) for card in after.seats[0].used], after.change) == (["T!joker"], -1)


def test_every_card_that_is_nowhere_else_is_tried_for_an_unseen_hand() -> None:
    state = seen_from_outside()
    assert " ".join(sorted(map(str, unseen(state)))) == "B2 B3 B5 G5 O4 O6 P6 R2 Y4"
    sums = [one for one in legal_moves(state) if isinstance(one, MakeSum)]
    assert {str(one) for one in sums} >= {
        "p1 sum G5 + R1 + Y3 TWEAK",
        "p1 sum B5 + R1 + Y3 TWEAK",
        "p1 sum O6 + Y3",
    }
    assert all(ask(state, str(one)).legal for one in legal_moves(state))


def test_d7_whether_a_sum_was_possible_can_not_be_told_from_outside() -> None:
    house = HouseRules(tweak_without_sum="refused")
    state = apply(seen_from_outside(has="T!joker", house=house), move("p1 joker -1"))
    verdict = ask(state, "p1 lay R2")
    assert (verdict.ruling, verdict.rules) == (Ruling.UNCLEAR, ("D7",))
