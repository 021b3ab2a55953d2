"""Things that lie about on a table: paper, phones, cups, pens, books, cables, coins, notes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np

from companion.vision.values import Image

Ink: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """A sprite and its size on the table.

    Attributes:
        rgba: uint8 (height, width, 4).
        size: width and height in card widths.
        gloss: how much of a lamp it mirrors, 0-1.
    """

    rgba: Image
    size: tuple[float, float]
    gloss: float


def ink(rng: np.random.Generator, low: int = 0, high: int = 256) -> Ink:
    """A random opaque colour, RGBA."""
    r, g, b = (int(v) for v in rng.integers(low, high, 3))
    return (r, g, b, 255)


def sheet(height: int, width: int, colour: Ink) -> Image:
    """A rectangle of one colour, RGBA."""
    return np.full((height, width, 4), colour, np.uint8)


def _lines(rgba: Image, rng: np.random.Generator, colour: Ink) -> None:
    """Scribble rows of text or numbers."""
    height, width = rgba.shape[:2]
    step = int(rng.integers(14, 30))
    for y in range(step + 6, height - 8, step):
        x = 12
        while x < width - 30 and rng.random() > 0.06:
            word = int(rng.integers(8, 40))
            if rng.random() < 0.25:
                cv2.putText(rgba, str(rng.integers(0, 99)), (x, y), 0, step / 40, colour, 1, 16)
            else:
                cv2.line(rgba, (x, y - 4), (min(width - 12, x + word), y - 4), colour, step // 6)
            x += word + int(rng.integers(6, 16))


def _paper(rng: np.random.Generator) -> Thing:
    page = sheet(420, 300, ink(rng, 200, 256) if rng.random() < 0.3 else (245, 245, 242, 255))
    _lines(page, rng, ink(rng, 0, 120))
    width = rng.uniform(1.5, 4)
    return Thing(page, (width, width * 1.4), 0.05)


def _note(rng: np.random.Generator) -> Thing:
    side = sheet(240, 240, ink(rng, 120, 256))
    cv2.putText(side, str(rng.integers(0, 30)), (40, 150), 1, 6, ink(rng, 0, 120), 5, 16)
    return Thing(side, (1.3, 1.3), 0.0)


def _phone(rng: np.random.Generator) -> Thing:
    body = rounded(500, 250, 36, ink(rng, 0, 60))
    lit = rng.random() < 0.5
    cv2.rectangle(body, (14, 30), (236, 470), ink(rng, 0, 255) if lit else (12, 12, 14, 255), -1)
    if lit:
        for _ in range(int(rng.integers(2, 14))):
            x, y = int(rng.integers(20, 200)), int(rng.integers(40, 440))
            cv2.rectangle(body, (x, y), (min(230, x + 40), y + 30), ink(rng), -1)
    return Thing(body, (1.25, 2.5), 0.9)


def rounded(height: int, width: int, radius: int, colour: Ink) -> Image:
    """The same with round corners, radius in pixels."""
    rgba = np.zeros((height, width, 4), np.uint8)
    cv2.rectangle(rgba, (radius, 0), (width - radius, height), colour, -1)
    cv2.rectangle(rgba, (0, radius), (width, height - radius), colour, -1)
    for x in (radius, width - radius - 1):
        for y in (radius, height - radius - 1):
            cv2.circle(rgba, (x, y), radius, colour, -1, cv2.LINE_AA)
    return rgba


def _cup(rng: np.random.Generator) -> Thing:
    cup = np.zeros((300, 360, 4), np.uint8)
    wall = ink(rng, 60, 256)
    cv2.ellipse(cup, (285, 150), (60, 35), 0, 0, 360, wall, 18, cv2.LINE_AA)
    cv2.circle(cup, (150, 150), 142, wall, -1, cv2.LINE_AA)
    cv2.circle(cup, (150, 150), 124, (60, 40, 25, 255) if rng.random() < 0.6 else ink(rng), -1, 16)
    cv2.ellipse(cup, (120, 110), (40, 16), -40, 0, 360, (190, 170, 150, 255), -1, cv2.LINE_AA)
    size = rng.uniform(1.2, 1.9)
    return Thing(cup, (size * 1.2, size), 0.5)


def _coaster(rng: np.random.Generator) -> Thing:
    round_one = rng.random() < 0.6
    rgba = rounded(300, 300, 149 if round_one else 20, ink(rng, 30, 240))
    cv2.circle(rgba, (150, 150), int(rng.integers(60, 120)), ink(rng), int(rng.integers(3, 40)), 16)
    if rng.random() < 0.5:
        text = "".join(chr(65 + int(rng.integers(26))) for _ in range(4))
        cv2.putText(rgba, text, (60, 170), 0, 1.8, ink(rng), 5, 16)
    return Thing(rgba, (1.6, 1.6), 0.1)


def _pen(rng: np.random.Generator) -> Thing:
    pen = np.zeros((60, 600, 4), np.uint8)
    barrel = ink(rng)
    cv2.rectangle(pen, (60, 16), (560, 44), barrel, -1)
    cv2.rectangle(pen, (60, 20), (560, 26), tuple(min(255, v + 70) for v in barrel), -1)
    cv2.fillConvexPoly(pen, np.array([[60, 16], [10, 30], [60, 44]]), ink(rng), 16)
    cv2.rectangle(pen, (430, 14), (590, 46), ink(rng), -1)
    return Thing(pen, (2.5, 0.25), 0.4)


def _book(rng: np.random.Generator) -> Thing:
    cover = sheet(420, 300, ink(rng))
    for _ in range(int(rng.integers(1, 5))):
        x, y = int(rng.integers(0, 250)), int(rng.integers(0, 380))
        cv2.rectangle(cover, (x, y), (x + int(rng.integers(30, 200)), y + 80), ink(rng), -1)
    cv2.putText(cover, "BOOK"[: int(rng.integers(1, 5))], (30, 120), 0, 2.4, ink(rng), 8, 16)
    width = rng.uniform(2, 3.6)
    return Thing(cover, (width, width * 1.4), 0.4)


def _box(rng: np.random.Generator) -> Thing:
    card_like = rounded(300, 210, int(rng.integers(2, 24)), ink(rng))
    cv2.rectangle(card_like, (20, 20), (190, 280), ink(rng), int(rng.integers(-1, 12)) or 4)
    width = rng.uniform(0.5, 2.2)
    return Thing(card_like, (width, width * rng.uniform(0.5, 1.2)), 0.3)


def _cable(rng: np.random.Generator) -> Thing:
    rgba = np.zeros((500, 500, 4), np.uint8)
    t = np.linspace(0, 1, 60)
    turns = rng.uniform(0.4, 1.6)
    x = 250 + 220 * np.sin(turns * 6.28 * t + rng.uniform(0, 6)) * (0.4 + 0.6 * t)
    y = 20 + 460 * t
    line = np.stack([x, y], 1).astype(np.int32)
    colour = ink(rng, 0, 60) if rng.random() < 0.6 else ink(rng, 200, 256)
    cv2.polylines(rgba, [line], False, colour, int(rng.integers(6, 14)), cv2.LINE_AA)
    return Thing(rgba, (5.0, 5.0), 0.2)


def _coin(rng: np.random.Generator) -> Thing:
    rgba = np.zeros((120, 120, 4), np.uint8)
    metal = (190, 160, 90, 255) if rng.random() < 0.5 else (180, 180, 185, 255)
    cv2.circle(rgba, (60, 60), 58, metal, -1, cv2.LINE_AA)
    cv2.circle(rgba, (60, 60), 50, (*(int(v * 0.7) for v in metal[:3]), 255), 3, 16)
    cv2.putText(rgba, str(rng.integers(1, 10)), (36, 84), 1, 4, (90, 80, 60, 255), 4, 16)
    return Thing(rgba, (0.42, 0.42), 0.8)


def _keyboard(rng: np.random.Generator) -> Thing:
    rgba = rounded(240, 640, 12, ink(rng, 10, 230))
    cap = ink(rng, 0, 250)
    for row in range(5):
        for x in range(10 + row * 6, 620, 38):
            cv2.rectangle(rgba, (x, 12 + row * 44), (min(630, x + 33), 48 + row * 44), cap, -1)
    return Thing(rgba, (6.0, 2.2), 0.2)


_DRAWERS: tuple[Callable[[np.random.Generator], Thing], ...] = (
    _paper, _note, _phone, _cup, _coaster, _pen, _book, _box, _cable, _coin, _keyboard,
)  # fmt: skip
_LIGHT: tuple[Callable[[np.random.Generator], Thing], ...] = (_pen, _coin, _cable, _note, _cup)


def draw_thing(rng: np.random.Generator, small: bool = False) -> Thing:
    """Draw one thing; ``small`` ones may lie partly over cards."""
    drawers = _LIGHT if small else _DRAWERS
    return drawers[int(rng.integers(len(drawers)))](rng)
