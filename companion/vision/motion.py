"""What changed between two pictures, on a small copy: robust to noise, flicker and dimmed lamps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.vision.opencv import cv2
from companion.vision.quads import grown, scaled
from companion.vision.values import Image, Quad

SMALL_WIDTH_PX = 160
CHANGED_BY = 14.0
"""Levels (of 255) by which a small pixel must differ, once the lamp is evened out."""
GLARE_LEVEL = 225
GLARE_ADDS = 30


def shrink(bgr: Image) -> Image:
    """A copy some 160 pixels wide; averaging whole blocks is what takes the noise away.

    Args:
        bgr: shape (height, width, 3).
    """
    height, width = bgr.shape[:2]
    block = max(1, width // SMALL_WIDTH_PX)
    trimmed = bgr[: height - height % block, : width - width % block]
    size = (max(1, trimmed.shape[1] // block), max(1, trimmed.shape[0] // block))
    small = cv2.resize(trimmed, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(small, (3, 3)), dtype=np.uint8)


def changed_mask(before: Image, after: Image) -> Image:
    """Which pixels of two small pictures differ, lamp and white balance evened out.

    Args:
        before: a small picture, shape (height, width, 3).
        after: another of the same shape.

    Returns:
        uint8 of shape (height, width): 1 where something changed, single specks removed.
    """
    most = _differences(before, after)
    # Noise in dim light grows with the picture's own unrest: ask for more than its usual size.
    limit = max(CHANGED_BY, 5.0 * float(np.median(most)))
    mask = (most > limit).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)


def differing(before: Image, after: Image) -> float:
    """The share of two small pictures that differs, however much of them does, 0-1.

    :func:`changed_mask` takes what is everywhere for noise; this does not.
    """
    return float(np.mean(_differences(before, after) > CHANGED_BY))


def _differences(before: Image, after: Image) -> Image:
    """Pixel by pixel the largest difference of a channel, the lamp evened out."""
    evened = np.minimum(before * _gain(before, after), 255.0).astype(np.uint8)
    blue, green, red = cv2.split(cv2.absdiff(evened, after))
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.uint8)


def _gain(before: Image, after: Image) -> npt.NDArray[np.float32]:
    """Per channel, the factor that a changed lamp or exposure put on most of the picture."""
    spots = before[::3, ::3].reshape(-1, 3).astype(np.float32) + 4.0
    later = after[::3, ::3].reshape(-1, 3).astype(np.float32) + 4.0
    factors = np.clip(np.median(later / spots, axis=0), 0.4, 2.5)
    return np.asarray(factors, dtype=np.float32)


def share(mask: Image) -> float:
    """The share of pixels set, 0-1."""
    return float(np.count_nonzero(mask)) / mask.size


def without_cards(mask: Image, quads_px: Iterable[Quad], width_px: int, height_px: int) -> Image:
    """The mask with the cards, and a rim for their shadows, taken out.

    Args:
        mask: uint8 of the small picture's shape.
        quads_px: cards in pixels of the full picture.
        width_px: width of the full picture.
        height_px: its height.
    """
    rest = mask.copy()
    x_factor, y_factor = mask.shape[1] / width_px, mask.shape[0] / height_px
    for quad in quads_px:
        corners = np.array(grown(scaled(quad, x_factor, y_factor), 1.35))
        cv2.fillConvexPoly(rest, np.round(corners).astype(np.int32), 0)
    return rest


def biggest_from_border(mask: Image) -> float:
    """Share of the picture that the biggest changed piece touching the border covers, 0-1."""
    joined = cv2.dilate(mask, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    if count < 2:
        return 0.0
    rim: npt.NDArray[np.int32] = np.concatenate(
        [labels[:2].ravel(), labels[-2:].ravel(), labels[:, :2].ravel(), labels[:, -2:].ravel()]
    )
    touching = set(np.unique(rim).tolist()) - {0}
    sizes = [int(stats[label, cv2.CC_STAT_AREA]) for label in touching]
    return max(sizes, default=0) / mask.size


def patch_changed(mask: Image, quad_px: Quad, width_px: int, height_px: int) -> float:
    """The share of one card's own pixels that changed, 0-1."""
    inside = _filled(mask, quad_px, width_px, height_px)
    total = int(np.count_nonzero(inside))
    return float(np.count_nonzero(inside & mask)) / total if total else 1.0


def glare_over(before: Image, after: Image, quad_px: Quad, size_px: tuple[int, int]) -> bool:
    """Whether a patch of light has come to lie over a card and the table round it.

    A card that was taken leaves the table round it as it was; glare brightens both.

    Args:
        before: a small picture, shape (height, width, 3).
        after: a later one of the same shape.
        quad_px: the card in pixels of the full picture.
        size_px: width and height of the full picture.
    """
    gray = np.asarray(after.min(axis=2), dtype=np.int16)
    card = _filled(gray, quad_px, *size_px) > 0
    ring = (_filled(gray, grown(quad_px, 1.4), *size_px) > 0) & ~card
    if not card.any() or not ring.any():
        return False
    brighter = gray[ring] - np.asarray(before.min(axis=2), dtype=np.int16)[ring]
    return bool(np.median(gray[card]) >= GLARE_LEVEL and np.median(brighter) >= GLARE_ADDS)


def _filled(like: npt.NDArray[Any], quad_px: Quad, width_px: int, height_px: int) -> Image:
    """A mask of a small picture's size with one card of the full picture filled in."""
    height, width = like.shape[:2]
    inside = np.zeros((height, width), np.uint8)
    corners = np.array(scaled(quad_px, width / width_px, height / height_px))
    cv2.fillConvexPoly(inside, np.round(corners).astype(np.int32), 1)
    return inside
