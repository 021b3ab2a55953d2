"""Made pictures: labels are true, and nothing but the seed decides what is drawn."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.rules.cards import Card, Face, NumberCard, parse_number_card
from companion.vision.values import Image
from datasets.workshop.canvas import Canvas, Spot
from datasets.workshop.clutter_rich import draw_rich_thing
from datasets.workshop.labels import CLASSES, Label, Picture, json_line, obb_lines
from datasets.workshop.lens import Barrel, Camera, Pose, project
from datasets.workshop.recipe import Recipe
from datasets.workshop.scene import make_scene
from datasets.workshop.stage import DeckFaces, Stage, drawn, put_card

SMALL = Recipe("small", "train", seed=5, pictures=9, sizes=((480, 270, 1.0),), cards=(3, 8))

RED_FIVE = parse_number_card("R5")


class PaintedDeck:
    """Cards of one colour, with a white corner at their own top-left."""

    def face(self, card: Card) -> Image:
        rgba = np.full((140, 100, 4), 255, np.uint8)
        rgba[..., :3] = (200, 30, 30) if isinstance(card, NumberCard) else (20, 20, 20)
        rgba[:30, :30, :3] = 255
        return rgba


class PaintedArt:
    """Painted decks in place of drawn ones."""

    def deck(self, seed: int, split: str) -> DeckFaces:
        return PaintedDeck()

    def stranger(self, rng: np.random.Generator, split: str) -> tuple[Image, Face]:
        return np.full((140, 100, 4), 128, np.uint8), Face.NUMBER


def straight_down(width_px: int = 400, height_px: int = 300) -> Canvas:
    camera = Camera.over(width_px, height_px, Pose(60.0, 0.0, 0.0, 1.0))
    return Canvas(np.full((height_px, width_px, 3), 90, np.uint8), 0.0, camera)


def stage(canvas: Canvas) -> Stage:
    rng = np.random.default_rng(1)
    return Stage(SMALL, rng, canvas, PaintedDeck(), PaintedArt(), 60.0, (1.0, 1.0))


def test_the_same_seed_gives_the_same_bytes() -> None:
    first, again = (make_scene(SMALL, 3, PaintedArt()) for _ in range(2))
    assert (
        hashlib.sha256(first.bgr.tobytes()).digest() == hashlib.sha256(again.bgr.tobytes()).digest()
    )
    assert first.cards == again.cards


def test_the_top_of_a_thick_deck_lies_nearer_to_the_camera() -> None:
    flat, thick = (
        make_scene(
            replace(SMALL, stacks=1.0, stack_layers=(layers, layers), tilt_deg=(0.0, 1.0)),
            3,
            PaintedArt(),
        )
        for layers in (3, 45)
    )
    areas = [cv2.contourArea(np.array(made.cards[0].quad_px, np.float32)) for made in (flat, thick)]
    assert 1.02 * areas[0] < areas[1] < 2 * areas[0]


def test_drawn_decks_give_the_same_bytes_in_another_order() -> None:
    forwards = [make_scene(SMALL, index) for index in (0, 8)]
    backwards = [make_scene(SMALL, index) for index in (8, 0)][::-1]
    for first, again in zip(forwards, backwards, strict=True):
        assert np.array_equal(first.bgr, again.bgr)


def test_two_indices_give_two_pictures() -> None:
    first, second = (make_scene(SMALL, index, PaintedArt()) for index in (0, 1))
    assert not np.array_equal(first.bgr, second.bgr)


@pytest.mark.parametrize("turn_deg", range(0, 360, 45))
def test_a_quad_starts_at_the_cards_own_top_left_at_every_turn(turn_deg: int) -> None:
    canvas = straight_down()
    here = stage(canvas)
    put_card(here, Spot(0.0, 0.0, float(turn_deg)), drawn(here, RED_FIVE))
    quad = here.laid[0].quad
    inwards = quad[0] + 0.15 * (quad.mean(0) - quad[0])
    x, y = (round(float(v)) for v in inwards)
    assert canvas.bgr[y, x].min() > 200
    opposite = quad[2] + 0.15 * (quad.mean(0) - quad[2])
    x, y = (round(float(v)) for v in opposite)
    assert canvas.bgr[y, x].min() < 100


def test_visible_is_the_share_that_no_other_card_covers() -> None:
    canvas = straight_down()
    here = stage(canvas)
    put_card(here, Spot(0.0, 0.0, 0.0), drawn(here, RED_FIVE))
    put_card(here, Spot(0.5, 0.0, 0.0), drawn(here, RED_FIVE))
    counts = [int((canvas.ids == laid.number).sum()) for laid in here.laid]
    assert counts[0] / counts[1] == pytest.approx(0.5, abs=0.05)


def test_all_labels_lie_on_cards_of_their_share() -> None:
    for index in range(6):
        picture = make_scene(SMALL, index, PaintedArt())
        height_px, width_px = picture.bgr.shape[:2]
        for label in picture.cards:
            xs, ys = zip(*label.quad_px, strict=True)
            assert 0.02 <= label.visible <= 1.0
            assert max(xs) > 0
            assert min(xs) < width_px
            assert max(ys) > 0
            assert min(ys) < height_px


def test_a_tilted_camera_sees_near_cards_larger() -> None:
    camera = Camera.over(400, 300, Pose(50.0, 40.0, 0.0, 1.0))
    canvas = Canvas(np.zeros((300, 400, 3), np.uint8), 0.0, camera)
    near, far = (canvas.quad_px(Spot(0, y, 0), (1.0, 1.4)) for y in (1.5, -1.5))
    area = [float(cv2.contourArea(quad.astype(np.float32))) for quad in (near, far)]
    assert area[0] > 1.5 * area[1]


def test_points_move_with_the_lens() -> None:
    lens = Barrel(0.08, 400, 300)
    dot = np.zeros((300, 400, 3), np.uint8)
    cv2.circle(dot, (330, 60), 4, (255, 255, 255), -1)
    ys, xs = np.nonzero(lens.bend(dot)[..., 0] > 128)
    moved = lens.move(np.array([[330.5, 60.5]]))[0]
    assert (float(xs.mean()) + 0.5, float(ys.mean()) + 0.5) == pytest.approx(tuple(moved), abs=0.7)


def test_a_homography_and_its_inverse_agree() -> None:
    camera = Camera.over(640, 480, Pose(40.0, 30.0, 10.0, 0.9))
    points = np.array([[100.0, 90.0], [600.0, 400.0]])
    back = project(camera.plane(0.0), camera.on_table(points))
    assert back == pytest.approx(points)


def test_labels_leave_out_cards_that_are_hardly_in_sight() -> None:
    quad = ((0.0, 0.0), (40.0, 0.0), (40.0, 56.0), (0.0, 56.0))
    cards = (
        Label("R5", Face.NUMBER, quad, 0.9),
        Label("#9", Face.TARGET_BACK, quad, 0.3),
        Label("T!back", Face.TWEAK_BACK, quad, 0.1),
    )
    picture = Picture(np.zeros((100, 100, 3), np.uint8), cards, {"lamp": "warm"})
    assert [CLASSES[int(line.split()[0])] for line in obb_lines(picture)] == [
        "number",
        "target_back",
    ]
    record = json.loads(json_line("a.jpg", picture))
    assert [card["card"] for card in record["cards"]] == ["R5", "#9", "T!back"]
    assert record["slices"] == {"lamp": "warm"}


def test_rich_things_are_drawn_in_many_kinds_and_sizes() -> None:
    rng = np.random.default_rng(4)
    things = [draw_rich_thing(rng) for _ in range(80)]
    assert all(thing.rgba.dtype == np.uint8 and thing.rgba.shape[2] == 4 for thing in things)
    assert all(min(thing.size) > 0.05 and max(thing.size) < 30 for thing in things)
    assert len({thing.rgba.shape for thing in things}) > 30


def test_only_a_recipe_that_wants_rich_things_has_them() -> None:
    plain = Recipe("a", "train", 5, 1, cards=(0, 2), clutter=1.0, sizes=((320, 240, 1.0),))
    rich = replace(plain, rich=1.0)
    assert not np.array_equal(make_scene(plain, 0).bgr, make_scene(rich, 0).bgr)
    assert np.array_equal(make_scene(plain, 0).bgr, make_scene(replace(rich, rich=0.0), 0).bgr)
