"""Cuts of what a detector takes for cards and is none: notes, coasters, flowers on a cloth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from companion.vision.corners import as_corners, as_quad, overlap, sides_px
from companion.vision.cut import cut_card
from companion.vision.detect import Found
from companion.vision.values import Image, Quad
from datasets.workshop.cuts import CUT_PX, MARGIN, Cut
from datasets.workshop.labels import STRANGER
from datasets.workshop.progress import Progress
from datasets.workshop.shards import write_shard

APART_IOU = 0.15
"""What overlaps a card by more is that card, badly boxed."""

_CUTS_A_SHARD = 512


class Finder(Protocol):
    """What finds cards, as :class:`companion.vision.detect.Detector` does."""

    def find(self, bgr: Image) -> tuple[Found, ...]:
        """The cards in a picture, best first."""
        ...


def mine(pictures: Path, folder: Path, detector: Finder) -> int:
    """Write shards of cuts of invented cards, as ``none``; how many there are.

    Args:
        pictures: a folder of made pictures with ``labels.jsonl``.
        folder: where the shards go.
        detector: what invents; its threshold should be low.
    """
    labels = (pictures / "labels.jsonl").read_text(encoding="utf-8")
    records = [json.loads(line) for line in labels.splitlines()]
    progress = Progress(f"mining {pictures.name}", len(records))
    cuts: list[Cut] = []
    for record in records:
        bgr = np.asarray(cv2.imread(str(pictures / record["image"])), np.uint8)
        quads = [found.quad_px for found in detector.find(bgr)]
        cuts += [_cut(bgr, quad) for quad in quads if _is_apart(quad, record["cards"])]
        progress.step()
    for number, start in enumerate(range(0, len(cuts), _CUTS_A_SHARD)):
        name = f"none-{pictures.name}-{number:05d}"
        write_shard(folder, name, cuts[start : start + _CUTS_A_SHARD])
    return len(cuts)


def _is_apart(quad: Quad, cards: list[dict[str, Any]]) -> bool:
    corners = as_corners(quad)
    return all(
        overlap(corners, np.array(card["quad"], np.float64)).iou < APART_IOU for card in cards
    )


def _cut(bgr: Image, quad: Quad) -> Cut:
    corners = as_corners(quad)
    cut = cut_card(bgr, as_quad(corners), CUT_PX, MARGIN)
    return Cut(cut, STRANGER, 1.0, min(sides_px(corners)))
