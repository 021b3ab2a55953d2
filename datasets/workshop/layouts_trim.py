"""What is printed besides the large digit: corner digits, points, words, wear."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from datasets.workshop.fonts import draw_font
from datasets.workshop.layouts_brush import Canvas, regular, star
from datasets.workshop.layouts_digit import DigitStyle, Look
from datasets.workshop.layouts_ground import Tones

WORDS = (
    "TWEAK!", "Tweak!", "TWIK!", "ZAP!", "SUMS", "PLUS", "COUNT", "MIX", "FLIP", "QUICK", "CARD",
    "GAME", "MATH", "ADD UP", "HOP", "KLIK", "POP!", "FAST", "NUMERO", "ZAHL", "EDITION", "PLAY",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Corners:
    """The small digits: in which corners, how large, how turned."""

    style: DigitStyle
    count: int
    height: float
    inset: float
    turned: bool
    pips: int

    def paint(self, canvas: Canvas, text: str, tones: Tones, taken: bool) -> None:
        """Print them; with ``taken`` the top right corner is left to the points."""
        far_x, far_y = 1 - self.inset, canvas.aspect - self.inset * 1.12
        spots = [(self.inset, self.inset * 1.12, 0.0), (far_x, far_y, 180.0)]
        spots += [(far_x, self.inset * 1.12, 0.0), (self.inset, far_y, 180.0)]
        for x, y, turn in spots[: self.count]:
            if taken and x == far_x and y != far_y:
                continue
            width = self.height * (0.85 if len(text) == 1 else 1.35)
            look = Look(tones, (width, self.height), turn if self.turned else 0.0)
            self.style.stamp(canvas, text, (x, y), look)
            if self.pips:
                down = self.height * 0.95 * (-1 if turn else 1)
                spot = (x, y + down)
                canvas.polygon(
                    regular(spot, self.height * 0.26, self.pips, turn), tones[self.style.fill]
                )


@dataclass(frozen=True, slots=True)
class Points:
    """The points in the top right corner (rule C2): a small number, bare or on a badge."""

    style: DigitStyle
    badge: str
    height: float
    inset: float
    badge_tone: str

    def paint(self, canvas: Canvas, points: int, tones: Tones) -> None:
        """Print the points of a card."""
        spot = (1 - self.inset, self.inset)
        reach = self.height * 0.95
        ink = tones[self.badge_tone]
        if self.badge == "disc":
            canvas.disc(spot, reach, ink)
        elif self.badge == "ring":
            canvas.disc(spot, reach, tones[self.style.fill], 0.01)
        elif self.badge == "star":
            canvas.polygon(star(spot, (reach * 1.35, reach * 0.8), 5, 0.0), ink)
        elif self.badge == "square":
            canvas.polygon(regular(spot, reach * 1.3, 4, 45.0), ink)
        if self.badge == "dots":
            for number in range(points):
                canvas.disc(
                    (spot[0] + 0.02, spot[1] + number * 0.035), 0.012, tones[self.style.fill]
                )
            return
        look = Look(tones, (self.height * 0.9, self.height * 0.8))
        self.style.stamp(canvas, str(points), spot, look)


@dataclass(frozen=True, slots=True)
class Scatter:
    """Small pale copies of the digit over the ground."""

    style: DigitStyle
    spots: tuple[tuple[float, float, float], ...]
    height: float

    def paint(self, canvas: Canvas, text: str, tones: Tones) -> None:
        """Print the copies."""
        for x, y, turn in self.spots:
            look = Look(tones, (self.height, self.height), turn)
            self.style.stamp(canvas, text, (x, y * canvas.aspect), look)


@dataclass(frozen=True, slots=True)
class Words:
    """A word somewhere on the card, as a logo or a line of small print."""

    style: DigitStyle
    text: str
    spot: tuple[float, float]
    box: tuple[float, float]
    turn_deg: float

    def paint(self, canvas: Canvas, tones: Tones) -> None:
        """Print the word."""
        look = Look(tones, self.box, self.turn_deg)
        self.style.stamp(canvas, self.text, (self.spot[0], self.spot[1] * canvas.aspect), look)


@dataclass(frozen=True, slots=True)
class Wear:
    """The paper, the print run and what play has done to them.

    Attributes:
        grain: standard deviation of the paper's grain, in levels of 255.
        scuffs: most scratches on a card.
        unevenness: spread of the ink from card to card, as a share.
    """

    grain: float
    scuffs: int
    unevenness: float = 0.0

    def apply(self, canvas: Canvas, rng: np.random.Generator) -> None:
        """Grain and light scuffs."""
        height, width = canvas.rgb.shape[:2]
        if self.unevenness > 0:
            gains = 1 + rng.normal(0, self.unevenness, 3) * 0.4 + rng.normal(0, self.unevenness)
            levels = np.clip(np.arange(256)[None, :, None] * gains, 0, 255)
            canvas.rgb[:] = cv2.LUT(canvas.rgb, levels.astype(np.uint8))
        if self.grain > 0:
            coarse = rng.normal(0, self.grain, (height // 2 + 1, width // 2 + 1)).astype(np.float32)
            grain = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)
            grain = np.rint(grain).astype(np.int16)
            canvas.rgb[:] = cv2.add(canvas.rgb, cv2.merge((grain, grain, grain)), dtype=cv2.CV_8U)
        for _ in range(int(rng.integers(0, self.scuffs + 1))):
            start = rng.random(2) * (1, canvas.aspect)
            ends = np.stack([start, start + rng.normal(0, 0.12, 2)])
            layer = np.zeros((height, width), np.uint8)
            line = np.rint(ends * canvas.unit).astype(np.int32)
            cv2.polylines(layer, [line], False, (int(rng.integers(25, 80)),), 1, cv2.LINE_AA)
            canvas.blend(layer, (235, 235, 235) if rng.random() < 0.7 else (40, 40, 40))


def alpha_of(shape: tuple[int, int], radius: float) -> npt.NDArray[np.uint8]:
    """Mask (h, w) of a card with rounded corners; ``radius`` in card widths."""
    height, width = shape
    four = np.zeros((height * 4, width * 4), np.uint8)
    reach = round(radius * width * 4)
    cv2.rectangle(four, (reach, 0), (width * 4 - reach, height * 4), (255,), -1)
    cv2.rectangle(four, (0, reach), (width * 4, height * 4 - reach), (255,), -1)
    for x in (reach, width * 4 - 1 - reach):
        for y in (reach, height * 4 - 1 - reach):
            cv2.circle(four, (x, y), reach, (255,), -1)
    return np.asarray(cv2.resize(four, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def with_alpha(rgb: npt.NDArray[np.uint8], alpha: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """RGBA (h, w, 4) of colours and a mask."""
    return np.asarray(cv2.merge((*cv2.split(rgb), alpha)), np.uint8)


def draw_scatter(rng: np.random.Generator, digit: DigitStyle, behind: str) -> Scatter:
    """Copies in a tone near the ground's, in every direction."""
    tone = "pale" if behind == "white" else str(rng.choice(["shade", "light"]))
    turns = [0.0, 90.0, 180.0, 270.0, float(rng.uniform(0, 360))]
    angles = rng.choice(turns, int(rng.integers(6, 14)))
    places = rng.uniform(0.05, 0.95, (len(angles), 2))
    spots = tuple((float(x), float(y), float(t)) for (x, y), t in zip(places, angles, strict=True))
    return Scatter(digit.plain(tone), spots, float(rng.uniform(0.08, 0.18)))


def draw_words(rng: np.random.Generator, split: str, fill: str) -> Words:
    """A word at the top or foot, sometimes upright along an edge."""
    font = draw_font(rng, split)
    style = DigitStyle(font, fill=fill, shear=float(rng.choice([0.0, 0.2])))
    top = bool(rng.random() < 0.5)
    edge = bool(rng.random() < 0.2)
    spot = (0.94, 0.5) if edge else (0.5, 0.07 if top else 0.93)
    box = (float(rng.uniform(0.15, 0.4)), float(rng.uniform(0.025, 0.07)))
    box = (box[1], box[0]) if edge else box
    return Words(style, str(rng.choice(WORDS)), spot, box, 90.0 if edge else 0.0)
