"""The live picture for the pages: newest only, packed only while somebody looks."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.vision.values import Frame


class LivePicture:
    """The newest picture as JPEG, packed only when somebody asks, and once for all who ask.

    Args:
        newest: gives the newest frame, None before the first.
        encode: packs a frame.
        clock: monotonic seconds.
        per_s: how often a new picture is packed, at most.
    """

    def __init__(
        self,
        newest: Callable[[], Frame | None],
        encode: Callable[[Frame], bytes],
        clock: Callable[[], float],
        per_s: float = 10.0,
    ) -> None:
        self._newest, self._encode = newest, encode
        self._clock, self._pause_s = clock, 1.0 / per_s
        self._packing = threading.Lock()
        self._packed: tuple[Frame, bytes] | None = None
        self._packed_at_s = float("-inf")

    def jpeg(self) -> tuple[int, bytes] | None:
        """Frame number and JPEG of the newest picture, None where there is none."""
        with self._packing:
            frame, now_s = self._newest(), self._clock()
            if frame is None:
                return None
            late = now_s - self._packed_at_s >= self._pause_s
            if self._packed is None or (late and self._packed[0] is not frame):
                self._packed, self._packed_at_s = (frame, self._encode(frame)), now_s
            return self._packed[0].number, self._packed[1]
