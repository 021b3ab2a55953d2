"""What the won cards are worth (rules P1-P4).

>>> from companion.rules.cards import parse_card
>>> score([parse_card(text) for text in "G5 R1 Y3".split()]).points
8
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.errors import BadInput
from companion.rules.cards import Card, Colour, NumberCard, TweakCard

ORDINARY, RED, FIVE, RED_FIVE, TWEAK = "ordinary", "red", "five", "red five", "T!"
_WORTH = {ORDINARY: 1, RED: 3, FIVE: 4, RED_FIVE: 5, TWEAK: 2}
_RULES = {ORDINARY: "P1", RED: "P2", FIVE: "P3", RED_FIVE: "P3", TWEAK: "P4"}


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One sort of card in a score.

    Attributes:
        label: ordinary, red, five, red five or T!.
        count: how many of the sort were won.
        each: points for one.
        points: points for all of them.
    """

    label: str
    count: int
    each: int
    points: int

    @property
    def rule(self) -> str:
        """The id of the rule that gives the points."""
        return _RULES[self.label]


@dataclass(frozen=True, slots=True)
class Score:
    """Points of a pile, and how they come about (only sorts that occur have a line)."""

    points: int
    lines: tuple[ScoreLine, ...]


def kind_of(card: Card) -> str:
    """The sort of a card as the points table names it.

    Raises:
        BadInput: a back or the blue 7, which have no points.
    """
    if isinstance(card, TweakCard):
        return TWEAK
    if not isinstance(card, NumberCard):
        raise BadInput(
            "%(card)s scores for nobody: wanted number cards and T! cards, face up", card=card
        )
    if card.colour is Colour.RED:
        return RED_FIVE if card.value == 5 else RED
    return FIVE if card.value == 5 else ORDINARY


def points_of(card: Card) -> int:
    """Points of one won card (rules P1-P4).

    Raises:
        BadInput: a back or the blue 7, which have no points.
    """
    return _WORTH[kind_of(card)]


def score(cards: Iterable[Card]) -> Score:
    """Add up a pile of won cards.

    Raises:
        BadInput: a back or the blue 7 is among them.
    """
    kinds = [kind_of(card) for card in cards]
    lines = tuple(
        ScoreLine(kind, kinds.count(kind), each, kinds.count(kind) * each)
        for kind, each in _WORTH.items()
        if kind in kinds
    )
    return Score(points=sum(line.points for line in lines), lines=lines)
