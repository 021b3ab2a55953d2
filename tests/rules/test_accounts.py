"""What a finished round must add up to (C1, C3, E2)."""

from companion.rules.accounts import account, account_state
from companion.rules.cards import Colour, NumberCard, TweakCard, parse_number_card
from companion.rules.editions import Edition, number_cards
from tests.rules.positions import cards, position, tweaks

RED_AND_BLUE = (Colour.RED, Colour.BLUE)


def test_every_number_card_is_in_one_pile_or_on_the_table() -> None:
    deck = number_cards(RED_AND_BLUE)
    result = account(Edition.CARDS_65, RED_AND_BLUE, [deck[:7], deck[7:15]], table=deck[15:])
    assert (result.balanced, result.text) == (True, "every card is accounted for")


def test_the_missing_and_the_surplus_are_named() -> None:
    deck = [card for card in number_cards(RED_AND_BLUE) if str(card) not in ("B4", "R6")]
    result = account(
        Edition.CARDS_65, RED_AND_BLUE, [[*deck, parse_number_card("R5")], cards("G1")]
    )
    assert [str(card) for card in result.missing] == ["R6", "B4"]
    assert [str(card) for card in result.surplus] == ["R5", "G1"]
    assert result.text == "missing: R6, B4; too many: R5, G1"
    assert not result.balanced


def test_more_tweak_cards_than_the_edition_has_are_too_many() -> None:
    deck = number_cards(RED_AND_BLUE)
    pile: list[NumberCard | TweakCard] = [*deck, *tweaks("T!bomb T!bomb")]
    assert account(Edition.CARDS_72, RED_AND_BLUE, [pile]).balanced
    small = account(Edition.CARDS_65, RED_AND_BLUE, [pile])
    assert [str(card) for card in small.surplus] == ["T!bomb"]
    blind = account(Edition.CARDS_65, RED_AND_BLUE, [deck, tweaks("T! " * 11)])
    assert [str(card) for card in blind.surplus] == ["T!"]


def test_cards_that_were_counted_blind_may_be_the_missing_ones() -> None:
    deck = number_cards(RED_AND_BLUE)
    result = account(Edition.CARDS_65, RED_AND_BLUE, [deck[2:], [None, None]])
    assert (result.balanced, result.unknown) == (True, 2)
    assert result.text == "missing: R1, R1; not known: 2"


def test_during_a_round_the_missing_cards_are_in_hands_and_deck() -> None:
    state = position("R5 G2", "Y3", table="B2", deck="R1#8")
    assert sorted(map(str, account_state(state).missing)) == ["G2", "R1", "R5", "Y3"]
