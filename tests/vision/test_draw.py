"""Stories about pictures for people."""

from __future__ import annotations

import numpy as np
import pytest

from companion.errors import BadPicture, CompanionError
from companion.vision.draw import crop_card, draw_sightings, encode_jpeg
from companion.vision.opencv import explain_missing
from companion.vision.pictures import decode_picture
from companion.vision.values import Image
from tests.vision.stage import quad_at, sighting

GRAY: Image = np.full((360, 640, 3), 128, dtype=np.uint8)


def test_a_jpeg_is_made_smaller_but_never_larger() -> None:
    assert decode_picture(encode_jpeg(GRAY, 320)).shape == (180, 320, 3)
    assert decode_picture(encode_jpeg(GRAY, 3000)).shape == (360, 640, 3)
    grain = np.random.default_rng(1).integers(0, 255, (60, 80, 3), dtype=np.uint8)
    assert len(encode_jpeg(grain, quality=10)) < len(encode_jpeg(grain, quality=95))


def test_no_pixels_make_no_jpeg() -> None:
    with pytest.raises(BadPicture, match="a picture has pixels"):
        encode_jpeg(np.zeros((0, 5, 3), dtype=np.uint8))


def test_cards_are_outlined_and_named_on_a_copy() -> None:
    before = GRAY.copy()
    drawn = draw_sightings(GRAY, [sighting("R5", (100, 100)), sighting("#9", (300, 100))])
    assert np.array_equal(GRAY, before)
    changed = np.argwhere((drawn != GRAY).any(axis=2))
    assert changed[:, 0].min() >= 90
    assert changed[:, 0].max() <= 175


def test_doubt_and_side_are_shown_by_shape_not_by_colour_alone() -> None:
    texts = ("P1", "#9", "R5?O5", "?")
    pictures = [draw_sightings(GRAY, [sighting(text, (100, 100))]) for text in texts]
    # The left edge of the card, where no name is written.
    number, back, doubtful, unknown = (
        (one != GRAY).any(axis=2)[102:124, 96:108] for one in pictures
    )
    assert back.sum() > number.sum()
    light = [(one[100:164, 98:103] > 180).all(axis=2).sum() for one in pictures]
    assert light[2] < light[1]
    assert unknown.any()
    assert doubtful.any()


def test_a_card_is_cut_out_with_some_room_round_it() -> None:
    assert crop_card(GRAY, quad_at(100, 100, 40, 60), margin=0.5).shape == (90, 60, 3)
    assert crop_card(GRAY, quad_at(-20, -20, 40, 60)).size > 0
    with pytest.raises(BadPicture, match="outside the picture"):
        crop_card(GRAY, quad_at(900, 900))


def test_a_missing_library_is_one_line_with_the_package_to_install() -> None:
    line = explain_missing(ImportError("libGL.so.1: cannot open shared object file: No such file"))
    assert "libGL.so.1 is missing" in line
    assert "apt install libgl1" in line
    assert "pip install opencv-python" in explain_missing(ImportError("No module named 'cv2'"))
    assert issubclass(BadPicture, CompanionError)
