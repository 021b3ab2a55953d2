"""Says what keeps the eyes from reading: cards too small, glare, a mirrored picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.vision.cut import cut_card
from companion.vision.read import Reader
from companion.vision.trust import TOO_SMALL_PX, short_px
from companion.vision.values import Frame, Image, Sighting, TableView

BLOWN_OUT = 250
"""From this level in all three colours on a pixel holds nothing but light."""

GLARED_SHARE = 0.12
"""A doubtful card with at least this share of it blown out is said to glare."""

MIRRORED = "the picture is mirrored: turn off the camera's mirror"
MIRRORED_FROM = 3.0
"""Log-odds of a mirror, of all cards together, from which on it is said."""

_MOST_CARDS = 12
_CUT = (48, 64)


def advice(view: TableView, frame: Frame | None = None) -> tuple[str, ...]:
    """What would help the eyes, one line each; empty when all is well.

    Args:
        view: what was seen.
        frame: the picture it was seen in; without it glare is not looked for.
    """
    tips = []
    small_px = [side for side in map(short_px, view.sightings) if side < TOO_SMALL_PX]
    if small_px:
        tips.append(f"bring the camera closer: cards are {min(small_px):.0f} px")
    glared = glared_cards(frame.bgr, view.sightings) if frame is not None else 0
    if glared:
        tips.append(f"glare on {'one card' if glared == 1 else f'{glared} cards'}")
    return tuple(tips)


def glared_cards(bgr: Image, sightings: Sequence[Sighting]) -> int:
    """How many doubtful cards have a patch of nothing but light on them.

    A card that is read for sure may glare: that hinders nobody.
    """
    doubtful = [one for one in sightings if not one.reading.sure]
    return sum(_blown_out(bgr, one) >= GLARED_SHARE for one in doubtful)


def _blown_out(bgr: Image, sighting: Sighting) -> float:
    cut = cut_card(bgr, sighting.quad_px, _CUT, margin=0.0)
    return float(np.mean(cut.min(axis=2) >= BLOWN_OUT))


def is_mirrored(reader: Reader, frame: Frame, view: TableView) -> bool:
    """Whether the picture is mirrored, as those of some webcams are.

    It takes the reader twice more, so it is asked now and then. One card may look well in a mirror;
    what all say together is hardly ever wrong.
    """
    quads = [one.quad_px for one in view.sightings][:_MOST_CARDS]
    if not quads:
        return False
    return float(reader.handed(reader.cut(frame.bgr, quads)).sum()) <= -MIRRORED_FROM


def unsure(view: TableView) -> TableView:
    """The same view with every reading in doubt, and nothing faint."""
    doubted = (replace(one, reading=replace(one.reading, sure=False)) for one in view.sightings)
    return replace(view, sightings=tuple(doubted), faint=())
