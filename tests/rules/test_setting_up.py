"""Rules S1-S3, C4, D2: dealing a round."""

import random
from collections import Counter

import pytest

from companion.errors import BadInput
from companion.rules.cards import Colour
from companion.rules.editions import Edition, colours_in_play, number_cards
from companion.rules.house import HouseRules
from companion.rules.legal import legal_moves
from companion.rules.notation import parse_move
from companion.rules.round import Deal, DeckCard, State, first_turn
from companion.rules.shuffle import first_dealer, shuffled_deck, shuffled_stack


def dealt(edition: Edition, players: int, seed: int = 1, dealer: int = 0) -> State:
    dice = random.Random(seed)
    colours = colours_in_play(edition, players)
    deck, stack = shuffled_deck(colours, dice), shuffled_stack(edition, dice)
    return Deal(edition, colours, players, dealer).state(deck, stack)


@pytest.mark.parametrize("edition", list(Edition))
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_s2_three_cards_to_each_player_two_on_the_table_the_rest_is_the_deck(
    edition: Edition, players: int
) -> None:
    state = dealt(edition, players)
    in_play = number_cards(colours_in_play(edition, players))
    assert [len(seat.hand) for seat in state.seats] == [3] * players
    assert (len(state.table), len(state.deck)) == (2, len(in_play) - 3 * players - 2)
    assert Counter(state.number_cards()) == Counter(in_play)
    assert len(state.stack) == {"65": 10, "72": 17}[edition.value]
    assert state.target == state.deck[0].target


def test_s3_the_first_dealer_is_drawn_by_chance_among_all() -> None:
    dice = random.Random(5)
    assert {first_dealer(3, dice) for _ in range(100)} == {0, 1, 2}


def test_d2_the_player_on_the_dealers_left_starts_and_play_goes_clockwise() -> None:
    assert dealt(Edition.CARDS_65, 4, dealer=3).turn == 0
    assert dealt(Edition.CARDS_65, 4, dealer=1).turn == 2
    assert dealt(Edition.CARDS_65, 4, dealer=1).next_turn == 3


def test_d2_a_match_may_choose_another_start_and_the_other_way_round() -> None:
    right = HouseRules(first="right of dealer", direction="anticlockwise")
    assert first_turn(0, 4, right) == 3
    assert first_turn(2, 4, HouseRules(first="dealer")) == 2
    dice = random.Random(1)
    deck, stack = shuffled_deck(tuple(Colour), dice), shuffled_stack(Edition.CARDS_72, dice)
    state = Deal(Edition.CARDS_72, tuple(Colour), 4, 0, right).state(deck, stack)
    assert (state.turn, state.next_turn) == (3, 2)


def test_s1_too_few_colours_to_deal_are_refused() -> None:
    dice = random.Random(1)
    red = (Colour.RED,)
    with pytest.raises(BadInput, match="6 players need 20 cards"):
        Deal(Edition.CARDS_65, red, 6).state(
            shuffled_deck(red, dice), shuffled_stack(Edition.CARDS_65, dice)
        )


def test_s1_players_may_choose_fewer_colours_as_long_as_red_is_in() -> None:
    dice = random.Random(1)
    red = (Colour.RED,)
    state = Deal(Edition.CARDS_65, red, 2).state(
        shuffled_deck(red, dice), shuffled_stack(Edition.CARDS_65, dice)
    )
    assert len(state.deck) == 1


def test_a_referee_deals_a_round_without_seeing_the_hands() -> None:
    hidden = [DeckCard() for _ in range(6)]
    seen = list(shuffled_deck((Colour.RED,), random.Random(1)))[:2]
    rest = [DeckCard(None, 9), *[DeckCard()] * 27]
    stack = shuffled_stack(Edition.CARDS_65, random.Random(1))
    colours = colours_in_play(Edition.CARDS_65, 2)
    state = Deal(Edition.CARDS_65, colours, 2).state([*hidden, *seen, *rest], stack)
    assert state.seats[0].hand == (None, None, None)
    assert (state.target, len(state.deck)) == (9, 28)


def test_c4_nobody_plays_steals_or_scores_the_blue_seven() -> None:
    state = dealt(Edition.CARDS_65, 2)
    assert all("=7" not in str(move) for move in legal_moves(state))
    for line in ("p1 lay =7", "p1 thief p2 =7", "p1 sum =7 + R1", "p1 shifter =7"):
        with pytest.raises(BadInput, match="no number card"):
            parse_move(line)
