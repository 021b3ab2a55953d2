"""Where things lie on the table of a round clip, where its players sit, and a camera over it.

Places are in card widths from the table's middle, as in the demo: cards to play with in the
middle, the deck and the T! stack beyond them on one side, each player's won cards before them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

import numpy as np

from .clip_beats import GRIP
from .clip_plan import DECK, DECK_BOX, SLOTS, STACK, TABLE_BOX
from .lens import Camera, Matrix, Pose, project
from .rounds_recipe import ClipDraw, RoundsRecipe

Box = tuple[float, float, float, float]

VIEW = (-7.15, -4.1, 7.15, 4.1)
"""What the camera must show."""

_ROWS = {1: (-3.2,), 2: (-5.9, 0.9), 3: (-6.2, -1.8, 2.6)}
_TWEAKS_MOST = 3
_CARRIED = 1.1


@dataclass(frozen=True, slots=True)
class Home:
    """A player's place.

    Attributes:
        x, y: where the won cards lie.
        way: from the table to the player, a unit vector.
        turn_deg: how the player's cards lie: 0 for a player at the bottom.
        away: how far out a hand is out of sight.
    """

    x: float
    y: float
    way: tuple[float, float]
    turn_deg: float
    away: float

    def tweak(self, number: int) -> tuple[float, float]:
        """Where the T! card won as this one lies, from 0."""
        step = min(number, _TWEAKS_MOST - 1) + 0.3 * max(0, number - _TWEAKS_MOST + 1)
        return self.x + 1.3 + 1.1 * step, self.y


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Everything's place in one clip; ``mirror`` is -1 where the deck lies on the left."""

    camera: Camera
    homes: tuple[Home, ...]
    mirror: float

    @property
    def deck(self) -> tuple[float, float]:
        """Where the central deck lies."""
        return self.mirror * DECK[0], DECK[1]

    @property
    def stack(self) -> tuple[float, float]:
        """Where the T! cards lie."""
        return self.mirror * STACK[0], STACK[1]

    @property
    def slots(self) -> tuple[tuple[float, float], ...]:
        """Places of the cards to play with."""
        return tuple((self.mirror * x, y) for x, y in SLOTS)

    def zones(self) -> dict[str, list[list[float]]]:
        """Deck and table in fractions of the picture."""
        return {"deck": self._zone(DECK_BOX), "table": self._zone(TABLE_BOX)}

    def _zone(self, box: Box) -> list[list[float]]:
        corners = _corners(box) * (self.mirror, 1.0)
        size = (self.camera.width_px, self.camera.height_px)
        shares = np.clip(project(self.camera.plane(0.0), corners) / size, 0, 1)
        return [[round(float(x), 4), round(float(y), 4)] for x, y in shares]


def places_for(recipe: RoundsRecipe, draw: ClipDraw) -> Places:
    """Seat the players, clockwise from the bottom right, and put a camera over the table."""
    rng = draw.rng(1)
    camera = _camera(recipe, draw)
    mirror = float(rng.choice((1.0, -1.0)))
    below = -(-draw.players // 2)
    homes = [_home(camera, x, 1.0, rng) for x in reversed(_ROWS[below])]
    homes += [_home(camera, x, -1.0, rng) for x in _ROWS[draw.players - below]]
    return Places(camera, tuple(homes), mirror)


def _home(camera: Camera, x: float, side: float, rng: np.random.Generator) -> Home:
    slant = 0.07 * (x + 1.5) + float(rng.normal(0, 0.08))
    if abs(x + 1.5) > 4 and rng.random() < 0.4:
        slant *= 4.0
    length = hypot(slant, 1.0)
    way = (slant / length, side / length)
    return Home(x, side * 3.2, way, 0.0 if side > 0 else 180.0, _away(camera, way))


def _away(camera: Camera, way: tuple[float, float]) -> float:
    """How far out fingertips must be for hand and cards to be out of the picture everywhere."""
    reach, size = 4.0, np.array([camera.width_px, camera.height_px])
    while reach < 30:
        middle = (reach - GRIP - _CARRIED) * np.array(way)
        beside = np.array([-way[1], way[0]])
        line = np.array([middle + share * beside for share in np.linspace(-5, 5, 11)])
        px = project(camera.plane(0.25), line)
        if not ((px > 0) & (px < size)).all(1).any():
            return reach
        reach += 0.25
    return reach


def _camera(recipe: RoundsRecipe, draw: ClipDraw) -> Camera:
    """The nearest camera of this draw that shows the whole table."""
    size = np.array([recipe.width_px, recipe.height_px])
    card_px = recipe.width_px / 10.0
    while True:
        pose = Pose(card_px, draw.tilt_deg, draw.roll_deg, draw.zoom)
        camera = Camera.over(recipe.width_px, recipe.height_px, pose)
        px = project(camera.plane(0.0), _corners(VIEW))
        if ((px >= 0) & (px <= size)).all():
            return camera
        card_px *= 0.98


def _corners(box: Box) -> Matrix:
    x0, y0, x1, y1 = box
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def bumped(camera: Camera, rng: np.random.Generator) -> Camera:
    """The camera after somebody ran into its stand: a bit aside, turned, nearer or farther."""
    turn = np.radians(float(rng.choice((-1, 1)) * rng.uniform(0.6, 2.5)))
    scale = float(rng.uniform(0.98, 1.02))
    dx, dy = rng.choice((-1, 1), 2) * rng.uniform(0.008, 0.03, 2) * camera.width_px
    middle = np.array([camera.width_px, camera.height_px]) / 2
    cos, sin = scale * np.cos(turn), scale * np.sin(turn)
    there = np.array([[1, 0, middle[0] + dx], [0, 1, middle[1] + dy], [0, 0, 1.0]])
    back = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1.0]])
    spun = there @ np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]]) @ back
    return Camera(spun @ camera.matrix, camera.width_px, camera.height_px)
