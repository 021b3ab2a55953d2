"""Reads a picture from a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from companion.errors import BadPicture
from companion.vision.opencv import cv2
from companion.vision.values import Image


def read_image(path: str | Path) -> Image:
    """Decode a picture; turned as its EXIF orientation says.

    Returns:
        uint8 of shape (height, width, 3), blue first.

    Raises:
        BadPicture: there is no such file, or it is no picture.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise BadPicture(f"picture {path} cannot be read: {error.strerror or error}") from None
    return decode_picture(data, str(path))


def decode_picture(data: bytes, name: str = "what was sent") -> Image:
    """Decode the bytes of a picture, as a phone sends them; turned as EXIF says.

    Returns:
        uint8 of shape (height, width, 3), blue first.

    Raises:
        BadPicture: the bytes are no picture.
    """
    bgr = None
    if data:
        try:
            bgr = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR)
        except cv2.error as error:
            raise BadPicture(f"picture {name} cannot be decoded: {error.err}") from None
    if bgr is None:
        raise BadPicture(f"{name} is no picture that can be decoded: wanted JPEG, PNG or the like")
    return np.asarray(bgr, dtype=np.uint8)
