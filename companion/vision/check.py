"""Step 2b: a second opinion on each quad, from a closer look with its surroundings.

The detector sees the whole picture, made small; it doubts cards that lie half under others, and
its boxes slip. A small network looks at every candidate in the full picture, says how likely a card
lies there, and where its corners are (a cascade, as in Cai & Vasconcelos 2018, "Cascade R-CNN").
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from companion.vision.corners import Corners, upright
from companion.vision.cut import cut_corners, shrinks_by, straighten
from companion.vision.duplicates import SAME_BEFORE_RIGHT_IOU, keep_distinct
from companion.vision.manifest import CheckerSpec
from companion.vision.networks import Network, Tensor, open_network
from companion.vision.opencv import cv2
from companion.vision.values import Image

Scores = npt.NDArray[np.float64]

CHECK_PX = (64, 96)
"""Width and height of a look at a quad."""

CHECK_MARGIN = 0.35
"""How much more than the quad a look shows on each side, as a share of the quad."""

MOST = 72
"""So many candidates are looked at, the detector's best first; a table has 20 cards at most."""

_OWN = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
_FARTHEST = 0.45
_TINY = 1e-4


def look_at(bgr: Image, corners: Corners) -> Image:
    """What lies inside a quad (4, 2), upright, and around it: uint8 (96, 64, 3)."""
    return cut_corners(bgr, corners, CHECK_PX, CHECK_MARGIN)


class Levels:
    """A picture and its smaller copies, each half the size of the one before.

    Looking at a card in the copy where it is about as large as in the look is as good as shrinking
    its surroundings for each look, and quicker where there are many.
    """

    def __init__(self, bgr: Image) -> None:
        self._levels = [bgr]

    def look(self, corners: Corners) -> Image:
        """The same as :func:`look_at`, but for the averaging."""
        factor = max(1.0, shrinks_by(corners, CHECK_PX, CHECK_MARGIN))
        level = round(math.log2(factor))
        while len(self._levels) <= level:
            last = self._levels[-1]
            size = (max(1, last.shape[1] // 2), max(1, last.shape[0] // 2))
            half = cv2.resize(last, size, interpolation=cv2.INTER_AREA)
            self._levels.append(np.asarray(half, np.uint8))
        small, full = self._levels[level], self._levels[0]
        scale = np.array([small.shape[1] / full.shape[1], small.shape[0] / full.shape[0]])
        return straighten(small, corners * scale, CHECK_PX, CHECK_MARGIN)


def to_card_units(corners: Corners, points: Corners) -> Corners:
    """Points (n, 2) in pixels, seen from a quad: its corners are (0, 0), (1, 0), (1, 1), (0, 1)."""
    return _warped(points, _warp(corners, _OWN))


def from_card_units(corners: Corners, units: Corners) -> Corners:
    """The way back to pixels."""
    return _warped(units, _warp(_OWN, corners))


def _warp(source: Corners, target: Corners) -> npt.NDArray[np.float64]:
    warp = cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32))
    return np.asarray(warp, np.float64)


def _warped(points: Corners, warp: npt.NDArray[np.float64]) -> Corners:
    moved = cv2.perspectiveTransform(points.reshape(1, -1, 2).astype(np.float64), warp)
    return np.asarray(moved.reshape(-1, 2), np.float64)


def put_right(corners: Corners, answers: npt.NDArray[np.float64]) -> Corners:
    """Quads (n, 4, 2) with the corners that a checker's answers (n, 9) give them."""
    offsets = np.clip(answers[:, 1:].reshape(-1, 4, 2), -_FARTHEST, _FARTHEST)
    moved = [from_card_units(one, _OWN + off) for one, off in zip(corners, offsets, strict=True)]
    return np.array(moved).reshape(-1, 4, 2)


class Checker:
    """Looks at the detector's candidates once more.

    Args:
        network: looks (n, 3, 96, 64) in, answers (n, 9) out: a card's logit, its corners' offsets.
        spec: how its word and the detector's are put together.

    Attributes:
        enough: evidence from which on what it let pass is reported, once read.
    """

    def __init__(self, network: Network, spec: CheckerSpec) -> None:
        self.network = network
        self.enough = spec.enough
        self._spec = spec

    @classmethod
    def open(cls, spec: CheckerSpec, threads: int = 2) -> Checker:
        """Open the checker that the manifest names.

        Raises:
            ModelError: its file is no network, or one without ``answers``.
        """
        return cls(open_network(spec.path, ["answers"], threads), spec)

    def check(self, bgr: Image, quads: Corners, scores: Scores) -> tuple[Corners, Scores]:
        """The candidates that may be cards, put right, best first, and hardly any of them twice.

        What is left after the first look is looked at once more: the nearer a quad lies to its
        card, the better its corners are seen, and a quad that lies astride two is known by then.

        Args:
            bgr: the full picture.
            quads: shape (n, 4, 2), the detector's best first.
            scores: shape (n, classes).
        """
        if not len(quads):
            return quads, scores
        levels = Levels(bgr)
        corners, looks = self.look(levels, quads)
        scores = scores[: len(corners)]
        first = self.infer(looks)
        right, chances = put_right(corners, first), self.chances(scores, first)
        order = np.argsort(-chances, kind="stable")
        order = order[chances[order] >= self._spec.threshold]
        kept = order[keep_distinct(right[order], chances[order], SAME_BEFORE_RIGHT_IOU)]
        if not len(kept):
            return right[:0], scores[:0]
        corners, looks = self.look(levels, right[kept])
        second = self.infer(looks)
        chances = self.chances(scores[kept], first[kept], second)
        best = np.argsort(-chances, kind="stable")
        rescored = scores[kept] * (chances / scores[kept].max(axis=1))[:, None]
        return put_right(corners, second)[best], rescored[best]

    def look(self, levels: Levels, quads: Corners) -> tuple[Corners, Tensor]:
        """The quads, upright, and what lies in and around each as the network wants it."""
        corners = np.array([upright(quad) for quad in quads[:MOST]])
        looks = [levels.look(one) for one in corners]
        return corners, np.asarray(
            cv2.dnn.blobFromImages(looks, scalefactor=1.0 / 255.0, swapRB=True), np.float32
        )

    def infer(self, looks: Tensor) -> npt.NDArray[np.float64]:
        """The network's answers (n, 9)."""
        return self.network.run(looks)["answers"].astype(np.float64)

    def chances(
        self, scores: Scores, first: Scores, second: Scores | None = None
    ) -> npt.NDArray[np.float64]:
        """How likely each candidate is a card, by what was said of it so far: shape (n,).

        Args:
            scores: shape (n, classes), the detector's.
            first: the network's answers (n, 9) to the first look.
            second: its answers to the second look at the same candidates.
        """
        said = np.clip(scores.max(axis=1), _TINY, 1 - _TINY)
        facts = [np.ones(len(said)), np.log(said / (1 - said)), first[:, 0]]
        weights: tuple[float, ...] = self._spec.blend
        if second is not None and self._spec.again is not None:
            facts.append(second[:, 0])
            weights = self._spec.again
        log_odds = np.tensordot(weights, np.array(facts), axes=1)
        return np.asarray(1 / (1 + np.exp(-log_odds)), np.float64)
