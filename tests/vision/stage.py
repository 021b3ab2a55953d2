"""A small stage for stories: a noisy table with plain cards, and eyes that follow a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from companion.vision.opencv import cv2
from companion.vision.settle import Settler
from companion.vision.values import (
    Frame,
    Image,
    Look,
    Quad,
    Sighting,
    TableView,
    parse_reading,
)

WIDTH_PX, HEIGHT_PX = 640, 360
STEP_S = 0.1


def quad_at(x: float, y: float, width: float = 44.0, height: float = 64.0) -> Quad:
    """An upright card with its top left corner here."""
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def sighting(text: str, at: tuple[float, float], found: float = 0.9) -> Sighting:
    return Sighting(quad_px=quad_at(*at), reading=parse_reading(text), found=found)


def view_of(sightings: Sequence[Sighting], at_s: float = 0.0, number: int = 0) -> TableView:
    return TableView(tuple(sightings), at_s, number, WIDTH_PX, HEIGHT_PX)


@dataclass
class Stage:
    """Makes frames ten times a second and lets a settler look at each."""

    cards: dict[tuple[float, float], str] = field(default_factory=dict)
    settler: Settler = field(default_factory=Settler)
    number: int = 0
    gain: float = 1.0
    hand_at: int | None = None
    edge_hand: int | None = None
    shift_px: int = 0
    glare: bool = False
    calls: int = 0

    def __post_init__(self) -> None:
        noise = np.random.default_rng(7)
        self._noise = [noise.normal(0, 3, (HEIGHT_PX, WIDTH_PX, 3)) for _ in range(4)]
        grain = np.random.default_rng(3).normal(0, 12, (HEIGHT_PX // 8, WIDTH_PX // 8, 3))
        wood = cv2.resize(grain, (WIDTH_PX, HEIGHT_PX)) + np.array([70.0, 95.0, 120.0])
        self._table = np.clip(wood, 0, 255)

    def paint_over(self, seed: int) -> None:
        """Another table altogether, with large marks on it."""
        marks = np.random.default_rng(seed).uniform(20, 235, (9, 16, 3))
        self._table = cv2.resize(marks, (WIDTH_PX, HEIGHT_PX), interpolation=cv2.INTER_CUBIC)

    def picture(self) -> Image:
        bgr = self._table.copy()
        for (x, y), text in self.cards.items():
            left, top = int(x), int(y)
            bgr[top : top + 64, left : left + 44] = 235
            ink = 40 + 25 * (sum(map(ord, text)) % 7)
            bgr[top + 14 : top + 50, left + 12 : left + 32] = (ink, 200 - ink, ink // 2)
        if self.hand_at is not None:
            bgr[180:, self.hand_at : self.hand_at + 110] = (110, 150, 205)
        if self.edge_hand is not None:
            wag = 9 * (self.number % 3)
            bgr[300:, self.edge_hand + wag : self.edge_hand + wag + 120] = (110, 150, 205)
        if self.glare:
            bgr[60:220, 60:220] = 252
        bgr = np.roll(bgr, self.shift_px, axis=1) * self.gain
        bgr += np.roll(self._noise[self.number % 4], 31 * self.number, axis=0)
        return np.asarray(np.clip(bgr, 0, 255), dtype=np.uint8)

    def seen(self) -> list[Sighting]:
        return [
            sighting(text, (x + self.shift_px, y))
            for (x, y), text in self.cards.items()
            if not (self.glare and 40 < x < 220 and 40 < y < 220)
            and not (self.hand_at is not None and y > 130 and abs(x - self.hand_at - 40) < 90)
        ]

    def step(self, script: Sequence[Sighting] | None = None) -> Look:
        """One frame on; ``script`` replaces what the eyes see."""
        frame = Frame(self.picture(), self.number * STEP_S, self.number)
        self.number += 1
        view = None
        if script is not None or self.settler.needs_look(frame):
            self.calls += 1
            found = self.seen() if script is None else script
            view = view_of(found, frame.taken_at_s, frame.number)
        return self.settler.look(frame, view)

    def steps(self, count: int, script: Sequence[Sighting] | None = None) -> Look:
        return [self.step(script) for _ in range(count)][-1]

    def lay(self, cards: Mapping[tuple[float, float], str]) -> Look:
        """A hand comes in, lays cards, and goes."""
        for hand_at in (300, 330, 360):
            self.hand_at = hand_at
            self.step()
        self.cards.update(cards)
        for hand_at in (340, 310):
            self.hand_at = hand_at
            self.step()
        self.hand_at = None
        return self.steps(6)


def names(look: Look) -> list[str]:
    assert look.settled is not None
    return sorted(str(one.reading) for one in look.settled.sightings)


def turned(one: Sighting, dx: float, dy: float) -> Sighting:
    a, b, c, d = ((x + dx, y + dy) for x, y in one.quad_px)
    return replace(one, quad_px=(b, c, d, a))
