"""The watcher: newest frame -> eyes -> settled view -> what happened -> session, over and over.

Nothing that goes wrong with camera or eyes ends the watching or disturbs the night: it is named
on the page and tried again, with growing pauses.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from companion.errors import CompanionError
from companion.night.board import Board
from companion.night.follow import Follower
from companion.night.keeper import Keeper
from companion.night.values import CameraNow
from companion.settings import Settings
from companion.table.values import Zones
from companion.vision.pipeline import Eyes
from companion.vision.settle import Settler
from companion.vision.values import Frame, Look
from companion.vision.wary import Wary

WAIT_S = 0.25
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 8.0

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


class Watch:
    """Watches one camera for one session, in a thread of its own.

    Args:
        board: the session that is told what was seen.
        lens: the camera.
        eyes: reads a frame; None: the picture is shown, and nothing is read.
        settings: how often to look, how many still frames are wanted, which camera it is.
        clock: monotonic seconds, the one that stamps the frames.
        trouble: what is known to be wrong from the start, such as a missing model.
        keeper: keeps the table's zones for another night; None: nobody does.
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
        keeper: Keeper | None = None,
    ) -> None:
        self._board, self._lens = board, lens
        self._eyes = Wary(eyes) if eyes is not None else None
        if self._eyes is not None:
            board.look_nearer_with(self._eyes.look_nearer)
        self._settings, self._clock, self._trouble = settings, clock, trouble
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._number, self._keeper = -1, keeper
        self._settler = Settler(settings.still_frames)
        self._follower = Follower()

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
        if look.bump is not None:
            self._board.bumped(look.bump)
        by_hand = self._zones_by_hand(look)
        self._follower.refuse(self._board.take_refused())
        events, scene = self._follower.follow(look, by_hand, self._board.people())
        note = self._follower.doubt
        look = self._follower.asking(look, by_hand)
        if self._keeper is not None:
            self._keeper.keep(by_hand, self._follower.guessed)
            note, look = note or self._keeper.note, self._keeper.saying(look)
        self._board.zones_guessed(self._follower.guessed, note)
        self._board.saw(look, events, scene)

    def _zones_by_hand(self, look: Look) -> Zones:
        """The zones set by hand, tonight or as kept in the table's profile."""
        taken = None
        if self._keeper is not None:
            taken = self._keeper.take_up(look, self._board.zones_by_hand())
        if taken is not None:
            self._board.zones_taken_up(taken.by_hand)
            self._follower.guessed = taken.guessed
        return self._board.zones_by_hand()

    def trouble(self) -> str:
        """What is wrong though the looking goes on, one line; empty where all is well."""
        return self._trouble or (self._keeper.trouble if self._keeper is not None else "")

    def _run(self) -> None:
        pause_s = FIRST_PAUSE_S
        # An executor hands every exception back as a value, so none can end this thread unseen.
        with ThreadPoolExecutor(1, thread_name_prefix="look") as looker:
            while not self._stopping.is_set():
                began_at_s = self._clock()
                fault = looker.submit(self.step).exception()
                if fault is None:
                    pause_s = FIRST_PAUSE_S
                    self._board.trouble_is(self.trouble())
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
