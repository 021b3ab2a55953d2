"""Writes what went wrong as pictures: a contact sheet of every miss, an overlay of each picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from companion.vision.corners import as_corners
from companion.vision.cut import cut_card
from companion.vision.opencv import cv2
from companion.vision.score import Miss, MissKind
from companion.vision.values import Image

_CUT = (144, 192)
_CAPTION_PX = 34
_COLUMNS = 10
_OVERLAY_WIDTH_PX = 1280
_MARGIN = 0.15
_FONT = cv2.FONT_HERSHEY_SIMPLEX
_BGR = {
    MissKind.NOT_FOUND: (255, 255, 0),
    MissKind.INVENTED: (255, 0, 255),
    MissKind.MISREAD: (0, 0, 255),
    MissKind.UNSURE: (0, 200, 255),
    MissKind.STRANGER: (255, 128, 0),
}


class MissBook:
    """Gathers misses and writes them into a folder.

    Args:
        folder: made where it is missing.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tiles: list[Image] = []
        self._written: list[Path] = []
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, picture: Path, bgr: Image, misses: Sequence[Miss]) -> None:
        """Keep a tile of each miss and write the picture with all of them drawn in."""
        self._tiles += [_tile(bgr, miss, picture.stem) for miss in misses]
        self._write(f"{picture.parent.name}-{picture.stem}.jpg", _overlay(bgr, misses))

    def finish(self) -> tuple[Path, ...]:
        """Write the contact sheet; the files written, the sheet first."""
        if not self._tiles:
            return ()
        overlays = tuple(self._written)
        return (self._write("misses.jpg", _sheet(self._tiles)), *overlays)

    def _write(self, name: str, bgr: Image) -> Path:
        path = self._folder / name
        _, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, 88])
        path.write_bytes(data.tobytes())
        self._written.append(path)
        return path


def _tile(bgr: Image, miss: Miss, name: str) -> Image:
    """One cut with two lines beneath: what is there and what was read; which picture."""
    cut = cut_card(bgr, miss.quad_px, _CUT, _MARGIN)
    caption = np.zeros((_CAPTION_PX, _CUT[0], 3), dtype=np.uint8)
    _print(caption, f"{miss.wanted or 'nothing'}>{miss.got or 'nothing'}", 13, _BGR[miss.kind])
    _print(caption, name[-20:], 28, (200, 200, 200))
    return np.concatenate([cut, caption])


def _print(bgr: Image, text: str, y_px: int, colour_bgr: tuple[int, int, int]) -> None:
    cv2.putText(bgr, text, (2, y_px), _FONT, 0.38, colour_bgr, 1, cv2.LINE_AA)


def _sheet(tiles: Sequence[Image]) -> Image:
    blank = np.zeros_like(tiles[0])
    rows = [
        np.concatenate([*row, *([blank] * (_COLUMNS - len(row)))], axis=1)
        for row in (tiles[start : start + _COLUMNS] for start in range(0, len(tiles), _COLUMNS))
    ]
    return np.concatenate(rows)


def _overlay(bgr: Image, misses: Sequence[Miss]) -> Image:
    scale = _OVERLAY_WIDTH_PX / bgr.shape[1]
    canvas = np.asarray(cv2.resize(bgr, None, fx=scale, fy=scale), dtype=np.uint8)
    for miss in misses:
        corners = np.round(as_corners(miss.quad_px) * scale).astype(np.int32)
        cv2.polylines(canvas, [corners.reshape(-1, 1, 2)], True, _BGR[miss.kind], 2, cv2.LINE_AA)
        text = f"{miss.kind.value}: {miss.wanted} > {miss.got}"
        x, y = map(int, corners.min(axis=0))
        cv2.putText(canvas, text, (max(0, x), max(16, y)), _FONT, 0.55, _BGR[miss.kind], 2)
    return canvas
