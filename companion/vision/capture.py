"""1: the camera. One reader thread, the newest frame only, and a word on how it is doing.

Faults are named, never raised into the night: :meth:`Camera.health` says what is wrong, and the
reader opens the source anew, waiting a little longer each time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from companion.errors import BadPicture, CameraError
from companion.vision.playback import ClipSource
from companion.vision.sources import Source, check_source, open_source
from companion.vision.values import Frame, Image

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 8.0
BLACK_BELOW = 24
_JOIN_S = 10.0


@dataclass(frozen=True, slots=True)
class CameraHealth:
    """How the camera is doing.

    Attributes:
        ok: whether the newest picture may be read.
        reason: one line for people, empty when all is well.
    """

    ok: bool
    reason: str = ""


class Watchdog:
    """Tells silence, frozen and black pictures from good ones; knows no clock of its own.

    Args:
        timeout_s: how long a fault may last before it counts.
        live: whether identical pictures are a fault.
    """

    def __init__(self, timeout_s: float, live: bool, started_at_s: float) -> None:
        self._timeout_s, self._live = timeout_s, live
        self._last_at_s = self._changed_at_s = self._bright_at_s = started_at_s
        self._print: Image | None = None
        self.pictures = self.changes = 0

    def saw(self, bgr: Image, at_s: float) -> None:
        """Take note of a picture, shape (height, width, 3)."""
        # A coarse grid is enough: a living sensor's noise never repeats in all of it.
        spots = bgr[::16, ::16].copy()
        if self._print is None or not np.array_equal(self._print, spots):
            self._changed_at_s = at_s
            self.changes += 1
        if self.pictures == 0 or np.percentile(spots, 99) >= BLACK_BELOW:
            self._bright_at_s = at_s
        self._print, self._last_at_s = spots, at_s
        self.pictures += 1

    @property
    def proven(self) -> bool:
        """Whether the source has shown that it lives: a live one, by a second picture."""
        return self.pictures > 0 and (not self._live or self.changes > 1 or self.black_so_far)

    @property
    def black_so_far(self) -> bool:
        """Whether the newest picture is black."""
        return self._print is not None and bool(np.percentile(self._print, 99) < BLACK_BELOW)

    def health(self, now_s: float) -> CameraHealth:
        """The verdict at this moment."""
        if now_s - self._last_at_s > self._timeout_s:
            return CameraHealth(False, "the camera has gone silent: is it still plugged in?")
        if self.pictures == 0:
            return CameraHealth(False, "waiting for the first picture")
        if now_s - self._bright_at_s > self._timeout_s:
            return CameraHealth(False, "the picture is black: is the lens covered?")
        if self.frozen(now_s):
            return CameraHealth(False, "the picture is frozen: the camera sends the same one")
        return CameraHealth(True)

    def frozen(self, now_s: float) -> bool:
        """Whether a live camera has sent one and the same picture for too long."""
        return self._live and now_s - self._changed_at_s > self._timeout_s

    def lost(self, now_s: float) -> bool:
        """Whether opening the source anew may help: it is silent or frozen."""
        return now_s - self._last_at_s > self._timeout_s or (
            self.frozen(now_s) and not self.black_so_far
        )


class Camera:
    """Keeps the newest frame of a source; opens the source in its own thread and re-opens it.

    Args:
        source_factory: opens the source; raises CameraError or BadPicture where it can't.
        clock: monotonic seconds; stamps the frames at the grab.
        timeout_s: silence, frozen or black for longer than this is a fault.
    """

    def __init__(
        self,
        source_factory: Callable[[], Source],
        clock: Callable[[], float],
        timeout_s: float = 2.0,
    ) -> None:
        self._open, self._clock, self._timeout_s = source_factory, clock, timeout_s
        self._stopping = threading.Event()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._newest: Frame | None = None
        self._source: Source | None = None
        self._watchdog = Watchdog(timeout_s, live=False, started_at_s=clock())
        self._fault = "the camera has not been started"
        self._count = 0

    def start(self) -> Camera:
        """Begin to read; a second call does nothing."""
        if self._thread is None:
            self._fault = "the camera is being opened"
            self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
            self._thread.start()
        return self

    def stop(self) -> None:
        """End the reader thread and let the source go."""
        self._stopping.set()
        with self._changed:
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(_JOIN_S)

    def __enter__(self) -> Camera:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def latest(self) -> Frame | None:
        """The newest frame, None before the first."""
        with self._changed:
            return self._newest

    def wait_newer(self, number: int, timeout_s: float = 1.0) -> Frame | None:
        """Wait for a frame with a number above this one; None when none came in time."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._stopping.is_set() or self._has_newer(number), timeout_s
            )
            return self._newest if self._has_newer(number) else None

    def _has_newer(self, number: int) -> bool:
        return self._newest is not None and self._newest.number > number

    def health(self) -> CameraHealth:
        """Whether pictures come in and may be read; faults are named within the timeout."""
        with self._changed:
            fault, watchdog = self._fault, self._watchdog
        return CameraHealth(False, fault) if fault else watchdog.health(self._clock())

    @property
    def finished(self) -> bool:
        """Whether a clip or folder has reached its last picture."""
        source = self._source
        return source is not None and source.finished

    def position_s(self) -> float | None:
        """Seconds into a clip since its first picture; None for a live camera."""
        source = self._source
        return source.position_s() if source is not None else None

    def hold(self, still: bool) -> None:
        """Stop a clip at its picture, or let it go on; a live camera takes no notice."""
        if isinstance(self._source, ClipSource):
            self._source.hold(still)

    def _run(self) -> None:
        wait_s = FIRST_WAIT_S
        while not self._stopping.is_set():
            good = self._read_until_lost()
            wait_s = FIRST_WAIT_S if good else min(wait_s * 2, LONGEST_WAIT_S)
            self._stopping.wait(wait_s)

    def _read_until_lost(self) -> bool:
        """Open, read while all is well, close; True when a picture that can be used came."""
        try:
            source = self._open()
        except (CameraError, BadPicture) as error:
            self._note_fault(str(error))
            return False
        try:
            with self._changed:
                self._source = source
                self._watchdog = Watchdog(self._timeout_s, source.live, self._clock())
            self._read(source)
        except BadPicture as error:
            self._note_fault(str(error))
        finally:
            source.close()
        return self._watchdog.proven

    def _read(self, source: Source) -> None:
        watchdog = self._watchdog
        while not self._stopping.is_set():
            bgr = source.read()
            now_s = self._clock()
            if bgr is not None:
                watchdog.saw(bgr, now_s)
                self._keep(bgr, now_s)
            elif watchdog.pictures and not source.live:
                return
            else:
                # A dead device answers "none" at once: don't spin.
                self._stopping.wait(0.02)
            if watchdog.lost(now_s):
                self._note_fault(watchdog.health(now_s).reason)
                return

    def _keep(self, bgr: Image, now_s: float) -> None:
        frame = Frame(bgr=bgr, taken_at_s=now_s, number=self._count)
        with self._changed:
            self._count += 1
            self._newest = frame
            # An old fault stands until the reopened source has proven itself.
            self._fault = "" if self._watchdog.proven else self._fault
            self._changed.notify_all()

    def _note_fault(self, reason: str) -> None:
        with self._changed:
            self._fault = reason


def camera_for(text: str, clock: Callable[[], float], timeout_s: float = 2.0) -> Camera:
    """The camera that a ``--camera`` text names; no device is opened before ``start()``.

    Raises:
        BadPicture: a file or folder that is missing or holds no picture.
        BadSetting: a stream of a kind that cannot be read.
    """
    check_source(text)
    return Camera(partial(open_source, text), clock, timeout_s)
