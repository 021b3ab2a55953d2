"""Cuts for the reader out of made pictures, by their labels, as a detector would have cut them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.errors import BadPicture, NotFound
from companion.vision.corners import as_quad, sides_px
from companion.vision.cut import cut_card
from companion.vision.values import Image
from datasets.workshop.cuts import CUT_PX, MARGIN, Cut, as_detected
from datasets.workshop.progress import Progress
from datasets.workshop.shards import shard_names, write_shard

SMALLEST_VISIBLE = 0.3
_PICTURES_A_SHARD = 250


def cut_pictures(pictures: Path, folder: Path, seed: int = 1, copies: int = 2) -> None:
    """Cut every card out of a folder of pictures, ``copies`` times, each a little otherwise.

    Shards that are there already are kept.

    Raises:
        NotFound: there are no pictures.
        BadPicture: one cannot be decoded.
    """
    labels = pictures / "labels.jsonl"
    if not labels.exists():
        raise NotFound(f"no pictures in {pictures}: make them first (make)")
    records = [json.loads(line) for line in labels.read_text(encoding="utf-8").splitlines()]
    starts = range(0, len(records), _PICTURES_A_SHARD)
    progress = Progress("scene cuts", len(records))
    there = set(shard_names(folder))
    for number, start in enumerate(starts):
        part = records[start : start + _PICTURES_A_SHARD]
        name = f"scene-{pictures.name}-{number:05d}"
        if name not in there:
            rng = np.random.default_rng([seed, number])
            cuts = [cut for record in part for cut in _cuts(pictures, record, rng, copies)]
            if cuts:
                write_shard(folder, name, cuts)
        progress.step(len(part))


def _cuts(
    pictures: Path, record: dict[str, Any], rng: np.random.Generator, copies: int
) -> list[Cut]:
    bgr = cv2.imread(str(pictures / record["image"]))
    if bgr is None:
        raise BadPicture(f"{record['image']} is no picture")
    return [
        _cut(np.asarray(bgr, np.uint8), card, rng)
        for card in record["cards"]
        if card["visible"] >= SMALLEST_VISIBLE
        for _ in range(copies)
    ]


def _cut(bgr: Image, card: dict[str, Any], rng: np.random.Generator) -> Cut:
    quad = np.array(card["quad"], np.float64)
    cut = cut_card(bgr, as_quad(as_detected(quad, rng)), CUT_PX, MARGIN)
    return Cut(cut, card["card"], float(card["visible"]), min(sides_px(quad)))
