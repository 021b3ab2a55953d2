"""Table tops as flat textures: wood, cloth, check, felt, stone, carpet, plastic, screens.

Tables are split like decks are: some kinds are seen in training only, some in the test only, so
that a score on the test pictures is a score on tables that were never met.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.values import Image

Floats: TypeAlias = npt.NDArray[np.float32]
Painter: TypeAlias = Callable[[np.random.Generator, int, int], Floats]

TEXTURE_PX = (800, 1120)
"""Height and width of a table texture."""


@dataclass(frozen=True, slots=True, eq=False)
class TableTop:
    """A table's surface.

    Attributes:
        name: its kind, used to score by.
        bgr: uint8 texture of shape ``(*TEXTURE_PX, 3)``.
        gloss: how much of a lamp it mirrors, 0-1.
    """

    name: str
    bgr: Image
    gloss: float


def soft_noise(
    rng: np.random.Generator, height: int, width: int, cell: tuple[float, float]
) -> Floats:
    """Smooth noise 0-1 of shape (height, width); ``cell`` is the grain's, in pixels."""
    grid = rng.random(
        (max(2, int(height / cell[0]) + 2), max(2, int(width / cell[1]) + 2)), dtype=np.float32
    )
    return np.asarray(cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def cloudy(rng: np.random.Generator, height: int, width: int, cell: float) -> Floats:
    """Three octaves of soft noise, about 0-1."""
    total = soft_noise(rng, height, width, (cell, cell))
    for step in (2.0, 4.0):
        part = max(1.5, cell / step)
        total = total + soft_noise(rng, height, width, (part, part)) / step
    return np.asarray(total / 1.75, np.float32)


def hue(
    rng: np.random.Generator, saturation: tuple[float, float], value: tuple[float, float]
) -> Floats:
    """A random BGR colour 0-1 with saturation and value from the ranges."""
    hsv = np.array(
        [[[rng.uniform(0, 360), rng.uniform(*saturation), rng.uniform(*value)]]], np.float32
    )
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def mix(first: Floats, second: Floats, share: Floats) -> Floats:
    """Blend two colours by a map of shape (height, width)."""
    kept = np.clip(share, 0, 1)
    parts = [a + kept * (b - a) for a, b in zip(first, second, strict=True)]
    return np.asarray(cv2.merge(parts), np.float32)


def _wood(rng: np.random.Generator, height: int, width: int) -> Floats:
    tone = rng.random()
    light = np.array([0.25, 0.42, 0.62], np.float32) * (0.55 + 0.75 * tone)
    light = light + np.array([0.18, 0.14, 0.1], np.float32) * rng.random()
    light = light + rng.normal(0, 0.025, 3).astype(np.float32)
    dark = light * rng.uniform(0.45, 0.85)
    waves = soft_noise(rng, height, width, (90, 420)) * rng.uniform(1, 5)
    rows = np.arange(height, dtype=np.float32)[:, None] / rng.uniform(18, 90)
    rings = 0.5 + 0.5 * np.sin(2 * np.pi * (rows + waves))
    grain = soft_noise(rng, height, width, (1.6, rng.uniform(30, 160)))
    top = mix(light, dark, 0.5 * rings * rng.random() + 0.6 * grain)
    if rng.random() < 0.55:
        _plank_seams(rng, top)
    return top


def _plank_seams(rng: np.random.Generator, top: Floats) -> None:
    plank = int(rng.integers(60, 320))
    for start in range(int(rng.integers(plank)), top.shape[0], plank):
        top[start : start + plank] *= rng.uniform(0.85, 1.12)
        top[start : start + int(rng.integers(1, 4))] *= 0.45


def _parquet(rng: np.random.Generator, height: int, width: int) -> Floats:
    board = _wood(rng, height, width)
    side = int(rng.integers(70, 200))
    for row in range(0, height, side):
        for column in range(0, width, side):
            tile = board[row : row + side, column : column + side]
            if (row // side + column // side) % 2 and tile.shape[0] == tile.shape[1]:
                tile[:] = tile.transpose(1, 0, 2).copy()
            tile *= rng.uniform(0.8, 1.15)
            tile[:2] *= 0.6
            tile[:, :2] *= 0.6
    return board


def _weave(rng: np.random.Generator, height: int, width: int) -> Floats:
    thread = rng.uniform(2.0, 5.0)
    x = np.arange(width, dtype=np.float32)[None, :]
    y = np.arange(height, dtype=np.float32)[:, None]
    woven = np.sin(2 * np.pi * x / thread) * np.sin(2 * np.pi * y / thread)
    folds = soft_noise(rng, height, width, (260, 180)) - 0.5
    return np.asarray(1 + 0.08 * woven + rng.uniform(0, 0.45) * folds, np.float32)


def _cloth(rng: np.random.Generator, height: int, width: int) -> Floats:
    return np.asarray(hue(rng, (0, 0.7), (0.1, 0.95)) * _weave(rng, height, width)[..., None])


def _gingham(rng: np.random.Generator, height: int, width: int) -> Floats:
    period = rng.uniform(18, 170)
    x = (np.arange(width) % period < period / 2)[None, :]
    y = (np.arange(height) % period < period / 2)[:, None]
    white = np.full(3, rng.uniform(0.7, 0.97), np.float32)
    top = mix(white, hue(rng, (0.45, 1), (0.2, 0.8)), np.asarray((x * 1.0 + y) / 2, np.float32))
    return np.asarray(top * _weave(rng, height, width)[..., None], np.float32)


def _tartan(rng: np.random.Generator, height: int, width: int) -> Floats:
    top = np.zeros((height, width, 3), np.float32) + hue(rng, (0.3, 0.9), (0.15, 0.6))
    period = int(rng.integers(90, 300))
    for _ in range(int(rng.integers(3, 6))):
        colour, start = hue(rng, (0.1, 1), (0.1, 0.95)), int(rng.integers(period))
        stripe = int(rng.integers(3, period // 3))
        share = rng.uniform(0.3, 0.6)
        for line in range(start, max(height, width), period):
            top[line : line + stripe] += share * (colour - top[line : line + stripe])
            part = top[:, line : line + stripe]
            part += share * (colour - part)
    return np.asarray(top * _weave(rng, height, width)[..., None], np.float32)


def _stripes(rng: np.random.Generator, height: int, width: int) -> Floats:
    period = rng.uniform(16, 160)
    x = np.arange(width, dtype=np.float32)[None, :] + np.zeros((height, 1), np.float32)
    band = (x % period < period * rng.uniform(0.2, 0.6)).astype(np.float32)
    top = mix(hue(rng, (0, 0.6), (0.3, 0.95)), hue(rng, (0, 0.9), (0.1, 0.9)), band)
    return np.asarray(top * _weave(rng, height, width)[..., None], np.float32)


def _felt(rng: np.random.Generator, height: int, width: int) -> Floats:
    colour = hue(rng, (0.3, 0.9), (0.15, 0.55))
    if rng.random() < 0.5:
        colour = np.array([0.16, 0.36, 0.1], np.float32) * rng.uniform(0.6, 1.6)
    fuzz = rng.normal(1, 0.07, (height, width)).astype(np.float32)
    fuzz = cv2.GaussianBlur(fuzz, (0, 0), 0.8) + 0.25 * (cloudy(rng, height, width, 120) - 0.5)
    return np.asarray(colour * fuzz[..., None], np.float32)


def _carpet(rng: np.random.Generator, height: int, width: int) -> Floats:
    blotch = cloudy(rng, height, width, rng.uniform(6, 40))
    top = mix(hue(rng, (0, 0.6), (0.15, 0.7)), hue(rng, (0, 0.6), (0.15, 0.7)), blotch * 1.6 - 0.3)
    pile = rng.normal(1, 0.2, (height, width)).astype(np.float32)
    return np.asarray(top * cv2.GaussianBlur(pile, (0, 0), 1.0)[..., None], np.float32)


def _plastic(rng: np.random.Generator, height: int, width: int) -> Floats:
    shade = 0.97 + 0.06 * soft_noise(rng, height, width, (300, 300))
    return np.asarray(hue(rng, (0, 0.9), (0.15, 0.97)) * shade[..., None], np.float32)


def _plain(rng: np.random.Generator, height: int, width: int) -> Floats:
    grey = np.float32(rng.uniform(0.35, 0.97)) + rng.normal(0, 0.02, 3).astype(np.float32)
    shade = 0.95 + 0.1 * soft_noise(rng, height, width, (200, 300))
    shade = shade + rng.normal(0, 0.012, (height, width)).astype(np.float32)
    return np.asarray(grey * shade[..., None], np.float32)


def _dark(rng: np.random.Generator, height: int, width: int) -> Floats:
    base = hue(rng, (0, 0.5), (0.02, 0.16))
    grain = 0.7 + 0.6 * soft_noise(rng, height, width, (2, rng.uniform(2, 90)))
    return np.asarray(base * grain[..., None], np.float32)


def _stone(rng: np.random.Generator, height: int, width: int) -> Floats:
    base = cloudy(rng, height, width, rng.uniform(40, 200))
    first, second = hue(rng, (0, 0.15), (0.4, 0.95)), hue(rng, (0, 0.2), (0.1, 0.7))
    specks = rng.random((height // 2, width // 2), dtype=np.float32)
    chips = cv2.resize(specks, (width, height)) > rng.uniform(0.85, 0.97)
    return mix(first, second, np.asarray(0.7 * base * rng.random() + 0.8 * chips))


def _marble(rng: np.random.Generator, height: int, width: int) -> Floats:
    veins = np.abs(cloudy(rng, height, width, rng.uniform(90, 260)) - 0.5)
    share = np.exp(-veins * rng.uniform(18, 60))
    return mix(hue(rng, (0, 0.1), (0.6, 0.97)), hue(rng, (0, 0.4), (0.15, 0.6)), share)


def _terrazzo(rng: np.random.Generator, height: int, width: int) -> Floats:
    top = np.zeros((height, width, 3), np.float32) + hue(rng, (0, 0.2), (0.5, 0.95))
    for _ in range(int(rng.integers(200, 700))):
        centre = rng.uniform(0, 1, 2) * (width, height)
        around = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(4, 7))))
        radius = rng.uniform(3, 22)
        chip = centre + radius * np.stack([np.cos(around), np.sin(around)], 1)
        colour = hue(rng, (0, 0.5), (0.2, 0.9))
        cv2.fillPoly(top, [chip.astype(np.int32)], colour.tolist(), cv2.LINE_AA)
    return top


def _patterned(rng: np.random.Generator, height: int, width: int) -> Floats:
    top = np.zeros((height, width, 3), np.float32) + hue(rng, (0, 0.6), (0.2, 0.95))
    colours = [hue(rng, (0.2, 1), (0.2, 0.95)) for _ in range(3)]
    step = int(rng.integers(40, 180))
    for row, y in enumerate(range(0, height + step, step)):
        for column, x in enumerate(range(0, width + step, step)):
            colour = colours[(row + column) % 3].tolist()
            at = (x + (row % 2) * step // 2, y)
            for petal in range(5):
                turn = petal * 1.2566
                leaf = (
                    int(at[0] + step * 0.18 * np.cos(turn)),
                    int(at[1] + step * 0.18 * np.sin(turn)),
                )
                cv2.circle(top, leaf, max(2, step // 8), colour, -1, cv2.LINE_AA)
    return np.asarray(top * _weave(rng, height, width)[..., None], np.float32)


def _dots(rng: np.random.Generator, height: int, width: int) -> Floats:
    top = np.zeros((height, width, 3), np.float32) + hue(rng, (0.1, 0.8), (0.2, 0.9))
    colour, step = hue(rng, (0, 0.3), (0.7, 1)).tolist(), int(rng.integers(24, 110))
    for row, y in enumerate(range(0, height + step, step)):
        for x in range((row % 2) * step // 2, width + step, step):
            cv2.circle(top, (x, y), max(2, step // 5), colour, -1, cv2.LINE_AA)
    return np.asarray(top * _weave(rng, height, width)[..., None], np.float32)


def _screen(rng: np.random.Generator, height: int, width: int) -> Floats:
    dark = rng.random() < 0.6
    top = np.zeros((height, width, 3), np.float32) + hue(
        rng, (0, 0.3), (0.05, 0.2) if dark else (0.85, 1)
    )
    for _ in range(int(rng.integers(2, 6))):
        x, y = int(rng.integers(-200, width)), int(rng.integers(-100, height))
        w, h = int(rng.integers(200, 700)), int(rng.integers(150, 500))
        cv2.rectangle(top, (x, y), (x + w, y + h), hue(rng, (0, 0.4), (0.1, 1)).tolist(), -1)
        ink, line = hue(rng, (0, 0.9), (0, 1)).tolist(), int(rng.integers(12, 26))
        for text_y in range(y + line, y + h - 4, line):
            start = x + 8 + int(rng.integers(0, 40))
            cv2.line(
                top, (start, text_y), (start + int(rng.integers(20, w)), text_y), ink, line // 4
            )
    return top


def _keys(rng: np.random.Generator, height: int, width: int) -> Floats:
    body, cap = hue(rng, (0, 0.15), (0.1, 0.85)), hue(rng, (0, 0.15), (0.05, 0.9))
    top = np.zeros((height, width, 3), np.float32) + body
    key = int(rng.integers(60, 130))
    for row, y in enumerate(range(0, height, key)):
        for x in range(-(row * key // 3) % key - key, width, key):
            corner, far = (x + 4, y + 4), (x + key - 4, y + key - 4)
            cv2.rectangle(top, corner, far, cap.tolist(), -1)
            stroke = np.array([x, y]) + rng.integers(key // 4, key // 2 + 1, (3, 2))
            cv2.polylines(top, [stroke.astype(np.int32)], False, (0.6, 0.6, 0.6), 2, cv2.LINE_AA)
    return top


_SHARED: dict[str, tuple[Painter, float]] = {
    "wood": (_wood, 0.35),
    "cloth": (_cloth, 0.0),
    "plain": (_plain, 0.15),
    "dark": (_dark, 0.4),
    "felt": (_felt, 0.0),
    "plastic": (_plastic, 0.5),
}
_TRAIN: dict[str, tuple[Painter, float]] = {
    "gingham": (_gingham, 0.05),
    "stripes": (_stripes, 0.05),
    "carpet": (_carpet, 0.0),
    "stone": (_stone, 0.4),
    "patterned": (_patterned, 0.05),
    "screen": (_screen, 0.5),
    "keys": (_keys, 0.2),
}
_TEST: dict[str, tuple[Painter, float]] = {
    "parquet": (_parquet, 0.3),
    "tartan": (_tartan, 0.0),
    "terrazzo": (_terrazzo, 0.35),
    "marble": (_marble, 0.5),
    "dots": (_dots, 0.05),
}
KINDS = {"train": _SHARED | _TRAIN, "val": _SHARED | _TRAIN, "test": _SHARED | _TEST}
"""By split: the kinds of table with painter and gloss."""


def draw_table(rng: np.random.Generator, split: str) -> TableTop:
    """Draw a table top of one of the split's kinds; wood is the likeliest."""
    names = sorted(KINDS[split])
    weights = np.array([3.0 if name == "wood" else 1.0 for name in names])
    name = names[int(rng.choice(len(names), p=weights / weights.sum()))]
    painter, gloss = KINDS[split][name]
    top = painter(rng, *TEXTURE_PX)
    if rng.random() < 0.3:
        stain = 1 - rng.uniform(0, 0.35) * cloudy(rng, *TEXTURE_PX, cell=rng.uniform(60, 300))
        top = top * stain[..., None]
    bgr = np.clip(top * 255, 0, 255).astype(np.uint8)
    return TableTop(name, bgr, gloss * rng.uniform(0.3, 1.2))
