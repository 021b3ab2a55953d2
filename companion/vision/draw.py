"""Pictures for people: JPEG, outlined and named cards, one card cut out as evidence."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from companion.errors import BadPicture
from companion.rules.cards import Colour, Face
from companion.vision.opencv import cv2
from companion.vision.quads import grown
from companion.vision.values import Image, Quad, Sighting

_BGR = {
    Colour.RED: (60, 50, 230),
    Colour.ORANGE: (30, 140, 255),
    Colour.YELLOW: (40, 215, 245),
    Colour.GREEN: (80, 180, 60),
    Colour.BLUE: (230, 130, 40),
    Colour.PURPLE: (190, 70, 160),
}
_OTHER_BGR = (235, 235, 235)
_DARK_BGR = (25, 25, 25)


def encode_jpeg(bgr: Image, width_px: int | None = None, quality: int = 80) -> bytes:
    """Pack a picture as JPEG, made smaller to ``width_px`` where it is wider.

    Args:
        bgr: shape (height, width, 3).
        width_px: the widest it may be; None leaves it as it is.
        quality: 1-100.

    Raises:
        BadPicture: there are no pixels to pack.
    """
    if bgr.size == 0:
        raise BadPicture(f"a picture has pixels, not the shape {bgr.shape}")
    if width_px is not None and bgr.shape[1] > width_px:
        height_px = max(1, round(bgr.shape[0] * width_px / bgr.shape[1]))
        small = cv2.resize(bgr, (width_px, height_px), interpolation=cv2.INTER_AREA)
        bgr = np.asarray(small, dtype=np.uint8)
    good, packed = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not good:
        raise BadPicture("this picture cannot be packed as JPEG")
    return packed.tobytes()


def draw_sightings(bgr: Image, sightings: Iterable[Sighting]) -> Image:
    """A copy of the picture with each card outlined and named.

    The name tells the colour by its letter; a doubtful card has a dashed outline, a face-down or
    special card a double one, so that nothing hangs on colour alone.

    Args:
        bgr: shape (height, width, 3), left as it is.
        sightings: cards in this picture's pixels.
    """
    drawn = bgr.copy()
    thick = max(1, round(bgr.shape[1] / 640))
    for sighting in sightings:
        _outline(drawn, sighting, thick)
    for sighting in sightings:
        _name(drawn, sighting, thick)
    return drawn


def _colour_of(sighting: Sighting) -> tuple[int, int, int]:
    colour = sighting.reading.colour
    return _BGR[colour] if colour is not None else _OTHER_BGR


def _outline(drawn: Image, sighting: Sighting, thick: int) -> None:
    corners = np.round(np.array(sighting.quad_px)).astype(np.int32)
    cv2.polylines(drawn, [corners], True, _DARK_BGR, 3 * thick, cv2.LINE_AA)
    if not sighting.reading.sure:
        for i in range(4):
            _dashes(drawn, corners[i], corners[(i + 1) % 4], (_colour_of(sighting), thick))
        return
    cv2.polylines(drawn, [corners], True, _colour_of(sighting), 2 * thick, cv2.LINE_AA)
    if sighting.reading.face is not Face.NUMBER:
        inner = np.round(np.array(grown(sighting.quad_px, 0.88))).astype(np.int32)
        cv2.polylines(drawn, [inner], True, _colour_of(sighting), thick, cv2.LINE_AA)


def _dashes(drawn: Image, start: Image, end: Image, pen: tuple[tuple[int, int, int], int]) -> None:
    colour, thick = pen
    steps = np.linspace(start, end, 10).round().astype(int)
    for a, b in zip(steps[::2], steps[1::2], strict=True):
        cv2.line(drawn, tuple(map(int, a)), tuple(map(int, b)), colour, 2 * thick, cv2.LINE_AA)


def _name(drawn: Image, sighting: Sighting, thick: int) -> None:
    text = str(sighting.reading)
    font, size = cv2.FONT_HERSHEY_SIMPLEX, 0.45 * thick + 0.15
    (width, height), _ = cv2.getTextSize(text, font, size, thick)
    x, y = (round(part) for part in sighting.centre_px)
    left, base = x - width // 2, y + height // 2
    pad = 2 + 2 * thick
    box = ((left - pad, base - height - pad), (left + width + pad, base + pad))
    cv2.rectangle(drawn, *box, _DARK_BGR, cv2.FILLED)
    cv2.rectangle(drawn, *box, _colour_of(sighting), thick)
    cv2.putText(drawn, text, (left, base), font, size, (255, 255, 255), thick, cv2.LINE_AA)


def crop_card(bgr: Image, quad_px: Quad, margin: float = 0.25) -> Image:
    """The part of a picture round one card, for evidence; as it lies, not straightened.

    Args:
        bgr: shape (height, width, 3).
        quad_px: the card's corners.
        margin: how much to show round it, as a share of its size.

    Raises:
        BadPicture: the card lies wholly outside the picture.
    """
    corners = np.array(grown(quad_px, 1.0 + margin))
    (left, top), (right, bottom) = np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0))
    part = bgr[max(0, int(top)) : max(0, int(bottom)), max(0, int(left)) : max(0, int(right))]
    if part.size == 0:
        raise BadPicture("this card lies outside the picture")
    return part.copy()
