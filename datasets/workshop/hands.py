"""A hand with its sleeve, seen from above: fingers as shaded capsules, many skins and sleeves.

The sprite points up: fingertips near the top edge, the sleeve leaves at the bottom.
"""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np

from companion.vision.values import Image

from .tables import Floats, soft_noise

SIZE = (4.0, 22.0)
"""Width and height of the sprite in card widths; most of the height is the arm."""

_SCALE = 90
_DRAWN = 10.0
THUMB_SIZE = (SIZE[0], _DRAWN)
"""Width and height of a thumb's sprite in card widths; its tip is at (2, 0.75)."""

_SKINS = (
    (241, 205, 180),
    (228, 180, 146),
    (205, 150, 112),
    (168, 112, 76),
    (120, 78, 52),
    (76, 50, 36),
)


class _Sketch:
    """An RGBA sheet on which rounded limbs are painted one over the other."""

    def __init__(self) -> None:
        self.rgb: Floats = np.zeros((int(_DRAWN * _SCALE), int(SIZE[0] * _SCALE), 3), np.float32)
        self.alpha: Image = np.zeros(self.rgb.shape[:2], np.uint8)

    def paint(self, mask: Image, colour: Floats, round_px: float) -> None:
        """Fill a mask, darker towards its rim as a round limb is."""
        x, y, w, h = cv2.boundingRect(mask)
        part = np.pad(mask[y : y + h, x : x + w], 1)
        depth = cv2.distanceTransform(part, cv2.DIST_L2, 3)[1:-1, 1:-1]
        light = 0.55 + 0.45 * np.sqrt(np.clip(depth / round_px, 0, 1))
        inside = part[1:-1, 1:-1] > 0
        self.rgb[y : y + h, x : x + w][inside] = light[inside][:, None] * colour
        self.alpha[y : y + h, x : x + w][inside] = 255

    def limb(self, joints: list[tuple[float, float]], widths: list[float], colour: Floats) -> None:
        """A chain of tapering capsules through joints (in card widths)."""
        mask = np.zeros_like(self.alpha)
        for (start, a), (end, b) in pairwise(zip(joints, widths, strict=True)):
            for share in np.linspace(0, 1, 24):
                x = start[0] + share * (end[0] - start[0])
                y = start[1] + share * (end[1] - start[1])
                radius = int((a + share * (b - a)) * _SCALE / 2)
                cv2.circle(mask, (int(x * _SCALE), int(y * _SCALE)), radius, 255, -1)
        self.paint(mask, colour, max(widths) * _SCALE / 2)

    def nail(self, tip: tuple[float, float], turn_rad: float, width: float, colour: Floats) -> None:
        """A nail just behind a fingertip."""
        x, y = tip[0] - 0.05 * np.sin(turn_rad), tip[1] + 0.05 * np.cos(turn_rad)
        axes = (int(width * _SCALE * 0.28), int(width * _SCALE * 0.36))
        centre, turn = (int(x * _SCALE), int(y * _SCALE)), float(np.degrees(turn_rad))
        cv2.ellipse(self.rgb, centre, axes, turn, 0, 360, colour.tolist(), -1, cv2.LINE_AA)

    def rgba(self) -> Image:
        """The sheet as a sprite."""
        soft = cv2.GaussianBlur(self.alpha, (0, 0), 1.0)
        rgb = cv2.GaussianBlur(self.rgb, (0, 0), 0.8)
        return np.dstack([np.clip(rgb, 0, 255).astype(np.uint8), np.asarray(soft, np.uint8)])


def draw_skin(rng: np.random.Generator) -> Floats:
    """The colour of somebody's skin, RGB 0-255."""
    skin = np.array(_SKINS[int(rng.integers(len(_SKINS)))], np.float32)
    return np.asarray(skin * rng.uniform(0.85, 1.1) + rng.normal(0, 5, 3), np.float32)


