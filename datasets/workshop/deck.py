"""A deck of a game that never was: everything about it follows from a seed and a split."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from companion.errors import BadInput
from companion.rules.cards import (
    TARGETS,
    VALUES,
    BlueSeven,
    Card,
    Colour,
    NumberCard,
    TargetBack,
    Tweak,
    TweakBack,
    TweakCard,
)
from datasets.workshop.backs import Back, draw_seven, draw_target_back, draw_tweak_back
from datasets.workshop.fonts import draw_font
from datasets.workshop.layouts import LAYOUTS, draw_layout
from datasets.workshop.layouts_brush import Canvas, inset
from datasets.workshop.layouts_digit import (
    DigitStyle,
    Look,
    draw_digit_style,
    settle_tones,
    tones_of,
)
from datasets.workshop.layouts_ground import Ground, Tones
from datasets.workshop.layouts_trim import (
    Corners,
    Points,
    Scatter,
    Wear,
    Words,
    alpha_of,
    draw_scatter,
    draw_words,
    with_alpha,
)
from datasets.workshop.palette import Palette, Rgb, contrast, draw_palette
from datasets.workshop.tweaks import TweakFaces, draw_tweaks

WIDTH_PX = 270
SPLITS = ("train", "val", "test")

Rgba = npt.NDArray[np.uint8]


def _points(card: NumberCard) -> int:
    """Points of a card (rules P1-P3), as printed in its corner."""
    if card.value == 5:
        return 5 if card.colour is Colour.RED else 4
    return 3 if card.colour is Colour.RED else 1


@dataclass(slots=True)
class Deck:
    """One drawn deck. Cards are drawn when asked for, and kept.

    Attributes:
        aspect: height over width of every card.
        layout: name of the layout of the number cards.
    """

    seed: int
    split: str
    aspect: float
    layout: str
    palette: Palette
    ground: Ground
    digit: DigitStyle
    border: tuple[float, str, float]
    radius: float
    corners: Corners | None
    points: Points | None
    words: Words | None
    scatter: Scatter | None
    wear: Wear
    target_back: Back
    tweak_back: Back
    seven: Back
    tweaks: TweakFaces
    _kept: dict[tuple[Card, float], Rgba] = field(default_factory=dict, repr=False)
    _alpha: dict[tuple[int, int], Rgba] = field(default_factory=dict, repr=False)

    def face(self, card: Card, scale: float = 1.0) -> Rgba:
        """RGBA (h, w, 4) uint8 of a card, not premultiplied; about 270 px wide at scale 1.

        The array is kept and read-only.

        Raises:
            BadInput: a T! card without a kind.
        """
        key = (card, round(scale, 3))
        if key not in self._kept:
            self._kept[key] = self._draw(card, scale)
        return self._kept[key]

    def describe(self) -> dict[str, object]:
        """What was drawn, for slices of scores."""
        return {
            "seed": self.seed,
            "split": self.split,
            "layout": self.layout,
            "font": self.digit.font.family,
            "aspect": round(self.aspect, 3),
            "mood": self.palette.mood,
            "turn_deg": round(self.digit.turn_deg, 1),
            "shear": round(self.digit.shear, 2),
            "stretch": round(self.digit.stretch, 2),
            "fill": self.digit.fill,
            "behind": self.ground.behind,
            "outline": self.digit.outline is not None,
            "hollow": self.digit.hollow,
            "shadow": self.digit.shadow[0] if self.digit.shadow else "",
            "border": round(self.border[0], 3),
            "corners": self.corners.count if self.corners else 0,
            "points": self.points.badge if self.points else "",
            "words": self.words is not None,
            "back": self.target_back.ground,
        }

    def _draw(self, card: Card, scale: float) -> Rgba:
        width = max(40, round(WIDTH_PX * scale))
        height = round(width * self.aspect)
        canvas = Canvas(np.empty((height, width, 3), np.uint8), self.aspect)
        if isinstance(card, NumberCard):
            self._paint_number(canvas, card)
        elif isinstance(card, TweakCard):
            if card.kind is None:
                raise BadInput("a T! card to draw needs a kind: thief, joker, shifter or bomb")
            self.tweaks.paint(canvas, card.kind)
        elif isinstance(card, TargetBack):
            self.target_back.paint(canvas, str(card.target))
        elif isinstance(card, TweakBack):
            self.tweak_back.paint(canvas, "T!")
        else:
            self.seven.paint(canvas, "7")
        name = zlib.crc32(str(card).encode())
        self.wear.apply(canvas, np.random.default_rng([self.seed, SPLITS.index(self.split), name]))
        if (height, width) not in self._alpha:
            self._alpha[height, width] = alpha_of((height, width), self.radius)
        rgba = with_alpha(canvas.rgb, self._alpha[height, width])
        rgba.flags.writeable = False
        return rgba

    def _paint_number(self, canvas: Canvas, card: NumberCard) -> None:
        white, black = self.palette.white, self.palette.black
        tones = tones_of(self.palette.colours[card.colour], white, black)
        self._paint_ground(canvas, tones, card.value)
        if self.scatter:
            self.scatter.paint(canvas, str(card.value), tones)
        if self.words:
            self.words.paint(canvas, tones)
        for x, y, turn in self.ground.spots:
            measure = "1 2 3 4 5 6"
            look = Look(tones, self.ground.box, turn, measure)
            self.digit.stamp(canvas, str(card.value), (x, y), look)
        if self.corners:
            self.corners.paint(canvas, str(card.value), tones, self.points is not None)
        if self.points:
            self.points.paint(canvas, _points(card), tones)

    def _paint_ground(self, canvas: Canvas, tones: Tones, value: int) -> None:
        width, tone, radius = self.border
        if width <= 0:
            self.ground.paint(canvas, tones, value)
            return
        canvas.fill(tones[tone])
        panel = canvas.blank(tones["card"])
        self.ground.paint(panel, tones, value)
        canvas.copy_through(panel, canvas.mask_of(inset(self.aspect, width, radius)))


def draw_deck(seed: int, split: str) -> Deck:
    """Draw the deck of a seed in a split.

    Raises:
        BadInput: the split is not train, val or test, or the seed is negative.
    """
    if split not in SPLITS or seed < 0:
        raise BadInput(
            f"a deck has a seed from 0 on and a split of {SPLITS}, not {seed}, {split!r}"
        )
    rng = np.random.default_rng([seed, SPLITS.index(split)])
    aspect = float(rng.choice([rng.uniform(1.35, 1.6), rng.uniform(1.38, 1.56)]))
    palette = draw_palette(rng)
    layout = draw_layout(rng, split)
    ground = LAYOUTS[layout](rng, aspect)
    digit = draw_digit_style(rng, split)
    if layout == "two halves":
        digit.turn_deg = 0.0 if rng.random() < 0.7 else 180.0
    _settle(digit, ground, palette, rng)
    border = _draw_border(rng, ground)
    corners = _draw_corners(rng, split, digit, (ground, border[0], palette))
    points = _draw_points(rng, split, (ground, border[0], palette))
    fill = _small_fill(ground.corners, palette, rng)
    scattered = ground.behind != "split" and rng.random() < 0.07
    return Deck(
        seed=seed,
        split=split,
        aspect=aspect,
        layout=layout,
        palette=palette,
        ground=ground,
        digit=digit,
        border=border,
        radius=float(rng.uniform(0.0, 0.09)),
        corners=corners,
        points=points,
        words=draw_words(rng, split, fill) if rng.random() < 0.3 else None,
        scatter=draw_scatter(rng, digit, ground.behind) if scattered else None,
        wear=_draw_wear(rng),
        target_back=draw_target_back(rng, split, palette.white),
        tweak_back=draw_tweak_back(rng, split, palette.white),
        seven=draw_seven(rng, split, palette.colours[Colour.BLUE], palette.white),
        tweaks=draw_tweaks(rng, split),
    )


def _settle(digit: DigitStyle, ground: Ground, palette: Palette, rng: np.random.Generator) -> None:
    cards = tuple(palette.colours.values())
    if ground.behind == "split":
        digit.fill, digit.hollow = str(rng.choice(["white", "black"])), False
        line = "black" if digit.fill == "white" else "white"
        digit.outline, digit.second = (float(rng.uniform(0.02, 0.06)), line), None
        return
    settle_tones(digit, ground.behind, cards, rng)
    if ground.digit_fill:
        digit.fill, digit.hollow = ground.digit_fill, False
        yellow = palette.colours[Colour.YELLOW]
        if digit.outline is None and contrast(yellow, palette.white) < 22:
            digit.outline = (0.025, "dark")


def _draw_border(rng: np.random.Generator, ground: Ground) -> tuple[float, str, float]:
    low, high = ground.bordered
    if high <= 0 or (low == 0 and rng.random() < 0.35):
        return 0.0, "white", 0.0
    tone = str(rng.choice(["white", "black", "dark", "pale"], p=[0.72, 0.12, 0.08, 0.08]))
    return float(rng.uniform(max(low, 0.015), high)), tone, float(rng.uniform(0, 0.12))


def _small_fill(behind: str, palette: Palette, rng: np.random.Generator) -> str:
    """A tone for small print that stands out from all six cards' corners."""
    if behind == "white":
        return str(rng.choice(["black", "card", "dark"])) if _all_dark(palette) else "black"
    white: Rgb = palette.white
    gaps = {
        tone: min(contrast(ink, card) for card in palette.colours.values())
        for tone, ink in (("white", white), ("black", palette.black))
    }
    readable = [tone for tone, gap in gaps.items() if gap > 8] or ["black"]
    return str(rng.choice(readable))


