"""Cards that are none of ours: other games' numbers, actions, courts, pictures, notes, backs.

They teach the reader to say "none of these". Kept out, because they could not be told from our
own: a blue 7, a 9 without a line beneath (a turned 6), a black back with a number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.rules.cards import Colour
from datasets.workshop.fonts import draw_font
from datasets.workshop.layouts import LAYOUTS, draw_layout
from datasets.workshop.layouts_brush import (
    PATTERNS,
    Canvas,
    inset,
    oval,
    paint_pattern,
    rectangle,
    regular,
    star,
    turned,
)
from datasets.workshop.layouts_digit import (
    DigitStyle,
    Look,
    draw_digit_style,
    settle_tones,
    tones_of,
)
from datasets.workshop.layouts_trim import WORDS, Wear, alpha_of, with_alpha
from datasets.workshop.palette import Rgb, draw_palette, mix, rgb_of_lch

Rgba = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float64]
Stranger: TypeAlias = Callable[[Canvas, np.random.Generator, str], None]

WIDTH_PX = 270


def _any_colour(rng: np.random.Generator) -> Rgb:
    light, chroma = float(rng.uniform(25, 90)), float(rng.uniform(5, 85))
    return rgb_of_lch(light, chroma, float(rng.uniform(0, 360)))


def _paper(rng: np.random.Generator) -> Rgb:
    tone = int(rng.integers(236, 254))
    return tone, tone, tone - int(rng.integers(0, 12))


def other_number(canvas: Canvas, rng: np.random.Generator, split: str) -> None:
    """A coloured card with a number that ours have not."""
    palette = draw_palette(rng)
    colour = list(Colour)[int(rng.integers(6))]
    numbers = ["0", "0", "8", "8", "9", "10", "11", "12"] + ["7", "7"] * (colour is not Colour.BLUE)
    text = str(rng.choice(numbers))
    ground = LAYOUTS[draw_layout(rng, split)](rng, canvas.aspect)
    style = draw_digit_style(rng, split)
    style.underlined = True
    behind = "card" if ground.behind == "split" else ground.behind
    settle_tones(style, behind, tuple(palette.colours.values()), rng)
    style.fill = ground.digit_fill or style.fill
    tones = tones_of(palette.colours[colour], palette.white, palette.black)
    width = float(rng.choice([0.0, rng.uniform(0.02, 0.08)]))
    canvas.fill(palette.white)
    panel = canvas.blank(palette.white)
    ground.paint(panel, tones, 7)
    canvas.copy_through(panel, canvas.mask_of(inset(canvas.aspect, width, 0.05)))
    for x, y, turn in ground.spots:
        style.stamp(canvas, text, (x, y), Look(tones, ground.box, turn))
    if rng.random() < 0.6 and ground.room:
        small = style.plain("black" if ground.corners == "white" else "white")
        for x, y, turn in ((0.16, 0.16, 0.0), (0.84, canvas.aspect - 0.16, 180.0)):
            small.stamp(canvas, text, (x, y), Look(tones, (0.16, 0.13), turn))


def action(canvas: Canvas, rng: np.random.Generator, split: str) -> None:
    """Skip, reverse, draw two, draw four or wild, in the manner of colour games."""
    palette = draw_palette(rng)
    shades = [palette.colours[colour] for colour in Colour]
    card = shades[int(rng.integers(6))]
    kind = str(rng.choice(["skip", "reverse", "+2", "+4", "wild", "x2", "cards"]))
    dark = kind in {"+4", "wild"}
    canvas.fill(palette.white)
    base = palette.black if dark else card
    canvas.polygon(inset(canvas.aspect, float(rng.uniform(0.0, 0.07)), 0.05), base)
    radius = float(rng.uniform(0.3, 0.42))
    lean = float(rng.choice([0.0, rng.uniform(15, 45), -rng.uniform(15, 45)]))
    shape = oval(canvas.middle, (radius, radius * float(rng.uniform(1.0, 1.5))), lean)
    filled = bool(rng.random() < 0.65) and not dark
    if dark:
        _four_fields(canvas, shape, rng.permutation(np.array(shades))[:4])
    else:
        canvas.polygon(shape, palette.white, 0.0 if filled else 0.02)
    ink = palette.white if dark or not filled else (card if rng.random() < 0.7 else palette.black)
    size, middle = radius * 0.62, canvas.middle
    _sign(canvas, kind, (middle, size, lean), (ink, draw_font(rng, split).path, split), rng)
    corner = palette.white
    for x, y, turn in ((0.15, 0.17, 0.0), (0.85, canvas.aspect - 0.17, 180.0)):
        _sign(canvas, kind, ((x, y), 0.08, turn), (corner, "", split), rng)


def _four_fields(canvas: Canvas, shape: Points, shades: npt.NDArray[np.int64]) -> None:
    fields = canvas.blank((0, 0, 0))
    for number, shade in enumerate(shades):
        x, y = number % 2 * 0.5, number // 2 * canvas.aspect / 2
        field = rectangle((x, y), (x + 0.5, y + canvas.aspect / 2))
        fields.polygon(field, (int(shade[0]), int(shade[1]), int(shade[2])))
    canvas.copy_through(fields, canvas.mask_of(shape))


def _sign(
    canvas: Canvas,
    kind: str,
    where: tuple[tuple[float, float], float, float],
    print_: tuple[Rgb, str, str],
    rng: np.random.Generator,
) -> None:
    """One action sign of a size about a middle, leaning."""
    middle, size, lean = where
    ink, path, split = print_

    def placed(points: npt.ArrayLike) -> Points:
        return np.asarray(
            turned(np.asarray(points, np.float64) * size, lean) + np.array(middle), np.float64
        )

    if kind == "skip":
        canvas.polygon(placed(oval((0, 0), (0.9, 0.9), 0)), ink, size * 0.28)
        canvas.path(placed([(-0.6, 0.6), (0.6, -0.6)]), ink, size * 0.28)
    elif kind == "reverse":
        for way in (1.0, -1.0):
            shaft = np.array(
                [
                    (-0.5, 0.15),
                    (-0.5, -0.45),
                    (0.2, -0.45),
                    (0.2, -0.8),
                    (0.95, -0.2),
                    (0.2, 0.4),
                    (0.2, 0.15),
                ]
            )
            canvas.polygon(placed((shaft - (0.0, 0.35)) * way * 0.8), ink)
    elif kind in {"+2", "+4", "x2"}:
        font = draw_font(rng, split) if not path else None
        style = DigitStyle(font or draw_font(rng, split), fill="ink")
        look = Look({"ink": ink}, (size * 2.1, size * 1.5), lean if abs(lean) > 90 else 0.0)
        style.stamp(canvas, kind, middle, look)
    elif kind == "cards":
        for shift in (-0.35, 0.35):
            box = rectangle((shift - 0.4, -0.7 + shift), (shift + 0.4, 0.5 + shift), 0.1)
            canvas.polygon(placed(box), ink, size * 0.15)


def playing_card(canvas: Canvas, rng: np.random.Generator, split: str) -> None:
    """A classic playing card: pips or a court."""
    canvas.fill(_paper(rng))
    red = bool(rng.random() < 0.5)
    ink: Rgb = (int(rng.integers(170, 225)), 20, 30) if red else (20, 20, 24)
    suit = ("heart", "diamond") if red else ("spade", "club")
    name = str(rng.choice(suit))
    rank = str(rng.choice(["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]))
    style = DigitStyle(draw_font(rng, split), fill="ink", stretch=float(rng.uniform(0.75, 1.0)))
    high = float(rng.uniform(0.1, 0.16))
    for x, y, turn in ((0.1, 0.13, 0.0), (0.9, canvas.aspect - 0.13, 180.0)):
        style.stamp(canvas, rank, (x, y), Look({"ink": ink}, (0.15, high), turn))
        _suit(canvas, name, (x, y + (0.14 if turn == 0 else -0.14)), (0.045, turn), ink)
    if rank in "JQK":
        _court(canvas, rng, ink)
        return
    for x, y in _pip_spots(1 if rank == "A" else int(rank)):
        size = 0.14 if rank == "A" else 0.075
        spot = (0.5 + x * 0.2, canvas.aspect * (0.5 + y * 0.33))
        _suit(canvas, name, spot, (size, 180.0 if y > 0.1 else 0.0), ink)


def _pip_spots(count: int) -> list[tuple[float, float]]:
    middle = {
        1: [0.0],
        2: [-1.0, 1.0],
        3: [-1.0, 0.0, 1.0],
        5: [0.0],
        7: [-0.5],
        8: [-0.5, 0.5],
        9: [0.0],
        10: [-0.66, 0.66],
    }
    rows = {
        4: [-1.0, 1.0],
        5: [-1.0, 1.0],
        6: [-1.0, 0.0, 1.0],
        7: [-1.0, 0.0, 1.0],
        8: [-1.0, 0.0, 1.0],
        9: [-1.0, -0.33, 0.33, 1.0],
        10: [-1.0, -0.33, 0.33, 1.0],
    }
    spots = [(0.0, y) for y in middle.get(count, [])]
    return spots + [(x, y) for y in rows.get(count, []) for x in (-1.0, 1.0)]


def _suit(
    canvas: Canvas, name: str, spot: tuple[float, float], size_turn: tuple[float, float], ink: Rgb
) -> None:
    size, turn = size_turn

    def put(points: npt.ArrayLike) -> None:
        canvas.polygon(turned(np.asarray(points, np.float64) * size, turn) + np.array(spot), ink)

    if name == "diamond":
        put([(0, -1.1), (0.8, 0), (0, 1.1), (-0.8, 0)])
    elif name == "heart":
        for x in (-0.42, 0.42):
            put(oval((x, -0.3), (0.5, 0.5), 0))
        put([(-0.88, -0.1), (0.88, -0.1), (0, 1.0)])
    else:
        put([(-0.3, 1.0), (0.3, 1.0), (0, 0.2)])
        if name == "spade":
            for x in (-0.42, 0.42):
                put(oval((x, 0.25), (0.5, 0.45), 0))
            put([(-0.88, 0.15), (0.88, 0.15), (0, -1.0)])
        else:
            for x, y in ((-0.48, 0.2), (0.48, 0.2), (0, -0.5)):
                put(oval((x, y), (0.46, 0.46), 0))


def _court(canvas: Canvas, rng: np.random.Generator, ink: Rgb) -> None:
    shades = [ink, (230, 190, 40), (40, 70, 160), (200, 40, 50), (20, 20, 24)]
    box = rectangle((0.2, 0.17), (0.8, canvas.aspect - 0.17))
    canvas.polygon(box, (60, 70, 140), 0.008)
    for turn in (0.0, 180.0):
        parts = np.random.default_rng(int(rng.integers(9)))

        def put(points: npt.ArrayLike, shade: Rgb, turn: float = turn) -> None:
            placed = turned(np.asarray(points, np.float64), turn) + np.array(canvas.middle)
            canvas.polygon(placed, shade)

        put([(-0.28, 0), (0.28, 0), (0.16, -0.25), (-0.16, -0.25)], shades[int(parts.integers(5))])
        for _ in range(6):
            spot = (float(parts.uniform(-0.2, 0.2)), float(parts.uniform(-0.22, 0)))
            put(regular(spot, 0.06, 4, 0), shades[int(parts.integers(5))])
        put(oval((0, -0.33), (0.09, 0.11), 0), (240, 210, 180))
        put(star((0, -0.46), (0.12, 0.06), 5, 0), shades[1])


def picture(canvas: Canvas, rng: np.random.Generator, split: str) -> None:
    """A picture card: a scene of shapes, with a title or none."""
    canvas.fill(_any_colour(rng))
    if rng.random() < 0.5:
        canvas.polygon(rectangle((0, canvas.aspect * 0.6), (1, canvas.aspect)), _any_colour(rng))
    for _ in range(int(rng.integers(4, 16))):
        spot = (float(rng.random()), float(rng.random()) * canvas.aspect)
        size, sides = float(rng.uniform(0.05, 0.35)), int(rng.integers(3, 12))
        shape = regular(spot, size, sides, float(rng.uniform(0, 360)))
        if rng.random() < 0.3:
            shape = oval(spot, (size, size * 0.5), float(rng.uniform(0, 180)))
        canvas.polygon(shape, _any_colour(rng))
    if rng.random() < 0.5:
        frame = canvas.blank(_paper(rng))
        mask = canvas.mask_of(inset(canvas.aspect, float(rng.uniform(0.03, 0.12)), 0.04))
        frame.copy_through(canvas, mask)
        canvas.rgb[:] = frame.rgb
    if rng.random() < 0.6:
        _title(canvas, rng, split)


def _title(canvas: Canvas, rng: np.random.Generator, split: str) -> None:
    y = canvas.aspect * float(rng.choice([0.1, 0.85]))
    canvas.polygon(rectangle((0.12, y - 0.06), (0.88, y + 0.06), 0.03), _paper(rng))
    style = DigitStyle(draw_font(rng, split), fill="ink")
    look = Look({"ink": (25, 25, 30)}, (0.6, 0.07))
    style.stamp(canvas, str(rng.choice(WORDS[3:])), (0.5, y), look)


def plain_colour(canvas: Canvas, rng: np.random.Generator, split: str) -> None:
    """A card of one colour, with a frame or a shape but nothing on it."""
    ink = _any_colour(rng)
    canvas.fill(_paper(rng) if rng.random() < 0.5 else ink)
    canvas.polygon(inset(canvas.aspect, float(rng.uniform(0, 0.1)), 0.05), ink)
    if rng.random() < 0.4:
        shape = oval(canvas.middle, (0.3, 0.42), float(rng.uniform(-40, 40)))
        canvas.polygon(shape, _paper(rng))


def photo(canvas: Canvas, rng: np.random.Generator, split: str) -> None:
    """Cloudy colours at several scales, as of a photograph out of focus."""
    height, width = canvas.rgb.shape[:2]
    total = np.full((height, width, 3), float(rng.uniform(70, 180)), np.float32)
    grey = float(rng.uniform(0.2, 1.0))
    for cells in (3, 7, 16, 40):
        rough = rng.normal(0, 90 / cells**0.6, (cells, cells, 3)).astype(np.float32)
        rough = grey * rough.mean(axis=2, keepdims=True) + (1 - grey) * rough
        total += cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC)
    canvas.rgb[:] = np.clip(total, 0, 255).astype(np.uint8)


def note(canvas: Canvas, rng: np.random.Generator, split: str) -> None:
    """A slip of paper with lines of writing, printed words or nothing."""
    canvas.fill(_paper(rng))
    ink: Rgb = (30, 40, int(rng.integers(40, 150)))
    if rng.random() < 0.4:
        for y in np.arange(0.12, canvas.aspect, 0.09):
            canvas.path([(0, y), (1, y)], mix(_paper(rng), (120, 150, 200), 0.5), 0.004)
    for y in np.arange(0.15, canvas.aspect * float(rng.uniform(0.1, 0.95)), 0.12):
        x = np.arange(0.1, float(rng.uniform(0.4, 0.92)), 0.02)
        scribble = y + rng.normal(0, 0.018, x.size)
        canvas.path(np.stack([x, scribble], axis=1), ink, 0.008)


def back(canvas: Canvas, rng: np.random.Generator, split: str) -> None:
    """The back of another game: a pattern, a medallion, a word; never a number."""
    ink, ground = _any_colour(rng), _any_colour(rng)
    if rng.random() < 0.3:
        ground = rgb_of_lch(float(rng.uniform(4, 20)), 5, float(rng.uniform(0, 360)))
    canvas.fill(ground)
    if rng.random() < 0.75:
        paint_pattern(canvas, str(rng.choice(PATTERNS)), mix(ground, ink, 0.6), rng)
    if rng.random() < 0.6:
        frame = canvas.blank(_paper(rng))
        mask = canvas.mask_of(inset(canvas.aspect, float(rng.uniform(0.03, 0.1)), 0.05))
        frame.copy_through(canvas, mask)
        canvas.rgb[:] = frame.rgb
    sort = str(rng.choice(["", "disc", "star", "word"]))
    if sort == "disc":
        canvas.disc(canvas.middle, float(rng.uniform(0.15, 0.35)), _any_colour(rng))
    elif sort == "star":
        canvas.polygon(star(canvas.middle, (0.32, 0.15), int(rng.integers(4, 12)), 0), ink)
    elif sort == "word":
        lean = float(rng.choice([0.0, rng.uniform(-50, 50)]))
        canvas.polygon(oval(canvas.middle, (0.42, 0.3), lean), _any_colour(rng))
        style = DigitStyle(draw_font(rng, split), fill="ink", outline=(0.06, "line"))
        look = Look({"ink": (250, 250, 250), "line": (20, 20, 20)}, (0.65, 0.3), lean)
        style.stamp(canvas, str(rng.choice(WORDS[3:])), canvas.middle, look)


STRANGERS: dict[str, tuple[Stranger, float]] = {
    "other number": (other_number, 0.26),
    "action": (action, 0.2),
    "playing card": (playing_card, 0.13),
    "picture": (picture, 0.1),
    "plain": (plain_colour, 0.08),
    "photo": (photo, 0.06),
    "note": (note, 0.05),
    "back": (back, 0.12),
}
"""Kinds of stranger with their share."""


def draw_stranger(rng: np.random.Generator, split: str = "train", only: str | None = None) -> Rgba:
    """RGBA (h, w, 4) uint8 of a card that is none of ours, about 270 px wide."""
    names = [only] if only else list(STRANGERS)
    shares = np.array([STRANGERS[name][1] for name in names])
    kind = names[int(rng.choice(len(names), p=shares / shares.sum()))]
    aspect = float(rng.uniform(1.3, 1.62))
    height = round(WIDTH_PX * aspect)
    canvas = Canvas(np.full((height, WIDTH_PX, 3), 255, np.uint8), aspect)
    STRANGERS[kind][0](canvas, rng, split)
    Wear(float(rng.choice([0.0, 2.5])), int(rng.choice([0, 3]))).apply(canvas, rng)
    return with_alpha(canvas.rgb, alpha_of((height, WIDTH_PX), float(rng.uniform(0, 0.09))))
