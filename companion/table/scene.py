"""A settled view as the game sees it: table cards, target, and what belongs to neither.

>>> Scene().target_value is None
True
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.cards import Face, TargetBack
from companion.vision.values import PLAUSIBLE, Reading, Sighting

LAST_TARGET = 7


@dataclass(frozen=True, slots=True)
class Scene:
    """What lies where, in one settled view.

    Attributes:
        table: the cards to play with, as seen; doubtful ones among them.
        target: what the deck's top card seems to be, None where no back shows there.
        deck_gone: whether the blue 7 lies open, so that the target is 7 (rule T2).
        others: everything else: won piles, T! cards, the deck's own cards.
        at_s: when the view was settled, on the frames' clock.
        frame_number: the frame it belongs to.
    """

    table: tuple[Sighting, ...] = ()
    target: Reading | None = None
    deck_gone: bool = False
    others: tuple[Sighting, ...] = ()
    at_s: float = 0.0
    frame_number: int = 0

    @property
    def empty(self) -> bool:
        """Whether no card at all was seen."""
        return not self.table and not self.others

    @property
    def target_value(self) -> int | None:
        """The target in force, None while it is not known for sure."""
        if self.deck_gone:
            return LAST_TARGET
        return self.target.value if self.target is not None else None

    @property
    def target_options(self) -> tuple[int, ...]:
        """Every target that it may be, likeliest first."""
        if self.deck_gone:
            return (LAST_TARGET,)
        cards = self.target.plausible if self.target is not None else ()
        return tuple(card.target for card in cards if isinstance(card, TargetBack))


def faces_up(scene: Scene) -> tuple[str, ...]:
    """The T! cards that lie face up outside the table, as texts, in order of the alphabet."""
    seen = (one.reading for one in scene.others)
    return tuple(sorted(str(one.best) for one in seen if one.sure and one.face is Face.TWEAK))


def maybe(reading: Reading) -> frozenset[str]:
    """The texts of all cards that a reading leaves open, sure or not: two readings of one card
    taken at different moments share at least one of them.
    """
    likely = {str(card) for card, score in reading.options if score >= PLAUSIBLE}
    return frozenset(likely | {str(card) for card in reading.plausible})


def may_be_same(a: Reading, b: Reading) -> bool:
    """Whether two readings can be of one card; an unreadable one can be of any."""
    return not a.options or not b.options or not maybe(a).isdisjoint(maybe(b))
