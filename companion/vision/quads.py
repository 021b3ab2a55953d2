"""Geometry of card quads: four corners in order round the card, in any one unit.

>>> square = ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0))
>>> area(square), contains(square, (1.0, 1.0)), short_side(square)
(4.0, True, 2.0)
>>> round(iou(square, ((1.0, 0.0), (3.0, 0.0), (3.0, 2.0), (1.0, 2.0))), 3)
0.333
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from statistics import median

from companion.vision.values import Point, Quad


def area(corners: Sequence[Point]) -> float:
    """Area of a polygon, whichever way round its corners go."""
    return abs(_signed_area(corners))


def _signed_area(corners: Sequence[Point]) -> float:
    pairs = zip(corners, (*corners[1:], corners[0]), strict=True) if corners else ()
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs) / 2.0


def centre(quad: Quad) -> Point:
    """The mean of the four corners."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    return ((ax + bx + cx + dx) / 4.0, (ay + by + cy + dy) / 4.0)


def distance(a: Point, b: Point) -> float:
    """How far two points are apart."""
    return hypot(a[0] - b[0], a[1] - b[1])


def short_side(quad: Quad) -> float:
    """The shorter of the two side lengths, each the mean of two opposite edges."""
    edges = [distance(quad[i], quad[(i + 1) % 4]) for i in range(4)]
    return min((edges[0] + edges[2]) / 2.0, (edges[1] + edges[3]) / 2.0)


def contains(quad: Quad, point: Point) -> bool:
    """Whether a point lies inside a convex quad or on its edge."""
    sides = [_side(quad[i], quad[(i + 1) % 4], point) for i in range(4)]
    return all(side >= 0 for side in sides) or all(side <= 0 for side in sides)


def _side(start: Point, end: Point, point: Point) -> float:
    along = (end[0] - start[0], end[1] - start[1])
    return along[0] * (point[1] - start[1]) - along[1] * (point[0] - start[0])


def iou(a: Quad, b: Quad) -> float:
    """Shared area of two convex quads over the area of both together, 0-1."""
    shared = overlap(a, b)
    both = area(a) + area(b) - shared
    return shared / both if both > 0 else 0.0


def overlap(a: Quad, b: Quad) -> float:
    """Shared area of two convex quads."""
    corners: list[Point] = list(a)
    clip = b if _signed_area(b) >= 0 else b[::-1]
    for i in range(4):
        corners = _clip(corners, clip[i], clip[(i + 1) % 4])
    return area(corners)


def _clip(corners: list[Point], start: Point, end: Point) -> list[Point]:
    """Keep the part of a polygon on the inner side of one edge (Sutherland and Hodgman)."""
    kept: list[Point] = []
    for here, then in zip(corners, corners[1:] + corners[:1], strict=True):
        d_here, d_then = _side(start, end, here), _side(start, end, then)
        if d_here >= 0:
            kept.append(here)
        if d_here * d_then < 0:
            t = d_here / (d_here - d_then)
            kept.append((here[0] + t * (then[0] - here[0]), here[1] + t * (then[1] - here[1])))
    return kept


def grown(quad: Quad, factor: float) -> Quad:
    """The quad scaled about its centre."""
    cx, cy = centre(quad)
    a, b, c, d = (((x - cx) * factor + cx, (y - cy) * factor + cy) for x, y in quad)
    return (a, b, c, d)


def aligned(quad: Quad, like: Quad) -> Quad:
    """The same quad with its corners named in the order that fits another one best."""
    if max(distance(p, q) for p, q in zip(quad, like, strict=True)) < 0.25 * short_side(like):
        return quad
    turns = [quad[i:] + quad[:i] for i in range(4)]
    turns += [turn[::-1] for turn in turns]

    def misfit(turn: Sequence[Point]) -> float:
        return sum(distance(p, q) for p, q in zip(turn, like, strict=True))

    a, b, c, d = min(turns, key=misfit)
    return (a, b, c, d)


def median_quad(quads: Sequence[Quad]) -> Quad:
    """Corner by corner the median of one card's quads; the last one names the corners."""
    turned = [aligned(quad, quads[-1]) for quad in quads]
    a, b, c, d = (
        (median(quad[i][0] for quad in turned), median(quad[i][1] for quad in turned))
        for i in range(4)
    )
    return (a, b, c, d)


def scaled(quad: Quad, x_factor: float, y_factor: float) -> Quad:
    """The quad with its x and y multiplied, as from fractions to pixels."""
    a, b, c, d = ((x * x_factor, y * y_factor) for x, y in quad)
    return (a, b, c, d)
