"""Counts how often mirrored pictures are noticed, and how often others are called so."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from companion.vision.pipeline import Pipeline
from companion.vision.tips import is_mirrored
from companion.vision.values import Frame, Image


@dataclass(frozen=True, slots=True)
class MirrorTally:
    """Counts over any number of pictures in which something was seen; they add up.

    Attributes:
        pictures: as they are.
        false_alarms: those of them that were called mirrored.
        mirrored: pictures that were mirrored.
        noticed: those of them that were called so.
    """

    pictures: int = 0
    false_alarms: int = 0
    mirrored: int = 0
    noticed: int = 0

    def __add__(self, other: MirrorTally) -> MirrorTally:
        return MirrorTally(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def to_json(self) -> dict[str, Any]:
        """Every count, for machines."""
        return asdict(self)

    def line(self, folder: str) -> str:
        """One line for people."""
        return (
            f"{folder}: mirrored pictures noticed {self.noticed} of {self.mirrored}, "
            f"others called mirrored {self.false_alarms} of {self.pictures}"
        )


def tally_mirror(pipeline: Pipeline, bgr: Image) -> MirrorTally:
    """Ask about one picture and about its mirror image."""
    frames = [Frame(each, taken_at_s=0.0) for each in (bgr, np.ascontiguousarray(bgr[:, ::-1]))]
    looks = [(frame, pipeline.see(frame)) for frame in frames]
    seen = [int(bool(view.sightings)) for _, view in looks]
    said = [int(is_mirrored(pipeline.reader, frame, view)) for frame, view in looks]
    return MirrorTally(seen[0], said[0], seen[1], said[1])