def _all_dark(palette: Palette) -> bool:
    return min(contrast(ink, palette.white) for ink in palette.colours.values()) > 20


def _draw_corners(
    rng: np.random.Generator, split: str, digit: DigitStyle, about: tuple[Ground, float, Palette]
) -> Corners | None:
    ground, border, palette = about
    count = int(rng.choice([0, 1, 2, 4], p=[0.22, 0.13, 0.45, 0.2]))
    if count == 0 or (not ground.room and rng.random() < 0.6):
        return None
    style = digit.plain(_small_fill(ground.corners, palette, rng))
    if rng.random() < 0.35:
        style.font = draw_font(rng, split)
    if rng.random() < 0.3:
        style.outline = (0.06, "black" if style.fill != "black" else "white")
    height = float(rng.uniform(0.08, 0.17))
    keep = border + height * 0.5 + float(rng.uniform(0.02, 0.05))
    pips = int(rng.choice([0, 0, 0, 3, 4, 6]))
    return Corners(style, count, height, keep, bool(rng.random() < 0.85), pips)


def _draw_points(
    rng: np.random.Generator, split: str, about: tuple[Ground, float, Palette]
) -> Points | None:
    ground, border, palette = about
    if rng.random() < 0.4:
        return None
    badge = str(rng.choice(["", "", "disc", "ring", "star", "square", "dots"]))
    on_badge = badge in {"disc", "star", "square"}
    badge_tone = str(rng.choice(["white", "black"]))
    fill = _small_fill(ground.corners, palette, rng)
    if on_badge:
        fill = "black" if badge_tone == "white" else "white"
    height = float(rng.uniform(0.05, 0.1))
    keep = border + height * (1.2 if badge else 0.6) + float(rng.uniform(0.015, 0.04))
    style = DigitStyle(draw_font(rng, split), fill=fill)
    return Points(style, badge, height, keep, badge_tone)


