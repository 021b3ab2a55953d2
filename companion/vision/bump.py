"""Whether nearly everything in the picture moved alike: the camera was bumped, nobody played.

What lies on the table is matched between the last settled picture and a new still one. Most
matches agreeing on one movement, all over the picture, is a bump; most staying put is a lamp.

>>> import numpy as np
>>> too_dark(np.full((90, 160, 3), 9, np.uint8), before=None)
True
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from companion.vision.motion import differing
from companion.vision.move import STAYED, STAYED_WITHIN, Move
from companion.vision.opencv import cv2
from companion.vision.values import Image

Points: TypeAlias = npt.NDArray[np.float32]
Matrix: TypeAlias = npt.NDArray[np.float64]

STUDIED_WIDTH_PX = 640
LEAST_MATCHES = 12
LEAST_AGREEING = 0.5
LEAST_CELLS = 4
"""Of nine cells of the picture, those that must hold agreeing matches: one card is no camera."""
OFF_BY_PX = 2.5
MOST_SCALE = 1.35
LEAST_OVERLAP = 0.5
MOST_UNEXPLAINED = 0.25
LEAST_LIGHT = 40.0
DIMMED_LIGHT, DIMMED_TO = 64.0, 0.4


def too_dark(small: Image, before: Image | None) -> bool:
    """Whether the lamp is off: nothing bright is left, or hardly anything of what was.

    Args:
        small: the small picture, shape (height, width, 3).
        before: one from when the table was read; None before the first.
    """
    light = float(np.percentile(small.max(axis=2), 98))
    if light < LEAST_LIGHT:
        return True
    if before is None or light >= DIMMED_LIGHT:
        return False
    return light < DIMMED_TO * float(np.percentile(before.max(axis=2), 98))


def find_move(before: Image, after: Image) -> Move | None:
    """How everything moved from one still picture to the next.

    Args:
        before: the last settled picture, shape (height, width, 3).
        after: the new still one, of the same shape.

    Returns:
        The move (:data:`STAYED` where most of the picture stayed put); None where too little
        agrees, or what moved is not the whole picture.
    """
    if before.shape != after.shape:
        return None
    old, new = _studied(before), _studied(after)
    height, width = old.shape
    pairs = _matches(old, new)
    if pairs is None:
        return _by_shift(before, after)
    source, target = pairs
    put = np.hypot(*(target - source).T) <= max(1.5, STAYED_WITHIN * width)
    if put.mean() >= LEAST_AGREEING and _cells(source[put], width, height) >= LEAST_CELLS:
        return STAYED
    matrix = _agreed(source, target, (width, height))
    if matrix is None:
        return _by_shift(before, after)
    unit = np.diag([width, height, 1.0])
    found = np.linalg.inv(unit) @ matrix @ unit
    move = Move(tuple(float(number) for number in (found / found[2, 2]).ravel()))
    return move if _explains(move, before, after) else None


def moved_picture(move: Move, picture: Image, around: Image) -> Image:
    """A picture moved along, with what came into view filled in from another one.

    Args:
        move: how it moved.
        picture: shape (height, width, 3).
        around: the new picture, of the same shape.
    """
    height, width = picture.shape[:2]
    unit = np.diag([width, height, 1.0])
    matrix = unit @ np.array(move.matrix).reshape(3, 3) @ np.linalg.inv(unit)
    filled = around.copy()
    cv2.warpPerspective(
        picture, matrix, (width, height), dst=filled, borderMode=cv2.BORDER_TRANSPARENT
    )
    return np.asarray(filled, dtype=np.uint8)


def _studied(bgr: Image) -> Image:
    factor = min(1.0, STUDIED_WIDTH_PX / bgr.shape[1])
    gray = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(gray, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (3, 3), 0), dtype=np.uint8)


def _matches(old: Image, new: Image) -> tuple[Points, Points] | None:
    """Points that look alike in both pictures, each shape (n, 2) in pixels; None for too few."""
    # Cells keep one busy card from taking all the features; plain cloth has faint ones only.
    orb: Any = cv2.ORB.create(nfeatures=900, fastThreshold=6, edgeThreshold=15, patchSize=31)
    old_points, old_words = orb.detectAndCompute(old, None)
    new_points, new_words = orb.detectAndCompute(new, None)
    if old_words is None or new_words is None:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(old_words, new_words)
    good = [pair for pair in pairs if pair.distance < 50]
    if len(good) < LEAST_MATCHES:
        return None
    source = np.array([old_points[pair.queryIdx].pt for pair in good], np.float32)
    target = np.array([new_points[pair.trainIdx].pt for pair in good], np.float32)
    return source, target


def _agreed(source: Points, target: Points, size_px: tuple[int, int]) -> Matrix | None:
    """The similarity that most matches agree on, shape (3, 3), in pixels of the studied size."""
    cv2.setRNGSeed(1)
    found: Any
    found, inliers = cv2.estimateAffinePartial2D(  # None where no two matches agree
        source, target, method=cv2.RANSAC, ransacReprojThreshold=OFF_BY_PX, maxIters=3000
    )
    if found is None:
        return None
    agree = inliers.ravel().astype(bool)
    scale = float(np.hypot(found[0, 0], found[0, 1]))
    if agree.sum() < LEAST_MATCHES or not 1 / MOST_SCALE <= scale <= MOST_SCALE:
        return None
    if agree.mean() < LEAST_AGREEING or _cells(source[agree], *size_px) < LEAST_CELLS:
        return None
    return np.vstack([found, [0.0, 0.0, 1.0]])


def _cells(points: Points, width_px: int, height_px: int) -> int:
    """In how many of nine cells of the picture some points lie."""
    columns = np.clip(points[:, 0] * 3 // width_px, 0, 2)
    rows = np.clip(points[:, 1] * 3 // height_px, 0, 2)
    return len(np.unique(rows * 3 + columns))


def _by_shift(before: Image, after: Image) -> Move | None:
    """A plain shift, found over the whole picture at once, for cloth without a mark."""
    old, new = _studied(before).astype(np.float32), _studied(after).astype(np.float32)
    height, width = old.shape
    window = cv2.createHanningWindow((width, height), cv2.CV_32F)
    (x_px, y_px), response = cv2.phaseCorrelate(old, new, window)
    if response < 0.15:
        return None
    shift = Move((1.0, 0.0, x_px / width, 0.0, 1.0, y_px / height, 0.0, 0.0, 1.0))
    return shift if not shift.stayed and _explains(shift, before, after) else None


def _explains(move: Move, before: Image, after: Image) -> bool:
    """Whether the old picture, moved along, looks far more like the new one than it did."""
    old, new = (_tiny(picture) for picture in (before, after))
    inside = moved_picture(move, np.full_like(old, 255), np.zeros_like(old)) > 127
    overlap = float(inside.mean())
    if overlap < LEAST_OVERLAP:
        return False
    still_differs = differing(moved_picture(move, old, new), new) / overlap
    return still_differs <= min(MOST_UNEXPLAINED, 0.5 * differing(old, new))


def _tiny(bgr: Image) -> Image:
    return np.asarray(cv2.resize(bgr, (160, 90), interpolation=cv2.INTER_AREA), dtype=np.uint8)
