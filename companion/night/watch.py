"""The watcher: newest frame -> eyes -> settled view -> what happened -> session, over and over.

Nothing that goes wrong with camera or eyes ends the watching or disturbs the night: it is named
on the page and tried again, with growing pauses.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from companion.errors import CompanionError
from companion.night.board import Board
from companion.night.values import CameraNow
from companion.settings import Settings
from companion.table.observe import Observer
from companion.table.scene import Scene
from companion.table.values import TableEvent, Zones
from companion.table.zones import guess_zones, split
from companion.vision.pipeline import Eyes
from companion.vision.settle import Settler
from companion.vision.values import Frame, Look, TableState, TableView
from companion.vision.wary import Wary

WAIT_S = 0.25
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 8.0
VIEWS_FOR_GUESS = 20

_LOG = logging.getLogger("companion.watch")


class Health(Protocol):
    """How a camera is doing."""

    @property
    def ok(self) -> bool:
        """Whether the newest picture may be read."""
        ...

    @property
    def reason(self) -> str:
        """One line for people, empty when all is well."""
        ...


class Lens(Protocol):
    """Whatever has a newest frame: a camera, or a test's."""

    def wait_newer(self, number: int, timeout_s: float = 1.0) -> Frame | None:
        """A frame with a number above this one, None when none came in time."""
        ...

    def health(self) -> Health:
        """How it is doing."""
        ...


@dataclass(slots=True)
class _Follower:
    """Turns settled views into what happened, with the zones in force."""

    observer: Observer
    views: list[TableView]
    guessed: Zones

    def follow(self, look: Look, by_hand: Zones) -> tuple[tuple[TableEvent, ...], Scene | None]:
        """What happened since the settled view before; no scene where nothing new settled."""
        view = look.settled
        resting = look.state in (TableState.STILL, TableState.CLEARED)
        other_zones = self._take_zones(by_hand)
        if view is None or not resting:
            return (), self.observer.scene if other_zones and self.views else None
        if self.views and view.frame_number == self.views[-1].frame_number:
            return (), self.observer.scene if other_zones else None
        self.views = [*self.views, view][-VIEWS_FOR_GUESS:]
        if self.observer.zones.deck is None:
            self.guessed = guess_zones(self.views)
            self.observer.zones = Zones(self.guessed.deck, by_hand.table)
        return self.observer.saw(view), self.observer.scene

    def _take_zones(self, by_hand: Zones) -> bool:
        """Take over zones set by hand; what lies there is sorted anew, and nothing happened."""
        wanted = Zones(by_hand.deck or self.guessed.deck, by_hand.table)
        if wanted == self.observer.zones:
            return False
        self.observer.zones = wanted
        if self.views:
            self.observer.restart(split(self.views[-1], wanted))
        return True


class Watch:
    """Watches one camera for one session, in a thread of its own.

    Args:
        board: the session that is told what was seen.
        lens: the camera.
        eyes: reads a frame; None: the picture is shown, and nothing is read.
        settings: how often to look, how many still frames are wanted, which camera it is.
        clock: monotonic seconds, the one that stamps the frames.
        trouble: what is known to be wrong from the start, such as a missing model.
    """

    def __init__(
        self,
        board: Board,
        lens: Lens,
        eyes: Eyes | None,
        settings: Settings,
        *,
        clock: Callable[[], float],
        trouble: str = "",
    ) -> None:
        self._board, self._lens = board, lens
        self._eyes = Wary(eyes) if eyes is not None else None
        self._settings, self._clock, self._trouble = settings, clock, trouble
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._number = -1
        self._settler = Settler(settings.still_frames)
        self._follower = _Follower(Observer(), [], Zones())

    def start(self) -> Watch:
        """Begin to watch; a second call does nothing."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
            self._thread.start()
        return self

    def stop(self) -> None:
        """End the thread."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    def step(self) -> None:
        """One look: wait for a newer frame, read it where it is worth it, tell the session."""
        frame = self._lens.wait_newer(self._number, WAIT_S)
        health = self._lens.health()
        source = self._settings.camera
        self._board.camera_is(CameraNow(True, health.ok, source, health.reason))
        if not health.ok:
            look = self._settler.no_camera(self._clock(), health.reason)
            if look is not None:
                self._board.saw(look)
        elif frame is not None and self._eyes is not None:
            self._number = frame.number
            self._look(frame, self._eyes)

    def _look(self, frame: Frame, eyes: Wary) -> None:
        view = eyes.see(frame) if self._settler.needs_look(frame) else None
        look = eyes.named(self._settler.look(frame, view))
        events, scene = self._follower.follow(look, self._board.zones_by_hand())
        self._board.zones_guessed(self._follower.guessed)
        self._board.saw(look, events, scene)

    def _run(self) -> None:
        pause_s = FIRST_PAUSE_S
        # An executor hands every exception back as a value, so none can end this thread unseen.
        with ThreadPoolExecutor(1, thread_name_prefix="look") as looker:
            while not self._stopping.is_set():
                began_at_s = self._clock()
                fault = looker.submit(self.step).exception()
                if fault is None:
                    pause_s = FIRST_PAUSE_S
                    self._board.trouble_is(self._trouble)
                    rest_s = 1.0 / self._settings.looks_per_s - (self._clock() - began_at_s)
                    self._stopping.wait(max(0.0, rest_s))
                else:
                    self._name(fault)
                    self._stopping.wait(pause_s)
                    pause_s = min(pause_s * 2, LONGEST_PAUSE_S)

    def _name(self, fault: BaseException) -> None:
        if isinstance(fault, CompanionError):
            self._board.trouble_is(str(fault))
            return
        _LOG.error("looking at the table failed", exc_info=fault)
        what = f"{type(fault).__name__}: {fault}".splitlines()[0]
        self._board.trouble_is(f"looking at the table failed, trying again ({what[:200]})")
