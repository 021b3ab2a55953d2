from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from companion.night.board import Board
from companion.night.follow import CHECK_ZONES
from companion.night.journal import Journal
from companion.night.session import Session
from companion.night.watch import Watch
from companion.settings import Settings
from companion.vision.opencv import cv2
from companion.vision.settle import DARK
from companion.vision.values import Sighting, TableState
from tests.night.fakes import DECK, FakeEyes, FakeLens, frame_at, sightings

SETTINGS = Settings(camera="0", looks_per_s=60.0)


class Watching:
    """A watcher that looks at one frame after the other, without a thread or a clock."""

    def __init__(self, board: Board) -> None:
        self.lens, self.eyes = FakeLens(), FakeEyes()
        self.number = 0
        self.table: np.ndarray | None = None
        self.watch = Watch(board, self.lens, self.eyes, SETTINGS, clock=lambda: self.number / 10)

    def looks(self, times: int = 8) -> None:
        for _ in range(times):
            self.number += 1
            self.lens.frames = [frame_at(self.number, self.table)]
            self.watch.step()

    def shows(self, cards: list[str], deck: str | None = None) -> None:
        self.eyes.seen = sightings(cards, deck)
        # The networks look at a table that stays still every few seconds.
        self.number += 40
        self.looks(12)

    def bump(self, right_px: int) -> None:
        assert self.table is not None
        self.table = np.roll(self.table, right_px, axis=1)
        self.eyes.seen = tuple(shifted(one, right_px) for one in self.eyes.seen)


def painted(seed: int) -> np.ndarray:
    """A table with marks all over it."""
    marks = np.random.default_rng(seed).uniform(30, 220, (36, 64, 3))
    return np.asarray(cv2.resize(marks, (640, 360), interpolation=cv2.INTER_CUBIC))


def shifted(one: Sighting, right_px: int) -> Sighting:
    a, b, c, d = ((x + right_px, y) for x, y in one.quad_px)
    return replace(one, quad_px=(a, b, c, d))


@pytest.fixture
def watching(session: Session) -> Watching:
    return Watching(session)


def test_cards_that_lie_still_are_named_and_journaled(session: Session, watching: Watching) -> None:
    session.set_zones(DECK)
    watching.shows(["R1", "Y3"], deck="#9")
    shown = session.snapshot()
    assert [event.text for event in shown.events] == ["target ? → 9", "Y3 laid", "R1 laid"]
    assert shown.live.state is TableState.STILL
    assert (shown.camera.ok, shown.camera.source) == (True, "0")
    assert shown.table.target == 9


def test_the_deck_is_guessed_till_the_players_say_where_it_is(
    session: Session, watching: Watching
) -> None:
    watching.shows(["R1"], deck="#9")
    shown = session.snapshot()
    assert shown.zones.deck is not None
    assert shown.table.target == 9
    events = shown.events
    session.set_zones(DECK)
    watching.looks(2)
    assert session.snapshot().zones.deck == DECK
    assert session.snapshot().events == events


def test_moving_the_zones_is_no_event_on_the_table(session: Session, watching: Watching) -> None:
    session.set_zones(DECK)
    watching.shows(["R1", "Y3"], deck="#9")
    before = session.snapshot().events
    session.set_zones(DECK, ((0.0, 0.0), (0.12, 0.0), (0.12, 0.4), (0.0, 0.4)))
    watching.looks(2)
    assert [card.text for card in session.snapshot().table.cards] == ["R1"]
    assert session.snapshot().events == before


def test_a_bumped_camera_takes_cards_and_zones_along_and_nothing_happened(
    session: Session, watching: Watching
) -> None:
    session.set_zones(DECK)
    watching.table = painted(seed=5)
    watching.shows(["R1", "Y3"], deck="#9")
    before = session.snapshot()
    watching.bump(40)
    watching.looks(12)
    after = session.snapshot()
    assert after.events == before.events
    assert after.live.state is TableState.STILL
    assert after.zones.deck is not None
    assert after.zones.deck[1][0] == pytest.approx(DECK[1][0] + 40 / 640, abs=0.005)
    assert (after.table.target, len(after.table.cards)) == (9, 2)
    assert Session(session._ledger.journal).snapshot().zones == after.zones


