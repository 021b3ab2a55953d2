"""How people lay won cards to have them counted: in rows, in columns that overlap, in fans."""

from __future__ import annotations

import numpy as np

from .canvas import Spot
from .lens import Camera, Matrix, project
from .spread import covered

LAYS = ("rows", "columns", "fan")
_PLAIN_OVERLAP = 0.2
"""Covered shares up to this leave a card's large digit readable."""
_TRIES = 30


def may_overlap(has_corner_digits: bool, most: float) -> float:
    """How much of a card its neighbour may cover so that somebody can still read it."""
    return most if has_corner_digits else min(most, _PLAIN_OVERLAP)


def lay(rng: np.random.Generator, count: int, most_covered: float, aspect: float) -> list[Spot]:
    """Spots for so many cards round the table's origin, lowest first.

    Args:
        rng: decides how they lie.
        count: number of cards.
        most_covered: the largest share of a card that all others together may cover.
        aspect: height of a card in widths.
    """
    for _ in range(_TRIES):
        overlap = 0.0 if rng.random() < 0.5 else float(rng.uniform(0, most_covered))
        way = LAYS[int(rng.integers(len(LAYS)))] if overlap else "rows"
        spots = _untidy(rng, _centred(_WAYS[way](rng, count, overlap, aspect)), overlap)
        if all(_cover(spots, place, aspect) <= most_covered for place in range(count)):
            return spots
    return _centred(_rows(rng, count, 0.0, aspect))


def fitting_px(spots: list[Spot], camera: Camera, aspect: float) -> float:
    """The largest factor by which the cards' size may grow while all stay well in the picture."""
    half = np.array([camera.width_px, camera.height_px]) / 2
    reach = np.hypot(0.5, aspect / 2)
    points = np.array([[s.x + dx, s.y + dy] for s in spots for dx in _AROUND for dy in _AROUND])
    seen = project(camera.plane(0.0), points + np.sign(points) * (reach - 0.5)) - half
    return float(1.0 / max(1e-6, (np.abs(seen) / (0.93 * half)).max()))


_AROUND = (-0.5, 0.5)


def _rows(rng: np.random.Generator, count: int, overlap: float, aspect: float) -> list[Spot]:
    columns = int(rng.integers(max(2, min(count, 4)), max(3, min(count, 7)) + 1))
    step = 1.0 - overlap if overlap else float(rng.uniform(1.06, 1.25))
    pitch = aspect * float(rng.uniform(1.06, 1.25))
    return [Spot(n % columns * step, n // columns * pitch, 0.0) for n in range(count)]


def _columns(rng: np.random.Generator, count: int, overlap: float, aspect: float) -> list[Spot]:
    long = int(rng.integers(2, 6))
    pitch, step = float(rng.uniform(1.1, 1.4)), aspect * (1.0 - overlap)
    return [Spot(n // long * pitch, n % long * step, 0.0) for n in range(count)]


def _fan(rng: np.random.Generator, count: int, overlap: float, aspect: float) -> list[Spot]:
    long = int(rng.integers(3, 8))
    bend_deg = float(rng.uniform(4, 10))
    radius = (1.0 - overlap) / np.radians(bend_deg)
    spots = []
    for n in range(count):
        row, place = divmod(n, long)
        turn = (place - (min(long, count - row * long) - 1) / 2) * bend_deg
        x, y = radius * np.sin(np.radians(turn)), radius * (1 - np.cos(np.radians(turn)))
        spots.append(Spot(float(x), float(y) + row * (aspect + 0.9), turn))
    return spots


_WAYS = {"rows": _rows, "columns": _columns, "fan": _fan}


def _centred(spots: list[Spot]) -> list[Spot]:
    x = (min(s.x for s in spots) + max(s.x for s in spots)) / 2
    y = (min(s.y for s in spots) + max(s.y for s in spots)) / 2
    return [Spot(s.x - x, s.y - y, s.turn_deg) for s in spots]


def _untidy(rng: np.random.Generator, spots: list[Spot], overlap: float) -> list[Spot]:
    """As a hand lays them: a little off, the whole turned a little, some cards upside down."""
    whole, reach = float(rng.normal(0, 8)), 0.03
    cos, sin = np.cos(np.radians(whole)), np.sin(np.radians(whole))
    found = []
    for spot in spots:
        x, y = spot.x + rng.normal(0, reach), spot.y + rng.normal(0, reach)
        upside = 180.0 * (not overlap and rng.random() < 0.12)
        turn = spot.turn_deg + whole + upside + float(rng.normal(0, 2.5))
        found.append(Spot(float(cos * x - sin * y), float(sin * x + cos * y), turn))
    return found


def _cover(spots: list[Spot], place: int, aspect: float) -> float:
    """Share of a card that those laid after it cover, at the most."""
    return sum(covered(spots[place], later, aspect) for later in spots[place + 1 :])


def corners_of(spots: list[Spot], camera: Camera) -> Matrix:
    """The middles of the cards in the picture, shape (n, 2)."""
    return project(camera.plane(0.0), np.array([[s.x, s.y] for s in spots]))
