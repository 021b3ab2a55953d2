"""Says how far a long piece of work has come and when it will be done."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic
from typing import TextIO


class Progress:
    """One line now and then: done, speed, time left.

    Args:
        name: what is being done.
        total: how many steps there are.
        every_s: seconds between two lines.
        stream: where the lines go; standard error when left out.
        clock: seconds, ever growing.
    """

    def __init__(
        self,
        name: str,
        total: int,
        *,
        every_s: float = 15.0,
        stream: TextIO | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._name, self._total, self._every_s = name, total, every_s
        self._stream, self._clock = stream or sys.stderr, clock
        self._start_s = self._said_s = clock()
        self._done = 0

    def step(self, count: int = 1, note: str = "") -> None:
        """Note that ``count`` more steps are done; says so when it is time, or when all are."""
        self._done += count
        now_s = self._clock()
        if now_s - self._said_s < self._every_s and self._done < self._total:
            return
        self._said_s = now_s
        speed = self._done / max(1e-9, now_s - self._start_s)
        left_s = (self._total - self._done) / max(1e-9, speed)
        print(
            f"{self._name}: {self._done}/{self._total}, {speed:.1f} a second, "
            f"{left_s / 60:.1f} min left{', ' + note if note else ''}",
            file=self._stream,
            flush=True,
        )
