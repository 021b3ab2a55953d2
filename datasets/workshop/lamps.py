"""Lamps: their colour, where they fall, the shadows they throw and the glare on varnish."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.values import Image

from .tables import Floats, soft_noise

_LINEAR = np.linspace(0, 1, 256, dtype=np.float32) ** np.float32(2.2)
_GAMMA = np.clip(np.linspace(0, 1, 4096) ** (1 / 2.2) * 255 + 0.5, 0, 255).astype(np.uint8)


def kelvin_bgr(kelvin: float) -> Floats:
    """Linear BGR of a lamp's white, green 1 (after T. Helland's fit of the black body).

    >>> [round(float(v), 1) for v in kelvin_bgr(6500)]
    [1.0, 1.0, 1.0]
    """
    t = kelvin / 100.0
    red = 255.0 if t <= 66 else 329.7 * (t - 60) ** -0.1332
    green = 99.47 * np.log(t) - 161.12 if t <= 66 else 288.12 * (t - 60) ** -0.0755
    blue = 255.0 if t >= 66 else 138.52 * np.log(max(t - 10, 1.01)) - 305.04
    bgr = np.clip(np.array([blue, green, red]), 1, 255) / 255
    linear = bgr**2.2
    return np.asarray(linear / linear[1], np.float32)


@dataclass(frozen=True, slots=True)
class Lamps:
    """The light of one picture.

    Attributes:
        kelvin: colour of the main lamp and of a second one; equal if there is one lamp.
        exposure: gain on the linear picture; 1 is well exposed.
        cast: how much of the lamps' colour the camera leaves, below 0 it overshoots.
        falloff: how much darker the far side is, 0-1.
        vignette: how much darker the picture's corners are, 0-1.
        hard_shadow: depth of a thrown shadow, 0 for none.
        glare: strength of the mirrored lamp on varnish, 0 for none.
        saturation: the camera's colour boost, 1 for none.
    """

    kelvin: tuple[float, float]
    exposure: float
    cast: float
    falloff: float
    vignette: float
    hard_shadow: float
    glare: float
    saturation: float

    @property
    def name(self) -> str:
        """The lamps' slice: warm, neutral, cool or mixed."""
        first, second = self.kelvin
        if abs(first - second) > 800:
            return "mixed"
        return "warm" if first < 3500 else "neutral" if first < 5000 else "cool"

    @property
    def light(self) -> str:
        """The light level's slice: dim, normal or bright."""
        return "dim" if self.exposure < 0.45 else "normal" if self.exposure < 1.05 else "bright"


def shine(bgr: Image, gloss: Image, lamps: Lamps, rng: np.random.Generator) -> Image:
    """Light a flat-lit picture by lamps.

    Args:
        bgr: uint8 (height, width, 3), as under perfect white light.
        gloss: uint8 (height, width), how much of a lamp each pixel mirrors.
        lamps: the light.
        rng: where shadows and glare fall.
    """
    height, width = bgr.shape[:2]
    linear = np.asarray(cv2.LUT(bgr, _LINEAR), np.float32)
    linear *= _field(height, width, lamps, rng)
    if lamps.glare > 0:
        spot = _glare(height, width, rng) * (gloss.astype(np.float32) / 255) * lamps.glare
        linear += spot[..., None] * (lamps.exposure**0.5)
    if abs(lamps.saturation - 1) > 0.02:
        grey = np.array([[0.11, 0.59, 0.3]] * 3) * (1 - lamps.saturation)
        boost = grey + lamps.saturation * np.eye(3)
        linear = np.asarray(cv2.transform(linear, boost), np.float32)
    np.clip(linear, 0, 1, out=linear)
    steps = (linear * np.float32(4095)).astype(np.uint16)
    return np.asarray(_GAMMA[steps], np.uint8)


def _field(height: int, width: int, lamps: Lamps, rng: np.random.Generator) -> Floats:
    """The light that falls on each pixel, linear BGR, drawn small and scaled up."""
    h, w = max(2, height // 8), max(2, width // 8)
    x = np.linspace(-1, 1, w, dtype=np.float32)[None, :]
    y = np.linspace(-1, 1, h, dtype=np.float32)[:, None]
    angle = rng.uniform(0, 2 * np.pi)
    across = np.clip(0.5 + 0.5 * (x * np.cos(angle) + y * np.sin(angle)), 0, 1)
    first, second = (
        (kelvin_bgr(k) / kelvin_bgr(5200)) ** np.float32(lamps.cast) for k in lamps.kelvin
    )
    colour = first * (1 - across[..., None]) + second * across[..., None]
    level = lamps.exposure * (1 - lamps.falloff * across)
    level = level * (1 - lamps.vignette * (x * x + y * y) / 2)
    if lamps.hard_shadow > 0:
        level = level * (1 - lamps.hard_shadow * _shadow(h, w, rng))
    small = np.asarray(colour * level[..., None], np.float32)
    return np.asarray(
        cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.float32
    )


def _shadow(height: int, width: int, rng: np.random.Generator) -> Floats:
    """A shadow thrown from outside the picture: a head, a window's bars, an edge; 0-1."""
    mask = np.zeros((height, width), np.float32)
    kind = rng.integers(3)
    if kind == 0:
        centre = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        axes = (int(width * rng.uniform(0.1, 0.35)), int(height * rng.uniform(0.15, 0.5)))
        cv2.ellipse(mask, centre, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
    elif kind == 1:
        step, thick = int(rng.integers(14, 50)), int(rng.integers(3, 12))
        slant = int(rng.integers(-60, 60))
        for start in range(-80, width + 80, step):
            cv2.line(mask, (start, 0), (start + slant, height), 1.0, thick)
    else:
        edge = rng.uniform(0.2, 0.8, 2) * width
        area = np.array(
            [[-9, -9], [edge[0], -9], [edge[1], height + 9], [-9, height + 9]], np.int32
        )
        cv2.fillPoly(mask, [area], 1.0)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.6, 4.0)), np.float32)


def _glare(height: int, width: int, rng: np.random.Generator) -> Floats:
    """Mirrored lamps: one to three spots or a tube, 0-1, drawn small and scaled up."""
    h, w = max(2, height // 4), max(2, width // 4)
    spots = np.zeros((h, w), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        centre = (int(rng.uniform(0.05, 0.95) * w), int(rng.uniform(0.05, 0.95) * h))
        long, short = rng.uniform(0.02, 0.12) * w, rng.uniform(0.015, 0.05) * w
        axes = (max(1, int(long)), max(1, int(short)))
        cv2.ellipse(spots, centre, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
    core = cv2.GaussianBlur(spots, (0, 0), rng.uniform(1, 4))
    halo = cv2.GaussianBlur(spots, (0, 0), rng.uniform(8, 30))
    rough = 0.8 + 0.4 * soft_noise(rng, h, w, (20, 20))
    return np.asarray(cv2.resize((0.7 * core + 0.5 * halo) * rough, (width, height)), np.float32)
