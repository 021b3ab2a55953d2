"""Digits as they are printed: font, stretch, slant, turn, outline, shadow, underline.

A :class:`DigitStyle` is drawn once for a deck and stamps every digit of it; masks are kept, so
that the six colours of a value cost one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from datasets.workshop.curls import Curl, curled, draw_curl
from datasets.workshop.fonts import FontFile, draw_font, glyph
from datasets.workshop.layouts_brush import Canvas, Mask, Spot
from datasets.workshop.palette import Rgb, contrast, mix

_THIN = ("thin", "light", "hairline", "book")
_HEAVY = ("bold", "black", "heavy")

Layers = tuple[tuple[str, Mask, tuple[int, int]], ...]


@dataclass(slots=True)
class DigitStyle:
    """How one deck prints a digit; lengths are shares of the digit's height.

    Attributes:
        fill: tone of the face: card, white, black, dark or pale.
        outline: width and tone of the line round it, None without.
        second: width and tone of another line round that.
        shadow: kind (drop, block, soft), right and down shift, and tone; None without.
        hollow: only the outline is printed.
        underlined: a 6 (or 9) has a line beneath.
        embolden: how much heavier than the font, as a share of the font size.
        two_tone: where down the face its lower tone begins (0-1), and that tone; None without.
        wobble: how far strokes are bent away from the font's, as a share of the height, and a seed.
        curl: how the ends of its strokes curl; None: as the font has them.
    """

    font: FontFile
    stretch: float = 1.0
    shear: float = 0.0
    turn_deg: float = 0.0
    fill: str = "white"
    outline: tuple[float, str] | None = None
    second: tuple[float, str] | None = None
    shadow: tuple[str, float, float, str] | None = None
    hollow: bool = False
    underlined: bool = False
    embolden: float = 0.0
    two_tone: tuple[float, str] | None = None
    wobble: tuple[float, int] | None = None
    curl: Curl | None = None
    _kept: dict[tuple[str, int, int], Layers] = field(default_factory=dict)

    def plain(self, fill: str) -> DigitStyle:
        """The same print without outline, shadow and turn, for small digits."""
        return replace(
            self, fill=fill, outline=None, second=None, shadow=None, hollow=False,
            turn_deg=0.0, two_tone=None, _kept={},
        )  # fmt: skip

    def stamp(self, canvas: Canvas, text: str, centre: Spot, look: Look) -> None:
        """Print ``text`` in the middle of ``centre``, within a box, in the card's tones."""
        box = (round(look.box[0] * canvas.unit), round(look.box[1] * canvas.unit))
        key = (f"{text} {look.turn_deg:.1f}", *box)
        if key not in self._kept:
            self._kept[key] = self._layers(text, box, look)
        x, y = centre[0] * canvas.unit, centre[1] * canvas.unit
        for tone, mask, (dx, dy) in self._kept[key]:
            left = round(x - mask.shape[1] / 2 + dx)
            top = round(y - mask.shape[0] / 2 + dy)
            canvas.blend(mask, look.tones[tone], (left, top))

    def _layers(self, text: str, box: tuple[int, int], look: Look) -> Layers:
        turn = self.turn_deg + look.turn_deg
        face = self._face(text, look.measure or text, box, turn)
        height = float(face.shape[0] if abs(np.cos(np.deg2rad(turn))) > 0.5 else face.shape[1])
        pad = max(2, round(height * 0.22))
        face = np.asarray(
            cv2.copyMakeBorder(face, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=(0,)), np.uint8
        )
        body = np.asarray(face, np.uint8)
        lines: list[tuple[str, Mask, tuple[int, int]]] = []
        for line in (self.outline, self.second):
            if line is not None:
                body = _grown(body, line[0] * height)
                lines.insert(0, (line[1], body, (0, 0)))
        if self.hollow and lines:
            rim = np.asarray(cv2.subtract(lines[-1][1], face), np.uint8)
            lines[-1] = (lines[-1][0], rim, (0, 0))
        else:
            lines.append((self.fill, np.asarray(face, np.uint8), (0, 0)))
            if self.two_tone is not None:
                lower = np.array(face, np.uint8)
                lower[: pad + round((lower.shape[0] - 2 * pad) * self.two_tone[0])] = 0
                lines.append((self.two_tone[1], lower, (0, 0)))
        return (*self._shade(body, height), *lines)

    def _shade(self, body: Mask, height: float) -> Layers:
        if self.shadow is None:
            return ()
        kind, right, down, tone = self.shadow
        dx, dy = round(right * height), round(down * height)
        if kind == "block":
            return ((tone, _extruded(body, dx, dy), (0, 0)),)
        if kind == "soft":
            soft = cv2.GaussianBlur(body, (0, 0), max(1.0, height * 0.03))
            return ((tone, np.asarray(soft * 0.6, np.uint8), (dx, dy)),)
        return ((tone, body, (dx, dy)),)

    def _face(self, text: str, measure: str, box: tuple[int, int], turn: float) -> Mask:
        size = max(8, round(self._size(measure, box, turn)))
        mask = glyph(self.font.path, text, size)
        if self.curl is not None and len(text) == 1:
            mask = curled(mask, self.curl, ord(text))
        if self.wobble is not None:
            mask = _bent(mask, self.wobble[0], self.wobble[1] + sum(map(ord, text)))
        if self.underlined and text in {"6", "9"}:
            mask = _underlined(mask)
        if self.embolden:
            grow = max(1, round(self.embolden * size))
            wider = cv2.copyMakeBorder(
                mask, grow, grow, grow, grow, cv2.BORDER_CONSTANT, value=(0,)
            )
            mask = _grown(np.asarray(wider, np.uint8), float(grow))
        return _warped(mask, (self.stretch, self.shear), turn)

    def _size(self, measure: str, box: tuple[int, int], turn: float) -> float:
        """Font size at which every text of ``measure`` (split at spaces) fits the box."""
        fit = 1e9
        for text in measure.split():
            mask = glyph(self.font.path, text, 100)
            height, width = mask.shape if mask.size else (100, 60)
            if self.underlined and text in {"6", "9"}:
                height = round(height * 1.12)
            grow = 200 * self.embolden
            width = (width + grow) * self.stretch + abs(self.shear) * height
            height += grow
            c, s = abs(np.cos(np.deg2rad(turn))), abs(np.sin(np.deg2rad(turn)))
            wide, high = width * c + height * s, width * s + height * c
            fit = min(fit, 100 * box[0] / max(wide, 1), 100 * box[1] / max(high, 1))
        return float(fit)


