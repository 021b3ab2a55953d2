"""Brushes: shapes, patterns and masks on one card.

Positions and sizes are in card widths: x runs 0-1, y runs 0-aspect, whatever the pixels.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from datasets.workshop.palette import Rgb

Mask = npt.NDArray[np.uint8]
Pixels = npt.NDArray[np.uint8]
Spot = tuple[float, float]

_SHIFT = 4
_ONE = 1 << _SHIFT


@dataclass(slots=True)
class Canvas:
    """The face of one card while it is painted.

    Attributes:
        rgb: uint8 (height, width, 3), painted in place.
        aspect: height over width.
    """

    rgb: Pixels
    aspect: float

    @property
    def unit(self) -> float:
        """Pixels in one card width."""
        return float(self.rgb.shape[1])

    @property
    def middle(self) -> Spot:
        """The middle of the card."""
        return 0.5, self.aspect / 2

    def fill(self, colour: Rgb) -> None:
        """Paint the whole card."""
        height, width = self.rgb.shape[:2]
        cv2.rectangle(self.rgb, (0, 0), (width, height), colour, -1)

    def _fixed(self, points: npt.ArrayLike) -> npt.NDArray[np.int32]:
        pixels = np.asarray(points, np.float64) * self.unit - 0.5
        return np.rint(pixels * _ONE).astype(np.int32)

    def polygon(self, points: npt.ArrayLike, colour: Rgb, line: float = 0.0) -> None:
        """A filled polygon, or its outline of a width."""
        fixed = self._fixed(points)
        if line > 0:
            cv2.polylines(self.rgb, [fixed], True, colour, self._thick(line), cv2.LINE_AA, _SHIFT)
        else:
            cv2.fillPoly(self.rgb, [fixed], colour, cv2.LINE_AA, _SHIFT)

    def path(self, points: npt.ArrayLike, colour: Rgb, line: float) -> None:
        """An open line through points."""
        fixed = self._fixed(points)
        cv2.polylines(self.rgb, [fixed], False, colour, self._thick(line), cv2.LINE_AA, _SHIFT)

    def _thick(self, line: float) -> int:
        return max(1, round(line * self.unit))

    def disc(self, centre: Spot, radius: float, colour: Rgb, line: float = 0.0) -> None:
        """A disc, or a ring when a line width is given."""
        self.polygon(oval(centre, (radius, radius), 0.0), colour, line)

    def blend(self, mask: Mask, colour: Rgb, left_top: tuple[int, int] = (0, 0)) -> None:
        """Lay ``colour`` on where ``mask`` (h, w) is; what falls off the card is left out."""
        left, top = left_top
        height, width = self.rgb.shape[:2]
        x0, y0 = max(left, 0), max(top, 0)
        x1, y1 = min(left + mask.shape[1], width), min(top + mask.shape[0], height)
        if x1 <= x0 or y1 <= y0:
            return
        share = mask[y0 - top : y1 - top, x0 - left : x1 - left]
        lay = cv2.merge((share, share, share))
        ink = cv2.LUT(lay, _ramp(colour))
        part = self.rgb[y0:y1, x0:x1]
        rest = cv2.multiply(part, cv2.bitwise_not(lay), scale=1 / 255)
        part[:] = cv2.add(rest, ink)

    def copy_through(self, other: Canvas, mask: Mask) -> None:
        """Take over ``other`` where ``mask`` is."""
        lay = cv2.merge((mask, mask, mask))
        rest = cv2.multiply(self.rgb, cv2.bitwise_not(lay), scale=1 / 255)
        self.rgb[:] = cv2.add(rest, cv2.multiply(other.rgb, lay, scale=1 / 255))

    def mask_of(self, points: npt.ArrayLike) -> Mask:
        """Mask of a polygon, of the card's size."""
        mask = np.zeros(self.rgb.shape[:2], np.uint8)
        cv2.fillPoly(mask, [self._fixed(points)], (255,), cv2.LINE_AA, _SHIFT)
        return mask

    def blank(self, colour: Rgb) -> Canvas:
        """Another canvas of the same size, in one colour."""
        other = Canvas(np.empty_like(self.rgb), self.aspect)
        other.fill(colour)
        return other


def _ramp(colour: Rgb) -> Pixels:
    """Table (1, 256, 3) of how much of an ink each mask value lays on."""
    shares = np.arange(256)[None, :, None] * np.array(colour) / 255
    return np.asarray(np.rint(shares), np.uint8)


def rectangle(left_top: Spot, right_bottom: Spot, radius: float = 0.0) -> npt.NDArray[np.float64]:
    """Corner points of a rectangle, rounded where a radius is given."""
    (x0, y0), (x1, y1) = left_top, right_bottom
    if radius <= 0.002:
        return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    radius = min(radius, (x1 - x0) / 2, (y1 - y0) / 2)
    turns = np.linspace(0, np.pi / 2, 9)
    arc = np.stack([np.cos(turns), np.sin(turns)], axis=1) * radius
    parts = [
        arc * (1, 1) + (x1 - radius, y1 - radius),
        arc[::-1] * (-1, 1) + (x0 + radius, y1 - radius),
        arc * (-1, -1) + (x0 + radius, y0 + radius),
        arc[::-1] * (1, -1) + (x1 - radius, y0 + radius),
    ]
    return np.concatenate(parts)


def inset(aspect: float, by: float, radius: float = 0.0) -> npt.NDArray[np.float64]:
    """A rectangle that keeps ``by`` from every edge of the card."""
    return rectangle((by, by), (1 - by, aspect - by), radius)


