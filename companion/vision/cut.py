"""Cuts a card out of the full picture and straightens it, long side upright.

>>> picture = np.zeros((100, 200, 3), dtype=np.uint8)
>>> cut_card(picture, ((10, 10), (70, 10), (70, 50), (10, 50)), (48, 64)).shape
(64, 48, 3)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from companion.vision.corners import Corners, as_corners, sides_px, upright
from companion.vision.opencv import cv2
from companion.vision.values import Image, Quad

_OUTSIDE_BGR = (114, 114, 114)
_SHRINK_FROM = 1.25
_SURROUNDINGS = 0.3


def cut_card(bgr: Image, quad_px: Quad, size: tuple[int, int], margin: float = 0.08) -> Image:
    """The card inside a quad, as if seen from straight above.

    Args:
        bgr: the full picture, uint8 of shape (height, width, 3).
        quad_px: the card's corners in order, from any corner on, of either winding.
        size: width and height of the cut in pixels.
        margin: how much more than the card is shown on each side, as a share of its size.

    Returns:
        uint8 of shape (height, width, 3); which of the card's two ends is up is not known.
        What lies outside the picture is grey.
    """
    return cut_corners(bgr, upright(as_corners(quad_px)), size, margin)


def cut_corners(bgr: Image, corners: Corners, size: tuple[int, int], margin: float = 0.08) -> Image:
    """The same for corners of shape (4, 2), the one that comes to lie top left first, clockwise."""
    source, corners = _shrunk(bgr, corners, _target_corners(size, margin))
    return straighten(source, corners, size, margin)


def shrinks_by(corners: Corners, size: tuple[int, int], margin: float) -> float:
    """How many times larger a quad is in its picture than in its cut."""
    return _factor(corners, _target_corners(size, margin))


def _factor(corners: Corners, target: Corners) -> float:
    (across, down), (new_across, new_down) = sides_px(corners), sides_px(target)
    return min(across / new_across, down / new_down)


def straighten(bgr: Image, corners: Corners, size: tuple[int, int], margin: float) -> Image:
    """The cut of a picture in which the card is hardly larger than in the cut."""
    target = _target_corners(size, margin)
    # OpenCV counts from the middle of the first pixel, the quads from its edge.
    warp = cv2.getPerspectiveTransform(
        (corners - 0.5).astype(np.float32), (target - 0.5).astype(np.float32)
    )
    cut = cv2.warpPerspective(
        bgr,
        warp,
        size,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=_OUTSIDE_BGR,
    )
    return np.asarray(cut, dtype=np.uint8)


def _target_corners(size: tuple[int, int], margin: float) -> Corners:
    """Where the card's corners come to lie in the cut, clockwise from the top left."""
    width, height = size
    left, top = (side * margin / (1.0 + 2.0 * margin) for side in size)
    return np.array(
        [(left, top), (width - left, top), (width - left, height - top), (left, height - top)]
    )


def _shrunk(bgr: Image, corners: Corners, target: Corners) -> tuple[Image, Corners]:
    """A smaller copy of the card's surroundings where the card is larger than in the cut.

    The warp itself looks at four pixels only; a card that shrinks by more than a little is
    averaged over areas first, or thin strokes would break up.
    """
    factor = _factor(corners, target)
    if factor < _SHRINK_FROM:
        return bgr, corners
    height, width = bgr.shape[:2]
    reach = _SURROUNDINGS * np.ptp(corners, axis=0)
    left, top = np.clip(corners.min(axis=0) - reach, 0, (width - 1, height - 1)).astype(int)
    right, bottom = np.clip(corners.max(axis=0) + reach, (left + 1, top + 1), (width, height))
    part = bgr[top : int(bottom), left : int(right)]
    new_size = tuple(max(1, round(side / factor)) for side in (part.shape[1], part.shape[0]))
    small = cv2.resize(part, new_size, interpolation=cv2.INTER_AREA)
    scale = np.array([new_size[0] / part.shape[1], new_size[1] / part.shape[0]])
    return np.asarray(small, dtype=np.uint8), (corners - (left, top)) * scale


def corner_parts(cut: npt.NDArray[np.float32], sizes: Sequence[float]) -> npt.NDArray[np.float32]:
    """Parts of a cut (channels, h, w) at each of its corners, at the cut's own size.

    Args:
        cut: as the reader's network takes it.
        sizes: of the parts, as shares of the cut's sides.

    Returns:
        Shape (4 · sizes, channels, h, w).
    """
    _, height, width = cut.shape
    parts = []
    for share in sizes:
        tall, wide = round(share * height), round(share * width)
        for top in (0, height - tall):
            for left in (0, width - wide):
                part = cut[:, top : top + tall, left : left + wide].transpose(1, 2, 0)
                whole = cv2.resize(part, (width, height), interpolation=cv2.INTER_LINEAR)
                parts.append(whole.transpose(2, 0, 1))
    return np.ascontiguousarray(np.stack(parts), np.float32)