@dataclass(frozen=True, slots=True)
class Look:
    """Where and in which tones a digit is stamped.

    Attributes:
        tones: the colours behind the names card, white, black, dark, pale, ground.
        box: width and height to stay within, in card widths.
        turn_deg: turn on top of the style's own.
        measure: texts, split at spaces, that must all fit at one size; empty for the text alone.
    """

    tones: dict[str, Rgb]
    box: Spot
    turn_deg: float = 0.0
    measure: str = ""


def _grown(mask: Mask, by_px: float) -> Mask:
    reach = max(1, round(by_px))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    return np.asarray(cv2.dilate(mask, kernel), np.uint8)


def _extruded(mask: Mask, dx: int, dy: int) -> Mask:
    reach = max(abs(dx), abs(dy), 1)
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    cv2.line(kernel, (reach, reach), (reach - dx, reach - dy), (1,), 1)
    return np.asarray(cv2.dilate(mask, cv2.flip(kernel, -1)), np.uint8)


def _bent(mask: Mask, far: float, seed: int) -> Mask:
    """The glyph with its strokes bent smoothly, as no typeface prints it: a family of its own."""
    height, width = mask.shape
    if not mask.size:
        return mask
    rng = np.random.default_rng(seed)
    knots = rng.normal(0.0, far * height, (2, 4, 3)).astype(np.float32)
    right, down = (
        cv2.resize(field, (width, height), interpolation=cv2.INTER_CUBIC) for field in knots
    )
    columns, rows = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height))
    reach = max(1, round(2 * far * height))
    padded = cv2.copyMakeBorder(mask, reach, reach, reach, reach, cv2.BORDER_CONSTANT, value=(0,))
    maps = (
        (columns + right + reach).astype(np.float32),
        (rows + down + reach).astype(np.float32),
    )
    return np.asarray(cv2.remap(padded, *maps, cv2.INTER_LINEAR), np.uint8)


def _underlined(mask: Mask) -> Mask:
    height, width = mask.shape
    bar = max(2, round(height * 0.07))
    gap = max(2, round(height * 0.06))
    out = np.zeros((height + gap + bar, width), np.uint8)
    out[:height] = mask
    out[height + gap :, round(width * 0.04) : round(width * 0.96)] = 255
    return out


def _warped(mask: Mask, stretch_shear: Spot, turn_deg: float) -> Mask:
    stretch, shear = stretch_shear
    if stretch == 1.0 and shear == 0.0 and turn_deg == 0.0:
        return mask
    angle = np.deg2rad(turn_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    matrix = turn @ np.array([[stretch, -shear], [0.0, 1.0]])
    height, width = mask.shape
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64) @ matrix.T
    low, high = corners.min(axis=0), corners.max(axis=0)
    size = (int(np.ceil(high[0] - low[0])) + 2, int(np.ceil(high[1] - low[1])) + 2)
    affine = np.hstack([matrix, (1 - low)[:, None]])
    return np.asarray(cv2.warpAffine(mask, affine, size, flags=cv2.INTER_LINEAR), np.uint8)


def tones_of(card: Rgb, white: Rgb, black: Rgb) -> dict[str, Rgb]:
    """The inks of one card, by name."""
    return {
        "card": card,
        "white": white,
        "black": black,
        "dark": mix(card, black, 0.55),
        "pale": mix(card, white, 0.75),
        "shade": mix(card, black, 0.22),
        "light": mix(card, white, 0.3),
    }


