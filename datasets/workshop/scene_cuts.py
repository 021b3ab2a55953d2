"""Cuts for the reader out of made pictures, by their labels, as a detector would have cut them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.errors import BadPicture, NotFound
from companion.vision.corners import as_quad, sides_px
from companion.vision.cut import cut_card
from companion.vision.values import Image
from datasets.workshop.cuts import CLOSE, CUT_PX, MARGIN, Cut, Sizes, as_detected
from datasets.workshop.progress import Progress
from datasets.workshop.shards import shard_names, write_shard

SMALLEST_VISIBLE = 0.3
_CLEAR = 0.98
_PICTURES_A_SHARD = 250


ANY_SIZE = Sizes(CUT_PX, (0.0, float("inf")))


@dataclass(frozen=True, slots=True)
class SceneRecipe:
    """Which cards are cut out of made pictures.

    Attributes:
        copies: how often each is, a little otherwise each time.
        sizes: how large the cuts are; of the cards' sizes only the smallest counts.
        clear_share: how many of the cards that lie in full sight are cut.
        seed: shard i of a folder follows from (seed, i) alone.
    """

    copies: int = 2
    sizes: Sizes = ANY_SIZE
    clear_share: float = 1.0
    seed: int = 1


ALL_SCENES = SceneRecipe()
CLOSE_SCENES = SceneRecipe(1, CLOSE, 0.25)


def cut_pictures(pictures: Path, folder: Path, recipe: SceneRecipe = ALL_SCENES) -> None:
    """Cut the cards out of a folder of pictures.

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
            rng = np.random.default_rng([recipe.seed, number])
            cuts = [cut for record in part for cut in _cuts(pictures, record, rng, recipe)]
            if cuts:
                write_shard(folder, name, cuts)
        progress.step(len(part))


def _cuts(
    pictures: Path, record: dict[str, Any], rng: np.random.Generator, recipe: SceneRecipe
) -> list[Cut]:
    bgr = cv2.imread(str(pictures / record["image"]))
    if bgr is None:
        raise BadPicture(f"{record['image']} is no picture")
    return [
        _cut(np.asarray(bgr, np.uint8), card, rng, recipe.sizes)
        for card in record["cards"]
        if _wanted(card, rng, recipe)
        for _ in range(recipe.copies)
    ]


def _wanted(card: dict[str, Any], rng: np.random.Generator, recipe: SceneRecipe) -> bool:
    if card["visible"] < SMALLEST_VISIBLE:
        return False
    if min(sides_px(np.array(card["quad"], np.float64))) < recipe.sizes.card_px[0]:
        return False
    return recipe.clear_share >= 1 or card["visible"] < _CLEAR or rng.random() < recipe.clear_share


def _cut(bgr: Image, card: dict[str, Any], rng: np.random.Generator, sizes: Sizes) -> Cut:
    quad = np.array(card["quad"], np.float64)
    cut = cut_card(bgr, as_quad(as_detected(quad, rng)), sizes.cut_px, MARGIN)
    return Cut(cut, card["card"], float(card["visible"]), min(sides_px(quad)))
