"""Layouts of flat grounds, frames, bands and splits."""

from __future__ import annotations

import numpy as np

from datasets.workshop.layouts_brush import (
    PATTERNS,
    Canvas,
    inset,
    paint_pattern,
    rectangle,
    regular,
    turned,
)
from datasets.workshop.layouts_ground import Ground, Tones, in_the_middle
from datasets.workshop.palette import mix


def _big_box(rng: np.random.Generator, aspect: float) -> tuple[float, float]:
    return float(rng.uniform(0.45, 0.72)), float(rng.uniform(0.4, 0.62)) * aspect


def full(rng: np.random.Generator, aspect: float) -> Ground:
    """The whole card in its colour."""

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        canvas.fill(tones["card"])

    return Ground(paint, "card", _big_box(rng, aspect), in_the_middle(aspect), bordered=(0, 0))


def bordered(rng: np.random.Generator, aspect: float) -> Ground:
    """A coloured panel within a wide border."""

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        canvas.fill(tones["card"])

    box = (float(rng.uniform(0.45, 0.66)), float(rng.uniform(0.4, 0.55)) * aspect)
    return Ground(paint, "card", box, in_the_middle(aspect), bordered=(0.035, 0.1))


def white_card(rng: np.random.Generator, aspect: float) -> Ground:
    """A white card whose digit alone is coloured."""

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        canvas.fill(tones["white"])

    box = (float(rng.uniform(0.55, 0.78)), float(rng.uniform(0.5, 0.68)) * aspect)
    spots = in_the_middle(aspect)
    return Ground(paint, "white", box, spots, "white", digit_fill="card", bordered=(0, 0))


def white_frame(rng: np.random.Generator, aspect: float) -> Ground:
    """A white card with a coloured frame."""
    edge, width = float(rng.uniform(0, 0.06)), float(rng.uniform(0.03, 0.13))
    radius = float(rng.choice([0.0, 0.04, 0.08, 0.15]))

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        canvas.fill(tones["white"])
        canvas.polygon(inset(aspect, edge, radius), tones["card"])
        canvas.polygon(inset(aspect, edge + width, radius * 0.7), tones["white"])

    box = (float(rng.uniform(0.42, 0.6)), float(rng.uniform(0.36, 0.55)) * aspect)
    fill = "card" if width < 0.06 or rng.random() < 0.5 else ""
    return Ground(
        paint, "white", box, in_the_middle(aspect), "white", digit_fill=fill, bordered=(0, 0)
    )


def frame_in_frame(rng: np.random.Generator, aspect: float) -> Ground:
    """Frames of several tones, one in another."""
    steps = np.sort(rng.uniform(0.02, 0.2, int(rng.integers(1, 4))))
    names = ["pale", "dark", "white", "black", "shade", "light"]
    rims = [str(name) for name in rng.choice(names, len(steps))]
    radius = float(rng.choice([0.0, 0.05, 0.1]))
    thin = bool(rng.random() < 0.6)

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        canvas.fill(tones["card"])
        for step, name in zip(steps, rims, strict=True):
            canvas.polygon(inset(aspect, float(step), radius), tones[name])
            inner = float(step) + (0.015 if thin else 0.04)
            canvas.polygon(inset(aspect, inner, radius), tones["card"])

    box = (float(rng.uniform(0.4, 0.55)), float(rng.uniform(0.35, 0.5)) * aspect)
    return Ground(paint, "card", box, in_the_middle(aspect))


def band(rng: np.random.Generator, aspect: float) -> Ground:
    """A band across a coloured card, or a coloured band across a white one."""
    angle = float(rng.choice([0.0, 90.0, rng.uniform(15, 75), rng.uniform(105, 165)]))
    half = float(rng.uniform(0.22, 0.34))
    inverse = bool(rng.random() < 0.4)
    lined = bool(rng.random() < 0.4)

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        middle = np.array(canvas.middle)
        canvas.fill(tones["white" if inverse else "card"])
        for reach, tone in ((half + 0.03, "dark"), (half, "card" if inverse else "white")):
            if tone != "dark" or lined:
                strip = np.array([(-2, -reach), (2, -reach), (2, reach), (-2, reach)])
                canvas.polygon(turned(strip, angle) + middle, tones[tone])

    box = (min(0.6, half * 1.8), half * 1.8)
    behind, corners = ("card", "white") if inverse else ("white", "card")
    return Ground(paint, behind, box, in_the_middle(aspect), corners)


def gradient(rng: np.random.Generator, aspect: float) -> Ground:
    """The colour running into a darker or lighter tone of itself."""
    tone = str(rng.choice(["shade", "dark", "light"]))
    angle, round_ = float(rng.uniform(0, 2 * np.pi)), bool(rng.random() < 0.3)

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        height, width = canvas.rgb.shape[:2]
        y, x = (
            np.mgrid[0:height, 0:width] / canvas.unit - np.array(canvas.middle[::-1])[:, None, None]
        )
        if round_:
            share = np.hypot(x, y) / np.hypot(0.5, aspect / 2)
        else:
            along = x * np.cos(angle) + y * np.sin(angle)
            share = (along - along.min()) / np.ptp(along)
        canvas.fill(tones["card"])
        end = mix(tones["card"], tones[tone], 0.8)
        canvas.blend((share * 255).astype(np.uint8), end)

    return Ground(paint, "card", _big_box(rng, aspect), in_the_middle(aspect))


