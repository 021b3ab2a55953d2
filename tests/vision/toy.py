"""Toy models, pictures and scripted networks for the eyes' tests."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from companion.vision.corners import as_quad, corners_of_boxes
from companion.vision.networks import Tensor
from companion.vision.opencv import cv2
from companion.vision.values import Image, Quad

DATA = Path(__file__).parent / "data"
SIDES = ("number", "target_back", "tweak", "tweak_back", "seven")
HEADS: Mapping[str, tuple[str, ...]] = {
    "side": (*SIDES, "none"),
    "colour": ("red", "orange", "yellow", "green", "blue", "purple"),
    "value": tuple(str(value) for value in range(1, 11)),
    "tweak": ("thief", "joker", "shifter", "bomb"),
}
FROZEN = ("R5", "O2", "Y3", "G6", "B4", "P1", "#9", "#7", "T!bomb", "T!joker", "T!back", "=7")
"""The faces in the strips ``deck-*.png``, in order."""

RED_BGR = (40, 40, 220)
BLUE_BGR = (220, 60, 40)


class ScriptedNetwork:
    """Answers with what it was given and remembers what it was asked."""

    def __init__(self, outputs: Mapping[str, npt.NDArray[np.float32]]) -> None:
        self.outputs = outputs
        self.asked: list[Tensor] = []

    def run(self, batch: Tensor) -> dict[str, Tensor]:
        self.asked.append(batch)
        return dict(self.outputs)


class ScriptedReader(ScriptedNetwork):
    """The same, a row of the outputs for each row that is asked, in order and over again."""

    def run(self, batch: Tensor) -> dict[str, Tensor]:
        begun = sum(map(len, self.asked))
        rows = begun + np.arange(len(batch))
        answers = super().run(batch).items()
        return {name: all_rows[rows % len(all_rows)] for name, all_rows in answers}


def box_quad(x: float, y: float, size: tuple[float, float], turn_deg: float = 0.0) -> Quad:
    """A card's corners from its middle, width and height, and turn."""
    box = np.array([[x, y, *size, np.radians(turn_deg)]])
    return as_quad(corners_of_boxes(box)[0])


def raw_output(rows: Sequence[Sequence[float]]) -> dict[str, npt.NDArray[np.float32]]:
    """Candidates (x, y, w, h, five scores, angle in radians) in the detector's raw layout."""
    return {"output0": np.array(rows, dtype=np.float32).T[None]}


def head_logits(**wanted: Sequence[Mapping[str, float]]) -> dict[str, npt.NDArray[np.float32]]:
    """Logits of every head: for each row of the batch the classes that are not zero."""
    rows = max(map(len, wanted.values()))
    logits = {name: np.zeros((rows, len(classes)), np.float32) for name, classes in HEADS.items()}
    for name, answers in wanted.items():
        for row, answer in enumerate(answers):
            for label, logit in answer.items():
                logits[name][row, HEADS[name].index(label)] = logit
    return logits


def paint(bgr: Image, quad: Quad, colour_bgr: tuple[int, int, int]) -> None:
    """Fill a quad."""
    cv2.fillConvexPoly(bgr, np.round(np.array(quad)).astype(np.int32), colour_bgr)


def install_toy_models(folder: Path) -> Path:
    """A folder of models with the two toy networks and their manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("toy-detector.onnx", "toy-reader.onnx"):
        shutil.copyfile(DATA / name, folder / name)
    lists = "\n".join(f"{head} = {list(classes)}" for head, classes in HEADS.items())
    text = f"""
[detector]
file = "toy-detector.onnx"
sha256 = "{sha256_of(folder / "toy-detector.onnx")}"
classes = {list(SIDES)}
input = 640

[reader]
file = "toy-reader.onnx"
sha256 = "{sha256_of(folder / "toy-reader.onnx")}"
input = [48, 64]

[reader.heads]
{lists}
"""
    (folder / "manifest.toml").write_text(text, encoding="utf-8")
    return folder


def sha256_of(path: Path) -> str:
    """The file's sha256, as hex digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def frozen_faces(name: str) -> list[Image]:
    """The twelve faces of a frozen deck: blue, green, red, opacity; shape (126, 90, 4) each."""
    strip = cv2.imread(str(DATA / name), cv2.IMREAD_UNCHANGED)
    assert strip is not None
    return [np.asarray(face, dtype=np.uint8) for face in np.split(strip, len(FROZEN), axis=1)]


def lay(bgr: Image, face: Image, quad: Quad) -> None:
    """Lay a face with opacity on a picture, its own top left at the quad's first corner."""
    height, width = face.shape[:2]
    own = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    warp = cv2.getPerspectiveTransform(own, np.array(quad, dtype=np.float32))
    laid = cv2.warpPerspective(face, warp, (bgr.shape[1], bgr.shape[0]), flags=cv2.INTER_AREA)
    cover = laid[..., 3:].astype(np.float32) / 255.0
    bgr[:] = (bgr * (1.0 - cover) + laid[..., :3] * cover).astype(np.uint8)
