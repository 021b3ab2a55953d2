"""A second opinion on the detector's candidates, with scripted networks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from companion.errors import ModelError
from companion.vision.check import (
    CHECK_PX,
    MOST,
    Checker,
    Levels,
    from_card_units,
    look_at,
    put_right,
    to_card_units,
)
from companion.vision.corners import Corners, as_corners, overlap
from companion.vision.duplicates import SAME_BEFORE_READ_IOU, keep_distinct
from companion.vision.manifest import CheckerSpec, load_manifest
from companion.vision.networks import Tensor
from companion.vision.opencv import cv2
from companion.vision.pipeline import load_pipeline
from companion.vision.values import Frame
from tests.vision.toy import (
    RED_BGR,
    ScriptedNetwork,
    box_quad,
    install_toy_models,
    paint,
    sha256_of,
)

SPEC = CheckerSpec(Path("checker.onnx"), blend=(0.0, 0.5, 1.0), threshold=0.2)
TABLE = np.zeros((360, 640, 3), np.uint8)


def corners_at(x: float, y: float) -> Corners:
    return as_corners(box_quad(x, y, (80, 112)))


class TakesTurns:
    """A network that answers the first look so, the next look otherwise."""

    def __init__(self, *turns: list[list[float]]) -> None:
        self.turns = [np.array(turn, np.float32) for turn in turns]
        self.asked: list[Tensor] = []

    def run(self, batch: Tensor) -> dict[str, Tensor]:
        self.asked.append(batch)
        return {"answers": self.turns[len(self.asked) - 1]}


STAYS = [0.0] * 8


def scored(*best: float) -> npt.NDArray[np.float64]:
    return np.array([[score, score / 10, 0.0, 0.0, 0.0] for score in best])


def test_units_go_there_and_back() -> None:
    corners = as_corners(box_quad(200, 150, (80, 112), turn_deg=33))
    points = np.array([(210.0, 160.0), (150.0, 90.0)])
    assert from_card_units(corners, to_card_units(corners, points)) == pytest.approx(points)
    own = to_card_units(corners, corners)
    assert own == pytest.approx(np.array([(0, 0), (1, 0), (1, 1), (0, 1)]), abs=1e-6)


def test_a_look_shows_the_quad_upright_with_its_surroundings() -> None:
    bgr = TABLE.copy()
    paint(bgr, box_quad(200, 150, (112, 80)), RED_BGR)
    look = look_at(bgr, as_corners(box_quad(200, 150, (112, 80)))[[1, 2, 3, 0]])
    assert look.shape == (CHECK_PX[1], CHECK_PX[0], 3)
    assert look[48, 32].tolist() == list(RED_BGR)
    assert look[4, 4].tolist() == [0, 0, 0]


@pytest.mark.parametrize("short_px", [30, 60, 110, 240])
def test_a_look_at_a_smaller_copy_is_all_but_the_same(short_px: int) -> None:
    rng = np.random.default_rng(2)
    marks = rng.integers(0, 256, (45, 80, 3), np.uint8)
    bgr = np.asarray(cv2.resize(marks, (1280, 720), interpolation=cv2.INTER_CUBIC), np.uint8)
    corners = as_corners(box_quad(640, 360, (short_px, 1.4 * short_px), turn_deg=20))
    gap = np.abs(look_at(bgr, corners).astype(int) - Levels(bgr).look(corners))
    assert gap.mean() < 6


def test_what_the_checker_believes_in_rises_and_what_it_does_not_is_dropped() -> None:
    network = TakesTurns([[-6.0, *STAYS], [4.0, *STAYS]], [[4.0, *STAYS]])
    both = np.array([corners_at(100, 100), corners_at(300, 200)])
    quads, scores = Checker(network, SPEC).check(TABLE, both, scored(0.6, 0.1))
    assert len(quads) == 1
    assert quads[0].mean(axis=0) == pytest.approx((300, 200))
    assert scores[0].max() > 0.9
    assert scores[0, 1] == pytest.approx(scores[0, 0] / 10)


def offsets_to(card: Corners, quad: Corners) -> list[float]:
    own = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    return [float(off) for off in (to_card_units(quad, card) - own).ravel()]


def test_corners_are_put_right_in_two_steps() -> None:
    card = corners_at(200, 150)
    slipped, near = card + np.array([16.0, -14.0]), card + np.array([3.0, 2.0])
    network = TakesTurns([[3.0, *offsets_to(near, slipped)]], [[3.0, *offsets_to(card, near)]])
    quads, _ = Checker(network, SPEC).check(TABLE, slipped[None], scored(0.5))
    assert len(network.asked) == 2
    assert overlap(quads[0], card).iou > 0.98


def test_a_card_found_twice_is_looked_at_again_once() -> None:
    card = corners_at(200, 150)
    slipped = card + np.array([30.0, 0.0])
    network = TakesTurns([[3.0, *STAYS], [2.0, *offsets_to(card, slipped)]], [[3.0, *STAYS]])
    quads, _ = Checker(network, SPEC).check(TABLE, np.array([card, slipped]), scored(0.5, 0.4))
    assert len(quads) == 1
    assert len(network.asked[1]) == 1


def test_two_half_covered_cards_are_told_apart_once_they_are_put_right() -> None:
    upper, under = corners_at(200, 150), corners_at(228, 150)
    slipped = under - np.array([5.0, 0.0])
    first, again = [[3.0, *STAYS]] * 2, [[3.0, *STAYS], [2.0, *offsets_to(under, slipped)]]
    assert 0.5 < overlap(upper, slipped).iou < 0.6

    network = TakesTurns(first, again)
    quads, _ = Checker(network, SPEC).check(TABLE, np.array([upper, slipped]), scored(0.5, 0.4))

    assert len(quads) == len(network.asked[1]) == 2
    assert overlap(quads[1], under).iou > 0.98


def test_the_second_look_counts_where_the_manifest_gives_it_a_weight() -> None:
    first, second = [[3.0, *STAYS]] * 2, [[-4.0, *STAYS], [3.0, *STAYS]]
    cards = np.array([corners_at(100, 100), corners_at(300, 200)])
    twice = replace(SPEC, again=(0.0, 0.5, 0.0, 1.0))

    _, plain = Checker(TakesTurns(first, second), SPEC).check(TABLE, cards, scored(0.5, 0.4))
    quads, scores = Checker(TakesTurns(first, second), twice).check(TABLE, cards, scored(0.5, 0.4))

    assert plain.max(axis=1) == pytest.approx(1 / (1 + np.exp([-3.0, -2.797])), abs=0.01)
    assert quads[0].mean(axis=0) == pytest.approx((300, 200))
    assert scores.max(axis=1) == pytest.approx([0.94, 0.018], abs=0.01)


def test_cards_in_a_row_are_not_taken_for_one_long_card() -> None:
    left, right = corners_at(200, 150), corners_at(284, 150)
    both = as_corners(box_quad(242, 150, (168, 112)))
    quads = np.array([left, right, both])

    kept = keep_distinct(quads, np.array([0.9, 0.85, 0.6]), SAME_BEFORE_READ_IOU)

    assert kept[:2] == [0, 1]


def test_an_offset_without_bounds_is_bounded() -> None:
    card = corners_at(200, 150)
    assert np.abs(put_right(card[None], np.array([[3.0, *[50.0] * 8]]))[0] - card).max() < 60


def test_an_empty_table_asks_no_network_and_a_heap_only_so_often() -> None:
    network = TakesTurns()
    one = Checker(network, SPEC)
    quads, scores = one.check(TABLE, np.zeros((0, 4, 2)), np.zeros((0, 5)))
    assert (len(quads), len(scores), network.asked) == (0, 0, [])
    many = np.array([corners_at(100 + 3 * n, 100) for n in range(MOST + 20)])
    assert one.look(Levels(TABLE), many)[1].shape == (MOST, 3, CHECK_PX[1], CHECK_PX[0])


def with_checker(folder: Path, lines: str = "") -> Path:
    models = install_toy_models(folder)
    name = "toy-reader.onnx"
    with (models / "manifest.toml").open("a", encoding="utf-8") as manifest:
        manifest.write(
            f'\n[checker]\nfile = "{name}"\nsha256 = "{sha256_of(models / name)}"\n{lines}\n'
        )
    return models


def test_a_manifest_may_name_a_checker_and_how_it_is_used(tmp_path: Path) -> None:
    models = with_checker(tmp_path, "blend = [-1, 0.25, 2]\nagain = [-1, 1, 0, 2]\nthreshold = 0.3")
    spec = load_manifest(models).checker
    assert spec is not None
    assert (spec.blend, spec.threshold) == ((-1.0, 0.25, 2.0), 0.3)
    assert spec.again == (-1.0, 1.0, 0.0, 2.0)
    assert load_manifest(install_toy_models(tmp_path / "without")).checker is None


@pytest.mark.parametrize(
    "lines", ["blend = [1, 2]", 'blend = "all"', "again = [1]", "threshold = 3"]
)
def test_a_checker_that_is_badly_described_is_refused(tmp_path: Path, lines: str) -> None:
    with pytest.raises(ModelError):
        load_manifest(with_checker(tmp_path, lines))


def test_a_network_that_is_no_checker_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no output answers"):
        load_pipeline(1, with_checker(tmp_path))


def test_the_eyes_ask_the_checker_before_they_read(tmp_path: Path) -> None:
    bgr = TABLE.copy()
    paint(bgr, box_quad(200, 150, (80, 112)), RED_BGR)
    pipeline = load_pipeline(1, install_toy_models(tmp_path))
    frame = Frame(bgr, 0.0)
    alone = pipeline.see(frame)
    assert len(alone.sightings) >= 1
    candidates = len(pipeline.detector.candidates(bgr)[0])
    denied = ScriptedNetwork({"answers": np.full((candidates, 9), -9.0, np.float32)})
    pipeline.checker = Checker(denied, replace(SPEC, threshold=0.5))
    assert pipeline.see(frame).sightings == ()
    assert denied.asked[0].shape[1:] == (3, CHECK_PX[1], CHECK_PX[0])
