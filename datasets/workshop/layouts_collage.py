"""Layouts put together at random: shapes of any kind, and one of them behind the digit.

Twenty drawn layouts teach the networks those twenty; a deck that nobody here has seen looks
otherwise again. A collage is a new layout each time, and only training decks are printed in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from datasets.workshop.layouts_brush import (
    PATTERNS,
    Canvas,
    inset,
    oval,
    paint_pattern,
    rectangle,
    regular,
    star,
    turned,
)
from datasets.workshop.layouts_ground import Ground, Tones, in_the_middle
from datasets.workshop.palette import mix

Points = npt.NDArray[np.float64]

_TONES = ("card", "white", "black", "dark", "pale", "light", "shade")
_PANELS = {"card": "card", "white": "white", "pale": "white", "black": "black", "dark": "black"}
"""Tones that a digit may stand on, and which of the plain ones each is like."""

_LEAST_BOX = 0.34
_BOX_SHAPE = 1.2


def _blob(rng: np.random.Generator) -> Points:
    angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    reach = np.ones_like(angles)
    for wave in range(2, 7):
        reach += rng.normal(0, 0.22 / wave) * np.cos(wave * angles + rng.uniform(0, 2 * np.pi))
    return np.asarray(np.stack([np.cos(angles), np.sin(angles)], axis=1) * reach[:, None])


def _squircle(rng: np.random.Generator) -> Points:
    angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    power = float(rng.uniform(0.25, 1.6))
    x, y = np.cos(angles), np.sin(angles)
    points = np.stack([np.sign(x) * np.abs(x) ** power, np.sign(y) * np.abs(y) ** power], axis=1)
    return np.asarray(points)


def _polygon(rng: np.random.Generator) -> Points:
    return regular((0.0, 0.0), 1.0, int(rng.integers(3, 9)), float(rng.uniform(0, 90)))


def _star(rng: np.random.Generator) -> Points:
    inner = float(rng.uniform(0.55, 0.95))
    return star((0.0, 0.0), (1.0, inner), int(rng.integers(4, 20)), float(rng.uniform(0, 90)))


def _oval(rng: np.random.Generator) -> Points:
    return oval((0.0, 0.0), (1.0, float(rng.uniform(0.5, 1.0))), 0.0)


def _box(rng: np.random.Generator) -> Points:
    half = float(rng.uniform(0.5, 1.0))
    return rectangle((-1.0, -half), (1.0, half), float(rng.choice([0.0, 0.1, 0.3])))


def _banner(rng: np.random.Generator) -> Points:
    """A strip as long as the card whose ends are notched, pointed, or neither."""
    half, notch = float(rng.uniform(0.35, 0.8)), float(rng.uniform(-0.4, 0.4))
    long = float(rng.uniform(1.0, 2.2))
    return np.array(
        [(-long, -half), (long, -half), (long - notch, 0), (long, half), (-long, half),
         (notch - long, 0)]
    )  # fmt: skip


def _waist(rng: np.random.Generator) -> Points:
    """A strip that is narrower, or wider, in its middle."""
    half, other = float(rng.uniform(0.4, 0.7)), float(rng.uniform(0.4, 1.0))
    x = np.linspace(-1.6, 1.6, 25)
    bow = float(rng.choice([1.0, 2.0]))
    edge = half + (other - half) * np.abs(x / 1.6) ** bow
    return np.concatenate([np.stack([x, -edge], 1), np.stack([x[::-1], edge[::-1]], 1)])


def _cross(rng: np.random.Generator) -> Points:
    arm = float(rng.uniform(0.3, 0.7))
    quarter = np.array([(arm, -arm), (1.0, -arm), (1.0, arm)])
    return np.concatenate([turned(quarter, turn) for turn in (0.0, 90.0, 180.0, 270.0)])


_SHAPES: tuple[Callable[[np.random.Generator], Points], ...] = (
    _blob, _squircle, _polygon, _star, _oval, _box, _banner, _waist, _cross,
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """A shape in card widths with its tone and its rim, both names of tones."""

    points: Points
    tone: str
    rim: tuple[str, float] | None


def _shape(rng: np.random.Generator, size: tuple[float, float], turn_deg: float) -> Points:
    shape = _SHAPES[int(rng.integers(len(_SHAPES)))](rng)
    return np.asarray(turned(shape * np.array(size), turn_deg))


def _turn(rng: np.random.Generator) -> float:
    return float(rng.choice([0.0, 90.0, 45.0, rng.uniform(0, 180)], p=[0.4, 0.15, 0.1, 0.35]))


def _rim(rng: np.random.Generator) -> tuple[str, float] | None:
    if rng.random() > 0.35:
        return None
    return str(rng.choice(["black", "white", "dark", "pale", "card"])), float(
        rng.uniform(0.008, 0.035)
    )


def _loose_piece(rng: np.random.Generator, aspect: float) -> _Piece:
    """A shape anywhere on the card or half off it, often in the middle between left and right."""
    size = (float(rng.uniform(0.08, 0.6)), float(rng.uniform(0.08, 0.6)))
    centre = np.array([rng.uniform(-0.1, 1.1), rng.uniform(-0.1, 1.1) * aspect])
    if rng.random() < 0.4:
        centre = np.array([0.5, rng.choice([0.0, 0.5, 1.0]) * aspect])
    points = _shape(rng, size, _turn(rng)) + centre
    return _Piece(points, str(rng.choice(_TONES)), _rim(rng))


def _panel(rng: np.random.Generator, aspect: float) -> tuple[_Piece, float]:
    """The piece behind the digit, and the width of the box that fits into it."""
    middle = np.array([0.5, aspect / 2])
    tone = str(rng.choice(list(_PANELS), p=[0.25, 0.35, 0.1, 0.2, 0.1]))
    while True:
        size = (float(rng.uniform(0.3, 0.6)), float(rng.uniform(0.3, 0.75)))
        points = _shape(rng, size, _turn(rng)) + middle
        box = _box_inside(points, middle)
        if box >= _LEAST_BOX:
            return _Piece(points, tone, _rim(rng)), box


def _box_inside(points: Points, middle: Points) -> float:
    """Width of the largest digit's box about the middle that lies in a shape; 0 for none."""
    outline = (points * 1000).astype(np.float32).reshape(-1, 1, 2)
    for width in np.arange(0.7, 0.2, -0.04):
        half = np.array([width, width * _BOX_SHAPE]) / 2
        corners = middle + np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]) * half
        if all(
            cv2.pointPolygonTest(outline, (float(x * 1000), float(y * 1000)), False) >= 0
            for x, y in corners
        ):
            return float(width)
    return 0.0


