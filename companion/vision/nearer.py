"""A nearer look: where a reading is in doubt, the part of the picture with cards is seen once more.

The detector sees the whole picture made small; cut to where the cards lie, they come larger, and
each card is found, put right and read anew. Two looks that slip in different ways know more than
one: their readings' mean is closer to the truth (an ensemble, as in test-time augmentation), a card
that one of them missed is there, and where they contradict each other nothing is sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from companion.vision.corners import as_corners, overlap
from companion.vision.detect import Found
from companion.vision.evidence import evidence, room
from companion.vision.merge import merge_readings, pair_up
from companion.vision.quads import iou, short_side
from companion.vision.values import Image, Reading, Sighting

MARGIN = 1.2
"""How far round the cards the nearer look reaches, in short sides of a card."""

SAME_IOU = 0.5
"""Finds of the two looks that overlap so far are one card."""

ANOTHER_IOU = 0.4
"""A card that only the nearer look shows overlaps with no other one so far."""

CLEAR = 0.9
"""How clearly a card is read that only the nearer look shows."""

AGREED = 0.7
"""From this mean probability on a reading is sure where both looks read the same card."""

STRANGER = 0.2
"""Up to here it may be none of our cards, and the reading be sure."""


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


def in_doubt(sightings: Sequence[Sighting]) -> bool:
    """Whether a nearer look may help: something reported is not sure."""
    return any(not one.reading.sure for one in sightings)


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


def together(
    first: Sequence[Sighting], nearer: Sequence[Sighting], enough: float
) -> tuple[Sighting, ...]:
    """What two looks at one picture make of it.

    Args:
        first: what the first look reports; each stays, with the mean of both readings.
        nearer: all that was read in the second.
        enough: the evidence from which on something is reported.

    Returns:
        The first look's sightings in their order, then what the nearer look alone shows.
    """
    places = [one.quad_px for one in first], [one.quad_px for one in nearer]
    pairs = {
        i: j
        for i, j in pair_up(*places).items()
        if iou(first[i].quad_px, nearer[j].quad_px) >= SAME_IOU
    }
    found = [
        replace(one, reading=_mean(one.reading, nearer[pairs[i]].reading)) if i in pairs else one
        for i, one in enumerate(first)
    ]
    paired = set(pairs.values())
    new = [
        one
        for j, one in enumerate(nearer)
        if j not in paired and one.reading.score >= CLEAR and evidence(one) >= enough
    ]
    for one in sorted(new, key=evidence, reverse=True):
        if all(_apart(one, other) for other in found):
            found.append(one)
    return tuple(found)


def _mean(one: Reading, other: Reading) -> Reading:
    """Both readings as one; sure where they agree and are clear enough together."""
    mean = merge_readings([one, other])
    agreed = one.best is not None and one.best == other.best
    sure = agreed and mean.score >= AGREED and mean.stranger < STRANGER
    return replace(mean, sure=sure)


def _apart(one: Sighting, other: Sighting) -> bool:
    """Whether a find is another card than one that is known."""
    shared = overlap(as_corners(one.quad_px), as_corners(other.quad_px))
    return shared.contained < room(one, other) and shared.iou < ANOTHER_IOU
