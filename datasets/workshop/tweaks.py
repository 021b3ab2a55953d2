"""The T! cards: a ground, a drawn icon for each of the four kinds, and sometimes a word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.rules.cards import Tweak
from datasets.workshop.fonts import FontFile, draw_font
from datasets.workshop.layouts_brush import (
    PATTERNS,
    Canvas,
    inset,
    paint_pattern,
)
from datasets.workshop.layouts_digit import DigitStyle, Look
from datasets.workshop.palette import Rgb, contrast, mix, rgb_of_lch
from datasets.workshop.tweaks_icons import ICONS, NAMES, Pen


@dataclass(slots=True)
class TweakFaces:
    """How one deck draws its four T! cards."""

    icons: dict[Tweak, int]
    inks: dict[Tweak, tuple[Rgb, Rgb, Rgb]]
    ground: str
    pattern: str
    seed: int
    size: float
    turn_deg: float
    named: str
    corner_mark: str
    font: FontFile

    def paint(self, canvas: Canvas, kind: Tweak) -> None:
        """Paint the card of a kind."""
        ground, ink, second = self.inks[kind]
        behind = self._ground(canvas, ground, second)
        y = canvas.aspect / 2
        if self.named:
            y += 0.06 if self.named == "above" else -0.06
        ink = (
            ink
            if contrast(ink, behind) > 25
            else ((20, 20, 20) if contrast((20, 20, 20), behind) > 40 else (245, 245, 245))
        )
        second = second if contrast(second, behind) > 14 else mix(ink, behind, 0.4)
        pen = Pen(canvas, (0.5, y), self.size, self.turn_deg, ink, second, behind, self.font)
        ICONS[kind][self.icons[kind]](pen)
        ends = (
            ink
            if contrast(ink, ground) > 25
            else mix(
                ground,
                (250, 250, 250) if contrast(ground, (250, 250, 250)) > 40 else (10, 10, 10),
                0.9,
            )
        )
        self._print(canvas, kind, ends)

    def _ground(self, canvas: Canvas, ground: Rgb, second: Rgb) -> Rgb:
        rng = np.random.default_rng(self.seed)
        canvas.fill(ground)
        if self.pattern:
            paint_pattern(canvas, self.pattern, mix(ground, second, 0.2), rng)
        if self.ground == "disc":
            plate: Rgb = (248, 248, 244)
            canvas.disc(canvas.middle, 0.44, plate)
            return plate
        if self.ground == "framed":
            canvas.polygon(inset(canvas.aspect, 0.05, 0.05), second, 0.02)
        elif self.ground == "rim":
            canvas.fill((248, 248, 246))
            canvas.polygon(inset(canvas.aspect, 0.05, 0.05), ground)
        return ground

    def _print(self, canvas: Canvas, kind: Tweak, ink: Rgb) -> None:
        style = DigitStyle(self.font, fill="ink")
        tones = {"ink": ink}
        if self.named:
            y = 0.16 if self.named == "above" else canvas.aspect - 0.16
            name = NAMES[kind][self.seed % len(NAMES[kind])]
            style.stamp(canvas, name, (0.5, y), Look(tones, (0.6, 0.1)))
        if self.corner_mark:
            for x, y, turn in ((0.12, 0.12, 0.0), (0.88, canvas.aspect - 0.12, 180.0)):
                style.stamp(canvas, self.corner_mark, (x, y), Look(tones, (0.14, 0.1), turn))


def draw_tweaks(rng: np.random.Generator, split: str) -> TweakFaces:
    """The four T! cards of a deck: one ground for all, or one colour each."""
    each = bool(rng.random() < 0.4)
    inks: dict[Tweak, tuple[Rgb, Rgb, Rgb]] = {}
    for kind in Tweak:
        if not inks or each:
            inks[kind] = _draw_inks(rng)
        else:
            inks[kind] = next(iter(inks.values()))
    return TweakFaces(
        icons={kind: int(rng.integers(len(ICONS[kind]))) for kind in Tweak},
        inks=inks,
        ground=str(rng.choice(["plain", "framed", "rim", "disc"])),
        pattern=str(rng.choice([*PATTERNS, *[""] * 10])),
        seed=int(rng.integers(1 << 31)),
        size=float(rng.uniform(0.26, 0.36)),
        turn_deg=float(rng.choice([0.0, rng.uniform(-20, 20), 180.0], p=[0.7, 0.2, 0.1])),
        named=str(rng.choice(["", "above", "below"], p=[0.5, 0.25, 0.25])),
        corner_mark=str(rng.choice(["", "T!", "T!", "!", "T"])),
        font=draw_font(rng, split, signs=True),
    )


def _draw_inks(rng: np.random.Generator) -> tuple[Rgb, Rgb, Rgb]:
    """Ground, ink and second ink."""
    hue = float(rng.uniform(0, 360))
    second = rgb_of_lch(
        float(rng.uniform(50, 80)), float(rng.uniform(35, 80)), float(rng.uniform(0, 360))
    )
    kind = str(rng.choice(["black", "white", "colour", "grey"]))
    if kind == "black":
        return rgb_of_lch(float(rng.uniform(4, 16)), 4, hue), (248, 248, 246), second
    if kind == "white":
        return (247, 247, 245), (20, 20, 22), second
    if kind == "grey":
        return rgb_of_lch(float(rng.uniform(55, 80)), 4, hue), (20, 20, 22), second
    ground = rgb_of_lch(float(rng.uniform(30, 80)), float(rng.uniform(30, 80)), hue)
    ink: Rgb = (248, 248, 246) if contrast(ground, (248, 248, 246)) > 45 else (18, 18, 20)
    return ground, ink, second
