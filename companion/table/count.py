"""Counting won cards before the camera: batches with points, and the tray between them.

>>> from companion.table.evidence import scene_of
>>> batch = batch_of(scene_of(["G5", "R1", "Y3?O3"]).table)
>>> [str(card.sighting.reading) for card in batch.cards], (batch.least, batch.most)
(['Y3?O3', 'R1', 'G5'], (8, 8))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.rules.cards import Card, NumberCard, TweakCard
from companion.rules.scoring import FIVE, ORDINARY, RED, RED_FIVE, TWEAK, kind_of, points_of
from companion.table.scene import Scene
from companion.vision.quads import contains, distance, short_side
from companion.vision.values import Quad, Sighting

_ORDER = (RED_FIVE, RED, FIVE, ORDINARY, TWEAK)
_MOST_POINTS = 5
_SAME_PLACE = 0.3
"""Of a card's short side: nearer than this, two sightings are of one card that lies still."""


@dataclass(frozen=True, slots=True)
class BatchCard:
    """One card of a batch.

    Attributes:
        sighting: what was seen, never rewritten.
        label: its sort as the points table names it; empty where that is the doubt.
        least: points at the least, over all that it may be.
        most: points at the most.
    """

    sighting: Sighting
    label: str
    least: int
    most: int

    @property
    def doubtful(self) -> bool:
        """Whether somebody should look at it."""
        return not self.sighting.reading.sure


@dataclass(frozen=True, slots=True)
class Batch:
    """Won cards laid before the camera at one time.

    Attributes:
        cards: doubtful ones first, then by sort and text.
        face_down: backs and the blue 7, which score for nobody: to be turned or taken away.
    """

    cards: tuple[BatchCard, ...]
    face_down: tuple[Sighting, ...] = ()

    @property
    def least(self) -> int:
        """Points of the batch at the least."""
        return sum(card.least for card in self.cards)

    @property
    def most(self) -> int:
        """Points of the batch at the most."""
        return sum(card.most for card in self.cards)

    @property
    def doubtful(self) -> tuple[BatchCard, ...]:
        """The cards that somebody should look at."""
        return tuple(card for card in self.cards if card.doubtful)


def batch_of(sightings: Iterable[Sighting]) -> Batch:
    """Put the cards of a settled view in order and price them."""
    cards: list[BatchCard] = []
    down: list[Sighting] = []
    for sighting in sightings:
        scoring = [card for card in sighting.reading.plausible if _scores(card)]
        if scoring or not sighting.reading.options:
            cards.append(_priced(sighting, scoring))
        else:
            down.append(sighting)
    cards.sort(key=_place)
    return Batch(tuple(cards), tuple(down))


def _scores(card: Card) -> bool:
    return isinstance(card, NumberCard | TweakCard)


def _priced(sighting: Sighting, scoring: list[Card]) -> BatchCard:
    if not scoring:
        return BatchCard(sighting, "", 0, _MOST_POINTS)
    labels = {kind_of(card) for card in scoring}
    points = [points_of(card) for card in scoring]
    return BatchCard(sighting, labels.pop() if len(labels) == 1 else "", min(points), max(points))


def _place(card: BatchCard) -> tuple[bool, int, str]:
    order = _ORDER.index(card.label) if card.label else -1
    return (not card.doubtful, order, str(card.sighting.reading))


@dataclass(frozen=True, slots=True)
class Tray:
    """The place where won cards are laid: nothing counts twice, since it must be seen cleared.

    Attributes:
        cleared_at: when it was last seen clear, counted as batches are; 0 before that.
        rest: what lay there then and is no won card, such as T! cards before the players; None
            before the tray was seen clear.

    >>> Tray().saw([], at=7).full([3, 5]), Tray().saw([], at=7).full([3, 9])
    (False, True)
    """

    cleared_at: int = 0
    rest: tuple[Sighting, ...] | None = None

    def saw(self, lying: Sequence[Sighting], at: int) -> Tray:
        """Take note of what lies there in a settled view."""
        return self if any(map(_may_be_won, lying)) else Tray(at, tuple(lying))

    def full(self, batches: Iterable[int]) -> bool:
        """Whether one of these batches was taken since the tray was last seen clear."""
        return any(batch > self.cleared_at for batch in batches)

    def batch(self, lying: Sequence[Sighting], *, tray_known: bool) -> Batch:
        """What lies there now as a batch.

        T! cards count where somebody can have laid them there to be counted: in a tray that was
        marked, or since the table was seen clear.

        Args:
            lying: the sightings of a settled view, as :func:`lying_in` picks them.
            tray_known: whether the tray was marked by hand.
        """
        rest, tweaks_count = self.rest or (), tray_known or self.rest is not None
        return batch_of(
            one
            for one in lying
            if not _is_tweak(one)
            or (tweaks_count and not any(_same_place(one, other) for other in rest))
        )


def lying_in(scene: Scene, tray_px: Quad | None) -> tuple[Sighting, ...]:
    """What lies in the tray: all that is there, or without one the table's cards and T! cards."""
    if tray_px is not None:
        every = (*scene.table, *scene.others)
        return tuple(one for one in every if contains(tray_px, one.centre_px))
    return (*scene.table, *(one for one in scene.others if _is_tweak(one)))


def numbers_in(sightings: Iterable[Sighting]) -> tuple[Sighting, ...]:
    """Those that read as number cards."""
    return tuple(one for one in sightings if isinstance(one.reading.best, NumberCard))


def _may_be_won(sighting: Sighting) -> bool:
    return any(isinstance(card, NumberCard) for card in sighting.reading.plausible)


def _is_tweak(sighting: Sighting) -> bool:
    return isinstance(sighting.reading.best, TweakCard)


def _same_place(one: Sighting, other: Sighting) -> bool:
    reach = _SAME_PLACE * short_side(other.quad_px)
    return distance(one.centre_px, other.centre_px) <= reach
