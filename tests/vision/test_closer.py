"""The closer look: which cards get one, how they are cut, and what it counts."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.errors import ModelError
from companion.rules.cards import parse_card
from companion.vision.closer import Closer
from companion.vision.corners import as_corners
from companion.vision.manifest import CloserSpec, ReaderSpec, load_manifest
from companion.vision.pipeline import load_pipeline
from companion.vision.read import Reader
from companion.vision.values import Quad
from tests.vision.toy import (
    DATA,
    HEADS,
    ScriptedReader,
    box_quad,
    head_logits,
    install_toy_models,
    paint,
    sha256_of,
)

SPEC = ReaderSpec(path=Path("none.onnx"), heads=HEADS, input_px=(48, 64), margin=0.1, again=0.97)
CLOSE = CloserSpec(Path("none.onnx"), HEADS, (96, 128), 0.1, from_px=40.0, weights=(0.4, 0.8))
LARGE, SMALL = box_quad(100, 100, (50, 70)), box_quad(100, 100, (30, 42))
PICTURE = np.zeros((200, 200, 3), dtype=np.uint8)


def _numbers(*values: dict[str, float]) -> ScriptedReader:
    """A network that is clear about a blue number card and says this of its digit, row by row."""
    rows = len(values)
    return ScriptedReader(
        head_logits(side=[{"number": 12}] * rows, colour=[{"blue": 12}] * rows, value=[*values])
    )


DOUBT, TWO, FIVE = {"2": 1.0, "5": 1.5}, {"2": 12.0}, {"5": 12.0}


def _read(first: ScriptedReader, closer: ScriptedReader, *quads: Quad) -> tuple[str, ...]:
    reader = Reader(first, SPEC, Closer(closer, CLOSE))
    return tuple(str(reading) for reading in reader.read(PICTURE, quads))


def test_what_is_doubtful_is_settled_by_a_closer_look() -> None:
    closer = _numbers(TWO)

    assert _read(_numbers(DOUBT), closer, LARGE) == ("B2",)
    assert [batch.shape for batch in closer.asked] == [(2, 3, 128, 96)]


def test_what_is_clear_gets_no_closer_look() -> None:
    closer = _numbers(FIVE)

    assert _read(_numbers(TWO), closer, LARGE) == ("B2",)
    assert closer.asked == []


def test_a_card_without_the_pixels_gets_no_closer_look() -> None:
    closer = _numbers(TWO)
    both = _numbers(DOUBT)

    _, small = _read(both, closer, LARGE, SMALL)

    assert [len(batch) for batch in closer.asked] == [2]
    assert small.startswith("B5?B2")


def test_both_ways_up_are_seen_and_the_first_look_counts_a_little() -> None:
    bgr = PICTURE.copy()
    paint(bgr, box_quad(90, 80, (20, 20)), (255, 255, 255))
    closer = _numbers(TWO, FIVE)

    (reading,) = Reader(_numbers(DOUBT), SPEC, Closer(closer, CLOSE)).read(bgr, [LARGE])

    upright, turned = closer.asked[0]
    assert upright.max() > 0.9
    assert np.array_equal(turned, upright[:, ::-1, ::-1])
    chances = {str(card): chance for card, chance in reading.options}
    doubt = np.exp(np.array([1.0, 1.5]) * 0.4)
    assert chances["B2"] == pytest.approx(doubt[0] / doubt.sum(), abs=0.01)
    assert chances["B5"] == pytest.approx(doubt[1] / doubt.sum(), abs=0.01)
    assert not reading.sure


def test_the_size_asked_for_is_that_of_the_card_in_its_picture() -> None:
    closer = Closer(_numbers(TWO), replace(CLOSE, from_px=50.0))

    assert closer.gains(as_corners(LARGE), 0.5)
    assert not closer.gains(as_corners(box_quad(100, 100, (49, 70))), 0.5)


def test_how_clear_a_card_may_be_is_the_manifest_s_to_say() -> None:
    closer = Closer(_numbers(TWO), replace(CLOSE, below=0.9))

    assert closer.gains(as_corners(LARGE), 0.89)
    assert not closer.gains(as_corners(LARGE), 0.9)


def _with_closer(folder: Path, more: str = "") -> Path:
    install_toy_models(folder)
    file = folder / "toy-closer.onnx"
    shutil.copyfile(DATA / "toy-reader.onnx", file)
    lists = "\n".join(f"{head} = {list(classes)}" for head, classes in HEADS.items())
    table = f'\n[closer]\nfile = "{file.name}"\nsha256 = "{sha256_of(file)}"\ninput = [96, 128]\n'
    with (folder / "manifest.toml").open("a", encoding="utf-8") as manifest:
        manifest.write(f"{table}{more}\n[closer.heads]\n{lists}\n")
    return folder


def test_the_manifest_names_what_looks_closer(tmp_path: Path) -> None:
    folder = _with_closer(tmp_path, "from = 60\nbelow = 0.9\nweights = [0.5, 1]")

    closer = load_manifest(folder).closer

    assert closer is not None
    assert (closer.input_px, closer.from_px, closer.below) == ((96, 128), 60.0, 0.9)
    assert closer.weights == (0.5, 1.0)
    assert load_pipeline(models_dir=folder).reader.closer is not None
    assert load_pipeline(models_dir=install_toy_models(tmp_path / "plain")).reader.closer is None


@pytest.mark.parametrize(
    "wrong", ["from = -1", "below = 2", "weights = 2", "weights = [1, -1]", "margin = 'much'"]
)
def test_a_wrong_figure_is_refused(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(ModelError, match=wrong.split()[0]):
        load_manifest(_with_closer(tmp_path, wrong))


def test_a_network_without_the_heads_is_refused(tmp_path: Path) -> None:
    spec = CloserSpec(DATA / "toy-detector.onnx", HEADS)

    with pytest.raises(ModelError, match="has no output side"):
        Closer.open(spec)


def test_the_alternatives_stay_cards_that_exist() -> None:
    reader = Reader(_numbers(DOUBT), SPEC, Closer(_numbers({"9": 12.0}), CLOSE))

    (reading,) = reader.read(PICTURE, [LARGE])

    assert reading.best != parse_card("#9")
    assert reading.stranger > 0.5
