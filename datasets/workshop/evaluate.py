"""Measures our pipeline beside ultralytics' own predict, with the same two models, in one run.

Ours is measured twice: whole, with the networks that look again, and with the detector and the
reader alone, as theirs. Ultralytics opens the same ONNX files with the same onnxruntime, one thread
for each processor like ours: its detector on the picture, its classifier on the same cuts, turned
copies included. The cutting is ours in both and counted in both. The rounds alternate: a busy
machine slows both.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any

os.environ.setdefault("YOLO_OFFLINE", "true")

import numpy as np
from ultralytics import YOLO

from companion.errors import BadInput
from companion.vision.cut import cut_card
from companion.vision.manifest import Manifest, load_manifest
from companion.vision.pictures import read_image
from companion.vision.pipeline import Pipeline, load_pipeline
from companion.vision.read import Reader
from companion.vision.values import Frame, Image, Quad

_WARM_UP = 3
_REST_S = 0.2


@dataclass(frozen=True, slots=True)
class Comparison:
    """Medians over the rounds, in milliseconds a frame.

    Attributes:
        cards: how many cards were read.
        ours_ms: the companion's whole pipeline.
        same_ms: the companion with the same two models and no other.
        their_detector_ms: ultralytics' predict of the detector.
        their_reader_ms: the cutting and ultralytics' predict of the reader.
    """

    cards: int
    ours_ms: float
    same_ms: float
    their_detector_ms: float
    their_reader_ms: float

    @property
    def theirs_ms(self) -> float:
        """Ultralytics' predict of both models, and the cutting between them."""
        return self.their_detector_ms + self.their_reader_ms

    def table(self) -> str:
        """A few lines for people."""
        return "\n".join(
            [
                f"{self.cards} cards (median)",
                f"  companion, whole frame {self.ours_ms:8.1f} ms",
                f"  ultralytics' predict   {self.theirs_ms:8.1f} ms"
                f"  (detector {self.their_detector_ms:.1f}, reader {self.their_reader_ms:.1f})",
                f"  the companion is {self.theirs_ms / self.ours_ms:.2f} x as fast",
                f"  ... with the same two models alone, in {self.same_ms:.1f} ms,"
                f" {self.theirs_ms / self.same_ms:.2f} x",
            ]
        )


class Theirs:
    """Both models as ultralytics runs them.

    Args:
        manifest: the models in use.
    """

    def __init__(self, manifest: Manifest) -> None:
        logging.getLogger("ultralytics").setLevel(logging.ERROR)
        self._manifest = manifest
        self._detector = YOLO(str(manifest.detector.path), task="obb")
        self._reader = YOLO(str(manifest.reader.path), task="classify")

    def find(self, bgr: Image) -> Any:
        """The detector's predict on one picture."""
        spec = self._manifest.detector
        return self._detector.predict(
            bgr, imgsz=spec.input_px, conf=spec.threshold, device="cpu", verbose=False
        )

    def read(self, bgr: Image, quads: Sequence[Quad]) -> Any:
        """The reader's predict on all cards of a picture, each with its turned copy."""
        spec = self._manifest.reader
        cuts = [cut_card(bgr, quad, spec.input_px, spec.margin) for quad in quads]
        cuts += [np.ascontiguousarray(cut[::-1, ::-1]) for cut in cuts]
        width, height = spec.input_px
        return self._reader.predict(
            cuts, imgsz=(height, width), batch=len(cuts), device="cpu", verbose=False
        )


def compare_speed(picture: Path, models_dir: Path, rounds: int = 30) -> Comparison:
    """Look at one picture again and again, ours and theirs by turns.

    Args:
        picture: any picture in which our detector finds cards.
        models_dir: folder with ``manifest.toml``.
        rounds: how many frames of each are measured, after a few to warm up.

    Raises:
        BadInput: the picture cannot be read, or shows no card.
        ModelError: the models cannot be used.
    """
    frame = Frame(read_image(picture), taken_at_s=0.0)
    threads, manifest = os.cpu_count() or 1, load_manifest(models_dir)
    ours, theirs = load_pipeline(threads, models_dir), Theirs(manifest)
    same = Pipeline(ours.detector, Reader.open(manifest.reader, threads))
    quads = [seen.quad_px for seen in ours.see(frame).sightings]
    if not quads:
        raise BadInput(f"{picture} shows no card: wanted one with 12 or so")
    turns = [_one_turn((ours, same), theirs, frame, quads) for _ in range(_WARM_UP + rounds)][
        _WARM_UP:
    ]
    return Comparison(len(quads), *(median(times) for times in zip(*turns, strict=True)))


def _one_turn(
    ours: tuple[Pipeline, Pipeline], theirs: Theirs, frame: Frame, quads: Sequence[Quad]
) -> tuple[float, float, float, float]:
    """Milliseconds of our frame, whole and with two models, of their detector and their reader."""
    whole, same = ours
    ours_ms, same_ms = _timed_ms(lambda: whole.see(frame)), _timed_ms(lambda: same.see(frame))
    find_ms = _timed_ms(lambda: theirs.find(frame.bgr))
    read_ms = _timed_ms(lambda: theirs.read(frame.bgr, quads))
    return ours_ms, same_ms, find_ms, read_ms


def _timed_ms(work: Callable[[], object]) -> float:
    # Threads of the run before may spin for a while yet; nobody shall pay for another's.
    sleep(_REST_S)
    begun_s = perf_counter()
    work()
    return 1000.0 * (perf_counter() - begun_s)
