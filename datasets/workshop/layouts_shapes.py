"""Layouts with a shape behind the digit: ovals, circles, badges, splits, windows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from datasets.workshop.layouts_brush import (
    PATTERNS,
    Canvas,
    oval,
    paint_pattern,
    rectangle,
    regular,
    star,
)
from datasets.workshop.layouts_ground import Ground, Tones, in_the_middle
from datasets.workshop.palette import mix

Points = npt.NDArray[np.float64]


def _shape_ground(
    rng: np.random.Generator, aspect: float, shape: Points, box: tuple[float, float]
) -> Ground:
    """A coloured card with a white, tinted, dark or outlined shape; or the colours swapped."""
    kind = str(rng.choice(["white", "white", "white", "line", "pale", "swapped", "dark"]))
    line = float(rng.uniform(0.008, 0.035))
    rim = bool(rng.random() < 0.35)
    rim_tone = str(rng.choice(["black", "dark", "white", "pale"]))

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        canvas.fill(tones["white" if kind == "swapped" else "card"])
        if kind == "line":
            canvas.polygon(shape, tones["white"], line)
            return
        inside = {"swapped": "card", "dark": "black"}.get(kind, kind)
        canvas.polygon(shape, tones[inside])
        if rim:
            canvas.polygon(shape, tones[rim_tone], line)

    behind = {"line": "card", "swapped": "card", "dark": "black", "pale": "white"}.get(kind, kind)
    corners = "white" if kind == "swapped" else "card"
    return Ground(paint, behind, box, in_the_middle(aspect), corners)


def upright_oval(rng: np.random.Generator, aspect: float) -> Ground:
    """An upright or lying oval."""
    wide, high = float(rng.uniform(0.3, 0.46)), float(rng.uniform(0.26, 0.44)) * aspect
    shape = oval((0.5, aspect / 2), (wide, high), 0.0)
    return _shape_ground(rng, aspect, shape, (wide * 1.3, high * 1.3))


def slanted_oval(rng: np.random.Generator, aspect: float) -> Ground:
    """An oval leaning to either side, thin to fat, often nearly as long as the card."""
    lean = float(rng.uniform(12, 50)) * (1 if rng.random() < 0.65 else -1)
    long = float(rng.uniform(0.38, 0.5)) * aspect
    short = long * float(rng.uniform(0.45, 0.8))
    angle = np.deg2rad(lean)
    width = float(np.hypot(long * np.sin(angle), short * np.cos(angle)))
    shrink = min(1.0, float(rng.uniform(0.44, 0.5)) / width)
    long, short = long * shrink, short * shrink
    shape = oval((0.5, aspect / 2), (short, long), lean)
    return _shape_ground(rng, aspect, shape, (short * 1.5, short * 1.75))


def circle_rays(rng: np.random.Generator, aspect: float) -> Ground:
    """A circle, with rays inside it, outside it or none."""
    radius = float(rng.uniform(0.3, 0.45))
    inside, seed = bool(rng.random() < 0.6), int(rng.integers(1 << 31))
    strength = float(rng.uniform(0.06, 0.3))
    tone = str(rng.choice(["white", "white", "pale"]))

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        rays = np.random.default_rng(seed)
        canvas.fill(tones["card"])
        disc = canvas.blank(tones[tone])
        if inside:
            paint_pattern(disc, "rays", mix(tones[tone], tones["black"], strength * 0.6), rays)
        else:
            paint_pattern(canvas, "rays", mix(tones["card"], tones["white"], strength), rays)
        canvas.copy_through(disc, canvas.mask_of(oval(canvas.middle, (radius, radius), 0.0)))

    box = (radius * 1.35, radius * 1.45)
    return Ground(paint, "white", box, in_the_middle(aspect))


def ring(rng: np.random.Generator, aspect: float) -> Ground:
    """One or several rings round the digit."""
    radii = [float(r) for r in np.sort(rng.uniform(0.3, 0.47, int(rng.integers(1, 4))))]
    line, tone = float(rng.uniform(0.01, 0.04)), str(rng.choice(["white", "dark", "black", "pale"]))

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        canvas.fill(tones["card"])
        for radius in radii:
            canvas.disc(canvas.middle, radius, tones[tone], line)

    box = (radii[0] * 1.3, radii[0] * 1.4)
    return Ground(paint, "card", box, in_the_middle(aspect))


def badge(rng: np.random.Generator, aspect: float) -> Ground:
    """A hexagon, octagon, square, diamond or star."""
    sides = int(rng.choice([4, 5, 6, 8]))
    radius = float(rng.uniform(0.38, 0.48))
    angle = float(rng.choice([0.0, 180.0 / sides, rng.uniform(0, 90)]))
    middle = (0.5, aspect / 2)
    if rng.random() < 0.4:
        points = int(rng.integers(8, 18))
        shape = star(middle, (radius, radius * float(rng.uniform(0.8, 0.92))), points, angle)
    else:
        shape = regular(middle, radius, sides, angle)
    inner = radius * (1.1 if sides > 4 else 0.95)
    return _shape_ground(rng, aspect, shape, (inner, inner * 1.1))


def rounded_window(rng: np.random.Generator, aspect: float) -> Ground:
    """A rounded rectangle behind the digit."""
    wide, high = float(rng.uniform(0.26, 0.38)), float(rng.uniform(0.24, 0.38)) * aspect
    radius = float(rng.uniform(0.02, 0.2))
    low, far = (0.5 - wide, aspect / 2 - high), (0.5 + wide, aspect / 2 + high)
    shape = rectangle(low, far, radius)
    return _shape_ground(rng, aspect, shape, (wide * 1.6, high * 1.6))


def arch_window(rng: np.random.Generator, aspect: float) -> Ground:
    """A window with an arch above."""
    wide, high = float(rng.uniform(0.28, 0.38)), float(rng.uniform(0.26, 0.36)) * aspect
    turns = np.linspace(np.pi, 2 * np.pi, 24)
    top = aspect / 2 - high + wide
    arc = np.stack([0.5 + wide * np.cos(turns), top + wide * np.sin(turns)], axis=1)
    foot = np.array([(0.5 + wide, aspect / 2 + high), (0.5 - wide, aspect / 2 + high)])
    box = (wide * 1.45, high * 1.35)
    return _shape_ground(rng, aspect, np.concatenate([arc, foot]), box)


def diagonal(rng: np.random.Generator, aspect: float) -> Ground:
    """Two fields, split from corner to corner; the digit stands on the split."""
    tone = str(rng.choice(["dark", "shade", "pale", "light", "white", "black"]))
    shift = float(rng.uniform(-0.3, 0.3))
    rising, line = bool(rng.random() < 0.5), bool(rng.random() < 0.4)

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        canvas.fill(tones["card"])
        left, right = (aspect, shift) if rising else (shift, aspect)
        edge = [(0.0, left), (1.0, right)]
        canvas.polygon(np.array([*edge, (1.0, aspect + 1), (0.0, aspect + 1)]), tones[tone])
        if line:
            canvas.path(np.array(edge), tones["white"], 0.02)

    box = (float(rng.uniform(0.45, 0.62)), float(rng.uniform(0.4, 0.55)) * aspect)
    return Ground(paint, "split", box, in_the_middle(aspect), room=False)


def corner_triangles(rng: np.random.Generator, aspect: float) -> Ground:
    """Triangles in the corners: coloured on white, or white or dark on the colour."""
    reach = float(rng.uniform(0.3, 0.5))
    white = bool(rng.random() < 0.5)
    all_four = bool(rng.random() < 0.6)
    tone = "card" if white else str(rng.choice(["white", "dark", "black"]))

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        canvas.fill(tones["white" if white else "card"])
        corners = [(0, 0), (1, aspect), (1, 0), (0, aspect)]
        for x, y in corners if all_four else corners[:2]:
            across, down = (1 if x == 0 else -1), (1 if y == 0 else -1)
            canvas.polygon(
                np.array([(x, y), (x + reach * across, y), (x, y + reach * down)]), tones[tone]
            )

    box = (float(rng.uniform(0.42, 0.56)), float(rng.uniform(0.38, 0.52)) * aspect)
    return Ground(paint, "white" if white else "card", box, in_the_middle(aspect), tone)


def pattern_oval(rng: np.random.Generator, aspect: float) -> Ground:
    """A patterned ground with a plain disc or oval behind the digit."""
    kind, seed = str(rng.choice(PATTERNS)), int(rng.integers(1 << 31))
    wide, high = float(rng.uniform(0.3, 0.44)), float(rng.uniform(0.28, 0.4)) * aspect
    shape = oval((0.5, aspect / 2), (wide, high), float(rng.uniform(-30, 30)))
    tone = str(rng.choice(["white", "card", "pale"]))
    ink_tone, strength = str(rng.choice(["white", "black"])), float(rng.uniform(0.15, 0.5))

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        canvas.fill(tones["card"])
        ink = mix(tones["card"], tones[ink_tone], strength)
        paint_pattern(canvas, kind, ink, np.random.default_rng(seed))
        canvas.polygon(shape, tones[tone])

    behind = "card" if tone == "card" else "white"
    reach = min(wide, high)
    return Ground(paint, behind, (reach * 1.35, reach * 1.45), in_the_middle(aspect))


def small_art(rng: np.random.Generator, aspect: float) -> Ground:
    """A middling digit in a plate, and a drawing of shapes around it."""
    seed = int(rng.integers(1 << 31))
    inks = [str(name) for name in rng.choice(["dark", "light", "pale", "white", "shade"], 3)]
    y = aspect * float(rng.uniform(0.4, 0.6))
    radius = float(rng.uniform(0.22, 0.3))
    plate = str(rng.choice(["white", "card"]))

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        art = np.random.default_rng(seed)
        canvas.fill(tones["card"])
        for number in range(int(art.integers(5, 14))):
            spot = (float(art.random()), float(art.random()) * aspect)
            size, sides = float(art.uniform(0.06, 0.3)), int(art.integers(3, 9))
            shade = mix(tones["card"], tones[inks[number % 3]], 0.6)
            canvas.polygon(regular(spot, size, sides, float(art.uniform(0, 360))), shade)
        canvas.disc((0.5, y), radius, tones[plate])

    return Ground(paint, plate, (radius * 1.3, radius * 1.5), ((0.5, y, 0.0),))


def blob(rng: np.random.Generator, aspect: float) -> Ground:
    """A splash with a wavy edge."""
    angles = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    reach = np.ones_like(angles)
    for waves in range(2, int(rng.integers(4, 9))):
        reach += float(rng.uniform(0, 0.09)) * np.cos(waves * angles + float(rng.uniform(0, 6.3)))
    wide, high = float(rng.uniform(0.34, 0.42)), float(rng.uniform(0.36, 0.5))
    edge = np.stack([np.cos(angles) * wide, np.sin(angles) * high], axis=1) * reach[:, None]
    inner = float(reach.min())
    return _shape_ground(
        rng, aspect, edge + np.array((0.5, aspect / 2)), (wide * 1.35 * inner, high * 1.35 * inner)
    )


def ribbon(rng: np.random.Generator, aspect: float) -> Ground:
    """A ribbon with cut ends under the digit."""
    half = float(rng.uniform(0.22, 0.3))
    notch, tone = float(rng.uniform(0.04, 0.1)), str(rng.choice(["white", "black", "pale"]))

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        canvas.fill(tones["card"])
        middle = aspect / 2
        left = [(0.04, middle + half), (0.04 + notch, middle), (0.04, middle - half)]
        right = [(0.96, middle - half), (0.96 - notch, middle), (0.96, middle + half)]
        canvas.polygon(np.array([*left, *right]), tones[tone])

    behind = "black" if tone == "black" else "white"
    return Ground(paint, behind, (0.5, half * 1.7), in_the_middle(aspect))
