"""Small changes to a cut while training: placed, bent, lit and disturbed otherwise each time.

Never mirrored, and the hue all but kept: a mirrored 2 is no digit and a turned hue another card.
Bending, slanting and thicker or thinner strokes make a cut that comes again one of another
typeface: a reader that met each deck often knew those decks, not digits.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.values import Image
from datasets.workshop.cuts import CUT_PX

Field: TypeAlias = npt.NDArray[np.float32]

_FIELDS = 48
_BEND_SHARE = 0.6
_BEND_PX = 1.7
_SMOOTH_PX = 13.0
_STROKE_SHARE = 0.12
_COVER_SHARE = 0.26
_CORNER_SHARE = 0.6
_CAST_SHARE = 0.3
_LEVELS = np.arange(256, dtype=np.float32)
_WARMER = np.array([-0.55, -0.15, 0.08])
"""What a warmer lamp does to blue, green and red where the camera does not even it out, as a
logarithm; 1.5 times this is a candle. Red and orange are then told apart by what lies round the
card, or not at all, and the reader has to learn which.
"""


def vary(cut_bgr: Image, rng: np.random.Generator, other_bgr: Image | None = None) -> Image:
    """One cut, uint8 (h, w, 3), moved, lit and disturbed at random; half of them turned by 180°.

    Args:
        cut_bgr: the cut.
        rng: what decides.
        other_bgr: another cut of the same size, now and then laid across a corner of this one.
    """
    bgr = _moved(cut_bgr, rng)
    if rng.random() < _STROKE_SHARE:
        bgr = _stroked(bgr, rng)
    gain = np.exp(rng.normal(0, 0.12) + rng.normal(0, 0.03, 3))
    if rng.random() < _CAST_SHARE:
        gain = gain * np.exp(rng.uniform(-0.5, 1.5) * _WARMER)
    shift = rng.normal(0, 6)
    lit = _LEVELS[:, None] * gain.astype(np.float32) + np.float32(shift)
    tones = np.clip(lit, 0, 255).astype(np.uint8)[None]
    out = np.asarray(cv2.LUT(bgr, tones), np.uint8)
    if rng.random() < 0.4:
        grain = rng.standard_normal(bgr.shape[:2], dtype=np.float32) * abs(rng.normal(0, 7))
        whole = np.repeat(grain.astype(np.int16)[..., None], 3, axis=2)
        out = np.asarray(cv2.add(out, whole, dtype=cv2.CV_8U), np.uint8)
    if rng.random() < 0.15:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), rng.uniform(0.4, 1.3)), np.uint8)
    if rng.random() < _COVER_SHARE:
        _cover(out, rng, other_bgr)
    return np.asarray(out, np.uint8)


def _moved(bgr: Image, rng: np.random.Generator) -> Image:
    """Turned, stretched, slanted and moved, and most of them bent as well."""
    height, width = bgr.shape[:2]
    turn = np.radians(rng.normal(0, 6.0 if rng.random() < 0.25 else 2.0))
    turn += np.pi if rng.random() < 0.5 else 0.0
    across, down = np.exp(rng.normal(0, 0.08 if rng.random() < 0.3 else 0.035, 2))
    slant = rng.normal(0, 0.12 if rng.random() < 0.4 else 0.03)
    cos, sin = np.cos(turn), np.sin(turn)
    linear = np.array([[cos, -sin], [sin, cos]]) @ np.array([[across, slant], [0, down]])
    middle = np.array([width / 2, height / 2])
    place = middle + rng.normal(0, 0.02, 2) * (width, height) - linear @ middle
    if rng.random() < _BEND_SHARE:
        bend_px = rng.normal(0, _BEND_PX) * width / CUT_PX[0]
        bend = np.float32(bend_px) * _fields(width, height)[rng.integers(_FIELDS)]
        x, y = _grid(width, height)
        rows = np.c_[linear, place].astype(np.float32)
        to_x, to_y = (a * x + b * y + c + far for (a, b, c), far in zip(rows, bend, strict=True))
        moved = cv2.remap(bgr, to_x, to_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    else:
        matrix = np.c_[linear, place]
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        moved = cv2.warpAffine(
            bgr, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE
        )
    return np.asarray(moved, np.uint8)


@lru_cache(maxsize=4)
def _grid(width: int, height: int) -> Field:
    """Where each pixel lies: x and y, shape (2, h, w)."""
    across, down = np.meshgrid(np.arange(width), np.arange(height))
    return np.stack([across, down]).astype(np.float32)


@lru_cache(maxsize=4)
def _fields(width: int, height: int) -> Field:
    """Smooth random shifts of every pixel, shape (n, 2, h, w), of 1 px on the average."""
    rng = np.random.default_rng(1)
    smooth_px = _SMOOTH_PX * width / CUT_PX[0]
    shifts = rng.standard_normal((2 * _FIELDS, height, width), dtype=np.float32)
    smooth = np.stack([cv2.GaussianBlur(shift, (0, 0), smooth_px) for shift in shifts])
    even = smooth / smooth.std(axis=(1, 2), keepdims=True)
    return np.asarray(even.reshape(_FIELDS, 2, height, width), np.float32)


def _stroked(bgr: Image, rng: np.random.Generator) -> Image:
    """Bright parts grown or shrunk by a pixel or two, and strokes with them."""
    side = int(rng.integers(2, 4)) * bgr.shape[1] // CUT_PX[0]
    change = cv2.dilate if rng.random() < 0.5 else cv2.erode
    return np.asarray(change(bgr, np.ones((side, side), np.uint8)), np.uint8)


def _cover(bgr: Image, rng: np.random.Generator, other: Image | None) -> None:
    """Hide a part under a patch of one colour, or a corner of the cut under another card."""
    height, width = bgr.shape[:2]
    if rng.random() < _CORNER_SHARE:
        _cover_corner(bgr, rng, other)
        return
    tall, wide = (int(side * rng.uniform(0.08, 0.3)) for side in (height, width))
    top, left = int(rng.integers(height - tall)), int(rng.integers(width - wide))
    bgr[top : top + tall, left : left + wide] = rng.integers(0, 256, 3, np.uint8)


def _cover_corner(bgr: Image, rng: np.random.Generator, other: Image | None) -> None:
    """Hide what lies beyond a slanted line, as a card does that lies across a corner."""
    height, width = bgr.shape[:2]
    way, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.12, 0.45) * height
    x, y = _grid(width, height)
    beyond = (x - width / 2) * np.cos(way) + (y - height / 2) * np.sin(way) - far
    shadow = (beyond <= 0) & (beyond > -rng.uniform(0, 4))
    bgr[shadow] = (bgr[shadow] * rng.uniform(0.5, 1.0)).astype(np.uint8)
    if other is None or rng.random() < 0.3:
        bgr[beyond > 0] = rng.integers(0, 256, 3, np.uint8)
        return
    card = np.roll(other, rng.integers(-width // 2, width // 2, 2), axis=(0, 1))
    card = card[::-1, ::-1] if rng.random() < 0.5 else card
    bgr[beyond > 0] = card[beyond > 0]
