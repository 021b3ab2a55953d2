"""A sum that was only said aloud, matched to the cards on the table (rule T3).

>>> from companion.rules.spoken import hear
>>> from companion.table.evidence import scene_of
>>> said = Declaration(None, spoken="1 and 3 is 4, and 5 is 9")
>>> heard = heard_sum(said, hear(said.spoken), scene_of(["R1", "Y3", "B6"], "#9").table)
>>> heard.hand, heard.taken
('5', ('R1', 'Y3'))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from companion.errors import BadClaim, Phrase, either
from companion.rules.cards import NumberCard
from companion.rules.spoken import SpokenSum
from companion.table.evidence import Declaration, parse_hand
from companion.vision.values import Sighting


def heard_sum(declaration: Declaration, heard: SpokenSum, table: Sequence[Sighting]) -> Declaration:
    """The declaration with the cards that the words name.

    One number is the hand card's, each other one names a card on the table.

    Args:
        declaration: as it was made, without table cards.
        heard: what was said.
        table: the cards on the table, a hand card laid beside them left out.

    Raises:
        BadClaim: the words are no sum, or fit the cards in no way or in several.
    """
    if not heard.complete or len(heard.addends) < 2:
        raise BadClaim(
            "the words are no sum: say it like 1 and 3 is 4, and 5 is 9, or tap the cards"
        )
    hands = sorted(set(heard.addends)) if declaration.hand is None else [_value(declaration.hand)]
    there = Counter(card for card in map(_best, table) if card is not None)
    fits = [
        (hand, taken)
        for hand in hands
        if hand in heard.addends
        for taken in [_named(_without(heard.addends, hand), there)]
        if taken is not None
    ]
    if not fits:
        lying = ", ".join(str(one.reading) for one in table) or Phrase("no card")
        raise BadClaim("the numbers said do not fit the cards: there lay %(cards)s", cards=lying)
    if len(fits) > 1:
        raise BadClaim("say which card came from the hand: each of several numbers may be it")
    hand, taken = fits[0]
    return replace(
        declaration,
        hand=str(hand) if declaration.hand is None else declaration.hand,
        taken=tuple(map(str, taken)),
    )


def _value(hand: str) -> int:
    card = parse_hand(hand)
    return card if isinstance(card, int) else card.value


def _without(numbers: Sequence[int], one: int) -> list[int]:
    rest = list(numbers)
    rest.remove(one)
    return rest


def _named(numbers: Sequence[int], there: Counter[NumberCard]) -> tuple[NumberCard, ...] | None:
    """The cards of these values; None where there are not so many.

    Raises:
        BadClaim: a number may name cards of several colours.
    """
    named: list[NumberCard] = []
    for value, wanted in Counter(numbers).items():
        able = [card for card in there.elements() if card.value == value]
        if len(able) < wanted:
            return None
        if len(able) > wanted and len(set(able)) > 1:
            raise BadClaim(
                "tap the cards: the %(value)s that was said may be %(cards)s",
                value=value,
                cards=either(sorted({str(card) for card in able})),
            )
        named += able[:wanted]
    return tuple(named)


def _best(sighting: Sighting) -> NumberCard | None:
    best = sighting.reading.best
    return best if isinstance(best, NumberCard) else None