def draw_thumb(rng: np.random.Generator, skin: Floats) -> Image:
    """Draw a thumb alone, to lie over the rim of a held card: RGBA of shape (900, 360, 4)."""
    sketch = _Sketch()
    lean = rng.uniform(-0.3, 0.3)
    sketch.limb([(2.0 - lean, 2.6), (2.0, 1.6), (2.0 + 0.6 * lean, 0.9)], [0.6, 0.46, 0.34], skin)
    sketch.nail((2.0 + 0.6 * lean, 0.9), lean, 0.34, skin * np.float32(1.08) + 12)
    return sketch.rgba()


def draw_hand(rng: np.random.Generator, skin: Floats | None = None) -> Image:
    """Draw a hand: uint8 RGBA of shape (1980, 360, 4), the fingertips near :data:`TIP`."""
    sketch = _Sketch()
    skin = draw_skin(rng) if skin is None else skin
    left = rng.random() < 0.4
    _forearm(sketch, rng, skin)
    _palm_and_fingers(sketch, rng, skin)
    rgba = sketch.rgba()
    mottle = 0.92 + 0.16 * soft_noise(rng, rgba.shape[0], rgba.shape[1], (14, 14))
    rgba[..., :3] = np.clip(rgba[..., :3] * mottle[..., None], 0, 255).astype(np.uint8)
    arm = int((SIZE[1] - _DRAWN) * _SCALE)
    rgba = np.asarray(cv2.copyMakeBorder(rgba, 0, arm, 0, 0, cv2.BORDER_REPLICATE), np.uint8)
    return np.ascontiguousarray(rgba[:, ::-1]) if left else rgba


def _forearm(sketch: _Sketch, rng: np.random.Generator, skin: Floats) -> None:
    sketch.limb([(2.0, 3.6), (2.0, 6.0), (2.0, 10.5)], [1.0, 1.05, 1.5], skin)
    if rng.random() < 0.75:
        cuff = rng.uniform(3.9, 7.0)
        cloth = rng.uniform(10, 240, 3).astype(np.float32)
        sketch.limb([(2.0, cuff + 0.6), (2.0, 10.6)], [1.5, 2.1], cloth)
        if rng.random() < 0.4:
            stripes = slice(int((cuff + 0.4) * _SCALE), None, int(rng.integers(12, 40)))
            sketch.rgb[stripes] *= 0.6


def _palm_and_fingers(sketch: _Sketch, rng: np.random.Generator, skin: Floats) -> None:
    spread, curl = rng.uniform(0.03, 0.2), rng.uniform(0.55, 1.0)
    pointing = rng.random() < 0.35
    thumb_turn = rng.uniform(-0.9, -0.3)
    base, nail = (1.45, 2.75), skin * np.float32(1.08) + 12
    bend = (base[0] + 0.75 * np.sin(thumb_turn), base[1] - 0.75 * np.cos(thumb_turn))
    tip = (bend[0] + 0.4 * np.sin(thumb_turn + 0.4), bend[1] - 0.4 * np.cos(thumb_turn + 0.4))
    sketch.limb([(1.75, 3.3), base, bend, tip], [0.6, 0.5, 0.4, 0.3], skin)
    sketch.nail(tip, thumb_turn + 0.4, 0.3, nail)
    sketch.limb([(2.0, 3.5), (2.0, 2.4)], [1.05, 1.35], skin)
    for number, length in enumerate((1.25, 1.4, 1.3, 1.0)):
        reach = length * (curl if not pointing or number else 1.05)
        if pointing and number:
            reach *= rng.uniform(0.35, 0.6)
        turn = (number - 1.3) * spread + rng.normal(0, 0.03)
        start = (1.52 + 0.33 * number, 2.1 + 0.07 * abs(number - 1.2))
        middle = (start[0] + 0.5 * reach * np.sin(turn), start[1] - 0.5 * reach * np.cos(turn))
        end = (start[0] + reach * np.sin(turn * 0.8), start[1] - reach * np.cos(turn * 0.8))
        sketch.limb([start, middle, end], [0.38, 0.34, 0.27], skin)
        sketch.nail(end, turn, 0.27, nail)


TIP = (1.85, 0.95)
"""Where the fingertips are on the sprite, in card widths from its top-left."""
