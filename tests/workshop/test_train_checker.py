"""The checker's samples say what is true of a quad, and a short training learns from them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the workshop extra")

import torch
from click.testing import CliRunner

from companion.errors import NotFound
from companion.vision.check import Checker, from_card_units
from companion.vision.corners import Corners, as_corners, overlap
from companion.vision.manifest import CheckerSpec
from companion.vision.values import Image
from datasets.workshop.checker import (
    CheckerRecipe,
    CheckerTraining,
    Samples,
    load_samples,
    score_checker,
)
from datasets.workshop.checking import astride, samples_of
from datasets.workshop.export import export_checker
from datasets.workshop.train import samples
from tests.vision.toy import RED_BGR, box_quad, paint

pytestmark = pytest.mark.workshop

CARD = box_quad(200, 150, (80, 112), turn_deg=20)
SLIPPED = box_quad(212, 144, (84, 106), turn_deg=26)
NOTHING = box_quad(480, 260, (80, 112))
OWN = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)


class Finds:
    """A detector's candidates, given beforehand."""

    def candidates(self, bgr: Image) -> tuple[Corners, np.ndarray[tuple[int, int], np.dtype]]:
        quads = np.array([as_corners(SLIPPED), as_corners(NOTHING)])
        return quads, np.array([[0.5, 0.0], [0.2, 0.0]])


def picture() -> Image:
    bgr = np.full((360, 640, 3), 60, np.uint8)
    paint(bgr, CARD, RED_BGR)
    return bgr


def cards(visible: float) -> list[dict[str, object]]:
    # Turned to the left and begun elsewhere, as no quad of a detector is.
    return [{"card": "R5", "visible": visible, "quad": [CARD[2], CARD[1], CARD[0], CARD[3]]}]


def test_a_sample_leads_from_the_quad_to_the_card() -> None:
    rng = np.random.default_rng(1)
    on_card, nothing, *laid = samples_of(picture(), cards(1.0), Finds(), rng)  # type: ignore[arg-type]
    assert (on_card.card, nothing.card) == (1, 0)
    assert np.abs(on_card.corners).max() < 0.3
    found = from_card_units(as_corners(SLIPPED), OWN + on_card.corners)
    assert overlap(found, as_corners(CARD)).iou > 0.97
    assert len(laid) == 5
    assert nothing.look.shape == (96, 64, 3)


def test_a_quad_astride_two_cards_is_taught_to_be_none() -> None:
    # Given two cards side by side, upright and upside down, and one that lies across
    first, second = box_quad(200, 150, (80, 112)), box_quad(284, 150, (80, 112), turn_deg=180)
    quads = (first, second, box_quad(500, 150, (80, 112), turn_deg=90))
    lying = [{"card": "T!joker", "visible": 1.0, "quad": list(quad)} for quad in quads]
    rng = np.random.default_rng(3)
    made = samples_of(picture(), lying, Finds(), rng)  # type: ignore[arg-type]
    # Then one quad more is laid, and it lies on both and is no card
    assert len(made) == 2 + 3 + 4 + 1
    assert made[-1].card == 0
    (between,) = astride([as_corners(quad) for quad in quads], rng)
    shares = [overlap(between, as_corners(quad)).iou for quad in (first, second)]
    assert min(shares) > 0.12


def test_what_lies_on_a_hidden_card_teaches_nothing() -> None:
    rng = np.random.default_rng(1)
    first = samples_of(picture(), cards(0.1), Finds(), rng)[0]  # type: ignore[arg-type]
    assert first.card == -1


def _made() -> Samples:
    """Red squares on grey, off by a known way, and plain grey."""
    rng = np.random.default_rng(0)
    looks = np.full((400, 96, 64, 3), 90, np.uint8)
    corners = np.zeros((400, 4, 2), np.float32)
    for number in range(0, 400, 3):
        right = float(rng.uniform(-0.15, 0.15))
        corners[number, :, 0] = right
        left = round((0.35 + right) / 1.7 * 64)
        looks[number, 20:76, left : left + 38] = RED_BGR
    card = np.array([1, 0, 0] * 134, np.int8)[:400]
    return Samples(looks, card, corners)


def test_a_short_training_tells_cards_from_none_and_runs_as_onnx(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    samples = _made()
    recipe = CheckerRecipe(batch=32, rate=5e-4, averaging=0.9, most_steps=150)
    network = CheckerTraining(recipe, tmp_path, 5.0).run(samples)
    scores = score_checker(network, samples)
    assert scores["card_right"] > 0.95
    assert scores["corners_after"] < scores["corners_before"]
    export_checker(tmp_path / "last.pt", tmp_path / "checker.onnx")
    checker = Checker.open(CheckerSpec(tmp_path / "checker.onnx"), threads=1)
    quads, best = checker.check(
        picture(), np.array([as_corners(SLIPPED)]), np.array([[0.5, 0, 0, 0, 0]])
    )
    assert quads.shape[1:] == (4, 2)
    assert best.shape[1:] == (5,)


def test_a_killed_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    whole = CheckerRecipe(batch=16, most_steps=6)
    begun = CheckerTraining(replace(whole, most_steps=4), tmp_path, 5.0)
    assert not begun.resume()
    begun.run(_made())
    resumed = CheckerTraining(whole, tmp_path, 5.0)
    assert resumed.resume()
    assert (resumed.steps, resumed.spent_s) == (4, begun.spent_s)
    resumed.run(_made())
    assert torch.load(tmp_path / "last.pt", weights_only=True)["steps"] == 6


def test_a_run_that_begins_from_another_counts_its_steps_on(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    recipe = CheckerRecipe(batch=16, most_steps=3)
    CheckerTraining(recipe, tmp_path / "first", 5.0).run(_made())
    second = CheckerTraining(recipe, tmp_path / "second", 5.0)
    second.begin_from(tmp_path / "first" / "last.pt")
    assert second.share_done == 0.0
    second.run(_made())
    assert torch.load(tmp_path / "second" / "last.pt", weights_only=True)["steps"] == 6


def test_without_pictures_no_samples_are_made_and_it_says_so(tmp_path: Path) -> None:
    result = CliRunner().invoke(samples, ["--pictures", str(tmp_path), "--out", str(tmp_path)])
    assert isinstance(result.exception, NotFound)
    assert "no folder of made training pictures" in str(result.exception)


def test_without_samples_it_says_what_to_make(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="samples"):
        load_samples(tmp_path)