def test_guessed_zones_move_along_too(session: Session, watching: Watching) -> None:
    watching.table = painted(seed=5)
    watching.shows(["R1"], deck="#9")
    before = session.snapshot()
    watching.bump(40)
    watching.looks(12)
    after = session.snapshot()
    assert before.zones.deck is not None
    assert after.zones.deck is not None
    assert after.zones.deck[0][0] == pytest.approx(before.zones.deck[0][0] + 40 / 640, abs=0.005)
    assert (after.events, after.id) == (before.events, before.id)


def test_where_everything_is_another_nothing_is_entered_and_the_zones_are_asked_about(
    session: Session, watching: Watching
) -> None:
    session.set_zones(DECK)
    watching.table = painted(seed=5)
    watching.shows(["R1", "Y3"], deck="#9")
    before = session.snapshot().events
    watching.table = painted(seed=6)
    watching.eyes.seen = sightings(["B2", "G4"], "#8")
    watching.looks(60)
    asking = session.snapshot()
    assert asking.events == before
    assert asking.live.reason == CHECK_ZONES
    session.set_zones(DECK)
    watching.looks(2)
    assert session.snapshot().live.reason == ""
    assert session.snapshot().events == before


def test_a_lamp_switched_off_and_on_is_no_event(session: Session, watching: Watching) -> None:
    watching.table = painted(seed=5)
    watching.shows(["R1", "Y3"], deck="#9")
    before = session.snapshot()
    lit, seen = watching.table, watching.eyes.seen
    watching.table, watching.eyes.seen = (lit * 0.05).astype(np.uint8), ()
    watching.looks(40)
    dark = session.snapshot()
    assert (dark.live.state, dark.live.reason) == (TableState.MOVING, DARK)
    assert dark.table == before.table
    watching.table, watching.eyes.seen = lit, seen
    watching.looks(12)
    assert session.snapshot().events == before.events
    assert session.snapshot().live.state is TableState.STILL


def test_a_lost_camera_is_named_and_the_table_stays(session: Session, watching: Watching) -> None:
    watching.shows(["R1"], deck="#9")
    table = session.snapshot().table
    watching.lens.ok, watching.lens.reason = False, "the camera has gone silent"
    watching.watch.step()
    lost = session.snapshot()
    assert (lost.camera.ok, lost.camera.reason) == (False, "the camera has gone silent")
    assert (lost.live.state, lost.live.reason) == (TableState.NO_CAMERA, lost.camera.reason)
    assert lost.table == table
    watching.lens.ok, watching.lens.reason = True, ""
    watching.looks()
    assert session.snapshot().live.state is TableState.STILL


def test_failing_eyes_are_named_and_tried_again(
    session: Session, caplog: pytest.LogCaptureFixture
) -> None:
    eyes = FakeEyes(fault=RuntimeError("out of tensors"))
    frames = [frame_at(number) for number in range(1, 200)]
    watch = Watch(session, FakeLens(frames), eyes, SETTINGS, clock=time.monotonic).start()
    live_id = session.snapshot().live_id
    news = session.wait(0, 5.0, live_id)
    while news is not None and not news.trouble:
        news = session.wait(0, 5.0, news.live_id)
    assert news is not None
    assert "trying again (RuntimeError: out of tensors)" in news.trouble
    assert "looking at the table failed" in caplog.text
    eyes.fault = None
    while news is not None and news.trouble:
        news = session.wait(0, 20.0, news.live_id)  # on a busy machine the pause has grown to 8 s
    watch.stop()
    assert news is not None
    assert news.trouble == ""


def test_without_a_model_the_camera_is_shown_and_the_trouble_named() -> None:
    session = Session(Journal.open("sqlite://"))
    watch = Watch(
        session,
        FakeLens([frame_at(1)]),
        None,
        SETTINGS,
        clock=time.monotonic,
        trouble="no card is read, tap them in: no model",
    ).start()
    news = session.wait(0, 5.0, 0)
    while news is not None and not news.trouble:
        news = session.wait(0, 5.0, news.live_id)
    watch.stop()
    assert news is not None
    assert news.camera.ok
    assert news.trouble == "no card is read, tap them in: no model"
