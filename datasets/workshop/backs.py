"""Backs and the blue seven: the black backs with a target, the back of the T! cards, the 7."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from datasets.workshop.layouts_brush import (
    PATTERNS,
    Canvas,
    inset,
    oval,
    paint_pattern,
    rectangle,
    regular,
)
from datasets.workshop.layouts_digit import (
    DigitStyle,
    Look,
    draw_digit_style,
    settle_tones,
    tones_of,
)
from datasets.workshop.palette import Rgb, mix, rgb_of_lch

Painter: TypeAlias = Callable[[Canvas], None]


@dataclass(slots=True)
class Back:
    """A back that shows a text: its ground, its print, its inks."""

    style: DigitStyle
    tones: dict[str, Rgb]
    ground: str
    seed: int
    box: tuple[float, float]
    measure: str
    twice: bool
    corners: float

    def paint(self, canvas: Canvas, text: str) -> None:
        """Paint the back with its text."""
        _GROUNDS[self.ground](canvas, self.tones, np.random.default_rng(self.seed))
        box = (self.box[0], self.box[1] * canvas.aspect)
        spots = [(0.5, 0.5, 0.0)]
        if self.twice:
            spots, box = [(0.5, 0.27, 0.0), (0.5, 0.73, 180.0)], (box[0], 0.33 * canvas.aspect)
        for x, y, turn in spots:
            look = Look(self.tones, box, turn, self.measure)
            self.style.stamp(canvas, text, (x, y * canvas.aspect), look)
        if self.corners and not self.twice:
            small = self.style.plain(self.style.fill)
            for x, y, turn in ((0.12, 0.12, 0.0), (0.88, canvas.aspect - 0.12, 180.0)):
                look = Look(self.tones, (self.corners * 1.3, self.corners), turn)
                small.stamp(canvas, text, (x, y), look)


def _plain(canvas: Canvas, tones: dict[str, Rgb], rng: np.random.Generator) -> None:
    canvas.fill(tones["ground"])


def _framed(canvas: Canvas, tones: dict[str, Rgb], rng: np.random.Generator) -> None:
    canvas.fill(tones["ground"])
    edge, line = float(rng.uniform(0.03, 0.09)), float(rng.uniform(0.006, 0.02))
    for _ in range(int(rng.integers(1, 3))):
        ring = inset(canvas.aspect, edge, float(rng.choice([0.0, 0.06])))
        canvas.polygon(ring, tones["accent"], line)
        edge += line * 3


def _white_rim(canvas: Canvas, tones: dict[str, Rgb], rng: np.random.Generator) -> None:
    canvas.fill(tones["white"])
    canvas.polygon(inset(canvas.aspect, float(rng.uniform(0.03, 0.07)), 0.05), tones["ground"])


def _covered(canvas: Canvas, tones: dict[str, Rgb], rng: np.random.Generator) -> None:
    canvas.fill(tones["ground"])
    ink = mix(tones["ground"], tones["accent"], float(rng.uniform(0.12, 0.35)))
    paint_pattern(canvas, str(rng.choice(PATTERNS)), ink, rng)


def _disc(canvas: Canvas, tones: dict[str, Rgb], rng: np.random.Generator) -> None:
    canvas.fill(tones["ground"])
    radii = (float(rng.uniform(0.34, 0.45)), float(rng.uniform(0.36, 0.5)))
    shape = oval(canvas.middle, radii, float(rng.choice([0.0, rng.uniform(-35, 35)])))
    canvas.polygon(shape, tones["accent"], float(rng.uniform(0.008, 0.03)))


def _sparks(canvas: Canvas, tones: dict[str, Rgb], rng: np.random.Generator) -> None:
    """Coloured spots along the edges: the six colours round a black middle."""
    canvas.fill(tones["ground"])
    hues = rng.permutation(6)
    for number in range(int(rng.integers(6, 22))):
        along = float(rng.random())
        side = int(rng.integers(4))
        spot = [(along, 0.0), (1.0, along), (along, 1.0), (0.0, along)][side]
        ink = rgb_of_lch(60, 70, float(hues[number % 6] * 60 + 30))
        where = (spot[0], spot[1] * canvas.aspect)
        canvas.polygon(regular(where, float(rng.uniform(0.03, 0.12)), 4, along * 90), ink)


def _plate(canvas: Canvas, tones: dict[str, Rgb], rng: np.random.Generator) -> None:
    canvas.fill(tones["ground"])
    ink = mix(tones["ground"], tones["accent"], 0.3)
    wide, high = float(rng.uniform(0.3, 0.42)), float(rng.uniform(0.25, 0.42)) * canvas.aspect
    y = canvas.aspect / 2
    canvas.polygon(rectangle((0.5 - wide, y - high), (0.5 + wide, y + high), 0.08), ink)


_GROUNDS: dict[str, Callable[[Canvas, dict[str, Rgb], np.random.Generator], None]] = {
    "plain": _plain,
    "framed": _framed,
    "white rim": _white_rim,
    "covered": _covered,
    "disc": _disc,
    "sparks": _sparks,
    "plate": _plate,
}


def _any_ink(rng: np.random.Generator) -> Rgb:
    return rgb_of_lch(
        float(rng.uniform(50, 85)), float(rng.uniform(30, 80)), float(rng.uniform(0, 360))
    )


def _drawn(rng: np.random.Generator, split: str, tones: dict[str, Rgb], measure: str) -> Back:
    style = draw_digit_style(rng, split)
    if abs(style.turn_deg % 180) > 45 and rng.random() < 0.5:
        style.turn_deg = 0.0
    return Back(
        style=style,
        tones=tones,
        ground=str(rng.choice(sorted(_GROUNDS))),
        seed=int(rng.integers(1 << 31)),
        box=(float(rng.uniform(0.5, 0.8)), float(rng.uniform(0.32, 0.62))),
        measure=measure,
        twice=bool(rng.random() < 0.12),
        corners=float(rng.uniform(0.08, 0.14)) if rng.random() < 0.35 else 0.0,
    )


def draw_target_back(rng: np.random.Generator, split: str, white: Rgb) -> Back:
    """The black back of the number cards; ``paint`` takes the target as text."""
    dark = float(rng.uniform(3, 18))
    ground = rgb_of_lch(
        dark, float(rng.choice([0.0, rng.uniform(0, 8)])), float(rng.uniform(0, 360))
    )
    accent = white if rng.random() < 0.4 else _any_ink(rng)
    tones = tones_of(accent, white, ground) | {"ground": ground, "accent": accent}
    back = _drawn(rng, split, tones, "7 8 9 10")
    back.style.underlined = back.style.underlined and rng.random() < 0.5
    settle_tones(back.style, "black", (accent,), rng)
    return back


def draw_tweak_back(rng: np.random.Generator, split: str, white: Rgb) -> Back:
    """The back of the T! cards, on a ground of any colour."""
    kind = str(rng.choice(["dark", "white", "colour"], p=[0.35, 0.2, 0.45]))
    ground = {
        "dark": rgb_of_lch(float(rng.uniform(4, 25)), 8, float(rng.uniform(0, 360))),
        "white": white,
    }.get(kind) or _any_ink(rng)
    accent = _any_ink(rng)
    black: Rgb = (18, 18, 20)
    if kind == "colour":
        tones = tones_of(ground, white, black) | {
            "ground": ground,
            "accent": mix(ground, white, 0.6),
        }
        behind = "card"
    else:
        tones = tones_of(accent, white, ground if kind == "dark" else black)
        tones |= {"ground": ground, "accent": accent}
        behind = "black" if kind == "dark" else "white"
    back = _drawn(rng, split, tones, "T!")
    settle_tones(back.style, behind, (tones["card"],), rng)
    return back


def draw_seven(rng: np.random.Generator, split: str, blue: Rgb, white: Rgb) -> Back:
    """The blue card with the 7."""
    tones = tones_of(blue, white, (14, 14, 20)) | {"ground": blue, "accent": mix(blue, white, 0.7)}
    back = _drawn(rng, split, tones, "7")
    back.ground = "plain" if back.ground == "sparks" else back.ground
    back.style.underlined = False
    settle_tones(back.style, "card", (blue,), rng)
    return back
