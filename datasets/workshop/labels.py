"""Pictures and what is true of them: labels in pixels, as one JSON line and for ultralytics.

A label's quad starts at the card's own top-left corner and goes clockwise as the card is read, so
that it also tells the card's heading.

>>> label = Label("R5", Face.NUMBER, ((10.0, 20.0), (50.0, 20.0), (50.0, 76.0), (10.0, 76.0)), 1.0)
>>> round(label.short_side_px)
40
>>> obb_line(label, width_px=100, height_px=100)
'0 0.10000 0.20000 0.50000 0.20000 0.50000 0.76000 0.10000 0.76000'
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from companion.rules.cards import Face
from companion.vision.values import Image, Quad

Slice: TypeAlias = str | float | int | bool

STRANGER = "stranger"
"""The text of a card that is none of ours."""

CLASSES = ("number", "target_back", "tweak", "tweak_back", "seven")
"""The sides that a detector tells apart, in the order of their class numbers."""

SMALLEST_VISIBLE = 0.25
"""A card with less than this share in sight is no target for a detector."""


@dataclass(frozen=True, slots=True)
class Label:
    """One card in a picture.

    Attributes:
        card: the card's text (``R5``, ``#9``, ``T!thief`` …) or ``stranger``.
        face: which side lies up; for strangers the side that it most resembles.
        quad_px: corners in pixels, from the card's own top-left, clockwise.
        visible: share of the card's area that is in sight, 0-1.
    """

    card: str
    face: Face
    quad_px: Quad
    visible: float

    @property
    def short_side_px(self) -> float:
        """Mean length of the card's two short sides, in pixels."""
        a, b, c, d = self.quad_px
        return (math.dist(a, b) + math.dist(c, d)) / 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A made picture with its truth.

    Attributes:
        bgr: uint8 array of shape (height, width, 3).
        cards: every card of which something is in the frame.
        slices: what the picture is like (lamp, light, glare, table, tilt …), to score by.
    """

    bgr: Image
    cards: tuple[Label, ...]
    slices: Mapping[str, Slice]


def json_line(image: str, picture: Picture) -> str:
    """One line of ``labels.jsonl`` (no line end) for a picture stored as ``image``."""
    height_px, width_px = picture.bgr.shape[:2]
    record: dict[str, Any] = {
        "image": image,
        "width": width_px,
        "height": height_px,
        "slices": dict(picture.slices),
        "cards": [
            {
                "card": label.card,
                "face": label.face.value,
                "quad": [[round(x, 2), round(y, 2)] for x, y in label.quad_px],
                "visible": round(label.visible, 3),
            }
            for label in picture.cards
        ],
    }
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False)


def obb_line(label: Label, width_px: int, height_px: int) -> str:
    """One line of an ultralytics OBB label file: class, four corners in shares of the frame."""
    corners = " ".join(
        f"{min(1.0, max(0.0, x / width_px)):.5f} {min(1.0, max(0.0, y / height_px)):.5f}"
        for x, y in label.quad_px
    )
    return f"{CLASSES.index(label.face.value)} {corners}"


def obb_lines(picture: Picture) -> tuple[str, ...]:
    """The ultralytics lines of a picture; cards hardly in sight are left out."""
    height_px, width_px = picture.bgr.shape[:2]
    return tuple(
        obb_line(label, width_px, height_px)
        for label in picture.cards
        if label.visible >= SMALLEST_VISIBLE
    )
