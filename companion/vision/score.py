"""Counts what was seen against what is there, as ``companion bench`` reports it.

A reading is paired with a label where their quads' IoU is at least 0.5. *Found*: labels paired.
*Invented*: readings paired with nothing. *Read*: of the paired number cards, how many were reported
with the right colour and value. *Exact*: a whole table on which every card of ours that is at least
half in sight is reported right, no stranger is taken for one, and nothing is invented.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import Enum

from companion.rules.cards import Card, NumberCard
from companion.vision.quads import iou
from companion.vision.values import Quad, Reading, Sighting

PAIRED_IOU = 0.5
HALF_IN_SIGHT = 0.5


@dataclass(frozen=True, slots=True)
class TrueCard:
    """A card that is there.

    Attributes:
        card: which of ours; None for a stranger (another game's card, an 8 of this one).
        quad_px: its corners, in order.
        visible: share of it that is in sight, 0-1.
        text: what people call it.
    """

    card: Card | None
    quad_px: Quad
    visible: float = 1.0
    text: str = ""


class MissKind(Enum):
    """What can go wrong with one card."""

    NOT_FOUND = "not found"
    INVENTED = "invented"
    MISREAD = "misread"
    UNSURE = "unsure"
    STRANGER = "stranger read"


@dataclass(frozen=True, slots=True)
class Miss:
    """One thing that went wrong.

    Attributes:
        kind: what it was.
        quad_px: where; the true corners unless there are none.
        wanted: what is there, empty where nothing is.
        got: what was read, empty where nothing was.
    """

    kind: MissKind
    quad_px: Quad
    wanted: str
    got: str


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts over any number of pictures; they add up.

    Attributes:
        pictures: how many pictures.
        exact: pictures reported right as a whole.
        exact_guess: pictures whose first guesses are right as a whole, sure or not.
        labels: cards that count as to be found.
        found: those of them that were.
        invented: readings that pair with no card at all.
        numbers: found number cards with a value 1-6.
        both: those reported with the right colour and value.
        colour: those reported with the right colour.
        value: those reported with the right value.
        guess: those whose first guess is right, sure or not.
        sure: found cards of ours with a sure reading.
        sure_right: those of them that are right.
        strangers: found cards that are none of ours.
        strangers_sure: those of them that got a sure 1-6 answer.
    """

    pictures: int = 0
    exact: int = 0
    exact_guess: int = 0
    labels: int = 0
    found: int = 0
    invented: int = 0
    numbers: int = 0
    both: int = 0
    colour: int = 0
    value: int = 0
    guess: int = 0
    sure: int = 0
    sure_right: int = 0
    strangers: int = 0
    strangers_sure: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


def pair(true_quads: Sequence[Quad], seen_quads: Sequence[Quad]) -> dict[int, int]:
    """Pair each true quad with at most one seen quad, the closest pairs first.

    >>> card = ((0.0, 0.0), (2.0, 0.0), (2.0, 3.0), (0.0, 3.0))
    >>> far = ((9.0, 0.0), (11.0, 0.0), (11.0, 3.0), (9.0, 3.0))
    >>> pair([card], [far, card])
    {0: 1}
    """
    closeness = [
        (iou(true, seen), index, other)
        for index, true in enumerate(true_quads)
        for other, seen in enumerate(seen_quads)
    ]
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for share, index, other in sorted(closeness, key=lambda entry: -entry[0]):
        if share >= PAIRED_IOU and index not in pairs and other not in taken:
            pairs[index] = other
            taken.add(other)
    return pairs


def reported_right(reading: Reading, card: Card | None) -> bool:
    """Whether a reading, as it is reported, says what the card is.

    A stranger is reported right when it is not taken for one of ours for sure.
    """
    if card is None:
        return not reading.sure
    if isinstance(card, NumberCard):
        return reading.colour is card.colour and reading.value == card.value
    return reading.plausible == (card,)


def guessed_right(reading: Reading, card: Card | None) -> bool:
    """Whether the first guess, sure or not, is what the card is."""
    return reading.best == card if card is not None else not reading.sure


def score_picture(
    cards: Sequence[TrueCard], sightings: Sequence[Sighting], least_visible: float = 0.0
) -> tuple[Tally, tuple[Miss, ...]]:
    """Count one picture.

    Args:
        cards: what is there.
        sightings: what was seen.
        least_visible: cards with less in sight need not be found; seeing them is no invention.
    """
    pairs = pair([card.quad_px for card in cards], [seen.quad_px for seen in sightings])
    readings = {index: sightings[other].reading for index, other in pairs.items()}
    extra = [seen for other, seen in enumerate(sightings) if other not in set(pairs.values())]
    misses = [
        Miss(MissKind.INVENTED, seen.quad_px, "", f"{seen.reading} {seen.found:.2f}")
        for seen in extra
    ]
    tally = Tally(
        pictures=1,
        exact=int(not extra and _all_right(cards, readings, reported=True)),
        exact_guess=int(not extra and _all_right(cards, readings, reported=False)),
        invented=len(extra),
    )
    for index, card in enumerate(cards):
        if card.visible >= least_visible:
            tally += _count_card(card, readings.get(index))
            misses += _misses_of(card, readings.get(index))
    return tally, tuple(misses)


def _all_right(cards: Sequence[TrueCard], readings: dict[int, Reading], reported: bool) -> bool:
    right = reported_right if reported else guessed_right
    return all(
        right(readings[index], card.card) if index in readings else card.card is None
        for index, card in enumerate(cards)
        if card.visible >= HALF_IN_SIGHT
    )


def _count_card(card: TrueCard, reading: Reading | None) -> Tally:
    if reading is None:
        return Tally(labels=1)
    if card.card is None:
        sure_number = reading.sure and isinstance(reading.best, NumberCard)
        return Tally(labels=1, found=1, strangers=1, strangers_sure=int(sure_number))
    sure_right = reading.sure and reading.best == card.card
    found = Tally(labels=1, found=1, sure=int(reading.sure), sure_right=int(sure_right))
    if not isinstance(card.card, NumberCard):
        return found
    return found + Tally(
        numbers=1,
        both=int(reported_right(reading, card.card)),
        colour=int(reading.colour is card.card.colour),
        value=int(reading.value == card.card.value),
        guess=int(reading.best == card.card),
    )


def _misses_of(card: TrueCard, reading: Reading | None) -> list[Miss]:
    if reading is None:
        return [Miss(MissKind.NOT_FOUND, card.quad_px, card.text, "")]
    if reported_right(reading, card.card):
        return []
    if card.card is None:
        kind = MissKind.STRANGER
    else:
        kind = MissKind.MISREAD if reading.sure else MissKind.UNSURE
    return [Miss(kind, card.quad_px, card.text, f"{reading} {reading.score:.2f}")]
