"""Step 2: a picture becomes card quads, each with its side (a YOLO-OBB network).

The network sees the picture scaled so that its longest side is ``input_px``, padded to multiples
of 32, not to a square. Both of its layouts are understood: raw (one column for each anchor: middle,
size, score of each class, angle) and end to end (300 rows: middle, size, score, class, angle).

Where the manifest asks for it, the network takes a second look, at a much smaller copy turned by
180°, for large cards alone: one that fills much of the picture is easier found there, and one that
both looks show counts more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.errors import ModelError
from companion.rules.cards import Face
from companion.vision.corners import Corners, as_quad, corners_of_boxes
from companion.vision.duplicates import SAME_CARD_IOU, keep_distinct, merge_copies
from companion.vision.manifest import STRANGER, DetectorSpec
from companion.vision.networks import Network, OnnxNetwork, Tensor
from companion.vision.opencv import cv2
from companion.vision.values import Image, Quad

_STRIDE_PX = 32
_PADDING = 114

LARGE_SHARE = 0.20
"""A card whose short side is this share of the picture's, or more, is looked for at the glance."""


@dataclass(frozen=True, slots=True)
class Found:
    """A card in the picture.

    Attributes:
        quad_px: four corners clockwise, in pixels of the full picture.
        side: the likeliest side; ``UNKNOWN`` for a card that is none of ours.
        score: probability that a card is there, 0-1.
        side_scores: each side with its score, in the network's order; they need not add up to 1.
    """

    quad_px: Quad
    side: Face
    score: float
    side_scores: tuple[tuple[Face, float], ...]


@dataclass(frozen=True, slots=True)
class Letterbox:
    """How a picture was scaled and padded for the network.

    Attributes:
        scale: pixels of the network's picture for one pixel of the full picture.
        content_px: width and height of the scaled picture.
        width_px: width of the network's picture, padding included.
        height_px: height of the network's picture, padding included.
    """

    scale: float
    content_px: tuple[int, int]
    width_px: int
    height_px: int


def letterbox_for(width_px: int, height_px: int, input_px: int) -> Letterbox:
    """The smallest picture with multiples of 32 as sides and ``input_px`` as longest content.

    >>> letterbox_for(1280, 720, 640)
    Letterbox(scale=0.5, content_px=(640, 360), width_px=640, height_px=384)
    """
    scale = input_px / max(width_px, height_px)
    width, height = (max(1, round(side * scale)) for side in (width_px, height_px))
    return Letterbox(scale, (width, height), _padded(width), _padded(height))


def _padded(side_px: int) -> int:
    return -(-side_px // _STRIDE_PX) * _STRIDE_PX


def scale_to(bgr: Image, size_px: tuple[int, int]) -> Image:
    """A copy of this width and height, averaged over areas where it shrinks."""
    how = cv2.INTER_AREA if size_px[0] < bgr.shape[1] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(bgr, size_px, interpolation=how), dtype=np.uint8)


