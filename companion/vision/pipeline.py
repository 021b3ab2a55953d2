"""The eyes as a whole: one frame in, one view of the table out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

from companion.paths import resource_dir
from companion.vision.check import Checker
from companion.vision.detect import Detector
from companion.vision.duplicates import SAME_BEFORE_READ_IOU
from companion.vision.evidence import ENOUGH, faint, weigh
from companion.vision.manifest import load_manifest
from companion.vision.nearer import Part, besides, part_with
from companion.vision.pictures import read_image
from companion.vision.read import Reader
from companion.vision.tips import MIRRORED, advice, is_mirrored, unsure
from companion.vision.trust import Calibration
from companion.vision.values import Frame, Image, Sighting, TableView

__all__ = [
    "Eyes",
    "Pipeline",
    "StageTimes",
    "advice",
    "load_pipeline",
    "read_image",
    "view_to_json",
]


class Eyes(Protocol):
    """Whatever turns a frame into a view of the table."""

    def see(self, frame: Frame) -> TableView:
        """What lies on the table in this one picture."""
        ...


@dataclass(frozen=True, slots=True)
class StageTimes:
    """How long each stage took for one frame, in milliseconds.

    Attributes:
        prepare_ms: scaling and padding the picture.
        detect_ms: the detector's network.
        sort_out_ms: from its output to candidates.
        check_ms: from candidates to distinct cards, with the checker where there is one.
        cut_ms: cutting the cards out of the full picture.
        read_ms: the reader's network.
        decide_ms: from its output to readings.
    """

    prepare_ms: float
    detect_ms: float
    sort_out_ms: float
    check_ms: float
    cut_ms: float
    read_ms: float
    decide_ms: float

    @property
    def total_ms(self) -> float:
        """The whole frame."""
        return (
            self.prepare_ms
            + self.detect_ms
            + self.sort_out_ms
            + self.check_ms
            + self.cut_ms
            + self.read_ms
            + self.decide_ms
        )


class Pipeline:
    """Detector, checker and reader, one after the other.

    Args:
        detector: finds the cards.
        reader: reads them.
        calibration: what their reports are worth; None: as the reader says.
        checker: looks once more at what the detector found; None: the detector alone decides.
    """

    def __init__(
        self,
        detector: Detector,
        reader: Reader,
        calibration: Calibration | None = None,
        checker: Checker | None = None,
    ) -> None:
        self.detector = detector
        self.reader = reader
        self.calibration = calibration
        self.checker = checker

    def see(self, frame: Frame) -> TableView:
        """What lies on the table in this one picture."""
        return self.see_timed(frame)[0]

    def look_nearer(self, frame: Frame, view: TableView) -> TableView:
        """A view with what a nearer look at its cards shows besides, clear cards and faint ones.

        Args:
            frame: the picture.
            view: what was seen in it; what is known stays as it is.
        """
        if not view.sightings:
            return view
        part = part_with(view.sightings, (frame.width_px, frame.height_px))
        nearer = self._look(frame.bgr, part, [])
        new = besides(view.sightings, nearer, self._enough)
        if self.calibration is not None:
            new = self.calibration.trust(new)
        known = (*view.sightings, *new)
        return replace(view, sightings=known, faint=faint((*view.faint, *nearer), known))

    @property
    def _enough(self) -> float:
        return ENOUGH if self.checker is None else self.checker.enough

    def see_warily(self, frame: Frame) -> tuple[TableView, tuple[str, ...]]:
        """The same, and what would help; in a mirrored picture nothing is sure."""
        view = self.see(frame)
        tips = self.tips(frame, view, mirror_too=True)
        return (unsure(view) if MIRRORED in tips else view), tips

    def tips(self, frame: Frame, view: TableView, mirror_too: bool = False) -> tuple[str, ...]:
        """What would help the eyes with this picture, one line each; empty when all is well.

        Args:
            frame: the picture.
            view: what was seen in it.
            mirror_too: look for a mirrored picture as well, which takes the reader twice.
        """
        mirrored = mirror_too and is_mirrored(self.reader, frame, view)
        return ((MIRRORED,) if mirrored else ()) + advice(view, frame)

    def see_timed(self, frame: Frame) -> tuple[TableView, StageTimes]:
        """The same, with the time that each stage took."""
        marks = [perf_counter()]
        read = self._look(frame.bgr, Part(0, 0, frame.width_px, frame.height_px), marks)
        sightings = weigh(read, self._enough)
        hardly = faint(read, sightings)
        if self.calibration is not None:
            sightings = self.calibration.trust(sightings)
        marks[-1] = perf_counter()
        marks[-1] = perf_counter()
        return _view(frame, sightings, hardly), _stage_times(marks)

    def _look(self, bgr: Image, part: Part, marks: list[float]) -> tuple[Sighting, ...]:
        """What is read in a part of a picture; ``marks`` takes the end of each stage."""
        seen = part.of(bgr)
        scaled = self.detector.prepare(seen)
        marks.append(perf_counter())
        outputs = self.detector.infer(scaled)
        marks.append(perf_counter())
        candidates = self.detector.sort_out(outputs, scaled, part.size_px)
        marks.append(perf_counter())
        if self.checker is None:
            found = self.detector.distinct(*candidates)
        else:
            candidates = self.checker.check(seen, *candidates)
            found = self.detector.distinct(*candidates, SAME_BEFORE_READ_IOU)
        found = [part.back(one) for one in found]
        marks.append(perf_counter())
        quads = [one.quad_px for one in found]
        cuts = self.reader.cut(bgr, quads) if quads else None
        marks.append(perf_counter())
        chances = self.reader.infer(cuts) if cuts is not None else []
        marks.append(perf_counter())
        read = tuple(
            Sighting(one.quad_px, self.reader.decide(chance, one.quad_px, one), one.score)
            for one, chance in zip(found, chances, strict=True)
        )
        marks.append(perf_counter())
        return read


def _view(frame: Frame, sightings: tuple[Sighting, ...], hardly: tuple[Sighting, ...]) -> TableView:
    return TableView(
        sightings=sightings,
        taken_at_s=frame.taken_at_s,
        frame_number=frame.number,
        width_px=frame.width_px,
        height_px=frame.height_px,
        faint=hardly,
    )


def _stage_times(marks_s: Sequence[float]) -> StageTimes:
    return StageTimes(*(1000.0 * (after - before) for before, after in pairwise(marks_s)))


def load_pipeline(threads: int = 2, models_dir: Path | None = None) -> Pipeline:
    """Open the networks of this installation.

    Args:
        threads: how many threads each network may use.
        models_dir: folder with ``manifest.toml``; the installation's own where None.

    Raises:
        ModelError: a file is missing, altered, or of another kind.
        NotFound: the installation has no folder of models.
    """
    manifest = load_manifest(models_dir or resource_dir("models"))
    return Pipeline(
        detector=Detector.open(manifest.detector, threads),
        reader=Reader.open(manifest.reader, threads, manifest.closer),
        calibration=manifest.calibration,
        checker=Checker.open(manifest.checker, threads) if manifest.checker else None,
    )


def view_to_json(path: str, view: TableView) -> dict[str, Any]:
    """The line that ``companion read`` prints for one picture."""
    return {
        "image": path,
        "width": view.width_px,
        "height": view.height_px,
        "cards": [_card_to_json(sighting) for sighting in view.sightings],
    }


def _card_to_json(sighting: Sighting) -> dict[str, Any]:
    reading = sighting.reading
    return {
        "card": str(reading),
        "face": reading.face.value,
        "colour": reading.colour.value if reading.colour else None,
        "value": reading.value,
        "tweak": reading.tweak.value if reading.tweak else None,
        "quad": [[round(x, 1), round(y, 1)] for x, y in sighting.quad_px],
        "score": round(reading.score, 4),
        "alternatives": [[str(card), round(score, 4)] for card, score in reading.options[1:]],
    }
