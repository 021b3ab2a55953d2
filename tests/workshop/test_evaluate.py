"""The comparison with ultralytics' own predict runs the same two files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.errors import BadPicture
from companion.vision.opencv import cv2
from tests.vision.toy import install_toy_models

pytest.importorskip("ultralytics", reason="needs the workshop extra")

from datasets.workshop.evaluate import Comparison, compare_speed

pytestmark = pytest.mark.workshop


@pytest.mark.filterwarnings("ignore")
def test_ours_and_theirs_look_at_the_same_picture_by_turns(tmp_path: Path) -> None:
    models = install_toy_models(tmp_path / "models")
    picture = tmp_path / "table.png"
    cv2.imwrite(str(picture), np.zeros((360, 640, 3), dtype=np.uint8))

    comparison = compare_speed(picture, models, rounds=2)

    assert comparison.cards == 2
    assert comparison.same_ms > 0
    assert min(comparison.ours_ms, comparison.their_detector_ms, comparison.their_reader_ms) > 0
    assert "2 cards" in comparison.table()


def test_the_table_tells_how_many_times_as_fast() -> None:
    times = {"ours_ms": 20.0, "same_ms": 16.0, "their_detector_ms": 30.0, "their_reader_ms": 20.0}

    table = Comparison(12, **times).table()

    assert "2.50 x as fast" in table
    assert "in 16.0 ms, 3.12 x" in table


def test_a_missing_picture_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadPicture):
        compare_speed(tmp_path / "gone.png", tmp_path)
