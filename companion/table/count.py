"""Counting won cards before the camera: batches with points, and the tray between them.

>>> from companion.table.evidence import scene_of
>>> batch = batch_of(scene_of(["G5", "R1", "Y3?O3"]).table)
>>> [str(card.sighting.reading) for card in batch.cards], (batch.least, batch.most)
(['Y3?O3', 'R1', 'G5'], (8, 8))
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.errors import BadInput
from companion.rules.cards import Card, NumberCard, TweakCard
from companion.rules.scoring import FIVE, ORDINARY, RED, RED_FIVE, TWEAK, kind_of, points_of
from companion.vision.values import Look, Sighting, TableState

_ORDER = (RED_FIVE, RED, FIVE, ORDINARY, TWEAK)
_MOST_POINTS = 5


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
    """Whether a new batch may be taken: only after the tray was seen cleared.

    Attributes:
        ready: whether it was, since the last batch.
    """

    ready: bool = True

    def saw(self, look: Look) -> Tray:
        """Take note of a look."""
        return Tray(ready=True) if look.state is TableState.CLEARED else self

    def take(self, look: Look) -> tuple[Tray, Batch]:
        """Take the cards that lie there now as a batch.

        Raises:
            BadInput: the tray was not cleared since the last batch, or is not still, or empty.
        """
        if not self.ready:
            raise BadInput("take the last cards away first: the tray has not been seen cleared")
        if look.state is TableState.CLEARED:
            raise BadInput("lay won cards before the camera first: it sees none")
        if look.state is not TableState.STILL or look.settled is None:
            raise BadInput(f"wait till the cards lie still: {look.reason or look.state.value}")
        return Tray(ready=False), batch_of(look.settled.sightings)
