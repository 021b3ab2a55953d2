"""Freezes two drawn decks of the test split beside it, twelve faces of each in a row.

``python -m tests.vision.data.make_cards``; the order of the faces is ``tests.vision.toy.FROZEN``.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from companion.rules.cards import parse_card
from companion.vision.opencv import cv2
from datasets.workshop.deck import draw_deck
from tests.vision.toy import FROZEN

HERE = Path(__file__).parent
DECKS = {"deck-framed.png": 1, "deck-full.png": 5}
SIZE_PX = (90, 126)


def strip(seed: int) -> np.ndarray:
    """Blue, green, red, opacity: shape (126, 12 · 90, 4)."""
    deck = draw_deck(seed, "test")
    faces = [deck.face(parse_card(text)) for text in FROZEN]
    small = [cv2.resize(face, SIZE_PX, interpolation=cv2.INTER_AREA) for face in faces]
    return np.concatenate(small, axis=1)[..., [2, 1, 0, 3]]


if __name__ == "__main__":
    for name, seed in DECKS.items():
        cv2.imwrite(str(HERE / name), strip(seed))
