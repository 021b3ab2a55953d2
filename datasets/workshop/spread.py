"""How cards lie: scattered, in rows, fanned, in a cascade, in a heap, or as in a game."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .canvas import Spot, seat
from .lens import Camera, Matrix, project

WAYS = ("scatter", "rows", "fan", "cascade", "heap")


@dataclass(frozen=True, slots=True)
class Wish:
    """What an arrangement shall be.

    Attributes:
        count: number of cards.
        way: one of :data:`WAYS`.
        overlap: largest share of a card that a scattered neighbour may cover, 0-1.
        aspect: height of a card in widths.
    """

    count: int
    way: str
    overlap: float
    aspect: float


def arrange(rng: np.random.Generator, camera: Camera, wish: Wish) -> list[Spot]:
    """Find a spot for each card, lowest first; fewer where no room is left."""
    if wish.way == "rows":
        return _rows(rng, camera, wish)
    if wish.way in {"fan", "cascade"}:
        return _chains(rng, camera, wish)
    if wish.way == "heap":
        return _heap(rng, camera, wish)
    return _scatter(rng, camera, wish)


def any_point(rng: np.random.Generator, camera: Camera, margin: float = 0.06) -> Matrix:
    """A point of the table that is in the picture, shape (2,)."""
    share = rng.uniform(margin, 1 - margin, 2)
    return np.asarray(
        camera.on_table(share[None] * np.array([camera.width_px, camera.height_px]))[0], np.float64
    )


def heading(rng: np.random.Generator) -> float:
    """A card's turn in degrees: any, or near a quarter turn."""
    if rng.random() < 0.6:
        return float(rng.uniform(0, 360))
    return float(90 * rng.choice(4, p=(0.5, 0.15, 0.2, 0.15)) + rng.normal(0, 7))


def _outline(spot: Spot, aspect: float) -> Matrix:
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    return project(seat(spot, (1.0, aspect)), corners)


def covered(first: Spot, second: Spot, aspect: float) -> float:
    """Share of one card that lies on the other.

    >>> round(covered(Spot(0, 0, 0), Spot(0.5, 0, 0), 1.4), 3)
    0.5
    """
    if np.hypot(first.x - second.x, first.y - second.y) > np.hypot(1, aspect):
        return 0.0
    one, two = (_outline(spot, aspect).astype(np.float32) for spot in (first, second))
    return float(cv2.intersectConvexConvex(one, two)[0]) / aspect


def _scatter(rng: np.random.Generator, camera: Camera, wish: Wish) -> list[Spot]:
    spots: list[Spot] = []
    margin = 0.32 if wish.count <= 2 and rng.random() < 0.7 else 0.06
    for _ in range(wish.count):
        for _ in range(25):
            x, y = any_point(rng, camera, margin)
            spot = Spot(float(x), float(y), heading(rng))
            if all(covered(spot, other, wish.aspect) <= wish.overlap for other in spots):
                spots.append(spot)
                break
    return spots


def _rows(rng: np.random.Generator, camera: Camera, wish: Wish) -> list[Spot]:
    columns = int(rng.integers(2, 8))
    pitch = (rng.uniform(0.75, 1.5), wish.aspect * rng.uniform(0.7, 1.3))
    turn, base = float(rng.normal(0, 12)), float(rng.choice((0.0, 90.0, 180.0), p=(0.6, 0.1, 0.3)))
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    rows = -(-wish.count // columns)
    middle = any_point(rng, camera, 0.35)
    spots = []
    for number in range(wish.count):
        x = (number % columns - (columns - 1) / 2) * pitch[0] + rng.normal(0, 0.04)
        y = (number // columns - (rows - 1) / 2) * pitch[1] + rng.normal(0, 0.04)
        if base == 90.0:
            x, y = y, x
        at = (middle[0] + cos * x - sin * y, middle[1] + sin * x + cos * y)
        flip = 180 * (rng.random() < 0.15)
        spots.append(Spot(float(at[0]), float(at[1]), turn + base + flip + float(rng.normal(0, 3))))
    return spots


def _chains(rng: np.random.Generator, camera: Camera, wish: Wish) -> list[Spot]:
    spots: list[Spot] = []
    while len(spots) < wish.count:
        length = min(wish.count - len(spots), int(rng.integers(2, 8)))
        x, y = any_point(rng, camera, 0.15)
        turn, step = heading(rng), rng.uniform(0.28, 0.8)
        curl = rng.uniform(6, 20) if wish.way == "fan" else rng.normal(0, 2)
        slant = 0.0 if wish.way == "fan" else rng.uniform(-90, 90)
        for _ in range(length):
            spots.append(Spot(float(x), float(y), turn))
            way = np.radians(turn + slant)
            x, y = x + step * np.cos(way), y + step * np.sin(way)
            turn += curl + rng.normal(0, 2)
    return spots


def _heap(rng: np.random.Generator, camera: Camera, wish: Wish) -> list[Spot]:
    x, y = any_point(rng, camera, 0.3)
    size = 0.35 * np.sqrt(wish.count) * rng.uniform(0.8, 1.6)
    shifts = rng.normal(0, size, (wish.count, 2))
    return [Spot(float(x + dx), float(y + dy), float(rng.uniform(0, 360))) for dx, dy in shifts]
