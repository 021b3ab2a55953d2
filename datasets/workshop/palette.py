"""The six colours of a deck: drawn widely, but so that a person tells them apart.

Colours are drawn in CIE LCh (lightness, chroma, hue in degrees) and brought into sRGB by lowering
the chroma. Any two of a deck are at least :data:`APART` of CIE Lab distance (1976) apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.rules.cards import Colour

Rgb = tuple[int, int, int]

APART = 26.0
"""Least CIE Lab distance between any two of the six colours of a deck."""

_RANGES: dict[Colour, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    Colour.RED: ((36, 54), (55, 100), (16, 40)),
    Colour.ORANGE: ((61, 74), (66, 100), (50, 72)),
    Colour.YELLOW: ((79, 93), (62, 100), (82, 105)),
    Colour.GREEN: ((34, 72), (32, 85), (126, 172)),
    Colour.BLUE: ((26, 66), (34, 85), (232, 294)),
    Colour.PURPLE: ((24, 54), (38, 90), (310, 346)),
}
"""Lightness, chroma and hue from which each colour is drawn."""

_NEVER_DULL = (Colour.ORANGE, Colour.YELLOW)
_LEAST_CHROMA = {Colour.RED: 46.0, Colour.ORANGE: 50.0, Colour.YELLOW: 56.0, Colour.PURPLE: 30.0}
_HUE_GAPS = (
    (Colour.RED, Colour.ORANGE, 22.0),
    (Colour.ORANGE, Colour.YELLOW, 20.0),
    (Colour.BLUE, Colour.PURPLE, 24.0),
    (Colour.PURPLE, Colour.RED, 36.0),
)


@dataclass(frozen=True, slots=True)
class Palette:
    """The six colours of one deck, and the tone of its paper and inks (sRGB 0-255)."""

    colours: dict[Colour, Rgb]
    white: Rgb
    black: Rgb
    mood: str


def rgb_of_lch(lightness: float, chroma: float, hue_deg: float) -> Rgb:
    """sRGB of a CIE LCh colour (D65), with the chroma lowered until it is in gamut.

    >>> rgb_of_lch(100, 0, 0)
    (255, 255, 255)
    """
    for share in np.linspace(1.0, 0.0, 26):
        angle = np.deg2rad(hue_deg)
        lab = np.array([lightness, chroma * share * np.cos(angle), chroma * share * np.sin(angle)])
        linear = _linear_of_lab(lab)
        if share == 0.0 or (linear.min() > -0.004 and linear.max() < 1.004):
            break
    linear = np.clip(linear, 0.0, 1.0)
    srgb = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    red, green, blue = (int(v) for v in np.rint(srgb * 255))
    return red, green, blue


_XYZ_TO_RGB = np.array(
    [[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]]
)
_RGB_TO_XYZ = np.linalg.inv(_XYZ_TO_RGB)
_WHITE_XYZ = np.array([0.95047, 1.0, 1.08883])


def _linear_of_lab(lab: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    fy = (lab[0] + 16) / 116
    f = np.array([fy + lab[1] / 500, fy, fy - lab[2] / 200])
    xyz = np.where(f > 6 / 29, f**3, 3 * (6 / 29) ** 2 * (f - 4 / 29)) * _WHITE_XYZ
    return np.asarray(_XYZ_TO_RGB @ xyz, np.float64)


def lab_of(rgb: Rgb) -> npt.NDArray[np.float64]:
    """CIE Lab (D65) of an sRGB colour.

    >>> [float(round(v, 1)) + 0.0 for v in lab_of((255, 0, 0))]
    [53.2, 80.1, 67.2]
    """
    srgb = np.asarray(rgb, np.float64) / 255
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    xyz = _RGB_TO_XYZ @ linear / _WHITE_XYZ
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(one: Rgb, other: Rgb) -> float:
    """CIE Lab distance (1976) between two sRGB colours."""
    return float(np.linalg.norm(lab_of(one) - lab_of(other)))


def contrast(one: Rgb, other: Rgb) -> float:
    """Difference in CIE lightness, 0-100."""
    return abs(float(lab_of(one)[0] - lab_of(other)[0]))


def mix(one: Rgb, other: Rgb, share: float) -> Rgb:
    """``one`` with ``share`` of ``other`` in it."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _draw_six(rng: np.random.Generator, mood: str) -> dict[Colour, Rgb]:
    hues: dict[Colour, float] = {}
    colours: dict[Colour, Rgb] = {}
    lift, strength = {"pastel": (9, 0.62), "deep": (-5, 0.85), "plain": (0, 0.8)}.get(mood, (0, 1))
    for colour, (lights, chromas, angles) in _RANGES.items():
        hues[colour] = float(rng.uniform(*angles))
        light = float(np.clip(rng.uniform(*lights) + lift, 20, 93))
        chroma = float(rng.uniform(*chromas)) * strength
        chroma = chroma if mood != "vivid" else max(chroma, 78.0)
        if colour in _NEVER_DULL:  # a dull orange is a brown, a dull yellow a beige
            light, chroma = max(light, lights[0]), max(chroma, 60.0)
        colours[colour] = rgb_of_lch(light, max(chroma, 28.0), hues[colour])
    gaps_kept = all((hues[b] - hues[a]) % 360 >= gap for a, b, gap in _HUE_GAPS)
    bright = all(_chroma(colours[colour]) >= least for colour, least in _LEAST_CHROMA.items())
    return colours if gaps_kept and bright else {}


def _chroma(rgb: Rgb) -> float:
    return float(np.hypot(*lab_of(rgb)[1:]))


def draw_palette(rng: np.random.Generator) -> Palette:
    """Six colours a person tells apart, of one mood (vivid, plain, deep or pastel)."""
    mood = str(rng.choice(["vivid", "plain", "deep", "pastel"], p=[0.5, 0.25, 0.13, 0.12]))
    while True:
        colours = _draw_six(rng, mood)
        shades = list(colours.values())
        pairs = [(a, b) for i, a in enumerate(shades) for b in shades[i + 1 :]]
        if pairs and min(distance(a, b) for a, b in pairs) >= APART:
            break
    paper = int(rng.integers(236, 256))
    warm = int(rng.integers(0, 16)) if rng.random() < 0.5 else 0
    dark = int(rng.integers(4, 34))
    tint = [int(v) for v in rng.integers(0, 8, 3)]
    return Palette(
        colours=colours,
        white=(paper, paper - warm // 2, paper - warm),
        black=(dark + tint[0], dark + tint[1], dark + tint[2]),
        mood=mood,
    )
