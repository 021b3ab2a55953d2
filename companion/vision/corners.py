"""Corners of card quads as arrays, for the networks' side of the eyes.

Pixels are areas here: a picture spans (0, 0) to (width, height), and the middle of its first pixel
is (0.5, 0.5). The frozen values and their geometry in plain Python are in
:mod:`companion.vision.quads`.

>>> as_quad(corners_of_boxes(np.array([(5.0, 5.0, 4.0, 2.0, 0.0)]))[0])
((3.0, 4.0), (7.0, 4.0), (7.0, 6.0), (3.0, 6.0))
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from companion.vision.opencv import cv2
from companion.vision.values import Quad

Corners: TypeAlias = npt.NDArray[np.float64]
"""Corners of shape (4, 2), or of several quads (n, 4, 2): x, y in pixels."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """How much two quads share: areas in square pixels."""

    shared_px2: float
    first_px2: float
    second_px2: float

    @property
    def iou(self) -> float:
        """Intersection over union, 0-1."""
        union = self.first_px2 + self.second_px2 - self.shared_px2
        return self.shared_px2 / union if union > 0 else 0.0

    @property
    def contained(self) -> float:
        """How much of the smaller one lies inside the other, 0-1."""
        smaller = min(self.first_px2, self.second_px2)
        return min(1.0, self.shared_px2 / smaller) if smaller > 0 else 0.0


def overlap(first: Corners, second: Corners) -> Overlap:
    """What two convex quads of shape (4, 2), of either winding, have in common."""
    shared = 0.0
    if _boxes_touch(first, second):
        shared, _ = cv2.intersectConvexConvex(
            clockwise(first).astype(np.float32), clockwise(second).astype(np.float32)
        )
    return Overlap(max(0.0, float(shared)), area_px2(first), area_px2(second))


def _boxes_touch(first: Corners, second: Corners) -> bool:
    return bool(
        np.all(first.min(axis=0) <= second.max(axis=0))
        and np.all(second.min(axis=0) <= first.max(axis=0))
    )


def _signed_area_px2(corners: Corners) -> float:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
    return float((cx - ax) * (dy - by) - (dx - bx) * (cy - ay)) / 2.0


def area_px2(corners: Corners) -> float:
    """The area inside a quad, in square pixels."""
    return abs(_signed_area_px2(corners))


def clockwise(corners: Corners) -> Corners:
    """The same quad with its corners going clockwise on the screen, the first one kept first."""
    return corners if _signed_area_px2(corners) >= 0 else corners[[0, 3, 2, 1]]


def sides_px(corners: Corners) -> tuple[float, float]:
    """Mean length of the first and third edge, and of the second and fourth."""
    a, b, c, d = corners.tolist()
    return (math.dist(a, b) + math.dist(c, d)) / 2.0, (math.dist(b, c) + math.dist(d, a)) / 2.0


def upright(corners: Corners) -> Corners:
    """The quad from its top left corner on, clockwise, so that the long side runs down.

    Which of the two ends is the card's own top is not known; the end that is higher in the picture
    comes first.
    """
    turned = clockwise(corners)
    across, down = sides_px(turned)
    if across > down:
        turned = np.roll(turned, -1, axis=0)
    top_y, bottom_y = turned[:2, 1].sum(), turned[2:, 1].sum()
    return turned if top_y <= bottom_y else np.roll(turned, 2, axis=0)


def corners_of_boxes(boxes: npt.NDArray[np.float64]) -> Corners:
    """Corners of oriented boxes.

    Args:
        boxes: shape (n, 5): middle x, y, width, height in pixels, angle in radians.

    Returns:
        Shape (n, 4, 2), clockwise.
    """
    middle, size, angle = boxes[:, None, :2], boxes[:, 2:4], boxes[:, 4]
    cos, sin = np.cos(angle), np.sin(angle)
    across = 0.5 * size[:, :1] * np.stack([cos, sin], axis=1)
    down = 0.5 * size[:, 1:] * np.stack([-sin, cos], axis=1)
    offsets = np.stack([-across - down, across - down, across + down, down - across], axis=1)
    corners: Corners = middle + offsets
    return corners


def as_quad(corners: Corners) -> Quad:
    """The frozen value of corners of shape (4, 2)."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = (map(float, corner) for corner in corners)
    return ((ax, ay), (bx, by), (cx, cy), (dx, dy))


def as_corners(quad_px: Quad) -> Corners:
    """Corners of shape (4, 2) of a frozen quad."""
    return np.array(quad_px, dtype=np.float64)