def _draw_wear(rng: np.random.Generator) -> Wear:
    grain = float(rng.choice([0.0, rng.uniform(1, 4)]))
    scuffs = int(rng.choice([0, 0, 2, 5]))
    return Wear(grain, scuffs, float(rng.choice([0.0, 0.02, 0.035])))


def all_faces() -> tuple[Card, ...]:
    """Every face that a deck has, once each: 36 fronts, 4 backs, 4 T! cards, T! back, the 7."""
    fronts: list[Card] = [NumberCard(colour, value) for colour in Colour for value in VALUES]
    backs: list[Card] = [TargetBack(target) for target in TARGETS]
    return (*fronts, *backs, *(TweakCard(kind) for kind in Tweak), TweakBack(), BlueSeven())


def deck_sheet(deck: Deck, scale: float = 0.4) -> npt.NDArray[np.uint8]:
    """All faces of a deck on one sheet, as BGR, twelve in a row."""
    faces = [deck.face(card, scale) for card in all_faces()]
    height, width = faces[0].shape[:2]
    rows = -(-len(faces) // 12)
    sheet = np.full((rows * (height + 6), 12 * (width + 6), 3), 128, np.uint8)
    for number, face in enumerate(faces):
        top, left = number // 12 * (height + 6) + 3, number % 12 * (width + 6) + 3
        share = face[:, :, 3:].astype(np.uint16)
        part = sheet[top : top + height, left : left + width]
        part[:] = (face[:, :, 2::-1] * share + part * (255 - share)) // 255
    return sheet
