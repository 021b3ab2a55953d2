"""What a layout hands back: a ground, painted in a card's inks, and where the digit goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from datasets.workshop.layouts_brush import Canvas, Spot
from datasets.workshop.palette import Rgb

Tones: TypeAlias = dict[str, Rgb]
Paint: TypeAlias = Callable[[Canvas, Tones, int], None]


@dataclass(frozen=True, slots=True)
class Ground:
    """One layout's ground, its choices made.

    Attributes:
        paint: paints the canvas in the card's tones; the last argument is the card's value.
        behind: tone behind the digit: card, white or black.
        box: width and height that the digit stays within, in card widths.
        spots: where the digit is printed, each with a turn in degrees on top of its own.
        corners: tone behind the corner indices.
        digit_fill: the only fill allowed, where the digit alone carries the colour.
        bordered: least and greatest width of a border round the ground.
        room: whether the corners are free for indices.
    """

    paint: Paint
    behind: str
    box: Spot
    spots: tuple[tuple[float, float, float], ...]
    corners: str = "card"
    digit_fill: str = ""
    bordered: tuple[float, float] = (0.0, 0.09)
    room: bool = True


Layout: TypeAlias = Callable[[np.random.Generator, float], Ground]


def in_the_middle(aspect: float) -> tuple[tuple[float, float, float], ...]:
    """The usual single spot."""
    return ((0.5, aspect / 2, 0.0),)
