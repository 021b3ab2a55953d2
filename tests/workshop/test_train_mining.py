"""What a detector takes for a card and is none becomes a lesson for the reader."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the workshop extra")

from companion.rules.cards import Face
from companion.vision.detect import Found
from companion.vision.opencv import cv2
from companion.vision.values import Image, Quad
from datasets.workshop.mining import mine
from datasets.workshop.network import HEADS
from datasets.workshop.shards import load_all

pytestmark = pytest.mark.workshop

CARD: Quad = ((20.0, 20.0), (60.0, 20.0), (60.0, 76.0), (20.0, 76.0))
NOTE: Quad = ((100.0, 20.0), (140.0, 20.0), (140.0, 76.0), (100.0, 76.0))


class _FindsBoth:
    def find(self, bgr: Image) -> tuple[Found, ...]:
        return tuple(Found(quad, Face.NUMBER, 0.3, ((Face.NUMBER, 0.3),)) for quad in (CARD, NOTE))


def test_only_what_is_no_card_is_mined(tmp_path: Path) -> None:
    picture = np.zeros((100, 160, 3), np.uint8)
    picture[:, 80:] = 255
    cv2.imwrite(str(tmp_path / "a.png"), picture)
    record = {"image": "a.png", "cards": [{"card": "R5", "quad": CARD}]}
    (tmp_path / "labels.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")

    assert mine(tmp_path, tmp_path / "cuts", _FindsBoth()) == 1

    mined = load_all(tmp_path / "cuts")
    assert mined.targets[0].tolist() == [HEADS["side"].index("none"), -1, -1, -1]
    assert mined.cuts[0].mean() > 200