def fill_letterbox(scaled: Image, box: Letterbox) -> Tensor:
    """The network's tensor of shape (1, 3, height, width): RGB, 0-1, padded right and below."""
    canvas = np.full((box.height_px, box.width_px, 3), _PADDING, dtype=np.uint8)
    canvas[: scaled.shape[0], : scaled.shape[1]] = scaled
    tensor = cv2.dnn.blobFromImage(canvas, scalefactor=1.0 / 255.0, swapRB=True)
    return np.asarray(tensor, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the network says before duplicates are dropped.

    Attributes:
        boxes: shape (n, 5): middle x, y, width, height in pixels, angle in radians.
        scores: shape (n, classes).
    """

    boxes: npt.NDArray[np.float64]
    scores: npt.NDArray[np.float64]


def parse_output(output: Tensor, classes: int, threshold: float) -> Candidates:
    """Sort out the network's output, whichever its layout.

    Args:
        output: shape (1, 4 + classes + 1, anchors), or (1, rows, 7).
        classes: how many classes the network has.
        threshold: candidates whose best score is lower are left out.

    Raises:
        ModelError: the output has neither shape.
    """
    if output.ndim == 3 and output.shape[1] == classes + 5:
        rows = output[0]
        keep = rows[4:-1].max(axis=0) >= threshold
        columns = rows[:, keep].T.astype(np.float64)
        boxes, scores = columns[:, [0, 1, 2, 3, -1]], columns[:, 4:-1]
    elif output.ndim == 3 and output.shape[2] == 7:
        table = output[0][output[0][:, 4] >= threshold].astype(np.float64)
        boxes, scores = table[:, [0, 1, 2, 3, 6]], np.zeros((len(table), classes))
        scores[np.arange(len(table)), table[:, 5].astype(int)] = table[:, 4]
    else:
        raise ModelError(
            f"detector: wanted an output for {classes} classes, got shape {output.shape}"
        )
    return Candidates(boxes, scores)


@dataclass(frozen=True, slots=True, eq=False)
class Scaled:
    """A picture as the network sees it.

    Attributes:
        tensor: shape (1, 3, height, width), RGB, 0-1.
        box: how it was scaled and padded.
        turned: whether it was turned by 180°.
    """

    tensor: Tensor
    box: Letterbox
    turned: bool = False


class Detector:
    """Finds the cards in a picture.

    Args:
        network: what turns the picture into candidates.
        spec: its classes (``none`` is a card that is not ours) and how it is to be used.
    """

    def __init__(self, network: Network, spec: DetectorSpec) -> None:
        self.network = network
        self._spec = spec
        self._sides = tuple(Face.UNKNOWN if c == STRANGER else Face(c) for c in spec.classes)

    @classmethod
    def open(cls, spec: DetectorSpec, threads: int = 2) -> Detector:
        """Open the detector that the manifest names.

        Raises:
            ModelError: its file is no network.
        """
        return cls(OnnxNetwork(spec.path, threads), spec)

    def prepare(self, bgr: Image) -> tuple[Scaled, ...]:
        """The picture at the size that the network wants, and again for the second look."""
        box = letterbox_for(bgr.shape[1], bgr.shape[0], self._spec.input_px)
        scaled = scale_to(bgr, box.content_px)
        look = Scaled(fill_letterbox(scaled, box), box)
        if not self._spec.glance_px:
            return (look,)
        # The smaller copy is made from the larger one, which is quicker and as good.
        box = letterbox_for(bgr.shape[1], bgr.shape[0], self._spec.glance_px)
        turned = scale_to(scaled, box.content_px)[::-1, ::-1]
        return (look, Scaled(fill_letterbox(turned, box), box, turned=True))

    def infer(self, scaled: Sequence[Scaled]) -> list[Tensor]:
        """The network's raw output for each size."""
        return [next(iter(self.network.run(one.tensor).values())) for one in scaled]

    def sort_out(
        self, outputs: Sequence[Tensor], scaled: Sequence[Scaled], size_px: tuple[int, int]
    ) -> tuple[Corners, npt.NDArray[np.float64]]:
        """All that may be cards, cards and their parts found more than once among them.

        Args:
            outputs: what :meth:`infer` returned.
            scaled: what :meth:`prepare` returned.
            size_px: width and height of the full picture; a card whose middle lies outside is
                less than half visible and left out.

        Returns:
            Quads of shape (n, 4, 2) in pixels of the full picture and scores of shape
            (n, classes), best first.
        """
        found = [self._candidates(*look, size_px) for look in zip(outputs, scaled, strict=True)]
        boxes = np.concatenate([look.boxes for look in found])
        scores = np.concatenate([look.scores for look in found])
        looks = np.repeat(np.arange(len(found)), [len(look.boxes) for look in found])
        inside = np.all((boxes[:, :2] >= 0) & (boxes[:, :2] <= np.array(size_px)), axis=1)
        large = boxes[:, 2:4].min(axis=1, initial=np.inf) >= LARGE_SHARE * min(size_px)
        order = np.argsort(-scores.max(axis=1), kind="stable")
        order = order[(inside & (large | (looks == 0)))[order]]
        asked = np.where(large, len(found), 1)[order]
        return merge_copies(corners_of_boxes(boxes[order]), scores[order], looks[order], asked)

    def distinct(
        self, quads: Corners, scores: npt.NDArray[np.float64], same_iou: float = SAME_CARD_IOU
    ) -> list[Found]:
        """The cards among candidates as :meth:`sort_out` returns them, each once, best first.

        Args:
            quads: shape (n, 4, 2), best first.
            scores: shape (n, classes).
            same_iou: from which overlap on two are one card.
        """
        kept = keep_distinct(quads, scores.max(axis=1, initial=0.0), same_iou)
        return [self._found(quads[index], scores[index]) for index in kept]

    def candidates(self, bgr: Image) -> tuple[Corners, npt.NDArray[np.float64]]:
        """What :meth:`sort_out` makes of a picture."""
        scaled = self.prepare(bgr)
        return self.sort_out(self.infer(scaled), scaled, (bgr.shape[1], bgr.shape[0]))

    def find(self, bgr: Image) -> tuple[Found, ...]:
        """The cards in a picture, best first."""
        return tuple(self.distinct(*self.candidates(bgr)))

    def _candidates(self, output: Tensor, scaled: Scaled, size_px: tuple[int, int]) -> Candidates:
        """Candidates of one look, in pixels of the full picture."""
        found = parse_output(output, len(self._sides), self._spec.threshold)
        boxes = found.boxes.copy()
        boxes[:, :4] /= scaled.box.scale
        if scaled.turned:
            boxes[:, :2] = np.array(size_px) - boxes[:, :2]
        return Candidates(boxes, found.scores)

    def _found(self, corners: npt.NDArray[np.float64], scores: npt.NDArray[np.float64]) -> Found:
        return Found(
            quad_px=as_quad(corners),
            side=self._sides[int(scores.argmax())],
            score=float(min(1.0, scores.max())),
            side_scores=tuple(zip(self._sides, map(float, scores), strict=True)),
        )
