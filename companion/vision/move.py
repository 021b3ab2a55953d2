"""How the camera's picture moved: plain numbers, so that rooms without pixels can use it.

>>> STAYED.moves((0.25, 0.5))
(0.25, 0.5)
>>> Move((1.0, 0.0, 0.1, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)).stayed
False
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TypeAlias

from companion.errors import BadInput

Point: TypeAlias = tuple[float, float]
Quad: TypeAlias = tuple[Point, Point, Point, Point]

STAYED_WITHIN = 0.004
"""A picture that moved less than this share of its sides counts as not moved."""


@dataclass(frozen=True, slots=True)
class Move:
    """How the camera's picture moved, as a homography on fractions (0-1) of width and height.

    Attributes:
        matrix: nine numbers, row by row, the last one 1.

    Raises:
        BadInput: not nine finite numbers.
    """

    matrix: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.matrix) != 9 or not all(isfinite(number) for number in self.matrix):
            raise BadInput(f"a move is nine finite numbers, not {len(self.matrix)}")

    def moves(self, point: Point) -> Point:
        """Where a point of the old picture lies now; both in fractions."""
        a, b, c, d, e, f, g, h, i = self.matrix
        x, y = point
        below = g * x + h * y + i
        return ((a * x + b * y + c) / below, (d * x + e * y + f) / below)

    def moves_quad(self, quad: Quad, width: float = 1.0, height: float = 1.0) -> Quad:
        """Where four corners lie now, in fractions or in pixels of a picture of this size."""
        a, b, c, d = (self.moves((x / width, y / height)) for x, y in quad)
        return (
            (a[0] * width, a[1] * height),
            (b[0] * width, b[1] * height),
            (c[0] * width, c[1] * height),
            (d[0] * width, d[1] * height),
        )

    @property
    def farthest(self) -> float:
        """How far the picture's corner that moved most has moved, in fractions."""
        corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
        ends = [self.moves(corner) for corner in corners]
        return max(
            max(abs(x - u), abs(y - v)) for (x, y), (u, v) in zip(corners, ends, strict=True)
        )

    @property
    def stayed(self) -> bool:
        """Whether it is too little to matter."""
        return self.farthest <= STAYED_WITHIN


STAYED = Move((1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
