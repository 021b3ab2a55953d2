"""Rules C2 and C4, and the one line of text that every card has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import UnknownCard
from companion.rules.cards import (
    BlueSeven,
    Card,
    Colour,
    Face,
    NumberCard,
    TargetBack,
    Tweak,
    TweakBack,
    TweakCard,
    parse_card,
    parse_number_card,
)
from companion.rules.scoring import points_of

EVERY_CARD: list[Card] = [
    *(NumberCard(colour, value) for colour in Colour for value in range(1, 7)),
    *(TargetBack(target) for target in range(7, 11)),
    *(TweakCard(kind) for kind in [None, *Tweak]),
    TweakBack(),
    BlueSeven(),
]


def test_c2_the_front_shows_a_value_from_one_to_six_and_its_points() -> None:
    card = parse_number_card("G5")
    assert (card.colour, card.value, points_of(card), card.face) == (
        Colour.GREEN,
        5,
        4,
        Face.NUMBER,
    )
    for value in (0, 7):
        with pytest.raises(UnknownCard, match=f"from 1 to 6, not {value}"):
            NumberCard(Colour.RED, value)


def test_c2_the_black_back_shows_a_target_from_seven_to_ten() -> None:
    assert [str(TargetBack(target)) for target in range(7, 11)] == ["#7", "#8", "#9", "#10"]
    for target in (6, 11):
        with pytest.raises(UnknownCard, match=f"from 7 to 10, not {target}"):
            TargetBack(target)


def test_c4_the_blue_card_shows_seven_on_both_sides_and_is_no_number_card() -> None:
    assert parse_card("=7") == BlueSeven()
    with pytest.raises(UnknownCard, match="no number card"):
        parse_number_card("=7")


@pytest.mark.parametrize("card", EVERY_CARD, ids=str)
def test_every_card_reads_back_from_its_text_in_either_case(card: Card) -> None:
    assert parse_card(str(card)) == card
    assert parse_card(str(card).lower()) == card


@pytest.mark.parametrize("text", ["", "R", "R7", "R0", "X1", "#6", "#11", "=8", "T!king", "R55"])
def test_a_text_that_is_no_card_is_refused_with_what_was_wanted(text: str) -> None:
    with pytest.raises(UnknownCard, match="is no card: wanted a colour letter ROYGBP"):
        parse_card(text)


@given(st.text(max_size=30))
def test_any_text_is_a_card_that_reads_back_or_one_line_of_error(text: str) -> None:
    try:
        card = parse_card(text)
    except UnknownCard as error:
        message = str(error)
    else:
        assert parse_card(str(card)) == card
        message = "fine"
    assert "\n" not in message
