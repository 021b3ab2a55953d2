"""Cuts out of labelled photographs by their true corners: for measuring, never for training."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from companion.errors import BadPicture
from companion.vision.corners import as_quad
from companion.vision.cut import cut_card
from datasets.workshop.cuts import CUT_PX, MARGIN
from datasets.workshop.network import HEADS, IGNORED
from datasets.workshop.shards import Shard

SMALLEST_VISIBLE = 0.5


def photo_cuts(folder: Path) -> Shard:
    """Every card of the photographs whose corners are known and that is half in sight.

    Cards that this game does not have (other digits, actions, backs) have the side ``none``.

    Raises:
        BadPicture: a photograph is missing or broken.
    """
    cuts, rows, seen, sizes = [], [], [], []
    for photo in json.loads((folder / "labels.json").read_text(encoding="utf-8")):
        bgr = cv2.imread(str(folder / photo["image"]))
        if bgr is None:
            raise BadPicture(f"{photo['image']} is no picture")
        for card in photo["cards"]:
            if card["quad"] is None or card["visible"] < SMALLEST_VISIBLE:
                continue
            quad = np.array(card["quad"], np.float64)
            cuts.append(cut_card(np.asarray(bgr, np.uint8), as_quad(quad), CUT_PX, MARGIN))
            rows.append(_targets(card))
            seen.append(card["visible"])
            edges = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
            sizes.append(float(edges.min()))
    facts = np.array(seen, np.float16), np.array(sizes, np.float16)
    return Shard(np.stack(cuts), np.array(rows, np.int8), *facts)


def _targets(card: dict[str, object]) -> list[int]:
    value, colour = card["value"], card["colour"]
    known = card["face"] == "front" and str(value) in {"1", "2", "3", "4", "5", "6"}
    found = dict.fromkeys(HEADS, IGNORED)
    found["side"] = HEADS["side"].index("number" if known else "none")
    if known:
        found["value"] = HEADS["value"].index(str(value))
        found["colour"] = HEADS["colour"].index(str(colour))
    return list(found.values())
