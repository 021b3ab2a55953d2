"""Sources that are no device: a clip, a folder of stills, pictures that somebody pushes.

A clip plays in real time, like a camera; :func:`recorded_frames` gives every frame of it instead.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from companion.errors import BadPicture
from companion.vision.opencv import cv2
from companion.vision.pictures import read_image
from companion.vision.values import Frame, Image

PICTURES = {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"}
STILL_SHOWN_S = 2.0
_STILL_STEP_S = 0.2
_HOLD_S = 0.1


class ClipSource:
    """A clip that plays in real time, skipping what is late, and holds its last picture.

    :meth:`hold` stops it at the picture that shows now, so that slow eyes can catch up.
    """

    live = False

    def __init__(
        self,
        path: Path,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self.finished = False
        self.frames_per_s, self._capture = open_clip(path)
        self._clock, self._sleep = clock, sleep
        self._started_at_s: float | None = None
        self._held_at_s: float | None = None
        self._next = 0
        self._last: Image | None = None

    def read(self) -> Image | None:
        """The picture that is due now; the last one again and again at the end."""
        now_s = self._clock()
        if self._started_at_s is None:
            self._started_at_s = now_s
        if self.finished or (self._held_at_s is not None and self._last is not None):
            self._sleep(_HOLD_S)
            return self._last
        due = int((now_s - self._started_at_s) * self.frames_per_s)
        while self._next < due and self._capture.grab():
            self._next += 1
        wait_s = self._started_at_s + self._next / self.frames_per_s - now_s
        if wait_s > 0:
            self._sleep(wait_s)
        return self._decode()

    def _decode(self) -> Image | None:
        good, bgr = self._capture.read()
        self.finished = not good or bgr is None
        if good and bgr is not None:
            self._next += 1
            self._last = np.asarray(bgr, dtype=np.uint8)
        return self._last

    def hold(self, still: bool) -> None:
        """Stop the clip at its picture, or let it go on from there."""
        now_s = self._clock()
        if still and self._held_at_s is None:
            self._held_at_s = now_s
        elif not still and self._held_at_s is not None:
            if self._started_at_s is not None:
                self._started_at_s += now_s - self._held_at_s
            self._held_at_s = None

    def position_s(self) -> float | None:
        """Seconds into the clip, by the clock it plays by; goes on while the end is held."""
        if self._started_at_s is None:
            return None
        now_s = self._clock() if self._held_at_s is None else self._held_at_s
        return now_s - self._started_at_s

    def close(self) -> None:
        """Let the file go."""
        self._capture.release()


def open_clip(path: Path) -> tuple[float, cv2.VideoCapture]:
    """Open a clip file; gives its frames per second too.

    Raises:
        BadPicture: no such file, or not a clip.
    """
    if not path.is_file():
        raise BadPicture(f"no file {path}")
    capture = cv2.VideoCapture(str(path))
    if not capture.isOpened():
        capture.release()
        raise BadPicture(f"{path} is not a clip or picture that can be decoded")
    frames_per_s = float(capture.get(cv2.CAP_PROP_FPS))
    return (frames_per_s if 0 < frames_per_s <= 1000 else 25.0), capture


def still_paths(path: Path) -> list[Path]:
    """The pictures of a folder in the order of their names, or the one picture itself.

    Raises:
        BadPicture: the folder holds none.
    """
    if path.is_file():
        return [path]
    found = sorted(file for file in path.glob("*") if file.suffix.lower() in PICTURES)
    if not found:
        raise BadPicture(f"the folder {path} holds no picture (jpg, png, webp, bmp, tif)")
    return found


class StillsSource:
    """A folder of stills, each shown for two seconds; the last one is held."""

    live = False

    def __init__(
        self,
        path: Path,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._paths = still_paths(path)
        self._clock, self._sleep = clock, sleep
        self._started_at_s: float | None = None
        self._at = -1
        self._bgr = read_image(self._paths[0])
        self.finished = False

    def read(self) -> Image | None:
        """The still whose turn it is."""
        if self._started_at_s is None:
            self._started_at_s = self._clock()
        else:
            self._sleep(_HOLD_S)
        at = min(int((self.position_s() or 0.0) / STILL_SHOWN_S), len(self._paths) - 1)
        if at != self._at:
            self._at, self._bgr = at, read_image(self._paths[at])
        self.finished = at == len(self._paths) - 1
        return self._bgr

    def position_s(self) -> float | None:
        """Seconds since the first still was shown."""
        return None if self._started_at_s is None else self._clock() - self._started_at_s

    def close(self) -> None:
        """Nothing is held open."""


class PushedSource:
    """Pictures that somebody sends: a phone's browser, or a test."""

    def __init__(self, live: bool = True, wait_s: float = 0.5) -> None:
        self.live, self.finished = live, False
        self._wait_s = wait_s
        self._newest: Image | None = None
        self._arrived = threading.Condition()

    def push(self, bgr: Image) -> None:
        """Hand in the newest picture, shape (height, width, 3); an unread older one is dropped."""
        with self._arrived:
            self._newest = bgr
            self._arrived.notify()

    def read(self) -> Image | None:
        """The newest pushed picture, None when none came in time."""
        with self._arrived:
            if self._newest is None:
                self._arrived.wait(self._wait_s)
            newest, self._newest = self._newest, None
            return newest

    def position_s(self) -> float | None:
        """Pushed pictures have no position."""
        return None

    def close(self) -> None:
        """Nothing is held open."""


def recorded_frames(path: Path) -> Iterator[Frame]:
    """Every frame of a clip or folder of stills as fast as it can be had, on its own clock.

    A still comes ten times, two seconds in all, so that it settles as it would before a camera.

    Raises:
        BadPicture: no such file, or nothing that can be decoded.
    """
    if path.is_dir() or path.suffix.lower() in PICTURES:
        times = round(STILL_SHOWN_S / _STILL_STEP_S)
        for place, still in enumerate(still_paths(path)):
            shown = read_image(still)
            for number in range(place * times, (place + 1) * times):
                yield Frame(bgr=shown, taken_at_s=number * _STILL_STEP_S, number=number)
        return
    frames_per_s, capture = open_clip(path)
    try:
        number = 0
        while True:
            good, bgr = capture.read()
            if not good or bgr is None:
                break
            picture = np.asarray(bgr, dtype=np.uint8)
            yield Frame(bgr=picture, taken_at_s=number / frames_per_s, number=number)
            number += 1
    finally:
        capture.release()
    if number == 0:
        raise BadPicture(f"{path} holds no picture that can be decoded")
