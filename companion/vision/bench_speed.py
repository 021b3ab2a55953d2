"""Measures how long one frame takes, stage by stage, beside the bare time of the networks."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Any

from companion.paths import resource_dir
from companion.vision.networks import Network, Tensor
from companion.vision.pictures import read_image
from companion.vision.pipeline import Pipeline, StageTimes
from companion.vision.values import Frame

SPEED_PICTURE = Path("bench") / "twelve-cards.jpg"
"""A picture of 1280×720 with 12 cards, inside ``calibration/``."""

_WARM_UP = 5


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and middle half of some times, in milliseconds."""

    median_ms: float
    low_ms: float
    high_ms: float

    def __str__(self) -> str:
        return f"{self.median_ms:8.2f} ms  ({self.low_ms:.2f}-{self.high_ms:.2f})"


@dataclass(frozen=True, slots=True)
class SpeedReport:
    """How long one frame takes.

    Attributes:
        width_px: width of the picture.
        height_px: height of the picture.
        cards: how many cards were found and read in it.
        rounds: how many frames were measured.
        stages: by stage's name, in order.
        total: the whole pipeline.
        bare: the networks alone, on the same tensors, in the same run.
    """

    width_px: int
    height_px: int
    cards: int
    rounds: int
    stages: dict[str, Spread]
    total: Spread
    bare: Spread

    @property
    def ratio_to_bare(self) -> float:
        """Median of the whole pipeline over that of its networks alone."""
        return self.total.median_ms / self.bare.median_ms

    def to_json(self) -> dict[str, Any]:
        """Every figure, for machines."""
        rows = {**self.stages, "total": self.total, "bare": self.bare}
        return {
            "width": self.width_px,
            "height": self.height_px,
            "cards": self.cards,
            "rounds": self.rounds,
            "ratio_to_bare": round(self.ratio_to_bare, 3),
            **{
                f"{name}_ms": [spread.median_ms, spread.low_ms, spread.high_ms]
                for name, spread in rows.items()
            },
        }

    def table(self) -> str:
        """One block of lines for people."""
        head = f"speed: {self.width_px}x{self.height_px}, {self.cards} cards, {self.rounds} frames"
        rows = {**self.stages, "whole frame": self.total, "networks alone": self.bare}
        lines = [f"  {name:<16}{spread}" for name, spread in rows.items()]
        ratio = f"  whole frame is {self.ratio_to_bare:.2f} x the networks alone"
        return "\n".join([f"{head} (median, middle half)", *lines, ratio])


def measure_speed(pipeline: Pipeline, picture: Path | None, rounds: int) -> SpeedReport:
    """Look at one picture again and again.

    Args:
        pipeline: what to measure.
        picture: the bundled one where None.
        rounds: how many frames are measured, after a few to warm up.

    Raises:
        BadPicture: the picture cannot be read.
    """
    bgr = read_image(picture or resource_dir("calibration") / SPEED_PICTURE)
    frame = Frame(bgr, taken_at_s=0.0)
    cards = len(pipeline.see(frame).sightings)
    batches = _batches_of(pipeline, frame)
    times: list[StageTimes] = []
    bare_ms: list[float] = []
    for turn in range(-_WARM_UP, rounds):
        taken = pipeline.see_timed(frame)[1]
        bare = _bare_ms(batches)
        if turn >= 0:
            times.append(taken)
            bare_ms.append(bare)
    return SpeedReport(
        width_px=frame.width_px,
        height_px=frame.height_px,
        cards=cards,
        rounds=rounds,
        stages={
            stage.name.removesuffix("_ms"): _spread([getattr(one, stage.name) for one in times])
            for stage in fields(StageTimes)
        },
        total=_spread([one.total_ms for one in times]),
        bare=_spread(bare_ms),
    )


class _Heard:
    """A network that notes which batches it is given."""

    def __init__(self, network: Network, batches: list[tuple[Network, Tensor]]) -> None:
        self._network, self._batches = network, batches

    def run(self, batch: Tensor) -> dict[str, Tensor]:
        """What the network itself answers."""
        self._batches.append((self._network, batch))
        return self._network.run(batch)


def _batches_of(pipeline: Pipeline, frame: Frame) -> list[tuple[Network, Tensor]]:
    """Every batch that a network is given for one frame, in order."""
    parts = (pipeline.detector, pipeline.checker, pipeline.reader, pipeline.reader.closer)
    batches: list[tuple[Network, Tensor]] = []
    heard = [(part, part.network) for part in parts if part is not None]
    try:
        for part, network in heard:
            part.network = _Heard(network, batches)
        pipeline.see(frame)
    finally:
        for part, network in heard:
            part.network = network
    return batches


def _bare_ms(batches: list[tuple[Network, Tensor]]) -> float:
    """The networks' own time on batches made beforehand."""
    begun_s = perf_counter()
    for network, batch in batches:
        network.run(batch)
    return 1000.0 * (perf_counter() - begun_s)


def _spread(times_ms: list[float]) -> Spread:
    if len(times_ms) < 2:
        return Spread(times_ms[0], times_ms[0], times_ms[0])
    low, _, high = quantiles(times_ms, n=4)
    return Spread(median(times_ms), low, high)
