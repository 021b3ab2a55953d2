"""Looks at each made picture as a camera would: ten frames of a still table, merged into one view.

Each frame is the picture moved by parts of a pixel, turned a little, in other light, with noise of
its own and compressed anew; all of it follows from the picture's number. The real settler says
which frames are looked at, and what counts as seen.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from companion.vision.opencv import cv2
from companion.vision.pipeline import Eyes
from companion.vision.settle import Settler
from companion.vision.values import Frame, Image, TableView

FRAMES = 10
_FRAME_S = 0.1
_SHIFT_SHARE = 0.6 / 1280.0
"""Of the width: parts of a pixel in a picture of 1280."""

_TURN_DEG = 0.05
_GAIN = 0.04
_NOISE = 2.5
_JPEG_QUALITY = (80, 95)


def settled_view(eyes: Eyes, bgr: Image, number: int) -> TableView:
    """What counts as seen after ten frames of one picture; nothing where it never settled.

    Args:
        eyes: what looks.
        bgr: the picture.
        number: of the picture, from which the frames' unrest follows.
    """
    settler, settled = Settler(), None
    for index, jittered in enumerate(jittered_frames(bgr, number)):
        frame = Frame(jittered, taken_at_s=_FRAME_S * index, number=index)
        view = eyes.see(frame) if settler.needs_look(frame) else None
        settled = settler.look(frame, view).settled
    if settled is None:
        return TableView((), 0.0, 0, bgr.shape[1], bgr.shape[0])
    return settled


def jittered_frames(bgr: Image, number: int) -> Iterator[Image]:
    """Ten frames of one still table, each of the picture's own shape."""
    rng = np.random.default_rng([2, number])
    height, width = bgr.shape[:2]
    reach_px = _SHIFT_SHARE * width
    for _ in range(FRAMES):
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), rng.uniform(-1, 1) * _TURN_DEG, 1.0)
        turn = turn + np.array([[0.0, 0.0, rng.uniform(-reach_px, reach_px)] for _ in "xy"])
        moved = cv2.warpAffine(
            bgr, turn, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
        )
        noise = rng.standard_normal(moved.shape, dtype=np.float32) * np.float32(_NOISE)
        lit = moved * np.float32(1.0 + rng.uniform(-_GAIN, _GAIN)) + noise
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(*_JPEG_QUALITY))]
        _, data = cv2.imencode(".jpg", np.clip(lit, 0, 255).astype(np.uint8), quality)
        yield np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
