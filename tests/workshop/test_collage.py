"""Collages: a new layout each time, and a digit's box that lies within one tone."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="drawing decks needs the workshop extra")

from companion.rules.cards import Colour
from datasets.workshop.layouts_brush import Canvas
from datasets.workshop.layouts_collage import collage
from datasets.workshop.layouts_digit import tones_of
from datasets.workshop.palette import draw_palette

pytestmark = pytest.mark.workshop

ASPECT = 1.45


def _painted(seed: int) -> tuple[np.ndarray, tuple[float, float]]:
    rng = np.random.default_rng(seed)
    palette = draw_palette(np.random.default_rng(1))
    tones = tones_of(palette.colours[Colour.BLUE], palette.white, palette.black)
    ground = collage(rng, ASPECT)
    canvas = Canvas(np.empty((290, 200, 3), np.uint8), ASPECT)
    ground.paint(canvas, tones, 3)
    return canvas.rgb, ground.box


@pytest.mark.parametrize("seed", range(12))
def test_the_digit_s_box_is_of_one_tone(seed: int) -> None:
    rgb, (width, height) = _painted(seed)

    x, y = round(100 * (1 - width * 0.8)), round(145 - 100 * height * 0.8)
    inside = rgb[y : 290 - y, x : 200 - x].reshape(-1, 3)

    middle = rgb[145, 100]
    assert width >= 0.3
    assert (np.abs(inside.astype(int) - middle).max(axis=1) < 12).mean() > 0.9


def test_collages_differ() -> None:
    pictures = [_painted(seed)[0] for seed in range(8)]

    gaps = [
        np.abs(one.astype(int) - other).mean()
        for number, one in enumerate(pictures)
        for other in pictures[:number]
    ]

    assert min(gaps) > 1.0


def test_every_collage_shows_its_card_s_colour() -> None:
    palette = draw_palette(np.random.default_rng(1))
    blue = tones_of(palette.colours[Colour.BLUE], palette.white, palette.black)["card"]
    shares = []
    for seed in range(20):
        rgb, _ = _painted(seed)
        shares.append((np.abs(rgb.astype(int) - blue).max(axis=2) < 12).mean())

    assert min(shares) > 0.02