def draw_digit_style(rng: np.random.Generator, split: str) -> DigitStyle:
    """A digit style of the wide space, before its ground is known (see :func:`settle_tones`)."""
    turns = [0.0, 180.0, rng.uniform(-25, 25), rng.uniform(-40, 40), 90.0, 270.0]
    turns.append(180.0 + rng.uniform(-20, 20))
    turn = float(rng.choice(turns, p=[0.46, 0.1, 0.2, 0.06, 0.06, 0.05, 0.07]))
    shear = float(
        rng.choice([0.0, rng.uniform(0.08, 0.35), rng.uniform(-0.2, -0.05)], p=[0.55, 0.36, 0.09])
    )
    style = DigitStyle(
        font=draw_font(rng, split),
        stretch=float(
            rng.choice([1.0, rng.uniform(0.7, 1.0), rng.uniform(1.0, 1.35)], p=[0.5, 0.25, 0.25])
        ),
        shear=shear,
        turn_deg=turn,
        underlined=bool(rng.random() < 0.5),
        embolden=float(rng.uniform(0.005, 0.03)) if rng.random() < 0.4 else 0.0,
    )
    if any(word in style.font.style.lower() for word in _HEAVY):
        style.embolden = min(style.embolden, 0.008)  # more would close the digit's openings
    if any(word in style.font.style.lower() for word in _THIN) and rng.random() < 0.7:
        style.embolden = float(rng.uniform(0.012, 0.04))
    if rng.random() < 0.5:
        style.outline = (float(rng.choice([0.012, 0.025, 0.04, 0.06])), "black")
        if rng.random() < 0.25:
            style.second = (float(rng.uniform(0.015, 0.05)), "white")
    if rng.random() < 0.5:
        kind = str(rng.choice(["drop", "block", "soft"], p=[0.4, 0.45, 0.15]))
        angle, reach = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.02, 0.1))
        tone = str(rng.choice(["black", "dark", "shade"], p=[0.6, 0.25, 0.15]))
        style.shadow = (kind, float(np.cos(angle)) * reach, float(np.sin(angle)) * reach, tone)
    if split == "train" and rng.random() < 0.4:
        style.wobble = (float(rng.uniform(0.01, 0.035)), int(rng.integers(1 << 31)))
    if split == "train" and rng.random() < 0.15:
        style.curl = draw_curl(rng)
    return style


def settle_tones(
    style: DigitStyle, ground: str, cards: tuple[Rgb, ...], rng: np.random.Generator
) -> None:
    """Choose fill and outline tones that stand out from the ground on all six cards.

    Args:
        style: changed in place.
        ground: what lies behind the digit: card (coloured), white or black.
        cards: the six colours, to see whether a fill needs a line round it.
        rng: source of the choices.
    """
    white, black = (250, 250, 250), (15, 15, 15)
    fills = {
        "card": ["white", "white", "black", "pale"],
        "white": ["card", "card", "card", "black", "dark"],
        "black": ["white", "card", "pale"],
    }
    style.fill = str(rng.choice(fills[ground]))
    gaps = []
    for card in cards:
        tones = tones_of(card, white, black)
        gaps.append(contrast(tones[style.fill], tones[ground]))
    weak = min(gaps) < 28
    if style.outline is not None or weak:
        width = style.outline[0] if style.outline else float(rng.choice([0.025, 0.04, 0.06]))
        if weak:
            width = max(width, 0.025)
        tone = "black" if style.fill != "black" else "white"
        if style.fill == "card" and ground == "white" and rng.random() < 0.3:
            tone = "dark"
        if ground == "black" and style.fill != "black":
            tone = "white" if style.fill == "card" else "card"
        style.outline = (width, tone)
        style.second = style.second and (style.second[0], "white" if tone != "white" else "black")
    style.hollow = bool(
        style.outline is not None and rng.random() < 0.08 and _line_shows(style, ground, cards)
    )
    if style.hollow and style.outline:
        style.outline = (max(style.outline[0], 0.045), style.outline[1])
        style.shadow = style.second = None
    style.two_tone = _second_tone(style, rng)


def _second_tone(style: DigitStyle, rng: np.random.Generator) -> tuple[float, str] | None:
    """A lower tone near the fill, where the outline holds the digit together."""
    near = {"white": ["pale"], "card": ["shade", "light"], "pale": ["white", "light"]}
    if style.hollow or style.fill not in near or rng.random() > 0.12:
        return None
    return float(rng.uniform(0.35, 0.65)), str(rng.choice(near[style.fill]))


def _line_shows(style: DigitStyle, ground: str, cards: tuple[Rgb, ...]) -> bool:
    tone = style.outline[1] if style.outline else "black"
    looks = [tones_of(card, (250, 250, 250), (15, 15, 15)) for card in cards]
    return min(contrast(look[tone], look[ground]) for look in looks) > 30
