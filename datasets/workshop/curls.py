"""Digits with balls and curls at the ends of their strokes, as fairground and script faces have.

A 2 whose ends curl up to balls looks like a 9 that stands on its head. Few typefaces print such
digits, so the workshop adds the curls to any: the glyph is thinned to its middle line (Zhang & Suen
1984), and what it has loose ends of is drawn on.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from datasets.workshop.layouts_brush import Mask

Points = npt.NDArray[np.float64]

_THINNED_PX = 56
"""Height at which a glyph is thinned."""

_STEPS = 24
_INK = 128
_MAY_TOUCH = 0.06
"""Share of a curl that may lie on another stroke."""

_NEIGHBOURS = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))


@dataclass(frozen=True, slots=True)
class Curl:
    """How one deck curls the ends of its digits.

    Attributes:
        turn_deg: how far an end curls round; 0 for a ball alone.
        reach: radius that a curl begins with, as a share of the digit's height.
        ball: radius of the ball at its end, in half strokes; 0 for none.
        seed: what else follows from.
    """

    turn_deg: float
    reach: float
    ball: float
    seed: int


@dataclass(frozen=True, slots=True)
class End:
    """A loose end of a stroke, in pixels of the glyph.

    Attributes:
        point: where the middle line ends.
        heading: unit vector that it ends in.
        bend: sign of the way that the stroke turns there, 0 where it is straight.
        half_px: half the width of the stroke.
    """

    point: Points
    heading: Points
    bend: int
    half_px: float


def draw_curl(rng: np.random.Generator) -> Curl:
    """Any curl: balls alone in one deck of three."""
    turn = 0.0 if rng.random() < 0.35 else float(rng.uniform(80, 330))
    ball = float(rng.uniform(1.1, 2.1)) if turn == 0 or rng.random() < 0.7 else 0.0
    return Curl(turn, float(rng.uniform(0.07, 0.17)), ball, int(rng.integers(1 << 31)))


def curled(mask: Mask, curl: Curl, seed: int) -> Mask:
    """The glyph with its loose ends curled, cut to its ink.

    Args:
        mask: of the glyph, shape (h, w), cut to its ink.
        curl: how.
        seed: of this glyph; which of its ends are left as they are follows from it.
    """
    if min(mask.shape, default=0) < 4:
        return mask
    rng = np.random.default_rng([curl.seed, seed])
    pad = round(0.5 * mask.shape[0])
    sheet = np.asarray(
        cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=(0,)), np.uint8
    )
    ink = sheet.copy()
    for end in ends_of(mask):
        bend = end.bend or int(rng.choice([-1, 1]))
        alone = np.zeros_like(sheet)
        _draw(alone, end, bend, curl, mask.shape[0], pad)
        if rng.random() < 0.8 and not _closes(ink, alone, end, pad):
            np.maximum(sheet, alone, out=sheet)
    rows, columns = (np.flatnonzero(sheet.max(axis=axis) > 40) for axis in (1, 0))
    return np.ascontiguousarray(sheet[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _closes(ink: Mask, alone: Mask, end: End, pad: int) -> bool:
    """Whether a curl runs into another stroke, which would make an 8 of a 3."""
    elsewhere = ink.copy()
    middle = (round(float(end.point[0])) + pad, round(float(end.point[1])) + pad)
    cv2.circle(elsewhere, middle, max(2, round(2.4 * end.half_px)), (0,), -1)
    both = int(((elsewhere > _INK) & (alone > _INK)).sum())
    return both > _MAY_TOUCH * int((alone > _INK).sum())


def _draw(sheet: Mask, end: End, bend: int, curl: Curl, height: int, pad: int) -> None:
    """Draw one curl, ever narrower and ever tighter, and its ball."""
    point, angle = end.point + pad, float(np.arctan2(end.heading[1], end.heading[0]))
    for step in range(_STEPS if curl.turn_deg else 0):
        done = step / _STEPS
        turn = np.deg2rad(curl.turn_deg) / _STEPS
        angle += bend * turn
        on = point + np.array([np.cos(angle), np.sin(angle)]) * (
            curl.reach * height * (1 - 0.5 * done) * turn
        )
        thick = max(1, round(2 * end.half_px * (1 - 0.45 * done)))
        _line(sheet, point, on, thick)
        point = on
    if curl.ball:
        radius = max(1, round(curl.ball * end.half_px * (1.0 if not curl.turn_deg else 0.8)))
        cv2.circle(sheet, (round(point[0]), round(point[1])), radius, (255,), -1, cv2.LINE_AA)


def _line(sheet: Mask, start: Points, stop: Points, thick: int) -> None:
    first, second = ((round(float(p[0])), round(float(p[1]))) for p in (start, stop))
    cv2.line(sheet, first, second, (255,), thick, cv2.LINE_AA)


def ends_of(mask: Mask) -> tuple[End, ...]:
    """The loose ends of a glyph's strokes, the corners of its serifs left out."""
    scale = _THINNED_PX / mask.shape[0]
    size = (max(4, round(mask.shape[1] * scale)), _THINNED_PX)
    small = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
    ink = np.pad(np.asarray(cv2.GaussianBlur(small, (0, 0), 0.8)) > _INK, 2)
    halves = cv2.distanceTransform(ink.astype(np.uint8), cv2.DIST_L2, 3)
    line = thinned(ink)
    found = []
    for row, column in np.argwhere(line & (_neighbours(line).sum(axis=0) == 1)):
        path = _path(line, (int(row), int(column)))
        half = float(max(halves[at] for at in path[:4]))
        if len(path) > 1.6 * half + 1:
            found.append(_end(path, half, scale))
    return tuple(found)


