"""Shuffled decks and stacks, from dice that are passed in (rules S2, S3, C2).

How the targets are spread over the backs is not given, so each back is drawn evenly from 7-10.
"""

from __future__ import annotations

from random import Random

from companion.rules.cards import TARGETS, Colour, TweakCard
from companion.rules.editions import Edition, number_cards, tweak_cards
from companion.rules.round import DeckCard


def shuffled_deck(colours: tuple[Colour, ...], dice: Random) -> tuple[DeckCard, ...]:
    """Every number card of these colours in a random order, with random targets behind.

    >>> from companion.rules.cards import Colour
    >>> len(shuffled_deck((Colour.RED,), Random(1)))
    9
    """
    cards = list(number_cards(colours))
    dice.shuffle(cards)
    return tuple(DeckCard(card, dice.choice(TARGETS)) for card in cards)


def shuffled_stack(edition: Edition, dice: Random) -> tuple[TweakCard, ...]:
    """The T! cards of an edition in a random order."""
    cards = list(tweak_cards(edition))
    dice.shuffle(cards)
    return tuple(cards)


def first_dealer(players: int, dice: Random) -> int:
    """The seat that deals the first round, drawn by chance (S3)."""
    return dice.randrange(players)
