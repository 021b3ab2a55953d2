"""Rules C1, C3, S1: what is in the box, and what is put into play."""

from collections import Counter

import pytest

from companion.errors import BadInput
from companion.rules.cards import Colour, Tweak, TweakCard, parse_card
from companion.rules.editions import (
    TWEAK_COUNTS,
    Edition,
    check_colours,
    check_copies,
    check_players,
    colours_in_play,
    number_cards,
    parse_edition,
    tweak_cards,
)


def test_c1_each_colour_has_two_each_of_one_to_three_and_one_each_of_four_to_six() -> None:
    deck = number_cards(Colour)
    assert len(deck) == 54
    for colour in Colour:
        values = Counter(card.value for card in deck if card.colour is colour)
        assert values == {1: 2, 2: 2, 3: 2, 4: 1, 5: 1, 6: 1}


def test_c3_the_small_box_has_ten_tweak_cards_and_the_large_one_seventeen() -> None:
    small, large = tweak_cards(Edition.CARDS_65), tweak_cards(Edition.CARDS_72)
    assert (len(small), len(large)) == (10, 17)
    assert small.count(TweakCard(Tweak.BOMB)) == 1
    assert TWEAK_COUNTS[Edition.CARDS_72][Tweak.SHIFTER] == 5
    assert int(Edition.CARDS_65.value) == 54 + 10 + 1
    assert int(Edition.CARDS_72.value) == 54 + 17 + 1


@pytest.mark.parametrize(("players", "cards"), [(2, 36), (3, 36), (4, 45), (5, 54), (6, 54)])
def test_s1_more_players_take_more_colours_in_the_small_box(players: int, cards: int) -> None:
    assert len(number_cards(colours_in_play(Edition.CARDS_65, players))) == cards
    assert len(number_cards(colours_in_play(Edition.CARDS_72, players))) == 54


@pytest.mark.parametrize("players", [-1, 0, 1, 7])
def test_s1_one_or_seven_players_are_refused(players: int) -> None:
    with pytest.raises(BadInput, match=f"2 to 6 players, not {players}"):
        check_players(players)


def test_s1_red_is_always_in_and_colours_come_in_their_usual_order() -> None:
    chosen = [Colour.PURPLE, Colour.RED]
    assert check_colours(Edition.CARDS_65, chosen) == (Colour.RED, Colour.PURPLE)
    with pytest.raises(BadInput, match="red is always in play"):
        check_colours(Edition.CARDS_65, [Colour.BLUE])
    with pytest.raises(BadInput, match="once"):
        check_colours(Edition.CARDS_65, [Colour.RED, Colour.RED])
    with pytest.raises(BadInput, match="all six"):
        check_colours(Edition.CARDS_72, chosen)


@pytest.mark.parametrize("text", ["66", "", 65, None, True])
def test_an_edition_that_does_not_exist_is_refused(text: object) -> None:
    with pytest.raises(BadInput, match='"65" or "72"'):
        parse_edition(text)


def test_more_copies_than_the_edition_has_are_refused_by_name() -> None:
    check_copies([parse_card(text) for text in ["R1", "R1", "R5", "T!bomb", "=7", "#9", "#9"]])
    with pytest.raises(BadInput, match="R5 exists once, but it is named 2 times"):
        check_copies([parse_card("R5"), parse_card("R5")])
    bombs = [TweakCard(Tweak.BOMB)] * 2
    check_copies(bombs, Edition.CARDS_72)
    with pytest.raises(BadInput, match="T!bomb exists once"):
        check_copies(bombs, Edition.CARDS_65)
