"""A contact sheet of made pictures with their labels drawn in, to look at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.errors import BadInput
from companion.vision.values import Image

TILE_PX = (480, 270)


def outlined(bgr: Image, cards: list[dict[str, Any]]) -> Image:
    """A copy of a picture with each card's outline, a dot at its own top-left, and its text."""
    out = bgr.copy()
    thick = max(1, round(max(bgr.shape[:2]) / 500))
    for card in cards:
        quad = np.array(card["quad"], np.float32)
        colour = (0, 255, 0) if card["visible"] >= 0.5 else (0, 140, 255)
        cv2.polylines(out, [quad.round().astype(np.int32)], True, colour, thick, cv2.LINE_AA)
        corner = (round(float(quad[0, 0])), round(float(quad[0, 1])))
        cv2.circle(out, corner, 3 * thick, (0, 0, 255), -1, cv2.LINE_AA)
        text = f"{card['card']} {card['visible']:.2f}"
        size = max(0.5, max(bgr.shape[:2]) / 1500)
        for ink, width in (((0, 0, 0), 3 * thick), ((255, 255, 255), thick)):
            cv2.putText(out, text, corner, cv2.FONT_HERSHEY_SIMPLEX, size, ink, width, cv2.LINE_AA)
    return out


def contact_sheet(folder: Path, columns: int = 4, pictures: int = 24, first: int = 0) -> Image:
    """Pictures ``first`` onwards of a folder that ``make`` has written, as one picture.

    Raises:
        BadInput: the folder has no labels.
    """
    lines = folder / "labels.jsonl"
    if not lines.is_file():
        raise BadInput(f"no labels.jsonl in {folder}: make the pictures first")
    records = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    tiles = [_tile(folder, record) for record in records[first : first + pictures]]
    while len(tiles) % columns:
        tiles.append(np.zeros((TILE_PX[1], TILE_PX[0], 3), np.uint8))
    rows = [np.hstack(tiles[at : at + columns]) for at in range(0, len(tiles), columns)]
    return np.vstack(rows)


def _tile(folder: Path, record: dict[str, Any]) -> Image:
    bgr = cv2.imread(str(folder / record["image"]))
    if bgr is None:
        raise BadInput(f"{folder / record['image']} can't be read as a picture")
    drawn = outlined(np.asarray(bgr, np.uint8), record["cards"])
    height, width = drawn.shape[:2]
    scale = min(TILE_PX[0] / width, TILE_PX[1] / height)
    small = cv2.resize(
        drawn, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA
    )
    tile = np.zeros((TILE_PX[1], TILE_PX[0], 3), np.uint8)
    tile[: small.shape[0], : small.shape[1]] = small
    return tile