def _end(path: list[tuple[int, int]], half: float, scale: float) -> End:
    """The end at the beginning of a path (row, column) along the middle line."""
    points = np.array([(column - 2, row - 2) for row, column in path], np.float64)
    back = min(len(points) - 1, max(5, round(1.5 * half)))
    before = min(len(points) - 1, 2 * back)
    heading = points[0] - points[back]
    earlier = points[back] - points[before]
    cross = float(earlier[0] * heading[1] - earlier[1] * heading[0])
    sizes = float(np.linalg.norm(earlier) * np.linalg.norm(heading)) or 1.0
    bend = 0 if abs(cross) < 0.08 * sizes else int(np.sign(cross))
    return End(points[0] / scale, heading / np.linalg.norm(heading), bend, half / scale)


def _path(line: npt.NDArray[np.bool_], start: tuple[int, int]) -> list[tuple[int, int]]:
    """The middle line from an end to where it forks, at most a third of the glyph's height."""
    path, seen = [start], {start}
    while len(path) < _THINNED_PX // 3:
        row, column = path[-1]
        onward = [(row + down, column + right) for down, right in _NEIGHBOURS]
        onward = [at for at in onward if line[at] and at not in seen]
        if not onward or (len(onward) > 2 and len(path) > 1):
            break
        path.append(onward[0])
        seen.update(onward)
    return path


def thinned(ink: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The middle line of what is inked, one pixel wide (Zhang & Suen 1984); its rim is bare."""
    line = ink.copy()
    while True:
        before = int(line.sum())
        for first in (True, False):
            around = _neighbours(line)
            count = around.sum(axis=0)
            rises = (~around & np.roll(around, -1, axis=0)).sum(axis=0)
            up, right, down, left = around[0], around[2], around[4], around[6]
            kept = (up & right & down) | (right & down & left)
            if not first:
                kept = (up & right & left) | (up & down & left)
            line &= ~((count >= 2) & (count <= 6) & (rises == 1) & ~kept)
        if int(line.sum()) == before:
            return line


def _neighbours(line: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The eight neighbours of each pixel, clockwise from above: shape (8, h, w)."""
    return np.stack([np.roll(line, (-down, -right), axis=(0, 1)) for down, right in _NEIGHBOURS])
