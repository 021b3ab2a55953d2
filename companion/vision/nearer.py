"""A nearer look: the part of a picture where cards lie is looked at once more.

The detector sees the whole picture made small; cut to where the cards lie, they come larger, and
much of what slipped through the first time is found: a card in a row of alike ones, one that lies
half under another. It takes as long as the first look, so that it is for when nothing may be
missed: for cards that are counted. Readings that are known stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from companion.rules.cards import NumberCard, TweakCard
from companion.vision.corners import as_corners, overlap
from companion.vision.detect import Found
from companion.vision.evidence import evidence, room
from companion.vision.quads import short_side
from companion.vision.values import Image, Sighting

MARGIN = 1.2
"""How far round the cards the nearer look reaches, in short sides of a card."""

ANOTHER_IOU = 0.4
"""A card that only the nearer look shows overlaps with no other one so far."""

CLEAR = 0.9
"""How clearly a card is read that only the nearer look shows."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a picture, in pixels: from ``left`` and ``top`` to before ``right`` and ``bottom``.

    >>> Part(10, 20, 110, 90).size_px
    (100, 70)
    """

    left: int
    top: int
    right: int
    bottom: int

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        return self.right - self.left, self.bottom - self.top

    def of(self, bgr: Image) -> Image:
        """What a picture shows there; a view of it."""
        return bgr[self.top : self.bottom, self.left : self.right]

    def back(self, found: Found) -> Found:
        """A find in the part as one in the whole picture."""
        a, b, c, d = ((x + self.left, y + self.top) for x, y in found.quad_px)
        return replace(found, quad_px=(a, b, c, d))


def part_with(sightings: Sequence[Sighting], size_px: tuple[int, int]) -> Part:
    """The part of a picture of this width and height where the cards lie, with some room round."""
    reach = MARGIN * median(short_side(one.quad_px) for one in sightings)
    xs = [x for one in sightings for x, _ in one.quad_px]
    ys = [y for one in sightings for _, y in one.quad_px]
    return Part(
        max(0, int(min(xs) - reach)),
        max(0, int(min(ys) - reach)),
        min(size_px[0], int(max(xs) + reach) + 1),
        min(size_px[1], int(max(ys) + reach) + 1),
    )


def besides(
    known: Sequence[Sighting], nearer: Sequence[Sighting], enough: float
) -> tuple[Sighting, ...]:
    """The number cards and T! cards that the nearer look alone shows, the clearest first.

    Args:
        known: what is known already.
        nearer: all that was read in the nearer look.
        enough: the evidence from which on something is reported.
    """
    new: list[Sighting] = []
    for one in sorted(nearer, key=evidence, reverse=True):
        clear = one.reading.score >= CLEAR and evidence(one) >= enough
        if (
            clear
            and isinstance(one.reading.best, NumberCard | TweakCard)
            and all(_apart(one, other) for other in (*known, *new))
        ):
            new.append(one)
    return tuple(new)


def _apart(one: Sighting, other: Sighting) -> bool:
    """Whether a find is another card than one that is known."""
    shared = overlap(as_corners(one.quad_px), as_corners(other.quad_px))
    return shared.contained < room(one, other) and shared.iou < ANOTHER_IOU
