"""Stand-ins at the seams of a night: a calendar, a camera, eyes that see what they are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import numpy as np

from companion.night.session import Session
from companion.night.values import CameraNow
from companion.table.observe import Observer
from companion.table.values import Zones
from companion.vision.capture import CameraHealth
from companion.vision.values import (
    Frame,
    Look,
    Quad,
    Sighting,
    TableState,
    TableView,
    parse_reading,
)

WIDTH_PX, HEIGHT_PX = 640, 360
DECK: Quad = ((0.0, 0.5), (0.2, 0.5), (0.2, 1.0), (0.0, 1.0))


@dataclass
class FakeCalendar:
    now: datetime = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def passes(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


def card_at(place: int) -> Quad:
    """Eight cards beside each other, well above the deck."""
    left = 20.0 + 75.0 * place
    return ((left, 20.0), (left + 50.0, 20.0), (left + 50.0, 95.0), (left, 95.0))


DECK_CARD: Quad = ((20.0, 220.0), (70.0, 220.0), (70.0, 295.0), (20.0, 295.0))


def sightings(cards: Sequence[str], deck: str | None = None) -> tuple[Sighting, ...]:
    """Cards in a row (an empty text leaves a gap), and the deck's top card."""
    row = [
        Sighting(card_at(place), parse_reading(text), 0.99)
        for place, text in enumerate(cards)
        if text
    ]
    top = [Sighting(DECK_CARD, parse_reading(deck), 0.99)] if deck else []
    return (*row, *top)


def frame_at(number: int, bgr: np.ndarray | None = None) -> Frame:
    if bgr is None:
        bgr = np.full((HEIGHT_PX, WIDTH_PX, 3), 90, np.uint8)
    return Frame(bgr=bgr.astype(np.uint8), taken_at_s=number / 10, number=number)


@dataclass
class FakeTable:
    """A table that is laid by the test and looked at by the session, always still."""

    session: Session
    number: int = 0
    observer: Observer = field(default_factory=lambda: Observer(Zones(deck=DECK)))

    def shows(
        self,
        cards: Sequence[str],
        deck: str | None = None,
        state: TableState = TableState.STILL,
        faint: Sequence[str] = (),
    ) -> None:
        """Lay cards down; faint ones lie on behind them and are hardly believed in."""
        self.number += 10
        frame = frame_at(self.number)
        seen = sightings(cards, deck)
        hardly = sightings([*[""] * len(cards), *faint])
        view = TableView(seen, frame.taken_at_s, frame.number, WIDTH_PX, HEIGHT_PX, hardly)
        look = Look(state, frame.taken_at_s, view, view, frame, frame)
        self.session.saw(look, self.observer.saw(view), self.observer.scene)

    def hides_under_a_hand(self) -> None:
        self.number += 1
        frame = frame_at(self.number)
        view = TableView((), frame.taken_at_s, frame.number, WIDTH_PX, HEIGHT_PX)
        reason = "something reaches into the picture"
        look = Look(TableState.HAND, frame.taken_at_s, view, None, frame, None, reason)
        self.session.saw(look)

    def freezes(self) -> None:
        self.number += 1
        frame = frame_at(self.number)
        view = TableView((), frame.taken_at_s, frame.number, WIDTH_PX, HEIGHT_PX)
        reason = "the camera shows the same picture over and over"
        look = Look(TableState.NO_CAMERA, frame.taken_at_s, view, None, frame, None, reason)
        self.session.camera_is(CameraNow(True, False, "0", reason))
        self.session.saw(look)


@dataclass
class FakeLens:
    """A camera whose pictures come one by one, each with the health the test sets."""

    frames: list[Frame] = field(default_factory=list)
    ok: bool = True
    reason: str = ""

    def wait_newer(self, number: int, timeout_s: float = 1.0) -> Frame | None:
        newer = [frame for frame in self.frames if frame.number > number]
        return newer[0] if newer else None

    def health(self) -> CameraHealth:
        return CameraHealth(self.ok, self.reason)


@dataclass
class FakeEyes:
    """Eyes that see what they are told, or fail as they are told."""

    seen: tuple[Sighting, ...] = ()
    fault: Exception | None = None

    def see(self, frame: Frame) -> TableView:
        if self.fault is not None:
            raise self.fault
        return TableView(self.seen, frame.taken_at_s, frame.number, frame.width_px, frame.height_px)
