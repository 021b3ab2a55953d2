"""The eyes as a whole, with toy networks: picture in, contract out."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from companion.errors import BadPicture
from companion.rules.cards import parse_card
from companion.vision.evidence import weigh
from companion.vision.opencv import cv2
from companion.vision.pipeline import (
    Pipeline,
    StageTimes,
    advice,
    load_pipeline,
    read_image,
    view_to_json,
)
from companion.vision.quads import iou
from companion.vision.values import Frame, Image, Reading, Sighting, TableView, parse_reading
from tests.vision.toy import BLUE_BGR, RED_BGR, box_quad, install_toy_models, paint


@pytest.fixture(name="pipeline", scope="module")
def toy_pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    return load_pipeline(1, install_toy_models(tmp_path_factory.mktemp("models")))


def two_cards() -> Image:
    """A red and a blue card where the toy detector finds them, on black."""
    bgr = np.zeros((360, 640, 3), dtype=np.uint8)
    paint(bgr, box_quad(200, 150, (80, 112), turn_deg=30), RED_BGR)
    paint(bgr, box_quad(420, 200, (80, 112)), BLUE_BGR)
    return bgr


def view_of(*sightings: Sighting) -> TableView:
    return TableView(sightings, taken_at_s=0.0, frame_number=0, width_px=640, height_px=360)


def test_a_frame_becomes_a_view(pipeline: Pipeline) -> None:
    view = pipeline.see(Frame(two_cards(), taken_at_s=3.5, number=7))

    assert [str(seen.reading) for seen in view.sightings] == ["R5", "B5"]
    assert (view.taken_at_s, view.frame_number) == (3.5, 7)
    assert (view.width_px, view.height_px) == (640, 360)


def test_a_larger_picture_of_the_same_table_is_read_the_same(pipeline: Pipeline) -> None:
    large = np.asarray(cv2.resize(two_cards(), (1920, 1080)), dtype=np.uint8)

    small_view = pipeline.see(Frame(two_cards(), 0.0))
    large_view = pipeline.see(Frame(large, 0.0))

    for small, big in zip(small_view.sightings, large_view.sightings, strict=True):
        assert str(big.reading) == str(small.reading)
        assert np.array(big.quad_px) == pytest.approx(3.0 * np.array(small.quad_px))


def test_each_stage_tells_its_time(pipeline: Pipeline) -> None:
    _, times = pipeline.see_timed(Frame(two_cards(), 0.0))

    parts_ms = [getattr(times, stage.name) for stage in fields(StageTimes)]
    assert all(part > 0 for part in parts_ms)
    assert times.total_ms == pytest.approx(sum(parts_ms))


def test_the_line_for_a_picture_is_the_contract_s(pipeline: Pipeline) -> None:
    view = pipeline.see(Frame(two_cards(), 0.0))

    line = json.loads(json.dumps(view_to_json("table.jpg", view)))

    assert {key: line[key] for key in ("image", "width", "height")} == {
        "image": "table.jpg",
        "width": 640,
        "height": 360,
    }
    card = line["cards"][1]
    assert list(card) == [
        *("card", "face", "colour", "value", "tweak"),
        *("quad", "score", "alternatives"),
    ]
    assert (card["card"], card["face"], card["tweak"]) == ("B5", "number", None)
    assert (card["colour"], card["value"]) == ("blue", 5)
    assert card["quad"] == [[380.0, 144.0], [460.0, 144.0], [460.0, 256.0], [380.0, 256.0]]
    assert 0.9 < card["score"] <= 1


@pytest.mark.parametrize(
    ("text", "face", "colour", "value", "tweak"),
    [
        ("R5?O5", "number", None, 5, None),
        ("R5?R6", "number", "red", None, None),
        ("#9", "target_back", None, 9, None),
        ("T!bomb", "tweak", None, None, "bomb"),
        ("T!bomb?T!thief", "tweak", None, None, None),
        ("T!back", "tweak_back", None, None, None),
        ("=7", "seven", None, 7, None),
        ("B1?=7", "unknown", None, None, None),
        ("?", "unknown", None, None, None),
    ],
)
def test_every_kind_of_reading_has_its_line(
    text: str, face: str, colour: str | None, value: int | None, tweak: str | None
) -> None:
    view = view_of(Sighting(box_quad(50, 50, (40, 56)), parse_reading(text), found=0.9))

    (card,) = view_to_json("a.png", view)["cards"]

    assert card["card"] == text
    assert (card["face"], card["colour"]) == (face, colour)
    assert (card["value"], card["tweak"]) == (value, tweak)
    assert [name for name, _ in card["alternatives"]] == text.rstrip("?").split("?")[1:]


@pytest.mark.parametrize(
    ("found", "score", "stranger", "reported"),
    [
        (0.7, 0.1, 0.2, True),
        (0.3, 0.8, 0.1, True),
        (0.7, 0.0, 0.9, True),
        (0.65, 0.0, 0.9, False),
        (0.4, 0.2, 0.3, False),
    ],
    ids=["clearly there", "weak but read", "another game's", "a book's", "weak and not read"],
)
def test_a_weak_find_counts_only_if_something_can_be_read(
    found: float, score: float, stranger: float, reported: bool
) -> None:
    reading = Reading(options=((parse_card("R5"), score),), sure=False, stranger=stranger)

    sighting = Sighting(box_quad(50, 50, (40, 56)), reading, found)

    assert weigh([sighting]) == ((sighting,) if reported else ())


def test_a_find_inside_a_better_one_is_that_card_once_more() -> None:
    whole, part, half_over = (
        Sighting(box_quad(x, 50, size, turn_deg), parse_reading("R5"), found)
        for x, size, turn_deg, found in (
            (50, (40, 56), 0, 0.8),
            (60, (44, 44), 40, 0.7),
            (72, (40, 56), 0, 0.9),
        )
    )

    assert weigh([part, whole]) == (whole,)
    assert weigh([whole, half_over]) == (whole, half_over)


@pytest.mark.parametrize(
    ("under", "kept"), [("R5", 2), ("R6", 1), ("R5?B5", 1)], ids=["clear", "the same", "in doubt"]
)
def test_a_find_far_inside_another_stays_if_both_are_clear_and_differ(
    under: str, kept: int
) -> None:
    upper = Sighting(box_quad(50, 50, (40, 56)), parse_reading("R6"), 0.9)
    lower = Sighting(box_quad(62, 50, (40, 56)), parse_reading(under), 0.8)

    assert len(weigh([upper, lower])) == kept


def test_small_cards_bring_an_advice() -> None:
    nothing = Reading(options=(), sure=False)
    large = Sighting(box_quad(50, 50, (40, 56)), nothing, found=0.9)
    small = Sighting(box_quad(90, 90, (11, 15)), nothing, found=0.9)

    assert advice(view_of(large)) == ()
    assert advice(view_of(large, small)) == ("bring the camera closer: cards are 11 px",)


def test_a_picture_is_turned_as_its_exif_says(tmp_path: Path) -> None:
    bgr = np.zeros((40, 80, 3), dtype=np.uint8)
    bgr[:, :40] = 255
    data = cv2.imencode(".jpg", bgr)[1].tobytes()
    # A minimal EXIF segment: orientation 6, to be turned a quarter clockwise.
    tiff = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"
    exif = b"Exif\0\0" + tiff
    segment = b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif
    path = tmp_path / "turned.jpg"
    path.write_bytes(data[:2] + segment + data[2:])

    turned = read_image(path)

    assert turned.shape == (80, 40, 3)
    assert turned[10, 20].min() > 200
    assert turned[70, 20].max() < 50


@pytest.mark.parametrize("content", [b"", b"no picture at all", b"\xff\xd8\xff\xe0 torn"])
def test_a_broken_picture_is_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.jpg"
    path.write_bytes(content)

    with pytest.raises(BadPicture, match=r"broken\.jpg") as caught:
        read_image(path)
    assert "\n" not in str(caught.value)


def test_a_missing_picture_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadPicture, match=r"gone\.jpg cannot be read"):
        read_image(tmp_path / "gone.jpg")


def test_a_nearer_look_keeps_what_is_known(pipeline: Pipeline) -> None:
    # Given a view of two cards, one of which was read as another card
    frame = Frame(two_cards(), taken_at_s=3.5, number=7)
    whole = pipeline.see(frame)
    known = replace(whole.sightings[0], reading=parse_reading("G1"))
    # When the part where they lie is looked at from nearer (the toy finds cards at fixed places)
    view = pipeline.look_nearer(frame, replace(whole, sightings=(known, *whole.sightings[1:])))
    # Then what is known stays as it is, and what is added lies elsewhere
    assert view.sightings[:2] == (known, whole.sightings[1])
    shared = [
        iou(new.quad_px, old.quad_px) for new in view.sightings[2:] for old in whole.sightings
    ]
    assert max(shared, default=0.0) < 0.4
    assert pipeline.look_nearer(frame, view_of()) == view_of()
