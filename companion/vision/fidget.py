"""Finds hands that fidget at the picture's edge, so that the table can be read beside them.

People rest their hands at the table's edge, and hands are never quite still. What has moved on and
off for a few seconds, touches the border and stays near it is left out of the question whether the
table is still; once it reaches further in, it counts like any hand.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.vision.motion import changed_mask
from companion.vision.opencv import cv2
from companion.vision.quads import scaled
from companion.vision.values import Image, Quad

LASTS_S = 3.0
"""So long something must have moved on and off."""
REST_S = 1.6
"""What has not moved for this long has ended."""
BAND = 0.24
"""How far from the border it may reach, as a share of the picture's shorter side."""
MOST_SHARE = 0.15
"""More of the picture is no hand at its edge."""
NEAR_PX = 4
"""How far round what moved it may move next, in pixels of the small picture."""

Seconds = npt.NDArray[np.float64]


class Fidget:
    """Remembers where the small picture moved, and for how long."""

    def __init__(self) -> None:
        self._last: Image | None = None
        self._moved_at_s: Seconds = np.zeros((0, 0))
        self._since_s: Seconds = np.zeros((0, 0))

    def study(self, small: Image, at_s: float, empty: Image | None = None) -> Image:
        """Where something fidgets at the edge: uint8 (height, width), 1 there.

        Args:
            small: the newest small picture.
            at_s: when it was taken; pictures come in order.
            empty: the small picture without hands, where one is known: the middle of a hand
                hardly changes while its rim moves, but it is not the table.
        """
        last, self._last = self._last, small
        if last is None or last.shape != small.shape:
            self._moved_at_s = np.full(small.shape[:2], -np.inf)
            self._since_s = np.full(small.shape[:2], np.inf)
            return np.zeros(small.shape[:2], np.uint8)
        reach = 2 * NEAR_PX + 1
        moved = cv2.dilate(changed_mask(last, small), np.ones((reach, reach), np.uint8)) > 0
        begun = moved & (at_s - self._moved_at_s > REST_S)
        self._since_s[begun] = at_s
        self._moved_at_s[moved] = at_s
        restless = at_s - self._moved_at_s <= REST_S
        if not restless.any():
            return np.zeros(small.shape[:2], np.uint8)
        if empty is not None and empty.shape == small.shape:
            restless |= changed_mask(empty, small) > 0
        return self._at_edge(restless, at_s)

    def _at_edge(self, restless: npt.NDArray[np.bool_], at_s: float) -> Image:
        height, width = restless.shape
        found = np.zeros((height, width), np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(restless.astype(np.uint8))
        band = round(BAND * min(height, width))
        inner = np.zeros((height, width), bool)
        inner[band : height - band, band : width - band] = True
        for label in range(1, count):
            part = labels == label
            left, top, wide, tall, area = stats[label].tolist()
            at_border = left == 0 or top == 0 or left + wide == width or top + tall == height
            if not at_border or area > MOST_SHARE * restless.size or (part & inner).any():
                continue
            awake = part & (at_s - self._moved_at_s <= REST_S)
            if awake.any() and at_s - float(self._since_s[awake].min()) >= LASTS_S:
                found[part] = 1
        return found


def lies_in(quad_px: Quad, mask: Image, width_px: int, height_px: int) -> bool:
    """Whether a third of a card, or more, lies where something fidgets.

    Args:
        quad_px: the card in pixels of the full picture.
        mask: as :meth:`Fidget.study` gives it.
        width_px: width of the full picture.
        height_px: its height.
    """
    if not mask.any():
        return False
    height, width = mask.shape
    inside = np.zeros((height, width), np.uint8)
    corners = np.array(scaled(quad_px, width / width_px, height / height_px))
    cv2.fillConvexPoly(inside, np.round(corners).astype(np.int32), 1)
    return 3 * int(np.count_nonzero(inside & mask)) >= int(np.count_nonzero(inside))
