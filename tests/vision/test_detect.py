"""From a picture to card quads: scaling, layouts, duplicates, edges."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import ModelError
from companion.rules.cards import Face
from companion.vision.detect import Detector, fill_letterbox, letterbox_for, scale_to
from companion.vision.manifest import DetectorSpec
from companion.vision.quads import centre, iou, short_side
from tests.vision.toy import SIDES, ScriptedNetwork, box_quad, raw_output

SPEC = DetectorSpec(path=Path("none.onnx"), classes=SIDES)
PICTURE = np.zeros((720, 1280, 3), dtype=np.uint8)
NUMBER = (0.9, 0.0, 0.0, 0.0, 0.0)
BACK = (0.0, 0.8, 0.0, 0.0, 0.0)


def find(*rows: tuple[float, ...]) -> list[tuple[Face, tuple[float, float]]]:
    """Side and middle of what is found where the network answers with these candidates."""
    network = ScriptedNetwork(raw_output([*rows, (0, 0, 1, 1, 0, 0, 0, 0, 0, 0)]))
    found = Detector(network, SPEC).find(PICTURE)
    middles = [centre(one.quad_px) for one in found]
    return [(one.side, (round(x), round(y))) for one, (x, y) in zip(found, middles, strict=True)]


@given(st.integers(16, 4000), st.integers(16, 4000))
def test_the_networks_picture_holds_the_whole_picture(width: int, height: int) -> None:
    box = letterbox_for(width, height, 640)

    assert box.width_px % 32 == box.height_px % 32 == 0
    assert width * box.scale <= box.width_px + 0.5
    assert height * box.scale <= box.height_px + 0.5
    assert max(box.width_px, box.height_px) == 640


def test_a_picture_comes_to_the_network_as_rgb_from_0_to_1_with_grey_below() -> None:
    bgr = np.zeros((90, 160, 3), dtype=np.uint8)
    bgr[:, :, 2] = 255

    box = letterbox_for(160, 90, 320)
    tensor = fill_letterbox(scale_to(bgr, box.content_px), box)

    assert tensor.shape == (1, 3, 192, 320)
    assert tensor[0, :, 90, 160].tolist() == pytest.approx([1.0, 0.0, 0.0])
    assert tensor[0, :, 191, 160].tolist() == pytest.approx([114 / 255] * 3)


def test_a_candidate_comes_back_in_pixels_of_the_full_picture() -> None:
    row = (100.0, 60.0, 40.0, 56.0, *NUMBER, np.radians(30))
    (found,) = Detector(ScriptedNetwork(raw_output([row])), SPEC).find(PICTURE)

    assert iou(found.quad_px, box_quad(200, 120, (80, 112), turn_deg=30)) > 0.999
    assert found.side is Face.NUMBER
    assert found.score == pytest.approx(0.9)


def test_both_layouts_of_the_network_say_the_same() -> None:
    raw = raw_output([(100, 60, 40, 56, *BACK, 0.3), (10, 10, 5, 5, *(0.1,) * 5, 0)])
    rows = [(100, 60, 40, 56, 0.8, 1, 0.3), (10, 10, 5, 5, 0.1, 0, 0)]
    end_to_end = {"output0": np.array([rows], dtype=np.float32)}

    one = Detector(ScriptedNetwork(raw), SPEC).find(PICTURE)
    other = Detector(ScriptedNetwork(end_to_end), SPEC).find(PICTURE)

    assert one == other
    assert [found.side for found in one] == [Face.TARGET_BACK]


def test_an_output_for_other_classes_is_refused() -> None:
    network = ScriptedNetwork({"output0": np.zeros((1, 9, 20), dtype=np.float32)})

    with pytest.raises(ModelError, match="5 classes"):
        Detector(network, SPEC).find(PICTURE)


def test_a_class_none_is_a_card_that_is_not_ours() -> None:
    network = ScriptedNetwork(raw_output([(100, 60, 40, 56, 0.1, 0.7, 0.3)]))

    (found,) = Detector(network, replace(SPEC, classes=("number", "none"))).find(PICTURE)

    assert found.side is Face.UNKNOWN


def test_a_picture_without_cards_has_none() -> None:
    assert find() == []


def test_copies_of_one_card_are_one_in_their_middle() -> None:
    found = find(
        (100, 60, 40, 56, 0.7, 0, 0, 0, 0, 0.5),
        (101, 61, 41, 55, *NUMBER, 0.52),
        (103, 58, 44, 60, 0.5, 0, 0, 0, 0, 0.4),
        (100, 60, 56, 40, 0.6, 0, 0, 0, 0, 0.5 + np.pi / 2),
    )

    assert found == [(Face.NUMBER, (202, 120))]


def test_a_part_of_a_card_is_not_a_card_of_its_own() -> None:
    assert find((100, 60, 40, 56, *NUMBER, 0), (102, 70, 30, 30, *BACK, 0)) == [
        (Face.NUMBER, (200, 120))
    ]


def test_a_whole_card_takes_the_place_of_its_better_scored_part() -> None:
    found = find((100, 60, 40, 56, 0.6, 0, 0, 0, 0, 0), (102, 70, 26, 26, *NUMBER, 0))

    assert found == [(Face.NUMBER, (200, 120))]


def test_a_second_look_sees_a_smaller_copy_turned_by_180_degrees() -> None:
    network = ScriptedNetwork(raw_output([(100, 60, 40, 56, *NUMBER, 0)]))

    found = Detector(network, replace(SPEC, glance_px=320)).find(PICTURE)

    assert [batch.shape[2:] for batch in network.asked] == [(384, 640), (192, 320)]
    first, second = sorted(found, key=lambda one: short_side(one.quad_px))
    assert centre(first.quad_px) == pytest.approx((200, 120))
    assert centre(second.quad_px) == pytest.approx((1280 - 400, 720 - 240))


def test_a_large_card_that_only_one_of_two_looks_shows_scores_less() -> None:
    seen_by_one = raw_output([(100, 120, 80, 112, *NUMBER, 0)])
    both_agree = raw_output([(320, 180, 80, 112, *NUMBER, 0)])

    (half, _) = Detector(ScriptedNetwork(seen_by_one), replace(SPEC, glance_px=640)).find(PICTURE)
    (whole,) = Detector(ScriptedNetwork(both_agree), replace(SPEC, glance_px=640)).find(PICTURE)

    assert half.score == pytest.approx((0.9 + 0.05) / 2)
    assert whole.score == pytest.approx(0.9)


def test_the_glance_is_not_asked_about_small_cards() -> None:
    small = ScriptedNetwork(raw_output([(100, 60, 40, 56, *NUMBER, 0)]))

    (found,) = Detector(small, replace(SPEC, glance_px=640)).find(PICTURE)

    assert len(small.asked) == 2
    assert centre(found.quad_px) == pytest.approx((200, 120))
    assert found.score == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("x", "y", "turn_deg"),
    [(120, 60, 0), (116, 60, 0), (100, 88, 0), (100, 83, 0), (112, 72, 90), (110, 75, 40)],
    ids=["half beside", "60 % beside", "half below", "60 % below", "crossed", "askew"],
)
def test_two_cards_half_over_each_other_stay_two(x: float, y: float, turn_deg: float) -> None:
    found = find((100, 60, 40, 56, *NUMBER, 0), (x, y, 40, 56, *BACK, np.radians(turn_deg)))

    assert [side for side, _ in found] == [Face.NUMBER, Face.TARGET_BACK]


def test_a_card_found_twice_with_another_turn_is_one() -> None:
    found = find((100, 60, 40, 56, *NUMBER, 0.1), (101, 61, 44, 52, *BACK, 0.9))

    assert [side for side, _ in found] == [Face.NUMBER]


def test_two_equal_cards_side_by_side_are_two() -> None:
    assert len(find((100, 60, 40, 56, *NUMBER, 0), (141, 60, 40, 56, *NUMBER, 0))) == 2


def test_a_card_with_its_middle_outside_the_picture_is_left_out() -> None:
    found = find((-3, 60, 40, 56, *NUMBER, 0), (4, 200, 40, 56, *NUMBER, 0))

    assert found == [(Face.NUMBER, (8, 400))]


def test_a_card_below_the_picture_in_the_padding_is_left_out() -> None:
    assert find((100, 365, 40, 56, *NUMBER, 0)) == []