def collage(rng: np.random.Generator, aspect: float) -> Ground:
    """A ground in any tone, loose pieces (half of the time alike after half a turn), a panel."""
    base = str(rng.choice(["card", "white", "black", "dark"], p=[0.6, 0.2, 0.1, 0.1]))
    pieces = [_loose_piece(rng, aspect) for _ in range(int(rng.integers(0, 5)))]
    if rng.random() < 0.5:
        far = np.array([1.0, aspect])
        pieces += [_Piece(far - piece.points, piece.tone, piece.rim) for piece in pieces]
    panel, box = _panel(rng, aspect)
    if panel.tone != "card" and base != "card":
        edge = float(rng.uniform(0.0, 0.08))
        pieces.insert(0, _Piece(inset(aspect, edge, 0.05), "card", None))
    pattern = str(rng.choice(PATTERNS)) if rng.random() < 0.2 else ""
    strength, seed = float(rng.uniform(0.1, 0.35)), int(rng.integers(1 << 31))
    ink = str(rng.choice(["white", "black", "dark", "light"]))

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        canvas.fill(tones[base])
        if pattern:
            dots = np.random.default_rng(seed)
            paint_pattern(canvas, pattern, mix(tones[base], tones[ink], strength), dots)
        for piece in (*pieces, panel):
            canvas.polygon(piece.points, tones[piece.tone])
            if piece.rim is not None:
                canvas.polygon(piece.points, tones[piece.rim[0]], piece.rim[1])

    corners = base if base in {"card", "white"} else "card"
    return Ground(
        paint,
        _PANELS[panel.tone],
        (box, box * _BOX_SHAPE),
        in_the_middle(aspect),
        corners,
        room=base in {"card", "white"} and bool(rng.random() < 0.75),
    )
