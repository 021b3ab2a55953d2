"""Colours that look alike under a lamp are read right or left in doubt, never sure and wrong.

Decks of the workshop's test split, which no training has seen, are drawn at test time.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from companion.rules.cards import Card, parse_card
from companion.vision.opencv import cv2
from companion.vision.pipeline import Pipeline, load_pipeline
from companion.vision.quads import iou
from companion.vision.values import Frame, Image, Quad
from tests.vision.test_pipeline_frozen import CARD_PX, SPOTS, table
from tests.vision.toy import box_quad, lay

draw_deck = pytest.importorskip("datasets.workshop.deck").draw_deck

LAMPS = {
    "daylight": (1.0, 1.0, 1.0),
    "warm": (0.62, 0.86, 1.08),
    "amber": (0.45, 0.78, 1.10),
    "cool and dim": (0.62, 0.56, 0.50),
}
"""What each lamp does to blue, green and red."""

ALIKE = [parse_card(f"{colour}{value}") for colour in "ROY" for value in (1, 3, 5, 6)]
SEEDS = (3, 8, 21)


@pytest.fixture(name="pipeline", scope="module")
def pipeline_in_use() -> Pipeline:
    return load_pipeline(threads=2)


def laid_out(seed: int, cards: list[Card]) -> tuple[Image, list[Quad]]:
    deck, bgr = draw_deck(seed, "test"), table()
    quads = [box_quad(x, y, CARD_PX) for x, y in SPOTS[: len(cards)]]
    for card, quad in zip(cards, quads, strict=True):
        rgba = deck.face(card)
        face = np.asarray(cv2.cvtColor(rgba, cv2.COLOR_RGBA2BGRA), dtype=np.uint8)
        lay(bgr, face, quad)
    return bgr, quads


def lit(bgr: Image, lamp: str) -> Image:
    return np.asarray(np.clip(bgr * np.array(LAMPS[lamp]), 0, 255), dtype=np.uint8)


def sure_readings(pipeline: Pipeline, bgr: Image, quads: list[Quad]) -> Iterator[tuple[int, Card]]:
    """Place and card of every sure reading."""
    for seen in pipeline.see(Frame(bgr, 0.0)).sightings:
        for place, quad in enumerate(quads):
            if seen.reading.sure and seen.reading.best and iou(seen.quad_px, quad) >= 0.5:
                yield place, seen.reading.best


@pytest.mark.parametrize("lamp", LAMPS)
@pytest.mark.parametrize("seed", SEEDS)
def test_red_orange_and_yellow_are_right_or_in_doubt(
    pipeline: Pipeline, seed: int, lamp: str
) -> None:
    bgr, quads = laid_out(seed, ALIKE)

    sure = list(sure_readings(pipeline, lit(bgr, lamp), quads))

    wrong = [f"{ALIKE[place]} as {card}" for place, card in sure if card != ALIKE[place]]
    assert wrong == []
    if lamp == "daylight":
        assert len(sure) >= len(ALIKE) // 2, "a test of nothing but doubts tells nothing"


def with_corner_digits() -> int:
    """A test deck whose cards have their number in two corners."""
    return next(seed for seed in range(50) if draw_deck(seed, "test").describe()["corners"] == 2)


def seen_at(pipeline: Pipeline, bgr: Image, quads: list[Quad]) -> list[int]:
    """How many cards are seen at each place."""
    seen = pipeline.see(Frame(bgr, 0.0)).sightings
    return [len([one for one in seen if iou(one.quad_px, quad) > 0.1]) for quad in quads]


CORNERED = [parse_card("R5"), parse_card("G2"), parse_card("B6")]


def test_one_card_with_both_its_corners_in_sight_is_one(pipeline: Pipeline) -> None:
    bgr, quads = laid_out(with_corner_digits(), CORNERED)

    assert seen_at(pipeline, bgr, quads) == [1, 1, 1]


def test_one_card_covered_across_its_middle_is_not_two(pipeline: Pipeline) -> None:
    bgr, quads = laid_out(SEEDS[0], CORNERED)
    # A strip across the middle of each card leaves its two corners to be seen.
    for quad in quads:
        (left, top), (right, bottom) = quad[0], quad[2]
        y = round((top + bottom) / 2)
        cv2.rectangle(bgr, (int(left) - 30, y - 16), (int(right) + 30, y + 16), (60, 60, 60), -1)

    assert max(seen_at(pipeline, bgr, quads)) <= 1
