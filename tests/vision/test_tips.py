"""What hinders the eyes is named: cards too small, glare, a mirrored picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.vision.manifest import ReaderSpec
from companion.vision.pipeline import Pipeline, load_pipeline
from companion.vision.read import HANDED, Reader
from companion.vision.tips import MIRRORED, advice, glared_cards, is_mirrored, unsure
from companion.vision.values import Frame, Image, Quad, Sighting, TableView, parse_reading
from tests.vision.test_pipeline_frozen import DECKS, laid_out
from tests.vision.toy import HEADS, ScriptedReader, box_quad, head_logits, paint

CARD = box_quad(200, 150, (80, 112), turn_deg=20)
WHITE, RED = (255, 255, 255), (40, 40, 200)


@pytest.fixture(name="pipeline", scope="module")
def pipeline_in_use() -> Pipeline:
    return load_pipeline(threads=2)


def view_of(*sightings: Sighting) -> TableView:
    return TableView(sightings, taken_at_s=0.0, frame_number=0, width_px=640, height_px=360)


def glaring(share: float) -> Image:
    """A red card with a patch of light on it."""
    bgr = np.full((360, 640, 3), 90, dtype=np.uint8)
    paint(bgr, CARD, RED)
    paint(bgr, box_quad(200, 150, (80 * share**0.5, 112 * share**0.5), turn_deg=20), WHITE)
    return bgr


def test_glare_on_a_doubtful_card_is_named() -> None:
    frame = Frame(glaring(0.3), 0.0)
    doubtful = Sighting(CARD, parse_reading("R5?R6"), 0.9)

    assert advice(view_of(doubtful), frame) == ("glare on one card",)
    assert advice(view_of(doubtful, doubtful), frame) == ("glare on 2 cards",)


def test_a_glint_is_no_glare_and_a_card_read_for_sure_hinders_nobody() -> None:
    doubtful = Sighting(CARD, parse_reading("R5?R6"), 0.9)
    sure = Sighting(CARD, parse_reading("R5"), 0.9)

    assert glared_cards(glaring(0.04), [doubtful]) == 0
    assert glared_cards(glaring(0.3), [sure]) == 0


def test_in_doubt_the_guesses_stay() -> None:
    view = view_of(Sighting(CARD, parse_reading("R5"), 0.9))

    (doubted,) = unsure(view).sightings

    assert (doubted.reading.sure, str(doubted.reading.best)) == (False, "R5")


def mirrored_table(deck: str) -> tuple[Image, list[Quad]]:
    bgr, quads = laid_out(deck, 0.0)
    return np.ascontiguousarray(bgr[:, ::-1]), quads


@pytest.mark.parametrize("deck", DECKS)
def test_a_mirrored_picture_is_noticed_not_read(pipeline: Pipeline, deck: str) -> None:
    bgr, _ = mirrored_table(deck)

    view, tips = pipeline.see_warily(Frame(bgr, 0.0))

    assert MIRRORED in tips
    assert not any(sighting.reading.sure for sighting in view.sightings)


@pytest.mark.parametrize("turn_deg", range(0, 360, 45))
@pytest.mark.parametrize("deck", DECKS)
def test_a_picture_as_it_should_be_is_never_called_mirrored(
    pipeline: Pipeline, deck: str, turn_deg: int
) -> None:
    bgr, _ = laid_out(deck, turn_deg)
    frame = Frame(bgr, 0.0)

    assert not is_mirrored(pipeline.reader, frame, pipeline.see(frame))


@pytest.mark.parametrize(("each", "cards", "mirrored"), [(-1.2, 2, False), (-1.2, 3, True)])
def test_cards_tell_a_mirror_together(each: float, cards: int, mirrored: bool) -> None:
    plain, turned = (np.full((cards, 1), side, np.float32) for side in (0.25 + each, 0.25))
    network = ScriptedReader({HANDED: np.concatenate([plain, turned])})
    reader = Reader(network, ReaderSpec(Path("reader.onnx"), HEADS))
    view = view_of(*[Sighting(CARD, parse_reading("R5"), 0.9)] * cards)

    assert is_mirrored(reader, Frame(glaring(0.0), 0.0), view) is mirrored


def test_a_reader_that_knows_no_mirrors_calls_nothing_mirrored() -> None:
    reader = Reader(ScriptedReader(head_logits(side=[{}] * 3)), ReaderSpec(Path("r.onnx"), HEADS))
    view = view_of(*[Sighting(CARD, parse_reading("R5"), 0.9)] * 3)

    assert not is_mirrored(reader, Frame(glaring(0.0), 0.0), view)
