"""The models in use read frozen cards of decks that they never met, whichever way they lie."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.pipeline import Pipeline, load_pipeline
from companion.vision.quads import iou
from companion.vision.values import Frame, Image, Quad, Reading
from tests.vision.toy import FROZEN, box_quad, frozen_faces, lay

DECKS = ("deck-framed.png", "deck-full.png")
CARD_PX = (90.0, 126.0)
SPOTS = [(190 + 300 * column, 130 + 230 * row) for row in range(3) for column in range(4)]


@pytest.fixture(name="pipeline", scope="module")
def pipeline_in_use() -> Pipeline:
    return load_pipeline(threads=2)


def table() -> Image:
    """A plain table, a little uneven."""
    rng = np.random.default_rng(1)
    bgr = np.full((720, 1280, 3), (80, 110, 140), dtype=np.float64)
    return np.clip(bgr + rng.normal(0, 3, bgr.shape), 0, 255).astype(np.uint8)


def laid_out(deck: str, turn_deg: float) -> tuple[Image, list[Quad]]:
    """All twelve faces of a deck, four in a row, each turned alike."""
    bgr = table()
    quads = [box_quad(x, y, CARD_PX, turn_deg) for x, y in SPOTS]
    for face, quad in zip(frozen_faces(deck), quads, strict=True):
        lay(bgr, face, quad)
    return bgr, quads


def readings_at(pipeline: Pipeline, bgr: Image, quads: list[Quad]) -> list[Reading | None]:
    """What was read at each quad, None where nothing was seen; nothing else may be seen."""
    sightings = pipeline.see(Frame(bgr, 0.0)).sightings
    at = [[s for s in sightings if iou(s.quad_px, quad) >= 0.5] for quad in quads]
    assert len(sightings) == sum(map(len, at)), "something was invented"
    assert all(len(found) <= 1 for found in at), "one card was seen as two"
    return [found[0].reading if found else None for found in at]


@pytest.mark.parametrize("turn_deg", range(0, 360, 45))
@pytest.mark.parametrize("deck", DECKS)
def test_every_card_is_read_whichever_way_it_lies(
    pipeline: Pipeline, deck: str, turn_deg: int
) -> None:
    readings = readings_at(pipeline, *laid_out(deck, turn_deg))

    right = [
        r is not None and str(r.best) == text for r, text in zip(readings, FROZEN, strict=True)
    ]
    wrong = [
        f"{text} as {reading}"
        for text, reading in zip(FROZEN, readings, strict=True)
        if reading is not None and reading.sure and str(reading) != text
    ]
    assert wrong == []
    assert sum(right) >= 11


def test_two_equal_cards_side_by_side_are_two(pipeline: Pipeline) -> None:
    bgr, face = table(), frozen_faces(DECKS[0])[0]
    quads = [box_quad(x, 360, CARD_PX, 0) for x in (500, 593)]
    for quad in quads:
        lay(bgr, face, quad)

    assert [str(reading) for reading in readings_at(pipeline, bgr, quads)] == ["R5", "R5"]


def test_an_empty_table_shows_no_card(pipeline: Pipeline) -> None:
    assert pipeline.see(Frame(table(), 0.0)).sightings == ()