def oval(centre: Spot, radii: Spot, turn_deg: float) -> npt.NDArray[np.float64]:
    """Points of an ellipse turned by an angle."""
    angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    points = np.stack([np.cos(angles) * radii[0], np.sin(angles) * radii[1]], axis=1)
    return np.asarray(turned(points, turn_deg) + np.array(centre), np.float64)


def star(centre: Spot, radii: Spot, points: int, turn_deg: float) -> npt.NDArray[np.float64]:
    """A star of outer and inner radius; equal radii make a polygon of twice the corners."""
    angles = np.arange(points * 2) * np.pi / points - np.pi / 2
    reach = np.where(np.arange(points * 2) % 2 == 0, radii[0], radii[1])[:, None]
    corners = np.stack([np.cos(angles), np.sin(angles)], axis=1) * reach
    return np.asarray(turned(corners, turn_deg) + np.array(centre), np.float64)


def regular(centre: Spot, radius: float, sides: int, turn_deg: float) -> npt.NDArray[np.float64]:
    """A regular polygon."""
    angles = np.arange(sides) * 2 * np.pi / sides - np.pi / 2
    corners = np.stack([np.cos(angles), np.sin(angles)], axis=1) * radius
    return np.asarray(turned(corners, turn_deg) + np.array(centre), np.float64)


def turned(points: npt.NDArray[np.float64], turn_deg: float) -> npt.NDArray[np.float64]:
    """Points turned clockwise about the origin (y runs down)."""
    angle = np.deg2rad(turn_deg)
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(points @ np.array([[c, s], [-s, c]]), np.float64)


PATTERNS = ("dots", "rays", "waves", "hatch", "checks", "confetti", "rings", "stripes")


def paint_pattern(canvas: Canvas, kind: str, ink: Rgb, rng: np.random.Generator) -> None:
    """Cover the canvas with one of :data:`PATTERNS`."""
    painter = _PAINTERS[kind]
    painter(canvas, ink, rng)


def _dots(canvas: Canvas, ink: Rgb, rng: np.random.Generator) -> None:
    step = float(rng.uniform(0.07, 0.17))
    radius = step * float(rng.uniform(0.15, 0.38))
    for row, y in enumerate(np.arange(0, canvas.aspect + step, step * 0.87)):
        for x in np.arange((row % 2) * step / 2, 1 + step, step):
            canvas.disc((float(x), float(y)), radius, ink)


def _rays(canvas: Canvas, ink: Rgb, rng: np.random.Generator) -> None:
    count = int(rng.integers(8, 40))
    start = float(rng.uniform(0, 2 * np.pi))
    middle = np.array(canvas.middle)
    for ray in range(count):
        a = start + 2 * np.pi * ray / count
        b = a + np.pi / count
        ends = [(np.cos(a) * 2, np.sin(a) * 2), (np.cos(b) * 2, np.sin(b) * 2)]
        canvas.polygon(np.array([(0.0, 0.0), *ends]) + middle, ink)


def _waves(canvas: Canvas, ink: Rgb, rng: np.random.Generator) -> None:
    step = float(rng.uniform(0.06, 0.16))
    swing, length = step * float(rng.uniform(0.2, 0.6)), float(rng.uniform(0.1, 0.4))
    x = np.linspace(-0.05, 1.05, 40)
    for y in np.arange(-step, canvas.aspect + step, step):
        wave = y + swing * np.sin(x / length * 2 * np.pi)
        canvas.path(np.stack([x, wave], axis=1), ink, step * 0.3)


def _lines(canvas: Canvas, ink: Rgb, turn_deg: float, step_line: Spot) -> None:
    step, line = step_line
    middle = np.array(canvas.middle)
    for offset in np.arange(-1.2, 1.2, step):
        ends = turned(np.array([(-1.5, offset), (1.5, offset)]), turn_deg) + middle
        canvas.path(ends, ink, line)


def _hatch(canvas: Canvas, ink: Rgb, rng: np.random.Generator) -> None:
    step = float(rng.uniform(0.025, 0.08))
    angle = float(rng.uniform(0, 180))
    _lines(canvas, ink, angle, (step, step * 0.25))
    if rng.random() < 0.5:
        _lines(canvas, ink, angle + 90, (step, step * 0.25))


def _stripes(canvas: Canvas, ink: Rgb, rng: np.random.Generator) -> None:
    step = float(rng.uniform(0.1, 0.3))
    _lines(canvas, ink, float(rng.uniform(0, 180)), (step, step * 0.5))


def _checks(canvas: Canvas, ink: Rgb, rng: np.random.Generator) -> None:
    step = float(rng.uniform(0.07, 0.2))
    for row, y in enumerate(np.arange(0, canvas.aspect, step)):
        for x in np.arange((row % 2) * step, 1, 2 * step):
            canvas.polygon(rectangle((x, y), (x + step, y + step)), ink)


def _confetti(canvas: Canvas, ink: Rgb, rng: np.random.Generator) -> None:
    sides = int(rng.integers(3, 7))
    for _ in range(int(rng.integers(10, 50))):
        spot = (float(rng.random()), float(rng.random() * canvas.aspect))
        size, angle = float(rng.uniform(0.015, 0.07)), float(rng.uniform(0, 360))
        canvas.polygon(regular(spot, size, sides, angle), ink)


def _rings(canvas: Canvas, ink: Rgb, rng: np.random.Generator) -> None:
    step = float(rng.uniform(0.05, 0.14))
    for radius in np.arange(step, 1.0, step):
        canvas.disc(canvas.middle, float(radius), ink, step * 0.3)


_PAINTERS = {
    "dots": _dots,
    "rays": _rays,
    "waves": _waves,
    "hatch": _hatch,
    "checks": _checks,
    "confetti": _confetti,
    "rings": _rings,
    "stripes": _stripes,
}
