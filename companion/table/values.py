"""What the table understands: zones, events, claims. Frozen values all.

>>> str(TableEvent(kind=EventKind.LAID, cards=(parse_reading("G5"),), at_s=3.0, frame_number=30))
'G5 laid'
>>> str(TableEvent(kind=EventKind.TARGET, before=9, after=7, at_s=3.0, frame_number=30))
'target 9 → 7'
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from companion.errors import BadInput
from companion.vision.values import Quad, Reading, parse_reading

__all__ = ["EventKind", "TableEvent", "Zones", "parse_reading"]


SINGLE_ZONES = ("deck", "table", "tweaks", "tray")


class EventKind(Enum):
    """What can happen on a table, as far as a camera sees it."""

    LAID = "laid"
    TAKEN = "taken"
    TARGET = "target"
    DECK_GONE = "deck gone"
    CLEARED = "cleared"


@dataclass(frozen=True, slots=True)
class TableEvent:
    """One thing that happened between two settled views.

    Attributes:
        kind: what happened.
        cards: the readings laid or taken, as the camera saw them.
        before: the old target of a TARGET event, None where it was unknown.
        after: the new target, None where it can't be read.
        at_s: when the later view was settled, on the frames' clock.
        frame_number: the frame that the later view belongs to.
    """

    kind: EventKind
    at_s: float
    frame_number: int
    cards: tuple[Reading, ...] = ()
    before: int | None = None
    after: int | None = None

    def __str__(self) -> str:
        names = [str(reading) for reading in self.cards]
        listed = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
        match self.kind:
            case EventKind.LAID | EventKind.TAKEN:
                return f"{listed} {self.kind.value}"
            case EventKind.TARGET:
                return f"target {self.before or '?'} → {self.after or '?'}"
            case _:
                return str(self.kind.value)


@dataclass(frozen=True, slots=True)
class Zones:
    """Where things lie, as quads in fractions (0-1) of the picture's width and height.

    Attributes:
        deck: where the target is read; None while unknown.
        table: where the cards to play with lie; None means the whole picture.
        tweaks: where the T! stack lies.
        tray: where won cards are laid to be counted.
        faces: for a player, where their T! cards lie face up.
        piles: for a player, where their won cards lie face down: backs that are no target (T2).

    >>> one: Quad = ((0.0, 0.0), (0.5, 0.0), (0.5, 0.5), (0.0, 0.5))
    >>> [name for name, _ in Zones(deck=one).put("pile Ann", one).named()]
    ['deck', 'pile Ann']
    """

    deck: Quad | None = None
    table: Quad | None = None
    tweaks: Quad | None = None
    tray: Quad | None = None
    faces: tuple[tuple[str, Quad], ...] = ()
    piles: tuple[tuple[str, Quad], ...] = ()

    def named(self) -> tuple[tuple[str, Quad], ...]:
        """Every zone that is known, by the name that :meth:`put` takes."""
        single = [(name, getattr(self, name)) for name in SINGLE_ZONES]
        known = [(name, quad) for name, quad in single if quad is not None]
        known += [(f"faces {player}", quad) for player, quad in self.faces]
        return (*known, *((f"pile {player}", quad) for player, quad in self.piles))

    def put(self, name: str, quad: Quad | None) -> Zones:
        """The zones with one of them elsewhere, or unknown again (None).

        Args:
            name: ``deck``, ``table``, ``tweaks``, ``tray``, ``faces PLAYER`` or ``pile PLAYER``.
            quad: its corners in order, in fractions of the picture.

        Raises:
            BadInput: no zone has that name.
        """
        if name in SINGLE_ZONES:
            single: dict[str, Any] = {name: quad}
            return replace(self, **single)
        kind, _, player = name.partition(" ")
        if kind not in ("faces", "pile") or not player:
            names = ", ".join(SINGLE_ZONES)
            raise BadInput(
                "a zone is one of %(names)s, faces PLAYER, pile PLAYER, not %(given)s",
                names=names,
                given=name[:40],
            )
        field = "faces" if kind == "faces" else "piles"
        others = tuple(pair for pair in getattr(self, field) if pair[0] != player)
        return replace(self, **{field: others if quad is None else (*others, (player, quad))})
