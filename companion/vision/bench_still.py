"""Measures what a still table costs: processor time of watching at ten frames a second."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from time import process_time
from typing import Any

import numpy as np

from companion.paths import resource_dir
from companion.vision.bench_speed import SPEED_PICTURE
from companion.vision.pictures import read_image
from companion.vision.pipeline import Eyes
from companion.vision.settle import Settler
from companion.vision.values import Frame, Image

_SECONDS = 12
_A_SECOND = 10
_SETTLING_S = 2.0
_KINDS = 5


@dataclass(frozen=True, slots=True)
class StillReport:
    """What watching a still table costs once it has settled.

    Attributes:
        frames: how many frames were watched.
        looks: how many of them the networks looked at.
        core_share: processor time of one core, as a share of the time that goes by.
        frame_ms: processor time of a frame that the networks need not see.
    """

    frames: int
    looks: int
    core_share: float
    frame_ms: float

    def to_json(self) -> dict[str, Any]:
        """Every figure, for machines."""
        return asdict(self)

    def table(self) -> str:
        """One line for people."""
        return (
            f"a still table: {100 * self.core_share:.1f} % of one core at {_A_SECOND} frames a "
            f"second ({self.looks} of {self.frames} looked at, the others {self.frame_ms:.2f} ms)"
        )


def measure_still(eyes: Eyes) -> StillReport:
    """Watch the bundled picture, a little noisy, for twelve seconds of camera time."""
    pictures = _noisy(read_image(resource_dir("calibration") / SPEED_PICTURE))
    settler = Settler()
    looks = frames = 0
    spent_s, unseen_s = 0.0, 0.0
    for number in range(_SECONDS * _A_SECOND):
        at_s = number / _A_SECOND
        frame = Frame(pictures[number % _KINDS], taken_at_s=at_s, number=number)
        begun_s = process_time()
        wanted = settler.needs_look(frame)
        settler.look(frame, eyes.see(frame) if wanted else None)
        taken_s = process_time() - begun_s
        if at_s >= _SETTLING_S:
            frames += 1
            looks += wanted
            spent_s += taken_s
            unseen_s += 0.0 if wanted else taken_s
    return StillReport(
        frames=frames,
        looks=looks,
        core_share=spent_s * _A_SECOND / frames,
        frame_ms=1000.0 * unseen_s / max(1, frames - looks),
    )


def _noisy(bgr: Image) -> list[Image]:
    rng = np.random.default_rng(4)
    noises = (rng.standard_normal(bgr.shape, dtype=np.float32) * 2.5 for _ in range(_KINDS))
    return [np.clip(bgr + noise, 0, 255).astype(np.uint8) for noise in noises]
