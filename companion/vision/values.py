"""What flows through the eyes: frames, readings, sightings, views. Frozen values all.

>>> doubtful = Reading(options=((parse_card("R5"), 0.6), (parse_card("O5"), 0.38)), sure=False)
>>> str(doubtful), doubtful.colour, doubtful.value
('R5?O5', None, 5)
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from companion.errors import BadInput
from companion.rules.cards import (
    Card,
    Colour,
    Face,
    NumberCard,
    TargetBack,
    Tweak,
    TweakCard,
    parse_card,
)
from companion.vision.move import Move

Image: TypeAlias = npt.NDArray[np.uint8]
Point: TypeAlias = tuple[float, float]
Quad: TypeAlias = tuple[Point, Point, Point, Point]

PLAUSIBLE = 0.02
"""Alternatives below this probability are left out of a doubtful reading's text and parts."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture from the camera.

    Attributes:
        bgr: uint8 array of shape (height, width, 3), made read-only here.
        taken_at_s: monotonic clock at the grab, in seconds.
        number: counts the frames of one source from 0.
    """

    bgr: Image
    taken_at_s: float
    number: int = 0

    def __post_init__(self) -> None:
        if self.bgr.dtype != np.uint8 or self.bgr.ndim != 3 or self.bgr.shape[2] != 3:
            raise BadInput(
                f"a frame is uint8 (height, width, 3), not {self.bgr.dtype} {self.bgr.shape}"
            )
        self.bgr.flags.writeable = False

    @property
    def width_px(self) -> int:
        """Width in pixels."""
        return int(self.bgr.shape[1])

    @property
    def height_px(self) -> int:
        """Height in pixels."""
        return int(self.bgr.shape[0])


@dataclass(frozen=True, slots=True)
class Reading:
    """What a card seems to be: every plausible card with its probability, best first.

    Attributes:
        options: (card, probability) best first; empty when it is none of our cards.
        sure: whether the best may be used without asking.
        stranger: probability that it is none of our cards.
    """

    options: tuple[tuple[Card, float], ...]
    sure: bool
    stranger: float = 0.0

    def __post_init__(self) -> None:
        scores = [score for _, score in self.options]
        if scores != sorted(scores, reverse=True) or any(not 0 <= s <= 1 for s in scores):
            raise BadInput(f"options come best first with probabilities 0-1, not {scores}")
        if self.sure and not self.options:
            raise BadInput("a sure reading needs a card")

    @property
    def best(self) -> Card | None:
        """The likeliest card, None when it is none of ours."""
        return self.options[0][0] if self.options else None

    @property
    def score(self) -> float:
        """Probability of the best card."""
        return self.options[0][1] if self.options else 0.0

    @property
    def plausible(self) -> tuple[Card, ...]:
        """The cards it may be: one where sure, else all above :data:`PLAUSIBLE`."""
        if self.sure:
            return (self.options[0][0],)
        likely = tuple(card for card, score in self.options if score >= PLAUSIBLE)
        return likely or tuple(card for card, _ in self.options[:1])

    @property
    def face(self) -> Face:
        """The side that shows; ``UNKNOWN`` when the plausible cards disagree or there are none."""
        faces = {card.face for card in self.plausible}
        return faces.pop() if len(faces) == 1 else Face.UNKNOWN

    @property
    def colour(self) -> Colour | None:
        """The colour of a number card, None where that is the doubt."""
        colours = {card.colour if isinstance(card, NumberCard) else None for card in self.plausible}
        return colours.pop() if len(colours) == 1 else None

    @property
    def value(self) -> int | None:
        """The number printed large (1-6, or the target 7-10), None where that is the doubt."""
        values: set[int | None] = set()
        for card in self.plausible:
            if isinstance(card, NumberCard):
                values.add(card.value)
            elif isinstance(card, TargetBack):
                values.add(card.target)
            else:
                values.add(7 if card.face is Face.SEVEN else None)
        return values.pop() if len(values) == 1 else None

    @property
    def tweak(self) -> Tweak | None:
        """The kind of a T! card, None where that is the doubt."""
        kinds = {card.kind if isinstance(card, TweakCard) else None for card in self.plausible}
        return kinds.pop() if len(kinds) == 1 else None

    def __str__(self) -> str:
        cards = [str(card) for card in self.plausible[:3]]
        if self.sure:
            return cards[0]
        return "?".join(cards) if len(cards) > 1 else f"{''.join(cards)}?"


def parse_reading(text: str) -> Reading:
    """Read a reading's text back (``R5``, ``R5?O5``, ``R5?``, ``?``); probabilities are even.

    >>> str(parse_reading("R5?O5")), str(parse_reading("R5")), str(parse_reading("?"))
    ('R5?O5', 'R5', '?')
    """
    cards = [parse_card(word) for word in text.split("?") if word]
    sure = "?" not in text
    share = 1.0 if sure else 1.0 / max(2, len(cards))
    return Reading(options=tuple((card, share) for card in cards), sure=sure)


@dataclass(frozen=True, slots=True)
class Sighting:
    """One card found in one picture (or over several, once settled).

    Attributes:
        quad_px: four corners in order round the card, in pixels of the full frame.
        reading: what the card seems to be.
        found: probability that a card is there at all.
    """

    quad_px: Quad
    reading: Reading
    found: float

    @property
    def centre_px(self) -> Point:
        """The middle of the card in pixels."""
        return (
            sum(x for x, _ in self.quad_px) / 4.0,
            sum(y for _, y in self.quad_px) / 4.0,
        )


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything seen in one picture, or settled over several still ones.

    Attributes:
        sightings: what is reported.
        faint: what reads like a card of ours and is hardly believed to be there: never reported,
            but it may be the one that the books of a round miss.
    """

    sightings: tuple[Sighting, ...]
    taken_at_s: float
    frame_number: int
    width_px: int
    height_px: int
    faint: tuple[Sighting, ...] = ()


class TableState(Enum):
    """How the table looks right now; only STILL is read."""

    NO_CAMERA = "no camera"
    HAND = "hand in view"
    MOVING = "moving"
    STILL = "still"
    CLEARED = "cleared"


@dataclass(frozen=True, slots=True)
class Look:
    """What the eyes hand on after each frame.

    Attributes:
        state: how the table looks now.
        since_s: since when, on the frames' clock.
        live: what this one picture shows, for drawing only.
        settled: the newest settled view, None before the first; scoring uses nothing else.
        frame: the picture itself.
        settled_frame: the picture that belongs to ``settled``.
        reason: one line for people, empty when all is well.
        bump: how the picture moved since the settled view before, on the one look whose settled
            view is the first after the bump; None where the camera stayed.
        lost: everything looks different and no movement explains it, on one look likewise.
    """

    state: TableState
    since_s: float
    live: TableView
    settled: TableView | None
    frame: Frame
    settled_frame: Frame | None
    reason: str = ""
    bump: Move | None = None
    lost: bool = False
