"""From a quad to a reading: the cut, the side before the digit, sure or not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.cards import BlueSeven, Face, TargetBack, parse_card
from companion.vision.corners import as_corners, as_quad, clockwise, sides_px, upright
from companion.vision.cut import corner_parts, cut_card
from companion.vision.detect import Found
from companion.vision.manifest import ReaderSpec
from companion.vision.networks import Tensor
from companion.vision.read import Reader
from companion.vision.values import Image, Quad
from tests.vision.toy import HEADS, RED_BGR, SIDES, ScriptedReader, box_quad, head_logits, paint

SPEC = ReaderSpec(path=Path("none.onnx"), heads=HEADS, input_px=(48, 64), margin=0.1)
LARGE = box_quad(100, 100, (50, 70))
PICTURE = np.zeros((200, 200, 3), dtype=np.uint8)


def marked_card(turn_deg: float, size: tuple[int, int] = (80, 112)) -> tuple[Image, Quad]:
    """A white card on black with a red mark in its own top left corner."""
    bgr = np.zeros((400, 400, 3), dtype=np.uint8)
    quad = box_quad(200, 200, size, turn_deg)
    paint(bgr, quad, (255, 255, 255))
    a, b, c, d = (np.array(corner) for corner in quad)
    right, down = (b - a) / 4, (d - a) / 4
    paint(bgr, as_quad(np.array([a, a + right, a + right + down, a + down])), RED_BGR)
    assert c is not None
    return bgr, quad


def answers(**heads: dict[str, float]) -> ScriptedReader:
    """A network that says the same of both turns of one card."""
    return ScriptedReader(head_logits(**{name: [logits] * 2 for name, logits in heads.items()}))


def found_as(side: str, score: float = 0.9) -> Found:
    scores = tuple((Face(name), score if name == side else 0.0) for name in SIDES)
    return Found(LARGE, Face(side), score, scores)


@pytest.mark.parametrize("turn_deg", range(0, 360, 45))
def test_a_cut_shows_the_card_upright_and_never_mirrored(turn_deg: int) -> None:
    bgr, quad = marked_card(turn_deg)

    cut = cut_card(bgr, quad, (48, 64), margin=0.1)

    assert cut.shape == (64, 48, 3)
    assert cut[32, 24].tolist() == [255, 255, 255]
    assert cut[1, 1].tolist() == [0, 0, 0]
    marks = [cut[y, x, 0] < 128 for y, x in ((10, 9), (10, 38), (53, 38), (53, 9))]
    assert marks in ([True, False, False, False], [False, False, True, False])


def test_a_quad_named_the_other_way_round_gives_the_same_cut() -> None:
    bgr, quad = marked_card(20)
    a, b, c, d = quad

    cut = cut_card(bgr, quad, (48, 64))

    assert np.array_equal(cut, cut_card(bgr, (d, c, b, a), (48, 64)))
    assert np.array_equal(cut, cut_card(bgr, (c, d, a, b), (48, 64)))


def test_a_large_card_is_averaged_and_not_sampled() -> None:
    bgr = np.zeros((1200, 900, 3), dtype=np.uint8)
    bgr[::2] = 255

    cut = cut_card(bgr, box_quad(450, 600, (600, 840)), (48, 64), margin=0.0)

    assert 120 <= cut.min() <= cut.max() <= 135


def test_a_card_at_the_edge_is_cut_with_grey_for_what_is_not_there() -> None:
    bgr = np.full((100, 100, 3), 255, dtype=np.uint8)

    cut = cut_card(bgr, box_quad(0, 50, (40, 56)), (48, 64), margin=0.0)

    assert cut[32, 5].tolist() == [114, 114, 114]
    assert cut[32, 40].tolist() == [255, 255, 255]


@given(st.floats(0, 360), st.floats(10, 300), st.floats(1.05, 1.8), st.permutations([0, 1, 2, 3]))
def test_upright_keeps_the_corners_and_puts_the_short_sides_above_and_below(
    turn_deg: float, width: float, ratio: float, order: list[int]
) -> None:
    start, backwards = order[0], order[1] > order[2]
    corners = np.roll(as_corners(box_quad(0, 0, (width, ratio * width), turn_deg)), start, axis=0)

    turned = upright(corners[::-1] if backwards else corners)

    across, down = sides_px(turned)
    assert across < down
    assert np.array_equal(turned, clockwise(turned))
    assert sorted(map(tuple, turned)) == sorted(map(tuple, corners))


def test_all_cards_go_in_one_batch_and_their_turned_copies_in_another() -> None:
    network = ScriptedReader(head_logits(side=[{}] * 4))
    bgr, quad = marked_card(0)

    Reader(network, SPEC).read(bgr, [quad, LARGE])

    upright, turned = network.asked
    assert upright.shape == (2, 3, 64, 48)
    assert np.array_equal(turned[0], upright[0][:, ::-1, ::-1])


def test_only_a_card_that_is_not_clear_is_looked_at_once_more() -> None:
    logits = head_logits(
        side=[{"number": 12}] * 3,
        colour=[{"blue": 12}] * 3,
        value=[{"2": 12}, {"2": 1, "5": 1.5}, {"2": 12}],
    )
    network = ScriptedReader(logits)

    clear, doubted = Reader(network, replace(SPEC, again=0.97)).read(PICTURE, [LARGE, LARGE])

    assert [len(batch) for batch in network.asked] == [2, 1]
    assert str(clear) == "B2"
    assert doubted.best == parse_card("B2")
    assert 0.5 < doubted.score < 0.8


class _Parts(ScriptedReader):
    """A reader in doubt about a whole cut and clear about what it sees in some of eight parts."""

    def __init__(self, **clear: str) -> None:
        super().__init__({})
        self._clear = {int(part[4:]): value for part, value in clear.items()}

    def run(self, batch: Tensor) -> dict[str, Tensor]:
        self.asked.append(batch)
        doubt = {"7": 2.0, "9": 2.2}
        values: list[dict[str, float]] = [doubt] * len(batch)
        if len(batch) == 8:
            values = [{self._clear[n]: 12.0} if n in self._clear else doubt for n in range(8)]
        return dict(head_logits(side=[{"target_back": 12}] * len(batch), value=values))


def test_a_black_back_is_always_read_both_ways_up() -> None:
    logits = head_logits(side=[{"target_back": 12}] * 2, value=[{"9": 12}, {"10": 12}])
    network = ScriptedReader(logits)

    (reading,) = Reader(network, replace(SPEC, again=0.97, sure=0.4)).read(PICTURE, [LARGE])

    assert [len(batch) for batch in network.asked] == [1, 1]
    assert {str(card) for card, _ in reading.options[:2]} == {"#9", "#10"}
    assert reading.score == pytest.approx(0.5, abs=0.01)


def test_a_thick_deck_is_read_by_its_top_alone() -> None:
    (whole,) = Reader(_Parts(), SPEC).read(PICTURE, [LARGE])
    (top,) = Reader(_Parts(part0="7", part4="7"), SPEC).read(PICTURE, [LARGE])
    (hasty,) = Reader(_Parts(part0="7", part4="8"), SPEC).read(PICTURE, [LARGE])
    (disputed,) = Reader(_Parts(part0="7", part4="7", part1="8", part5="8"), SPEC).read(
        PICTURE, [LARGE]
    )

    assert not whole.sure
    assert (top.best, top.sure) == (TargetBack(7), True)
    assert not hasty.sure
    assert not disputed.sure


def test_a_corner_that_says_two_things_does_not_count_against_one_that_is_clear() -> None:
    parts = _Parts(part0="7", part4="7", part3="9")

    (reading,) = Reader(parts, SPEC).read(PICTURE, [LARGE])

    assert (reading.best, reading.sure) == (TargetBack(7), True)


def test_one_clear_part_will_do_where_no_corner_is_clear_in_both() -> None:
    (one,) = Reader(_Parts(part3="9"), SPEC).read(PICTURE, [LARGE])
    (two,) = Reader(_Parts(part3="9", part2="8"), SPEC).read(PICTURE, [LARGE])

    assert (one.best, one.sure) == (TargetBack(9), True)
    assert not two.sure


def test_parts_of_a_cut_lie_in_its_corners() -> None:
    cut = np.zeros((3, 64, 48), np.float32)
    cut[:, :8, :8] = 1.0

    parts = corner_parts(cut, (0.75,))

    assert parts.shape == (4, 3, 64, 48)
    assert parts[0][0, 4, 4] == 1.0
    assert parts[1:].max() == 0.0


def test_a_stranger_s_chance_counts_as_the_manifest_says() -> None:
    heads = {"side": {"number": 4.0, "none": 4.4}, "colour": {"blue": 9.0}, "value": {"1": 9.0}}

    (even,) = Reader(answers(**heads), SPEC).read(PICTURE, [LARGE])
    (rare,) = Reader(answers(**heads), replace(SPEC, strange=0.1)).read(PICTURE, [LARGE])

    assert even.stranger == pytest.approx(0.59, abs=0.02)
    assert rare.stranger == pytest.approx(0.13, abs=0.02)
    assert rare.sure


def test_no_cards_ask_nothing() -> None:
    network = ScriptedReader({})

    assert Reader(network, SPEC).read(PICTURE, []) == ()
    assert network.asked == []


def test_a_clear_card_is_read_for_sure() -> None:
    network = answers(side={"number": 9}, colour={"red": 9}, value={"5": 9})

    (reading,) = Reader(network, SPEC).read(PICTURE, [LARGE])

    assert str(reading) == "R5"
    assert reading.sure
    assert reading.score > 0.99


def test_a_doubtful_colour_is_told_as_such() -> None:
    network = answers(side={"number": 9}, colour={"red": 5.4, "orange": 5}, value={"5": 9})

    (reading,) = Reader(network, SPEC).read(PICTURE, [LARGE])

    assert str(reading) == "R5?O5"
    assert (reading.colour, reading.value) == (None, 5)


@pytest.mark.parametrize(
    ("side", "digits", "text"),
    [
        ("number", {"9": 2.0, "6": 1.0}, "R6"),
        ("target_back", {"6": 2.0, "9": 1.0}, "#9"),
    ],
)
def test_the_side_decides_before_the_digit(side: str, digits: dict[str, float], text: str) -> None:
    network = answers(side={side: 12}, colour={"red": 12}, value=digits)

    (reading,) = Reader(network, SPEC).read(PICTURE, [LARGE])

    assert reading.best == parse_card(text)
    assert not reading.sure


def test_a_coloured_eight_is_a_stranger() -> None:
    network = answers(side={"number": 12}, colour={"red": 12}, value={"8": 12})

    (reading,) = Reader(network, SPEC).read(PICTURE, [LARGE])

    assert reading.options == ()
    assert reading.stranger > 0.99
    assert reading.face is Face.UNKNOWN


def test_the_two_turns_are_averaged() -> None:
    logits = head_logits(
        side=[{"number": 12}] * 2, colour=[{"blue": 12}] * 2, value=[{"2": 12}, {"5": 12}]
    )

    (reading,) = Reader(ScriptedReader(logits), SPEC).read(PICTURE, [LARGE])

    assert {str(card) for card in reading.plausible} == {"B2", "B5"}
    assert reading.score == pytest.approx(0.5, abs=0.01)


def test_the_detector_s_side_helps_a_reader_in_doubt() -> None:
    heads = {"side": {"number": 4.0, "seven": 4.4}, "colour": {"blue": 9.0}, "value": {"1": 9.0}}
    reader = Reader(answers(**heads), SPEC)

    (alone,) = reader.read(PICTURE, [LARGE])
    (helped,) = reader.read(PICTURE, [LARGE], [found_as("number")])

    assert alone.best == BlueSeven()
    assert helped.best == parse_card("B1")


def test_a_detector_never_turns_a_clear_back_into_a_front_for_sure() -> None:
    reader = Reader(answers(side={"target_back": 9.0}, value={"9": 9.0}), SPEC)

    (reading,) = reader.read(PICTURE, [LARGE], [found_as("number", 0.5)])

    assert reading.best == TargetBack(9)


def test_a_card_too_small_to_read_is_never_sure() -> None:
    network = answers(side={"number": 9}, colour={"red": 9}, value={"5": 9})

    (reading,) = Reader(network, SPEC).read(PICTURE, [box_quad(100, 100, (12, 17))])

    assert str(reading) == "R5?"
