"""All sums that a table allows (rules T1, T5): the next best thing to say.

>>> from companion.rules.cards import parse_number_card as card
>>> best = possible_sums((card("R1"), card("Y3")), target=9, hand=(card("G5"), card("B6")))[0]
>>> str(best), best.points, best.is_tweak
('G5 + R1 + Y3', 8, True)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from companion.rules.cards import VALUES, Colour, NumberCard
from companion.rules.scoring import points_of

_COLOUR_ORDER = {colour: place for place, colour in enumerate(Colour)}
_Group: TypeAlias = tuple[int, tuple[NumberCard, ...]]
"""Points and cards of one choice from the table."""


class Sum(NamedTuple):
    """One sum that a player could claim.

    Attributes:
        hand_card: the card from the hand, None where the hand is not known.
        hand_value: its value, 1-6.
        taken: the table cards that it joins, one or more.
        points: of all its cards; with the hand not known, the least they can be worth.
        is_tweak: whether it takes every card on the table.
    """

    hand_card: NumberCard | None
    hand_value: int
    taken: tuple[NumberCard, ...]
    points: int
    is_tweak: bool

    def __str__(self) -> str:
        first = str(self.hand_card or self.hand_value)
        return " + ".join([first, *map(str, self.taken)])


_BY_POINTS = itemgetter(3)


def possible_sums(
    table: tuple[NumberCard, ...], target: int, hand: tuple[NumberCard, ...] | None = None
) -> tuple[Sum, ...]:
    """Every different sum of one hand card with table cards, best points first.

    Args:
        table: the cards on the table, in any order.
        target: what the values must add up to, the Joker counted in.
        hand: the player's cards; None tries every value from 1 to 6.

    Returns:
        The sums, best points first; equal cards are not told apart, so none comes twice.
    """
    by_total = _choices(table, target - 1)
    hand_cards: Iterable[tuple[NumberCard | None, int, int]]
    if hand is None:
        hand_cards = [(None, value, 4 if value == 5 else 1) for value in VALUES]
    else:
        hand_cards = [(card, card.value, points_of(card)) for card in dict.fromkeys(hand)]
    whole = len(table)
    sums = [
        Sum(card, value, taken, worth + points, len(taken) == whole)
        for card, value, worth in hand_cards
        if 0 < target - value < len(by_total)
        for points, taken in by_total[target - value]
    ]
    sums.sort(key=_BY_POINTS, reverse=True)
    return tuple(sums)


def _choices(table: tuple[NumberCard, ...], most: int) -> list[list[_Group]]:
    """Every different non-empty choice of table cards, listed by its total 1 to ``most``."""
    by_total: list[list[_Group]] = [[] for _ in range(max(most, 0) + 1)]
    by_total[0].append((0, ()))
    for card, copies in sorted(Counter(table).items(), key=_place):
        value, worth = card.value, points_of(card)
        for total in range(most, value - 1, -1):
            for count in range(1, copies + 1):
                if total - count * value < 0:
                    break
                extra, more = count * worth, (card,) * count
                by_total[total] += [
                    (points + extra, cards + more)
                    for points, cards in by_total[total - count * value]
                ]
    return by_total


def _place(item: tuple[NumberCard, int]) -> tuple[int, int]:
    return (_COLOUR_ORDER[item[0].colour], item[0].value)
