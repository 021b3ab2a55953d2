"""Small changes to a cut while training: placed, lit and disturbed a little otherwise each time.

Never mirrored, and the hue all but kept: a mirrored 2 is no digit and a turned hue another card.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.values import Image

_CAST_SHARE = 0.3
_WARMER = np.array([-0.55, -0.15, 0.08])
"""What a warmer lamp does to blue, green and red where the camera does not even it out, as a
logarithm; 1.5 times this is a candle. Red and orange are then told apart by what lies round the
card, or not at all, and the reader has to learn which.
"""


def vary(cut_bgr: Image, rng: np.random.Generator) -> Image:
    """One cut, uint8 (h, w, 3), moved, lit and disturbed at random; half of them turned by 180°."""
    bgr = _moved(cut_bgr, rng)
    gain = np.exp(rng.normal(0, 0.12) + rng.normal(0, 0.03, 3))
    if rng.random() < _CAST_SHARE:
        gain = gain * np.exp(rng.uniform(-0.5, 1.5) * _WARMER)
    shift = rng.normal(0, 6)
    lit = bgr * gain.astype(np.float32) + np.float32(shift)
    if rng.random() < 0.4:
        height, width = bgr.shape[:2]
        grain = rng.standard_normal((height, width, 1), dtype=np.float32)
        lit += grain * np.float32(abs(rng.normal(0, 7)))
    out = np.clip(lit, 0, 255).astype(np.uint8)
    if rng.random() < 0.15:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), rng.uniform(0.4, 1.3)), np.uint8)
    if rng.random() < 0.12:
        _cover(out, rng)
    return np.asarray(out, np.uint8)


def _moved(bgr: Image, rng: np.random.Generator) -> Image:
    height, width = bgr.shape[:2]
    turn = np.radians(rng.normal(0, 2.0)) + (np.pi if rng.random() < 0.5 else 0.0)
    across, down = np.exp(rng.normal(0, 0.035, 2))
    slant = rng.normal(0, 0.03)
    cos, sin = np.cos(turn), np.sin(turn)
    linear = np.array([[cos, -sin], [sin, cos]]) @ np.array([[across, slant], [0, down]])
    middle = np.array([width / 2, height / 2])
    place = middle + rng.normal(0, 0.02, 2) * (width, height) - linear @ middle
    moved = cv2.warpAffine(
        bgr, np.c_[linear, place], (width, height), borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(moved, np.uint8)


def _cover(bgr: Image, rng: np.random.Generator) -> None:
    """Hide a small part under a patch of one colour."""
    height, width = bgr.shape[:2]
    tall, wide = (int(side * rng.uniform(0.08, 0.3)) for side in (height, width))
    top, left = int(rng.integers(height - tall)), int(rng.integers(width - wide))
    bgr[top : top + tall, left : left + wide] = rng.integers(0, 256, 3, np.uint8)