def patterned(rng: np.random.Generator, aspect: float) -> Ground:
    """The colour with a pattern in a near tone."""
    kind = str(rng.choice(PATTERNS))
    tone, strength = (
        str(rng.choice(["white", "black", "dark", "light"])),
        float(rng.uniform(0.1, 0.4)),
    )
    seed = int(rng.integers(1 << 31))

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        canvas.fill(tones["card"])
        ink = mix(tones["card"], tones[tone], strength)
        paint_pattern(canvas, kind, ink, np.random.default_rng(seed))

    return Ground(paint, "card", _big_box(rng, aspect), in_the_middle(aspect))


def panel(rng: np.random.Generator, aspect: float) -> Ground:
    """Colour above and white below, or the other way round, with the digit in the larger part."""
    share = float(rng.uniform(0.6, 0.78))
    coloured, on_top = bool(rng.random() < 0.6), bool(rng.random() < 0.5)

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        canvas.fill(tones["white" if coloured else "card"])
        top, bottom = (0.0, share * aspect) if on_top else ((1 - share) * aspect, aspect)
        canvas.polygon(rectangle((0, top), (1, bottom)), tones["card" if coloured else "white"])

    y = share * aspect / 2 if on_top else aspect - share * aspect / 2
    box = (float(rng.uniform(0.4, 0.62)), share * aspect * 0.72)
    behind = "card" if coloured else "white"
    return Ground(paint, behind, box, ((0.5, y, 0.0),), room=False)


def two_halves(rng: np.random.Generator, aspect: float) -> Ground:
    """The digit twice: upright above, turned below."""
    line = str(rng.choice(["white", "black", "dark", "card"]))
    second = str(rng.choice(["card", "card", "shade"]))
    tilt = float(rng.choice([0.0, rng.uniform(-0.25, 0.25)]))

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        canvas.fill(tones["card"])
        low = [(0, aspect / 2 + tilt), (1, aspect / 2 - tilt), (1, aspect), (0, aspect)]
        canvas.polygon(np.array(low), tones[second])
        canvas.path(np.array(low[:2]), tones[line], 0.015)

    box = (float(rng.uniform(0.45, 0.7)), float(rng.uniform(0.3, 0.38)) * aspect)
    spots = ((0.5, aspect * 0.27, 0.0), (0.5, aspect * 0.73, 180.0))
    return Ground(paint, "card", box, spots, room=False)


def pip_count(rng: np.random.Generator, aspect: float) -> Ground:
    """As many pips below the digit as its value."""
    sides, size = int(rng.integers(3, 9)), float(rng.uniform(0.035, 0.055))
    below, white = bool(rng.random() < 0.6), bool(rng.random() < 0.4)
    ink = "card" if white else str(rng.choice(["white", "dark", "black"]))

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        canvas.fill(tones["white" if white else "card"])
        y = aspect * (0.84 if below else 0.16)
        for pip in range(value):
            x = 0.5 + (pip - (value - 1) / 2) * 0.12
            canvas.polygon(regular((x, y), size, sides, 0.0), tones[ink])

    y = aspect * (0.44 if below else 0.56)
    box = (float(rng.uniform(0.5, 0.7)), float(rng.uniform(0.42, 0.52)) * aspect)
    tone = "white" if white else "card"
    return Ground(paint, tone, box, ((0.5, y, 0.0),), tone, "card" if white else "", room=False)


def huge(rng: np.random.Generator, aspect: float) -> Ground:
    """A digit that fills the card."""
    white = bool(rng.random() < 0.35)

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        canvas.fill(tones["white" if white else "card"])

    box = (float(rng.uniform(0.78, 0.88)), float(rng.uniform(0.74, 0.86)) * aspect)
    tone = "white" if white else "card"
    spots = in_the_middle(aspect)
    return Ground(paint, tone, box, spots, tone, "card" if white else "", (0, 0.03), room=False)


def quarters(rng: np.random.Generator, aspect: float) -> Ground:
    """Four fields in tones of the colour."""
    names = [str(name) for name in rng.choice(["card", "shade", "light", "card"], 4)]

    def paint(canvas: Canvas, tones: Tones, value: int) -> None:
        canvas.fill(tones["card"])
        for number, name in enumerate(names):
            x, y = number % 2 * 0.5, number // 2 * aspect / 2
            canvas.polygon(rectangle((x, y), (x + 0.5, y + aspect / 2)), tones[name])

    return Ground(paint, "card", _big_box(rng, aspect), in_the_middle(aspect))
